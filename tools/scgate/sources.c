/* SPDX-License-Identifier: MIT */
/* Sources of a run, numbers, and folders. */
#include "sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum sl_code scgate_open_sources(const char *root, const char *run_root,
				 const char *commit, struct sg_tree **tree,
				 struct sl_error *error)
{
	char *found = NULL;
	enum sl_code code = SL_EINVAL;

	*tree = NULL;
	if (root)
		return sg_tree_open(root, commit, tree, error);
	if (run_root)
		code = sg_tree_open(run_root, commit, tree, NULL);
	if (code == SL_OK || code == SL_ENOMEM)
		return code;
	code = sg_tree_find_root(&found, error);
	if (code == SL_OK)
		code = sg_tree_open(found, commit, tree, error);
	else if (code == SL_END && !commit)
		code = sg_tree_open(".", NULL, tree, error);
	else if (code == SL_END)
		code = SL_FAIL(error, SL_EINVAL,
			       "this is no git repository, so name one with "
			       "--root");
	free(found);
	return code;
}

/* ---- the map between two runs ------------------------------------------ */

struct ends {
	int64_t run, base;
	char *commit, *root; /* owned; of the run; NULL: not known */
	bool has_base; /* that names a commit */
	bool no_memory;
};

static char *copy(const char *text, struct ends *ends)
{
	char *made = text ? strdup(text) : NULL;

	ends->no_memory |= text && !made;
	return made;
}

static enum sl_code note_run(void *context, const struct sg_run *run,
			     struct sl_error *error)
{
	struct ends *ends = context;

	(void)error;
	if (run->id == ends->base)
		ends->has_base = run->commit != NULL;
	if (run->id != ends->run)
		return SL_OK;
	ends->commit = copy(run->commit, ends);
	ends->root = copy(run->root, ends);
	return SL_OK;
}

enum sl_code scgate_open_map(struct sg_store *store, int64_t run, int64_t base,
			     const char *root, struct sg_tree **tree,
			     struct sl_error *error)
{
	struct ends ends = { .run = run, .base = base };
	enum sl_code code = sg_store_runs(store, note_run, &ends, error);

	*tree = NULL;
	if (code == SL_OK && ends.no_memory)
		code = SL_FAIL(error, SL_ENOMEM, "no memory for a run");
	if (code == SL_OK && ends.commit && ends.has_base) {
		code = scgate_open_sources(root, ends.root, ends.commit, tree,
					   error);
		/* who names no root need not have one */
		if (code != SL_OK && code != SL_ENOMEM && !root)
			code = SL_OK;
	}
	free(ends.commit);
	free(ends.root);
	return code;
}

/* ---- arguments --------------------------------------------------------- */

bool scgate_parse_finding(const char *text, int64_t *finding)
{
	char *end;
	long long number;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoll(text, &end, 10);
	*finding = number;
	return !errno && !*end && number > 0;
}

/* "r" and digits and "sc", as Intel's analyzer calls its results. */
static bool is_result(const char *path)
{
	size_t end = strlen(path), start, digits;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start && path[start - 1] != '/';)
		start--;
	if (path[start] != 'r')
		return false;
	digits = strspn(path + start + 1, "0123456789");
	return digits && end - start == digits + sizeof("rsc") - 1 &&
	       strncmp(path + start + 1 + digits, "sc", 2) == 0;
}

void scgate_explain_folder(const char *path, struct sl_error *error)
{
	struct stat about;

	if (strcmp(path, "-") == 0 || is_result(path) || stat(path, &about) ||
	    !S_ISDIR(about.st_mode) || access(path, R_OK | X_OK))
		return;
	sl_error_set(error, SL_EIO, __FILE__, __LINE__,
		     "%s is a folder; reports are files, or rNsc folders of "
		     "Intel's analyzer",
		     sl_path_tail(path));
}
