/* SPDX-License-Identifier: MIT */
/* A check, from its settings to its judgement. */
#include "gate/check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "gate/check_keys.h"
#include "gate/check_parts.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
}

/* ---- what is said ------------------------------------------------------ */

static enum sl_code SL_PRINTF(3, 0)
	add_text(struct sg_check *check, struct sg_gate_texts *texts,
		 const char *fmt, va_list args, struct sl_error *error)
{
	char text[1024];

	if (texts->count + 1 >= texts->room) {
		size_t room = texts->room ? 2 * texts->room : 16;
		const char **grown =
			realloc(texts->rows, room * sizeof(*grown));

		if (!grown)
			return no_memory(error);
		texts->rows = grown;
		texts->room = room;
	}
	vsnprintf(text, sizeof(text), fmt, args);
	texts->rows[texts->count] =
		sl_arena_text(&check->arena, text, strlen(text));
	if (!texts->rows[texts->count])
		return no_memory(error);
	for (size_t at = 0; at < texts->count; at++)
		if (strcmp(texts->rows[at], texts->rows[texts->count]) == 0)
			return SL_OK; /* it is said once */
	texts->rows[++texts->count] = NULL;
	return SL_OK;
}

enum sl_code sg_check_note(struct sg_check *check, struct sl_error *error,
			   const char *fmt, ...)
{
	va_list args;
	enum sl_code code;

	va_start(args, fmt);
	code = add_text(check, &check->notes, fmt, args, error);
	va_end(args);
	return code;
}

enum sl_code sg_check_step(struct sg_check *check, struct sl_error *error,
			   const char *fmt, ...)
{
	va_list args;
	enum sl_code code;

	va_start(args, fmt);
	code = add_text(check, &check->steps, fmt, args, error);
	va_end(args);
	return code;
}

enum sl_code sg_check_trouble(struct sg_check *check,
			      const struct sg_trouble *trouble,
			      struct sl_error *error)
{
	if (check->trouble_count == check->trouble_room) {
		size_t room =
			check->trouble_room ? 2 * check->trouble_room : 16;
		struct sg_trouble *grown =
			realloc(check->troubles, room * sizeof(*grown));

		if (!grown)
			return no_memory(error);
		check->troubles = grown;
		check->trouble_room = room;
	}
	if (!trouble->why)
		return no_memory(error);
	check->troubles[check->trouble_count++] = *trouble;
	return SL_OK;
}

/* ---- signals ----------------------------------------------------------- */

static const int held_back[] = { SIGINT, SIGTERM, SIGHUP };
enum { HELD_BACK = sizeof(held_back) / sizeof(held_back[0]) };

/* What is ignored (nohup, a shell's background) would be kept if it were held
 * back, and stop what it must not. */
