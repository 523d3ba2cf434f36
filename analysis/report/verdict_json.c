/* SPDX-License-Identifier: MIT */
/* All of a verdict as one JSON object. */
#include "base/json.h"
#include "report/verdict.h"

/* ---- values ------------------------------------------------------------ */

static void put_texts(yajl_gen gen, const char *key, const char *const *texts)
{
	sl_json_key(gen, key);
	yajl_gen_array_open(gen);
	for (; texts && *texts; texts++)
		sl_json_text(gen, *texts);
	yajl_gen_array_close(gen);
}

static void put_seconds(yajl_gen gen, const char *key, int64_t ns)
{
	sl_json_number(gen, key, (double)ns / 1e9);
}

/* ---- findings ---------------------------------------------------------- */

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

static void put_finding(yajl_gen gen, const struct sg_finding *finding)
{
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
	sl_json_key(gen, "events");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < finding->event_count; at++)
		put_event(gen, &finding->events[at]);
	yajl_gen_array_close(gen);
}

static void put_identity(yajl_gen gen, const char *key,
			 const struct sg_judged *judged)
{
	char text[SG_HASH_TEXT];

	sg_hash_format(judged->identity, text);
	sl_json_pair(gen, key, text);
}

static void put_judged(yajl_gen gen, const struct sg_judged *judged)
{
	yajl_gen_map_open(gen);
	put_identity(gen, "identity", judged);
	sl_json_pair(gen, "verdict", sg_verdict_text(judged->verdict));
	put_finding(gen, &judged->finding);
	sl_json_pair(gen, "was_path", judged->was_path);
	sl_json_known(gen, "was_line", judged->was_line);
	sl_json_pair(gen, "policy", sg_policy_names[judged->policy]);
	sl_json_bool(gen, "counts", judged->counts);
	sl_json_bool(gen, "objected", judged->is_objected);
	sl_json_bool(gen, "swap", judged->is_swap);
	if (judged->swapped)
		put_identity(gen, "swapped", judged->swapped);
	else
		sl_json_pair(gen, "swapped", NULL);
	sl_json_bool(gen, "accepted", judged->accepted);
	sl_json_bool(gen, "accepted_before", judged->accepted_before);
	sl_json_bool(gen, "entry_is_new", judged->entry_is_new);
	sl_json_pair(gen, "reason", judged->reason);
	sl_json_pair(gen, "until", judged->until);
	yajl_gen_map_close(gen);
}

/* ---- what is not a finding --------------------------------------------- */

static void put_count(yajl_gen gen, const struct sg_judged_count *count)
{
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "tool", count->tool);
	sl_json_pair(gen, "rule", count->rule);
	sl_json_integer(gen, "before", count->before);
	sl_json_integer(gen, "after", count->after);
	sl_json_integer(gen, "new", count->added);
	sl_json_integer(gen, "fixed", count->fixed);
	sl_json_integer(gen, "unknown", count->unknown);
	yajl_gen_map_close(gen);
}

static void put_trouble(yajl_gen gen, const struct sg_trouble *trouble)
{
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "state", trouble->limited ? "limited" : "incomplete");
	sl_json_bool(gen, "in_base", trouble->in_base);
	sl_json_pair(gen, "unit", trouble->unit);
	sl_json_pair(gen, "tool", trouble->tool);
	sl_json_pair(gen, "why", trouble->why);
	sl_json_pair(gen, "words", trouble->words);
	yajl_gen_map_close(gen);
}

static void put_head(yajl_gen gen, const struct sg_judgement *judgement)
{
	static const char *const outcomes[] = {
		[SG_PASS] = "passed",
		[SG_REJECTED] = "rejected",
		[SG_INCOMPLETE] = "incomplete",
	};

	sl_json_pair(gen, "outcome", outcomes[judgement->outcome]);
	put_texts(gen, "objections", judgement->objections);
	sl_json_pair(gen, "tested", judgement->tested);
	sl_json_pair(gen, "base", judgement->base);
	sl_json_bool(gen, "merge", judgement->is_merge);
	sl_json_bool(gen, "changes_code", judgement->changes_code);
	sl_json_bool(gen, "whole", judgement->is_whole);
	sl_json_integer(gen, "units", (int64_t)judgement->units);
	sl_json_integer(gen, "affected", (int64_t)judgement->affected);
	sl_json_integer(gen, "analysed", (int64_t)judgement->analysed);
	sl_json_integer(gen, "cached", (int64_t)judgement->cached);
	put_seconds(gen, "elapsed_s", judgement->elapsed_ns);
	put_seconds(gen, "tools_s", judgement->tools_ns);
}

static enum sl_code write_json(const struct sg_verdict_view *view,
			       struct sl_buffer *text, struct sl_error *error)
{
	const struct sg_judgement *judgement = view->judgement;
	yajl_gen gen = sl_json_begin();

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a verdict");
	yajl_gen_map_open(gen);
	put_head(gen, judgement);
	put_texts(gen, "notes", judgement->notes);
	put_texts(gen, "next", judgement->steps);
	sl_json_key(gen, "troubles");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < judgement->trouble_count; at++)
		put_trouble(gen, &judgement->troubles[at]);
	yajl_gen_array_close(gen);
	sl_json_key(gen, "counts");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < judgement->count_count; at++)
		put_count(gen, &judgement->counts[at]);
	yajl_gen_array_close(gen);
	sl_json_key(gen, "findings");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < judgement->judged_count; at++)
		put_judged(gen, &judgement->judged[at]);
	yajl_gen_array_close(gen);
	yajl_gen_map_close(gen);
	return sl_json_end(gen, text, error);
}

const struct sg_verdict_writer sg_verdict_writer_json = {
	.name = "json",
	.summary = "all of it, one object",
	.write = write_json,
};
