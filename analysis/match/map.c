/* SPDX-License-Identifier: MIT */
/* Two binary searches: for the file's change, and for the hunk. */
#include "match/map.h"

#include <stdlib.h>
#include <string.h>

/* Lines [from, to) of the old file became [new_from, new_to). Unlike a hunk's
 * header these bounds mean the same when a count is 0. */
struct replaced {
	int64_t from, to, new_from, new_to;
};

static struct replaced replaced_by(const struct sg_hunk *hunk)
{
	struct replaced lines;

	lines.from = (int64_t)hunk->old_start + (hunk->old_count == 0);
	lines.to = lines.from + hunk->old_count;
	lines.new_from = (int64_t)hunk->new_start + (hunk->new_count == 0);
	lines.new_to = lines.new_from + hunk->new_count;
	return lines;
}

/* Added files have no place in the order: they are left out. */
static int by_old_path(const void *a, const void *b)
{
	const struct sg_file_change *left = a, *right = b;

	return strcmp(left->old_path, right->old_path);
}

static bool are_ascending(const struct sg_file_change *change)
{
	struct replaced last = { 0 };

	for (size_t at = 0; at < change->hunk_count; at++) {
		struct replaced lines = replaced_by(&change->hunks[at]);

		if (lines.from < 1 || lines.new_from < 1)
			return false;
		/* what stands between two hunks is as long in both files */
		if (at > 0 &&
		    (lines.from < last.to ||
		     lines.from - last.to != lines.new_from - last.new_to))
			return false;
		if (at == 0 && lines.from != lines.new_from)
			return false;
		last = lines;
	}
	return true;
}

static enum sl_code check(const struct sg_map *map)
{
	for (size_t at = 0; at < map->count; at++) {
		if (at > 0 &&
		    by_old_path(&map->changes[at - 1], &map->changes[at]) == 0)
			return SL_EINVAL;
		if (!are_ascending(&map->changes[at]))
			return SL_EINVAL;
	}
	return SL_OK;
}

enum sl_code sg_map_init(struct sg_map *map,
			 const struct sg_file_change *changes, size_t count)
{
	enum sl_code code;

	*map = (struct sg_map){ 0 };
	if (count == 0)
		return SL_OK;
	map->changes = calloc(count, sizeof(*map->changes));
	if (!map->changes)
		return SL_ENOMEM;
	for (size_t at = 0; at < count; at++)
		if (changes[at].old_path)
			map->changes[map->count++] = changes[at];
	qsort(map->changes, map->count, sizeof(*map->changes), by_old_path);
	code = check(map);
	if (code != SL_OK)
		sg_map_finish(map);
	return code;
}

void sg_map_finish(struct sg_map *map)
{
	free(map->changes);
	*map = (struct sg_map){ 0 };
}

/* @return the number of hunks that start at or before @p line. */
static size_t hunks_until(const struct sg_file_change *change, int64_t line)
{
	size_t low = 0, high = change->hunk_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (replaced_by(&change->hunks[middle]).from <= line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct sg_place place_in(const struct sg_file_change *change,
				int64_t line)
{
	struct sg_place place = { change->new_path, line, true };
	size_t hunks = hunks_until(change, line);
	struct replaced lines;

	/* beyond every file: nothing to move, and sums could overflow */
	if (hunks == 0 || line > INT64_MAX / 2)
		return place;
	lines = replaced_by(&change->hunks[hunks - 1]);
	if (line >= lines.to) {
		place.line = line - lines.to + lines.new_to;
		return place;
	}
	place.exact = false;
	place.line = lines.new_from + (line - lines.from);
	if (place.line >= lines.new_to)
		place.line = lines.new_to > lines.new_from ? lines.new_to - 1
							   : lines.new_from;
	return place;
}

struct sg_place sg_map_place(const struct sg_map *map, const char *path,
			     int64_t line)
{
	struct sg_file_change key = { .old_path = path };
	const struct sg_file_change *change = NULL;

	if (map->count > 0)
		change = bsearch(&key, map->changes, map->count, sizeof(key),
				 by_old_path);
	if (!change)
		return (struct sg_place){ path, line, true };
	if (!change->new_path)
		return (struct sg_place){ NULL, line, false };
	return place_in(change, line);
}
