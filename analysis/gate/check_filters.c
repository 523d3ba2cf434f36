/* SPDX-License-Identifier: MIT */
/* What git makes of a file when it checks it out: attributes say it, and the
 * user's settings. Analyzers read what comes out, so it is part of the key;
 * what a filter makes of a file nobody can tell from the commit. */
#include <stdlib.h>
#include <string.h>

#include "gate/check_parts.h"
#include "gate/key.h"
#include "gate/pattern.h"
#include "run/file.h"
#include "run/git.h"
#include "run/path.h"

enum { LINES_MAX = 4096, ATTRIBUTES_MAX = 1 << 22 };

/* A line that may alter contents. In the check's arena. */
struct rule {
	const char *folder; /* with a '/' behind it, or "" */
	const char *pattern;
	const char *words;
	bool is_program; /* they name a filter that is set up here */
};

struct rules {
	struct sg_check *check;
	struct rule *rows; /* in the arena */
	size_t count;
	const char *macros[LINES_MAX / 16]; /* "NAME WORDS" */
	size_t macro_count;
};

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for attributes");
}

/* ---- words ------------------------------------------------------------- */

static bool is_named(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(word, name, length) == 0;
}

static const char *macro_of(const struct rules *rules, const char *word,
			    size_t length)
{
	for (size_t at = 0; at < rules->macro_count; at++) {
		size_t own = strcspn(rules->macros[at], " \t");

		if (own == length && memcmp(rules->macros[at], word, own) == 0)
			return rules->macros[at] + own;
	}
	return NULL;
}

/* @return whether one of the words alters contents. */
static bool is_relevant(const struct rules *rules, const char *words)
{
	static const char *const names[] = { "text",
					     "crlf",
					     "eol",
					     "ident",
					     "filter",
					     "binary",
					     "working-tree-encoding" };

	for (words += strspn(words, " \t\r"); *words;
	     words += strspn(words, " \t\r")) {
		const char *word = words + (*words == '-' || *words == '!');
		size_t length = strcspn(word, " \t\r=");

		for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
			if (is_named(word, length, names[at]))
				return true;
		if (macro_of(rules, word, length))
			return true;
		words += strcspn(words, " \t\r");
	}
	return false;
}

/* @return whether a program is set up here for files that are checked out. */
static bool is_set_up(const struct rules *rules, const char *name,
		      size_t length)
{
	static const char *const kinds[] = { "smudge", "process" };
	const char *settings = rules->check->git_settings;

	for (size_t at = 0; at < 2; at++) {
		const char *setting = sl_arena_printf(
			&rules->check->arena, "\nfilter.%.*s.%s ", (int)length,
			name, kinds[at]);

		if (!setting || strstr(settings, setting))
			return true;
	}
	return false;
}

static bool is_filtered(const struct rules *rules, const char *words)
{
	static const char filter[] = "filter=";
	enum { LENGTH = sizeof(filter) - 1 };

	for (words += strspn(words, " \t\r"); *words;
	     words += strspn(words, " \t\r")) {
		size_t length = strcspn(words, " \t\r");
		const char *macro = macro_of(rules, words, length);

		if (macro && strstr(macro, filter))
			return true;
		if (length > LENGTH && strncmp(words, filter, LENGTH) == 0 &&
		    is_set_up(rules, words + LENGTH, length - LENGTH))
			return true;
		words += length;
	}
	return false;
}

/* ---- lines ------------------------------------------------------------- */

