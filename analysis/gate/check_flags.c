/* SPDX-License-Identifier: MIT */
/* Flags that say what a compiler looks for. A unit that is compiled with fewer
 * of them shows fewer findings, and nobody mended anything. */
#include <stdlib.h>
#include <string.h>

#include "gate/check_parts.h"
#include "run/list.h"
#include "run/path.h"
#include "run/unit_flags.h"

enum { GROUPS_MAX = 5 /* of units, that a verdict tells of */ };

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for flags");
}

static bool begins(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

/* ---- words ------------------------------------------------------------- */

static bool is_optimizing(const char *word)
{
	return begins(word, "-O") && strcmp(word, "-O0") != 0;
}

static bool is_for_checks(const char *word)
{
	static const char *const others[] = { "-Wl,", "-Wp,", "-Wa,", "-Werror",
					      "-Wno-error" };

	if (begins(word, "-W")) {
		for (size_t at = 0; at < sizeof(others) / sizeof(others[0]);
		     at++)
			if (begins(word, others[at]))
				return false;
		return true;
	}
	return strcmp(word, "-w") == 0 || begins(word, "-pedantic") ||
	       begins(word, "-fanalyzer") || begins(word, "-fno-analyzer") ||
	       begins(word, "-isystem") || begins(word, "-O");
}

static bool hushes(const char *word)
{
	return strcmp(word, "-w") == 0 || begins(word, "-Wno-") ||
	       begins(word, "-fno-analyzer") || begins(word, "-isystem");
}

/* What two lists of words have alone. */
struct change {
	struct sg_list gained, lost;
};

static bool has(const struct sg_list *list, const char *word)
{
	for (size_t at = 0; at < list->count; at++)
		if (strcmp(list->words[at], word) == 0)
			return true;
	return false;
}

static struct change compare(const struct sg_list *then,
			     const struct sg_list *now)
{
	struct change change = { { .arena = now->arena },
				 { .arena = now->arena } };

	for (size_t at = 0; at < now->count; at++)
		if (!has(then, now->words[at]))
			sg_list_add(&change.gained, now->words[at]);
	for (size_t at = 0; at < then->count; at++)
		if (!has(now, then->words[at]))
			sg_list_add(&change.lost, then->words[at]);
	return change;
}

/* @return whether what is called @p rule (NULL: anything) may be found less
 * often. "-Wno-x" is about -Wx alone. */
static bool weakens(const struct change *change, const char *rule)
{
	static const char *const groups[] = { "-Wall", "-Wextra",
					      "-Weverything", "-W" };
	bool optimizes = false;

	for (size_t at = 0; at < change->gained.count; at++) {
		const char *word = change->gained.words[at];

		optimizes |= is_optimizing(word);
		if (hushes(word) && (!rule || !begins(word, "-Wno-") ||
				     strstr(rule, word + strlen("-Wno-"))))
			return true;
	}
	for (size_t at = 0; at < change->lost.count; at++) {
		const char *word = change->lost.words[at];
		bool is_group = !begins(word, "-W");

		for (size_t in = 0; in < sizeof(groups) / sizeof(groups[0]);
		     in++)
			is_group |= strcmp(word, groups[in]) == 0;
		if (hushes(word) || strcmp(word, "-O0") == 0 ||
		    (is_optimizing(word) && optimizes))
			continue;
		if (!rule || is_group || strstr(rule, word + strlen("-W")))
			return true;
	}
	return false;
}

/* ---- units ------------------------------------------------------------- */

static void list_flags(const struct sg_unit *unit, struct sg_list *list)
{
	const char *const *words = sg_unit_flags(unit);

	while (*words) {
		struct sg_flag flag;

		sg_flag_next(&words, &flag);
		if (!is_for_checks(flag.word))
			continue;
		sg_list_add(list,
			    flag.separate && flag.value
				    ? sl_arena_printf(list->arena, "%s %s",
						      flag.word, flag.value)
				    : flag.word);
	}
}

static struct change compare_units(struct sg_check *check,
				   const struct sg_unit *then,
				   const struct sg_unit *now)
{
	struct sg_list olds = { .arena = &check->arena };
	struct sg_list news = { .arena = &check->arena };

	list_flags(then, &olds);
	list_flags(now, &news);
	return compare(&olds, &news);
}

static bool takes_flags(const struct sg_analyzer *analyzer)
{
	for (const char *const *word = analyzer->command; *word; word++)
		if (strcmp(*word, "{flags}") == 0 ||
		    strcmp(*word, "{build}") == 0)
			return true;
	return false;
}

bool sg_check_looks_as_before(struct sg_check *check,
			      const struct sg_gate_unit *then,
			      const struct sg_gate_unit *now, size_t tool,
			      const char *rule)
{
	struct change change;

	if (then->unit->language != now->unit->language)
		return false;
	if (sg_hash_equal(then->flags, now->flags) ||
	    !takes_flags(check->tools[tool].analyzer))
		return true;
	change = compare_units(check, then->unit, now->unit);
	return !weakens(&change, rule ? rule : "");
}

/* ---- what is told ------------------------------------------------------ */

static const char *join(struct sg_list *list)
{
	const char *text = "";

	for (size_t at = 0; text && at < list->count; at++)
		text = sl_arena_printf(list->arena, "%s%s%s", text,
				       at ? " " : "", list->words[at]);
	return text;
}

/* @return "gains A B and loses C"; NULL: no memory. */
static const char *tell(struct change *change)
{
	const char *gained = join(&change->gained), *lost = join(&change->lost);

	if (!gained || !lost || change->gained.failed || change->lost.failed)
		return NULL;
	return sl_arena_printf(change->gained.arena, "%s%s%s%s%s",
			       *gained ? "gains " : "", gained,
			       *gained && *lost ? " and " : "",
			       *lost ? "loses " : "", lost);
}

struct groups {
	const char *texts[GROUPS_MAX];
	size_t counts[GROUPS_MAX];
	const char *firsts[GROUPS_MAX];
	size_t count, others;
};

static void count_one(struct groups *groups, const char *text,
		      const char *source)
{
	size_t at = 0;

	while (at < groups->count && strcmp(groups->texts[at], text) != 0)
		at++;
	if (at == GROUPS_MAX) {
		groups->others++;
		return;
	}
	if (at == groups->count) {
		groups->texts[groups->count++] = text;
		groups->firsts[at] = source;
		groups->counts[at] = 0;
	}
	groups->counts[at]++;
}

/* Both are in order of their sources: the first of a source with the first. */
static enum sl_code find_groups(struct sg_check *check, struct groups *groups,
				struct sl_error *error)
{
	const struct sg_gate_tree *base = &check->bases[0];
	const struct sg_gate_tree *tested = &check->tested;
	size_t old = 0, new = 0;

	while (old < base->count && new < tested->count) {
		const struct sg_gate_unit *then = &base->rows[old];
		const struct sg_gate_unit *now = &tested->rows[new];
		int order = strcmp(then->unit->source, now->unit->source);
		struct change change;
		const char *text;

		old += order <= 0;
		new += order >= 0;
		if (order || sg_hash_equal(then->flags, now->flags))
			continue;
		change = compare_units(check, then->unit, now->unit);
		if (!weakens(&change, NULL))
			continue;
		text = tell(&change);
		if (!text)
			return no_memory(error);
		count_one(groups, text, now->unit->source);
	}
	return SL_OK;
}

static enum sl_code note_units(struct sg_check *check, struct sl_error *error)
{
	struct groups groups = { .count = 0 };
	enum sl_code code = find_groups(check, &groups, error);

	for (size_t at = 0; code == SL_OK && at < groups.count; at++) {
		size_t more = groups.counts[at] - 1;

		code = more ? sg_check_note(check, error,
					    "less is looked for: each of %zu "
					    "units, %s and others, %s",
					    more + 1, groups.firsts[at],
					    groups.texts[at])
			    : sg_check_note(check, error,
					    "less is looked for: 1 unit, %s, "
					    "%s",
					    groups.firsts[at],
					    groups.texts[at]);
	}
	if (code == SL_OK && groups.others)
		code = sg_check_note(check, error,
				     "less is looked for in %zu more units",
				     groups.others);
	return code;
}

/* ---- files of build systems -------------------------------------------- */

static bool is_of_build(const char *path)
{
	static const char *const names[] = {
		"CMakeLists.txt", "CMakePresets.json",
		"meson.build",    "Makefile",
		"makefile",       "GNUmakefile",
		"Makefile.am",    "Makefile.in",
		"configure.ac",   "configure.in",
		"SConstruct",     "BUILD",
		"BUILD.bazel",    "Kbuild"
	};
	static const char *const endings[] = { ".cmake", ".mk", ".bzl", ".rsp",
					       ".pro" };
	const char *name = sg_path_name(path), *dot = strrchr(name, '.');

	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		if (strcmp(name, names[at]) == 0)
			return true;
	for (size_t at = 0; dot && at < sizeof(endings) / sizeof(endings[0]);
	     at++)
		if (strcmp(dot, endings[at]) == 0)
			return true;
	return false;
}

/* All that looks like such a flag. */
static void list_words(const char *text, struct sg_list *list)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_+=";

	for (const char *at = text; *at;) {
		size_t length = strspn(at, letters);

		if (length > 1 && *at == '-') {
			const char *word =
				sl_arena_text(list->arena, at, length);

			if (!word || is_for_checks(word))
				sg_list_add(list, word);
		}
		at += length ? length : 1;
	}
}

