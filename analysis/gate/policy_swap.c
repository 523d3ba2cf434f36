/* SPDX-License-Identifier: MIT */
/* A new finding where one of its rule was fixed: the count stays, and people
 * are told. */
#include <stdlib.h>
#include <string.h>

#include "gate/policy_parts.h"
#include "match/nearest.h"

/* How near two must be to each other in a round of pairing. */
enum round { IN_FUNCTION, IN_FILE, ANYWHERE, ROUNDS };

/* New and fixed ones of one place, as points of a line. */
struct points {
	struct sg_judged *const *judged; /* borrowed; what points mean */
	struct sg_point *olds, *news; /* owned; room for all */
	size_t old_count, new_count;
};

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_places(const struct sg_judged *a, const struct sg_judged *b,
			  enum round round)
{
	int order = 0;

	if (round <= IN_FILE)
		order = compare_texts(a->finding.path, b->finding.path);
	if (!order && round == IN_FUNCTION)
		order = compare_texts(a->finding.function, b->finding.function);
	return order;
}

/* By file, function, line, and then as they stand in the judgement. */
static int compare(const void *a, const void *b)
{
	const struct sg_judged *one = *(struct sg_judged *const *)a;
	const struct sg_judged *two = *(struct sg_judged *const *)b;
	int order = compare_places(one, two, IN_FUNCTION);

	if (order)
		return order;
	if (one->finding.line != two->finding.line)
		return one->finding.line < two->finding.line ? -1 : 1;
	return one < two ? -1 : one > two;
}

/* Below a file functions no longer matter, and lines must ascend. */
static int compare_points(const void *a, const void *b)
{
	const struct sg_point *one = a, *two = b;

	if (one->line != two->line)
		return one->line < two->line ? -1 : 1;
	return one->at < two->at ? -1 : one->at > two->at;
}

static void pair(void *context, uint32_t old_at, uint32_t new_at)
{
	const struct points *points = context;
	struct sg_judged *old = points->judged[old_at];
	struct sg_judged *made = points->judged[new_at];

	old->swapped = made;
	made->swapped = old;
	made->is_swap = true;
}

/* Those at @p from to @p to are of one place. */
static enum sl_code pair_place(struct points *points, size_t from, size_t to,
			       enum round round)
{
	points->old_count = points->new_count = 0;
	for (size_t at = from; at < to; at++) {
		const struct sg_judged *judged = points->judged[at];
		/* of two files the order tells what is near: folders */
		const struct sg_point point = {
			.line = round == ANYWHERE ? (int64_t)at
						  : judged->finding.line,
			.at = (uint32_t)at,
		};

		if (judged->swapped)
			continue;
		if (judged->verdict == SG_FIXED)
			points->olds[points->old_count++] = point;
		else
			points->news[points->new_count++] = point;
	}
	if (!points->old_count || !points->new_count)
		return SL_OK;
	qsort(points->olds, points->old_count, sizeof(*points->olds),
	      compare_points);
	qsort(points->news, points->new_count, sizeof(*points->news),
	      compare_points);
	return sg_pair_nearest(points->olds, points->old_count, points->news,
			       points->new_count, pair, points);
}

static enum sl_code pair_all(struct points *points, size_t count)
{
	enum sl_code code = SL_OK;

	for (enum round round = IN_FUNCTION; round < ROUNDS; round++)
		for (size_t from = 0, to; from < count; from = to) {
			for (to = from + 1; to < count; to++)
				if (compare_places(points->judged[from],
						   points->judged[to], round))
					break;
			code = pair_place(points, from, to, round);
			if (code != SL_OK)
				return code;
		}
	return code;
}

/* @return how many can be in a swap; their pointers in @p found. */
static size_t gather(struct sg_judged *const *judged, size_t count,
		     struct sg_judged **found)
{
	size_t used = 0;

	for (size_t at = 0; at < count; at++)
		if ((judged[at]->verdict == SG_NEW ||
		     judged[at]->verdict == SG_FIXED) &&
		    judged[at]->counts && !judged[at]->accepted)
			found[used++] = judged[at];
	return used;
}

enum sl_code sg_swaps_find(struct sg_judged *const *judged, size_t count)
{
	struct sg_judged **found = calloc(count + 1, sizeof(*found));
	struct points points = {
		.judged = found,
		.olds = calloc(count + 1, sizeof(*points.olds)),
		.news = calloc(count + 1, sizeof(*points.news)),
	};
	enum sl_code code = SL_ENOMEM;

	if (found && points.olds && points.news) {
		count = gather(judged, count, found);
		qsort(found, count, sizeof(*found), compare);
		code = pair_all(&points, count);
	}
	free(found);
	free(points.olds);
	free(points.news);
	return code;
}