static enum sl_code add_line(struct rules *rules, const char *folder,
			     char *line, struct sl_error *error)
{
	static const char macro[] = "[attr]";
	const char *pattern = line + strspn(line, " \t");
	const char *words = pattern + strcspn(pattern, " \t\r");

	if (*pattern == '"') {
		words = strchr(++pattern, '"');
		if (!words)
			return SL_OK;
	}
	if (!*pattern || *pattern == '#' || !*words)
		return SL_OK;
	line[words++ - line] = '\0';
	if (!is_relevant(rules, words))
		return SL_OK;
	if (strncmp(pattern, macro, sizeof(macro) - 1) == 0) {
		const char *name =
			sl_arena_printf(&rules->check->arena, "%s %s",
					pattern + sizeof(macro) - 1, words);

		if (!name)
			return no_memory(error);
		if (rules->macro_count ==
		    sizeof(rules->macros) / sizeof(rules->macros[0]))
			return SL_FAIL(error, SL_EINVAL,
				       "too many macros of attributes");
		rules->macros[rules->macro_count++] = name;
		return SL_OK;
	}
	if (rules->count == LINES_MAX)
		return SL_FAIL(error, SL_EINVAL,
			       "too many lines in .gitattributes");
	rules->rows[rules->count++] =
		(struct rule){ folder, pattern, words, false };
	return SL_OK;
}

static enum sl_code add_text(struct rules *rules, const char *folder,
			     const char *text, struct sl_error *error)
{
	struct sl_arena *arena = &rules->check->arena;
	char *copy = sl_arena_text(arena, text, strlen(text)), *rest = NULL;
	enum sl_code code = copy ? SL_OK : no_memory(error);

	if (code == SL_OK && !rules->rows)
		rules->rows =
			sl_arena_alloc(arena, LINES_MAX * sizeof(*rules->rows));
	if (code == SL_OK && !rules->rows)
		return no_memory(error);
	for (char *line = code == SL_OK ? strtok_r(copy, "\n", &rest) : NULL;
	     code == SL_OK && line; line = strtok_r(NULL, "\n", &rest))
		code = add_line(rules, folder, line, error);
	return code;
}

/* One of the user's, or of this clone. */
static enum sl_code add_file(struct rules *rules, const char *path,
			     struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	enum sl_code code = sg_file_read(path, ATTRIBUTES_MAX, &text, NULL);

	if (code == SL_OK)
		code = add_text(rules, "", text.data, error);
	else
		code = SL_OK; /* there is none */
	free(text.data);
	return code;
}

static enum sl_code add_tracked(struct rules *rules, struct sg_gate_tree *tree,
				struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++) {
		const char *name = sg_path_name(files[at].path), *text;
		const char *folder;
		size_t length;

		if (strcmp(name, ".gitattributes") != 0)
			continue;
		folder = sl_arena_text(&rules->check->arena, files[at].path,
				       (size_t)(name - files[at].path));
		code = sg_snapshot_text(tree->snapshot, files[at].path, &text,
					&length, error);
		if (code == SL_OK && !folder)
			code = no_memory(error);
		if (code == SL_OK && text)
			code = add_text(rules, folder, text, error);
	}
	return code;
}

/* ---- settings ---------------------------------------------------------- */

/* "\nNAME VALUE" a setting; and the files of attributes beside the tree's. */
static enum sl_code read_settings(struct sg_check *check,
				  struct sl_error *error)
{
	static const char *const settings[] = {
		"config", "--get-regexp",
		"^(core\\.(autocrlf|eol|attributesfile)$|filter\\.)", NULL
	};
	static const char *const own[] = { "rev-parse", "--git-path",
					   "info/attributes", NULL };
	struct sl_buffer out = { .data = NULL };
	char *path = NULL;
	int status;
	enum sl_code code = sg_git_run(check->settings.root, settings, &out,
				       &status, error);

	if (code == SL_OK) {
		check->git_settings = sl_arena_printf(&check->arena, "\n%s",
						      out.data ? out.data : "");
		if (!check->git_settings)
			code = no_memory(error);
	}
	free(out.data);
	if (code == SL_OK)
		code = sg_git_line(check->settings.root, own, &path, error);
	if (code == SL_OK && path) {
		check->git_attributes =
			sg_path_join(check->settings.root, path, &check->arena);
		if (!check->git_attributes)
			code = no_memory(error);
	}
	free(path);
	return code;
}

