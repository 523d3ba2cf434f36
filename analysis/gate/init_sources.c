/* SPDX-License-Identifier: MIT */
/* What the tracked sources say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/init_look.h"
#include "gate/pattern.h"
#include "run/git.h"

/* How folders of other people's code are called. */
static const char *const foreign[] = { "third_party", "third-party",
				       "thirdparty",  "3rdparty",
				       "vendor",      "external" };

enum { SHOWN = 3 };

struct look {
	struct sg_init *found;
	const struct sg_units *units;
	struct sg_init_list exclude, sources, flags;
	size_t tracked; /* sources of C and C++ that are not foreign */
	size_t loose; /* of these, those in no unit */
	const char *shown[SHOWN]; /* the first of these; borrowed */
};

/* @return @p length bytes of a path as a pattern of that path alone; in the
 * arena; NULL: no memory. */
static char *escape(struct look *look, const char *path, size_t length)
{
	char *pattern = sl_arena_alloc(&look->found->arena, 2 * length + 1);
	char *to = pattern;

	for (size_t at = 0; pattern && at < length; at++) {
		if (strchr("*?[\\", path[at]) || (!at && *path == '!'))
			*to++ = '\\';
		*to++ = path[at];
	}
	return pattern;
}

static enum sl_code add(struct sg_init_list *list, const char *text,
			struct sl_error *error)
{
	return text ? sg_init_add(list, text, error)
		    : SL_FAIL(error, SL_ENOMEM, "no memory for a pattern");
}

/* @return the length of the folder of others that @p path is in, its '/'
 * included; 0: it is in none. */
static size_t foreign_length(const char *path)
{
	const char *slash;

	for (const char *at = path; (slash = strchr(at, '/')); at = slash + 1)
		for (size_t name = 0;
		     name < sizeof(foreign) / sizeof(foreign[0]); name++)
			if (strlen(foreign[name]) == (size_t)(slash - at) &&
			    strncmp(at, foreign[name], (size_t)(slash - at)) ==
				    0)
				return (size_t)(slash - path) + 1;
	return 0;
}

/* A pattern of all sources of its kind in its folder of the root. */
static enum sl_code add_pattern(struct look *look, const char *path,
				struct sl_error *error)
{
	struct sl_arena *arena = &look->found->arena;
	const char *slash = strchr(path, '/');
	const char *kind = strrchr(path, '.');
	const char *top =
		slash ? escape(look, path, (size_t)(slash - path)) : ".";

	kind = kind ? escape(look, kind, strlen(kind)) : "";
	if (!top || !kind)
		return add(&look->sources, NULL, error);
	return add(&look->sources,
		   sl_arena_printf(arena, slash ? "%s/**/*%s" : "%s/*%s", top,
				   kind),
		   error);
}

static enum sl_code take_path(struct look *look, const char *path,
			      struct sl_error *error)
{
	size_t length = foreign_length(path);

	if (strncmp(path, "include/", 8) == 0 && !look->flags.count &&
	    !look->found->build)
		return add(&look->flags, "-Iinclude", error);
	if (sg_language_of(path) == SG_LANGUAGE_OTHER)
		return SL_OK;
	if (length)
		return add(&look->exclude, escape(look, path, length), error);
	look->tracked++;
	if (!look->found->build)
		return add_pattern(look, path, error);
	if (!sg_units_have(look->units, path)) {
		if (look->loose < SHOWN)
			look->shown[look->loose] = path;
		look->loose++;
	}
	return SL_OK;
}

/* Sources that are compiled by nobody we know of. */
static enum sl_code note_loose(struct look *look, struct sl_error *error)
{
	struct sl_arena *arena = &look->found->arena;
	const char *names = "";

	for (size_t at = 0; names && at < look->loose && at < SHOWN; at++)
		names = sl_arena_printf(arena, "%s%s%s", names, at ? ", " : "",
					look->shown[at]);
	if (names && look->loose > SHOWN)
		names = sl_arena_printf(arena, "%s and %zu more", names,
					look->loose - SHOWN);
	if (!look->loose)
		return SL_OK;
	return sg_init_note(look->found, names,
			    "not in compile_commands.json, so changes cannot "
			    "be checked: build or exclude",
			    error);
}

static enum sl_code note_sources(struct look *look, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (look->found->build)
		code = note_loose(look, error);
	else if (look->tracked)
		code = sg_init_note(
			look->found,
			sl_arena_printf(&look->found->arena,
					"%zu tracked source%s", look->tracked,
					look->tracked == 1 ? "" : "s"),
			NULL, error);
	else
		code = SL_FAIL(error, SL_EINVAL,
			       "there is neither a compile_commands.json nor a "
			       "tracked source of C or C++ (git add comes "
			       "first)");
	for (size_t at = 0; code == SL_OK && at < look->exclude.count; at++)
		code = sg_init_note(look->found, look->exclude.texts[at],
				    "its name says that it is other people's "
				    "code; \"exclude\" can be changed",
				    error);
	return code;
}

enum sl_code sg_init_sources(struct sg_init *found, const char *root,
			     const struct sg_units *units,
			     struct sl_error *error)
{
	static const char *const arguments[] = { "ls-files", "-z", NULL };
	struct look look = {
		.found = found,
		.units = units,
		.exclude = { .arena = &found->arena },
		.sources = { .arena = &found->arena },
		.flags = { .arena = &found->arena },
	};
	struct sl_buffer paths = { .data = NULL };
	int status;
	enum sl_code code = sg_git_run(root, arguments, &paths, &status, error);

	if (code == SL_OK && status != 0)
		code = SL_FAIL(error, SL_EIO, "git ls-files failed");
	for (const char *at = paths.data;
	     code == SL_OK && at < paths.data + paths.used;
	     at += strlen(at) + 1)
		code = take_path(&look, at, error);
	if (code == SL_OK)
		code = note_sources(&look, error);
	free(paths.data);
	found->sources = sg_init_texts(&look.sources);
	found->flags = sg_init_texts(&look.flags);
	found->exclude = sg_init_texts(&look.exclude);
	return code;
}
