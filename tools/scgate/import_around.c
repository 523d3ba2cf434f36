/* SPDX-License-Identifier: MIT */
/* The root, the sources and the suppressions of an import. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "import_around.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Paths are relative to the root of the work tree that the command is given in,
 * unless another one is named; and so are the sources. */
static enum sl_code find_root(struct import_around *around,
			      struct sg_run_start *start,
			      struct sl_error *error)
{
	enum sl_code code = SL_OK;

	/* who looks for the sources later may be elsewhere; a root of another
	 * machine stays as it was given */
	if (start->root)
		around->root = realpath(start->root, NULL);
	else
		code = sg_tree_find_root(&around->root, error);
	if (around->root)
		start->root = around->root;
	return code == SL_END ? SL_OK : code;
}

/* Outside of a repository a revision is kept as it was given, and nobody knows
 * its sources. */
static enum sl_code open_tree(struct import_around *around,
			      struct sg_run_start *start,
			      struct sl_error *error)
{
	enum sl_code code;

	if (!around->root)
		return SL_OK;
	code = sg_tree_open(around->root, start->commit, &around->tree, error);
	if (code == SL_END) {
		fputs("scgate import: the root is in no git repository, so "
		      "findings are matched without\ntheir sources\n",
		      stderr);
		return SL_OK;
	}
	if (code != SL_OK)
		return code;
	if (sg_tree_commit(around->tree))
		start->commit = sg_tree_commit(around->tree);
	start->source = sg_tree_text;
	start->map = sg_tree_map;
	start->context = around->tree;
	return SL_OK;
}

static enum sl_code read_suppressions(struct import_around *around,
				      const struct sg_run_start *start,
				      const char *path, struct sl_error *error)
{
	bool is_named = path != NULL;
	char own[PATH_MAX];
	int length;
	enum sl_code code;

	if (!path && !start->root)
		return SL_OK;
	if (!path) {
		length = snprintf(own, sizeof(own), "%s/%s", start->root,
				  SG_SUPPRESSIONS_NAME);
		if (length < 0 || (size_t)length >= sizeof(own))
			return SL_FAIL(error, SL_EIO,
				       "the root's path is too "
				       "long");
		path = own;
	}
	/* What is read takes a file that is not there for an empty one. */
	if (is_named && access(path, F_OK))
		return SL_FAIL(error, SL_EINVAL, "cannot open %s: %s",
			       sl_path_tail(path), strerror(errno));
	code = sg_suppressions_read(path, &around->list, error);
	return code;
}

enum sl_code import_around_open(struct import_around *around,
				struct sg_run_start *start,
				const char *suppressions,
				struct sl_error *error)
{
	enum sl_code code = find_root(around, start, error);

	if (code == SL_OK)
		code = read_suppressions(around, start, suppressions, error);
	if (code == SL_OK)
		code = open_tree(around, start, error);
	start->suppressions = around->list;
	return code;
}

void import_around_close(struct import_around *around)
{
	sg_tree_close(around->tree);
	sg_suppressions_destroy(around->list);
	free(around->root);
}
