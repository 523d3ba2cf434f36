/* SPDX-License-Identifier: MIT */
/* Option tables at work: which rows get their value from where. */
#include "base/options.h"

#include <string.h>

#include "base/option_value.h"

struct sl_option sl_option_row(const struct sl_option_table *table, size_t at)
{
	struct sl_option row = { 0 };
	size_t size = table->row_size;

	if (size > sizeof(row))
		size = sizeof(row);
	memcpy(&row, (const char *)table->rows + at * table->row_size, size);
	return row;
}

/* One table being read: the arguments of sl_options_read(). */
struct reading {
	const struct sl_option_table *table;
	const config_setting_t *group; /* may be NULL */
	struct sl_override *overrides;
	size_t override_count;
	const char *instance, *role;
	const struct sl_option_reader *reader;
};

static bool has_option(const struct sl_option_table *table, const char *name)
{
	for (size_t at = 0; at < table->count; at++)
		if (strcmp(sl_option_row(table, at).name, name) == 0)
			return true;
	return false;
}

static bool is_reserved(const struct sl_option_reader *reader, const char *name)
{
	const char *const *key = reader->reserved;

	while (key && *key && strcmp(*key, name) != 0)
		key++;
	return key && *key;
}

static size_t count_reserved(const struct sl_option_reader *reader)
{
	size_t count = 0;

	while (reader->reserved && reader->reserved[count])
		count++;
	return count;
}

/* @return what @p name may have meant, or NULL. */
static const char *guess_option(const struct reading *reading, const char *name,
				bool with_reserved)
{
	const struct sl_option_table *table = reading->table;
	size_t reserved = with_reserved ? count_reserved(reading->reader) : 0;
	const char **names =
		sl_arena_alloc(reading->reader->arena,
			       (table->count + reserved) * sizeof(*names));

	if (!names)
		return NULL;
	for (size_t at = 0; at < table->count; at++)
		names[at] = sl_option_row(table, at).name;
	for (size_t at = 0; at < reserved; at++)
		names[table->count + at] = reading->reader->reserved[at];
	return sl_did_you_mean(name, names, table->count + reserved);
}

static void report_unknown(const struct reading *reading, const char *file,
			   int line, const char *name, bool with_reserved)
{
	const struct sl_option_reader *reader = reading->reader;
	const char *guess = guess_option(reading, name, with_reserved);
	const char *colon = reader->who[0] ? ": " : "";

	if (guess)
		sl_problems_add(reader->problems, file, line,
				"%s%sunknown option \"%s\" (did you mean "
				"\"%s\"?)",
				reader->who, colon, name, guess);
	else
		sl_problems_add(reader->problems, file, line,
				"%s%sunknown option \"%s\"", reader->who, colon,
				name);
}

static const char *file_of(const struct sl_option_reader *reader,
			   const config_setting_t *setting)
{
	const char *file = config_setting_source_file(setting);

	return file ? file : reader->file;
}

static void check_group(const struct reading *reading)
{
	int count = reading->group ? config_setting_length(reading->group) : 0;

	for (int at = 0; at < count; at++) {
		const config_setting_t *setting =
			config_setting_get_elem(reading->group, (unsigned)at);
		const char *name = config_setting_name(setting);

		if (name && !is_reserved(reading->reader, name) &&
		    !has_option(reading->table, name))
			report_unknown(reading,
				       file_of(reading->reader, setting),
				       (int)config_setting_source_line(setting),
				       name, true);
	}
}

/* @return how messages call an override, in the arena. */
static const char *override_text(const struct reading *reading,
				 const struct sl_override *override)
{
	const char *text = sl_arena_printf(reading->reader->arena,
					   "--set %s.%s=%s", override->instance,
					   override->option, override->value);

	return text ? text : "--set";
}

static bool is_ours(const struct reading *reading,
		    const struct sl_override *override)
{
	return strcmp(override->instance, reading->instance) == 0 ||
	       (reading->role &&
		strcmp(override->instance, reading->role) == 0);
}

