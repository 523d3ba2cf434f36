/* SPDX-License-Identifier: MIT */
/* What a run of an analyzer came to: whether it did its work, and its findings
 * as those of the tree. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/check_jobs.h"
#include "gate/check_keys.h"
#include "read/document.h"
#include "read/normal.h"
#include "run/path.h"

enum { WORDS_MAX = 2048, LINES_MAX = 6, WHY_MAX = 640 };

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for findings");
}

/* ---- failures ---------------------------------------------------------- */

static bool is_good_status(const struct sg_gate_job *job)
{
	const int *statuses =
		job->tool == SG_GATE_COMPILER
			? NULL
			: job->check->tools[job->tool].analyzer->statuses;

	if (!statuses)
		return job->result.status == 0;
	for (; *statuses >= 0; statuses++)
		if (*statuses == job->result.status)
			return true;
	return false;
}

static bool is_built_in(const struct sg_gate_job *job)
{
	const char *const *names = sg_analyzer_builtins();

	for (; *names; names++)
		if (strcmp(*names,
			   job->check->tools[job->tool].analyzer->name) == 0)
			return true;
	return false;
}

/* A failure without words, for there is no memory, is one all the same. */
static const char *or_no_words(const char *why)
{
	return why ? why : "failed, and there is no memory to say how";
}

static const char *describe(const struct sg_gate_job *job)
{
	struct sl_arena *arena = &job->check->arena;
	int status = job->result.status;

	switch (job->result.end) {
	case SG_JOB_EXITED:
		if (job->tool == SG_GATE_COMPILER)
			return "it does not compile";
		return sl_arena_printf(arena,
				       is_built_in(job)
					       ? "exited with %d"
					       : "exited with %d (if that is "
						 "no failure, name it in "
						 "its \"statuses\")",
				       status);
	case SG_JOB_KILLED:
		return sl_arena_printf(arena, "was killed by signal %d (%s)",
				       status, strsignal(status));
	case SG_JOB_TIMED_OUT:
		return sl_arena_printf(arena, "timed out after %.0f s",
				       (double)job->result.elapsed_ns / 1e9);
	case SG_JOB_NOT_FOUND:
		return sl_arena_printf(arena, "cannot run %s: %s",
				       job->command.words[0], strerror(status));
	case SG_JOB_LEFT:
		return "there was no time left for it";
	}
	return NULL;
}

const char *sg_gate_job_failure(const struct sg_gate_job *job)
{
	if (job->result.end == SG_JOB_EXITED && is_good_status(job))
		return NULL;
	return or_no_words(describe(job));
}

/* ---- words ------------------------------------------------------------- */

/* The end of a file, from the start of a line on. */
static char *tail_of(struct sl_arena *arena, const char *path)
{
	char text[WORDS_MAX + 1], *from = text;
	FILE *file = fopen(path, "re");
	size_t length;
	int lines = 0;

	if (!file)
		return NULL;
	if (fseek(file, -WORDS_MAX, SEEK_END))
		(void)fseek(file, 0, SEEK_SET);
	length = fread(text, 1, WORDS_MAX, file);
	fclose(file);
	while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
		length--;
	text[length] = '\0';
	for (char *at = text + length; at > text; at--)
		if (at[-1] == '\n' && ++lines == LINES_MAX) {
			from = at;
			break;
		}
	return length ? sl_arena_text(arena, from, strlen(from)) : NULL;
}

/* Take the exported tree's name out of what a tool says of it, in place. */
static void take_out(char *text, const char *folder)
{
	size_t length = strlen(folder);
	char *to = text;

	for (const char *at = text; *at;) {
		if (*at == '/' && strncmp(at, folder, length) == 0 &&
		    at[length] == '/')
			at += length + 1;
		else
			*to++ = *at++;
	}
	*to = '\0';
}

const char *sg_gate_job_words(const struct sg_gate_job *job)
{
	struct sl_arena *arena = &job->check->arena;
	char *words = tail_of(arena, job->err);

	if (!words)
		words = tail_of(arena, job->out);
	if (words)
		take_out(words, job->tree->folder);
	return words;
}

/* ---- findings ---------------------------------------------------------- */

/* On the way from a report to the store. */
struct taking {
	const struct sg_gate_job *job;
	struct sl_arena arena; /* of one finding */
	bool store_failed;
};

/* Paths that normalising left absolute since a link led out of the exported
 * tree. */
static const char *own_path(const struct taking *taking, const char *path)
{
	const char *const folders[] = { taking->job->tree->folder,
					taking->job->check->settings.root };

	for (size_t at = 0; path && *path == '/' && at < 2; at++) {
		const char *below = sg_path_below(folders[at], path);

		if (below && *below)
			return below;
	}
	return path;
}

static const char *own_words(struct taking *taking, const char *text,
			     bool *lacks_memory)
{
	const char *folder = taking->job->tree->folder;
	char *copy;

	if (!text || !strstr(text, folder))
		return text;
	copy = sl_arena_text(&taking->arena, text, strlen(text));
	if (copy)
		take_out(copy, folder);
	*lacks_memory |= !copy;
	return copy;
}

/* Built-in analyzers are called as their reports call them. Of others a log may
 * look as anybody's: they are called as the configuration calls them. */
