/* SPDX-License-Identifier: MIT */
/* A SARIF log of runs, one a tool. A reader wants the tool with its rules
 * before the results, so results are held until their run is written. */
#include "report/sarif_log.h"

#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/json.h"
#include "report/report.h"

enum {
	RUNS_MAX = 16, /* being held; for one more the largest is written */
	HELD_BYTES = 16 << 20, /* of results, of all runs together */
	RULES_MAX = 4096, /* of a run; further ones stand in results only */
	BUCKETS = 4096, /* a power of two */
};

struct rule {
	struct rule *next; /* in its bucket */
	struct rule *later; /* in order of appearance */
	const char *level; /* of its first finding; static */
	char id[];
};

struct run {
	char *tool, *version; /* owned; version may be NULL */
	struct sl_buffer results; /* owned; objects and commas */
	struct sl_buffer notifications; /* the same */
	struct rule *buckets[BUCKETS]; /* owned */
	struct rule *first, **last;
	size_t rule_count;
};

struct sg_sarif_log {
	struct run *runs[RUNS_MAX]; /* owned, in order of appearance */
	size_t run_count;
	size_t held; /* bytes of results */
	bool is_open; /* the beginning was written */
	bool has_run; /* and a run */
	bool has_failed;
};

static void run_destroy(struct run *run)
{
	if (!run)
		return;
	while (run->first) {
		struct rule *rule = run->first;

		run->first = rule->later;
		free(rule);
	}
	free(run->results.data);
	free(run->notifications.data);
	free(run->tool);
	free(run->version);
	free(run);
}

struct sg_sarif_log *sg_sarif_log_create(void)
{
	return calloc(1, sizeof(struct sg_sarif_log));
}

void sg_sarif_log_destroy(struct sg_sarif_log *log)
{
	if (!log)
		return;
	for (size_t at = 0; at < log->run_count; at++)
		run_destroy(log->runs[at]);
	free(log);
}

void sg_sarif_log_fail(struct sg_sarif_log *log)
{
	log->has_failed = true;
}

/* ---- what a run holds ------------------------------------------------- */

static struct run *run_create(const char *tool, const char *version)
{
	struct run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->last = &run->first;
	run->tool = strdup(tool);
	run->version = version ? strdup(version) : NULL;
	if (run->tool && (run->version || !version))
		return run;
	run_destroy(run);
	return NULL;
}

static struct rule **bucket_of(struct run *run, const char *id)
{
	uint32_t hash = 2166136261U; /* FNV-1a */

	for (; *id; id++)
		hash = (hash ^ (unsigned char)*id) * 16777619U;
	return &run->buckets[(hash ^ hash >> 16) & (BUCKETS - 1)];
}

static enum sl_code note_rule(struct run *run, const struct sg_finding *finding,
			      struct sl_error *error)
{
	const char *id = finding->rule ? finding->rule : "";
	struct rule **bucket = bucket_of(run, id);
	size_t length = strlen(id);
	struct rule *rule = *bucket;

	while (rule && strcmp(rule->id, id) != 0)
		rule = rule->next;
	/* a rule's name is short; a text of 64 KB is none */
	if (rule || !length || length > 256 || run->rule_count == RULES_MAX)
		return SL_OK;
	rule = calloc(1, sizeof(*rule) + length + 1);
	if (!rule)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a rule");
	memcpy(rule->id, id, length);
	rule->level = sg_sarif_level(finding->severity);
	rule->next = *bucket;
	*bucket = rule;
	*run->last = rule;
	run->last = &rule->later;
	run->rule_count++;
	return SL_OK;
}

/* ---- writing ---------------------------------------------------------- */

static enum sl_code put(struct sl_buffer *text, const char *bytes,
			struct sl_error *error)
{
	return sg_report_put(text, bytes, strlen(bytes), error);
}

static void put_rules(yajl_gen gen, const struct run *run)
{
	sl_json_key(gen, "rules");
	yajl_gen_array_open(gen);
	for (const struct rule *rule = run->first; rule; rule = rule->later) {
		yajl_gen_map_open(gen);
		sl_json_pair(gen, "id", rule->id);
		sl_json_key(gen, "defaultConfiguration");
		yajl_gen_map_open(gen);
		sl_json_pair(gen, "level", rule->level);
		yajl_gen_map_close(gen);
		yajl_gen_map_close(gen);
	}
	yajl_gen_array_close(gen);
}

static enum sl_code put_tool(const struct run *run, struct sl_buffer *text,
			     struct sl_error *error)
{
	yajl_gen gen = sl_json_begin_line();

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a run");
	yajl_gen_map_open(gen);
	sl_json_key(gen, "driver");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "name", run->tool);
	if (run->version)
		sl_json_pair(gen, "version", run->version);
	put_rules(gen, run);
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
	return sl_json_end(gen, text, error);
}

static enum sl_code put_start(struct sg_sarif_log *log, struct sl_buffer *text,
			      struct sl_error *error)
{
	static const char start[] =
		"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\""
		",\"version\":\"2.1.0\",\"runs\":[\n";
	enum sl_code code = SL_OK;

	if (!log->is_open)
		code = put(text, start, error);
	else if (log->has_run)
		code = put(text, ",", error);
	log->is_open = true;
	log->has_run = true;
	return code;
}

static enum sl_code put_held(const struct sl_buffer *held,
			     struct sl_buffer *text, struct sl_error *error)
{
	return sg_report_put(text, held->data, held->used, error);
}

