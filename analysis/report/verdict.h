/* SPDX-License-Identifier: MIT */
/** @file
 * Writers of verdicts: `scgate check --output`.
 */
#ifndef SG_REPORT_VERDICT_H
#define SG_REPORT_VERDICT_H

#include "gate/judgement.h"
#include "report/report.h"

/** Gives the text of a file of the tested tree, as sg_source_fn; NULL: none. */
typedef enum sl_code sg_verdict_source_fn(void *context, const char *path,
					  const char **text, size_t *length,
					  struct sl_error *error);

struct sg_verdict_view {
	const struct sg_judgement *judgement;
	struct sg_look look; /**< of text */
	sg_verdict_source_fn *source; /**< may be NULL */
	void *context;
};

struct sg_verdict_writer {
	const char *name; /**< "text" */
	const char *summary;
	enum sl_code (*write)(const struct sg_verdict_view *view,
			      struct sl_buffer *text, struct sl_error *error);
};

/** For people, in ten seconds: the verdict in one line, what made it so (new
 * findings with source line and caret, swaps, troubles with the tools' own last
 * words), what was fixed, accepted, counts before and after by tool, what to do
 * next. Long lists are cut, and say by how much. */
extern const struct sg_verdict_writer sg_verdict_writer_text;
/** All of the judgement, one object; docs/scgate-check.md says which fields. */
extern const struct sg_verdict_writer sg_verdict_writer_json;
/** ::error and ::warning lines, as GitHub's runner makes annotations of, for
 * what is objected to (error), other new ones (warning), and troubles; in the
 * escapes that it wants. */
extern const struct sg_verdict_writer sg_verdict_writer_github;
/** gl-code-quality-report.json: an array; what is open in the tested tree, with
 * a fingerprint that is unique in it and stays from check to check. */
extern const struct sg_verdict_writer sg_verdict_writer_gitlab;
/** SARIF 2.1.0: a run a tool; baselineState new, unchanged (or updated, where
 * the place moved), absent for fixed; partialFingerprints; suppressions with
 * their justification; executionSuccessful false if the check is incomplete,
 * and troubles as toolExecutionNotifications. */
extern const struct sg_verdict_writer sg_verdict_writer_sarif;

/** All; NULL at the end. */
extern const struct sg_verdict_writer *const sg_verdict_writers[];
const struct sg_verdict_writer *sg_verdict_writer_named(const char *name);

#endif
