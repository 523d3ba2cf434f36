/* SPDX-License-Identifier: MIT */
/* Sources from a folder, or from git's objects. */
#include "run/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/blobs.h"
#include "run/diff.h"
#include "run/git.h"
#include "run/revision.h"

struct sg_tree {
	char *root; /* owned */
	char *commit; /* owned; NULL: none */
	char *prefix; /* owned; of the root in the repository, "src/" or "" */
	bool is_revision; /* as against files as they are */
	struct sg_blobs blobs;
	struct sl_buffer text; /* owned; of the last file */
	struct sg_diff diff; /* of the last map */
};

enum sl_code sg_tree_find_root(char **root, struct sl_error *error)
{
	static const char *const command[] = { "rev-parse", "--show-toplevel",
					       NULL };
	enum sl_code code = sg_git_line(".", command, root, error);

	if (code == SL_EIO) /* there is no git */
		return SL_END;
	return code == SL_OK && !*root ? SL_END : code;
}

/* ---- opening ----------------------------------------------------------- */

static enum sl_code find_prefix(struct sg_tree *tree, struct sl_error *error)
{
	static const char *const command[] = { "rev-parse", "--show-prefix",
					       NULL };

	return sg_git_line(tree->root, command, &tree->prefix, error);
}

static enum sl_code open_revision(struct sg_tree *tree, const char *revision,
				  struct sl_error *error)
{
	enum sl_code code = find_prefix(tree, error);

	if (code == SL_OK && !tree->prefix)
		return SL_FAIL(error, SL_END, "%s is in no git repository",
			       sl_path_tail(tree->root));
	if (code == SL_OK)
		code = sg_revision_find(tree->root, revision, &tree->commit,
					error);
	if (code == SL_OK && !tree->commit)
		return SL_FAIL(error, SL_EINVAL,
			       "the repository of %s has no commit \"%.80s\"",
			       sl_path_tail(tree->root), revision);
	tree->is_revision = true;
	return code;
}

/* @return whether each line says that no line of a file changed: git lists
 * files with new times, too, which it has not looked into yet. */
static bool is_unchanged(const char *numbers)
{
	for (const char *line = numbers; line && *line;) {
		if (strncmp(line, "0\t0\t", 4) != 0)
			return false;
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return true;
}

/* Files as they are have a commit if they do not differ from HEAD's. */
static enum sl_code open_files(struct sg_tree *tree, struct sl_error *error)
{
	static const char *const command[] = {
		"diff-index", "--numstat", "--no-ext-diff", "HEAD", "--",
		".",          NULL
	};
	struct sl_buffer out = { .data = NULL };
	int status = -1;
	enum sl_code code = find_prefix(tree, error);

	if (code == SL_EIO) /* no git: then they are files alone */
		return SL_OK;
	if (code != SL_OK || !tree->prefix)
		return code;
	code = sg_git_run(tree->root, command, &out, &status, error);
	if (code == SL_OK && status == 0 && is_unchanged(out.data))
		code = sg_revision_find(tree->root, "HEAD", &tree->commit,
					error);
	free(out.data);
	return code;
}

enum sl_code sg_tree_open(const char *root, const char *revision,
			  struct sg_tree **tree, struct sl_error *error)
{
	struct sg_tree *opened = calloc(1, sizeof(*opened));
	enum sl_code code;

	*tree = NULL;
	if (opened) {
		sg_blobs_init(&opened->blobs);
		opened->root = strdup(root);
	}
	if (!opened || !opened->root) {
		free(opened);
		return SL_FAIL(error, SL_ENOMEM, "no memory for sources");
	}
	code = revision ? open_revision(opened, revision, error)
			: open_files(opened, error);
	if (code == SL_OK)
		*tree = opened;
	else
		sg_tree_close(opened);
	return code;
}

void sg_tree_close(struct sg_tree *tree)
{
	if (!tree)
		return;
	sg_blobs_finish(&tree->blobs);
	sg_diff_finish(&tree->diff);
	free(tree->text.data);
	free(tree->prefix);
	free(tree->commit);
	free(tree->root);
	free(tree);
}

const char *sg_tree_commit(const struct sg_tree *tree)
{
	return tree->commit;
}

/* ---- a file's text ----------------------------------------------------- */

static bool is_inside(const char *path)
{
	if (*path == '/' || !*path)
		return false;
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (strncmp(at, "..", 2) == 0 && (!at[2] || at[2] == '/'))
			return false;
	}
	return true;
}