/* That all went well need not be said. */
static enum sl_code put_invocation(const struct sg_sarif_log *log,
				   const struct run *run,
				   struct sl_buffer *text,
				   struct sl_error *error)
{
	enum sl_code code;

	if (!log->has_failed && !run->notifications.used)
		return SL_OK;
	code = put(text,
		   log->has_failed
			   ? ",\"invocations\":[{\"executionSuccessful\":false"
			   : ",\"invocations\":[{\"executionSuccessful\":true",
		   error);
	if (code == SL_OK && run->notifications.used) {
		code = put(text, "\n,\"toolExecutionNotifications\":[\n",
			   error);
		if (code == SL_OK)
			code = put_held(&run->notifications, text, error);
		if (code == SL_OK)
			code = put(text, "]", error);
	}
	return code == SL_OK ? put(text, "}]\n", error) : code;
}

static enum sl_code put_run(struct sg_sarif_log *log, const struct run *run,
			    struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = put_start(log, text, error);

	if (code == SL_OK)
		code = put(text, "{\"tool\":", error);
	if (code == SL_OK)
		code = put_tool(run, text, error);
	if (code == SL_OK)
		code = put_invocation(log, run, text, error);
	if (code == SL_OK)
		code = put(text,
			   ",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
			   ",\"results\":[\n",
			   error);
	if (code == SL_OK)
		code = put_held(&run->results, text, error);
	if (code == SL_OK)
		code = put(text, "]}\n", error);
	return code;
}

/* @return the index of the run that holds most. */
static size_t largest(const struct sg_sarif_log *log)
{
	size_t found = 0;

	for (size_t at = 1; at < log->run_count; at++)
		if (log->runs[at]->results.used >
		    log->runs[found]->results.used)
			found = at;
	return found;
}

static enum sl_code write_run(struct sg_sarif_log *log, size_t at,
			      struct sl_buffer *text, struct sl_error *error)
{
	struct run *run = log->runs[at];
	enum sl_code code = put_run(log, run, text, error);

	log->held -= run->results.used;
	log->run_count--;
	memmove(&log->runs[at], &log->runs[at + 1],
		(log->run_count - at) * sizeof(*log->runs));
	run_destroy(run);
	return code;
}

static bool is_of(const struct run *run, const char *tool, const char *version)
{
	return strcmp(run->tool, tool) == 0 && !run->version == !version &&
	       (!version || strcmp(run->version, version) == 0);
}

static enum sl_code add_run(struct sg_sarif_log *log, const char *tool,
			    const char *version, struct run **run,
			    struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (log->run_count == RUNS_MAX)
		code = write_run(log, largest(log), text, error);
	if (code != SL_OK)
		return code;
	*run = run_create(tool, version);
	if (!*run)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a run");
	log->runs[log->run_count++] = *run;
	return SL_OK;
}

static enum sl_code find_run(struct sg_sarif_log *log,
			     const struct sg_finding *finding, struct run **run,
			     struct sl_buffer *text, struct sl_error *error)
{
	for (size_t at = 0; at < log->run_count; at++)
		if (is_of(log->runs[at], finding->tool,
			  finding->tool_version)) {
			*run = log->runs[at];
			return SL_OK;
		}
	return add_run(log, finding->tool, finding->tool_version, run, text,
		       error);
}

/* ---- verbs ------------------------------------------------------------ */

enum sl_code sg_sarif_log_put(struct sg_sarif_log *log,
			      const struct sg_finding *finding,
			      const struct sg_sarif_more *more,
			      struct sl_buffer *text, struct sl_error *error)
{
	struct run *run = NULL;
	size_t before;
	enum sl_code code = find_run(log, finding, &run, text, error);

	if (code != SL_OK)
		return code;
	before = run->results.used;
	if (before)
		code = put(&run->results, ",", error);
	if (code == SL_OK)
		code = sg_sarif_result(finding, more, &run->results, error);
	log->held += run->results.used - before;
	if (code == SL_OK)
		code = note_rule(run, finding, error);
	if (code == SL_OK && log->held > HELD_BYTES)
		code = write_run(log, largest(log), text, error);
	return code;
}

enum sl_code sg_sarif_log_notify(struct sg_sarif_log *log, const char *tool,
				 const char *level, const char *message,
				 const char *path, struct sl_buffer *text,
				 struct sl_error *error)
{
	struct run *run = NULL;
	enum sl_code code = SL_OK;

	for (size_t at = 0; !run && at < log->run_count; at++)
		if (strcmp(log->runs[at]->tool, tool) == 0)
			run = log->runs[at];
	if (!run)
		code = add_run(log, tool, NULL, &run, text, error);
	if (code == SL_OK && run->notifications.used)
		code = put(&run->notifications, ",", error);
	return code == SL_OK ? sg_sarif_notification(level, message, path,
						     &run->notifications, error)
			     : code;
}

/* No finding at all is a result too, and that something went wrong. */
static enum sl_code put_empty_run(struct sg_sarif_log *log,
				  struct sl_buffer *text,
				  struct sl_error *error)
{
	struct run *run = run_create("scgate", NULL);
	enum sl_code code;

	if (!run)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a run");
	code = put_run(log, run, text, error);
	run_destroy(run);
	return code;
}

enum sl_code sg_sarif_log_end(struct sg_sarif_log *log, struct sl_buffer *text,
			      struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (!log->run_count && (!log->has_run || log->has_failed))
		code = put_empty_run(log, text, error);
	while (code == SL_OK && log->run_count)
		code = write_run(log, 0, text, error);
	if (code == SL_OK)
		code = put(text, "]}\n", error);
	return code;
}
