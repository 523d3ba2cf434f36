/* SPDX-License-Identifier: MIT */
/* The results that a check needs: looked up, or made now. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "gate/check_jobs.h"
#include "gate/check_keys.h"

/* ---- what is missing --------------------------------------------------- */

static enum sl_code look_up_tree(struct sg_check *check,
				 struct sg_gate_tree *tree, bool all,
				 struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < tree->count; at++)
		if (all || tree->rows[at].wanted)
			code = sg_check_look_up(check, tree, &tree->rows[at],
						error);
	return code;
}

/* An analyzer that runs once for all is asked if the tree has a unit for it,
 * wanted or not: it sees them together. */
static bool wants_once(const struct sg_check *check,
		       const struct sg_gate_tree *tree, size_t tool)
{
	if (!check->tools[tool].analyzer->once || !check->tools[tool].program)
		return false;
	for (size_t at = 0; at < tree->count; at++)
		if (sg_check_is_for(&check->tools[tool], &tree->rows[at]))
			return true;
	return false;
}

static enum sl_code look_up_once(struct sg_check *check,
				 struct sg_gate_tree *tree,
				 struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < check->tool_count; at++)
		if (wants_once(check, tree, at) && !tree->once[at].id)
			code = sg_check_look_up_once(check, tree, at, error);
	return code;
}

/* A unit of a base that has a twin in the tested tree gets what that gets. */
static bool is_to_be_run(const struct sg_check *check,
			 const struct sg_gate_unit *row)
{
	return row->wanted && row->twin == SIZE_MAX &&
	       sg_check_lacks(check, row);
}

static bool lacks_something(const struct sg_check *check,
			    const struct sg_gate_tree *tree)
{
	for (size_t at = 0; at < check->tool_count; at++)
		if (wants_once(check, tree, at) && !tree->once[at].id &&
		    !tree->once[at].failed)
			return true;
	for (size_t at = 0; at < tree->count; at++)
		if (is_to_be_run(check, &tree->rows[at]))
			return true;
	return false;
}

/* ---- making it --------------------------------------------------------- */

static enum sl_code add_jobs_of_row(struct sg_check *check,
				    struct sg_gate_tree *tree,
				    struct sg_gate_unit *row,
				    struct sg_jobs *jobs,
				    struct sl_error *error)
{
	enum sl_code code = SL_OK;

	row->jobs = NULL;
	if (!row->compiled)
		code = sg_gate_job_add(check, tree, row, SG_GATE_COMPILER, jobs,
				       error);
	for (size_t at = 0; code == SL_OK && at < check->tool_count; at++)
		if (sg_check_is_for(&check->tools[at], row) &&
		    !check->tools[at].analyzer->once &&
		    check->tools[at].program && !row->results[at].id &&
		    !row->results[at].failed)
			code = sg_gate_job_add(check, tree, row, at, jobs,
					       error);
	return code;
}

static enum sl_code add_jobs(struct sg_check *check, struct sg_gate_tree *tree,
			     struct sg_jobs *jobs, struct sl_error *error)
{
	enum sl_code code;

	if (!lacks_something(check, tree))
		return SL_OK;
	code = sg_check_export(check, tree, error);
	for (size_t at = 0; code == SL_OK && at < tree->count; at++)
		if (is_to_be_run(check, &tree->rows[at]))
			code = add_jobs_of_row(check, tree, &tree->rows[at],
					       jobs, error);
	for (size_t at = 0; code == SL_OK && at < check->tool_count; at++)
		if (wants_once(check, tree, at) && !tree->once[at].id &&
		    !tree->once[at].failed)
			code = sg_gate_job_add(check, tree, NULL, at, jobs,
					       error);
	return code;
}

static enum sl_code run_jobs(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code = sg_check_make_temp(check, error);
	const struct sg_jobs_settings settings = {
		.parallel = check->settings.jobs ? check->settings.jobs
						 : check->config.jobs,
		.deadline_ns = check->deadline_ns,
		.temp = check->temp,
		.progress = check->settings.progress,
		.context = check->settings.context,
	};
	int64_t began = sl_clock_ns();
	struct sg_jobs *jobs;

	if (code == SL_OK)
		code = sg_jobs_create(&jobs, &settings, error);
	if (code != SL_OK)
		return code;
	code = add_jobs(check, &check->tested, jobs, error);
	for (size_t at = 0; code == SL_OK && at < check->base_count; at++)
		code = add_jobs(check, &check->bases[at], jobs, error);
	if (code == SL_OK)
		code = sg_check_stopped(check, error);
	if (code == SL_OK)
		code = sg_jobs_run(jobs, sg_gate_job_ended, check,
				   check->settings.signal_number, error);
	if (code == SL_OK)
		code = sg_gate_jobs_settle(check, error);
	sg_jobs_destroy(jobs);
	check->judgement.tools_ns += sl_clock_ns() - began;
	return code;
}

/* ---- twins ------------------------------------------------------------- */

/* A unit of a base that is as it was has what the tested tree's has. */
static void copy_twins(struct sg_check *check, struct sg_gate_tree *base)
{
	for (size_t at = 0; at < base->count; at++) {
		struct sg_gate_unit *row = &base->rows[at];
		const struct sg_gate_unit *twin;

		if (row->twin == SIZE_MAX)
			continue;
		twin = &check->tested.rows[row->twin];
		row->compiled = twin->compiled;
		row->failed = twin->failed;
		row->results = twin->results;
	}
}

static enum sl_code look_up(struct sg_check *check, bool all,
			    struct sl_error *error)
{
	enum sl_code code = sg_check_find_tools(check, error);

	if (code == SL_OK)
		code = look_up_tree(check, &check->tested, all, error);
	if (code == SL_OK)
		code = look_up_once(check, &check->tested, error);
	for (size_t at = 0; code == SL_OK && at < check->base_count; at++) {
		copy_twins(check, &check->bases[at]);
		code = look_up_tree(check, &check->bases[at], all, error);
		if (code == SL_OK)
			code = look_up_once(check, &check->bases[at], error);
	}
	return code;
}

enum sl_code sg_check_analyse(struct sg_check *check, struct sl_error *error)
{
	bool lacks;
	enum sl_code code = look_up(check, false, error);

	if (code != SL_OK)
		return code;
	lacks = lacks_something(check, &check->tested);
	for (size_t at = 0; at < check->base_count; at++)
		lacks |= lacks_something(check, &check->bases[at]);
	if (lacks)
		code = run_jobs(check, error);
	for (size_t at = 0; at < check->base_count; at++)
		copy_twins(check, &check->bases[at]);
	return code;
}

enum sl_code sg_check_look_up_all(struct sg_check *check, bool *whole,
				  struct sl_error *error)
{
	enum sl_code code = look_up(check, true, error);

	*whole = true;
	for (size_t at = 0; at < check->tested.count; at++)
		*whole &= !sg_check_lacks(check, &check->tested.rows[at]) &&
			  !check->tested.rows[at].failed;
	return code;
}
