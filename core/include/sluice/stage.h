/* SPDX-License-Identifier: MIT */
/** @file
 * What a stage is: it transforms chunks.
 *
 * A stage is either `process`, which runs on many chunks at once, or the three
 * steps
 *
 *     prepare   on many chunks at once: parse, hash, look up what is constant
 *     commit    on one chunk at a time, in input order: what has a history
 *     finish    on many chunks at once: rewrite, count
 *
 * of which any may be absent. So a NAT hashes in prepare, allots ports in
 * commit, and rewrites in finish. Keep commit short: it alone limits how many
 * cores help.
 *
 * Lifecycle of an instance; check, open, flush and close run on one thread at a
 * time:
 *
 *     options set -> check -> open -> steps on workers -> flush -> close
 *
 * close() is called for every instance whose state was made, also after a
 * check() or open() that failed. Nothing is file-static: two instances of one
 * plugin can stand in one pipeline. A step's failure (see below) ends the run.
 *
 * The state starts on a cache line of its own. What commit writes should not
 * share a line with what the parallel steps read: keep it apart in the state.
 *
 * A step returns SL_OK, or fails for the whole chunk: then none of its packets
 * comes out. SL_FAIL_PACKET() fails at one packet; the packets before it in
 * input order still come out.
 */
#ifndef SLUICE_STAGE_H
#define SLUICE_STAGE_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/chunk.h"
#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/host.h"
#include "sluice/option.h"
#include "sluice/packet.h"
#include "sluice/plugin.h"

enum sl_stage_flag {
	/** The parallel steps need the chunk as a whole (to sort it, say);
	 * without this the host may hand out parts to idle workers. */
	SL_WHOLE_CHUNK = 1u << 0,
};

/** One step. @p state is the instance's; the worker's state and the scratch
 * are bound to @p chunk. Parallel steps must treat *state as read-only. */
typedef enum sl_code sl_step(void *state, struct sl_chunk *chunk,
			     struct sl_error *error);

struct sl_stage {
	size_t size; /**< sizeof(struct sl_stage) */
	size_t state_size; /**< bytes, zeroed, options filled in */
	size_t worker_size; /**< bytes a worker, zeroed; 0: none */
	size_t scratch_size; /**< bytes a packet, zeroed; 0: none */
	uint32_t reads, writes; /**< enum sl_field */
	uint32_t flags; /**< enum sl_stage_flag */
	const char *const *drops; /**< names of the drop reasons, NULL at the
				       end; NULL: it drops nothing */

	/** Judge the options and report through sl_problem(); may be NULL. It
	 * may fill the state and read files, and must not write, lock or
	 * connect to anything: `runpipe --check` calls it too. An option that
	 * was wrong or missing has its default, so all problems can be
	 * reported at once. */
	void (*check)(void *state, struct sl_host *host);
	/** Allocate and build; may be NULL. */
	enum sl_code (*open)(void *state, struct sl_host *host,
			     struct sl_error *error);
	void (*close)(void *state); /**< may be NULL */

	sl_step *process; /**< this, or some of the next three */
	sl_step *prepare, *commit, *finish; /**< may be NULL, but not all four
						 without a flush */

	/** At the end of the input: emit what is held, with sl_emit(). Set
	 * *more if the chunk was full: it is called again with the next one,
	 * and not once it has left *more alone. By then all stages before this
	 * one have flushed, and what they emitted, if anything, came through
	 * commit: the chunks of the flush, which may be empty, pass every step.
	 * Not called after a failure. May be NULL. */
	enum sl_code (*flush)(void *state, struct sl_chunk *chunk, bool *more,
			      struct sl_error *error);
};

#endif
