/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over the files of a folder: its corpus, as a test. And,
 * seeded, over damaged copies of them, so that it sees more than they show. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/random.h"
#include "tests/fuzz/fuzz.h"

enum { SIZE_MAX_REPLAYED = 1 << 20, DAMAGED_COPIES = 300 };

static size_t read_file(const char *path, uint8_t *data)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file) {
		perror(path);
		exit(2);
	}
	size = fread(data, 1, SIZE_MAX_REPLAYED, file);
	fclose(file);
	return size;
}

static void try_damaged(const uint8_t *data, size_t size, uint64_t seed)
{
	uint8_t *copy = malloc(size + 1);

	for (uint64_t round = 0; copy && size && round < DAMAGED_COPIES;
	     round++) {
		uint64_t chance = sl_random_at(seed, round);
		size_t left = round % 5 ? size : chance % size;

		memcpy(copy, data, size);
		for (unsigned hit = 0; hit <= round % 4; hit++) {
			uint64_t bits = sl_random_at(chance, hit);

			copy[bits % size] = hit % 2 ? (uint8_t)(bits >> 32)
						    : data[(bits >> 32) % size];
		}
		LLVMFuzzerTestOneInput(copy, left);
	}
	free(copy);
}

int main(int argc, char **argv)
{
	static uint8_t data[SIZE_MAX_REPLAYED];
	unsigned files = 0;
	struct dirent *entry;
	DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;

	if (!folder) {
		fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
		return 2;
	}
	while ((entry = readdir(folder))) {
		char path[4096];
		size_t size;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
		size = read_file(path, data);
		LLVMFuzzerTestOneInput(data, size);
		try_damaged(data, size, size);
		files++;
	}
	closedir(folder);
	printf("%u files replayed\n", files);
	return files ? 0 : 1;
}
