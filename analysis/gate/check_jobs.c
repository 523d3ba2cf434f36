/* SPDX-License-Identifier: MIT */
/* Runs of analyzers and compilers, and how a unit's runs become its results. */
#include "gate/check_jobs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gate/check_keys.h"
#include "run/file.h"
#include "run/path.h"
#include "sluice/buffer.h"

/* Only the syntax is looked at: what takes longer hangs. */
#define COMPILE_TIMEOUT_NS (300 * INT64_C(1000000000))

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for analyzers");
}

/* ---- making ------------------------------------------------------------ */

static enum sl_code make_command(struct sg_gate_job *job,
				 struct sl_error *error)
{
	struct sg_check *check = job->check;
	const struct sg_exported exported = {
		.root = check->settings.root,
		.folder = job->tree->folder,
		.build = job->tree->database,
	};
	const struct sg_unit **units;
	size_t count = 0;

	if (job->tool == SG_GATE_COMPILER)
		return sg_compile_command(job->row->unit, &exported,
					  job->report, &check->arena,
					  &job->command, error);
	units = sl_arena_alloc(&check->arena,
			       (job->tree->count + 1) * sizeof(*units));
	if (!units)
		return no_memory(error);
	for (size_t at = 0; at < job->tree->count; at++)
		if (job->row ? job->row == &job->tree->rows[at]
			     : sg_check_is_for(&check->tools[job->tool],
					       &job->tree->rows[at]))
			units[count++] = job->tree->rows[at].unit;
	return sg_analyzer_command(check->tools[job->tool].analyzer, units,
				   count, &exported, job->report, &check->arena,
				   &job->command, error);
}

enum sl_code sg_gate_job_add(struct sg_check *check, struct sg_gate_tree *tree,
			     struct sg_gate_unit *row, size_t tool,
			     struct sg_jobs *jobs, struct sl_error *error)
{
	struct sg_gate_job *job = sl_arena_alloc(&check->arena, sizeof(*job));
	struct sg_job process = { .context = job };
	enum sl_code code;

	if (!job)
		return no_memory(error);
	*job = (struct sg_gate_job){
		.check = check,
		.tree = tree,
		.row = row,
		.tool = tool,
		.out = sg_check_new_file(check, "out"),
		.err = sg_check_new_file(check, "err"),
		.report = sg_check_new_file(check, "report"),
	};
	if (!job->out || !job->err || !job->report)
		return no_memory(error);
	code = make_command(job, error);
	if (code != SL_OK)
		return code;
	process.words = job->command.words;
	process.directory = job->command.directory;
	process.out = job->out;
	process.err = job->err;
	process.timeout_ns = tool == SG_GATE_COMPILER
				     ? COMPILE_TIMEOUT_NS
				     : check->tools[tool].analyzer->timeout_ns;
	if (row) {
		job->next = row->jobs;
		row->jobs = job;
		row->pending++;
	}
	return sg_jobs_add(jobs, &process, error);
}

/* ---- compiling --------------------------------------------------------- */

struct listing {
	struct sg_gate_job *job;
	const char *escaped; /* a tracked file that was read in the real tree */
	const struct sg_closure *closure;
	struct sl_buffer list;
};

static bool is_in_closure(const struct listing *listing, const char *path)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(listing->job->tree->snapshot, &count);
	const struct sg_snapshot_file *file =
		sg_snapshot_find(listing->job->tree->snapshot, path);
	size_t at = file ? (size_t)(file - files) : SIZE_MAX;

	for (size_t row = 0; row < listing->closure->count; row++)
		if (listing->closure->files[row] == at)
			return true;
	return false;
}

/* @return whether a path in the real tree is that of a tracked file. */
static bool is_tracked(const struct listing *listing, const char *path)
{
	const char *below =
		sg_path_below(listing->job->check->settings.root, path);

	return below && sg_snapshot_find(listing->job->tree->snapshot, below);
}

/* A path that the compiler read: of the closure, which is in the key already;
 * of the tree all the same; linked in from the real tree; or somewhere else. */
static enum sl_code take_path(void *context, const char *path,
			      struct sl_error *error)
{
	struct listing *listing = context;
	struct sg_check *check = listing->job->check;
	const char *whole = sg_path_join(listing->job->command.directory, path,
					 &check->arena);
	const char *line = whole, *inside;
	size_t length;
	enum sl_code code;

	if (!whole)
		return no_memory(error);
	inside = sg_path_below(listing->job->tree->folder, whole);
	if (inside && sg_snapshot_find(listing->job->tree->snapshot, inside)) {
		if (is_in_closure(listing, inside))
			return SL_OK;
		line = inside;
	} else if (inside) {
		line = sg_path_join(check->settings.root, inside,
				    &check->arena);
	}
	/* by an absolute path both trees would see the same file: whatever the
	 * change does to it, nobody would notice */
	if (!inside && is_tracked(listing, whole))
		listing->escaped = whole;
	if (!line)
		return no_memory(error);
	length = strlen(line);
	code = sl_buffer_reserve(&listing->list, length + 2, error);
	if (code != SL_OK)
		return code;
	memcpy(listing->list.data + listing->list.used, line, length);
	listing->list.used += length;
	listing->list.data[listing->list.used++] = '\n';
	return SL_OK;
}

/* What the compiler read becomes the list of what is outside. */
static enum sl_code list_outside(struct sg_gate_job *job, const char **list,
				 struct sl_error *error)
{
	struct listing listing = { .job = job };
	struct sl_buffer rule = { .data = NULL };
	struct sg_closure closure;
	enum sl_code code = sg_check_closure(job->check, job->tree,
					     job->row->unit, &closure, error);

