/* SPDX-License-Identifier: MIT */
/* One finding for people: what was said, what became of it, and where. */
#include "report/detail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/cell.h"
#include "report/excerpt.h"

enum { WIDTH_PIPED = 1000, WIDTH_MIN = 16, MARGIN = 16 };

struct detail {
	const struct sg_shown *shown;
	const struct sg_detail_sources *sources;
	struct sl_buffer *text;
	struct sl_error *error;
	size_t width; /* of source */
	bool color;
	enum sl_code code; /* SL_OK until something fails */
	struct sg_detail_file file;
};

bool sg_detail_shown_columns(const struct sg_finding *said)
{
	return said->tool && strcmp(said->tool, "gcc") == 0;
}

const char *sg_time_text(int64_t time, char text[SG_TIME_TEXT])
{
	time_t seconds = (time_t)time;
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) ||
	    !strftime(text, SG_TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts))
		snprintf(text, SG_TIME_TEXT, "?");
	return text;
}

/* ---- words ------------------------------------------------------------- */

static void put(struct detail *detail, const char *text)
{
	if (detail->code == SL_OK)
		detail->code = sg_report_put(detail->text, text, strlen(text),
					     detail->error);
}

static void put_number(struct detail *detail, const char *before,
		       int64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, number);
	put(detail, before);
	put(detail, digits);
}

/* What others wrote, whole. */
static void put_words(struct detail *detail, const char *words)
{
	if (detail->code == SL_OK)
		detail->code =
			sg_cell_put_whole(detail->text, words, detail->error);
}

static void put_if(struct detail *detail, const char *before, const char *words)
{
	if (!words || !*words)
		return;
	put(detail, before);
	put_words(detail, words);
}

/* Name a line of the table. */
static void put_title(struct detail *detail, const char *title)
{
	char head[32];

	snprintf(head, sizeof(head), "  %-11s", title);
	put(detail, head);
}

static void put_color(struct detail *detail, const char *color)
{
	if (detail->color)
		put(detail, color);
}

/* ---- the table --------------------------------------------------------- */

static void put_place(struct detail *detail, const char *path, int64_t line,
		      int64_t column)
{
	put_words(detail, path);
	if (line)
		put_number(detail, ":", line);
	if (line && column)
		put_number(detail, ":", column);
}

/* Lines of a text, each below the first. */
static void put_lines(struct detail *detail, const char *text)
{
	char *copy = strdup(text);
	char *rest = copy;

	if (!copy) {
		detail->code = SL_FAIL(detail->error, SL_ENOMEM,
				       "no memory for a finding");
		return;
	}
	while (rest && detail->code == SL_OK) {
		char *end = strchr(rest, '\n');

		if (end)
			*end = '\0';
		put_words(detail, rest);
		put(detail, "\n");
		rest = end && end[1] ? end + 1 : NULL;
		if (rest)
			put_title(detail, "");
	}
	free(copy);
}

static void put_said(struct detail *detail)
{
	const struct sg_finding *said = &detail->shown->said;
	const char *severity = sg_severity_text(said->severity);

	put_title(detail, "place");
	if (said->path)
		put_place(detail, said->path, said->line, said->column);
	else
		put(detail, "none");
	put_if(detail, ", in ", said->function);
	put(detail, "\n");
	put_title(detail, "message");
	put_lines(detail, said->message);
	if (said->verbose) {
		put_title(detail, "longer");
		put_lines(detail, said->verbose);
	}
	put_title(detail, "rule");
	put_if(detail, "", said->rule && *said->rule ? said->rule : "none");
	if (said->cwe)
		put_number(detail, ", CWE-", said->cwe);
	put(detail, "\n");
	put_title(detail, "severity");
	put(detail, severity);
	if (said->severity_word && strcmp(said->severity_word, severity) != 0) {
		put_if(detail, " (\"", said->severity_word);
		put(detail, "\")");
	}
	put(detail, said->inconclusive ? ", the tool is not sure\n" : "\n");
	put_title(detail, "tool");
	put_words(detail, said->tool);
	put_if(detail, " ", said->tool_version);
	put(detail, "\n");
}

static void put_seen(struct detail *detail)
{
	const struct sg_shown *shown = detail->shown;
	const struct sg_finding *said = &shown->said;
	char time[SG_TIME_TEXT];

	for (size_t at = 0; at < said->unit_count; at++) {
		put_title(detail, at ? "" : "units");
		put_words(detail, said->units[at]);
		put(detail, "\n");
	}
	if (said->repeats > 1) {
		put_title(detail, "reported");
		put_number(detail, "", said->repeats);
		put(detail, " times\n");
	}
	put_title(detail, "first seen");
	put(detail, sg_time_text(shown->first_time, time));
	if (shown->first_run)
		put_number(detail, ", run ", shown->first_run);
	else
		put(detail, ", by a run that was pruned");
	put_if(detail, ", commit ", shown->first_commit);
	put(detail, "\n");
}

/* "new in 1, same in 2 to 14 (9 runs), fixed in 15" */
static void put_history(struct detail *detail)
{
	const struct sg_shown *shown = detail->shown;
	size_t next;

	put_title(detail, "runs");
	for (size_t at = 0; at < shown->history_count; at = next) {
		const struct sg_shown_run *first = &shown->history[at];
		const struct sg_shown_run *last;

		for (next = at + 1; next < shown->history_count; next++)
			if (strcmp(shown->history[next].verdict,
				   first->verdict) != 0)
				break;
		last = &shown->history[next - 1];
		put(detail, at ? ", " : "");
		put(detail, first->verdict);
		put_number(detail, " in ", first->run);
		if (next - at > 1)
			put_number(detail, next - at > 2 ? " to " : " and ",
				   last->run);
		if (next - at > 2 &&
		    (size_t)(last->run - first->run) != next - at - 1) {
			put_number(detail, " (", (int64_t)(next - at));
			put(detail, " runs)");
		}
	}
	put(detail, "\n");
}

