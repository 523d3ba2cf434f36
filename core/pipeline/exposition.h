/* SPDX-License-Identifier: MIT */
/** @file
 * Prometheus' text format, version 0.0.4: metrics and their samples.
 *
 *     (sl_metric_begin -> sl_metric_label ... -> sl_metric_end_...) ...
 */
#ifndef SL_PIPELINE_EXPOSITION_H
#define SL_PIPELINE_EXPOSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/report_put.h"

/** One metric: its head is put with its first sample, so that one without
 * samples leaves no trace. All strings are borrowed. */
struct sl_metric {
	struct sl_put *put; /**< borrowed */
	const char *name, *type, *help;
	bool begun, labelled; /**< false at first */
};

/** A sample begins. */
void sl_metric_begin(struct sl_metric *metric);

/** Give it a label; any bytes may be in @p value. */
void sl_metric_label(struct sl_metric *metric, const char *label,
		     const char *value);

/** It ends with its value; a double must be finite. */
void sl_metric_end_count(struct sl_metric *metric, uint64_t count);
void sl_metric_end_double(struct sl_metric *metric, double number);

#endif
