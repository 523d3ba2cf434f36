/* SPDX-License-Identifier: MIT */
/** @file
 * Errors of Valgrind's that wait for their counts, which stand at the
 * document's end (protocol 4, ERRORCOUNTS).
 *
 * Bounded: when more than SG_VALGRIND_HELD_BYTES are held, all go on with the
 * counts that are known by then.
 *
 * Invariants: a zeroed struct holds nothing; `items` are in the order of
 * arrival, `order` are their indices by unique, all of `arena`.
 */
#ifndef SG_READ_VALGRIND_HELD_H
#define SG_READ_VALGRIND_HELD_H

#include "base/arena.h"
#include "read/reader.h"
#include "read/spans.h"

#define SG_VALGRIND_HELD_BYTES (4 << 20)

struct sg_valgrind_error {
	struct sg_finding finding; /**< its texts are the arena's */
	uint64_t unique; /**< 0: the document gives none */
};

struct sg_valgrind_held {
	sg_finding_fn *take;
	void *context; /**< borrowed, passed to `take` */
	struct sg_valgrind_error *items; /**< owned */
	size_t *order; /**< owned */
	size_t count, space;
	struct sl_arena arena;
	size_t bytes;
	uint64_t unique; /**< of the error that comes next */
};

void sg_valgrind_held_release(struct sg_valgrind_held *held);

/** @return the number of "0x1f"; 0: it is none. */
uint64_t sg_valgrind_unique(struct sg_span text);

/** A sg_finding_fn; @p context is a struct sg_valgrind_held. */
enum sl_code sg_valgrind_held_add(void *context,
				  const struct sg_finding *finding,
				  struct sl_error *error);

/** How often the error @p unique came; a later count replaces it. */
void sg_valgrind_held_count(struct sg_valgrind_held *held, uint64_t unique,
			    int64_t count);

/** Hand all on. */
enum sl_code sg_valgrind_held_flush(struct sg_valgrind_held *held,
				    struct sl_error *error) SL_MUST_CHECK;

#endif
