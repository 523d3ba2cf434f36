/* SPDX-License-Identifier: MIT */
/** @file
 * Choosing the domains that may be added: one cover in which no joule stands
 * twice.
 *
 * Two domains overlap if one contains the other, if they carry the same word
 * of overlap (or one does and the other lies inside such a one), or if one of
 * them is the platform. What is measured goes before a model, a part before
 * the platform; among those that overlap the first in the list. Everything
 * else stands aside, and is told why.
 */
#ifndef SL_ENERGY_COVER_H
#define SL_ENERGY_COVER_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/meter.h"

/** A domain to choose from. Texts are borrowed. */
struct sl_cover_item {
	unsigned meter; /**< domains of one meter carry the same number */
	const char *id; /**< for reasons */
	const char *overlap; /**< NULL: none */
	size_t parent; /**< its index, lower than its own; SL_COVER_NO_PARENT */
	enum sl_quality quality;
	enum sl_scope scope;
	bool usable;
	/* The answer: */
	bool chosen;
	bool missing; /**< it would have been, but cannot be used */
	char aside[96]; /**< why not: "inside intel-rapl:0"; "" */
};

#define SL_COVER_NO_PARENT ((size_t)-1)

/** Choose among @p count items. Pure. */
void sl_cover_choose(struct sl_cover_item *items, size_t count);

/** @return whether the two overlap. */
bool sl_cover_overlap(const struct sl_cover_item *items, size_t a, size_t b);

#endif
