/* SPDX-License-Identifier: MIT */
#include "energy/cover.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sluice/defs.h"

static bool is_inside(const struct sl_cover_item *items, size_t inner,
		      size_t outer)
{
	for (size_t at = items[inner].parent; at != SL_COVER_NO_PARENT;
	     at = items[at].parent)
		if (at == outer)
			return true;
	return false;
}

/* Whether @p at or one that it lies in carries the word @p overlap. */
static bool carries(const struct sl_cover_item *items, size_t at,
		    const char *overlap)
{
	for (; overlap && at != SL_COVER_NO_PARENT; at = items[at].parent)
		if (items[at].overlap &&
		    strcmp(items[at].overlap, overlap) == 0)
			return true;
	return false;
}

static bool is_platform(const struct sl_cover_item *item)
{
	return item->scope == SL_SCOPE_PLATFORM;
}

/* Two platform domains of one meter are two batteries: they add up. */
static bool platform_overlaps(const struct sl_cover_item *a,
			      const struct sl_cover_item *b)
{
	return is_platform(a) != is_platform(b) ||
	       (is_platform(a) && a->meter != b->meter);
}

bool sl_cover_overlap(const struct sl_cover_item *items, size_t a, size_t b)
{
	return is_inside(items, a, b) || is_inside(items, b, a) ||
	       carries(items, a, items[b].overlap) ||
	       carries(items, b, items[a].overlap) ||
	       platform_overlaps(&items[a], &items[b]);
}

static bool is_model(const struct sl_cover_item *item)
{
	return item->quality == SL_QUALITY_MODEL;
}

/* Lower is better. */
static int class_of(const struct sl_cover_item *item)
{
	return 2 * is_model(item) + is_platform(item);
}

static int best_class(const struct sl_cover_item *items, size_t count)
{
	int best = class_of(&(struct sl_cover_item){
		.quality = SL_QUALITY_MODEL, .scope = SL_SCOPE_PLATFORM });

	for (size_t at = 0; at < count; at++)
		if (items[at].usable && class_of(&items[at]) < best)
			best = class_of(&items[at]);
	return best;
}

static void SL_PRINTF(2, 3)
	stand_aside(struct sl_cover_item *item, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(item->aside, sizeof(item->aside), fmt, args);
	va_end(args);
}

/* @return whether @p at overlaps one that was chosen, having said which. */
static bool overlaps_chosen(struct sl_cover_item *items, size_t count,
			    size_t at)
{
	for (size_t other = 0; other < count; other++) {
		if (!items[other].chosen || !sl_cover_overlap(items, at, other))
			continue;
		stand_aside(&items[at],
			    is_inside(items, at, other) ? "inside %.80s"
							: "overlaps %.80s",
			    items[other].id);
		return true;
	}
	return false;
}

void sl_cover_choose(struct sl_cover_item *items, size_t count)
{
	int best = best_class(items, count);

	for (size_t at = 0; at < count; at++) {
		items[at].chosen = false;
		items[at].missing = false;
		items[at].aside[0] = '\0';
	}
	for (size_t at = 0; at < count; at++) {
		struct sl_cover_item *item = &items[at];

		if (!item->usable)
			continue;
		if (class_of(item) == best)
			item->chosen = !overlaps_chosen(items, count, at);
		else if (is_model(item))
			stand_aside(item, "a model, and there are meters");
		else
			stand_aside(item, "the platform, which holds all");
	}
	for (size_t at = 0; at < count; at++) {
		if (items[at].usable)
			continue;
		items[at].missing = class_of(&items[at]) == best &&
				    !overlaps_chosen(items, count, at);
		stand_aside(&items[at], "it cannot be used");
	}
}