static void check_overrides(const struct reading *reading)
{
	const struct sl_option_reader *reader = reading->reader;

	for (size_t at = 0; at < reading->override_count; at++) {
		struct sl_override *override = &reading->overrides[at];

		if (!is_ours(reading, override))
			continue;
		override->used = true;
		if (has_option(reading->table, override->option))
			continue;
		if (is_reserved(reader, override->option))
			sl_problems_add(reader->problems,
					override_text(reading, override), 0,
					"%s%s\"%s\" can be set in the file "
					"alone",
					reader->who, reader->who[0] ? ": " : "",
					override->option);
		else
			report_unknown(reading,
				       override_text(reading, override), 0,
				       override->option, false);
	}
}

/* The last one wins. @return NULL: there is none. */
static const struct sl_override *find_override(const struct reading *reading,
					       const char *option)
{
	for (size_t at = reading->override_count; at > 0; at--) {
		const struct sl_override *override =
			&reading->overrides[at - 1];

		if (is_ours(reading, override) &&
		    strcmp(override->option, option) == 0)
			return override;
	}
	return NULL;
}

static void store(const struct sl_option *option, const struct sl_value *value,
		  void *state)
{
	static const size_t sizes[] = {
		[SL_BOOL] = sizeof(value->boolean),
		[SL_INT] = sizeof(value->integer),
		[SL_FLOAT] = sizeof(value->real),
		[SL_STRING] = sizeof(value->text),
		[SL_PATH] = sizeof(value->text),
		[SL_ENUM] = sizeof(value->choice),
		[SL_SIZE] = sizeof(value->size),
		[SL_DURATION] = sizeof(value->integer),
		[SL_ADDRESS] = sizeof(value->ip),
		[SL_PREFIX] = sizeof(value->prefix),
		[SL_INTERFACE] = sizeof(value->name),
		[SL_LIST] = sizeof(value->list),
	};

	/* all members of the union start where it starts */
	memcpy((char *)state + option->offset, value, sizes[option->type]);
}

/* @return whether @p value was set from what the user wrote. */
static bool read_given(const struct reading *reading,
		       const struct sl_option *option, struct sl_value *value)
{
	const struct sl_option_reader *reader = reading->reader;
	const struct sl_override *override =
		find_override(reading, option->name);
	const config_setting_t *setting =
		reading->group ? config_setting_get_member(reading->group,
							   option->name)
			       : NULL;
	struct sl_value_context context = { reader,         option,
					    reader->file,   0,
					    reader->folder, "" };

	if (override) {
		context.file = override_text(reading, override);
		context.folder = "";
		return sl_value_from_text(&context, override->value, value);
	}
	if (setting)
		return sl_value_from_setting(&context, setting, value);
	if (option->required)
		sl_problems_add(reader->problems, reader->file, reader->line,
				"%s%soption \"%s\" is missing", reader->who,
				reader->who[0] ? ": " : "", option->name);
	return false;
}

/* Also after a bad value, so that what looks at the options next does not
 * stumble over a zero that nobody wrote. */
static bool read_default(const struct reading *reading,
			 const struct sl_option *option, struct sl_value *value)
{
	const struct sl_option_reader *reader = reading->reader;
	const struct sl_value_context context = {
		reader, option, reader->file, reader->line, "", "default: ",
	};

	return option->default_text &&
	       sl_value_from_text(&context, option->default_text, value);
}

void sl_options_read(const struct sl_option_table *table,
		     const config_setting_t *group,
		     struct sl_override *overrides, size_t override_count,
		     const char *instance, const char *role,
		     const struct sl_option_reader *reader, void *state)
{
	const struct reading reading = {
		.table = table,
		.group = group,
		.overrides = overrides,
		.override_count = override_count,
		.instance = instance,
		.role = role,
		.reader = reader,
	};

	check_group(&reading);
	check_overrides(&reading);
	for (size_t at = 0; at < table->count; at++) {
		const struct sl_option option = sl_option_row(table, at);
		struct sl_value value = { 0 };

		if (read_given(&reading, &option, &value) ||
		    read_default(&reading, &option, &value))
			store(&option, &value, state);
	}
}
