/* SPDX-License-Identifier: MIT */
/** @file
 * What the files that write a run's figures share.
 */
#ifndef SL_PIPELINE_REPORT_H
#define SL_PIPELINE_REPORT_H

#include <yajl/yajl_gen.h>

#include "sluice/stats.h"

/** Text that grows; the first failure sticks. */
struct sl_report {
	struct sl_buffer *text;
	enum sl_code code;
	struct sl_error *error;
};

void sl_report_say(struct sl_report *report, const char *fmt, ...)
	SL_PRINTF(2, 3);

/** Say "HEAD: TEXT", broken between words into lines of at most 80 bytes, the
 * further ones indented by two more than @p head is. */
void sl_report_wrap(struct sl_report *report, const char *head,
		    const char *text);

/** The part on energy, where there are meters. */
void sl_report_energy(struct sl_report *report, const struct sl_stats *stats);

/** The same as JSON, into the report's object: `meters` and `energy`. */
void sl_json_energy(yajl_gen gen, const struct sl_stats *stats);

/** Into an instance's object. */
void sl_json_instance_energy(yajl_gen gen,
			     const struct sl_instance_stats *instance,
			     const struct sl_energy_stats *energy);

/** What a quality is called. */
const char *sl_quality_word(enum sl_quality quality);

#endif
