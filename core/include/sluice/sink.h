/* SPDX-License-Identifier: MIT */
/** @file
 * What a sink is: it takes chunks.
 *
 * *prepare* formats a chunk's packets into chunk->out, on many chunks at once;
 * *write* hands them over, one chunk at a time and in input order.
 */
#ifndef SLUICE_SINK_H
#define SLUICE_SINK_H

#include "sluice/stage.h"

struct sl_sink {
	size_t size; /**< sizeof(struct sl_sink) */
	size_t state_size, worker_size; /**< as for a stage */
	uint32_t reads; /**< enum sl_field */

	void (*check)(void *state, struct sl_host *host); /**< may be NULL */
	/** Runs last of all: claim the output, then truncate it. */
	enum sl_code (*open)(void *state, struct sl_host *host,
			     struct sl_error *error); /**< may be NULL */
	void (*close)(void *state); /**< may be NULL */

	sl_step *prepare; /**< may be NULL; chunk->out.used is 0 */
	sl_step *write; /**< may be NULL: the packets are counted and gone */
	/** After the last write, also after a failed run: flush and report.
	 * May be NULL. */
	enum sl_code (*end)(void *state, struct sl_error *error);
};

#endif
