/* SPDX-License-Identifier: MIT */
/* Make rules as compilers write them. A blank in a name is behind a backslash,
 * and the backslashes before that one are doubled; "$" is "$$", "#" and ":" may
 * be behind a backslash; a line goes on behind a backslash. */
#include <stdbool.h>
#include <string.h>

#include "run/analyzer.h"

struct rule {
	const char *at, *end;
	struct sl_arena arena;
};

/* @return how many backslashes stand at @p at. */
static size_t count_slashes(const struct rule *rule, const char *at)
{
	size_t count = 0;

	while (at + count < rule->end && at[count] == '\\')
		count++;
	return count;
}

/* @return the length of a newline at @p at; 0: there is none. */
static size_t newline_at(const struct rule *rule, const char *at)
{
	if (at < rule->end && *at == '\n')
		return 1;
	return at + 1 < rule->end && at[0] == '\r' && at[1] == '\n' ? 2 : 0;
}

/* Blanks, and ends of lines behind a backslash. */
static void skip_blanks(struct rule *rule)
{
	while (rule->at < rule->end) {
		size_t length;

		if (*rule->at == ' ' || *rule->at == '\t') {
			rule->at++;
			continue;
		}
		length = *rule->at == '\\' ? newline_at(rule, rule->at + 1) : 0;
		if (!length)
			return;
		rule->at += length + 1;
	}
}

/* Backslashes, and what they hide, to @p to. *over: the word ends there, before
 * a blank or an end of line that goes on. @return behind what was written. */
static char *take_slashes(struct rule *rule, char *to, bool *over)
{
	size_t count = count_slashes(rule, rule->at);
	const char *behind = rule->at + count;
	char next = behind < rule->end ? *behind : '\0';
	size_t kept = count;

	*over = false;
	if (next == ' ' || next == '\t') {
		kept = count / 2;
		*over = count % 2 == 0;
	} else if (next == '#' || next == ':') {
		kept = count - 1;
	} else if (newline_at(rule, behind)) {
		kept = count - 1;
		*over = true;
		behind--; /* skip_blanks() wants the backslash */
	}
	memset(to, '\\', kept);
	to += kept;
	rule->at = behind;
	if (!*over && kept < count) {
		*to++ = next;
		rule->at++;
	}
	return to;
}

/* A word, unescaped, up to a blank or the end of a line. @return its length; 0:
 * there is none. */
static size_t take_word(struct rule *rule, char *word)
{
	char *to = word;
	bool over = false;

	while (!over && rule->at < rule->end && !memchr(" \t", *rule->at, 2) &&
	       !newline_at(rule, rule->at)) {
		if (*rule->at == '\\') {
			to = take_slashes(rule, to, &over);
			continue;
		}
		if (*rule->at == '$' && rule->end - rule->at > 1 &&
		    rule->at[1] == '$')
			rule->at++;
		*to++ = *rule->at++;
	}
	*to = '\0';
	return (size_t)(to - word);
}

static enum sl_code take_target(struct rule *rule, char *word,
				struct sl_error *error)
{
	size_t length = 0;

	do {
		skip_blanks(rule);
		length = take_word(rule, word);
	} while (length && word[length - 1] != ':');
	if (!length)
		return SL_FAIL(error, SL_EINVAL,
			       "it is no make rule: there is no target");
	return SL_OK;
}

static enum sl_code
take_prerequisites(struct rule *rule, char *word,
		   enum sl_code (*take)(void *context, const char *path,
					struct sl_error *error),
		   void *context, struct sl_error *error)
{
	for (;;) {
		size_t length;
		enum sl_code code;

		skip_blanks(rule);
		length = take_word(rule, word);
		if (!length)
			break;
		code = take(context, word, error);
		if (code != SL_OK)
			return code;
	}
	if (!newline_at(rule, rule->at))
		return SL_FAIL(error, SL_EINVAL,
			       "the make rule ends in the middle");
	return SL_OK;
}

static void skip_empty_lines(struct rule *rule)
{
	size_t length;

	do {
		skip_blanks(rule);
		length = newline_at(rule, rule->at);
		rule->at += length;
	} while (length);
}

static enum sl_code read_rules(struct rule *rule, char *word,
			       enum sl_code (*take)(void *context,
						    const char *path,
						    struct sl_error *error),
			       void *context, struct sl_error *error)
{
	enum sl_code code;

	do {
		skip_empty_lines(rule);
		code = take_target(rule, word, error);
		if (code == SL_OK)
			code = take_prerequisites(rule, word, take, context,
						  error);
		if (code == SL_OK)
			skip_empty_lines(rule);
	} while (code == SL_OK && rule->at < rule->end);
	return code;
}

enum sl_code sg_make_rule_read(const char *text, size_t length,
			       enum sl_code (*take)(void *context,
						    const char *path,
						    struct sl_error *error),
			       void *context, struct sl_error *error)
{
	struct rule rule = { .at = text, .end = text + length };
	char *word;
	enum sl_code code;

	if (length && memchr(text, '\0', length))
		return SL_FAIL(error, SL_EINVAL,
			       "it is no make rule: there is a NUL");
	word = sl_arena_alloc(&rule.arena, length + 1);
	if (!word)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a make rule");
	code = read_rules(&rule, word, take, context, error);
	sl_arena_finish(&rule.arena);
	return code;
}
