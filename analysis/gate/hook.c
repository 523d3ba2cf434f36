/* SPDX-License-Identifier: MIT */
/* Hooks: where they are, and putting ours in front of those of others. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "gate/hook.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gate/replace.h"
#include "run/git.h"

static enum sl_code fail(const char *what, const char *path, int number,
			 struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "cannot %s %s: %s", what,
		       sl_path_tail(path), strerror(number));
}

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
}

/* @return "FOLDER/NAME" with @p suffix behind it, owned; NULL: no memory. */
static char *join(const char *folder, const char *name, const char *suffix)
{
	size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%s/%s%s", folder, name, suffix);
	return path;
}

/* ---- the folder -------------------------------------------------------- */

/* As realpath(), of a path whose last part need not be there. Owned. */
static char *resolve(const char *path)
{
	char *found = realpath(path, NULL);
	char *copy, *slash, *folder;

	if (found || errno != ENOENT)
		return found;
	copy = strdup(path);
	slash = copy ? strrchr(copy, '/') : NULL;
	if (slash && slash != copy && slash[1]) {
		*slash = '\0';
		folder = realpath(copy, NULL);
		found = folder ? join(folder, slash + 1, "") : NULL;
		free(folder);
	}
	free(copy);
	return found;
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 &&
	       (path[length] == '/' || path[length] == '\0');
}

/* What "git rev-parse ..." says, as an absolute path without symlinks. *path:
 * owned; NULL: git fails, or there is no such path. */
static enum sl_code ask_path(const char *root, const char *option,
			     const char *name, char **path,
			     struct sl_error *error)
{
	const char *const arguments[] = { "rev-parse", option, name, NULL };
	char *said = NULL, *whole = NULL;
	enum sl_code code = sg_git_line(root, arguments, &said, error);

	*path = NULL;
	if (code != SL_OK || !said)
		return code;
	whole = *said == '/' ? strdup(said) : join(root, said, "");
	if (whole)
		*path = resolve(whole);
	else
		code = no_memory(error);
	free(whole);
	free(said);
	return code;
}

static enum sl_code refuse_path(const char *root, struct sl_error *error)
{
	static const char *const arguments[] = { "config", "--get",
						 "core.hooksPath", NULL };
	char *set = NULL;
	enum sl_code code = sg_git_line(root, arguments, &set, error);

	if (code == SL_OK)
		code = SL_FAIL(error, SL_EINVAL,
			       "core.hooksPath (%.200s) is outside of this "
			       "repository, so a hook there would run in "
			       "others too: give this repository hooks of its "
			       "own by \"git config core.hooksPath "
			       ".git/hooks\", or call \"scgate check "
			       "--staged\" from the hook there",
			       set ? set : "unknown");
	free(set);
	return code;
}

enum sl_code sg_hook_folder(const char *root, char **folder,
			    struct sl_error *error)
{
	char *common = NULL, *hooks = NULL, *tree = realpath(root, NULL);
	enum sl_code code =
		ask_path(root, "--git-common-dir", NULL, &common, error);

	*folder = NULL;
	if (code == SL_OK)
		code = ask_path(root, "--git-path", "hooks", &hooks, error);
	if (code == SL_OK && (!tree || !common))
		code = SL_FAIL(error, SL_EINVAL, "%s is no git work tree",
			       sl_path_tail(root));
	if (code == SL_OK &&
	    (!hooks || (!is_below(hooks, common) && !is_below(hooks, tree))))
		code = refuse_path(root, error);
	if (code == SL_OK) {
		*folder = hooks;
		hooks = NULL;
	}
	free(tree);
	free(common);
	free(hooks);
	return code;
}

/* ---- looking ----------------------------------------------------------- */

static enum sl_code look_at(const char *path, enum sg_hook_state *state,
			    struct sl_error *error)
{
	static const char mark[] = "#!/bin/sh\n" SG_HOOK_MARK;
	char start[sizeof(mark)];
	struct stat file;
	size_t got = 0;
	FILE *script;

	*state = SG_HOOK_NONE;
	if (lstat(path, &file))
		return errno == ENOENT ? SL_OK
				       : fail("look at", path, errno, error);
	if (S_ISDIR(file.st_mode))
		return fail("use", path, EISDIR, error);
	*state = SG_HOOK_OTHER;
	script = S_ISREG(file.st_mode) ? fopen(path, "re") : NULL;
	if (script) {
		got = fread(start, 1, sizeof(mark) - 1, script);
		fclose(script);
	}
	if (got == sizeof(mark) - 1 && memcmp(start, mark, got) == 0)
		*state = SG_HOOK_OURS;
	return SL_OK;
}

/* The paths of a hook. */
struct paths {
	char *hook, *before, *legacy, *fresh; /* owned */
};

static void paths_finish(struct paths *paths)
{
	free(paths->hook);
	free(paths->before);
	free(paths->legacy);
	free(paths->fresh);
}

static enum sl_code paths_init(struct paths *paths, const char *folder,
			       enum sg_hook hook, struct sl_error *error)
{
	const char *name = sg_hook_names[hook];

	*paths = (struct paths){
		join(folder, name, ""),
		join(folder, name, ".before-scgate"),
		join(folder, name, ".legacy"),
		join(folder, name, ".scgate"),
	};
	return paths->hook && paths->before && paths->legacy && paths->fresh
		       ? SL_OK
		       : no_memory(error);
}

