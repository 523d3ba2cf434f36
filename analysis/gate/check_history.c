/* SPDX-License-Identifier: MIT */
/* Older trees, for units of which the parent's tree does not tell all: it does
 * not compile there, or an analyzer gave up. What was known before that is
 * known; else mending such a unit would bring old findings back as new ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/check_keys.h"
#include "gate/check_parts.h"
#include "run/git.h"

enum { HISTORY_MAX = 6 /* commits that are looked at */ };

/* ---- what does not tell ------------------------------------------------ */

static bool tells(const struct sg_check *check, const struct sg_gate_unit *row)
{
	if (row->failed || !row->compiled)
		return false;
	for (size_t at = 0; at < check->tool_count; at++)
		if (sg_check_is_for(&check->tools[at], row) &&
		    !check->tools[at].analyzer->once &&
		    (!row->results[at].id ||
		     row->results[at].state != SG_RUN_COMPLETE))
			return false;
	return true;
}

static bool is_blind(const struct sg_check *check,
		     const struct sg_gate_unit *row)
{
	return row->wanted && row->affected && !row->has_history &&
	       !tells(check, row);
}

static bool is_any_blind(const struct sg_check *check)
{
	for (size_t at = 0; at < check->bases[0].count; at++)
		if (is_blind(check, &check->bases[0].rows[at]))
			return true;
	return false;
}

/* ---- commits ----------------------------------------------------------- */

/* What git reads: a commit, and a path a line. They may be more than a command
 * can hold; *asked: owned. */
static enum sl_code write_question(const struct sg_check *check,
				   struct sl_buffer *asked,
				   struct sl_error *error)
{
	const struct sg_gate_tree *base = &check->bases[0];
	const char *commit = sg_snapshot_commit(base->snapshot);
	const char *last = NULL;
	enum sl_code code = sl_buffer_reserve(asked, strlen(commit) + 8, error);

	if (code == SL_OK)
		asked->used = (size_t)snprintf(asked->data, strlen(commit) + 8,
					       "%s\n--\n", commit);
	for (size_t at = 0; code == SL_OK && at < base->count; at++) {
		const char *source = base->rows[at].unit->source;
		size_t room = strlen(source) + 16;

		/* a name of two lines cannot be asked for */
		if (!is_blind(check, &base->rows[at]) || strchr(source, '\n') ||
		    (last && !strcmp(last, source)))
			continue;
		last = source;
		code = sl_buffer_reserve(asked, room, error);
		if (code == SL_OK)
			asked->used += (size_t)snprintf(
				asked->data + asked->used, room,
				":(literal)%s\n", source);
	}
	return code;
}

static enum sl_code ask(const struct sg_check *check,
			const struct sl_buffer *asked, struct sl_buffer *words,
			struct sl_error *error)
{
	char most[32];
	const char *const command[] = { "rev-list", "--first-parent", most,
					"--stdin", NULL };
	struct sg_git git;
	enum sl_code code;
	bool heard;

	snprintf(most, sizeof(most), "--max-count=%d", HISTORY_MAX);
	code = sg_git_start(&git, check->settings.root, command, true, error);
	if (code != SL_OK)
		return code;
	heard = sg_git_ask(&git, asked->data, asked->used);
	sg_git_hush(&git);
	code = sg_git_rest(&git, words, error);
	/* in a shallow clone there may be no more to know */
	if ((sg_git_stop(&git) != 0 || !heard) && code == SL_OK)
		words->used = 0;
	return code;
}

/* The commits that changed the sources of such units, the latest first; *words:
 * owned, its lines are the ids. */
static enum sl_code list_commits(const struct sg_check *check,
				 struct sl_buffer *words,
				 struct sl_error *error)
{
	struct sl_buffer asked = { .data = NULL };
	enum sl_code code = write_question(check, &asked, error);

	if (code == SL_OK)
		code = ask(check, &asked, words, error);
	free(asked.data);
	return code;
}

/* ---- an older tree ----------------------------------------------------- */

static struct sg_gate_unit *row_of(struct sg_gate_tree *tree,
				   const struct sg_gate_unit *like)
{
	for (size_t at = 0; at < tree->count; at++)
		if (strcmp(tree->rows[at].unit->source, like->unit->source) ==
			    0 &&
		    sg_hash_equal(tree->rows[at].flags, like->flags))
			return &tree->rows[at];
	return NULL;
}

/* Want what differs from the parent's: what is the same does not tell either.
 */
static bool want_older(struct sg_check *check, struct sg_gate_tree *older)
{
	bool wants = false;

	for (size_t at = 0; at < check->bases[0].count; at++) {
		struct sg_gate_unit *row = &check->bases[0].rows[at], *old;

		if (!is_blind(check, row))
			continue;
		old = row_of(older, row);
		if (!old || sg_hash_equal(old->closure, row->closure))
			continue;
		old->wanted = true;
		wants = true;
	}
	return wants;
}

static enum sl_code note_older(struct sg_check *check,
			       struct sg_gate_tree *older,
			       struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < check->bases[0].count; at++) {
		struct sg_gate_unit *row = &check->bases[0].rows[at], *old;

		if (!is_blind(check, row))
			continue;
		old = row_of(older, row);
		if (!old || !old->wanted || !tells(check, old))
			continue;
		row->has_history = true;
		code = sg_check_note(
			check, error,
			"%s does not tell all of %s, so it is held against %s, "
			"too",
			check->bases[0].name, row->unit->source, older->name);
	}
	return code;
}

static enum sl_code open_older(struct sg_check *check,
			       struct sg_gate_tree *older, const char *commit,
			       struct sl_error *error)
{
	enum sl_code code =
		sg_snapshot_open(check->settings.root, SG_SNAPSHOT_COMMIT,
				 commit, &older->snapshot, error);

	older->is_base = true;
	older->is_history = true;
	older->name = sl_arena_printf(&check->arena, "commit %.8s", commit);
	if (code == SL_OK && !older->name)
		code = SL_FAIL(error, SL_ENOMEM, "no memory for a check");
	return code == SL_OK ? sg_check_list_tree(check, older, error) : code;
}

static enum sl_code add_older(struct sg_check *check, const char *commit,
			      struct sl_error *error)
{
	struct sg_gate_tree *older;
	enum sl_code code;

	if (check->base_count == SG_BASES_MAX ||
	    strcmp(commit, sg_snapshot_commit(check->bases[0].snapshot)) == 0)
		return SL_OK;
	older = &check->bases[check->base_count++];
	code = open_older(check, older, commit, error);
	if (code != SL_OK || !want_older(check, older))
		return code;
	code = sg_check_analyse(check, error);
	return code == SL_OK ? note_older(check, older, error) : code;
}

enum sl_code sg_check_look_back(struct sg_check *check, struct sl_error *error)
{
	struct sl_buffer commits = { .data = NULL };
	char *rest = NULL;
	enum sl_code code = SL_OK;

	if (check->base_count != 1 || !is_any_blind(check))
		return SL_OK;
	code = list_commits(check, &commits, error);
	if (code == SL_OK && commits.used)
		for (const char *commit = strtok_r(commits.data, "\n", &rest);
		     code == SL_OK && commit && is_any_blind(check) &&
		     !check->ran_out;
		     commit = strtok_r(NULL, "\n", &rest))
			code = add_older(check, commit, error);
	free(commits.data);
	return code;
}
