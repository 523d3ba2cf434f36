/* SPDX-License-Identifier: MIT */
/* git's extended diff: names, renames and hunks; what changed is not looked at.
 * After "@@" the lines of the hunk are counted off, for one that was removed
 * may look like the head of a file. */
#include "run/diff.h"

#include <stdlib.h>
#include <string.h>

/* Files and hunks grow; what they point to is in the arena. */
struct reading {
	struct sg_diff *diff;
	struct sl_error *error;
	struct sg_file_change *changes; /* owned; `hunks` are set at the end */
	size_t *first_hunks; /* owned; of each change */
	size_t change_count, change_room;
	struct sg_hunk *hunks; /* owned; of all files */
	size_t hunk_count, hunk_room;
	uint64_t skip; /* lines of the hunk that are still to come */
};

static enum sl_code no_memory(struct reading *reading)
{
	return SL_FAIL(reading->error, SL_ENOMEM, "no memory for a diff");
}

static enum sl_code not_a_diff(struct reading *reading, const char *line)
{
	return SL_FAIL(reading->error, SL_EINVAL,
		       "git's diff has a line \"%.60s\"", line);
}

/* ---- names ------------------------------------------------------------- */

static char unescaped(const char **at)
{
	static const char letters[] = "abtnvfr\"\\";
	static const char bytes[] = "\a\b\t\n\v\f\r\"\\";
	const char *letter = **at ? strchr(letters, **at) : NULL;
	unsigned value = 0;

	if (letter) {
		++*at;
		return bytes[letter - letters];
	}
	for (int digits = 0; digits < 3 && **at >= '0' && **at <= '7'; digits++)
		value = value * 8 + (unsigned)(*(*at)++ - '0');
	return (char)value;
}

/* A name, in C's quotation marks if need be, behind a prefix of @p skip bytes;
 * git marks the end of one with blanks by a tab. In place. */
static char *clean_name(char *text, size_t skip)
{
	char *to = text, *name = text;

	if (*text == '"') {
		const char *at = text + 1;

		while (*at && *at != '"') {
			if (*at != '\\') {
				*to++ = *at++;
				continue;
			}
			at++;
			*to++ = unescaped(&at);
		}
		*to = '\0';
	} else {
		size_t length = strlen(text);

		if (length && text[length - 1] == '\t')
			text[length - 1] = '\0';
	}
	return strlen(name) > skip ? name + skip : name;
}

static enum sl_code keep_name(struct reading *reading, const char **to,
			      char *text, size_t skip)
{
	const char *name = clean_name(text, skip);

	*to = sl_arena_text(&reading->diff->arena, name, strlen(name));
	return *to ? SL_OK : no_memory(reading);
}

/* ---- lines ------------------------------------------------------------- */

static enum sl_code begin_file(struct reading *reading)
{
	if (reading->change_count == reading->change_room) {
		size_t room =
			reading->change_room ? 2 * reading->change_room : 64;
		void *changes = realloc(reading->changes,
					room * sizeof(*reading->changes));
		void *firsts;

		if (changes)
			reading->changes = changes;
		firsts = realloc(reading->first_hunks,
				 room * sizeof(*reading->first_hunks));
		if (firsts)
			reading->first_hunks = firsts;
		if (!changes || !firsts)
			return no_memory(reading);
		reading->change_room = room;
	}
	reading->first_hunks[reading->change_count] = reading->hunk_count;
	reading->changes[reading->change_count++] =
		(struct sg_file_change){ .old_path = NULL };
	return SL_OK;
}

/* "12" or "12,3" */
static bool read_range(const char **at, uint32_t *start, uint32_t *count)
{
	char *end;
	unsigned long value = strtoul(*at, &end, 10);

	if (end == *at || value > UINT32_MAX)
		return false;
	*start = (uint32_t)value;
	*count = 1;
	*at = end;
	if (**at != ',')
		return true;
	value = strtoul(*at + 1, &end, 10);
	if (end == *at + 1 || value > UINT32_MAX)
		return false;
	*count = (uint32_t)value;
	*at = end;
	return true;
}

static enum sl_code add_hunk(struct reading *reading, const char *line)
{
	const char *at = line + strlen("@@ -");
	struct sg_hunk hunk;

