/* SPDX-License-Identifier: MIT */
/* A verdict for people: lists of findings, each of one kind. */
#include <string.h>

#include "report/detail.h"
#include "report/excerpt.h"
#include "report/verdict_pen.h"

enum { WIDTH_PIPED = 200, WIDTH_MIN = 16, MARGIN = 16 };

struct writing {
	struct sg_pen pen;
	const struct sg_verdict_view *view;
	const struct sg_finding *due; /* whose line is still to be shown */
};

/* ---- a finding --------------------------------------------------------- */

static void put_place(struct sg_pen *pen, const struct sg_finding *finding,
		      bool with_column)
{
	if (!finding->path) {
		sg_pen_put(pen, "no place");
		return;
	}
	sg_pen_words(pen, finding->path);
	if (finding->line <= 0)
		return;
	sg_pen_put(pen, ":");
	sg_pen_number(pen, finding->line);
	if (!with_column || finding->column <= 0)
		return;
	sg_pen_put(pen, ":");
	sg_pen_number(pen, finding->column);
}

static void put_rule(struct sg_pen *pen, const struct sg_finding *finding)
{
	sg_pen_put(pen, " [");
	sg_pen_words(pen, finding->tool);
	if (finding->rule && *finding->rule) {
		sg_pen_put(pen, " ");
		sg_pen_words(pen, finding->rule);
	}
	sg_pen_put(pen, "]");
}

/* PATH:LINE: MESSAGE [TOOL RULE] */
static void put_short(struct sg_pen *pen, const struct sg_finding *finding)
{
	put_place(pen, finding, false);
	sg_pen_put(pen, ": ");
	sg_pen_words(pen, finding->message);
	put_rule(pen, finding);
}

static void put_excerpt(struct writing *writing,
			const struct sg_finding *finding)
{
	const struct sg_verdict_view *view = writing->view;
	struct sg_pen *pen = &writing->pen;
	unsigned width = view->look.width ? view->look.width : WIDTH_PIPED;
	struct sg_excerpt excerpt = {
		.line = finding->line,
		.column = finding->column,
		.shown_columns = sg_detail_shown_columns(finding),
		.width =
			width > WIDTH_MIN + MARGIN ? width - MARGIN : WIDTH_MIN,
		.color = pen->color,
	};

	if (!view->source || !finding->path || pen->code != SL_OK)
		return;
	pen->code = view->source(view->context, finding->path, &excerpt.text,
				 &excerpt.length, pen->error);
	if (pen->code == SL_OK && excerpt.text)
		pen->code = sg_excerpt_put(&excerpt, pen->text, pen->error);
	if (pen->code == SL_END) /* no such line */
		pen->code = SL_OK;
}

/* As compilers do, so that editors find the place. */
static void put_new(struct writing *writing, const struct sg_judged *judged)
{
	const struct sg_finding *finding = &judged->finding;
	struct sg_pen *pen = &writing->pen;

	sg_pen_color(pen, SG_PEN_BOLD);
	put_place(pen, finding, true);
	sg_pen_color(pen, SG_PEN_PLAIN);
	sg_pen_put(pen, ": ");
	sg_pen_color(pen, judged->is_objected ? SG_PEN_RED : SG_PEN_YELLOW);
	sg_pen_put(pen, sg_severity_text(finding->severity));
	sg_pen_color(pen, SG_PEN_PLAIN);
	sg_pen_put(pen, ": ");
	sg_pen_words(pen, finding->message);
	put_rule(pen, finding);
	sg_pen_put(pen, "\n");
	if (judged->entry_is_new)
		sg_pen_put(pen, "  its entry among the suppressions comes with "
				"this change, and does not count\n");
	if (!writing->due)
		writing->due = finding;
}

/* What several tools say of one line stands over it together. */
static void put_due(struct writing *writing, const struct sg_finding *next)
{
	const struct sg_finding *due = writing->due;

	if (!due ||
	    (next && next->path && due->path && next->line == due->line &&
	     strcmp(next->path, due->path) == 0))
		return;
	put_excerpt(writing, due);
	writing->due = NULL;
}

/* ---- lists ------------------------------------------------------------- */

static bool is_new(const struct sg_judged *judged)
{
	return judged->verdict == SG_NEW && !judged->accepted;
}

static bool is_worst(const struct sg_judged *judged)
{
	return is_new(judged) && judged->is_objected;
}

static bool is_other_new(const struct sg_judged *judged)
{
	return is_new(judged) && !judged->is_objected;
}

static bool is_again(const struct sg_judged *judged)
{
	return judged->verdict == SG_SAME && judged->accepted_before &&
	       !judged->accepted;
}

static bool is_open(const struct sg_judged *judged)
{
	return judged->verdict == SG_SAME && judged->is_objected &&
	       !is_again(judged);
}

