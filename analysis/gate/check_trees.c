/* SPDX-License-Identifier: MIT */
/* Which trees a check is about: the tested one, and its bases. */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gate/check_parts.h"
#include "run/git.h"

extern char **environ;

enum { SHORT_ID = 8, PROCESSES_MAX = 16, COMMAND_MAX = 16384 };

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
}

/* ---- what git knows ---------------------------------------------------- */

/* The words that "git rev-parse ARGUMENT..." prints, in the arena; *count is 0
 * if it knows none. */
static enum sl_code ask_git(struct sg_check *check,
			    const char *const *arguments,
			    const char *words[SG_BASES_MAX], size_t *count,
			    struct sl_error *error)
{
	struct sl_buffer out = { .data = NULL };
	int status = -1;
	enum sl_code code = sg_git_run(check->settings.root, arguments, &out,
				       &status, error);

	*count = 0;
	for (char *at = out.data; code == SL_OK && !status && at && *at;) {
		size_t length = strcspn(at, "\n");

		if (*count == SG_BASES_MAX)
			code = SL_FAIL(error, SL_EINVAL,
				       "a merge of more than %d parents",
				       SG_BASES_MAX);
		else if (length)
			words[(*count)++] =
				sl_arena_text(&check->arena, at, length);
		if (code == SL_OK && *count && !words[*count - 1])
			code = no_memory(error);
		at += length + (at[length] == '\n');
	}
	free(out.data);
	return code;
}

/* ---- amend ------------------------------------------------------------- */

/* Field 4 of /proc/PID/stat, behind the name in brackets. */
static long parent_of(long pid)
{
	char path[64], text[512], *behind;
	FILE *file;
	size_t length;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	behind = strrchr(text, ')');
	return behind && strlen(behind) > 4 ? strtol(behind + 4, NULL, 10) : 0;
}

