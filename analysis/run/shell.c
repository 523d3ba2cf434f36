/* SPDX-License-Identifier: MIT */
/* Words of a shell. A word is written where it was read from, in a copy of the
 * text: it never gets longer. */
#include "run/shell.h"

#include <stdbool.h>
#include <string.h>

struct place {
	const char *from;
	char *to;
};

/* Behind a backslash. Before a newline both go. */
static void take_escaped(struct place *place)
{
	if (!*place->from) /* a lone one at the end stays */
		*place->to++ = '\\';
	else if (*place->from != '\n')
		*place->to++ = *place->from++;
	else
		place->from++;
}

/* Between double quotes a backslash is one of the text, but before these. */
static void take_backslash(struct place *place)
{
	place->from++;
	if (*place->from && strchr("$`\"\\\n", *place->from))
		take_escaped(place);
	else
		*place->to++ = '\\';
}

/* @return whether the quote is closed. */
static bool take_quoted(struct place *place)
{
	char quote = *place->from++;

	while (*place->from && *place->from != quote) {
		if (quote == '"' && *place->from == '\\')
			take_backslash(place);
		else
			*place->to++ = *place->from++;
	}
	return *place->from && *place->from++ == quote;
}

static const char *skip_blanks(const char *from)
{
	for (;;) {
		from += strspn(from, " \t\r\n");
		if (from[0] != '\\' || from[1] != '\n')
			return from;
		from += 2;
	}
}

/* @return whether its quotes are closed. */
static bool take_word(struct place *place)
{
	while (*place->from && !strchr(" \t\r\n", *place->from)) {
		if (*place->from == '\'' || *place->from == '"') {
			if (!take_quoted(place))
				return false;
		} else if (*place->from == '\\') {
			place->from++;
			take_escaped(place);
		} else {
			*place->to++ = *place->from++;
		}
	}
	return true;
}

enum sl_code sg_shell_split(const char *text, struct sg_list *list,
			    struct sl_error *error)
{
	/* the NULs behind words take the places of blanks, but the last's */
	char *copy = sl_arena_alloc(list->arena, strlen(text) + 2);
	struct place place = { .from = text, .to = copy };

	if (!copy)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a command");
	for (;;) {
		place.from = skip_blanks(place.from);
		if (!*place.from)
			break;
		sg_list_add(list, place.to);
		if (!take_word(&place))
			return SL_FAIL(error, SL_EINVAL,
				       "a quote is not closed in the command");
		*place.to++ = '\0';
	}
	if (list->failed)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a command");
	return SL_OK;
}
