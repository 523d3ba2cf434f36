/* SPDX-License-Identifier: MIT */
/* Commands that GitHub's runner finds in the output of a step, and makes
 * annotations of. It shows ten errors and ten warnings of a step, so the worst
 * come first. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/verdict.h"

struct writing {
	struct sl_buffer *text;
	struct sl_error *error;
	enum sl_code code; /* SL_OK until something fails */
};

static void put_bytes(struct writing *writing, const char *bytes, size_t length)
{
	if (writing->code == SL_OK)
		writing->code = sg_report_put(writing->text, bytes, length,
					      writing->error);
}

static void put(struct writing *writing, const char *text)
{
	put_bytes(writing, text, strlen(text));
}

/* What the runner would take for its own is written as it wants: @p special
 * beside '%' and the ends of lines. Other control characters would steer the
 * terminal of whoever looks at the log. */
static void put_escaped(struct writing *writing, const char *text,
			const char *special)
{
	static const char control[] =
		"\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12"
		"\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f";

	for (const char *end = text; *text; text = end) {
		char code[8] = "?";

		while (*end && !strchr(special, *end) && !strchr(control, *end))
			end++;
		put_bytes(writing, text, (size_t)(end - text));
		if (!*end)
			return;
		if (strchr(special, *end))
			snprintf(code, sizeof(code), "%%%02X",
				 (unsigned)(unsigned char)*end);
		put(writing, code);
		end++;
	}
}

static void put_data(struct writing *writing, const char *text)
{
	put_escaped(writing, text, "%\r\n");
}

static void put_value(struct writing *writing, const char *text)
{
	put_escaped(writing, text, "%\r\n:,");
}

static void put_number(struct writing *writing, const char *name,
		       int64_t number)
{
	char text[48];

	if (number <= 0)
		return;
	snprintf(text, sizeof(text), ",%s=%" PRId64, name, number);
	put(writing, text);
}

/* ---- lines ------------------------------------------------------------- */

static void put_judged(struct writing *writing, const struct sg_judged *judged)
{
	const struct sg_finding *finding = &judged->finding;

	put(writing, judged->is_objected ? "::error " : "::warning ");
	if (finding->path) {
		put(writing, "file=");
		put_value(writing, finding->path);
		put_number(writing, "line", finding->line);
		put_number(writing, "endLine", finding->end_line);
		if (finding->line > 0)
			put_number(writing, "col", finding->column);
		put(writing, ",");
	}
	put(writing, "title=");
	put_value(writing, finding->tool);
	if (finding->rule && *finding->rule) {
		put(writing, " ");
		put_value(writing, finding->rule);
	}
	put(writing, "::");
	put_data(writing, finding->message);
	put(writing, "\n");
}

static void put_trouble(struct writing *writing,
			const struct sg_trouble *trouble)
{
	put(writing, trouble->limited ? "::warning " : "::error ");
	if (trouble->unit) {
		put(writing, "file=");
		put_value(writing, trouble->unit);
		put(writing, ",");
	}
	put(writing, trouble->limited ? "title=scgate check limited::"
				      : "title=scgate check incomplete::");
	if (trouble->tool) {
		put_data(writing, trouble->tool);
		put(writing, ": ");
	}
	put_data(writing, trouble->why);
	put(writing, trouble->in_base ? " (in the base)" : "");
	if (trouble->words) {
		put(writing, "%0A");
		put_data(writing, trouble->words);
	}
	put(writing, "\n");
}

/* In one, for annotations are few. */
static void put_objections(struct writing *writing,
			   const struct sg_judgement *judgement)
{
	const char *const *objections = judgement->objections;

	if (!objections || !*objections)
		return;
	put(writing, "::error title=scgate check::");
	for (; *objections; objections++) {
		put_data(writing, *objections);
		put(writing, objections[1] ? "%0A" : "\n");
	}
}

static void put_troubles(struct writing *writing,
			 const struct sg_judgement *judgement, bool limited)
{
	for (size_t at = 0; at < judgement->trouble_count; at++)
		if (judgement->troubles[at].limited == limited)
			put_trouble(writing, &judgement->troubles[at]);
}

static enum sl_code write_github(const struct sg_verdict_view *view,
				 struct sl_buffer *text, struct sl_error *error)
{
	const struct sg_judgement *judgement = view->judgement;
	struct writing writing = { .text = text, .error = error };

	put_troubles(&writing, judgement, false);
	put_objections(&writing, judgement);
	for (size_t at = 0; at < judgement->judged_count; at++)
		if (judgement->judged[at].is_objected)
			put_judged(&writing, &judgement->judged[at]);
	for (size_t at = 0; at < judgement->judged_count; at++) {
		const struct sg_judged *judged = &judgement->judged[at];

		if (judged->verdict == SG_NEW && judged->counts &&
		    !judged->accepted && !judged->is_objected)
			put_judged(&writing, judged);
	}
	put_troubles(&writing, judgement, true);
	return writing.code;
}

const struct sg_verdict_writer sg_verdict_writer_github = {
	.name = "github",
	.summary = "annotations of GitHub Actions",
	.write = write_github,
};
