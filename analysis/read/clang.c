/* SPDX-License-Identifier: MIT */
/* The text of clang and of clang-tidy. They differ from gcc's in few lines, all
 * of which read/compiler.c knows, and in the tool's name. */
#include "read/compiler.h"
#include "read/formats.h"

static int sniff_clang(const char *start, size_t length)
{
	struct sg_compiler_signs signs = sg_compiler_signs(start, length);

	if (!signs.diagnostics || signs.tidy)
		return signs.clang ? 30 : 0;
	if (signs.clang)
		return signs.gcc ? 70 : 85;
	return signs.gcc ? 20 : 50;
}

static int sniff_tidy(const char *start, size_t length)
{
	struct sg_compiler_signs signs = sg_compiler_signs(start, length);

	if (!signs.tidy)
		return 0;
	return signs.tidy * 2 >= signs.diagnostics ? 85 : 60;
}

static void *create_clang(sg_finding_fn *take, void *context)
{
	return sg_compiler_create("clang", take, context);
}

static void *create_tidy(sg_finding_fn *take, void *context)
{
	return sg_compiler_create("clang-tidy", take, context);
}

const struct sg_format sg_format_clang = {
	.name = "clang",
	.summary = "text of clang",
	.sniff = sniff_clang,
	.create = create_clang,
	.feed = sg_textlog_feed,
	.finish = sg_compiler_finish,
	.destroy = sg_textlog_destroy,
};

const struct sg_format sg_format_clang_tidy = {
	.name = "clang-tidy",
	.summary = "text of clang-tidy",
	.sniff = sniff_tidy,
	.create = create_tidy,
	.feed = sg_textlog_feed,
	.finish = sg_compiler_finish,
	.destroy = sg_textlog_destroy,
};
