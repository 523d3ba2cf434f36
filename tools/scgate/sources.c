/* SPDX-License-Identifier: MIT */
/* Sources of a run, and numbers. */
#include "sources.h"

#include <errno.h>
#include <stdlib.h>

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
