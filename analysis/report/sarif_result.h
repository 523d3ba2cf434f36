/* SPDX-License-Identifier: MIT */
/** @file
 * Findings and notifications as SARIF 2.1.0 objects; only report/sarif_log.c
 * uses it.
 */
#ifndef SG_REPORT_SARIF_RESULT_H
#define SG_REPORT_SARIF_RESULT_H

#include "read/finding.h"
#include "sluice/buffer.h"

/** What is known of a finding beyond what the tool says. Borrowed; NULL: not
 * known. */
struct sg_sarif_more {
	const char *baseline_state; /**< "new", "unchanged", ... (3.27.24) */
	const char *fingerprint; /**< that survives edits */
	const char *justification; /**< why it is accepted */
	const char *verdict; /**< for our property bag: "unknown" */
	bool is_objected; /**< and whether a gate rejects because of it */
};

/** @return "error", "warning" (also for what is unknown, as SARIF does) or
 * "note". */
const char *sg_sarif_level(enum sg_severity severity);

/** Append the result, a JSON object and a newline. What SARIF has no place for
 * (our severity, the tool's word, the longer message, units, whether the tool
 * is sure) stands in its property bag, under "scgate". @p more: may be NULL.
 * @return SL_OK or SL_ENOMEM. */
enum sl_code sg_sarif_result(const struct sg_finding *finding,
			     const struct sg_sarif_more *more,
			     struct sl_buffer *text,
			     struct sl_error *error) SL_MUST_CHECK;

/** Append a notification, a JSON object and a newline. @p path: may be NULL. */
enum sl_code sg_sarif_notification(const char *level, const char *message,
				   const char *path, struct sl_buffer *text,
				   struct sl_error *error) SL_MUST_CHECK;

#endif
