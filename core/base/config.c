/* SPDX-License-Identifier: MIT */
/* From a configuration's text to libconfig's tree, with true places. */
#include "base/config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/config_scan.h"

/* @return the folder of @p path with its '/', owned by the caller; "" for
 * the working directory; NULL: no memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
}

/* What is left of the text's strings while the tree is walked. */
struct places {
	const struct sl_config_text *text;
	size_t strings; /* met so far */
};

/* libconfig says lines of the flat text, and of a string in a list the line of
 * the token behind it. Walking visits strings in the order in which they
 * stand. */
static void place_settings(config_setting_t *setting, struct places *places)
{
	const struct sl_config_text *text = places->text;
	struct sl_config_mark place;

	if (config_setting_type(setting) == CONFIG_TYPE_STRING) {
		size_t at = places->strings++;

		if (!config_setting_name(setting) && at < text->string_count)
			setting->line = (unsigned)text->string_lines[at];
	}
	if (setting->line > 0) {
		place = sl_config_text_place(text, (int)setting->line);
		setting->line = (unsigned)place.line;
		setting->file = place.file;
	}
	if (!config_setting_is_aggregate(setting))
		return;
	for (int at = 0; at < config_setting_length(setting); at++)
		place_settings(config_setting_get_elem(setting, (unsigned)at),
			       places);
}

/* libconfig 1.5 does not look whether its allocations succeed: it crashes, or
 * leaves settings out. So ask beforehand for what it will need and more: a
 * setting takes some 150 bytes, and at least four of the text. */
static bool is_memory_enough(size_t text_length)
{
	void *volatile probe = malloc(((size_t)1 << 20) + text_length * 48);
	bool enough = probe;

	free(probe);
	return enough;
}

static enum sl_code parse(struct sl_config *config,
			  const struct sl_config_text *text,
			  struct sl_error *error)
{
	struct places places = { text, 0 };
	struct sl_config_mark place;
	enum sl_code code;

	if (!is_memory_enough(text->length))
		return SL_FAIL(error, SL_ENOMEM,
			       "no memory for a configuration of %zu bytes",
			       text->length);
	if (config_read_string(&config->tree, text->bytes) == CONFIG_FALSE) {
		const char *why = config_error_text(&config->tree);

		int line = config_error_line(&config->tree);

		/* At the very end it counts one newline too many. */
		place = sl_config_text_place(
			text, line < text->lines ? line : text->lines);
		/* said by bison's parser when its stack is full */
		if (why && strcmp(why, "memory exhausted") == 0)
			why = "too many brackets are open";
		else if (!why || strcmp(why, "syntax error") == 0)
			why = "syntax error (is a ',' or ';' missing before "
			      "it, a text without quotes, or a list of groups "
			      "in [ ] and not ( )?)";
		code = SL_FAIL(error, SL_EINVAL, "%s", why);
		sl_error_at(error, place.file ? place.file : config->path,
			    place.line);
		return code;
	}
	if (config_setting_length(config_root_setting(&config->tree)) == 0) {
		code = SL_FAIL(error, SL_EINVAL, "there is no setting in it");
		sl_error_at(error, config->path, 0);
		return code;
	}
	place_settings(config_root_setting(&config->tree), &places);
	return SL_OK;
}

static enum sl_code start(struct sl_config *config, const char *path,
			  struct sl_error *error)
{
	*config = (struct sl_config){ .path = strdup(path),
				      .folder = folder_of(path) };
	config_init(&config->tree);
	if (!config->path || !config->folder)
		return SL_FAIL(error, SL_ENOMEM, "memory is short");
	return SL_OK;
}

/* Takes @p text over. */
static enum sl_code conclude(struct sl_config *config, enum sl_code code,
			     struct sl_config_text *text,
			     struct sl_error *error)
{
	if (code == SL_OK)
		code = parse(config, text, error);
	sl_config_text_finish(text);
	if (code != SL_OK)
		sl_config_finish(config);
	return code;
}

enum sl_code sl_config_init(struct sl_config *config, const char *path,
			    struct sl_error *error)
{
	struct sl_config_text text = { 0 };
	enum sl_code code = start(config, path, error);

	if (code == SL_OK)
		code = sl_config_text_init(&text, path, config->folder,
					   &config->files, error);
	return conclude(config, code, &text, error);
}

enum sl_code sl_config_init_text(struct sl_config *config, const char *path,
				 const char *text, size_t length,
				 struct sl_error *error)
{
	struct sl_config_text flat = { 0 };
	enum sl_code code = start(config, path, error);

	if (code == SL_OK)
		code = sl_config_text_take(&flat, path, text, length, error);
	return conclude(config, code, &flat, error);
}

void sl_config_finish(struct sl_config *config)
{
	config_destroy(&config->tree);
	sl_arena_finish(&config->files.arena);
	free(config->path);
	free(config->folder);
	*config = (struct sl_config){ 0 };
}

const char *sl_config_file(const struct sl_config *config,
			   const config_setting_t *setting)
{
	const char *file = config_setting_source_file(setting);

	return file ? file : config->path;
}
