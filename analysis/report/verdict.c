/* SPDX-License-Identifier: MIT */
/* The list of writers of verdicts. */
#include "report/verdict.h"

#include <string.h>

const struct sg_verdict_writer *const sg_verdict_writers[] = {
	&sg_verdict_writer_text,   &sg_verdict_writer_github,
	&sg_verdict_writer_gitlab, &sg_verdict_writer_sarif,
	&sg_verdict_writer_json,   NULL,
};

const struct sg_verdict_writer *sg_verdict_writer_named(const char *name)
{
	for (size_t at = 0; sg_verdict_writers[at]; at++)
		if (strcmp(sg_verdict_writers[at]->name, name) == 0)
			return sg_verdict_writers[at];
	return NULL;
}
