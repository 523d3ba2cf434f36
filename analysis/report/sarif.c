/* SPDX-License-Identifier: MIT */
/* Findings as a SARIF log. */
#include "report/report.h"
#include "report/sarif_log.h"

static void *create(const struct sg_look *look)
{
	(void)look;
	return sg_sarif_log_create();
}

static enum sl_code put_finding(void *state, const struct sg_finding *finding,
				struct sl_buffer *text, struct sl_error *error)
{
	return sg_sarif_log_put(state, finding, NULL, text, error);
}

static enum sl_code end(void *state, bool complete, struct sl_buffer *text,
			struct sl_error *error)
{
	if (!complete)
		sg_sarif_log_fail(state);
	return sg_sarif_log_end(state, text, error);
}

static void destroy(void *state)
{
	sg_sarif_log_destroy(state);
}

const struct sg_writer sg_writer_sarif = {
	.name = "sarif",
	.summary = "SARIF 2.1.0, a run a tool",
	.create = create,
	.finding = put_finding,
	.end = end,
	.destroy = destroy,
};
