/* SPDX-License-Identifier: MIT */
/* Findings by their place, as scgate check names them. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "suppress_place.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "gate/config.h"
#include "gate/replace.h"
#include "gate/suppress.h"
#include "run/file.h"
#include "run/path.h"
#include "run/tree.h"
#include "store/kept.h"

enum { CONFIG_MAX = 1 << 22 };

/* A place, and what is there. */
struct place {
	struct sl_arena arena;
	char *root; /* owned */
	const char *path; /* relative to the root */
	int64_t line;
	const char *rule; /* NULL: any */
	struct sg_kept_finding *findings; /* owned */
	size_t count;
};

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a place");
}

/* ---- the place --------------------------------------------------------- */

/* @return where ":LINE" begins, behind which nothing, a column or a rule is;
 * NULL: nowhere. */
static const char *line_of(const char *text)
{
	for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
		size_t digits = strspn(at + 1, "0123456789");

		if (digits && digits < 10 && at > text &&
		    (!at[1 + digits] || at[1 + digits] == ':'))
			return at;
	}
	return NULL;
}

bool suppress_is_place(const char *text)
{
	return line_of(text) != NULL;
}

/* Verdicts name files from the root; people name them from where they are. */
static enum sl_code find_path(struct place *place, const char *given,
			      struct sl_error *error)
{
	const char *whole = sg_path_join(place->root, given, &place->arena);
	char here[PATH_MAX];

	if (whole && access(whole, F_OK) && realpath(".", here))
		whole = sg_path_join(here, given, &place->arena);
	if (!whole)
		return no_memory(error);
	place->path = sg_path_below(place->root, whole);
	if (!place->path || !*place->path || access(whole, F_OK))
		return SL_FAIL(error, SL_EINVAL,
			       "there is no file %s in the work tree",
			       sl_path_tail(given));
	return SL_OK;
}

static enum sl_code parse(struct place *place, const char *text,
			  struct sl_error *error)
{
	const char *at = line_of(text);
	const char *given =
		sl_arena_text(&place->arena, text, (size_t)(at - text));
	char *rest;

	place->line = strtoll(at + 1, &rest, 10);
	if (*rest == ':' && rest[1 + strspn(rest + 1, "0123456789")])
		place->rule = rest + 1;
	return given ? find_path(place, given, error) : no_memory(error);
}

/* ---- what is there ----------------------------------------------------- */

static bool is_of(const struct sg_source *source,
		  const struct sg_kept_finding *kept)
{
	const struct sg_words words = {
		.tool = kept->finding.tool,
		.rule = kept->finding.rule,
		.function = kept->finding.function,
		.message = kept->finding.message,
	};
	struct sg_fingerprint now;

	return sg_fingerprint_init(&now, &words, source, kept->finding.line) ==
		       SL_OK &&
	       sg_hash_equal(now.line, kept->fingerprint.line);
}

static bool is_rule(const struct place *place,
		    const struct sg_kept_finding *kept)
{
	return !place->rule || (kept->finding.rule &&
				strcmp(kept->finding.rule, place->rule) == 0);
}

/* @return whether the configuration of the work tree still has the analyzer, or
 * cannot tell. */
static bool is_asked(const struct sg_config *config,
		     const struct sg_kept_finding *kept)
{
	const char *tool = kept->finding.tool;

	if (!config || strcmp(tool, "scgate") == 0)
		return true;
	for (const struct sg_analyzer *const *at = config->analyzers; *at; at++)
		if (strcmp((*at)->name, tool) == 0)
			return true;
	return false;
}

/* What an analyzer said that is no longer asked is no part of a verdict. */
static enum sl_code drop_unasked(struct place *place, struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	struct sg_config config;
	struct sl_problems problems = { .rows = NULL };
	const char *path =
		sg_path_join(place->root, SG_CONFIG_NAME, &place->arena);
	bool is_read;
	size_t kept = 0;

	if (!path)
		return no_memory(error);
	is_read = sg_file_read(path, CONFIG_MAX, &text, NULL) == SL_OK &&
		  sg_config_parse(&config, text.data, text.used, SG_CONFIG_NAME,
				  &problems, NULL) == SL_OK;
	for (size_t at = 0; at < place->count; at++)
		if (is_asked(is_read ? &config : NULL, &place->findings[at]))
			place->findings[kept++] = place->findings[at];
	place->count = kept;
	if (is_read)
		sg_config_finish(&config);
	sl_problems_finish(&problems);
	free(text.data);
	return SL_OK;
}

/* Keep those that the code as it is now has. */
static enum sl_code keep_present(struct place *place, struct sl_error *error)
{
	struct sg_tree *tree = NULL;
	struct sg_source source;
	const char *text = NULL;
	size_t length, kept = 0;
	enum sl_code code = sg_tree_open(place->root, NULL, &tree, error);

