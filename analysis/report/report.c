/* SPDX-License-Identifier: MIT */
/* The list of writers, and the one way to use them. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

struct sg_report {
	const struct sg_writer *writer;
	void *state; /* owned */
};

const struct sg_writer *const sg_writers[] = {
	&sg_writer_classic,
	&sg_writer_table,
	&sg_writer_jsonl,
	&sg_writer_sarif,
	NULL,
};

const struct sg_writer *sg_writer_named(const char *name)
{
	for (size_t at = 0; sg_writers[at]; at++)
		if (strcmp(sg_writers[at]->name, name) == 0)
			return sg_writers[at];
	return NULL;
}

enum sl_code sg_report_begin(struct sg_report **report,
			     const struct sg_writer *writer,
			     const struct sg_look *look, struct sl_error *error)
{
	static const struct sg_look piped = { .width = SG_WIDTH_PIPED };
	struct sg_report *made = calloc(1, sizeof(*made));

	*report = NULL;
	if (!made)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a report");
	made->writer = writer;
	if (writer->create)
		made->state = writer->create(look ? look : &piped);
	if (writer->create && !made->state) {
		free(made);
		return SL_FAIL(error, SL_ENOMEM, "no memory for a report");
	}
	*report = made;
	return SL_OK;
}

enum sl_code sg_report_finding(struct sg_report *report,
			       const struct sg_finding *finding,
			       struct sl_buffer *text, struct sl_error *error)
{
	return report->writer->finding(report->state, finding, text, error);
}

enum sl_code sg_report_end(struct sg_report *report, bool complete,
			   struct sl_buffer *text, struct sl_error *error)
{
	return report->writer->end ? report->writer->end(report->state,
							 complete, text, error)
				   : SL_OK;
}

void sg_report_destroy(struct sg_report *report)
{
	if (!report)
		return;
	if (report->writer->destroy)
		report->writer->destroy(report->state);
	free(report);
}

enum sl_code sg_report_put(struct sl_buffer *text, const char *bytes,
			   size_t length, struct sl_error *error)
{
	enum sl_code code = sl_buffer_reserve(text, length, error);

	if (code == SL_OK && length) {
		memcpy(text->data + text->used, bytes, length);
		text->used += length;
	}
	return code;
}
