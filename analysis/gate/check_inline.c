/* SPDX-License-Identifier: MIT */
/* Inline suppressions as findings, where the configuration forbids them. */
#include <stdlib.h>
#include <string.h>

#include "gate/check_side.h"
#include "match/function.h"
#include "run/path.h"

#define TOOL "scgate"
#define RULE "inline-suppression"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for findings");
}

/* ---- which files ------------------------------------------------------- */

static bool is_code(const struct sg_gate_tree *tree,
		    const struct sg_snapshot_file *file)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);

	return sg_check_is_code(file->path) || tree->read[file - files];
}

/* @return whether the other tree has the file just so: then it is no part of
 * the change. */
static bool is_same(const struct sg_check *check,
		    const struct sg_gate_tree *tree,
		    const struct sg_snapshot_file *file)
{
	const struct sg_gate_tree *other =
		tree->is_base ? &check->tested : &check->bases[0];
	const struct sg_snapshot_file *found;

	if (!tree->is_base && !check->base_count)
		return false;
	found = sg_snapshot_find(other->snapshot, file->path);
	return found && sg_hash_equal(found->content, file->content) &&
	       is_code(other, found);
}

static bool is_of_interest(const struct sg_check *check,
			   const struct sg_gate_tree *tree,
			   const struct sg_snapshot_file *file)
{
	return (file->mode & 0170000) == 0100000 && is_code(tree, file) &&
	       !sg_config_excludes(&check->config, file->path) &&
	       (check->judgement.is_whole || !is_same(check, tree, file));
}

/* @return whether a #line leads to a file that is judged: generators of parsers
 * write these. @p what: "\"NAME\""; it starts at the root, or beside @p path.
 */
static bool leads_to_judged(struct sg_check *check,
			    const struct sg_gate_tree *tree, const char *path,
			    const char *what, size_t length)
{
	const char *root = check->settings.root;
	const char *folder =
		sl_arena_printf(&check->arena, "%s/%.*s", root,
				(int)(sg_path_name(path) - path), path);
	const char *const starts[] = { root, folder };
	char *name;

	if (length < 3 || *what != '"' || what[length - 1] != '"' || !folder)
		return false;
	name = sl_arena_text(&check->arena, what + 1, length - 2);
	if (!name || strpbrk(name, "\\\""))
		return false;
	for (size_t at = 0; at < 2; at++) {
		const char *whole =
			sg_path_join(starts[at], name, &check->arena);
		const char *below = whole ? sg_path_below(root, whole) : NULL;

		if (below && sg_snapshot_find(tree->snapshot, below) &&
		    !sg_config_excludes(&check->config, below))
			return true;
	}
	return false;
}

/* ---- findings ---------------------------------------------------------- */

/* The text of the file whose suppressions are added. */
struct holder {
	struct sg_source source;
	struct sg_functions functions;
};

/* A line of a scan, "!LINE:COLUMN WHAT". */
static enum sl_code add(struct sg_check *check, struct sg_gate_side *side,
			const struct holder *holder, const char *path,
			const char *line, size_t length, struct sl_error *error)
{
	struct sg_kept_finding *kept, *grown;
	char *rest;
	long long row = strtoll(line + 1, &rest, 10);
	long long column = *rest == ':' ? strtoll(rest + 1, &rest, 10) : 0;
	struct sg_words words = { .tool = TOOL, .rule = RULE };
	const char *what = rest + (*rest == ' ');

	grown = realloc(side->findings,
			(side->count + 1) * sizeof(*side->findings));
	if (!grown)
		return no_memory(error);
	side->findings = grown;
	kept = &grown[side->count];
	words.function = sg_function_at(&holder->functions, row);
	words.message = sl_arena_printf(
		&check->arena, "inline suppression, which %s forbids: %.*s",
		SG_CONFIG_NAME, (int)(length - (size_t)(what - line)), what);
	*kept = (struct sg_kept_finding){
		.finding = { .tool = TOOL,
			     .rule = RULE,
			     .severity = SG_WARNING,
			     .severity_word = "warning",
			     .message = words.message,
			     .path = path,
			     .line = row,
			     .column = column,
			     .repeats = 1 },
	};
	if (words.function)
		kept->finding.function =
			sl_arena_printf(&check->arena, "%s", words.function);
	if (!words.message ||
	    sg_fingerprint_init(&kept->fingerprint, &words, &holder->source,
				row) != SL_OK)
		return no_memory(error);
	side->count++;
	return SL_OK;
}

/* @return whether a line of a scan is no suppression after all. */
static bool is_harmless(struct sg_check *check, const struct sg_gate_tree *tree,
			const char *path, const char *line, size_t length)
{
	static const char word[] = " #line ";
	const char *blank = memchr(line, ' ', length);
	size_t skip = blank ? (size_t)(blank - line) + sizeof(word) - 1 : 0;

	return blank && skip < length &&
	       strncmp(blank, word, sizeof(word) - 1) == 0 &&
	       leads_to_judged(check, tree, path, line + skip, length - skip);
}

static enum sl_code add_lines(struct sg_check *check, struct sg_gate_side *side,
			      const struct sg_snapshot_file *file,
			      const char *scan, struct sl_error *error)
{
	struct holder holder;
	const char *text;
	size_t length;
	enum sl_code code = sg_snapshot_text(side->tree->snapshot, file->path,
					     &text, &length, error);

	if (code != SL_OK || !text)
		return code;
	if (sg_source_init(&holder.source, text, length) != SL_OK)
		return no_memory(error);
	if (sg_functions_init(&holder.functions, &holder.source) != SL_OK) {
		sg_source_finish(&holder.source);
		return no_memory(error);
	}
	for (const char *line = scan; code == SL_OK && *line;) {
		size_t size = strcspn(line, "\n");

		if (*line == '!' &&
		    !is_harmless(check, side->tree, file->path, line, size))
			code = add(check, side, &holder, file->path, line, size,
				   error);
		line += size + (line[size] == '\n');
	}
	sg_functions_finish(&holder.functions);
	sg_source_finish(&holder.source);
	return code;
}

enum sl_code sg_side_add_inline(struct sg_check *check,
				struct sg_gate_side *side,
				struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(side->tree->snapshot, &count);
	enum sl_code code = sg_check_find_read(check, side->tree, error);

	if (code == SL_OK)
		code = sg_check_find_read(check, &check->tested, error);
	if (code == SL_OK && check->base_count)
		code = sg_check_find_read(check, &check->bases[0], error);
	for (size_t at = 0; code == SL_OK && at < count; at++) {
		const char *scan;

		if (!is_of_interest(check, side->tree, &files[at]))
			continue;
		code = sg_check_scan(check, side->tree, &files[at], &scan,
				     error);
		if (code == SL_OK && (*scan == '!' || strstr(scan, "\n!")))
			code = add_lines(check, side, &files[at], scan, error);
	}
	return code;
}
