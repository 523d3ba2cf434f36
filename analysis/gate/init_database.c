/* SPDX-License-Identifier: MIT */
/* Which compile_commands.json to go by. */
#include <dirent.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gate/init_look.h"
#include "run/file.h"
#include "run/path.h"

#define NAME "compile_commands.json"
#define HOW \
	"; cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON or bear -- make writes " \
	"one"

enum { CANDIDATES = 64, BYTES_MAX = 1 << 30 };

struct candidate {
	const char *folder; /* as the configuration will name it */
	const char *name; /* of the file, for people */
	const char *path; /* absolute */
	struct stat file;
};

struct search {
	struct sg_init *found;
	const char *root;
	struct candidate candidates[CANDIDATES]; /* the newest first */
	size_t count;
};

static bool is_newer(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Take @p folder, relative to the root, if there is a database in it. The root
 * often has a symlink to that of a build: one file is one candidate. */
static enum sl_code try_folder(struct search *search, const char *folder,
			       struct sl_error *error)
{
	struct sl_arena *arena = &search->found->arena;
	struct candidate one = { .folder = folder };
	const char *absolute = sg_path_join(search->root, folder, arena);
	size_t at = search->count;

	one.path =
		absolute ? sl_arena_printf(arena, "%s/" NAME, absolute) : NULL;
	one.name = strcmp(folder, ".") == 0
			   ? NAME
			   : sl_arena_printf(arena, "%s/" NAME, folder);
	if (!one.path || !one.name)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	if (stat(one.path, &one.file) || !S_ISREG(one.file.st_mode) ||
	    search->count == CANDIDATES)
		return SL_OK;
	for (size_t other = 0; other < search->count; other++)
		if (search->candidates[other].file.st_ino == one.file.st_ino &&
		    search->candidates[other].file.st_dev == one.file.st_dev)
			return SL_OK;
	for (; at && is_newer(&one.file, &search->candidates[at - 1].file);
	     at--)
		search->candidates[at] = search->candidates[at - 1];
	search->candidates[at] = one;
	search->count++;
	return SL_OK;
}

static bool is_build(const char *name)
{
	return fnmatch("build*", name, 0) == 0 || strcmp(name, "out") == 0 ||
	       fnmatch("cmake-build-*", name, 0) == 0;
}

/* Try the folders in @p folder (relative to the root; "." the root itself), and
 * those in them. */
static enum sl_code try_below(struct search *search, const char *folder,
			      struct sl_error *error)
{
	struct sl_arena *arena = &search->found->arena;
	bool is_root = strcmp(folder, ".") == 0;
	const char *absolute = sg_path_join(search->root, folder, arena);
	enum sl_code code = SL_OK;
	struct dirent **names = NULL;
	int count = absolute ? scandir(absolute, &names, NULL, alphasort) : -1;

	for (int at = 0; at < count; at++) {
		const char *name = names[at]->d_name;
		const char *path;

		if (code == SL_OK && name[0] != '.' &&
		    (!is_root || is_build(name))) {
			path = is_root ? sl_arena_printf(arena, "%s", name)
				       : sl_arena_printf(arena, "%s/%s", folder,
							 name);
			code = path ? try_folder(search, path, error)
				    : SL_FAIL(error, SL_ENOMEM,
					      "no memory for a path");
			if (code == SL_OK && is_root)
				code = try_below(search, path, error);
		}
		free(names[at]);
	}
	free(names);
	return code;
}

/* ---- reading ----------------------------------------------------------- */

/* @return how many units are of sources in the tree. */
static size_t count_ours(const struct sg_units *units)
{
	size_t count = 0;

	for (size_t at = 0; at < units->count; at++)
		count += units->units[at].source[0] != '/';
	return count;
}

/* SL_EINVAL, SL_EIO: this one cannot be used, and @p error says why. */
static enum sl_code use(struct search *search, const struct candidate *one,
			struct sg_units *units, struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	size_t ours = 0;
	enum sl_code code = sg_file_read(one->path, BYTES_MAX, &text, error);

	if (code == SL_OK)
		code = sg_units_parse(units, text.data, text.used, one->path,
				      search->root, error);
	free(text.data);
	if (code != SL_OK)
		return code;
	ours = count_ours(units);
	if (!ours) {
		sg_units_finish(units);
		return SL_FAIL(error, SL_EINVAL,
			       "it names no source of this tree");
	}
	search->found->build = one->folder;
	return sg_init_note(search->found,
			    sl_arena_printf(&search->found->arena,
					    "%s, %zu unit%s", one->name, ours,
					    ours == 1 ? "" : "s"),
			    NULL, error);
}

static enum sl_code choose(struct search *search, struct sg_units *units,
			   struct sl_error *error)
{
	struct sg_init *found = search->found;
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < search->count; at++) {
		const struct candidate *one = &search->candidates[at];
		const char *why = "it is older";
		struct sl_error reason;

		if (!found->build) {
			code = use(search, one, units, &reason);
			if (code == SL_OK)
				continue;
			if (code == SL_ENOMEM)
				return SL_FAIL(error, code, "%s",
					       reason.message);
			why = sl_arena_printf(&found->arena, "%s",
					      reason.message);
		}
		code = sg_init_note(found, one->name, why, error);
	}
	return code;
}

/* The folder that the user names must be the one. */
static enum sl_code choose_given(struct search *search, const char *build,
				 struct sg_units *units, struct sl_error *error)
{
	const char *below = sg_path_below(search->root, build);
	const char *folder = sl_arena_printf(&search->found->arena, "%s",
					     !below   ? build
					     : *below ? below
						      : ".");
	struct sl_error reason;
	enum sl_code code =
		folder ? try_folder(search, folder, error)
		       : SL_FAIL(error, SL_ENOMEM, "no memory for a path");

	if (code == SL_OK && !search->count)
		return SL_FAIL(error, SL_EINVAL, "there is no " NAME " in %s",
			       sl_path_tail(build));
	if (code == SL_OK)
		code = use(search, &search->candidates[0], units, &reason);
	else
		return code;
	return code == SL_OK ? code
			     : SL_FAIL(error, code, "%s/" NAME ": %s",
				       sl_path_tail(build), reason.message);
}

enum sl_code sg_init_database(struct sg_init *found, const char *root,
			      const char *build, struct sg_units *units,
			      struct sl_error *error)
{
	struct search search = { .found = found, .root = root };
	enum sl_code code;

	if (build)
		return choose_given(&search, build, units, error);
	code = try_folder(&search, ".", error);
	if (code == SL_OK)
		code = try_below(&search, ".", error);
	if (code == SL_OK)
		code = choose(&search, units, error);
	if (code == SL_OK && !found->build)
		code = sg_init_note(found, NAME,
				    search.count ? "none can be used" HOW
						 : "there is none in the root, "
						   "build*, out or "
						   "cmake-build-*" HOW,
				    error);
	return code;
}
