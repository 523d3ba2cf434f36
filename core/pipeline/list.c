/* SPDX-License-Identifier: MIT */
/* Describing plugins from what they say of themselves: for people, for
 * programs, and as the tables of the manual pages. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/options.h"
#include "pipeline/option_text.h"
#include "pipeline/pipeline_private.h"

static const char *const kind_words[] = { "?", "source", "stage", "sink",
					  "meter" };

static const char *kind_of(const struct sl_module *module)
{
	return module->plugin.kind <= SL_METER ? kind_words[module->plugin.kind]
					       : kind_words[0];
}

static const char *const *drops_of(const struct sl_module *module)
{
	static const char *const none[] = { NULL };
	const char *const *drops = module->plugin.kind == SL_SOURCE
					   ? module->source.drops
					   : module->stage.drops;

	return drops ? drops : none;
}

/* ---- output ----------------------------------------------------------- */

static enum sl_code SL_PRINTF(3, 4)
	say(struct sl_buffer *text, struct sl_error *error, const char *fmt,
	    ...)
{
	char line[2048];
	va_list args;
	int length;
	enum sl_code code;

	va_start(args, fmt);
	length = vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (length >= (int)sizeof(line))
		length = sizeof(line) - 1;
	code = sl_buffer_reserve(text, (size_t)length, error);
	if (code != SL_OK)
		return code;
	memcpy(text->data + text->used, line, (size_t)length);
	text->used += (size_t)length;
	return SL_OK;
}

static enum sl_code text_option(const struct sl_option *option,
				struct sl_buffer *text, struct sl_error *error)
{
	char type[64], allowed[256];
	enum sl_code code;

	sl_option_type_text(option, type, sizeof(type));
	sl_option_allowed_text(option, allowed, sizeof(allowed));
	code = say(text, error, "  %s: %s%s%s%s%s\n", option->name, type,
		   allowed[0] ? ", " : "", allowed,
		   option->required       ? ", required"
		   : option->default_text ? ", default "
					  : "",
		   option->required || !option->default_text
			   ? ""
			   : option->default_text);
	if (code == SL_OK && option->help)
		code = say(text, error, "      %s\n", option->help);
	return code;
}

static enum sl_code text_options(const struct sl_option_table *table,
				 struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = say(text, error, "%s\n",
				table->count ? "options:" : "no options");

	for (size_t at = 0; code == SL_OK && at < table->count; at++) {
		struct sl_option option = sl_option_row(table, at);

		code = text_option(&option, text, error);
	}
	return code;
}

static enum sl_code text_drops(const struct sl_module *module,
			       struct sl_buffer *text, struct sl_error *error)
{
	const char *const *drops = drops_of(module);
	enum sl_code code = SL_OK;

	if (!*drops)
		return SL_OK;
	code = say(text, error,
		   "%s:", module->plugin.kind == SL_SOURCE ? "skips" : "drops");
	for (size_t at = 0; code == SL_OK && drops[at]; at++)
		code = say(text, error, "%s %s", at ? "," : "", drops[at]);
	return code == SL_OK ? say(text, error, "\n") : code;
}

static enum sl_code text_details(const struct sl_module *module,
				 struct sl_buffer *text, struct sl_error *error)
{
	const struct sl_option_table table = sl_plugin_options(&module->plugin);
	enum sl_code code;

	code = say(text, error, "file: %s\n", module->path);
	if (code == SL_OK)
		code = text_options(&table, text, error);
	return code == SL_OK ? text_drops(module, text, error) : code;
}

static enum sl_code markdown_options(const struct sl_option_table *table,
				     struct sl_buffer *text,
				     struct sl_error *error)
{
	enum sl_code code;