static int open_file(const struct sg_tree *tree, const char *path)
{
	int folder = open(tree->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int file;

	if (folder < 0)
		return -1;
	/* a pipe of that name must not be waited for */
	file = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	close(folder);
	return file;
}

static enum sl_code read_file(struct sg_tree *tree, int file, bool *there,
			      struct sl_error *error)
{
	struct stat about;
	enum sl_code code;

	if (fstat(file, &about) || !S_ISREG(about.st_mode) ||
	    about.st_size > SG_TEXT_MAX)
		return SL_OK;
	code = sl_buffer_reserve(&tree->text, (size_t)about.st_size + 1, error);
	while (code == SL_OK && tree->text.used < (size_t)about.st_size) {
		ssize_t got = read(file, tree->text.data + tree->text.used,
				   (size_t)about.st_size - tree->text.used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return SL_OK; /* not at hand */
		if (got == 0)
			break; /* it shrank */
		tree->text.used += (size_t)got;
	}
	*there = code == SL_OK;
	return code;
}

static enum sl_code find_blob(struct sg_tree *tree, const char *path,
			      bool *there, struct sl_error *error)
{
	const char *const name[] = { tree->commit, ":", tree->prefix, path,
				     NULL };

	return sg_blobs_read(&tree->blobs, tree->root, name, &tree->text, there,
			     error);
}

enum sl_code sg_tree_text(void *of, const char *path, const char **text,
			  size_t *length, struct sl_error *error)
{
	struct sg_tree *tree = of;
	bool there = false;
	enum sl_code code = SL_OK;
	int file;

	*text = NULL;
	*length = 0;
	tree->text.used = 0;
	if (!is_inside(path))
		return SL_OK;
	if (tree->is_revision) {
		code = find_blob(tree, path, &there, error);
	} else {
		file = open_file(tree, path);
		if (file >= 0) {
			code = read_file(tree, file, &there, error);
			close(file);
		}
	}
	if (code != SL_OK || !there)
		return code;
	tree->text.data[tree->text.used] = '\0';
	*text = tree->text.data;
	*length = tree->text.used;
	return SL_OK;
}

/* ---- the map ----------------------------------------------------------- */

/* A commit that the repository does not have makes git fail: no map. */
static enum sl_code make_diff(struct sg_tree *tree, const char *base,
			      bool *known, struct sl_error *error)
{
	const char *const trees[] = { base, tree->commit, NULL };
	enum sl_code code = sg_diff_run(
		&tree->diff, tree->root,
		tree->commit ? "diff-tree" : "diff-index", trees, known, error);

	if (code == SL_EINVAL) { /* what cannot be read is no map */
		*known = false;
		return SL_OK;
	}
	return code;
}

enum sl_code sg_tree_map(void *of, const char *base_commit,
			 const struct sg_map **map, struct sl_error *error)
{
	struct sg_tree *tree = of;
	bool known = false;
	enum sl_code code;

	*map = NULL;
	if (!tree->prefix || !base_commit || !sg_is_object_id(base_commit) ||
	    (tree->commit && strcmp(tree->commit, base_commit) == 0))
		return SL_OK;
	sg_diff_finish(&tree->diff);
	code = make_diff(tree, base_commit, &known, error);
	if (code == SL_OK && known)
		*map = &tree->diff.map;
	return code;
}
