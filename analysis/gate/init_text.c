/* SPDX-License-Identifier: MIT */
/* A configuration with its manual: the table of its keys, each with what it is
 * for, and with its value or, commented out, its default. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gate/config_options.h"
#include "gate/init.h"
#include "gate/text.h"

enum { WIDTH = 78 };

/* @p words as a comment of lines that are not too long. */
static enum sl_code comment(struct sl_buffer *text, const char *words,
			    struct sl_error *error)
{
	enum sl_code code = sg_text_say(text, "#", error);
	size_t column = 1;

	while (code == SL_OK && *words) {
		size_t length = strcspn(words, " ");
		bool is_full = column > 1 && column + 1 + length > WIDTH;

		if (is_full)
			column = 1;
		code = sg_text_say(text, is_full ? "\n# " : " ", error);
		if (code == SL_OK)
			code = sg_text_put(text, words, length, error);
		column += 1 + length;
		words += length + strspn(words + length, " ");
	}
	return code == SL_OK ? sg_text_say(text, "\n", error) : code;
}

/* A string as libconfig reads it. */
static enum sl_code quote(struct sl_buffer *text, const char *value,
			  struct sl_error *error)
{
	enum sl_code code = sg_text_say(text, "\"", error);
	char escaped[8];

	for (; code == SL_OK && *value; value++) {
		if (*value == '"' || *value == '\\')
			snprintf(escaped, sizeof(escaped), "\\%c", *value);
		else if ((unsigned char)*value < 0x20 || *value == 0x7f)
			snprintf(escaped, sizeof(escaped), "\\x%02x",
				 (unsigned)(unsigned char)*value);
		else
			snprintf(escaped, sizeof(escaped), "%c", *value);
		code = sg_text_say(text, escaped, error);
	}
	return code == SL_OK ? sg_text_say(text, "\"", error) : code;
}

/* [ "a", "b" ], one a line if there are more than a few. */
static enum sl_code quote_list(struct sl_buffer *text,
			       const char *const *values,
			       struct sl_error *error)
{
	bool is_long = values[0] && values[1] && values[2] && values[3];
	enum sl_code code = sg_text_say(text, "[", error);

	for (size_t at = 0; code == SL_OK && values[at]; at++) {
		code = sg_text_say(text, at ? "," : "", error);
		if (code == SL_OK)
			code = sg_text_say(text, is_long ? "\n\t" : " ", error);
		if (code == SL_OK)
			code = quote(text, values[at], error);
	}
	return code == SL_OK ? sg_text_say(text, is_long ? "\n]" : " ]", error)
			     : code;
}

/* ---- keys -------------------------------------------------------------- */

/* What stands for a key: a value of its own, or an example. */
struct value {
	const char *text; /* NULL: a list, or none */
	const char *const *list;
	bool holds; /* it is no example */
};

static struct value value_of(const struct sg_init *found,
			     const struct sl_option *option)
{
	static const char *const sources[] = { "src/**/*.c", NULL };
	static const char *const flags[] = { "-Iinclude", NULL };
	static const char *const exclude[] = { "third_party/", NULL };
	const char *name = option->name;
	struct value value = { option->default_text, NULL, false };

	if (strcmp(name, "policy") == 0)
		value.holds = true;
	else if (strcmp(name, "build") == 0 && found->build)
		value = (struct value){ found->build, NULL, true };
	else if (strcmp(name, "build") == 0)
		value.text = "build";
	else if (strcmp(name, "baseline") == 0)
		value.text = ".scgate-baseline";
	else if (strcmp(name, "sources") == 0)
		value = found->build
				? (struct value){ NULL, sources, false }
				: (struct value){ NULL, found->sources, true };
	else if (strcmp(name, "flags") == 0)
		value = found->flags[0]
				? (struct value){ NULL, found->flags, true }
				: (struct value){ NULL, flags, false };
	else if (strcmp(name, "exclude") == 0)
		value = found->exclude[0]
				? (struct value){ NULL, found->exclude, true }
				: (struct value){ NULL, exclude, false };
	return value;
}

