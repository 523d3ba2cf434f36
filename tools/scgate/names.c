/* SPDX-License-Identifier: MIT */
/* Runs by number, name, and what git knows as a commit. */
#include "names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "run/git.h"
#include "talk.h"

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

int scgate_check_name(const char *command, const char *name)
{
	if (!name)
		return -1;
	if (!*name)
		return scgate_misused(command, "a run's name is empty", NULL);
	if (strcmp(name, "last") == 0)
		return scgate_misused(command,
				      "no name for a run, as it means the last",
				      name);
	if (is_number(name))
		return scgate_misused(command,
				      "no name for a run, as it means a number",
				      name);
	return -1;
}

/* ---- commits ----------------------------------------------------------- */

/* *commit: owned; NULL: git does not know it, or is not there. */
static enum sl_code ask_git(const char *text, char **commit,
			    struct sl_error *error)
{
	size_t room = strlen(text) + sizeof("^{commit}");
	char *revision = malloc(room);
	const char *const command[] = { "rev-parse", "--verify",
					"--quiet",   "--end-of-options",
					revision,    NULL };
	enum sl_code code;

	*commit = NULL;
	if (!revision)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a revision");
	snprintf(revision, room, "%s^{commit}", text);
	code = sg_git_line(".", command, commit, error);
	free(revision);
	return code == SL_ENOMEM ? code : SL_OK;
}

/* @p why: what the store said, which stands unless git knows more. */
static enum sl_code find_by_git(struct sg_store *store, const char *text,
				int64_t *run, const struct sl_error *why,
				struct sl_error *error)
{
	char *commit = NULL;
	enum sl_code code = *text ? ask_git(text, &commit, error) : SL_OK;

	if (code != SL_OK)
		return code;
	if (!commit)
		return SL_FAIL(error, why->code, "%s", why->message);
	code = sg_store_run_named(store, commit, run, error);
	if (code == SL_EINVAL)
		code = SL_FAIL(error, SL_EINVAL,
			       "%s, which git knows as commit %s", why->message,
			       commit);
	free(commit);
	return code;
}

/* ---- which of several -------------------------------------------------- */

/* Those of one commit. */
struct siblings {
	const char *text; /* what was asked for */
	int64_t run; /* what it was taken for */
	char *commit; /* of that; owned; NULL: by which it was not found */
	char formats[128];
	long long count; /* of the commit's runs */
};

static enum sl_code find_commit(void *context, const struct sg_run *run,
				struct sl_error *error)
{
	struct siblings *siblings = context;

	if (run->id != siblings->run || !run->commit ||
	    (run->name && strcmp(run->name, siblings->text) == 0))
		return SL_OK;
	snprintf(siblings->formats, sizeof(siblings->formats), "%s",
		 run->formats ? run->formats : "");
	siblings->commit = strdup(run->commit);
	return siblings->commit
		       ? SL_OK
		       : SL_FAIL(error, SL_ENOMEM, "no memory for a run");
}

static enum sl_code count_commit(void *context, const struct sg_run *run,
				 struct sl_error *error)
{
	struct siblings *siblings = context;

	(void)error;
	siblings->count +=
		run->commit && strcmp(run->commit, siblings->commit) == 0;
	return SL_OK;
}

static enum sl_code say_which(const char *command, struct sg_store *store,
			      const char *text, int64_t run,
			      struct sl_error *error)
{
	struct siblings siblings = { .text = text, .run = run };
	enum sl_code code = sg_store_runs(store, find_commit, &siblings, error);

	if (code == SL_OK && siblings.commit)
		code = sg_store_runs(store, count_commit, &siblings, error);
	if (code == SL_OK && siblings.count > 1) {
		fprintf(stderr, "scgate %s: commit ", command);
		scgate_print(siblings.commit);
		fprintf(stderr, " has %lld runs; this is run %lld (",
			siblings.count, (long long)run);
		scgate_print(siblings.formats);
		fputs(")\n", stderr);
	}
	free(siblings.commit);
	return code;
}

/* ---- all of it --------------------------------------------------------- */

enum sl_code scgate_find_run(const char *command, struct sg_store *store,
			     const char *text, int64_t *run,
			     struct sl_error *error)
{
	struct sl_error why = { .code = SL_OK };
	enum sl_code code = sg_store_run_named(store, text, run, &why);

	if (code == SL_EINVAL && text && strcmp(text, "last") != 0)
		code = find_by_git(store, text, run, &why, error);
	else if (code != SL_OK)
		return SL_FAIL(error, why.code, "%s", why.message);
	if (code != SL_OK || !text || strcmp(text, "last") == 0)
		return code;
	/* a number of digits only that is a run's is no commit's */
	if (is_number(text) && strtoll(text, NULL, 10) == *run)
		return SL_OK;
	return say_which(command, store, text, *run, error);
}

/* ---- what is compared -------------------------------------------------- */

struct about {
	int64_t id, base;
	char formats[128], state[16];
};

static enum sl_code learn(void *context, const struct sg_run *run,
			  struct sl_error *error)
{
	struct about *about = context;

	(void)error;
	if (run->id != about->id)
		return SL_OK;
	about->base = run->base;
	snprintf(about->formats, sizeof(about->formats), "%s",
		 run->formats ? run->formats : "");
	snprintf(about->state, sizeof(about->state), "%s", run->state);
	return SL_OK;
}

static void say_about(const struct about *about)
{
	fprintf(stderr, "run %lld (", (long long)about->id);
	scgate_print(about->formats);
	fprintf(stderr, "%s%s)", *about->formats ? ", " : "", about->state);
}

enum sl_code scgate_say_runs(struct sg_store *store, int64_t run, int64_t base,
			     const char *end, struct sl_error *error)
{
	struct about one = { .id = run }, other = { .id = base };
	enum sl_code code = sg_store_runs(store, learn, &one, error);

	if (!base)
		other.id = one.base;
	if (code == SL_OK)
		code = sg_store_runs(store, learn, &other, error);
	if (code != SL_OK)
		return code;
	say_about(&one);
	fputs(" against ", stderr);
	if (!other.id)
		fputs("no run", stderr);
	else if (strcmp(one.formats, other.formats) == 0 &&
		 strcmp(one.state, other.state) == 0)
		fprintf(stderr, "run %lld", (long long)other.id);
	else
		say_about(&other);
	fputs(end, stderr);
	return SL_OK;
}

/* ---- incomplete runs --------------------------------------------------- */

struct warning {
	const char *command;
	int64_t run;
};

static enum sl_code warn(void *context, const struct sg_run *run,
			 struct sl_error *error)
{
	const struct warning *warning = context;

	(void)error;
	if (run->id != warning->run || strcmp(run->state, "incomplete") != 0)
		return SL_OK;
	fprintf(stderr, "scgate %s: run %lld is incomplete", warning->command,
		(long long)run->id);
	if (run->note) {
		fputs(": ", stderr);
		scgate_print(run->note);
	}
	fputc('\n', stderr);
	return SL_OK;
}

enum sl_code scgate_warn_of(const char *command, struct sg_store *store,
			    int64_t run, struct sl_error *error)
{
	struct warning warning = { .command = command, .run = run };

	return sg_store_runs(store, warn, &warning, error);
}
