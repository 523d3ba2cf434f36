/* SPDX-License-Identifier: MIT */
/* scgate hook: hooks of git that run the gate. */
#include "gate/hook.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "run/tree.h"
#include "scgate.h"

static const char help[] =
	"usage: scgate hook install|uninstall|status [OPTION]...\n"
	"\n"
	"Let git run the gate: scgate check --staged before each commit and "
	"merge, and\n"
	"scgate check --base ... over what is pushed.\n"
	"\n"
	"  install            add hooks to this repository, or make them anew\n"
	"  uninstall          take them out; what was there before comes back "
	"as it was\n"
	"  status             say what is there\n"
	"\n"
	"  --pre-commit       only the hook of that name; by default all "
	"three\n"
	"  --pre-merge-commit\n"
	"  --pre-push\n"
	"\n"
	"A hook that is there already is kept as NAME.before-scgate and runs "
	"first. Hooks\n"
	"find scgate on PATH, else where it was when they were installed; "
	"without it they\n"
	"fail. git commit --no-verify passes by them, so let CI check again.\n"
	"\n"
	"exit: 0 done, or all are installed; 1 status: not all are; 2 usage, "
	"or refused;\n"
	"3 not to be read or written\n"
	"\n"
	"example:\n"
	"  scgate hook install --pre-commit --pre-push\n";

enum verb { INSTALL, UNINSTALL, STATUS };

static const char *const verbs[] = { "install", "uninstall", "status", NULL };

struct settings {
	enum verb verb;
	bool wanted[SG_HOOKS];
};

/* @return where this program is; "": it cannot be known. */
static const char *own_path(char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[length > 0 ? length : 0] = '\0';
	return path;
}

static enum sl_code install(const char *folder, enum sg_hook hook,
			    const char **words, struct sl_error *error)
{
	char program[PATH_MAX];
	struct sg_hook_seen was;
	enum sl_code code =
		sg_hook_install(folder, hook, own_path(program), &was, error);

	if (was.state == SG_HOOK_LEGACY)
		*words = "is there already: the pre-commit framework runs it";
	else if (was.state == SG_HOOK_OTHER)
		*words = "installed; the hook that was there runs first";
	else if (was.state == SG_HOOK_OURS)
		*words = "installed anew";
	else
		*words = "installed";
	return code;
}

static enum sl_code uninstall(const char *folder, enum sg_hook hook,
			      const char **words, struct sl_error *error)
{
	struct sg_hook_seen was;
	enum sl_code code = sg_hook_uninstall(folder, hook, &was, error);

	if (was.state == SG_HOOK_OTHER)
		*words = "is not ours, and stays";
	else if (was.has_before)
		*words = "uninstalled; the hook that was there before is back";
	else if (was.state == SG_HOOK_OURS)
		*words = "uninstalled";
	else
		*words = "was not installed";
	return code;
}

static enum sl_code status(const char *folder, enum sg_hook hook,
			   const char **words, bool *is_there,
			   struct sl_error *error)
{
	struct sg_hook_seen seen;
	enum sl_code code = sg_hook_look(folder, hook, &seen, error);

	*is_there = seen.state == SG_HOOK_OURS || seen.state == SG_HOOK_LEGACY;
	if (seen.state == SG_HOOK_LEGACY)
		*words = "installed; the pre-commit framework runs it";
	else if (seen.state == SG_HOOK_OURS && seen.has_before)
		*words = "installed; an older hook runs first";
	else if (seen.state == SG_HOOK_OURS)
		*words = "installed";
	else if (seen.state == SG_HOOK_OTHER)
		*words = "not installed; there is another hook";
	else
		*words = "not installed";
	return code;
}

static int act_on(const struct settings *settings, const char *folder)
{
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = SL_OK;
	bool all = true;

	for (int at = 0; code == SL_OK && at < SG_HOOKS; at++) {
		enum sg_hook hook = (enum sg_hook)at;
		const char *words = "";
		bool is_there = true;

		if (!settings->wanted[at])
			continue;
		if (settings->verb == INSTALL)
			code = install(folder, hook, &words, &error);
		else if (settings->verb == UNINSTALL)
			code = uninstall(folder, hook, &words, &error);
		else
			code = status(folder, hook, &words, &is_there, &error);
		all &= is_there;
		if (code == SL_OK)
			printf("%s: %s\n", sg_hook_names[at], words);
	}
	if (fflush(stdout) == EOF && code == SL_OK)
		code = SL_FAIL(&error, SL_EIO, "cannot write: %s",
			       strerror(errno));
	if (code != SL_OK)
		return scgate_exit("hook", code, &error);
	return all ? EXIT_PASS : EXIT_REJECTED;
}

static int act(const struct settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	char *root = NULL, *folder = NULL;
	enum sl_code code = sg_tree_find_root(&root, &error);
	int exit_code;

	if (code == SL_END)
		code = SL_FAIL(&error, SL_EINVAL, "this is no git work tree");
	if (code == SL_OK)
		code = sg_hook_folder(root, &folder, &error);
	if (code == SL_OK)
		exit_code = act_on(settings, folder);
	else
		exit_code = scgate_exit("hook", code, &error);
	free(folder);
	free(root);
	return exit_code;
}

int scgate_hook(int argc, char **argv)
{
	struct settings settings = { .verb = INSTALL };
	const struct scgate_option options[] = {
		{ "pre-commit", SCGATE_FLAG,
		  &settings.wanted[SG_HOOK_PRE_COMMIT] },
		{ "pre-merge-commit", SCGATE_FLAG,
		  &settings.wanted[SG_HOOK_PRE_MERGE_COMMIT] },
		{ "pre-push", SCGATE_FLAG, &settings.wanted[SG_HOOK_PRE_PUSH] },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("hook", help, options, argc, argv);
	bool any = false;
	int verb = 0;

	if (code >= 0)
		return code;
	if (optind == argc)
		return scgate_misused(
			"hook", "install, uninstall or status is wanted", NULL);
	if (argc - optind > 1)
		return scgate_misused("hook", "not wanted", argv[optind + 1]);
	while (verbs[verb] && strcmp(verbs[verb], argv[optind]) != 0)
		verb++;
	if (!verbs[verb])
		return scgate_unknown("hook", "action", argv[optind], verbs);
	settings.verb = (enum verb)verb;
	for (int at = 0; at < SG_HOOKS; at++)
		any |= settings.wanted[at];
	for (int at = 0; at < SG_HOOKS; at++)
		settings.wanted[at] |= !any;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return act(&settings);
}
