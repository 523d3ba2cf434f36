/* SPDX-License-Identifier: MIT */
/* Where a program is. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "run/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What execvp() takes where there is no PATH. */
static const char usual_path[] = "/usr/local/bin:/usr/bin:/bin";

/* @return 0, or why it is none. */
static int check(const char *path)
{
	struct stat about;

	if (stat(path, &about) != 0)
		return errno;
	if (!S_ISREG(about.st_mode) || access(path, X_OK) != 0)
		return EACCES;
	return 0;
}

/* @return FOLDER/NAME, absolute; NULL: errno says why. */
static const char *join(const char *folder, size_t length, const char *name,
			struct sl_arena *arena)
{
	char here[PATH_MAX];
	const char *path;

	if (length && *folder == '/')
		path = sl_arena_printf(arena, "%.*s/%s", (int)length, folder,
				       name);
	else if (getcwd(here, sizeof(here)))
		path = sl_arena_printf(arena, "%s/%.*s%s%s", here, (int)length,
				       folder, length ? "/" : "", name);
	else
		return NULL;
	if (!path)
		errno = ENOMEM;
	return path;
}

int sg_program_search(const char *name, struct sl_arena *arena,
		      const char **path)
{
	const char *folders = getenv("PATH");
	int reason = ENOENT;

	if (!*name)
		return ENOENT;
	if (strchr(name, '/')) {
		*path = sl_arena_text(arena, name, strlen(name));
		return *path ? check(*path) : ENOMEM;
	}
	if (!folders)
		folders = usual_path;
	for (;;) {
		size_t length = strcspn(folders, ":");
		const char *tried = NULL;
		int failed = ENOENT;

		if (length < PATH_MAX) {
			tried = join(folders, length, name, arena);
			failed = tried ? check(tried) : errno;
		}
		if (tried && !failed) {
			*path = tried;
			return 0;
		}
		if (failed == ENOMEM)
			return ENOMEM;
		if (failed == EACCES)
			reason = EACCES;
		if (!folders[length])
			return reason;
		folders += length + 1;
	}
}

const char *sg_program_find(const char *name, struct sl_arena *arena)
{
	const char *path;
	char *real;
	const char *copy;

	if (sg_program_search(name, arena, &path) != 0)
		return NULL;
	real = realpath(path, NULL);
	if (!real)
		return NULL;
	copy = sl_arena_text(arena, real, strlen(real));
	free(real);
	return copy;
}