/* @return where git looks for the user's; NULL: nowhere, or no memory. */
static const char *user_attributes(struct sg_check *check)
{
	static const char name[] = "\ncore.attributesfile ";
	const char *set = strstr(check->git_settings, name);
	const char *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");

	if (set) {
		set += sizeof(name) - 1;
		if (strncmp(set, "~/", 2) == 0 && home)
			return sl_arena_printf(&check->arena, "%s/%.*s", home,
					       (int)strcspn(set + 2, "\n"),
					       set + 2);
		return sl_arena_text(&check->arena, set, strcspn(set, "\n"));
	}
	if (config && *config)
		return sl_arena_printf(&check->arena, "%s/git/attributes",
				       config);
	return home ? sl_arena_printf(&check->arena,
				      "%s/.config/git/attributes", home)
		    : NULL;
}

/* ---- files ------------------------------------------------------------- */

static bool fits(const struct rule *rule, const char *path)
{
	size_t length = strlen(rule->folder);

	return strncmp(path, rule->folder, length) == 0 &&
	       sg_pattern_fits(rule->pattern, path + length);
}

static enum sl_code hash_files(struct rules *rules, struct sg_gate_tree *tree,
			       struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);

	tree->filters = sl_arena_alloc(&rules->check->arena,
				       (count + 1) * sizeof(*tree->filters));
	if (!tree->filters)
		return no_memory(error);
	for (size_t row = 0; row < rules->count; row++)
		rules->rows[row].is_program =
			is_filtered(rules, rules->rows[row].words);
	for (size_t at = 0; at < count; at++) {
		struct sg_gate_filter *filter = &tree->filters[at];
		struct sg_key key;

		sg_key_init(&key, "filters");
		sg_key_text(&key, rules->check->git_settings);
		for (size_t row = 0; row < rules->macro_count; row++)
			sg_key_text(&key, rules->macros[row]);
		for (size_t row = 0; row < rules->count; row++) {
			if (!fits(&rules->rows[row], files[at].path))
				continue;
			filter->is_any = true;
			filter->is_program |= rules->rows[row].is_program;
			sg_key_text(&key, rules->rows[row].words);
		}
		filter->hash = key.hash;
	}
	return SL_OK;
}

enum sl_code sg_check_find_filters(struct sg_check *check,
				   struct sg_gate_tree *tree,
				   struct sl_error *error)
{
	struct rules rules = { .check = check };
	const char *user;
	enum sl_code code =
		check->git_settings ? SL_OK : read_settings(check, error);

	if (code != SL_OK)
		return code;
	user = user_attributes(check);
	if (user)
		code = add_file(&rules, user, error);
	if (code == SL_OK)
		code = add_tracked(&rules, tree, error);
	if (code == SL_OK && check->git_attributes)
		code = add_file(&rules, check->git_attributes, error);
	return code == SL_OK && rules.count ? hash_files(&rules, tree, error)
					    : code;
}

void sg_check_add_filters(const struct sg_check *check,
			  const struct sg_gate_tree *tree,
			  const struct sg_closure *closure,
			  struct sg_hash *hash)
{
	struct sg_key key;
	bool any = check->git_settings[1] != '\0';

	sg_key_init(&key, "filtered");
	sg_key_hash(&key, *hash);
	/* line ends of all files, say */
	sg_key_text(&key, check->git_settings);
	for (size_t at = 0; tree->filters && at < closure->count; at++) {
		const struct sg_gate_filter *filter =
			&tree->filters[closure->files[at]];

		if (!filter->is_any)
			continue;
		any = true;
		sg_key_number(&key, at);
		sg_key_hash(&key, filter->hash);
	}
	if (any)
		*hash = key.hash;
}

const char *sg_check_filtered(const struct sg_gate_tree *tree,
			      const struct sg_closure *closure)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);

	for (size_t at = 0; tree->filters && at < closure->count; at++) {
		const struct sg_snapshot_file *file =
			&files[closure->files[at]];

		if (tree->filters[closure->files[at]].is_program &&
		    (!closure->whole || sg_check_is_code(file->path)))
			return file->path;
	}
	return NULL;
}
