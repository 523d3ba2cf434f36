/* SPDX-License-Identifier: MIT */
/* Counts before and after, what was done, and what to do next. */
#include <stdio.h>

#include "report/cell.h"
#include "report/verdict_pen.h"

enum { NAME_MIN = 24, NAME_MAX = 48 };

/* ---- counts ------------------------------------------------------------ */

/* All, and tools, always; rules where something happened. */
static bool is_shown(const struct sg_judged_count *count)
{
	return !count->rule || count->added || count->fixed || count->unknown;
}

static const char *name_of(const struct sg_judged_count *count)
{
	if (!count->tool)
		return "all";
	if (!count->rule)
		return count->tool;
	return *count->rule ? count->rule : "(no rule)";
}

static size_t indent_of(const struct sg_judged_count *count)
{
	return count->rule ? 4 : 2;
}

/* @return the columns of the names with their indents. */
static size_t find_width(const struct sg_judgement *judgement)
{
	size_t width = NAME_MIN;

	for (size_t at = 0; at < judgement->count_count; at++) {
		const struct sg_judged_count *count = &judgement->counts[at];
		size_t columns =
			indent_of(count) + sg_cell_columns(name_of(count));

		if (is_shown(count) && columns > width)
			width = columns;
	}
	return width < NAME_MAX ? width : NAME_MAX;
}

static void put_change(struct sg_pen *pen, const char *before, int64_t number,
		       const char *after)
{
	if (!number)
		return;
	sg_pen_put(pen, before);
	sg_pen_number(pen, number);
	sg_pen_put(pen, after);
}

static void put_count(struct sg_pen *pen, const struct sg_judged_count *count,
		      size_t width)
{
	size_t indent = indent_of(count);
	char numbers[64];

	sg_pen_put(pen, indent == 2 ? "  " : "    ");
	if (pen->code == SL_OK)
		pen->code =
			sg_cell_put(pen->text, name_of(count), width - indent,
				    SG_CELL_PADDED, pen->error);
	snprintf(numbers, sizeof(numbers), " %7lld %7lld",
		 (long long)count->before, (long long)count->after);
	sg_pen_put(pen, numbers);
	put_change(pen, "  ", count->added, " new");
	put_change(pen, count->added ? ", " : "  ", count->fixed, " fixed");
	put_change(pen, count->added || count->fixed ? ", " : "  ",
		   count->unknown, " unknown");
	sg_pen_put(pen, "\n");
}

static void put_title(struct sg_pen *pen, size_t width)
{
	const struct sg_judgement *judgement = pen->judgement;
	char title[NAME_MAX * 2];

	if (judgement->is_whole)
		snprintf(title, sizeof(title), "open findings");
	else if (judgement->affected == 1)
		snprintf(title, sizeof(title), "in the affected unit");
	else
		snprintf(title, sizeof(title), "in the %zu affected units",
			 judgement->affected);
	sg_pen_block(pen);
	if (pen->code == SL_OK)
		pen->code = sg_cell_put(pen->text, title, width, SG_CELL_PADDED,
					pen->error);
	sg_pen_put(pen, "  before   after\n");
}

void sg_verdict_counts(struct sg_pen *pen)
{
	const struct sg_judgement *judgement = pen->judgement;
	size_t width, lines = 0;

	if (judgement->count_count < 2)
		return;
	width = find_width(judgement);
	put_title(pen, width);
	for (size_t at = 0; at < judgement->count_count; at++) {
		const struct sg_judged_count *count = &judgement->counts[at];

		/* tools are few; and what is left out of a tool's rules does
		 * not make the next tool's vanish */
		if (!is_shown(count) ||
		    (count->rule && ++lines > SG_VERDICT_LINES))
			continue;
		put_count(pen, count, width);
	}
	if (lines > SG_VERDICT_LINES)
		sg_pen_more(pen, lines - SG_VERDICT_LINES);
	sg_pen_end_block(pen);
}

/* ---- what was done ----------------------------------------------------- */

static void put_time(struct sg_pen *pen, int64_t ns)
{
	char text[32];

	if (ns < 1000000000)
		snprintf(text, sizeof(text), "%lld ms",
			 (long long)(ns / 1000000));
	else
		snprintf(text, sizeof(text), "%.1f s", (double)ns / 1e9);
	sg_pen_put(pen, text);
}

static void put_work(struct sg_pen *pen)
{
	const struct sg_judgement *judgement = pen->judgement;
	char text[160];

	if (!judgement->elapsed_ns)
		return;
	snprintf(text, sizeof(text),
		 "%zu of %zu units affected; %zu %s of analyzers, %zu kept "
		 "%s; ",
		 judgement->affected, judgement->units, judgement->analysed,
		 judgement->analysed == 1 ? "run" : "runs", judgement->cached,
		 judgement->cached == 1 ? "result" : "results");
	sg_pen_block(pen);
	sg_pen_put(pen, text);
	put_time(pen, judgement->elapsed_ns);
	if (judgement->tools_ns) {
		sg_pen_put(pen, ", ");
		put_time(pen, judgement->tools_ns);
		sg_pen_put(pen, " of it waiting for tools");
	}
	sg_pen_put(pen, "\n");
}

static void put_texts(struct sg_pen *pen, const char *title,
		      const char *const *texts)
{
	for (; texts && *texts; texts++) {
		sg_pen_block(pen);
		sg_pen_put(pen, title);
		sg_pen_words(pen, *texts);
		sg_pen_put(pen, "\n");
	}
}

void sg_verdict_foot(struct sg_pen *pen)
{
	put_work(pen);
	put_texts(pen, "note: ", pen->judgement->notes);
	put_texts(pen, "next: ", pen->judgement->steps);
	sg_pen_end_block(pen);
}
