/* SPDX-License-Identifier: MIT */
/* The nearest two points of different sets are always neighbours among those
 * that are left, so a heap of neighbours is enough. Taking two out makes the
 * points beside them neighbours. */
#include "match/nearest.h"

#include <stdbool.h>
#include <stdlib.h>

#define NONE UINT32_MAX

struct node {
	int64_t line;
	uint32_t at;
	uint32_t before, behind; /* nodes that are left; NONE */
	bool is_new, taken;
};

/* Neighbours of different sets. */
struct gap {
	uint64_t width;
	uint32_t left, right; /* nodes */
};

struct pairing {
	struct node *nodes;
	uint32_t node_count;
	struct gap *heap; /* the narrowest first */
	size_t gap_count;
};

static bool is_less(const struct gap *a, const struct gap *b)
{
	return a->width != b->width ? a->width < b->width : a->left < b->left;
}

static void heap_add(struct pairing *pairing, struct gap gap)
{
	size_t at = pairing->gap_count++;

	while (at > 0 && is_less(&gap, &pairing->heap[(at - 1) / 2])) {
		pairing->heap[at] = pairing->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	pairing->heap[at] = gap;
}

static struct gap heap_take(struct pairing *pairing)
{
	struct gap first = pairing->heap[0];
	struct gap last = pairing->heap[--pairing->gap_count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < pairing->gap_count) {
		if (child + 1 < pairing->gap_count &&
		    is_less(&pairing->heap[child + 1], &pairing->heap[child]))
			child++;
		if (!is_less(&pairing->heap[child], &last))
			break;
		pairing->heap[at] = pairing->heap[child];
		at = child;
	}
	pairing->heap[at] = last;
	return first;
}

static void add_gap(struct pairing *pairing, uint32_t left, uint32_t right)
{
	const struct node *a = &pairing->nodes[left];
	const struct node *b = &pairing->nodes[right];

	if (a->is_new != b->is_new)
		heap_add(pairing,
			 (struct gap){ (uint64_t)b->line - (uint64_t)a->line,
				       left, right });
}

/* Both sets as one list by line, old ones first. */
static void merge(struct pairing *pairing, const struct sg_point *olds,
		  size_t old_count, const struct sg_point *news,
		  size_t new_count)
{
	size_t from_olds = 0, from_news = 0;

	for (uint32_t at = 0; at < pairing->node_count; at++) {
		bool is_new = from_olds == old_count ||
			      (from_news < new_count &&
			       news[from_news].line < olds[from_olds].line);
		const struct sg_point *point =
			is_new ? &news[from_news++] : &olds[from_olds++];

		pairing->nodes[at] = (struct node){
			.line = point->line,
			.at = point->at,
			.before = at > 0 ? at - 1 : NONE,
			.behind = at + 1 < pairing->node_count ? at + 1 : NONE,
			.is_new = is_new,
		};
	}
}

/* Choose the points that will have a partner. */
static void take_nearest(struct pairing *pairing)
{
	while (pairing->gap_count > 0) {
		struct gap gap = heap_take(pairing);
		struct node *left = &pairing->nodes[gap.left];
		struct node *right = &pairing->nodes[gap.right];

		if (left->taken || right->taken)
			continue;
		left->taken = right->taken = true;
		if (left->before != NONE)
			pairing->nodes[left->before].behind = right->behind;
		if (right->behind != NONE)
			pairing->nodes[right->behind].before = left->before;
		if (left->before != NONE && right->behind != NONE)
			add_gap(pairing, left->before, right->behind);
	}
}

/* @return the first node from @p at on that was taken from a side, or the
 * count. */
static uint32_t next_taken(const struct pairing *pairing, uint32_t at,
			   bool is_new)
{
	while (at < pairing->node_count &&
	       (!pairing->nodes[at].taken ||
		pairing->nodes[at].is_new != is_new))
		at++;
	return at;
}

static void pair_taken(const struct pairing *pairing, sg_pair_fn *pair,
		       void *context)
{
	uint32_t from_olds = next_taken(pairing, 0, false);
	uint32_t from_news = next_taken(pairing, 0, true);

	while (from_olds < pairing->node_count) {
		pair(context, pairing->nodes[from_olds].at,
		     pairing->nodes[from_news].at);
		from_olds = next_taken(pairing, from_olds + 1, false);
		from_news = next_taken(pairing, from_news + 1, true);
	}
}

enum sl_code sg_pair_nearest(const struct sg_point *olds, size_t old_count,
			     const struct sg_point *news, size_t new_count,
			     sg_pair_fn *pair, void *context)
{
	size_t count = old_count + new_count;
	struct pairing pairing = { .node_count = (uint32_t)count };

	if (old_count == 0 || new_count == 0)
		return SL_OK;
	/* by far the most there are */
	if (count == 2) {
		pair(context, olds[0].at, news[0].at);
		return SL_OK;
	}
	if (count >= NONE)
		return SL_ENOMEM;
	/* taking two adds at most one gap */
	pairing.nodes = calloc(count, sizeof(*pairing.nodes));
	pairing.heap = calloc(2 * count, sizeof(*pairing.heap));
	if (pairing.nodes && pairing.heap) {
		merge(&pairing, olds, old_count, news, new_count);
		for (uint32_t at = 0; at + 1 < pairing.node_count; at++)
			add_gap(&pairing, at, at + 1);
		take_nearest(&pairing);
		pair_taken(&pairing, pair, context);
	}
	free(pairing.heap);
	free(pairing.nodes);
	return pairing.nodes && pairing.heap ? SL_OK : SL_ENOMEM;
}
