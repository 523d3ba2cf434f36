/* SPDX-License-Identifier: MIT */
/** @file
 * What the files that write a run's figures share.
 */
#ifndef SL_PIPELINE_REPORT_H
#define SL_PIPELINE_REPORT_H

#include <yajl/yajl_gen.h>

#include "pipeline/report_put.h"
#include "sluice/stats.h"

/** The part on energy, where there are meters. */
void sl_put_energy(struct sl_put *put, const struct sl_stats *stats);

/** The same as JSON, into the report's object: `meters` and `energy`. */
void sl_json_energy(yajl_gen gen, const struct sl_stats *stats);

/** Into an instance's object. */
void sl_json_instance_energy(yajl_gen gen,
			     const struct sl_instance_stats *instance,
			     const struct sl_energy_stats *energy);

#endif
