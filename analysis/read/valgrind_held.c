/* SPDX-License-Identifier: MIT */
/* Copies of errors, and a sorted index over them. */
#include "read/valgrind_held.h"

#include <stdlib.h>
#include <string.h>

#include "read/copy.h"

/* Empty, but for where to go. */
static void forget(struct sg_valgrind_held *held)
{
	sl_arena_finish(&held->arena);
	held->count = held->bytes = 0;
}

void sg_valgrind_held_release(struct sg_valgrind_held *held)
{
	forget(held);
	free(held->items);
	free(held->order);
	held->items = NULL;
	held->order = NULL;
	held->space = 0;
}

uint64_t sg_valgrind_unique(struct sg_span text)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t unique = 0;

	text = sg_span_trim(text);
	if (!sg_span_starts(text, "0x") || text.length > 2 + 16)
		return 0;
	for (size_t at = 2; at < text.length; at++) {
		const char *digit = memchr(digits, text.text[at] | 0x20, 16);

		if (!digit)
			return 0;
		unique = unique << 4 | (uint64_t)(digit - digits);
	}
	return unique;
}

/* ---- the index -------------------------------------------------------- */

/* @return how many of the order are below @p unique. */
static size_t below(const struct sg_valgrind_held *held, uint64_t unique)
{
	size_t low = 0, high = held->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (held->items[held->order[middle]].unique < unique)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Valgrind numbers upwards, so that it mostly is the last. */
static void insert(struct sg_valgrind_held *held, uint64_t unique)
{
	size_t at = held->count;

	if (at && held->items[held->order[at - 1]].unique > unique)
		at = below(held, unique);
	memmove(&held->order[at + 1], &held->order[at],
		(held->count - at) * sizeof(*held->order));
	held->order[at] = held->count;
	held->items[held->count].unique = unique;
	held->count++;
}

static bool reserve(struct sg_valgrind_held *held)
{
	size_t space = held->space ? 2 * held->space : 64;
	struct sg_valgrind_error *items;
	size_t *order;

	if (held->count < held->space)
		return true;
	items = realloc(held->items, space * sizeof(*items));
	if (items)
		held->items = items;
	order = items ? realloc(held->order, space * sizeof(*order)) : NULL;
	if (!order)
		return false;
	held->order = order;
	held->space = space;
	return true;
}

enum sl_code sg_valgrind_held_add(void *context,
				  const struct sg_finding *finding,
				  struct sl_error *error)
{
	struct sg_valgrind_held *held = context;

	if (!reserve(held) ||
	    !sg_finding_copy(finding, &held->arena,
			     &held->items[held->count].finding, &held->bytes))
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	insert(held, held->unique);
	held->bytes += sizeof(*held->items) + sizeof(*held->order);
	return held->bytes > SG_VALGRIND_HELD_BYTES
		       ? sg_valgrind_held_flush(held, error)
		       : SL_OK;
}

void sg_valgrind_held_count(struct sg_valgrind_held *held, uint64_t unique,
			    int64_t count)
{
	size_t at = below(held, unique);

	if (unique && count > 0 && at < held->count &&
	    held->items[held->order[at]].unique == unique)
		held->items[held->order[at]].finding.repeats = count;
}

enum sl_code sg_valgrind_held_flush(struct sg_valgrind_held *held,
				    struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < held->count && code == SL_OK; at++)
		code = held->take(held->context, &held->items[at].finding,
				  error);
	forget(held);
	return code;
}
