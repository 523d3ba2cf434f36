/* SPDX-License-Identifier: MIT */
/** @file
 * A finding as a SARIF 2.1.0 result; only report/sarif.c uses it.
 */
#ifndef SG_REPORT_SARIF_RESULT_H
#define SG_REPORT_SARIF_RESULT_H

#include "read/finding.h"
#include "sluice/buffer.h"

/** @return "error", "warning" (also for what is unknown, as SARIF does) or
 * "note". */
const char *sg_sarif_level(enum sg_severity severity);

/** Append the result, a JSON object and a newline. What SARIF has no place for
 * (our severity, the tool's word, the longer message, units, whether the tool
 * is sure) stands in its property bag, under "scgate". @return SL_OK or
 * SL_ENOMEM. */
enum sl_code sg_sarif_result(const struct sg_finding *finding,
			     struct sl_buffer *text,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