static bool is_swap(const struct sg_judged *judged)
{
	return judged->is_swap && judged->swapped;
}

static bool is_fixed(const struct sg_judged *judged)
{
	return judged->verdict == SG_FIXED;
}

static bool is_unknown(const struct sg_judged *judged)
{
	return judged->verdict == SG_UNKNOWN;
}

/* What was accepted before is no news. */
static bool is_accepted(const struct sg_judged *judged)
{
	return judged->accepted &&
	       (judged->verdict == SG_NEW || judged->entry_is_new ||
		(judged->verdict == SG_SAME && !judged->accepted_before));
}

static void put_swap(struct writing *writing, const struct sg_judged *judged)
{
	struct sg_pen *pen = &writing->pen;

	put_short(pen, &judged->finding);
	sg_pen_put(pen, " for ");
	put_place(pen, &judged->swapped->finding, false);
	sg_pen_put(pen, ": ");
	sg_pen_words(pen, judged->swapped->finding.message);
	sg_pen_put(pen, "\n");
}

static void put_accepted(struct writing *writing,
			 const struct sg_judged *judged)
{
	struct sg_pen *pen = &writing->pen;

	put_short(pen, &judged->finding);
	sg_pen_put(pen, ": ");
	sg_pen_words(pen, judged->reason ? judged->reason : "by the report");
	if (judged->until) {
		sg_pen_put(pen, " (until ");
		sg_pen_words(pen, judged->until);
		sg_pen_put(pen, ")");
	}
	sg_pen_put(pen, "\n");
}

static void put_line(struct writing *writing, const struct sg_judged *judged)
{
	put_short(&writing->pen, &judged->finding);
	sg_pen_put(&writing->pen, "\n");
}

struct list {
	const char *title; /* before each */
	bool (*has)(const struct sg_judged *judged);
	void (*put)(struct writing *writing, const struct sg_judged *judged);
};

static void put_list(struct writing *writing, const struct list *list)
{
	const struct sg_judgement *judgement = writing->pen.judgement;
	size_t count = 0;

	for (size_t at = 0; at < judgement->judged_count; at++) {
		const struct sg_judged *judged = &judgement->judged[at];

		if (!judged->counts || !list->has(judged) ||
		    ++count > SG_VERDICT_LINES)
			continue;
		put_due(writing, &judged->finding);
		sg_pen_block(&writing->pen);
		sg_pen_put(&writing->pen, list->title);
		list->put(writing, judged);
	}
	put_due(writing, NULL);
	if (count > SG_VERDICT_LINES)
		sg_pen_more(&writing->pen, count - SG_VERDICT_LINES);
}

static void put_lists(struct writing *writing)
{
	static const struct list news[] = {
		{ "", is_worst, put_new },
		{ "", is_other_new, put_new },
	};
	static const struct list others[] = {
		{ "again  ", is_again, put_line },
		{ "open  ", is_open, put_line },
		{ "swap  ", is_swap, put_swap },
		{ "fixed  ", is_fixed, put_line },
		{ "unknown  ", is_unknown, put_line },
		{ "accepted  ", is_accepted, put_accepted },
	};

	for (size_t at = 0; at < sizeof(news) / sizeof(news[0]); at++)
		put_list(writing, &news[at]);
	sg_pen_end_block(&writing->pen);
	for (size_t at = 0; at < sizeof(others) / sizeof(others[0]); at++)
		put_list(writing, &others[at]);
}

/* Those that no policy looks at are not shown, but it is said. */
static void put_light(struct sg_pen *pen)
{
	const struct sg_judgement *judgement = pen->judgement;
	int64_t count = 0;

	for (size_t at = 0; at < judgement->judged_count; at++)
		count += is_new(&judgement->judged[at]) &&
			 !judgement->judged[at].counts;
	if (!count)
		return;
	sg_pen_block(pen);
	sg_pen_number(pen, count);
	sg_pen_put(pen, count == 1 ? " new one is" : " new ones are");
	sg_pen_put(pen, " not severe enough to count\n");
}

static enum sl_code write_text(const struct sg_verdict_view *view,
			       struct sl_buffer *text, struct sl_error *error)
{
	struct writing writing = {
		.pen = { .judgement = view->judgement,
			 .text = text,
			 .error = error,
			 .color = view->look.color },
		.view = view,
	};
	struct sg_pen *pen = &writing.pen;

	sg_verdict_head(pen);
	sg_verdict_troubles(pen, false);
	sg_pen_end_block(pen);
	put_lists(&writing);
	put_light(pen);
	sg_verdict_troubles(pen, true);
	sg_pen_end_block(pen);
	sg_verdict_counts(pen);
	sg_verdict_foot(pen);
	return pen->code;
}

const struct sg_verdict_writer sg_verdict_writer_text = {
	.name = "text",
	.summary = "for people",
	.write = write_text,
};
