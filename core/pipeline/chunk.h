/* SPDX-License-Identifier: MIT */
/** @file
 * Chunks from the host's side: what plugins do not see of them.
 */
#ifndef SL_PIPELINE_CHUNK_H
#define SL_PIPELINE_CHUNK_H

#include <stdint.h>

#include "pipeline/instance.h"
#include "sluice/chunk.h"

/** Input indices that no packet has. A failure of cut stands behind all packets
 * of its chunk; one of parse before that, and behind those that it appended. */
#define SL_NEVER UINT64_MAX
#define SL_BEHIND_ALL (SL_NEVER - 1)
#define SL_BEHIND_PARSED (SL_NEVER - 2)

/** A packet that a commit put in: it stands before position `before` of the
 * order, and joins the chunk when the stage's last step has returned; so the
 * chunk's arrays stay where they are while the stage looks at them. */
struct sl_emission {
	struct sl_packet packet;
	struct sl_packet_info info;
	uint32_t before;
	uint32_t number; /**< in the order of the calls */
};

/** The host's side of a chunk, and of a part of one. */
struct sl_chunk_private {
	uint64_t failed_at; /**< input index of the first failure; SL_NEVER */
	uint32_t failed_position; /**< in the order, of that failure */
	bool whole_failed; /**< the step gave the chunk up */
	bool ordered; /**< in a serial step: may hold and emit */
	uint32_t offset; /**< of a part: where in the whole it starts */
	const struct sl_host *failed_by; /**< borrowed */
	const struct sl_host *running; /**< whose step it is in */
	struct sl_error error; /**< of the first failure */
	uint64_t *tally; /**< owned; zero when the chunk is cut */
	struct sl_emission *emissions; /**< owned */
	bool unsorted; /**< not yet by `before` and number */
	size_t emission_count, emission_capacity;
	struct sl_frame_copy *copies; /**< owned: frames of emitted packets */
	size_t scratch_size; /**< bytes a packet that `scratch` has room for */
	bool flushing; /**< what is emitted goes to the end */
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
	bool sampled; /**< the CPU time of its steps is taken */
	bool flush; /**< made at the end of the input, to take what is held */
	bool flush_more; /**< a stage holds more than this one could take */
	struct sl_split *split; /**< owned; see split.c */
} SL_ALIGNED(2 * SL_CACHE_LINE); /* workers' own do not share a line */

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

/** Let the emitted packets join the chunk, which grows for them. SL_ENOMEM:
 * none has. */
enum sl_code sl_chunk_join_emissions(struct sl_chunk *chunk,
				     struct sl_error *error) SL_MUST_CHECK;

/** Note a failure at input index @p at and position @p position of the whole
 * chunk, unless an earlier one is known: by index, then by position, so that
 * parts may be asked in any order. */
void sl_chunk_note_failure(struct sl_chunk *chunk, uint64_t at,
			   uint32_t position, const struct sl_host *by,
			   const struct sl_error *error);

/** Note that the running step gave up the whole chunk, or part. */
void sl_chunk_note_whole_failure(struct sl_chunk *chunk,
				 const struct sl_error *error);

/** @return the lowest input index of all packets that the chunk ever had,
 * whatever became of them: where a failure of the whole chunk stands, the same
 * for every part of it. The last of all if it never had one. */
uint64_t sl_chunk_first_index(const struct sl_chunk *chunk);

#endif