static void put_accepted(struct detail *detail)
{
	const struct sg_shown *shown = detail->shown;

	if (shown->said.suppressed) {
		put_title(detail, "suppressed");
		put(detail, "by the report itself\n");
	}
	if (!shown->entry)
		return;
	put_title(detail, strcmp(shown->entry_state, "active") == 0
				  ? "suppressed"
				  : shown->entry_state);
	put_words(detail, shown->entry->reason);
	put(detail, " (");
	put_if(detail, "until ", shown->entry->until);
	put_number(detail, shown->entry->until ? "; line " : "line ",
		   shown->entry->position);
	put(detail, " of " SG_SUPPRESSIONS_NAME ")\n");
}

/* ---- source ------------------------------------------------------------ */

enum sl_code sg_detail_open(struct sg_detail_file *file,
			    const struct sg_detail_sources *sources,
			    const char *path, struct sl_error *error)
{
	if (file->path && strcmp(file->path, path) == 0)
		return SL_OK;
	*file = (struct sg_detail_file){ .path = path };
	return sources->source
		       ? sources->source(sources->context, path, &file->text,
					 &file->length, error)
		       : SL_OK;
}

static void open_source(struct detail *detail, const char *path)
{
	if (detail->code == SL_OK)
		detail->code = sg_detail_open(&detail->file, detail->sources,
					      path, detail->error);
}

static enum sl_code put_excerpt(struct detail *detail, int64_t line,
				int64_t column, unsigned around)
{
	const struct sg_excerpt excerpt = {
		.text = detail->file.text,
		.length = detail->file.length,
		.line = line,
		.column = column,
		.shown_columns = sg_detail_shown_columns(&detail->shown->said),
		.around = around,
		.width = detail->width,
		.color = detail->color,
	};

	return sg_excerpt_put(&excerpt, detail->text, detail->error);
}

static void put_source(struct detail *detail)
{
	const struct sg_finding *said = &detail->shown->said;
	enum sl_code code;

	if (!said->path || !said->line)
		return;
	put(detail, "\n");
	open_source(detail, said->path);
	if (detail->code != SL_OK)
		return;
	if (!detail->sources->source || !detail->file.text) {
		put(detail, "the source is not at hand: ");
		if (detail->sources->source) {
			put_words(detail, said->path);
			put(detail, detail->sources->commit
					    ? " is no file of the commit\n"
					    : " is no file here\n");
		} else {
			put_words(detail, detail->sources->missing);
			put(detail, "\n");
		}
		return;
	}
	put(detail,
	    detail->sources->commit
		    ? ""
		    : "as the file is now (the run names no commit):\n");
	if (detail->code != SL_OK)
		return;
	code = put_excerpt(detail, said->line, said->column, SG_DETAIL_AROUND);
	if (code != SL_END) {
		detail->code = code;
		return;
	}
	put_number(detail, "line ", said->line);
	put(detail, " is not in ");
	put_words(detail, said->path);
	put_number(detail, ", which has ",
		   sg_lines_count(detail->file.text, detail->file.length));
	put(detail, "\n");
}

static void put_event(struct detail *detail, size_t at)
{
	const struct sg_event *event = &detail->shown->said.events[at];
	enum sl_code code;

	put_number(detail, "  ", (int64_t)at + 1);
	put(detail, ".");
	if (event->path) {
		put(detail, " ");
		put_place(detail, event->path, event->line, event->column);
	}
	put_if(detail, event->path ? ", in " : " in ", event->function);
	put_if(detail, event->path || event->function ? ": " : " ",
	       event->message);
	put(detail, "\n");
	if (!event->path || !event->line)
		return;
	open_source(detail, event->path);
	if (detail->code != SL_OK || !detail->file.text)
		return;
	code = put_excerpt(detail, event->line, event->column, 0);
	detail->code = code == SL_END ? SL_OK : code;
}

/* ---- all of it --------------------------------------------------------- */

enum sl_code sg_detail_text(const struct sg_shown *shown,
			    const struct sg_detail_sources *sources,
			    const struct sg_look *look, struct sl_buffer *text,
			    struct sl_error *error)
{
	struct detail detail = {
		.shown = shown,
		.sources = sources,
		.text = text,
		.error = error,
		.width = WIDTH_PIPED,
		.color = look->color,
	};

	if (look->width)
		detail.width = look->width > WIDTH_MIN + MARGIN
				       ? look->width - MARGIN
				       : WIDTH_MIN;
	put_color(&detail, "\x1b[1m");
	put_number(&detail, "finding ", shown->finding);
	put_color(&detail, "\x1b[0m");
	put(&detail, ", ");
	put(&detail, shown->verdict);
	put_number(&detail, " in run ", shown->run);
	put_if(&detail, " of commit ", shown->run_commit);
	put(&detail, "\n");
	put_said(&detail);
	put_seen(&detail);
	put_history(&detail);
	put_accepted(&detail);
	put_source(&detail);
	if (shown->said.event_count)
		put(&detail, "\nthe way there:\n");
	for (size_t at = 0; at < shown->said.event_count; at++)
		put_event(&detail, at);
	return detail.code;
}
