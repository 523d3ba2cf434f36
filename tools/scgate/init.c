/* SPDX-License-Identifier: MIT */
/* scgate init: a first .scgate.conf. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "gate/init.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "gate/config.h"
#include "gate/replace.h"
#include "output.h"
#include "report/report.h"
#include "run/tree.h"
#include "scgate.h"
#include "talk.h"

static const char help[] =
	"usage: scgate init [--force] [--build DIR]\n"
	"\n"
	"Look around in the git work tree and write " SG_CONFIG_NAME
	" into its root: where\n"
	"compile_commands.json is, and which analyzers there are. Each key is "
	"explained\n"
	"in the file.\n"
	"\n"
	"  --build DIR  the folder of compile_commands.json; by default the "
	"newest in the\n"
	"               root, build*, out and cmake-build-*\n"
	"  --force      write over a " SG_CONFIG_NAME " that is there\n"
	"\n"
	"exit: 0 written; 2 usage, or refused; 3 not to be read or written\n"
	"\n"
	"example:\n"
	"  cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && scgate init\n";

static const char next[] =
	"\n"
	"next:\n"
	"  scgate check --worktree --policy zero  all that is there now\n"
	"  git add " SG_CONFIG_NAME
	"  look through it, and commit it: a commit is "
	"judged by its\n"
	"                        parent's\n"
	"  scgate hook install   git asks before each commit, merge and push";

struct settings {
	const char *build;
	bool force;
};

static enum sl_code refuse_old(const char *path,
			       const struct settings *settings,
			       struct sl_error *error)
{
	struct stat old;

	if (settings->force || lstat(path, &old))
		return SL_OK;
	return SL_FAIL(error, SL_EINVAL,
		       "%s is there already; --force writes over it",
		       sl_path_tail(path));
}

/* *path: owned; NULL: none is given. */
static enum sl_code find_build(const struct settings *settings, char **path,
			       struct sl_error *error)
{
	*path = NULL;
	if (!settings->build)
		return SL_OK;
	*path = realpath(settings->build, NULL);
	return *path ? SL_OK
		     : SL_FAIL(error, SL_EINVAL, "cannot look into %s: %s",
			       sl_path_tail(settings->build), strerror(errno));
}

static enum sl_code put(struct sl_buffer *text, const char *title,
			const char *what, const char *why,
			struct sl_error *error)
{
	const char *const parts[] = { title, what, why ? ": " : "",
				      why ? why : "", "\n" };
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < 5; at++)
		code = sg_report_put(text, parts[at], strlen(parts[at]), error);
	return code;
}

static enum sl_code tell(const struct sg_init *found, const char *path,
			 struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	const struct sg_init_note *note;
	enum sl_code code = SL_OK;

	for (note = found->notes; code == SL_OK && note; note = note->next)
		if (!note->why)
			code = put(&text, "found     ", note->what, NULL,
				   error);
	for (note = found->notes; code == SL_OK && note; note = note->next)
		if (note->why)
			code = put(&text, "left out  ", note->what, note->why,
				   error);
	if (code == SL_OK)
		code = put(&text, "wrote     ", path, NULL, error);
	if (code == SL_OK)
		code = put(&text, next, "", NULL, error);
	scgate_mask(&text);
	if (code == SL_OK)
		code = scgate_flush(&text, error);
	free(text.data);
	return code;
}

static enum sl_code write_text(const struct sg_init *found, const char *path,
			       struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	enum sl_code code = sg_init_text(found, &text, error);

	if (code == SL_OK)
		code = sg_replace_file(path, text.data, text.used, error);
	free(text.data);
	return code;
}

static enum sl_code look_and_write(const char *root, const char *path,
				   const struct settings *settings,
				   struct sl_error *error)
{
	struct sg_init found = { .build = NULL };
	char *build = NULL;
	enum sl_code code = refuse_old(path, settings, error);

	if (code == SL_OK)
		code = find_build(settings, &build, error);
	if (code == SL_OK)
		code = sg_init_look(&found, root, build, error);
	free(build);
	if (code != SL_OK)
		return code;
	code = write_text(&found, path, error);
	if (code == SL_OK)
		code = tell(&found, path, error);
	sg_init_finish(&found);
	return code;
}

static int act(const struct settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	char *root = NULL, *path = NULL;
	enum sl_code code = sg_tree_find_root(&root, &error);

	if (code == SL_END)
		code = SL_FAIL(&error, SL_EINVAL, "this is no git work tree");
	if (code == SL_OK) {
		size_t size = strlen(root) + sizeof("/" SG_CONFIG_NAME);

		path = malloc(size);
		if (path)
			snprintf(path, size, "%s/" SG_CONFIG_NAME, root);
		else
			code = SL_FAIL(&error, SL_ENOMEM,
				       "no memory for a path");
	}
	if (code == SL_OK)
		code = look_and_write(root, path, settings, &error);
	free(path);
	free(root);
	return scgate_exit("init", code, &error);
}

int scgate_init(int argc, char **argv)
{
	struct settings settings = { .build = NULL };
	const struct scgate_option options[] = {
		{ "build", SCGATE_TEXT, &settings.build },
		{ "force", SCGATE_FLAG, &settings.force },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("init", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (optind < argc)
		return scgate_misused("init", "not wanted", argv[optind]);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return act(&settings);
}
