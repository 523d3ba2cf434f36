/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* nftw() */
#include "tests/fuzz/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

void fuzz_require_flat(const char *text)
{
	for (; *text; text++)
		fuzz_require((unsigned char)*text >= 0x20 && *text != 0x7f);
}

static void write_file(const char *root, const char *path, const uint8_t *data,
		       size_t size)
{
	char whole[256];
	int fd;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/'));
	     at++) {
		*at = '\0';
		fuzz_require(mkdir(whole, 0700) == 0 || errno == EEXIST);
		*at = '/';
	}
	fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	fuzz_require(fd >= 0);
	fuzz_require(write(fd, data, size) == (ssize_t)size);
	close(fd);
}

/* @return the place of the next line "@x" at or behind @p from; the size. */
static size_t next_mark(const struct fuzz_tree *tree, size_t from)
{
	for (size_t at = from; at + 2 < tree->size; at++)
		if (tree->data[at] == '@' && tree->data[at + 2] == '\n' &&
		    (at == 0 || tree->data[at - 1] == '\n'))
			return at;
	return tree->size;
}

static void write_files(const struct fuzz_tree *tree, char first)
{
	size_t at = next_mark(tree, 0);

	while (at < tree->size) {
		size_t end = next_mark(tree, at + 3);
		size_t number = (size_t)tree->data[at + 1] - (size_t)first;

		if (number < tree->count)
			write_file(tree->root, tree->paths[number],
				   tree->data + at + 3, end - at - 3);
		at = end;
	}
}

void fuzz_tree_make(struct fuzz_tree *tree, const char *const *paths,
		    size_t count, const uint8_t *data, size_t size)
{
	*tree = (struct fuzz_tree){
		.paths = paths,
		.count = count,
		.data = data,
		.size = size,
	};
	/* in memory, where there is such a place: files come and go */
	snprintf(tree->root, sizeof(tree->root), "%s/sluice-fuzz-XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	fuzz_require(mkdtemp(tree->root) != NULL);
	write_files(tree, 'a');
}

void fuzz_tree_go_on(const struct fuzz_tree *tree)
{
	write_files(tree, 'A');
}

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

void fuzz_tree_finish(struct fuzz_tree *tree)
{
	nftw(tree->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
