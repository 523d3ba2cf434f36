/* SPDX-License-Identifier: MIT */
/* The files of a commit, or of the index, as git lists them. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run/snapshot_files.h"

enum { PATH_SHOWN = 200 };

enum sl_code sg_git_records(const char *folder, const char *const *command,
			    const char *what, sg_record_fn *take, void *context,
			    struct sl_error *error)
{
	struct sg_git git;
	enum sl_code code = sg_git_start(&git, folder, command, false, error);
	char *record = NULL;
	size_t room = 0;
	int status;

	if (code != SL_OK)
		return code;
	while (code == SL_OK && getdelim(&record, &room, '\0', git.from) > 0)
		code = take(context, record, error);
	free(record);
	status = sg_git_stop(&git);
	if (code == SL_OK && status != 0)
		code = SL_FAIL(error, SL_EIO, "git cannot %s of %s", what,
			       sl_path_tail(folder));
	return code;
}

/* Cut a word off the front of *record. */
static char *cut(char **record, char end)
{
	char *word = *record, *found = strchr(word, end);

	if (!found)
		return NULL;
	*found = '\0';
	*record = found + 1;
	return word;
}

static enum sl_code no_listing(struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "git lists files in an unknown way");
}

/* ---- a commit ---------------------------------------------------------- */

/* "MODE TYPE ID<tab>PATH" */
static enum sl_code take_tree_row(void *context, char *record,
				  struct sl_error *error)
{
	char *mode = cut(&record, ' ');
	char *type = mode ? cut(&record, ' ') : NULL;
	char *id = type ? cut(&record, '\t') : NULL;

	if (!id)
		return no_listing(error);
	return sg_snapshot_add(context, record, id,
			       (unsigned)strtoul(mode, NULL, 8), error);
}

enum sl_code sg_snapshot_list_commit(struct sg_snapshot *snapshot,
				     struct sl_error *error)
{
	const char *const command[] = {
		"ls-tree", "-r", "-z", "--full-tree", snapshot->commit, NULL
	};

	return sg_git_records(snapshot->root, command, "list a commit",
			      take_tree_row, snapshot, error);
}

/* ---- the index --------------------------------------------------------- */

static const char *const empty_blobs[] = {
	"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
	"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
};
static const char *const empty_trees[] = {
	"4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

struct index_listing {
	struct sg_snapshot *snapshot;
	const char *empty_tree; /* NULL: no file is empty */
};

static bool is_empty(const struct sg_held *held)
{
	return strcmp(held->id, empty_blobs[0]) == 0 ||
	       strcmp(held->id, empty_blobs[1]) == 0;
}

/* "MODE ID STAGE<tab>PATH" */
static enum sl_code take_index_row(void *context, char *record,
				   struct sl_error *error)
{
	struct index_listing *listing = context;
	char *mode = cut(&record, ' ');
	char *id = mode ? cut(&record, ' ') : NULL;
	char *stage = id ? cut(&record, '\t') : NULL;

	if (!stage)
		return no_listing(error);
	if (strcmp(stage, "0") != 0) {
		sl_text_flatten(record);
		return SL_FAIL(error, SL_EINVAL,
			       "the index has a conflict: %.*s is not merged",
			       PATH_SHOWN, record);
	}
	for (int kind = 0; kind < 2; kind++)
		if (strcmp(id, empty_blobs[kind]) == 0)
			listing->empty_tree = empty_trees[kind];
	return sg_snapshot_add(listing->snapshot, record, id,
			       (unsigned)strtoul(mode, NULL, 8), error);
}

/* A path that really is in the index. */
static enum sl_code take_added(void *context, char *record,
			       struct sl_error *error)
{
	struct sg_held *held = sg_snapshot_held(context, record);

	(void)error;
	if (held)
		held->gone = false;
	return SL_OK;
}

/* "git add -N" notes a path with an empty file. Only a diff tells it from a
 * file that is empty. */
static enum sl_code drop_intended(struct index_listing *listing,
				  struct sl_error *error)
{
	const char *const command[] = { "diff-index",
					"--cached",
					"--name-only",
					"-z",
					"-r",
					"--no-renames",
					"--ignore-submodules=all",
					"--ita-invisible-in-index",
					listing->empty_tree,
					NULL };
	struct sg_snapshot *snapshot = listing->snapshot;

	for (size_t at = 0; at < snapshot->count; at++)
		if (is_empty(&snapshot->held[at]))
			snapshot->held[at].gone = true;
	return sg_git_records(snapshot->root, command, "compare the index",
			      take_added, snapshot, error);
}

enum sl_code sg_snapshot_list_index(struct sg_snapshot *snapshot,
				    struct sl_error *error)
{
	static const char *const command[] = { "ls-files", "-s", "-z",
					       "--full-name", NULL };
	struct index_listing listing = { snapshot, NULL };
	enum sl_code code =
		sg_git_records(snapshot->root, command, "list the index",
			       take_index_row, &listing, error);

	if (code != SL_OK)
		return code;
	sg_snapshot_sort(snapshot);
	if (listing.empty_tree)
		code = drop_intended(&listing, error);
	sg_snapshot_sort(snapshot);
	return code;
}
