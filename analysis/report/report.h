/* SPDX-License-Identifier: MIT */
/** @file
 * Findings written down: one writer an output format.
 *
 *     sg_report_begin(&report, sg_writer_named("table"), look, error);
 *     sg_report_finding(report, finding, &text, error);      (any number)
 *     sg_report_end(report, true, &text, error);
 *     sg_report_destroy(report);
 *
 * A writer appends to a buffer, which its caller writes out and empties between
 * two calls as it likes. One writer is one file, report/NAME.c, that defines a
 * struct sg_writer; report/report.c lists them.
 */
#ifndef SG_REPORT_REPORT_H
#define SG_REPORT_REPORT_H

#include <stdbool.h>

#include "read/finding.h"
#include "sluice/buffer.h"

/** How what is meant for people should look. */
struct sg_look {
	unsigned width; /**< columns of a line; 0: SG_WIDTH_PIPED */
	bool color; /**< ANSI colours: on a terminal, without NO_COLOR */
};

enum { SG_WIDTH_PIPED = 80 };

/** What a writer is made of. Those without a state have `create`, `destroy` and
 * `end` NULL, and are handed NULL as their state. */
struct sg_writer {
	const char *name; /**< "classic" */
	const char *summary; /**< a line without a full stop */
	bool own_paths; /**< it shows the report's own paths and repeats:
			     what it is given should not be normalised */
	/** @return an owned state; NULL: no memory. */
	void *(*create)(const struct sg_look *look);
	enum sl_code (*finding)(void *state, const struct sg_finding *finding,
				struct sl_buffer *text, struct sl_error *error);
	enum sl_code (*end)(void *state, bool complete, struct sl_buffer *text,
			    struct sl_error *error);
	void (*destroy)(void *state); /**< takes NULL */
};

/** `PATH:LINE:MESSAGE`, with the report's own path and the longer message where
 * the format has one. Newlines in a message become blanks. A finding without a
 * place has an empty path and line 0. */
extern const struct sg_writer sg_writer_classic;

/** A line a finding under a line of titles: severity, rule, place, message, cut
 * to fit the width. The columns are as wide as the first 256 findings need;
 * until then, or the end, nothing is written. */
extern const struct sg_writer sg_writer_table;

/** One JSON object a line: tool, rule, severity, severity_word, message, path,
 * line, column, function, cwe, suppressed, repeats, units[],
 * events[{path,line,column,message,function}]. What a format does not have is
 * null. */
extern const struct sg_writer sg_writer_jsonl;

/** A SARIF 2.1.0 log with a run a tool. A run is held until the end, for its
 * rules come before its results; when all runs together exceed 16 MiB, the
 * largest is written, and what follows of its tool is another run. */
extern const struct sg_writer sg_writer_sarif;

/** All writers; NULL at the end. */
extern const struct sg_writer *const sg_writers[];

/** @return the writer of that name, or NULL. */
const struct sg_writer *sg_writer_named(const char *name);

/** A report being written. Not thread-safe. */
struct sg_report;

/** @p look is borrowed for the call; NULL: piped, without colours.
 * @return SL_OK and an owned *report; SL_ENOMEM. */
enum sl_code sg_report_begin(struct sg_report **report,
			     const struct sg_writer *writer,
			     const struct sg_look *look,
			     struct sl_error *error) SL_MUST_CHECK;

enum sl_code sg_report_finding(struct sg_report *report,
			       const struct sg_finding *finding,
			       struct sl_buffer *text,
			       struct sl_error *error) SL_MUST_CHECK;

/** Append what is left. @p complete: all documents were read to their ends; an
 * output that can say that they were not does so. */
enum sl_code sg_report_end(struct sg_report *report, bool complete,
			   struct sl_buffer *text,
			   struct sl_error *error) SL_MUST_CHECK;

void sg_report_destroy(struct sg_report *report); /**< takes NULL */

/** Append bytes to @p text. */
enum sl_code sg_report_put(struct sl_buffer *text, const char *bytes,
			   size_t length, struct sl_error *error) SL_MUST_CHECK;

#endif