static enum sl_code look(const struct paths *paths, struct sg_hook_seen *seen,
			 struct sl_error *error)
{
	enum sg_hook_state other;
	enum sl_code code = look_at(paths->before, &other, error);

	seen->has_before = code == SL_OK && other != SG_HOOK_NONE;
	if (code == SL_OK)
		code = look_at(paths->hook, &seen->state, error);
	if (code == SL_OK && seen->state == SG_HOOK_OTHER) {
		code = look_at(paths->legacy, &other, error);
		if (code == SL_OK && other == SG_HOOK_OURS)
			seen->state = SG_HOOK_LEGACY;
	}
	return code;
}

enum sl_code sg_hook_look(const char *folder, enum sg_hook hook,
			  struct sg_hook_seen *seen, struct sl_error *error)
{
	struct paths paths;
	enum sl_code code = paths_init(&paths, folder, hook, error);

	*seen = (struct sg_hook_seen){ .state = SG_HOOK_NONE };
	if (code == SL_OK)
		code = look(&paths, seen, error);
	paths_finish(&paths);
	return code;
}

/* ---- changing ---------------------------------------------------------- */

/* A script that may be run, beside the hook, to be renamed: git passes over a
 * hook that may not be run, so it must not stand there for a moment without. */
static enum sl_code write_script(const char *path, enum sg_hook hook,
				 const char *program, struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	struct stat file;
	enum sl_code code = sg_hook_script(hook, program, &text, error);

	if (code == SL_OK)
		code = sg_replace_file(path, text.data, text.used, error);
	free(text.data);
	/* whoever may read it may run it */
	if (code == SL_OK &&
	    (stat(path, &file) ||
	     chmod(path, file.st_mode | 0100 | (file.st_mode & 0044) >> 2)))
		code = fail("write", path, errno, error);
	return code;
}

/* Keep the hook of others beside ours: by a second name if the file system
 * has such, so that there is a hook at any time. */
static enum sl_code keep(const struct paths *paths, struct sl_error *error)
{
	if (link(paths->hook, paths->before) == 0 ||
	    (errno != EEXIST && rename(paths->hook, paths->before) == 0))
		return SL_OK;
	return fail("rename", paths->hook, errno, error);
}

static enum sl_code install(const struct paths *paths, enum sg_hook hook,
			    const char *program, struct sg_hook_seen *was,
			    struct sl_error *error)
{
	enum sl_code code = look(paths, was, error);

	if (code != SL_OK || was->state == SG_HOOK_LEGACY)
		return code;
	if (was->state == SG_HOOK_OTHER && was->has_before)
		return SL_FAIL(error, SL_EINVAL,
			       "somebody else's %s is there, and %s.before-"
			       "scgate, which it replaced: delete or move one "
			       "of them",
			       sl_path_tail(paths->hook), sg_hook_names[hook]);
	code = write_script(paths->fresh, hook, program, error);
	if (code == SL_OK && was->state == SG_HOOK_OTHER)
		code = keep(paths, error);
	if (code == SL_OK && rename(paths->fresh, paths->hook))
		code = fail("write", paths->hook, errno, error);
	if (code != SL_OK)
		unlink(paths->fresh);
	return code;
}

enum sl_code sg_hook_install(const char *folder, enum sg_hook hook,
			     const char *program, struct sg_hook_seen *was,
			     struct sl_error *error)
{
	struct paths paths;
	enum sl_code code = paths_init(&paths, folder, hook, error);

	*was = (struct sg_hook_seen){ .state = SG_HOOK_NONE };
	if (code == SL_OK && mkdir(folder, 0777) && errno != EEXIST)
		code = fail("make", folder, errno, error);
	if (code == SL_OK)
		code = install(&paths, hook, program, was, error);
	paths_finish(&paths);
	return code;
}

static enum sl_code uninstall(const struct paths *paths, enum sg_hook hook,
			      struct sg_hook_seen *was, struct sl_error *error)
{
	enum sl_code code = look(paths, was, error);

	if (code != SL_OK || was->state == SG_HOOK_OTHER)
		return code;
	if (was->state == SG_HOOK_LEGACY)
		return SL_FAIL(
			error, SL_EINVAL,
			"ours is %s, which the pre-commit framework "
			"runs: take that out first (pre-commit uninstall "
			"-t %s)",
			sl_path_tail(paths->legacy), sg_hook_names[hook]);
	if (was->has_before && rename(paths->before, paths->hook))
		return fail("rename", paths->before, errno, error);
	if (!was->has_before && was->state == SG_HOOK_OURS &&
	    unlink(paths->hook))
		return fail("delete", paths->hook, errno, error);
	return SL_OK;
}

enum sl_code sg_hook_uninstall(const char *folder, enum sg_hook hook,
			       struct sg_hook_seen *was, struct sl_error *error)
{
	struct paths paths;
	enum sl_code code = paths_init(&paths, folder, hook, error);

	*was = (struct sg_hook_seen){ .state = SG_HOOK_NONE };
	if (code == SL_OK)
		code = uninstall(&paths, hook, was, error);
	paths_finish(&paths);
	return code;
}