static enum sl_code list_file(struct sg_gate_tree *tree, const char *path,
			      struct sg_list *list, struct sl_error *error)
{
	const char *text;
	size_t length;
	enum sl_code code =
		sg_snapshot_text(tree->snapshot, path, &text, &length, error);

	if (code == SL_OK && text)
		list_words(text, list);
	return code == SL_OK && list->failed ? no_memory(error) : code;
}

static enum sl_code note_file(struct sg_check *check, const char *path,
			      struct sl_error *error)
{
	struct sg_list then = { .arena = &check->arena };
	struct sg_list now = { .arena = &check->arena };
	struct change change;
	const char *text;
	enum sl_code code = list_file(&check->bases[0], path, &then, error);

	if (code == SL_OK)
		code = list_file(&check->tested, path, &now, error);
	if (code != SL_OK)
		return code;
	change = compare(&then, &now);
	if (!weakens(&change, NULL))
		return SL_OK;
	text = tell(&change);
	return text ? sg_check_note(check, error,
				    "%s %s: not judged, as both sides are "
				    "compiled as compile_commands.json says "
				    "now",
				    path, text)
		    : no_memory(error);
}

/* A database outside of the trees is the same for both. */
static enum sl_code note_files(struct sg_check *check, struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(check->tested.snapshot, &count);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++) {
		const struct sg_snapshot_file *old;

		if (!is_of_build(files[at].path))
			continue;
		old = sg_snapshot_find(check->bases[0].snapshot,
				       files[at].path);
		if (old && !sg_hash_equal(old->content, files[at].content))
			code = note_file(check, files[at].path, error);
	}
	return code;
}

enum sl_code sg_check_note_flags(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code;

	if (!check->base_count)
		return SL_OK;
	code = note_units(check, error);
	return code == SL_OK && check->units.count ? note_files(check, error)
						   : code;
}
