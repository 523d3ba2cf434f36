/* SPDX-License-Identifier: MIT */
#include "answer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* SCPI 1999, 7.2.1.4 and 7.2.1.5. */
#define SCPI_NAN 9.91e37
#define SCPI_INFINITY 9.9e37
/* Words may be cut to this many letters. */
#define SHORT_WORD 3

static const char *const integration_words[] = {
	[INTEGRATION_RESET] = "RESET", [INTEGRATION_READY] = "READY",
	[INTEGRATION_START] = "START", [INTEGRATION_STOP] = "STOP",
	[INTEGRATION_ERROR] = "ERROR", [INTEGRATION_TIMEUP] = "TIMEUP",
};

const char *integration_word(enum integration state)
{
	return integration_words[state];
}

const char *answer_show(const char *answer, char text[SHOWN_BYTES])
{
	size_t at = 0;

	for (; at < SHOWN_BYTES - 1 && answer[at]; at++)
		text[at] = answer[at] >= ' ' && answer[at] <= '~' ? answer[at]
								  : '?';
	text[at] = '\0';
	if (answer[at])
		memcpy(text + SHOWN_BYTES - 4, "...", 4);
	return text;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

static bool take_figure(const char *text, size_t length, struct figure *figure)
{
	bool is_signed = length && (text[0] == '+' || text[0] == '-');
	double value;

	*figure = (struct figure){ .kind = FIGURE_NONE };
	if (is_word(text, length, "NAN"))
		return true;
	figure->kind = FIGURE_OVER;
	if (is_word(text + is_signed, length - is_signed, "INF"))
		return true;
	if (!sl_decimal_parse(text, length, &figure->value))
		return false;
	value = sl_decimal_value(&figure->value);
	if (value < SCPI_INFINITY && value > -SCPI_INFINITY)
		figure->kind = FIGURE_NUMBER;
	else if (value > SCPI_NAN * (1 - 1e-9) && value < SCPI_NAN * (1 + 1e-9))
		figure->kind = FIGURE_NONE;
	return true;
}

enum sl_code answer_figures(const char *answer, struct figure *figures,
			    size_t count, struct sl_error *error)
{
	const char *rest = answer_value(answer);
	char shown[SHOWN_BYTES];

	for (size_t at = 0; at < count; at++) {
		size_t length = strcspn(rest, ",");
		bool is_last = at + 1 == count;

		if (!take_figure(rest, length, &figures[at]))
			return SL_FAIL(error, SL_EIO,
				       "\"%s\": figure %zu is no number",
				       answer_show(answer, shown), at + 1);
		if (is_last != !rest[length])
			return SL_FAIL(error, SL_EIO,
				       "\"%s\": %zu figures are wanted",
				       answer_show(answer, shown), count);
		rest += length + !is_last;
	}
	return SL_OK;
}

enum sl_code answer_integration(const char *answer, enum integration *state,
				struct sl_error *error)
{
	const size_t count =
		sizeof(integration_words) / sizeof(integration_words[0]);
	const char *value = answer_value(answer);
	char shown[SHOWN_BYTES];

	for (size_t at = 0; at < count; at++) {
		if (!answer_is(value, integration_words[at]))
			continue;
		*state = (enum integration)at;
		return SL_OK;
	}
	return SL_FAIL(error, SL_EIO, "\"%s\" is no state of an integration",
		       answer_show(answer, shown));
}

const char *answer_value(const char *answer)
{
	const char *blank = answer[0] == ':' ? strchr(answer, ' ') : NULL;

	if (!blank)
		return answer;
	return blank + strspn(blank, " ");
}

bool answer_is(const char *value, const char *wanted)
{
	size_t length = strlen(value);

	if (strcasecmp(value, wanted) == 0)
		return true;
	return length >= SHORT_WORD && length < strlen(wanted) &&
	       !strchr(value, ',') && strncasecmp(value, wanted, length) == 0;
}

bool answer_is_plain(const char *value, size_t size)
{
	size_t at = 0;

	for (; value[at]; at++)
		if (at + 1 >= size || value[at] < ' ' || value[at] > '~' ||
		    value[at] == ';' || value[at] == '?' || value[at] == ':')
			return false;
	return at > 0;
}

bool answer_is_identity(const char *answer)
{
	unsigned commas = 0;

	for (const char *at = answer; *at; at++) {
		if (*at < ' ' || *at > '~')
			return false;
		commas += *at == ',';
	}
	return commas == 3 && strncasecmp(answer, "YOKOGAWA,", 9) == 0;
}
