/* SPDX-License-Identifier: MIT */
/* The classic view of a report: a line a finding, file:line:message. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

static enum sl_code put_finding(void *state, const struct sg_finding *finding,
				struct sl_buffer *text, struct sl_error *error)
{
	const char *path = finding->path ? finding->path : "";
	const char *message =
		finding->verbose ? finding->verbose : finding->message;
	size_t room = strlen(path) + strlen(message) + 32;
	enum sl_code code = sl_buffer_reserve(text, room, error);
	char *line;
	int length;

	(void)state;
	if (code != SL_OK)
		return code;
	line = text->data + text->used;
	length = snprintf(line, room, "%s:%" PRId64 ":%s", path, finding->line,
			  message);
	for (int at = 0; at < length; at++)
		if (line[at] == '\n' || line[at] == '\r')
			line[at] = ' ';
	line[length] = '\n';
	text->used += (size_t)length + 1;
	return SL_OK;
}

const struct sg_writer sg_writer_classic = {
	.name = "classic",
	.summary = "file:line:message, a line a finding",
	.own_paths = true,
	.finding = put_finding,
};
