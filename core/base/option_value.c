/* SPDX-License-Identifier: MIT */
/* One value: from libconfig's setting or from text to the reader of its type,
 * and lists of such. */
#include "base/option_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/config_scan.h"
#include "base/option_given.h"

void sl_value_problem(const struct sl_value_context *context, const char *file,
		      int line, const char *fmt, ...)
{
	const char *who = context->reader->who;
	char message[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	sl_problems_add(context->reader->problems, file, line,
			"%s%soption \"%s\": %s%s", who, who[0] ? ": " : "",
			context->option->name, context->origin, message);
}

const char *sl_given_show(const struct sl_given *given,
			  char text[SL_GIVEN_SHOWN])
{
	switch (given->kind) {
	case SL_GIVEN_BOOL:
		return given->boolean ? "true" : "false";
	case SL_GIVEN_INT:
		snprintf(text, SL_GIVEN_SHOWN, "%" PRId64, given->integer);
		break;
	case SL_GIVEN_FLOAT:
		snprintf(text, SL_GIVEN_SHOWN, "%g", given->real);
		break;
	case SL_GIVEN_STRING:
	case SL_GIVEN_TEXT:
		snprintf(text, SL_GIVEN_SHOWN, "\"%.*s\"", SL_GIVEN_SHOWN - 3,
			 given->text);
		break;
	case SL_GIVEN_LIST:
		return "( ... )";
	case SL_GIVEN_GROUP:
		return "{ ... }";
	}
	return text;
}

bool sl_given_wrong_type(const struct sl_given *given, const char *wanted)
{
	static const char *const words[] = {
		[SL_GIVEN_BOOL] = "a boolean", [SL_GIVEN_INT] = "an integer",
		[SL_GIVEN_FLOAT] = "a float",  [SL_GIVEN_STRING] = "a string",
		[SL_GIVEN_TEXT] = "a text",    [SL_GIVEN_LIST] = "a list",
		[SL_GIVEN_GROUP] = "a group",
	};

	return SL_COMPLAIN(given, "%s given, %s wanted", words[given->kind],
			   wanted);
}

bool sl_given_no_memory(const struct sl_given *given)
{
	given->context->reader->problems->incomplete = true;
	return false;
}

static bool read_list(const struct sl_given *given, struct sl_value *value);

static const struct {
	const char *word;
	bool (*read)(const struct sl_given *given, struct sl_value *value);
} types[] = {
	[SL_BOOL] = { "boolean", sl_read_bool },
	[SL_INT] = { "integer", sl_read_int },
	[SL_FLOAT] = { "float", sl_read_float },
	[SL_STRING] = { "string", sl_read_string },
	[SL_PATH] = { "path", sl_read_path },
	[SL_ENUM] = { "choice", sl_read_enum },
	[SL_SIZE] = { "size", sl_read_size },
	[SL_DURATION] = { "duration", sl_read_duration },
	[SL_ADDRESS] = { "address", sl_read_address },
	[SL_PREFIX] = { "prefix", sl_read_prefix },
	[SL_INTERFACE] = { "interface", sl_read_interface },
	[SL_LIST] = { "list", read_list },
};

static bool is_known(enum sl_option_type type)
{
	return (size_t)type < sizeof(types) / sizeof(types[0]) &&
	       types[type].read;
}

const char *sl_option_type_word(enum sl_option_type type)
{
	return is_known(type) ? types[type].word : "unknown";
}

/* The type at a depth: of the option, its elements, or theirs. */
static enum sl_option_type type_at(const struct sl_option *option,
				   unsigned depth)
{
	switch (depth) {
	case 0:
		return option->type;
	case 1:
		return option->element;
	case 2:
		return option->inner;
	default:
		return SL_NO_TYPE;
	}
}

static bool read_value(const struct sl_given *given, struct sl_value *value)
{
	enum sl_option_type type =
		type_at(given->context->option, given->depth);

	if (!is_known(type))
		return SL_COMPLAIN(given, "its type is unknown (%d)",
				   (int)type);
	value->file = given->file;
	value->line = given->line;
	return types[type].read(given, value);
}

/* Say what a setting holds. */
static void take_setting(struct sl_given *given,
			 const config_setting_t *setting)
{
	switch (config_setting_type(setting)) {
	case CONFIG_TYPE_BOOL:
		given->kind = SL_GIVEN_BOOL;
		given->boolean = config_setting_get_bool(setting);
		break;
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		given->kind = SL_GIVEN_INT;
		given->integer = config_setting_get_int64(setting);
		break;
	case CONFIG_TYPE_FLOAT:
		given->kind = SL_GIVEN_FLOAT;
		given->real = config_setting_get_float(setting);
		break;
	case CONFIG_TYPE_STRING:
		given->kind = SL_GIVEN_STRING;
		given->text = config_setting_get_string(setting);
		break;
	case CONFIG_TYPE_ARRAY:
	case CONFIG_TYPE_LIST:
		given->kind = SL_GIVEN_LIST;
		given->list = setting;
		break;
	default:
		given->kind = SL_GIVEN_GROUP;
		break;
	}
	if (!given->in_file)
		return;
	given->file = config_setting_source_file(setting);
	if (!given->file)
		given->file = given->context->file;
	given->line = (int)config_setting_source_line(setting);
}

bool sl_value_from_setting(const struct sl_value_context *context,
			   const config_setting_t *setting,
			   struct sl_value *value)
{
	struct sl_given given = { .context = context, .in_file = true };

	take_setting(&given, setting);
	return read_value(&given, value);
}

/* All elements are read, so that each complains that has reason to. */
static bool read_elements(const struct sl_given *given, struct sl_value *value)
{
	size_t count = (size_t)config_setting_length(given->list);
	struct sl_value *values = sl_arena_alloc(given->context->reader->arena,
						 count * sizeof(*values));
	bool good = true;

	if (!values)
		return sl_given_no_memory(given);
	for (size_t at = 0; at < count; at++) {
		struct sl_given element = *given;

		element.depth++;
		take_setting(&element, config_setting_get_elem(given->list,
							       (unsigned)at));
		good &= read_value(&element, &values[at]);
	}
	value->list = (struct sl_list){ count, values };
	return good;
}

/* "( ... )", read by libconfig. */
static bool read_list_text(const struct sl_given *given, struct sl_value *value)
{
	char *text = sl_arena_printf(given->context->reader->arena,
				     "list = %s\n", given->text);
	struct sl_given list = *given;
	const config_setting_t *root;
	char room[128];
	const char *why;
	config_t tree;
	bool good;

	if (!text)
		return sl_given_no_memory(given);
	why = sl_config_text_fault(text, strlen(text), room);
	if (why)
		return SL_COMPLAIN(given, "%s", why);
	config_init(&tree);
	good = config_read_string(&tree, text) == CONFIG_TRUE;
	root = config_root_setting(&tree);
	if (good && config_setting_length(root) == 1) {
		take_setting(&list, config_setting_get_elem(root, 0));
		good = read_list(&list, value);
	} else {
		good = SL_COMPLAIN(given,
				   "not a list, like ( 1, 2 ) or "
				   "[ \"a\", \"b\" ]: %s",
				   good ? "more stands behind it"
					: config_error_text(&tree));
	}
	config_destroy(&tree);
	return good;
}

static bool read_list(const struct sl_given *given, struct sl_value *value)
{
	char shown[SL_GIVEN_SHOWN];
	const char *show;

	if (given->kind == SL_GIVEN_LIST)
		return read_elements(given, value);
	if (given->kind == SL_GIVEN_TEXT &&
	    (given->text[0] == '(' || given->text[0] == '['))
		return read_list_text(given, value);
	if (given->kind == SL_GIVEN_GROUP)
		return sl_given_wrong_type(given, "a list");
	show = sl_given_show(given, shown);
	return SL_COMPLAIN(given, "%s is no list: write ( %s )", show, show);
}

bool sl_value_from_text(const struct sl_value_context *context,
			const char *text, struct sl_value *value)
{
	struct sl_given given = { .context = context,
				  .file = context->file,
				  .line = context->line,
				  .kind = SL_GIVEN_TEXT };
	size_t length = strlen(text);

	given.text = text;
	if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
		given.text = sl_arena_text(context->reader->arena, text + 1,
					   length - 2);
		if (!given.text)
			return sl_given_no_memory(&given);
	}
	return read_value(&given, value);
}
