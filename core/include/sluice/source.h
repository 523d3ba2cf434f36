/* SPDX-License-Identifier: MIT */
/** @file
 * What a source is: it makes chunks, in two halves.
 *
 * *cut* takes the next chunk's raw bytes off the input. It runs on one thread
 * at a time and should cost next to nothing. *parse* turns them into packets,
 * on many chunks at once. Where a chunk ends depends on the input alone, never
 * on what read() happened to return: at sl_host_chunk_packets() records, or
 * before SL_CHUNK_BYTES.
 */
#ifndef SLUICE_SOURCE_H
#define SLUICE_SOURCE_H

#include "sluice/stage.h"

struct sl_source {
	size_t size; /**< sizeof(struct sl_source) */
	size_t state_size, worker_size; /**< as for a stage */
	size_t cut_size; /**< bytes a chunk for sl_chunk.cut, zeroed once */
	uint32_t provides; /**< enum sl_field */
	const char *const *drops; /**< records it may skip, by reason; as for a
				       stage, and may be NULL. Skipped records
				       are no packets. */

	void (*check)(void *state, struct sl_host *host); /**< may be NULL */
	enum sl_code (*open)(void *state, struct sl_host *host,
			     struct sl_error *error); /**< may be NULL */
	void (*close)(void *state); /**< may be NULL */

	/** Fill chunk->bytes, bytes_used and *chunk->cut. SL_END: this is the
	 * last, and it may hold bytes or none. A failure also ends the input,
	 * after the bytes that were cut before it. Not NULL. */
	sl_step *cut;
	/** Append the packets. On a failure, those appended before it come
	 * out and nothing after them; say the place with sl_error_at(). Not
	 * NULL. */
	sl_step *parse;
	/** In input order, after parse: intern names met for the first time.
	 * May be NULL. */
	sl_step *commit;

	/** Say where record @p index stands in the input, for messages about
	 * packets: a path and a line; 0 where lines mean nothing. May be NULL.
	 * @return the path, borrowed until close(). */
	const char *(*place)(const void *state, uint64_t index, int64_t *line);
	/** What place()'s number counts, as "packet": messages say "PATH:
	 * packet N" then. NULL: lines, "PATH:N". */
	const char *record;
};

#endif