/* @return whether a process is "git ... commit ... --amend"; *is_git: git. */
static bool is_amending(long pid, bool *is_git)
{
	char path[64], text[COMMAND_MAX];
	bool commits = false, amends = false;
	const char *name;
	FILE *file;
	size_t length;

	*is_git = false;
	snprintf(path, sizeof(path), "/proc/%ld/cmdline", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	name = strrchr(text, '/');
	*is_git = strcmp(name ? name + 1 : text, "git") == 0;
	for (size_t at = 0; at < length; at += strlen(text + at) + 1) {
		if (strcmp(text + at, "--") == 0)
			break;
		commits |= strcmp(text + at, "commit") == 0;
		/* git takes beginnings of options, and no other has this */
		amends |= strncmp(text + at, "--am", 4) == 0 &&
			  strncmp("--amend", text + at, strlen(text + at)) == 0;
	}
	return *is_git && commits && amends;
}

/* A hook is not told that the commit takes the place of HEAD, so its parents
 * are those of HEAD; only the command of the git that runs the hook says so. */
static bool runs_for_amend(void)
{
	long pid = getppid();

	for (int at = 0; pid > 1 && at < PROCESSES_MAX; at++) {
		bool is_git;

		if (is_amending(pid, &is_git))
			return true;
		if (is_git)
			return false; /* the one that runs the hook */
		pid = parent_of(pid);
	}
	return false;
}

/* ---- bases ------------------------------------------------------------- */

static enum sl_code add_base(struct sg_check *check, const char *revision,
			     const char *what, struct sl_error *error)
{
	struct sg_gate_tree *base;
	enum sl_code code;

	if (check->base_count == SG_BASES_MAX)
		return SL_FAIL(error, SL_EINVAL, "too many parents");
	base = &check->bases[check->base_count++];
	base->is_base = true;
	code = sg_snapshot_open(check->settings.root, SG_SNAPSHOT_COMMIT,
				revision, &base->snapshot, error);
	if (code != SL_OK)
		return code;
	base->name = sl_arena_printf(&check->arena, "%s %.*s", what, SHORT_ID,
				     sg_snapshot_commit(base->snapshot));
	return base->name ? SL_OK : no_memory(error);
}

static enum sl_code add_head(struct sg_check *check, struct sl_error *error)
{
	static const char *const head[] = { "rev-parse", "--verify", "--quiet",
					    "HEAD^{commit}", NULL };
	static const char *const parents[] = { "rev-parse", "HEAD^@", NULL };
	const char *words[SG_BASES_MAX];
	bool amends = getenv("GIT_INDEX_FILE") && runs_for_amend();
	size_t count;
	enum sl_code code =
		ask_git(check, amends ? parents : head, words, &count, error);

	for (size_t at = 0; code == SL_OK && at < count; at++)
		code = add_base(check, words[at],
				amends ? "the amended commit's parent" : "HEAD",
				error);
	return code;
}

/* A clean merge asks pre-merge-commit before it writes MERGE_HEAD: what is
 * merged stands in the names of GITHEAD_ID=BRANCH alone. Hooks that run later
 * see these too; then HEAD has it already. */
static enum sl_code add_merging(struct sg_check *check, struct sl_error *error)
{
	static const char prefix[] = "GITHEAD_";
	enum sl_code code = SL_OK;

	for (char **at = environ; code == SL_OK && *at; at++) {
		const char *words[SG_BASES_MAX], *id = *at + sizeof(prefix) - 1;
		const char *question[] = { "rev-list", "-1", NULL,
					   "^HEAD",    "--", NULL };
		size_t count, length;

		if (strncmp(*at, prefix, sizeof(prefix) - 1) != 0)
			continue;
		length = strcspn(id, "=");
		question[2] = sl_arena_text(&check->arena, id, length);
		if (!question[2])
			return no_memory(error);
		if (!length || strspn(id, "0123456789abcdef") != length)
			continue;
		code = ask_git(check, question, words, &count, error);
		if (code == SL_OK && count)
			code = add_base(check, question[2], "merged", error);
	}
	return code;
}

/* The other parents of a merge that is being made. */
static enum sl_code add_merged(struct sg_check *check, struct sl_error *error)
{
	static const char *const where[] = { "rev-parse", "--git-path",
					     "MERGE_HEAD", NULL };
	const char *root = check->settings.root;
	char *path = NULL, *whole, line[128];
	enum sl_code code = sg_git_line(root, where, &path, error);
	FILE *file;

	if (code != SL_OK || !path)
		return code;
	whole = sl_arena_printf(&check->arena, "%s%s%s",
				*path == '/' ? "" : root,
				*path == '/' ? "" : "/", path);
	free(path);
	if (!whole)
		return no_memory(error);
	file = fopen(whole, "re");
	if (!file)
		return add_merging(check, error);
	while (code == SL_OK && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		code = add_base(check, line, "merged", error);
	}
	fclose(file);
	return code;
}

static bool is_shallow(struct sg_check *check)
{
	static const char *const question[] = { "rev-parse",
						"--is-shallow-repository",
						NULL };
	struct sl_error error = { .code = SL_OK };
	char *answer = NULL;
	bool shallow = sg_git_line(check->settings.root, question, &answer,
				   &error) == SL_OK &&
		       answer && strcmp(answer, "true") == 0;

	free(answer);
	return shallow;
}

static enum sl_code add_merge_base(struct sg_check *check, const char *head,
				   struct sl_error *error)
{
	const char *base = check->settings.base;
	const char *arguments[] = { "merge-base", base, head, NULL };
	const char *words[SG_BASES_MAX];
	struct sg_snapshot *other = NULL;
	size_t count;
	/* says what is the matter if there is no such commit */
	enum sl_code code = sg_snapshot_open(
		check->settings.root, SG_SNAPSHOT_COMMIT, base, &other, error);

	if (code != SL_OK)
		return code;
	arguments[1] =
		sl_arena_printf(&check->arena, "%s", sg_snapshot_commit(other));
	sg_snapshot_close(other);
	if (!arguments[1])
		return no_memory(error);
	code = ask_git(check, arguments, words, &count, error);
	if (code != SL_OK)
		return code;
	if (!count && is_shallow(check))
		return SL_FAIL(
			error, SL_EINVAL,
			"the clone is shallow, so the commit that %.80s "
			"and HEAD have in common is not there: git fetch "
			"--unshallow (in CI: fetch-depth: 0, "
			"GIT_DEPTH: 0)",
			base);
	if (!count)
		return SL_FAIL(error, SL_EINVAL,
			       "%.80s and HEAD have no commit in common", base);
	return add_base(check, words[0], "merge base", error);
}

/* ---- the tested tree --------------------------------------------------- */

static enum sl_code open_tested(struct sg_check *check,
				enum sg_snapshot_kind kind,
				const char *revision, const char *name,
				struct sl_error *error)
{
	struct sg_gate_tree *tested = &check->tested;
	enum sl_code code = sg_snapshot_open(
		check->settings.root, kind, revision, &tested->snapshot, error);
	const char *commit =
		code == SL_OK ? sg_snapshot_commit(tested->snapshot) : NULL;

	if (code != SL_OK)
		return code;
	tested->name = commit ? sl_arena_printf(&check->arena, "%s %.*s", name,
						SHORT_ID, commit)
			      : name;
	return tested->name ? SL_OK : no_memory(error);
}

/* @return whether a base is git's name of the empty tree: then there is none,
 * as for the first commit of a repository. */
static bool is_nothing(const char *base)
{
	static const char *const names[] = {
		"4b825dc642cb6eb9a060e54bf8d69288fbee4904",
		"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc53"
		"21",
	};

	return strcmp(base, names[0]) == 0 || strcmp(base, names[1]) == 0;
}

static enum sl_code open_commit(struct sg_check *check, struct sl_error *error)
{
	const char *head = check->settings.head;
	enum sl_code code =
		open_tested(check, SG_SNAPSHOT_COMMIT, head ? head : "HEAD",
			    head ? "commit" : "HEAD", error);

	if (code != SL_OK || is_nothing(check->settings.base))
		return code;
	return add_merge_base(check, sg_snapshot_commit(check->tested.snapshot),
			      error);
}

enum sl_code sg_check_open_trees(struct sg_check *check, struct sl_error *error)
{
	bool staged = check->settings.mode == SG_CHECK_STAGED;
	enum sl_code code;

	if (check->settings.mode == SG_CHECK_BASE)
		return open_commit(check, error);
	code = open_tested(
		check, staged ? SG_SNAPSHOT_INDEX : SG_SNAPSHOT_WORKTREE, NULL,
		staged ? "staged changes" : "the work tree", error);
	if (code == SL_OK && !check->settings.alone)
		code = add_head(check, error);
	if (code == SL_OK && !check->settings.alone)
		code = add_merged(check, error);
	return code;
}
