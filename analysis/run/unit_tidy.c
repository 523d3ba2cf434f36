/* SPDX-License-Identifier: MIT */
/* Which .clang-tidy holds for a unit, and what it leaves to us. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/path.h"
#include "run/unit_words.h"

enum { LINE_MAX_READ = 4096 };

/* What a .clang-tidy says, line by line: it is YAML, but these two are plain
 * members of its top. */
struct said {
	bool filter; /* of which headers to speak */
	bool inherits; /* what it does not say, the next one above does */
};

/* @return the value of a member, without blanks before it; NULL: the line is
 * another's. */
static const char *value_of(const char *line, const char *name)
{
	size_t length = strlen(name);

	line += strspn(line, " {\"'");
	if (strncmp(line, name, length) != 0)
		return NULL;
	line += length + strspn(line + length, " \"'");
	return *line == ':' ? line + 1 + strspn(line + 1, " ") : NULL;
}

static void read_line(struct said *said, const char *line)
{
	const char *value = value_of(line, "HeaderFilterRegex");

	/* an empty one is the default: of none */
	if (value && !strchr("\r\n#", *value) && strncmp(value, "''", 2) != 0 &&
	    strncmp(value, "\"\"", 2) != 0)
		said->filter = true;
	value = value_of(line, "InheritParentConfig");
	if (value && strncmp(value, "true", 4) == 0)
		said->inherits = true;
}

/* @return whether there is such a file. */
static bool read_file(const char *path, struct said *said)
{
	char line[LINE_MAX_READ];
	FILE *file = fopen(path, "re");

	if (!file)
		return errno != ENOENT && errno != ENOTDIR;
	while (fgets(line, sizeof(line), file))
		read_line(said, line);
	fclose(file);
	return true;
}

/* @return the .clang-tidy in @p folder or above it, but in the tree; the folder
 * is cut to where it was. NULL: there is none. */
static const char *find_above(char *folder, const struct sg_exported *exported,
			      struct said *said, struct sl_arena *arena,
			      bool *failed)
{
	while (sg_path_below(exported->folder, folder)) {
		const char *path =
			sl_arena_printf(arena, "%s/.clang-tidy", folder);
		char *slash = strrchr(folder, '/');

		*failed = *failed || !path;
		if (slash)
			*slash = '\0';
		if (path && read_file(path, said))
			return path;
		if (!path || !slash)
			break;
	}
	return NULL;
}

void sg_unit_words_tidy(const struct sg_unit *unit,
			const struct sg_exported *exported,
			struct sg_list *list)
{
	struct sl_arena *arena = list->arena;
	const char *file = sg_unit_file(unit, exported, arena);
	char *folder = file ? sl_arena_text(arena, file, strlen(file)) : NULL;
	struct said said = { .inherits = true };
	const char *first = NULL, *path;

	if (!folder) {
		list->failed = true;
		return;
	}
	*strrchr(folder, '/') = '\0';
	while (said.inherits && !said.filter) {
		said.inherits = false;
		path = find_above(folder, exported, &said, arena,
				  &list->failed);
		if (!first)
			first = path;
	}
	if (first)
		sg_list_add(list,
			    sl_arena_printf(arena, "--config-file=%s", first));
	else
		sg_list_add(list, "--config={}");
	if (!said.filter)
		sg_list_add(list, "--header-filter=.*");
}