	if (!table->count)
		return say(text, error, "No options.\n");
	code = say(text, error,
		   "| option | type | default | allowed | meaning |\n"
		   "| --- | --- | --- | --- | --- |\n");
	for (size_t at = 0; code == SL_OK && at < table->count; at++) {
		struct sl_option option = sl_option_row(table, at);
		char type[64], allowed[256];
		bool set = !option.required && option.default_text &&
			   option.default_text[0];

		sl_option_type_text(&option, type, sizeof(type));
		sl_option_allowed_text(&option, allowed, sizeof(allowed));
		code = say(text, error, "| `%s` | %s | %s%s%s | %s | %s |\n",
			   option.name, type, set ? "`" : "",
			   option.required ? "required"
			   : set           ? option.default_text
					   : "",
			   set ? "`" : "", allowed,
			   option.help ? option.help : "");
	}
	return code;
}

static enum sl_code markdown_details(const struct sl_module *module,
				     struct sl_buffer *text,
				     struct sl_error *error)
{
	const struct sl_option_table table = sl_plugin_options(&module->plugin);
	const char *const *drops = drops_of(module);
	enum sl_code code;

	code = say(text, error, "As a %s:\n\n", kind_of(module));
	if (code == SL_OK)
		code = markdown_options(&table, text, error);
	if (code == SL_OK && *drops)
		code = say(text, error, "\n%s:",
			   module->plugin.kind == SL_SOURCE ? "Skips"
							    : "Drops");
	for (size_t at = 0; code == SL_OK && drops[at]; at++)
		code = say(text, error, "%s `%s`", at ? "," : "", drops[at]);
	if (code == SL_OK && *drops)
		code = say(text, error, ".\n");
	return code;
}

static void json_option(yajl_gen gen, const struct sl_option *option)
{
	char type[64], allowed[256];

	sl_option_type_text(option, type, sizeof(type));
	sl_option_allowed_text(option, allowed, sizeof(allowed));
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "name", option->name);
	sl_json_pair(gen, "type", type);
	sl_json_key(gen, "required");
	yajl_gen_bool(gen, option->required);
	sl_json_pair(gen, "default", option->default_text);
	sl_json_pair(gen, "allowed", allowed[0] ? allowed : NULL);
	sl_json_pair(gen, "help", option->help);
	yajl_gen_map_close(gen);
}

static void json_options(yajl_gen gen, const struct sl_option_table *table)
{
	sl_json_key(gen, "options");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < table->count; at++) {
		struct sl_option option = sl_option_row(table, at);

		json_option(gen, &option);
	}
	yajl_gen_array_close(gen);
}

static void json_module(yajl_gen gen, const struct sl_module *module)
{
	const struct sl_option_table table = sl_plugin_options(&module->plugin);
	const char *const *drops = drops_of(module);

	yajl_gen_map_open(gen);
	sl_json_pair(gen, "name", module->plugin.name);
	sl_json_pair(gen, "kind", kind_of(module));
	sl_json_pair(gen, "summary", module->plugin.summary);
	sl_json_pair(gen, "file", module->path);
	json_options(gen, &table);
	sl_json_key(gen, "drops");
	yajl_gen_array_open(gen);
	for (size_t at = 0; drops[at]; at++)
		sl_json_text(gen, drops[at]);
	yajl_gen_array_close(gen);
	yajl_gen_map_close(gen);
}

static enum sl_code list_role(const struct sl_module *module, bool details,
			      enum sl_list_format format, yajl_gen gen,
			      struct sl_buffer *text, struct sl_error *error)
{
	const struct sl_plugin *plugin = &module->plugin;
	enum sl_code code = SL_OK;

	switch (format) {
	case SL_LIST_JSON:
		json_module(gen, module);
		break;
	case SL_LIST_MARKDOWN:
		if (details)
			return markdown_details(module, text, error);
		return say(text, error, "| `%s` | %s | %s |\n", plugin->name,
			   kind_of(module), plugin->summary);
	case SL_LIST_TEXT:
		code = say(text, error, "%-12s  %-6s  %s\n", plugin->name,
			   kind_of(module), plugin->summary);
		if (code == SL_OK && details)
			code = text_details(module, text, error);
		break;
	}
	return code;
}

/* One plugin's file: loaded, described in all its roles, unloaded. */
static enum sl_code list_one(const char *path, bool details,
			     enum sl_list_format format, yajl_gen gen,
			     struct sl_buffer *text, struct sl_error *error)
{
	uint32_t kind = 0, seen = 0;
	bool another = true;
	enum sl_code code = SL_OK;