	listing.closure = &closure;
	if (code == SL_OK)
		code = sg_file_read(job->report, SIZE_MAX, &rule, error);
	if (code == SL_OK)
		code = sg_make_rule_read(rule.data, rule.used, take_path,
					 &listing, error);
	if (code == SL_OK && listing.escaped)
		code = SL_FAIL(error, SL_EINVAL,
			       "it reads %s of the work tree itself, by an "
			       "absolute path, which hides changes of it",
			       sl_path_tail(listing.escaped));
	if (code == SL_OK) {
		*list = sl_arena_text(&job->check->arena,
				      listing.list.data ? listing.list.data
							: "",
				      listing.list.used);
		if (!*list)
			code = no_memory(error);
	}
	free(rule.data);
	free(listing.list.data);
	return code;
}

static enum sl_code note_compiled(struct sg_gate_job *job, const char *list,
				  struct sl_error *error)
{
	struct sg_check *check = job->check;
	struct sg_gate_unit *row = job->row;
	enum sl_code code = sg_kept_put_note(
		check->store, sg_check_compile_key(check, row, "compile"), list,
		error);

	if (code == SL_OK)
		code = sg_check_hash_outside(check, job->tree, row, list,
					     error);
	if (code == SL_OK)
		code = sg_kept_put_note(check->store,
					sg_check_compiled_key(check, row), "",
					error);
	row->compiled = code == SL_OK;
	return code;
}

static enum sl_code add_trouble(const struct sg_gate_job *job, const char *why,
				struct sl_error *error)
{
	struct sg_check *check = job->check;
	const struct sg_trouble trouble = {
		.in_base = job->tree->is_base,
		.unit = job->row ? job->row->unit->source : NULL,
		.tool = job->tool == SG_GATE_COMPILER
				? "compile"
				: check->tools[job->tool].analyzer->name,
		.why = why,
		.words = sg_gate_job_words(job),
	};

	if (job->row && job->row->is_guess)
		return sg_check_note(check, error,
				     "what %s had is not known: how it was "
				     "compiled can only be guessed",
				     job->row->unit->source);
	job->tree->failed = true;
	if (job->result.end == SG_JOB_LEFT)
		check->ran_out = true;
	return sg_check_trouble(check, &trouble, error);
}

/* A unit that does not compile has been understood by no analyzer. */
static enum sl_code settle_compiled(struct sg_gate_job *job,
				    struct sl_error *error)
{
	struct sl_error rule = { .code = SL_OK };
	const char *why = sg_gate_job_failure(job), *list = NULL;
	enum sl_code code = SL_OK;

	if (!why) {
		code = list_outside(job, &list, &rule);
		if (code != SL_OK && code != SL_EINVAL && code != SL_EIO)
			return SL_FAIL(error, code, "%s", rule.message);
		if (code != SL_OK)
			why = sl_arena_printf(&job->check->arena, "%s",
					      rule.message);
		if (code != SL_OK && !why)
			return no_memory(error);
	}
	if (!why)
		return note_compiled(job, list, error);
	job->row->failed = true;
	return add_trouble(job, why, error);
}

/* ---- settling ---------------------------------------------------------- */

static enum sl_code settle_tools(struct sg_gate_unit *row,
				 struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (struct sg_gate_job *job = row->jobs; code == SL_OK && job;
	     job = job->next)
		if (job->tool != SG_GATE_COMPILER)
			code = sg_gate_job_keep(
				job, sg_check_key(job->check, row, job->tool),
				&row->results[job->tool], error);
	return code;
}

static enum sl_code settle_row(struct sg_gate_unit *row, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (struct sg_gate_job *job = row->jobs; code == SL_OK && job;
	     job = job->next)
		if (job->tool == SG_GATE_COMPILER)
			code = settle_compiled(job, error);
	if (code == SL_OK && row->compiled)
		code = settle_tools(row, error);
	return code;
}

static enum sl_code settle_once(struct sg_gate_job *job, struct sl_error *error)
{
	enum sl_code code =
		sg_check_know_outside(job->check, job->tree, job->tool, error);

	return code == SL_OK ? sg_gate_job_keep(
				       job,
				       sg_check_once_key(job->check, job->tree,
							 job->tool),
				       &job->tree->once[job->tool], error)
			     : code;
}

/* What a run found goes to the store at once: what was done is not lost. */
static enum sl_code settle(struct sg_gate_job *job, struct sl_error *error)
{
	struct sg_store *store = job->check->store;
	enum sl_code code = sg_kept_begin(store, sg_snapshot_text,
					  job->tree->snapshot, error);

	if (code == SL_OK)
		code = job->row ? settle_row(job->row, error)
				: settle_once(job, error);
	if (code != SL_OK) {
		sg_store_abandon(store);
		return code;
	}
	return sg_kept_commit(store, error);
}

enum sl_code sg_gate_job_ended(void *context, const struct sg_job *process,
			       const struct sg_job_result *result,
			       struct sl_error *error)
{
	struct sg_check *check = context;
	struct sg_gate_job *job = process->context;

	job->result = *result;
	check->judgement.analysed +=
		job->tool != SG_GATE_COMPILER && result->end != SG_JOB_LEFT;
	if (!job->row) { /* its key wants what compilers have still to say */
		job->next = check->once_ended;
		check->once_ended = job;
		return SL_OK;
	}
	return --job->row->pending ? SL_OK : settle(job, error);
}

enum sl_code sg_gate_jobs_settle(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (struct sg_gate_job *job = check->once_ended; code == SL_OK && job;
	     job = job->next)
		code = settle(job, error);
	check->once_ended = NULL;
	return code;
}
