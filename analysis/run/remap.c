/* SPDX-License-Identifier: MIT */
/* Where a root stands in a word, and what is put there instead. */
#include "run/remap.h"

#include <stdbool.h>
#include <string.h>

#include "run/path.h"

/* @return whether @p letter, behind the root, ends the name of its last
 * folder. Names can hold what is not here, blanks among it. */
static bool ends_name(char letter)
{
	return !letter || strchr("/\"'\\:;,=)>", letter);
}

/* @return whether @p letter, before the root, belongs to the same path; a brace
 * is the end of what stands for one in a template. */
static bool is_of_path(char letter)
{
	unsigned char byte = (unsigned char)letter;

	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte >= 0x80 ||
	       strchr("_.-+~/%}", letter);
}

/* @return whether what stands before the root is an option that a path is
 * joined to; as of -Wp,-I/root behind a comma. */
static bool is_option(const char *start, const char *end)
{
	static const char *const options[] = {
		"-I",         "-L",       "-B",           "-F",
		"-T",         "-o",       "-MF",          "-MT",
		"-MQ",        "-MJ",      "-isystem",     "-iquote",
		"-idirafter", "-include", "-imacros",     "-isysroot",
		"-iprefix",   "-include", "-cxx-isystem",
	};
	size_t length;

	for (const char *at = end; at > start; at--)
		if (at[-1] == ',') {
			start = at;
			break;
		}
	length = (size_t)(end - start);
	for (size_t at = 0; at < sizeof(options) / sizeof(options[0]); at++)
		if (strlen(options[at]) == length &&
		    memcmp(options[at], start, length) == 0)
			return true;
	return false;
}

const char *sg_remap_find(const char *word, const char *from, const char *root)
{
	size_t length = strlen(root);

	if (length < 2) /* "/" is no tree of anybody's */
		return NULL;
	for (const char *at = from; (at = strstr(at, root)); at++)
		if (ends_name(at[length]) &&
		    (at == word || !is_of_path(at[-1]) || is_option(word, at)))
			return at;
	return NULL;
}

const char *sg_remap_text(const char *word, const struct sg_exported *exported,
			  struct sl_arena *arena)
{
	size_t root = strlen(exported->root);
	size_t folder = strlen(exported->folder);
	size_t count = 0, length = strlen(word);
	const char *from = word, *at;
	char *mapped, *to;

	for (at = word; (at = sg_remap_find(word, at, exported->root));
	     at += root)
		count++;
	if (!count)
		return word;
	to = mapped = sl_arena_alloc(arena, length + count * folder + 1);
	if (!mapped)
		return NULL;
	while ((at = sg_remap_find(word, from, exported->root))) {
		size_t before = (size_t)(at - from);

		memcpy(to, from, before);
		memcpy(to + before, exported->folder, folder);
		to += before + folder;
		from = at + root;
	}
	memcpy(to, from, strlen(from) + 1);
	return mapped;
}

const char *sg_remap_absolute(const char *path,
			      const struct sg_exported *exported,
			      struct sl_arena *arena)
{
	const char *below = sg_path_below(exported->root, path);

	return below ? sg_path_join(exported->folder, below, arena) : path;
}

const char *sg_remap_path(const char *path, const struct sg_unit *unit,
			  const struct sg_exported *exported,
			  struct sl_arena *arena)
{
	const char *absolute;

	/* gcc's "=" and "$SYSROOT" stand for --sysroot */
	if (!*path || *path == '=' || *path == '$')
		return path;
	absolute = sg_path_join(unit->directory, path, arena);
	if (!absolute)
		return NULL;
	if (*path != '/' && !sg_path_below(exported->root, unit->directory) ==
				    !sg_path_below(exported->root, absolute))
		return path;
	return sg_remap_absolute(absolute, exported, arena);
}