static void hold_signals(sigset_t *before)
{
	struct sigaction action;
	sigset_t held;

	sigemptyset(&held);
	for (size_t at = 0; at < HELD_BACK; at++)
		if (sigaction(held_back[at], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&held, held_back[at]);
	sigprocmask(SIG_BLOCK, &held, before);
}

enum sl_code sg_check_stopped(struct sg_check *check, struct sl_error *error)
{
	sigset_t pending;

	sigemptyset(&pending);
	sigpending(&pending);
	for (size_t at = 0; at < HELD_BACK; at++)
		if (sigismember(&pending, held_back[at]) == 1) {
			if (check->settings.signal_number)
				*check->settings.signal_number = held_back[at];
			return SL_FAIL(error, SL_ESTOPPED, "stopped");
		}
	return SL_OK;
}

/* One that came is what the caller is told of: it must not kill it first. */
static void let_signals(const sigset_t *before)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t held;

	sigemptyset(&held);
	for (size_t at = 0; at < HELD_BACK; at++)
		if (sigismember(before, held_back[at]) == 0)
			sigaddset(&held, held_back[at]);
	while (sigtimedwait(&held, NULL, &at_once) > 0)
		;
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* ---- how much is looked at --------------------------------------------- */

static bool needs_whole(const struct sg_check *check)
{
	const struct sg_config *config = &check->config;
	enum sg_policy policy = check->settings.policy ? *check->settings.policy
						       : config->policy;

	if (check->settings.whole || policy == SG_POLICY_ZERO ||
	    policy == SG_POLICY_MUST_REDUCE)
		return true;
	for (size_t at = 0; !check->settings.policy && at < config->path_count;
	     at++)
		if (config->paths[at].has_policy &&
		    (config->paths[at].policy == SG_POLICY_ZERO ||
		     config->paths[at].policy == SG_POLICY_MUST_REDUCE))
			return true;
	return false;
}

static void want_all(struct sg_check *check)
{
	for (size_t at = 0; at < check->tested.count; at++)
		check->tested.rows[at].wanted = true;
	sg_check_want_twins(check);
}

static size_t count_affected(const struct sg_gate_tree *tree)
{
	size_t count = 0;

	for (size_t at = 0; at < tree->count; at++)
		count += tree->rows[at].affected;
	return count;
}

static size_t count_wanted(const struct sg_gate_tree *tree)
{
	size_t count = 0;

	for (size_t at = 0; at < tree->count; at++)
		count += tree->rows[at].wanted;
	return count;
}

/* @return whether there is anything to look at. */
static bool has_work(struct sg_check *check)
{
	size_t count = count_wanted(&check->tested);

	for (size_t at = 0; at < check->base_count; at++)
		count += count_wanted(&check->bases[at]);
	return count || check->judgement.is_whole ||
	       check->config.inline_suppressions == SG_INLINE_FORBID;
}

/* ---- the steps --------------------------------------------------------- */

static enum sl_code set_tools(struct sg_check *check, struct sl_error *error)
{
	while (check->config.analyzers[check->tool_count])
		check->tool_count++;
	check->tools = calloc(check->tool_count + 1, sizeof(*check->tools));
	if (!check->tools)
		return no_memory(error);
	for (size_t at = 0; at < check->tool_count; at++)
		check->tools[at].analyzer = check->config.analyzers[at];
	if (check->settings.mode == SG_CHECK_STAGED &&
	    !check->settings.no_budget && check->config.hook_budget_ns)
		check->deadline_ns =
			sl_clock_ns() + check->config.hook_budget_ns;
	return SL_OK;
}

static enum sl_code prepare(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code = sg_check_open_trees(check, error);

	if (code == SL_OK)
		code = sg_check_read_rules(check, error);
	if (code == SL_OK)
		code = set_tools(check, error);
	if (code == SL_OK)
		code = sg_check_list_units(check, error);
	if (code == SL_OK)
		code = sg_check_compare(check, error);
	return code == SL_OK ? sg_check_stopped(check, error) : code;
}

/* @return what the change is held against; NULL: no memory. */
static const char *name_bases(struct sg_check *check)
{
	const char *name =
		check->base_count ? check->bases[0].name : "no parent";

	for (size_t at = 1; name && at < check->base_count; at++)
		name = sl_arena_printf(&check->arena, "%s, %s", name,
				       check->bases[at].name);
	return name;
}

static enum sl_code examine(struct sg_check *check, struct sl_error *error)
{
	struct sg_judgement *judgement = &check->judgement;
	enum sl_code code = SL_OK;

	judgement->tested = check->tested.name;
	judgement->base = name_bases(check);
	if (!judgement->base)
		return no_memory(error);
	judgement->is_merge = check->base_count > 1;
	judgement->units = check->tested.count;
	judgement->affected = count_affected(&check->tested);
	judgement->is_whole = needs_whole(check);
	if (judgement->is_whole)
		want_all(check);
	if (has_work(check))
		code = sg_check_analyse(check, error);
	if (code == SL_OK)
		code = sg_check_find_forgotten(check, error);
	if (code == SL_OK)
		code = sg_check_look_back(check, error);
	return code == SL_OK ? sg_check_judge(check, error) : code;
}

static enum sl_code run(struct sg_check *check, struct sl_error *error)
{
	int64_t began = sl_clock_ns();
	enum sl_code code;

	check->outside = sg_outside_create();
	if (!check->outside)
		return no_memory(error);
	code = prepare(check, error);
	if (code == SL_OK)
		code = examine(check, error);
	check->judgement.elapsed_ns = sl_clock_ns() - began;
	return code;
}

enum sl_code sg_check_run(const struct sg_check_settings *settings,
			  struct sg_store *store, struct sg_check **check,
			  struct sl_error *error)
{
	struct sg_check *made = calloc(1, sizeof(*made));
	sigset_t before;
	enum sl_code code;

	*check = NULL;
	if (!made)
		return no_memory(error);
	made->settings = *settings;
	made->store = store;
	made->temp_lock = -1;
	sigemptyset(&before);
	hold_signals(&before);
	code = run(made, error);
	sg_check_remove_temp(made);
	if (code == SL_OK) /* one that came behind the last look */
		code = sg_check_stopped(made, error);
	let_signals(&before);
	if (code == SL_OK)
		*check = made;
	else
		sg_check_destroy(made);
	return code;
}

/* ---- the end ----------------------------------------------------------- */

static void finish_tree(struct sg_gate_tree *tree)
{
	sg_closures_destroy(tree->closures);
	sg_snapshot_close(tree->snapshot);
	sg_units_finish(&tree->own_units);
	free(tree->rows);
}

void sg_check_destroy(struct sg_check *check)
{
	if (!check)
		return;
	finish_tree(&check->tested);
	for (size_t at = 0; at < check->base_count; at++)
		finish_tree(&check->bases[at]);
	if (check->has_config)
		sg_config_finish(&check->config);
	sg_suppressions_destroy(check->before);
	sg_suppressions_destroy(check->after);
	sg_units_finish(&check->units);
	sg_outside_destroy(check->outside);
	free(check->tools);
	free(check->notes.rows);
	free(check->steps.rows);
	free(check->troubles);
	free(check->judged);
	sl_arena_finish(&check->arena);
	free(check);
}

const struct sg_judgement *sg_check_judgement(const struct sg_check *check)
{
	return &check->judgement;
}

enum sl_code sg_check_source(void *check, const char *path, const char **text,
			     size_t *length, struct sl_error *error)
{
	struct sg_check *own = check;

	return sg_snapshot_text(own->tested.snapshot, path, text, length,
				error);
}
