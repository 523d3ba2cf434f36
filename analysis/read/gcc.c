/* SPDX-License-Identifier: MIT */
/* gcc's text, and that of everything which writes as gcc does. */
#include "read/compiler.h"
#include "read/formats.h"

/* Of the formats that look alike this is the one to fall back on: it names no
 * tool that the log does not tell. */
static int sniff(const char *start, size_t length)
{
	struct sg_compiler_signs signs = sg_compiler_signs(start, length);

	if (!signs.diagnostics)
		return signs.gcc ? 40 : signs.places ? 20 : 0;
	return signs.gcc ? 75 : 55;
}

static void *create(sg_finding_fn *take, void *context)
{
	return sg_compiler_create("gcc", take, context);
}

const struct sg_format sg_format_gcc = {
	.name = "gcc",
	.summary = "text of gcc, and of tools that write as it does",
	.sniff = sniff,
	.create = create,
	.feed = sg_textlog_feed,
	.finish = sg_compiler_finish,
	.destroy = sg_textlog_destroy,
};