static bool is_builtin(const struct sg_gate_job *job)
{
	const char *name = job->check->tools[job->tool].analyzer->name;

	for (const char *const *at = sg_analyzer_builtins(); *at; at++)
		if (strcmp(*at, name) == 0)
			return true;
	return false;
}

static enum sl_code take(void *context, const struct sg_finding *said,
			 struct sl_error *error)
{
	struct taking *taking = context;
	struct sg_finding finding = *said;
	bool lacks = false;
	struct sg_event *events;
	enum sl_code code;

	sl_arena_clear(&taking->arena);
	events = sl_arena_alloc(&taking->arena,
				(said->event_count + 1) * sizeof(*events));
	if (!events)
		return no_memory(error);
	if (!is_builtin(taking->job))
		finding.tool = taking->job->check->tools[taking->job->tool]
				       .analyzer->name;
	finding.path = own_path(taking, said->path);
	finding.message = own_words(taking, said->message, &lacks);
	finding.verbose = own_words(taking, said->verbose, &lacks);
	for (size_t at = 0; at < said->event_count; at++) {
		events[at] = said->events[at];
		events[at].path = own_path(taking, events[at].path);
		events[at].message =
			own_words(taking, events[at].message, &lacks);
	}
	finding.events = events;
	if (lacks)
		return no_memory(error);
	code = sg_kept_add(taking->job->check->store, &finding, error);
	taking->store_failed = code != SL_OK;
	return code;
}

static const char *report_of(const struct sg_gate_job *job)
{
	switch (job->check->tools[job->tool].analyzer->output) {
	case SG_ANALYZER_STDOUT:
		return job->out;
	case SG_ANALYZER_STDERR:
		return job->err;
	case SG_ANALYZER_REPORT:
		return job->report;
	}
	return job->out;
}

static enum sl_code read_report(struct taking *taking,
				struct sg_document *document,
				struct sl_error *error)
{
	const struct sg_gate_job *job = taking->job;
	const char *const bases[] = { job->tree->folder,
				      job->command.directory };
	const struct sg_normal_settings settings = {
		.root = job->tree->folder,
		.bases = bases,
		.base_count = 2,
	};
	struct sg_normal *normal;
	enum sl_code code =
		sg_normal_create(&normal, &settings, take, taking, error);

	if (code != SL_OK)
		return code;
	code = sg_document_read(report_of(job),
				job->check->tools[job->tool].analyzer->format,
				sg_normal_take, normal, document, error);
	if (code == SL_OK)
		code = sg_normal_flush(normal, error);
	sg_normal_destroy(normal);
	return code;
}

/* @return why the report is not whole; NULL: it is, for the exit status proves
 * what a log does not. */
static const char *fault_of(const struct sg_gate_job *job,
			    const struct sg_ending *ending)
{
	if (ending->kind == SG_COMPLETE || ending->kind == SG_UNVERIFIED)
		return NULL;
	return or_no_words(sl_arena_printf(
		&job->check->arena, "its report is %s%s%s",
		sg_ending_text(ending->kind), ending->message[0] ? ": " : "",
		ending->message));
}

static enum sl_code fail(const struct sg_gate_job *job, const char *why,
			 struct sg_gate_result *result, struct sl_error *error)
{
	struct sg_check *check = job->check;
	const struct sg_trouble trouble = {
		.in_base = job->tree->is_base,
		.unit = job->row ? job->row->unit->source : NULL,
		.tool = check->tools[job->tool].analyzer->name,
		.why = why,
		.words = sg_gate_job_words(job),
	};

	result->failed = true;
	if (job->row && job->row->is_guess)
		return SL_OK;
	job->tree->failed = true;
	if (job->result.end == SG_JOB_LEFT)
		check->ran_out = true;
	return sg_check_trouble(check, &trouble, error);
}

enum sl_code sg_gate_job_keep(const struct sg_gate_job *job, struct sg_hash key,
			      struct sg_gate_result *result,
			      struct sl_error *error)
{
	struct sg_check *check = job->check;
	struct taking taking = { .job = job };
	struct sg_document document = { .format = NULL };
	struct sg_result_end end = { .state = SG_RUN_COMPLETE };
	struct sg_kept_result kept;
	const char *why = sg_gate_job_failure(job);
	enum sl_code code;

	if (why)
		return fail(job, why, result, error);
	code = read_report(&taking, &document, error);
	sl_arena_finish(&taking.arena);
	if (code == SL_EIO && !taking.store_failed) {
		why = or_no_words(
			sl_arena_printf(&check->arena, "%s", error->message));
		code = SL_OK;
	}
	if (code != SL_OK)
		return code;
	if (!why)
		why = fault_of(job, &document.ending);
	end.tool = document.ending.tool[0]
			   ? document.ending.tool
			   : check->tools[job->tool].analyzer->name;
	end.tool_version = check->tools[job->tool].version;
	if (why)
		end.state = SG_RUN_INCOMPLETE;
	code = sg_kept_end(check->store, key, &end, &kept, error);
	result->id = kept.id;
	result->state = kept.state;
	return code == SL_OK && why ? fail(job, why, result, error) : code;
}
