/* SPDX-License-Identifier: MIT */
/* Sources from a folder, or from git's objects. */
#include "run/tree.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/diff.h"
#include "run/git.h"

enum { TEXT_MAX = 64 << 20, HEAD_MAX = 256 };

struct sg_tree {
	char *root; /* owned */
	char *commit; /* owned; NULL: none */
	char *prefix; /* owned; of the root in the repository, "src/" or "" */
	bool is_revision; /* as against files as they are */
	struct sg_git blobs; /* git cat-file --batch; child -1: not yet */
	bool is_mute; /* it ended: there are no blobs */
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

static bool is_commit_id(const char *text)
{
	size_t digits = strspn(text, "0123456789abcdef");

	return !text[digits] && digits >= 40;
}

static enum sl_code find_commit(struct sg_tree *tree, const char *revision,
				struct sl_error *error)
{
	size_t room = strlen(revision) + sizeof("^{commit}");
	char *name = malloc(room);
	const char *const command[] = { "rev-parse", "--verify",
					"--quiet",   "--end-of-options",
					name,        NULL };
	enum sl_code code;

	if (!name)
		return SL_FAIL(error, SL_ENOMEM, "no memory for sources");
	snprintf(name, room, "%s^{commit}", revision);
	code = sg_git_line(tree->root, command, &tree->commit, error);
	free(name);
	/* "^HEAD" is verified, too, and is no commit */
	if (tree->commit && !is_commit_id(tree->commit)) {
		free(tree->commit);
		tree->commit = NULL;
	}
	return code;
}

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
		code = find_commit(tree, revision, error);
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
		code = find_commit(tree, "HEAD", error);
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
		opened->blobs.child = -1;
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
	if (tree->blobs.child >= 0)
		(void)sg_git_stop(&tree->blobs);
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
	    about.st_size > TEXT_MAX)
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

/* The answer's head, "ID blob SIZE" or "... missing". */
static bool read_head(struct sg_tree *tree, size_t *size, bool *is_blob)
{
	char head[HEAD_MAX], *blank;
	unsigned long long bytes;

	*is_blob = false;
	*size = 0;
	if (!fgets(head, sizeof(head), tree->blobs.from))
		return false;
	/* a missing object's name may be longer than the room for it */
	if (!strchr(head, '\n')) {
		for (int byte; (byte = fgetc(tree->blobs.from)) != '\n';)
			if (byte == EOF)
				return false;
		return true;
	}
	blank = strrchr(head, ' ');
	if (!blank)
		return true;
	/* "ID submodule\n", and whatever newer ones say, is no text */
	if (!isdigit((unsigned char)blank[1]))
		return true;
	bytes = strtoull(blank + 1, NULL, 10);
	*blank = '\0';
	blank = strrchr(head, ' ');
	*is_blob = blank && strcmp(blank, " blob") == 0;
	*size = (size_t)bytes + 1; /* and a newline */
	return true;
}

static bool skip(FILE *from, size_t bytes)
{
	while (bytes--)
		if (fgetc(from) == EOF)
			return false;
	return true;
}

/* @return false: git does not answer any more. */
static bool read_blob(struct sg_tree *tree, bool *there, enum sl_code *code,
		      struct sl_error *error)
{
	size_t size;
	bool is_blob;

	if (!read_head(tree, &size, &is_blob))
		return false;
	if (!size)
		return true;
	if (!is_blob || size > TEXT_MAX)
		return skip(tree->blobs.from, size);
	*code = sl_buffer_reserve(&tree->text, size, error);
	if (*code != SL_OK)
		return false;
	if (fread(tree->text.data, 1, size, tree->blobs.from) != size)
		return false;
	tree->text.used = size - 1;
	*there = true;
	return true;
}

static bool ask_for_blob(struct sg_tree *tree, const char *path)
{
	const char *const parts[] = { tree->commit, ":", tree->prefix, path,
				      "\n" };

	for (size_t at = 0; at < sizeof(parts) / sizeof(parts[0]); at++)
		if (!sg_git_ask(&tree->blobs, parts[at], strlen(parts[at])))
			return false;
	return true;
}

static enum sl_code find_blob(struct sg_tree *tree, const char *path,
			      bool *there, struct sl_error *error)
{
	static const char *const command[] = { "cat-file", "--batch", NULL };
	enum sl_code code = SL_OK;

	if (tree->is_mute || strchr(path, '\n'))
		return SL_OK;
	if (tree->blobs.child < 0)
		code = sg_git_start(&tree->blobs, tree->root, command, true,
				    error);
	if (code != SL_OK)
		return code;
	if (!ask_for_blob(tree, path) ||
	    !read_blob(tree, there, &code, error)) {
		(void)sg_git_stop(&tree->blobs);
		tree->is_mute = true;
		if (code == SL_OK)
			code = SL_FAIL(error, SL_EIO,
				       "git cat-file ended in the middle");
	}
	return code;
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

static enum sl_code start_diff(struct sg_tree *tree, const char *base,
			       struct sg_git *git, struct sl_error *error)
{
#define DIFF_OPTIONS \
	"-p", "-U0", "-M", "--no-color", "--no-ext-diff", "--no-textconv", \
		"--src-prefix=a/", "--dst-prefix=b/", "--relative"
	const char *const trees[] = { "-c",         "core.quotePath=false",
				      "diff-tree",  "-r",
				      DIFF_OPTIONS, base,
				      tree->commit, NULL };
	const char *const files[] = { "-c",         "core.quotePath=false",
				      "diff-index", DIFF_OPTIONS,
				      base,         NULL };

	return sg_git_start(git, tree->root, tree->commit ? trees : files,
			    false, error);
}

/* A commit that the repository does not have makes git fail: no map. */
static enum sl_code make_diff(struct sg_tree *tree, const char *base,
			      bool *known, struct sl_error *error)
{
	struct sg_git git;
	enum sl_code code = start_diff(tree, base, &git, error);

	if (code != SL_OK)
		return code;
	code = sg_diff_read(&tree->diff, git.from, error);
	*known = sg_git_stop(&git) == 0 && code == SL_OK;
	if (code == SL_EINVAL) /* what cannot be read is no map */
		return SL_OK;
	if (code == SL_OK && !*known)
		sg_diff_finish(&tree->diff);
	return code;
}

enum sl_code sg_tree_map(void *of, const char *base_commit,
			 const struct sg_map **map, struct sl_error *error)
{
	struct sg_tree *tree = of;
	bool known = false;
	enum sl_code code;

	*map = NULL;
	if (!tree->prefix || !base_commit || !is_commit_id(base_commit) ||
	    (tree->commit && strcmp(tree->commit, base_commit) == 0))
		return SL_OK;
	sg_diff_finish(&tree->diff);
	code = make_diff(tree, base_commit, &known, error);
	if (code == SL_OK && known)
		*map = &tree->diff.map;
	return code;
}
