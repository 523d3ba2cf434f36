/* SPDX-License-Identifier: MIT */
#include "energy/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "energy/near.h"

int make_tree(void **state)
{
	const char *base = getenv("TMPDIR");
	char *root = malloc(4096);

	assert_non_null(root);
	snprintf(root, 4096, "%s/sluice-energy-XXXXXX", base ? base : "/tmp");
	*state = mkdtemp(root);
	return *state ? 0 : -1;
}

/* Folders go after what is in them; links are not followed. */
static int remove_all(const char *path)
{
	struct stat status;
	const struct dirent *entry;
	DIR *folder;
	int result = 0;

	if (lstat(path, &status))
		return -1;
	if (!S_ISDIR(status.st_mode))
		return unlink(path);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		char inner[4096];

		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
		result |= remove_all(inner);
	}
	if (folder)
		closedir(folder);
	return rmdir(path) | result;
}

int remove_tree(void **state)
{
	int result = remove_all(*state);

	free(*state);
	return result;
}

const char *path_of(const char *root, const char *path)
{
	static char paths[8][4096];
	static unsigned next;
	char *text = paths[next++ % 8];

	snprintf(text, sizeof(paths[0]), "%s/%s", root, path);
	return text;
}

static void make_folders(const char *path)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s", path);
	for (char *slash = strchr(text + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(text, 0755))
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
}

void put_bytes(const char *root, const char *path, const void *bytes,
	       size_t size)
{
	const char *name = path_of(root, path);
	FILE *file;

	make_folders(name);
	file = fopen(name, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

void put(const char *root, const char *path, const char *text)
{
	put_bytes(root, path, text, strlen(text));
}

void take_away(const char *root, const char *path)
{
	assert_int_equal(unlink(path_of(root, path)), 0);
}

void put_link(const char *root, const char *path, const char *target)
{
	const char *name = path_of(root, path);

	make_folders(name);
	assert_int_equal(symlink(target, name), 0);
}