static enum sl_code explain(struct sl_buffer *text,
			    const struct sl_option *option,
			    struct sl_error *error)
{
	char words[1024];
	size_t used =
		(size_t)snprintf(words, sizeof(words), "%s", option->help);

	for (size_t at = 0;
	     option->choices && option->choices[at] && used < sizeof(words);
	     at++)
		used += (size_t)snprintf(words + used, sizeof(words) - used,
					 "%s%s%s", at ? ", " : " One of ",
					 option->choices[at],
					 option->choices[at + 1] ? "" : ".");
	return comment(text, words, error);
}

static enum sl_code put_key(const struct sg_init *found,
			    const struct sl_option *option,
			    struct sl_buffer *text, struct sl_error *error)
{
	struct value value = value_of(found, option);
	enum sl_code code = sg_text_say(text, "\n", error);

	if (code == SL_OK)
		code = explain(text, option, error);
	if (code == SL_OK && !found->build &&
	    strcmp(option->name, "build") == 0)
		code = comment(text,
			       "To get one: cmake "
			       "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- "
			       "make. It then takes the place of sources, "
			       "compiler and flags, which can only guess.",
			       error);
	if (code == SL_OK)
		code = sg_text_say(text, value.holds ? "" : "# ", error);
	if (code == SL_OK)
		code = sg_text_say(text, option->name, error);
	if (code == SL_OK)
		code = sg_text_say(text, " = ", error);
	if (code != SL_OK)
		return code;
	if (value.list)
		code = quote_list(text, value.list, error);
	else if (option->type == SL_BOOL || option->type == SL_INT)
		code = sg_text_say(text, value.text, error);
	else
		code = quote(text, value.text, error);
	return code == SL_OK ? sg_text_say(text, ";\n", error) : code;
}

/* ---- analyzers --------------------------------------------------------- */

static enum sl_code put_names(const char *const *names, const char *front,
			      const char *between, const char *behind,
			      struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && names[at]; at++) {
		code = sg_text_say(text, front, error);
		if (code == SL_OK)
			code = quote(text, names[at], error);
		if (code == SL_OK)
			code = sg_text_say(
				text, names[at + 1] ? between : behind, error);
	}
	return code;
}

static const char analyzers_top[] =
	"\n"
	"# What is run on each unit. Built in are cppcheck, gcc, clang and\n"
	"# clang-tidy, and add = [ \"-Wconversion\" ] gives them more words; "
	"any other\n"
	"# tool can be described:\n"
	"#\t{ name = \"mine\"; command = [ \"mytool\", \"{flags}\", "
	"\"{file}\" ];\n"
	"#\t  format = \"gcc\"; }\n"
	"analyzers = (\n";

static const char paths_example[] =
	"\n"
	"# What holds below some paths; the last that fits decides.\n"
	"# paths = ( { path = \"src/new/\"; policy = \"zero\"; lowest = "
	"\"style\"; } );\n";

enum sl_code sg_init_text(const struct sg_init *found, struct sl_buffer *text,
			  struct sl_error *error)
{
	enum sl_code code =
		comment(text,
			"What this repository asks of \"scgate check\". A "
			"commit is judged by its parent's copy of this file. "
			"What is commented out shows the default, or an "
			"example.",
			error);

	for (size_t at = 0; code == SL_OK && at < sg_config_options.count;
	     at++) {
		const struct sl_option option =
			sl_option_row(&sg_config_options, at);

		code = put_key(found, &option, text, error);
	}
	if (code == SL_OK)
		code = sg_text_say(text, analyzers_top, error);
	if (code == SL_OK)
		code = put_names(found->analyzers, "\t{ name = ", "; },\n",
				 "; }\n", text, error);
	if (code == SL_OK)
		code = put_names(found->absent,
				 "\t# { name = ", "; } was left out\n",
				 "; } was left out\n", text, error);
	if (code == SL_OK)
		code = sg_text_say(text, ");\n", error);
	return code == SL_OK ? sg_text_say(text, paths_example, error) : code;
}
