/* SPDX-License-Identifier: MIT */
/* One finding as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/detail.h"
#include "report/excerpt.h"

struct writing {
	yajl_gen gen;
	const struct sg_shown *shown;
	const struct sg_detail_sources *sources;
	struct sl_error *error;
	struct sg_detail_file file;
	enum sl_code code; /* SL_OK until something fails */
};

static void put_time(yajl_gen gen, const char *key, int64_t time)
{
	char text[SG_TIME_TEXT];

	sl_json_pair(gen, key, sg_time_text(time, text));
}

/* ---- source ------------------------------------------------------------ */

static void open_source(struct writing *writing, const char *path)
{
	if (writing->code == SL_OK)
		writing->code = sg_detail_open(&writing->file, writing->sources,
					       path, writing->error);
}

/* A line as a text; null if it is not at hand. */
static void put_line(struct writing *writing, int64_t line)
{
	size_t length = 0;
	const char *start = NULL;
	char *copy;

	if (writing->file.text)
		start = sg_lines_find(writing->file.text, writing->file.length,
				      line, &length);
	if (!start) {
		yajl_gen_null(writing->gen);
		return;
	}
	/* A NUL would end it. */
	copy = malloc(length + 1);
	if (!copy) {
		writing->code = SL_FAIL(writing->error, SL_ENOMEM,
					"no memory for a line");
		return;
	}
	for (size_t at = 0; at < length; at++)
		copy[at] = start[at] ? start[at] : '?';
	copy[length] = '\0';
	sl_json_text(writing->gen, copy);
	free(copy);
}

static void put_source(struct writing *writing)
{
	const struct sg_finding *said = &writing->shown->said;
	int64_t around = SG_DETAIL_AROUND;
	int64_t first = said->line > around ? said->line - around : 1;
	int64_t count;

	sl_json_key(writing->gen, "source");
	if (said->path && said->line)
		open_source(writing, said->path);
	count = writing->file.text ? sg_lines_count(writing->file.text,
						    writing->file.length)
				   : 0;
	if (!said->path || !said->line || said->line > count) {
		yajl_gen_null(writing->gen);
		return;
	}
	yajl_gen_map_open(writing->gen);
	sl_json_pair(writing->gen, "commit", writing->sources->commit);
	sl_json_integer(writing->gen, "first_line", first);
	sl_json_key(writing->gen, "lines");
	yajl_gen_array_open(writing->gen);
	for (int64_t line = first; line <= count && line - around <= said->line;
	     line++)
		put_line(writing, line);
	yajl_gen_array_close(writing->gen);
	yajl_gen_map_close(writing->gen);
}

static void put_event(struct writing *writing, const struct sg_event *event)
{
	yajl_gen gen = writing->gen;

	yajl_gen_map_open(gen);
	sl_json_pair(gen, "path", event->path);
	sl_json_known(gen, "line", event->line);
	sl_json_known(gen, "column", event->column);
	sl_json_pair(gen, "message", event->message);
	sl_json_pair(gen, "function", event->function);
	sl_json_key(gen, "source");
	if (event->path && event->line) {
		open_source(writing, event->path);
		put_line(writing, event->line);
	} else {
		yajl_gen_null(gen);
	}
	yajl_gen_map_close(gen);
}

/* ---- members ----------------------------------------------------------- */

static void put_said(yajl_gen gen, const struct sg_finding *said)
{
	sl_json_pair(gen, "tool", said->tool);
	sl_json_pair(gen, "tool_version", said->tool_version);
	sl_json_pair(gen, "rule", said->rule);
	sl_json_pair(gen, "severity", sg_severity_text(said->severity));
	sl_json_pair(gen, "severity_word", said->severity_word);
	sl_json_pair(gen, "message", said->message);
	sl_json_pair(gen, "verbose", said->verbose);
	sl_json_pair(gen, "path", said->path);
	sl_json_known(gen, "line", said->line);
	sl_json_known(gen, "column", said->column);
	sl_json_known(gen, "end_line", said->end_line);
	sl_json_known(gen, "end_column", said->end_column);
	sl_json_pair(gen, "function", said->function);
	sl_json_known(gen, "cwe", said->cwe);
	sl_json_bool(gen, "inconclusive", said->inconclusive);
	sl_json_integer(gen, "repeats", said->repeats);
	sl_json_key(gen, "units");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < said->unit_count; at++)
		sl_json_text(gen, said->units[at]);
	yajl_gen_array_close(gen);
}

static void put_history(yajl_gen gen, const struct sg_shown *shown)
{
	put_time(gen, "first_time", shown->first_time);
	sl_json_known(gen, "first_run", shown->first_run);
	sl_json_pair(gen, "first_commit", shown->first_commit);
	sl_json_key(gen, "runs");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < shown->history_count; at++) {
		yajl_gen_map_open(gen);
		sl_json_integer(gen, "run", shown->history[at].run);
		sl_json_pair(gen, "verdict", shown->history[at].verdict);
		yajl_gen_map_close(gen);
	}
	yajl_gen_array_close(gen);
}

static void put_accepted(yajl_gen gen, const struct sg_shown *shown)
{
	sl_json_bool(gen, "suppressed_by_report", shown->said.suppressed);
	sl_json_key(gen, "suppression");
	if (!shown->entry) {
		yajl_gen_null(gen);
		return;
	}
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "state", shown->entry_state);
	sl_json_pair(gen, "reason", shown->entry->reason);
	sl_json_pair(gen, "until", shown->entry->until);
	sl_json_integer(gen, "position", shown->entry->position);
	yajl_gen_map_close(gen);
}

enum sl_code sg_detail_json(const struct sg_shown *shown,
			    const struct sg_detail_sources *sources,
			    struct sl_buffer *text, struct sl_error *error)
{
	struct writing writing = {
		.gen = sl_json_begin(),
		.shown = shown,
		.sources = sources,
		.error = error,
	};
	yajl_gen gen = writing.gen;
	enum sl_code code;

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "finding", shown->finding);
	sl_json_integer(gen, "run", shown->run);
	put_time(gen, "run_time", shown->run_time);
	sl_json_pair(gen, "run_commit", shown->run_commit);
	sl_json_pair(gen, "verdict", shown->verdict);
	put_said(gen, &shown->said);
	put_history(gen, shown);
	put_accepted(gen, shown);
	put_source(&writing);
	sl_json_pair(gen, "source_missing",
		     sources->source ? NULL : sources->missing);
	sl_json_key(gen, "events");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < shown->said.event_count; at++)
		put_event(&writing, &shown->said.events[at]);
	yajl_gen_array_close(gen);
	yajl_gen_map_close(gen);
	code = sl_json_end(gen, text, writing.code == SL_OK ? error : NULL);
	return writing.code == SL_OK ? code : writing.code;
}
