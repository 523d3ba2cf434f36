/* SPDX-License-Identifier: MIT */
/** @file
 * A report's figures and conditions, read back from its XML.
 */
#ifndef SL_POWER_SUMMARY_H
#define SL_POWER_SUMMARY_H

#include <stdbool.h>

#include "power/conditions.h"
#include "sluice/assess.h"
#include "sluice/error.h"

/** How it was measured: what the figures depend on besides the machine. NAN:
 * the report does not say. */
struct sl_summary_settings {
	double settle_s, baseline_s, repeats;
	double window_s; /**< 0: the whole run */
	char meters[512], start[128], idle_command[128];
};

struct sl_summary {
	char outcome[16], reason[600];
	struct sl_conditions conditions;
	struct sl_summary_settings settings;
	char meters[512]; /**< those that were added: "rapl package-0, ..." */
	char work_unit[16];
	bool estimate; /**< any figure is a model's */
	bool whole; /**< every active phase was the whole run, so that its time
			 and energy are the work's, not the window's */
	unsigned runs; /**< 0: it has no result */
	struct sl_figure seconds, energy_j, power_w, net_j, net_w, j_per_work,
		work_per_j;
};

/** Take @p text, of @p size bytes; @p path is for messages. No entity is
 * expanded, a document type is refused, and nothing else is loaded. SL_EINVAL:
 * it is no report, with its line. */
enum sl_code sl_summary_parse(struct sl_summary *summary, const char *text,
			      size_t size, const char *path,
			      struct sl_error *error) SL_MUST_CHECK;

/** Read a file that sl_report_xml() wrote, of at most 256 MiB. SL_EIO: it
 * cannot be read; else as sl_summary_parse(). */
enum sl_code sl_summary_read(struct sl_summary *summary, const char *path,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
