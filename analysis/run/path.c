/* SPDX-License-Identifier: MIT */
/* Paths as text. */
#include "run/path.h"

#include <stdbool.h>
#include <string.h>

/* In place, of an absolute path. */
static void collapse(char *path)
{
	char *to = path;

	for (const char *from = path; *from;) {
		size_t length;

		from += strspn(from, "/");
		length = strcspn(from, "/");
		if (length == 2 && from[0] == '.' && from[1] == '.') {
			while (to > path && *--to != '/')
				;
		} else if (length && !(length == 1 && *from == '.')) {
			*to++ = '/';
			memmove(to, from, length);
			to += length;
		}
		from += length;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
}

const char *sg_path_join(const char *base, const char *path,
			 struct sl_arena *arena)
{
	bool alone = *path == '/';
	size_t length = strlen(path);
	size_t start = alone ? 0 : strlen(base);
	/* a slash before the path, and one that "" becomes */
	char *joined = sl_arena_alloc(arena, start + length + 3);

	if (!joined)
		return NULL;
	memcpy(joined, base, start);
	joined[start] = '/';
	memcpy(joined + start + 1, path, length + 1);
	collapse(joined);
	return joined;
}

const char *sg_path_below(const char *folder, const char *path)
{
	size_t length = strlen(folder);

	if (length && folder[length - 1] == '/') /* the root of all */
		length--;
	if (strncmp(path, folder, length) != 0 ||
	    (path[length] != '/' && path[length]))
		return NULL;
	path += length;
	return *path == '/' ? path + 1 : path;
}

const char *sg_path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
