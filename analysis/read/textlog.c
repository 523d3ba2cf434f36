/* SPDX-License-Identifier: MIT */
/* The frame of the readers of text logs. */
#include "read/textlog.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum sl_code on_line(void *context, struct sg_span line,
			    struct sl_error *error)
{
	struct sg_textlog *log = context;

	if (line.length)
		log->texts++;
	return log->line(log, line, error);
}

void *sg_textlog_create(size_t size, sg_line_fn *line, sg_finding_fn *take,
			void *context)
{
	struct sg_textlog *log = calloc(1, size);

	if (!log)
		return NULL;
	log->line = line;
	if (sg_lines_init(&log->lines, on_line, log, NULL) != SL_OK) {
		free(log);
		return NULL;
	}
	if (sg_draft_init(&log->draft, take, context, NULL) != SL_OK) {
		sg_lines_release(&log->lines);
		free(log);
		return NULL;
	}
	return log;
}

void sg_textlog_destroy(void *state)
{
	struct sg_textlog *log = state;

	if (!log)
		return;
	sg_lines_release(&log->lines);
	sg_draft_release(&log->draft);
	free(log);
}

enum sl_code sg_textlog_feed(void *state, const char *bytes, size_t length,
			     struct sl_error *error)
{
	struct sg_textlog *log = state;

	return sg_lines_feed(&log->lines, bytes, length, error);
}

static void end(const struct sg_textlog *log, struct sg_ending *ending)
{
	*ending = (struct sg_ending){ .kind = SG_UNVERIFIED,
				      .findings = log->draft.findings };
	if (log->failure_line) {
		ending->kind = SG_TOOL_FAILED;
		ending->line = log->failure_line;
		(void)snprintf(ending->message, sizeof(ending->message), "%s",
			       log->failure);
	} else if (log->draft.findings || log->familiar || !log->texts) {
		(void)snprintf(ending->message, sizeof(ending->message), "%s",
			       log->remark  ? log->remark
			       : log->texts ? "a text log cannot prove that it "
					      "is whole"
					    : "an empty log");
	} else {
		ending->kind = SG_NO_REPORT;
		(void)snprintf(ending->message, sizeof(ending->message),
			       "none of %" PRIu64 " lines is of this format",
			       log->texts);
	}
}

enum sl_code sg_textlog_finish(void *state, struct sg_ending *ending,
			       struct sl_error *error)
{
	struct sg_textlog *log = state;
	enum sl_code code = sg_lines_finish(&log->lines, error);

	if (code == SL_OK)
		code = sg_draft_end(&log->draft, error);
	end(log, ending);
	return code;
}

void sg_textlog_failed(struct sg_textlog *log, struct sg_span words)
{
	size_t length = words.length;

	if (log->failure_line)
		return;
	if (length >= sizeof(log->failure)) {
		length = sizeof(log->failure) - 1;
		while (length && (words.text[length] & 0xc0) == 0x80)
			length--;
	}
	memcpy(log->failure, words.text, length);
	log->failure[length] = '\0';
	log->failure_line = log->lines.number;
}

void sg_textlog_sniff(const char *start, size_t length, sg_line_fn *line,
		      void *context)
{
	struct sg_lines lines;
	enum sl_code code;

	if (sg_lines_init(&lines, line, context, NULL) != SL_OK)
		return;
	code = sg_lines_feed(&lines, start, length, NULL);
	/* the last line may be a part of one, and the whole of a short file */
	if (code == SL_OK && length < SG_SNIFF_BYTES)
		code = sg_lines_finish(&lines, NULL);
	(void)code; /* a line that was refused has been seen as far as it goes
		     */
	sg_lines_release(&lines);
}
