/* SPDX-License-Identifier: MIT */
/** @file
 * What the readers of text logs share: lines in, findings out, and an ending.
 *
 * A reader's state starts with a struct sg_textlog; it sets what it learns:
 * sg_textlog_failed() for words with which a tool says that it gave up,
 * `familiar` for lines that are the format's although they are no finding.
 */
#ifndef SG_READ_TEXTLOG_H
#define SG_READ_TEXTLOG_H

#include "read/draft.h"
#include "read/lines.h"
#include "read/reader.h"

struct sg_textlog {
	struct sg_lines lines;
	struct sg_draft draft;
	uint64_t texts; /**< lines that are not blank */
	uint64_t familiar; /**< of them, such as only this format has */
	int64_t failure_line; /**< 0: no failure */
	char failure[192];
	const char *remark; /**< static: what the ending says of a log that is
			       neither failed nor empty; NULL: the usual */
	sg_line_fn *line; /**< of the reader, given its state */
};

/** @return a zeroed state of @p size bytes whose textlog is ready; owned by the
 * caller, to be freed with sg_textlog_destroy(); NULL: no memory. */
void *sg_textlog_create(size_t size, sg_line_fn *line, sg_finding_fn *take,
			void *context);

/** As struct sg_format has them; a reader that owns more wraps destroy. */
enum sl_code sg_textlog_feed(void *state, const char *bytes, size_t length,
			     struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_textlog_finish(void *state, struct sg_ending *ending,
			       struct sl_error *error) SL_MUST_CHECK;
void sg_textlog_destroy(void *state);

/** The first failure of the log counts. */
void sg_textlog_failed(struct sg_textlog *log, struct sg_span words);

/** Show a sniffer the whole lines of a document's start. */
void sg_textlog_sniff(const char *start, size_t length, sg_line_fn *line,
		      void *context);

#endif
