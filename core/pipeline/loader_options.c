/* SPDX-License-Identifier: MIT */
/* What a plugin's option table says, checked before anybody relies on it. */
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "base/options.h"
#include "pipeline/loader.h"

/** The fields of a state that options of each type fill. */
static const struct field {
	size_t size, align; /**< bytes */
} fields[] = {
	[SL_BOOL] = { sizeof(bool), alignof(bool) },
	[SL_INT] = { sizeof(int64_t), alignof(int64_t) },
	[SL_FLOAT] = { sizeof(double), alignof(double) },
	[SL_STRING] = { sizeof(char *), alignof(char *) },
	[SL_PATH] = { sizeof(char *), alignof(char *) },
	[SL_ENUM] = { sizeof(int), alignof(int) },
	[SL_SIZE] = { sizeof(uint64_t), alignof(uint64_t) },
	[SL_DURATION] = { sizeof(int64_t), alignof(int64_t) },
	[SL_ADDRESS] = { sizeof(struct sl_ip), alignof(struct sl_ip) },
	[SL_PREFIX] = { sizeof(struct sl_prefix), alignof(struct sl_prefix) },
	[SL_INTERFACE] = { sizeof(uint16_t), alignof(uint16_t) },
	[SL_LIST] = { sizeof(struct sl_list), alignof(struct sl_list) },
};

/* The plugin's enum may hold any number. */
static bool is_type(unsigned type)
{
	return type > SL_NO_TYPE && type <= SL_LIST;
}

static enum sl_code check_type(const struct sl_module *module,
			       const struct sl_option *row,
			       struct sl_error *error)
{
	unsigned types[] = { row->type, row->element, row->inner };
	unsigned depth = 0;

	while (depth < 2 && types[depth] == SL_LIST)
		depth++;
	if (!is_type(types[depth]) || (depth == 2 && types[2] == SL_LIST))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: option \"%s\": type %u is unknown%s",
			       sl_path_tail(module->path), row->name,
			       types[depth],
			       depth > 0 ? " for a list's elements" : "");
	if (types[depth] == SL_ENUM && !(row->choices && row->choices[0]))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: option \"%s\" has no choices",
			       sl_path_tail(module->path), row->name);
	return SL_OK;
}

static enum sl_code check_field(const struct sl_module *module,
				const struct sl_option *row, size_t state_size,
				struct sl_error *error)
{
	const struct field *field = &fields[row->type];

	if (row->offset > state_size || field->size > state_size - row->offset)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: option \"%s\": its field of %zu bytes at "
			       "offset %zu leaves the state, which has %zu",
			       sl_path_tail(module->path), row->name,
			       field->size, row->offset, state_size);
	if (row->offset % field->align != 0)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: option \"%s\": its type does not fit the "
			       "field at offset %zu",
			       sl_path_tail(module->path), row->name,
			       row->offset);
	return SL_OK;
}

/* "plugin" and "name" are the group's own. */
static enum sl_code check_words(const struct sl_module *module,
				const struct sl_option *row,
				struct sl_error *error)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	const char *why = NULL;

	if (row->name[strspn(row->name, allowed)])
		why = "its name is not all lower case, digits and '_'";
	else if (strcmp(row->name, "plugin") == 0 ||
		 strcmp(row->name, "name") == 0)
		why = "this name is taken by every group";
	else if (row->required && row->default_text)
		why = "it is required and has a default";
	else if (row->min > row->max || row->float_min > row->float_max)
		why = "its minimum is above its maximum";
	return why ? SL_FAIL(error, SL_EPLUGIN, "%s: option \"%s\": %s",
			     sl_path_tail(module->path), row->name, why)
		   : SL_OK;
}

static enum sl_code check_row(const struct sl_module *module,
			      const struct sl_option_table *table, size_t at,
			      size_t state_size, struct sl_error *error)
{
	struct sl_option row = sl_option_row(table, at);
	enum sl_code code;

	if (!row.name || !row.name[0])
		return SL_FAIL(error, SL_EPLUGIN, "%s: option %zu has no name",
			       sl_path_tail(module->path), at + 1);
	for (size_t i = 0; i < at; i++)
		if (strcmp(sl_option_row(table, i).name, row.name) == 0)
			return SL_FAIL(error, SL_EPLUGIN,
				       "%s: option \"%s\" is there twice",
				       sl_path_tail(module->path), row.name);
	code = check_words(module, &row, error);
	if (code == SL_OK)
		code = check_type(module, &row, error);
	if (code == SL_OK)
		code = check_field(module, &row, state_size, error);
	return code;
}

enum sl_code sl_module_check_options(const struct sl_module *module,
				     size_t state_size, struct sl_error *error)
{
	const struct sl_plugin *plugin = &module->plugin;
	const struct sl_option_table table = {
		plugin->options,
		plugin->option_count,
		plugin->option_size,
	};
	enum sl_code code = SL_OK;

	if (table.count == 0)
		return SL_OK;
	if (!table.rows ||
	    table.row_size < offsetof(struct sl_option, default_text) ||
	    table.row_size % alignof(struct sl_option) != 0)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: its table of options is %s; write "
			       "SL_OPTION_TABLE()",
			       sl_path_tail(module->path),
			       table.rows ? "of a row size that no version has"
					  : "NULL");
	for (size_t i = 0; code == SL_OK && i < table.count; i++)
		code = check_row(module, &table, i, state_size, error);
	return code;
}