	if (!reading->change_count ||
	    !read_range(&at, &hunk.old_start, &hunk.old_count) ||
	    strncmp(at, " +", 2) != 0)
		return not_a_diff(reading, line);
	at += 2;
	if (!read_range(&at, &hunk.new_start, &hunk.new_count) ||
	    strncmp(at, " @@", 3) != 0)
		return not_a_diff(reading, line);
	if (reading->hunk_count == reading->hunk_room) {
		size_t room = reading->hunk_room ? 2 * reading->hunk_room : 256;
		void *hunks =
			realloc(reading->hunks, room * sizeof(*reading->hunks));

		if (!hunks)
			return no_memory(reading);
		reading->hunks = hunks;
		reading->hunk_room = room;
	}
	reading->hunks[reading->hunk_count++] = hunk;
	reading->skip = (uint64_t)hunk.old_count + hunk.new_count;
	return SL_OK;
}

static char *behind(char *line, const char *start)
{
	size_t length = strlen(start);

	return strncmp(line, start, length) == 0 ? line + length : NULL;
}

static enum sl_code read_line(struct reading *reading, char *line)
{
	struct sg_file_change *file =
		reading->change_count
			? &reading->changes[reading->change_count - 1]
			: NULL;
	char *rest;

	if (*line == '\\')
		return SL_OK; /* no newline at the end of the file */
	if (reading->skip) {
		reading->skip--;
		return SL_OK;
	}
	if (behind(line, "diff --git "))
		return begin_file(reading);
	if (behind(line, "@@ -"))
		return add_hunk(reading, line);
	if (!file)
		return SL_OK; /* the commit's id */
	if ((rest = behind(line, "rename from ")))
		return keep_name(reading, &file->old_path, rest, 0);
	if ((rest = behind(line, "rename to ")))
		return keep_name(reading, &file->new_path, rest, 0);
	if ((rest = behind(line, "--- ")) && strcmp(rest, "/dev/null") != 0)
		return keep_name(reading, &file->old_path, rest, 2);
	if ((rest = behind(line, "+++ ")) && strcmp(rest, "/dev/null") != 0)
		return keep_name(reading, &file->new_path, rest, 2);
	return SL_OK;
}

/* ---- the map ----------------------------------------------------------- */

/* Files without a name changed nothing but their mode, or are binary. */
static enum sl_code make_map(struct reading *reading)
{
	struct sg_diff *diff = reading->diff;
	size_t bytes = reading->hunk_count * sizeof(*reading->hunks), kept = 0;
	struct sg_hunk *hunks = sl_arena_alloc(&diff->arena, bytes + 1);
	enum sl_code code;

	if (!hunks)
		return no_memory(reading);
	if (bytes)
		memcpy(hunks, reading->hunks, bytes);
	for (size_t at = 0; at < reading->change_count; at++) {
		struct sg_file_change *change = &reading->changes[at];
		size_t first = reading->first_hunks[at];
		size_t next = at + 1 < reading->change_count
				      ? reading->first_hunks[at + 1]
				      : reading->hunk_count;

		if (!change->old_path && !change->new_path)
			continue;
		change->hunks = hunks + first;
		change->hunk_count = next - first;
		reading->changes[kept++] = *change;
	}
	code = sg_map_init(&diff->map, reading->changes, kept);
	if (code == SL_EINVAL)
		return SL_FAIL(reading->error, code,
			       "git's diff contradicts itself");
	return code == SL_OK ? SL_OK : no_memory(reading);
}

enum sl_code sg_diff_read(struct sg_diff *diff, FILE *from,
			  struct sl_error *error)
{
	struct reading reading = { .diff = diff, .error = error };
	enum sl_code code = SL_OK;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	*diff = (struct sg_diff){ .map = { NULL, 0 } };
	while (code == SL_OK && (length = getline(&line, &room, from)) >= 0) {
		if (length && line[length - 1] == '\n')
			line[length - 1] = '\0';
		code = read_line(&reading, line);
	}
	if (code == SL_OK)
		code = make_map(&reading);
	if (code != SL_OK)
		sg_diff_finish(diff);
	free(line);
	free(reading.changes);
	free(reading.first_hunks);
	free(reading.hunks);
	return code;
}

void sg_diff_finish(struct sg_diff *diff)
{
	sg_map_finish(&diff->map);
	sl_arena_finish(&diff->arena);
}
