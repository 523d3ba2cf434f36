/* SPDX-License-Identifier: MIT */
/* Options that are strings with a meaning: paths, choices, addresses. */
#include "base/option_given.h"

#include <stdio.h>
#include <string.h>

/* @return the string, or NULL after a complaint. */
static const char *string_of(const struct sl_given *given, const char *wanted)
{
	if (given->kind == SL_GIVEN_STRING || given->kind == SL_GIVEN_TEXT)
		return given->text;
	(void)sl_given_wrong_type(given, wanted);
	return NULL;
}

bool sl_read_string(const struct sl_given *given, struct sl_value *value)
{
	const char *text = string_of(given, "a string");

	if (!text)
		return false;
	value->text = sl_arena_text(given->context->reader->arena, text,
				    strlen(text));
	return value->text ? true : sl_given_no_memory(given);
}

bool sl_read_path(const struct sl_given *given, struct sl_value *value)
{
	const char *text = string_of(given, "a path");
	const char *folder = given->context->folder;

	if (!text)
		return false;
	if (!text[0])
		return SL_COMPLAIN(given, "a path is empty");
	if (text[0] == '/' || strcmp(text, "-") == 0)
		folder = "";
	value->text = sl_arena_printf(given->context->reader->arena, "%s%s",
				      folder, text);
	return value->text ? true : sl_given_no_memory(given);
}

static size_t count_choices(const struct sl_option *option)
{
	size_t count = 0;

	while (option->choices && option->choices[count])
		count++;
	return count;
}

/* "a", "b", "c" */
static const char *list_choices(const struct sl_option *option,
				char text[SL_GIVEN_SHOWN])
{
	size_t used = 0, count = count_choices(option);

	text[0] = '\0';
	for (size_t at = 0; at < count && used < SL_GIVEN_SHOWN; at++)
		used += (size_t)snprintf(text + used, SL_GIVEN_SHOWN - used,
					 "%s\"%s\"", at ? ", " : "",
					 option->choices[at]);
	return text;
}

bool sl_read_enum(const struct sl_given *given, struct sl_value *value)
{
	const struct sl_option *option = given->context->option;
	size_t count = count_choices(option);
	char shown[SL_GIVEN_SHOWN], all[SL_GIVEN_SHOWN],
		wanted[SL_GIVEN_SHOWN + 8];
	const char *text, *guess;

	snprintf(wanted, sizeof(wanted), "one of %s",
		 list_choices(option, all));
	text = string_of(given, wanted);
	if (!text)
		return false;
	for (size_t at = 0; at < count; at++) {
		if (strcmp(option->choices[at], text) == 0) {
			value->choice = (int)at;
			return true;
		}
	}
	guess = sl_did_you_mean(text, option->choices, count);
	if (guess)
		return SL_COMPLAIN(given,
				   "%s is none of %s (did you mean \"%s\"?)",
				   sl_given_show(given, shown), all, guess);
	return SL_COMPLAIN(given, "%s is none of %s",
			   sl_given_show(given, shown), all);
}

bool sl_read_address(const struct sl_given *given, struct sl_value *value)
{
	const char *text = string_of(given, "an address");
	char shown[SL_GIVEN_SHOWN];

	if (!text)
		return false;
	if (!sl_ip_parse(text, strlen(text), &value->ip))
		return SL_COMPLAIN(given, "%s is no IP address",
				   sl_given_show(given, shown));
	return true;
}

bool sl_read_prefix(const struct sl_given *given, struct sl_value *value)
{
	const char *text = string_of(given, "a prefix");
	char shown[SL_GIVEN_SHOWN], room[96];
	const char *why;

	if (!text)
		return false;
	why = sl_prefix_parse(text, strlen(text), &value->prefix, room,
			      sizeof(room));
	if (why)
		return SL_COMPLAIN(given, "%s: %s", sl_given_show(given, shown),
				   why);
	return true;
}

bool sl_read_interface(const struct sl_given *given, struct sl_value *value)
{
	const char *text = string_of(given, "an interface");
	struct sl_error error;

	if (!text)
		return false;
	if (sl_names_intern(given->context->reader->nics, text, strlen(text),
			    &value->name, &error) != SL_OK)
		return SL_COMPLAIN(given, "%s", error.message);
	return true;
}
