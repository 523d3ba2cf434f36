/* SPDX-License-Identifier: MIT */
/* The words of an analyzer's command: whether they can be filled in. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gate/config_read.h"

enum { A_UNIT = 1, ALL_UNITS = 2 };

/* What stands in braces (run/analyzer.h). */
static const struct {
	const char *name;
	bool is_alone; /* it is a word of its own */
	unsigned of; /* runs that know it */
} holes[] = {
	{ "file", false, A_UNIT },
	{ "flags", true, A_UNIT },
	{ "language", false, A_UNIT },
	{ "gcc", false, A_UNIT },
	{ "clang", false, A_UNIT },
	{ "tidy", true, A_UNIT },
	{ "defines", true, A_UNIT },
	{ "report", false, A_UNIT | ALL_UNITS },
	{ "root", false, A_UNIT | ALL_UNITS },
	{ "build", false, A_UNIT | ALL_UNITS },
	{ "files", true, ALL_UNITS },
};

enum { HOLES = sizeof(holes) / sizeof(holes[0]) };

/* A word that is being looked at. */
struct word {
	const struct sg_config_reading *reading;
	const char *who, *option;
	const struct sl_value *value;
	bool once;
};

static SL_PRINTF(2, 3) void complain(const struct word *word, const char *fmt,
				     ...)
{
	char message[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	sl_problems_add(word->reading->problems, word->value->file,
			word->value->line, "%s: option \"%s\": \"%s\": %s",
			word->who, word->option, word->value->text, message);
}

static void complain_unknown(const struct word *word, const char *name)
{
	const char *names[HOLES], *guess;

	for (size_t at = 0; at < HOLES; at++)
		names[at] = holes[at].name;
	guess = sl_did_you_mean(name, names, HOLES);
	if (guess)
		complain(word, "there is no {%s} (did you mean {%s}?)", name,
			 guess);
	else
		complain(word, "there is no {%s}; a brace is written {{", name);
}

/* @p at is behind the '{', @p length bytes in front of the '}'. */
static void check_hole(const struct word *word, const char *name, size_t length)
{
	char shown[64];

	for (size_t at = 0; at < HOLES; at++) {
		if (strlen(holes[at].name) != length ||
		    memcmp(holes[at].name, name, length) != 0)
			continue;
		if (!(holes[at].of & (word->once ? ALL_UNITS : A_UNIT)))
			complain(word,
				 word->once ? "a run for all units has no {%s}"
					    : "a run of one unit has no {%s}",
				 holes[at].name);
		else if (holes[at].is_alone &&
			 (name != word->value->text + 1 || name[length + 1]))
			complain(word, "{%s} must be a word of its own",
				 holes[at].name);
		return;
	}
	snprintf(shown, sizeof(shown), "%.*s", length > 63 ? 63 : (int)length,
		 name);
	complain_unknown(word, shown);
}

/* "{c:-Wx}", "{c++:-Wx}": a word for one language. */
static bool is_of_language(const char *text)
{
	size_t length = strlen(text);

	return (strncmp(text, "{c:", 3) == 0 ||
		strncmp(text, "{c++:", 5) == 0) &&
	       text[length - 1] == '}';
}

static void check_word(const struct word *word)
{
	const char *at = word->value->text;

	if (!word->once && is_of_language(at))
		return;
	while (*(at += strcspn(at, "{}"))) {
		size_t length;

		if (at[0] == at[1]) {
			at += 2;
			continue;
		}
		length = *at == '{' ? strcspn(at + 1, "{}") : 0;
		if (*at == '}' || at[1 + length] != '}') {
			complain(word, "a brace is written twice: {{ and }}");
			return;
		}
		check_hole(word, at + 1, length);
		at += length + 2;
	}
}

void sg_config_check_words(const struct sg_config_reading *reading,
			   const char *who, const char *option,
			   const struct sl_list *list, bool once)
{
	struct word word = { reading, who, option, NULL, once };

	for (size_t at = 0; at < list->count; at++) {
		word.value = &list->values[at];
		check_word(&word);
	}
}
