/* SPDX-License-Identifier: MIT */
/* Findings as JSON lines. */
#include <yajl/yajl_gen.h>

#include "base/json.h"
#include "report/report.h"

static void put_event(yajl_gen gen, const struct sg_event *event)
{
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "path", event->path);
	sl_json_known(gen, "line", event->line);
	sl_json_known(gen, "column", event->column);
	sl_json_pair(gen, "message", event->message);
	sl_json_pair(gen, "function", event->function);
	yajl_gen_map_close(gen);
}

static void put_members(yajl_gen gen, const struct sg_finding *finding)
{
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "tool", finding->tool);
	sl_json_pair(gen, "rule", finding->rule);
	sl_json_pair(gen, "severity", sg_severity_text(finding->severity));
	sl_json_pair(gen, "severity_word", finding->severity_word);
	sl_json_pair(gen, "message", finding->message);
	sl_json_pair(gen, "path", finding->path);
	sl_json_known(gen, "line", finding->line);
	sl_json_known(gen, "column", finding->column);
	sl_json_pair(gen, "function", finding->function);
	sl_json_known(gen, "cwe", finding->cwe);
	sl_json_key(gen, "suppressed");
	yajl_gen_bool(gen, finding->suppressed);
	sl_json_integer(gen, "repeats", finding->repeats);
	sl_json_key(gen, "units");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < finding->unit_count; at++)
		sl_json_text(gen, finding->units[at]);
	yajl_gen_array_close(gen);
	sl_json_key(gen, "events");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < finding->event_count; at++)
		put_event(gen, &finding->events[at]);
	yajl_gen_array_close(gen);
	yajl_gen_map_close(gen);
}

static enum sl_code put_finding(void *state, const struct sg_finding *finding,
				struct sl_buffer *text, struct sl_error *error)
{
	yajl_gen gen = sl_json_begin_line();

	(void)state;
	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	put_members(gen, finding);
	return sl_json_end(gen, text, error);
}

const struct sg_writer sg_writer_jsonl = {
	.name = "jsonl",
	.summary = "one JSON object a line",
	.finding = put_finding,
};