	if (code == SL_OK)
		code = sg_tree_text(tree, place->path, &text, &length, error);
	if (code == SL_OK && text &&
	    sg_source_init(&source, text, length) != SL_OK)
		code = no_memory(error);
	if (code == SL_OK && text) {
		for (size_t at = 0; at < place->count; at++)
			if (is_rule(place, &place->findings[at]) &&
			    is_of(&source, &place->findings[at]))
				place->findings[kept++] = place->findings[at];
		sg_source_finish(&source);
	}
	place->count = kept;
	sg_tree_close(tree);
	return code;
}

static enum sl_code say_several(const struct place *place,
				struct sl_error *error)
{
	char names[384] = "";

	for (size_t at = 0; at < place->count; at++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s",
			 at ? ", " : "",
			 place->findings[at].finding.rule
				 ? place->findings[at].finding.rule
				 : place->findings[at].finding.tool);
	}
	return SL_FAIL(error, SL_EINVAL,
		       "%zu findings are there: name one by "
		       "PATH:LINE:RULE, or accept --all of them: %s",
		       place->count, names);
}

static enum sl_code look(struct place *place, const char *text, bool all,
			 struct sg_store *store, struct sl_error *error)
{
	enum sl_code code = sg_tree_find_root(&place->root, error);

	if (code == SL_END)
		return SL_FAIL(error, SL_EINVAL, "this is no git work tree");
	if (code == SL_OK)
		code = parse(place, text, error);
	if (code == SL_OK)
		code = sg_kept_at(store, place->path, place->line,
				  &place->arena, &place->findings,
				  &place->count, error);
	if (code == SL_OK)
		code = keep_present(place, error);
	if (code == SL_OK)
		code = drop_unasked(place, error);
	if (code == SL_OK && !place->count)
		return SL_FAIL(error, SL_EINVAL,
			       "no check has found %s at %s:%" PRId64
			       " as it is now: scgate check first",
			       place->rule ? place->rule : "anything",
			       sl_path_tail(place->path), place->line);
	if (code == SL_OK && place->count > 1 && !all)
		return say_several(place, error);
	return code;
}

/* ---- writing ----------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static size_t find_entry(const struct sg_suppressions *list,
			 const struct sg_suppression *entry)
{
	size_t count = sg_suppressions_count(list), at = 0;

	for (; at < count; at++) {
		const struct sg_suppression *other =
			sg_suppressions_at(list, at);

		if (is_same(other->path, entry->path) &&
		    is_same(other->tool, entry->tool) &&
		    is_same(other->rule, entry->rule) &&
		    is_same(other->message, entry->message) &&
		    other->line == entry->line)
			break;
	}
	return at;
}

static enum sl_code change(const struct suppress_settings *settings,
			   const struct sg_kept_finding *kept,
			   struct sg_suppressions *list, bool *is_change,
			   struct sl_error *error)
{
	const struct sg_finding *said = &kept->finding;
	const struct sg_suppression entry = {
		.path = said->path,
		.tool = said->tool,
		.rule = said->rule ? said->rule : "",
		.function = said->function,
		.message = said->message,
		.line = said->line,
		.line_hash = kept->fingerprint.line,
		.window_hash = kept->fingerprint.window,
		.reason = settings->reason,
		.until = settings->until,
	};
	size_t at = find_entry(list, &entry);

	*is_change = at < sg_suppressions_count(list);
	if (!settings->is_removal)
		return sg_suppressions_put(list, at, &entry, error);
	if (!*is_change)
		return SL_FAIL(error, SL_EINVAL,
			       "there is no entry for what is at %s:%" PRId64,
			       sl_path_tail(said->path), said->line);
	sg_suppressions_remove(list, at);
	return SL_OK;
}

static enum sl_code change_all(const struct suppress_settings *settings,
			       const struct place *place, const char *file,
			       struct sl_error *error)
{
	struct sg_suppressions *list = NULL;
	bool *changes = calloc(place->count, sizeof(*changes));
	int lock = sg_lock_file(file);
	enum sl_code code = changes ? sg_suppressions_read(file, &list, error)
				    : no_memory(error);

	for (size_t at = 0; code == SL_OK && at < place->count; at++)
		code = change(settings, &place->findings[at], list,
			      &changes[at], error);
	if (code == SL_OK)
		code = sg_suppressions_write(list, file, error);
	for (size_t at = 0; code == SL_OK && at < place->count; at++)
		code = suppress_tell(settings, &place->findings[at].finding,
				     changes[at], file, error);
	if (lock >= 0)
		close(lock);
	free(changes);
	sg_suppressions_destroy(list);
	return code;
}

enum sl_code suppress_place(const struct suppress_settings *settings,
			    const char *text, struct sg_store *store,
			    const char *file, struct sl_error *error)
{
	struct place place = { .root = NULL };
	enum sl_code code = look(&place, text, settings->is_all, store, error);

	if (code == SL_OK)
		code = change_all(settings, &place, file, error);
	free(place.findings);
	free(place.root);
	sl_arena_finish(&place.arena);
	return code;
}
