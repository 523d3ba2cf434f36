/* SPDX-License-Identifier: MIT */
/** @file
 * A SARIF 2.1.0 log being written, a run a tool; report/sarif.c and
 * report/verdict_sarif.c use it.
 *
 * A run is held until the end, for its rules come before its results; when all
 * runs together exceed 16 MiB, the largest is written, and what follows of its
 * tool is another run.
 */
#ifndef SG_REPORT_SARIF_LOG_H
#define SG_REPORT_SARIF_LOG_H

#include "report/sarif_result.h"

struct sg_sarif_log;

/** @return an owned log; NULL: no memory. */
struct sg_sarif_log *sg_sarif_log_create(void);
void sg_sarif_log_destroy(struct sg_sarif_log *log); /**< takes NULL */

/** Runs that are written from now on say that they did not succeed. */
void sg_sarif_log_fail(struct sg_sarif_log *log);

/** Put a finding into the run of its tool and version. @p more: may be NULL. */
enum sl_code sg_sarif_log_put(struct sg_sarif_log *log,
			      const struct sg_finding *finding,
			      const struct sg_sarif_more *more,
			      struct sl_buffer *text,
			      struct sl_error *error) SL_MUST_CHECK;

/** Put a notification (3.58) into the run of @p tool, of any version. @p level:
 * "error", "warning"; @p path: of a unit; may be NULL. */
enum sl_code sg_sarif_log_notify(struct sg_sarif_log *log, const char *tool,
				 const char *level, const char *message,
				 const char *path, struct sl_buffer *text,
				 struct sl_error *error) SL_MUST_CHECK;

/** Append what is left. A log of nothing has an empty run. */
enum sl_code sg_sarif_log_end(struct sg_sarif_log *log, struct sl_buffer *text,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
