/* SPDX-License-Identifier: MIT */
/** @file
 * From the energy of a run to that of its stages:
 *
 *     net = gross - idle power x T,   stage = net x its part of the CPU time
 *
 * and why there is none. Pure functions.
 */
#ifndef SL_PIPELINE_SHARES_H
#define SL_PIPELINE_SHARES_H

#include "pipeline/busy.h"
#include "sluice/stats.h"

/** With fewer samples of its CPU time no instance has a share. */
#define SL_CPU_SAMPLES_MIN 10

/** Power of the idle machine. */
struct sl_idle_power {
	enum sl_idle_source source;
	double watts; /**< SL_IDLE_GIVEN */
	struct sl_energy_span span; /**< SL_IDLE_MEASURED */
};

/** Room for the reasons of a struct sl_energy_stats. */
struct sl_share_words {
	char no_shares[SL_REASON_BYTES + 64];
	char no_ratio[SL_REASON_BYTES + 64];
	char no_idle[SL_REASON_BYTES + 64];
};

/** From stats->sum: packets by joules, and joules by packets. */
void sl_shares_set_ratio(struct sl_energy_stats *stats, uint64_t packets,
			 struct sl_share_words *words);

/** From stats->sum: idle power and energy, net energy, and that of the @p count
 * instances, whose energy_j is set. */
void sl_shares_set(struct sl_energy_stats *stats,
		   const struct sl_idle_power *idle,
		   const struct sl_busy_sum *busy,
		   struct sl_instance_stats *instances, size_t count,
		   struct sl_share_words *words);

#endif
