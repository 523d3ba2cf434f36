/* SPDX-License-Identifier: MIT */
/** @file
 * Chunks from the host's side: what plugins do not see of them.
 */
#ifndef SL_PIPELINE_CHUNK_H
#define SL_PIPELINE_CHUNK_H

#include <stdint.h>

#include "pipeline/instance.h"
#include "sluice/chunk.h"

#define SL_NEVER UINT64_MAX

/** A packet that a commit put in: it stands before position `before` of the
 * order, and joins it when the stage's last step has returned. */
struct sl_emission {
	uint32_t before;
	uint16_t index;
};

/** The host's side of a chunk, and of a part of one. */
struct sl_chunk_private {
	uint64_t failed_at; /**< input index of the first failure; SL_NEVER */
	const struct sl_host *failed_by; /**< borrowed */
	const struct sl_host *running; /**< whose step it is in */
	struct sl_error error; /**< of the first failure */
	uint64_t *tally; /**< owned; zero when the chunk is cut */
	struct sl_emission *emissions; /**< owned, sorted by `before` */
	size_t emission_count, emission_capacity;
	struct sl_frame_copy *copies; /**< owned: frames of emitted packets */
	size_t scratch_size; /**< bytes a packet that `scratch` has room for */
};

/** A chunk of the pool. */
struct sl_parcel {
	struct sl_chunk chunk;
	struct sl_chunk_private host; /**< chunk.host points here */
	uint8_t *bytes; /**< owned: chunk.bytes with slack on both sides */
	struct sl_parcel *next; /**< in a list of the engine */
	unsigned step; /**< the step it stands before */
	unsigned worker; /**< who carried it last */
	int64_t cut_ns; /**< when its cut began */
	bool flush; /**< made at the end of the input, to take what is held */
	bool flush_more; /**< a stage holds more than this one could take */
	struct sl_split *split; /**< owned; see pipeline/split.h */
};

struct sl_parcel_shape {
	uint32_t packets; /**< capacity */
	size_t scratch_size; /**< the largest of all stages, bytes a packet */
	size_t cut_size;
	size_t tally_size; /**< counters */
	uint32_t fields;
};

/** Allocate in place. Pages stay untouched until used. On failure nothing
 * needs finishing. */
enum sl_code sl_parcel_init(struct sl_parcel *parcel,
			    const struct sl_parcel_shape *shape,
			    struct sl_error *error) SL_MUST_CHECK;
void sl_parcel_finish(struct sl_parcel *parcel);

/** Empty it for the next cut; allocations stay. */
void sl_parcel_reset(struct sl_parcel *parcel, size_t tally_size);

/** Close the gaps that sl_drop() and sl_hold() left in the order, and move
 * the emissions along. */
void sl_chunk_compact(struct sl_chunk *chunk);

/** Remove the packets from input index @p from on. */
void sl_chunk_truncate(struct sl_chunk *chunk, uint64_t from);

/** Let the emitted packets join the order. */
void sl_chunk_join_emissions(struct sl_chunk *chunk);

/** Note a failure at input index @p at, unless an earlier one is known. */
void sl_chunk_note_failure(struct sl_chunk *chunk, uint64_t at,
			   const struct sl_host *by,
			   const struct sl_error *error);

/** @return the input index of the chunk's first packet, whatever became of it:
 * where a failure of the whole chunk stands. The last of all if it never had
 * one. */
uint64_t sl_chunk_first_index(const struct sl_chunk *chunk);

#endif
