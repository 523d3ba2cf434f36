/* SPDX-License-Identifier: MIT */
/** @file
 * Open meters from inside.
 */
#ifndef SL_ENERGY_ENERGY_PRIVATE_H
#define SL_ENERGY_ENERGY_PRIVATE_H

#include <pthread.h>
#include <stdbool.h>

#include "base/arena.h"
#include "energy/clock.h"
#include "energy/cover.h"
#include "energy/sampler.h"
#include "energy/track.h"
#include "pipeline/loader.h"
#include "sluice/energy.h"

/** One open meter. */
struct sl_energy_meter {
	struct sl_module module; /**< owned */
	const char *name; /**< the plugin's, or an instance's; borrowed */
	void *state; /**< owned; its options live in the arena */
	size_t first, count; /**< its domains */
	struct sl_energy_meter *next;
};

/** One domain: what the plugin said, what the public sees, where it is. */
struct sl_energy_place {
	struct sl_domain domain; /**< texts in the arena */
	struct sl_energy_domain seen;
	struct sl_energy_meter *meter;
	unsigned meter_number;
	uint32_t number; /**< in its meter */
	size_t parent; /**< of all domains; SL_COVER_NO_PARENT */
	struct sl_track track;
};

struct sl_energy {
	struct sl_arena arena;
	struct sl_search_path search;
	struct sl_energy_meter *meters, **meters_end; /**< in the arena */
	unsigned meter_count;
	struct sl_energy_place **places; /**< owned; each in the arena */
	size_t place_count, place_capacity;
	struct sl_clock clock;
	struct sl_stamp stamp; /**< of the last round */
	bool stamped;
	const char *missing; /**< what the sum lacks, in words; NULL */
	pthread_mutex_t lock; /**< one round of readings at a time */
	double period_s; /**< at which the thread samples, or did; 0: never */
	struct sl_sampler sampler;
	/** Called by the thread after each of its rounds, without the lock. Set
	 * before the start; may be NULL. */
	void (*after_round)(void *context);
	void *context;
};

/** Take over a plugin that is loaded and whose options are in @p state, and
 * open it. Messages call it @p name, which is borrowed; NULL: as the plugin. On
 * success @p module and @p state belong to the energy; on failure the caller
 * still has them. Options must live as long as the energy: in energy->arena,
 * say. */
enum sl_code sl_energy_adopt(struct sl_energy *energy,
			     const struct sl_module *module, const char *name,
			     void *state, struct sl_error *error) SL_MUST_CHECK;

/** Settle which domains are added; after each meter that was opened. */
enum sl_code sl_energy_choose(struct sl_energy *energy,
			      struct sl_error *error) SL_MUST_CHECK;

/** A mark of what was read last: nothing is read. */
enum sl_code sl_energy_peek(struct sl_energy *energy,
			    struct sl_energy_mark *mark,
			    struct sl_error *error) SL_MUST_CHECK;

/** Read every usable domain once. The caller holds the lock. */
void sl_energy_round(struct sl_energy *energy);

#endif