	for (int roles = 0; code == SL_OK && another && roles < SL_METER;
	     roles++) {
		struct sl_module module;

		code = sl_module_load(&module, path, kind, error);
		if (code != SL_OK)
			return code;
		if (details && roles && format != SL_LIST_JSON)
			code = say(text, error, "\n");
		if (code == SL_OK)
			code = list_role(&module, details, format, gen, text,
					 error);
		seen |= 1u << (module.plugin.kind & 31);
		another = module.plugin.also;
		kind = another ? module.plugin.also->kind : 0;
		another = another && !(seen >> (kind & 31) & 1);
		sl_module_unload(&module);
	}
	return code;
}

/* A file that cannot be loaded is a line in the list, not the list's end. */
static enum sl_code list_all(const struct sl_search_path *search,
			     enum sl_list_format format, yajl_gen gen,
			     struct sl_buffer *text, struct sl_error *error)
{
	char **paths = NULL;
	size_t count = sl_search_path_list(search, &paths);
	enum sl_code code = SL_OK;

	if (format == SL_LIST_MARKDOWN)
		code = say(text, error,
			   "| plugin | kind | what it does |\n"
			   "| --- | --- | --- |\n");
	for (size_t at = 0; at < count; at++) {
		if (code == SL_OK)
			code = list_one(paths[at], false, format, gen, text,
					error);
		if ((code == SL_EPLUGIN || code == SL_EIO) &&
		    format == SL_LIST_TEXT)
			code = say(text, error, "unusable: %s\n",
				   error->message);
		else if (code == SL_EPLUGIN || code == SL_EIO)
			code = SL_OK;
		free(paths[at]);
	}
	free(paths);
	return code;
}

/* The keys of a configuration itself, which no plugin has. */
static enum sl_code list_keys(enum sl_list_format format, yajl_gen gen,
			      struct sl_buffer *text, struct sl_error *error)
{
	const struct sl_option_table table = sl_configuration_keys();

	switch (format) {
	case SL_LIST_JSON:
		yajl_gen_map_open(gen);
		sl_json_pair(gen, "name", SL_LIST_CONFIGURATION);
		json_options(gen, &table);
		yajl_gen_map_close(gen);
		break;
	case SL_LIST_MARKDOWN:
		return markdown_options(&table, text, error);
	case SL_LIST_TEXT:
		return text_options(&table, text, error);
	}
	return SL_OK;
}

static enum sl_code list(const struct sl_search_path *search, const char *name,
			 enum sl_list_format format, yajl_gen gen,
			 struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code;
	char *path;

	if (!name)
		return list_all(search, format, gen, text, error);
	if (strcmp(name, SL_LIST_CONFIGURATION) == 0)
		return list_keys(format, gen, text, error);
	path = sl_search_path_find(search, name, error);
	if (!path)
		return error->code;
	code = list_one(path, true, format, gen, text, error);
	free(path);
	return code;
}

enum sl_code sl_plugins_list(const char *name, enum sl_list_format format,
			     struct sl_buffer *text, struct sl_error *error)
{
	struct sl_search_path search = { NULL, 0 };
	struct sl_error unread = { .code = SL_OK };
	yajl_gen gen = NULL;
	enum sl_code code;

	if (!error)
		error = &unread;
	code = sl_search_path_init(&search, NULL, error);
	if (code == SL_OK && format == SL_LIST_JSON) {
		gen = sl_json_begin();
		if (!gen)
			code = SL_FAIL(error, SL_ENOMEM, "no memory");
	}
	if (gen)
		yajl_gen_array_open(gen);
	if (code == SL_OK)
		code = list(&search, name, format, gen, text, error);
	if (gen) {
		yajl_gen_array_close(gen);
		if (code == SL_OK)
			code = sl_json_end(gen, text, error);
		else
			yajl_gen_free(gen);
	}
	sl_search_path_finish(&search);
	return code;
}
