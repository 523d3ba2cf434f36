/* SPDX-License-Identifier: MIT */
/* The parent's files that steer analyzers, in the place of the change's own. */
#include "gate/check_law.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gate/key.h"

/* @return whether text is the path, written from the root in one way or
 * another; a '}' may end it, of {c:WORD}. */
static bool is_path(const char *text, const char *path)
{
	static const char *const fronts[] = { "@", "{root}/", "./" };
	size_t length = strlen(path);

	for (size_t at = 0; at < sizeof(fronts) / sizeof(fronts[0]); at++)
		while (strncmp(text, fronts[at], strlen(fronts[at])) == 0)
			text += strlen(fronts[at]);
	return strncmp(text, path, length) == 0 &&
	       (!text[length] || strcmp(text + length, "}") == 0);
}

/* @return whether a word of a command names the file: it is its path, or what
 * is behind the "c:" of {c:WORD}, or behind a '='. */
static bool is_named(const struct sg_analyzer *analyzer, const char *path)
{
	for (const char *const *at = analyzer->command; *at; at++) {
		const char *word = *at, *value;

		if (strncmp(word, "{c:", 3) == 0)
			word += 3;
		else if (strncmp(word, "{c++:", 5) == 0)
			word += 5;
		value = strchr(word, '=');
		if (is_path(word, path) || (value && is_path(value + 1, path)))
			return true;
	}
	return false;
}

static bool is_law(const struct sg_check *check, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (strcmp(slash ? slash + 1 : path, ".clang-tidy") == 0)
		return true;
	/* what is judged does not become the parent's by being named */
	if (sg_check_is_code(path))
		return false;
	for (const struct sg_analyzer *const *at = check->config.analyzers; *at;
	     at++)
		if (is_named(*at, path))
			return true;
	return false;
}

/* Call @p take for each such file of @p tree. */
typedef enum sl_code law_fn(struct sg_check *check,
			    const struct sg_snapshot_file *file, void *context,
			    struct sl_error *error);

static enum sl_code each(struct sg_check *check,
			 const struct sg_gate_tree *tree, law_fn *take,
			 void *context, struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++)
		if (is_law(check, files[at].path))
			code = take(check, &files[at], context, error);
	return code;
}

/* ---- reading ----------------------------------------------------------- */

static enum sl_code hash_one(struct sg_check *check,
			     const struct sg_snapshot_file *file, void *context,
			     struct sl_error *error)
{
	struct sg_key *key = context;
	const struct sg_snapshot_file *read;
	enum sl_code code = sg_check_follow(check, check->lawgiver, file->path,
					    &read, error);

	sg_key_text(key, file->path);
	sg_key_number(key, file->mode);
	sg_key_hash(key, file->content);
	if (code == SL_OK && read)
		sg_key_hash(key, read->content);
	return code;
}

static enum sl_code note_one(struct sg_check *check,
			     const struct sg_snapshot_file *file, void *context,
			     struct sl_error *error)
{
	const struct sg_snapshot_file *law, *own;
	enum sl_code code = sg_check_follow(check, check->lawgiver, file->path,
					    &law, error);

	(void)context;
	if (code == SL_OK)
		code = sg_check_follow(check, &check->tested, file->path, &own,
				       error);
	if (code != SL_OK)
		return code;
	if (law == own ||
	    (law && own && sg_hash_equal(law->content, own->content)))
		return SL_OK;
	return sg_check_note(check, error,
			     "this change edits %s; it is judged by that of %s",
			     file->path, check->lawgiver->name);
}

enum sl_code sg_law_read(struct sg_check *check, struct sl_error *error)
{
	struct sg_key key;
	enum sl_code code;

	sg_key_init(&key, "law");
	code = each(check, check->lawgiver, hash_one, &key, error);
	check->law = key.hash;
	if (code == SL_OK && check->lawgiver != &check->tested)
		code = each(check, &check->tested, note_one, NULL, error);
	return code;
}

/* ---- laying ------------------------------------------------------------ */

static enum sl_code remove_one(struct sg_check *check,
			       const struct sg_snapshot_file *file,
			       void *context, struct sl_error *error)
{
	const char *folder = context;
	const char *path =
		sl_arena_printf(&check->arena, "%s/%s", folder, file->path);

	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
	if (unlink(path) && errno != ENOENT)
		return SL_FAIL(error, SL_EIO, "cannot remove %s: %s",
			       sl_path_tail(path), strerror(errno));
	return SL_OK;
}

/* A symlink that leads out of the tree, so all trees read the same. */
static enum sl_code link_one(struct sg_check *check, const char *from,
			     const char *to, struct sl_error *error)
{
	const char *target;
	enum sl_code code = sg_snapshot_target(check->lawgiver->snapshot, from,
					       &target, error);

	if (code != SL_OK || !target)
		return code;
	if (!to)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
	if (symlink(target, to))
		return SL_FAIL(error, SL_EIO, "cannot link %s: %s",
			       sl_path_tail(to), strerror(errno));
	return SL_OK;
}

static enum sl_code write_one(struct sg_check *check,
			      const struct sg_snapshot_file *file,
			      void *context, struct sl_error *error)
{
	const char *folder = context, *text = NULL;
	char *path =
		sl_arena_printf(&check->arena, "%s/%s", folder, file->path);
	const struct sg_snapshot_file *read;
	size_t length;
	enum sl_code code = sg_check_follow(check, check->lawgiver, file->path,
					    &read, error);

	if (code == SL_OK && !read)
		return link_one(check, file->path, path, error);
	if (code == SL_OK)
		code = sg_snapshot_text(check->lawgiver->snapshot, read->path,
					&text, &length, error);
	if (code != SL_OK || !text)
		return code;
	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
	return sg_check_write(path, text, length, error);
}

enum sl_code sg_law_lay(struct sg_check *check, const struct sg_gate_tree *tree,
			struct sl_error *error)
{
	enum sl_code code;

	if (tree == check->lawgiver)
		return SL_OK;
	code = each(check, tree, remove_one, tree->folder, error);
	return code == SL_OK ? each(check, check->lawgiver, write_one,
				    tree->folder, error)
			     : code;
}
