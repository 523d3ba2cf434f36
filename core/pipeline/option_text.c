/* SPDX-License-Identifier: MIT */
/* An option in words: its type, and what is allowed. */
#include "pipeline/option_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"

static void SL_PRINTF(3, 4)
	append(char *text, size_t size, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + used, size - used, fmt, args);
	va_end(args);
}

static const char *plural(enum sl_option_type type)
{
	static const char *const words[] = {
		[SL_BOOL] = "booleans",        [SL_INT] = "integers",
		[SL_FLOAT] = "numbers",        [SL_STRING] = "strings",
		[SL_PATH] = "paths",           [SL_ENUM] = "words",
		[SL_SIZE] = "sizes",           [SL_DURATION] = "durations",
		[SL_ADDRESS] = "addresses",    [SL_PREFIX] = "prefixes",
		[SL_INTERFACE] = "interfaces", [SL_LIST] = "lists",
	};

	return type > SL_NO_TYPE && type <= SL_LIST ? words[type] : "?";
}

void sl_option_type_text(const struct sl_option *option, char *text,
			 size_t size)
{
	text[0] = '\0';
	append(text, size, "%s", sl_option_type_word(option->type));
	if (option->type != SL_LIST)
		return;
	append(text, size, " of %s", plural(option->element));
	if (option->element == SL_LIST)
		append(text, size, " of %s", plural(option->inner));
}

static void bound(char *text, size_t size, const struct sl_option *option,
		  int64_t value)
{
	static const struct {
		int64_t ns;
		const char *word;
	} scales[] = { { 3600000000000, "h" },
		       { 1000000000, "s" },
		       { 1000000, "ms" },
		       { 1000, "us" },
		       { 1, "ns" } };
	size_t at = 0;

	if (option->type != SL_DURATION && option->element != SL_DURATION) {
		append(text, size, "%" PRId64, value);
		return;
	}
	if (!value) {
		append(text, size, "0");
		return;
	}
	while (value % scales[at].ns)
		at++;
	append(text, size, "%" PRId64 " %s", value / scales[at].ns,
	       scales[at].word);
}

void sl_option_allowed_text(const struct sl_option *option, char *text,
			    size_t size)
{
	text[0] = '\0';
	if (option->type == SL_ENUM) {
		for (size_t at = 0; option->choices[at]; at++)
			append(text, size, "%s%s", at ? ", " : "",
			       option->choices[at]);
	} else if (option->type == SL_FLOAT &&
		   (option->float_min != 0 || option->float_max != 0)) {
		append(text, size, "%g to %g", option->float_min,
		       option->float_max);
	} else if (option->min || option->max) {
		bound(text, size, option, option->min);
		append(text, size, " to ");
		bound(text, size, option, option->max);
	}
	if (option->unit)
		append(text, size, "%s%s", text[0] ? " " : "", option->unit);
}
