/* SPDX-License-Identifier: MIT */
/* The tokens of a configuration, cut as libconfig's own scanner cuts them:
 * what the two see must not differ. */
#include "base/config_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/config.h"

void sl_config_lexer_init(struct sl_config_lexer *lexer, const char *text,
			  size_t length)
{
	*lexer = (struct sl_config_lexer){
		.start = text,
		.at = text,
		.end = text + length,
		.line = 1,
		.token = text,
		.token_line = 1,
	};
}

/* isdigit() and its like would ask the locale. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The text's end reads as NUL, which is in no token. */
static char peek(const struct sl_config_lexer *lexer, const char *at)
{
	return at < lexer->end ? *at : '\0';
}

static const char *skip_digits(const struct sl_config_lexer *lexer,
			       const char *at)
{
	while (is_digit(peek(lexer, at)))
		at++;
	return at;
}

/* @return behind an exponent, or @p at if there is none. */
static const char *skip_exponent(const struct sl_config_lexer *lexer,
				 const char *at)
{
	const char *digits = at;

	if (peek(lexer, at) != 'e' && peek(lexer, at) != 'E')
		return at;
	digits++;
	if (peek(lexer, digits) == '+' || peek(lexer, digits) == '-')
		digits++;
	return is_digit(peek(lexer, digits)) ? skip_digits(lexer, digits) : at;
}

static const char *skip_suffix(const struct sl_config_lexer *lexer,
			       const char *at)
{
	for (int letters = 0; letters < 2 && peek(lexer, at) == 'L'; letters++)
		at++;
	return at;
}

/* A number, or the sign or point that starts none. @return behind it. */
static const char *skip_number(const struct sl_config_lexer *lexer,
			       enum sl_config_token *kind)
{
	const char *at = lexer->at, *digits, *behind;

	*kind = SL_CONFIG_OTHER;
	if (at[0] == '0' && (peek(lexer, at + 1) | 0x20) == 'x' &&
	    is_hex(peek(lexer, at + 2))) {
		*kind = SL_CONFIG_INTEGER;
		for (at += 2; is_hex(peek(lexer, at)); at++)
			;
		return skip_suffix(lexer, at);
	}
	if (*at == '+' || *at == '-')
		at++;
	digits = at;
	at = skip_digits(lexer, digits);
	if (peek(lexer, at) == '.')
		return skip_exponent(lexer, skip_digits(lexer, at + 1));
	if (at == digits)
		return lexer->at + 1;
	behind = skip_exponent(lexer, at);
	if (behind != at)
		return behind;
	*kind = SL_CONFIG_INTEGER;
	return skip_suffix(lexer, at);
}

/* From behind the opening quote. @return behind the closing one; NULL: there
 * is none. */
static const char *skip_string(const struct sl_config_lexer *lexer,
			       const char *at)
{
	for (; at < lexer->end; at++) {
		if (*at == '"')
			return at + 1;
		if (*at == '\\' &&
		    (peek(lexer, at + 1) == '"' || peek(lexer, at + 1) == '\\'))
			at++;
	}
	return NULL;
}

/* @return the opening quote of an @include that starts here, or NULL. Only
 * blanks may stand before it on its line. */
static const char *find_include(const struct sl_config_lexer *lexer)
{
	static const char word[] = "@include";
	const size_t length = sizeof(word) - 1;
	const char *at = lexer->at;

	if ((size_t)(lexer->end - at) <= length ||
	    memcmp(at, word, length) != 0 || !is_blank(at[length]))
		return NULL;
	while (at > lexer->start && is_blank(at[-1]))
		at--;
	if (at > lexer->start && at[-1] != '\n')
		return NULL;
	at = lexer->at + length;
	while (is_blank(peek(lexer, at)))
		at++;
	return peek(lexer, at) == '"' ? at : NULL;
}

/* Move behind @p to, counting lines. */
static void advance(struct sl_config_lexer *lexer, const char *to)
{
	for (; lexer->at < to; lexer->at++)
		if (*lexer->at == '\n')
			lexer->line++;
}

/* @return false: a block comment that does not end. */
static bool skip_space(struct sl_config_lexer *lexer)
{
	for (;;) {
		const char *at = lexer->at;
		char c = peek(lexer, at), next = peek(lexer, at + 1);

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r' ||
		    c == '\f') {
			advance(lexer, at + 1);
		} else if (c == '#' || (c == '/' && next == '/')) {
			while (at < lexer->end && *at != '\n')
				at++;
			lexer->at = at;
		} else if (c == '/' && next == '*') {
			for (at += 2; peek(lexer, at) != '*' ||
				      peek(lexer, at + 1) != '/';
			     at++)
				if (at >= lexer->end)
					return false;
			advance(lexer, at + 2);
		} else {
			return true;
		}
	}
}

static enum sl_config_token find_token(struct sl_config_lexer *lexer,
				       const char **behind)
{
	enum sl_config_token kind = SL_CONFIG_OTHER;
	const char *at = lexer->at, *quote;

	*behind = at + 1;
	if (*at == '"') {
		*behind = skip_string(lexer, at + 1);
		kind = SL_CONFIG_STRING;
	} else if ((quote = find_include(lexer)) != NULL) {
		*behind = skip_string(lexer, quote + 1);
		kind = SL_CONFIG_INCLUDE;
	} else if (is_letter(*at)) {
		for (at++;
		     is_letter(peek(lexer, at)) || is_digit(peek(lexer, at)) ||
		     peek(lexer, at) == '-' || peek(lexer, at) == '_';
		     at++)
			;
		*behind = at;
	} else if (is_digit(*at) || *at == '+' || *at == '-' || *at == '.') {
		*behind = skip_number(lexer, &kind);
	}
	return kind;
}

enum sl_config_token sl_config_lex(struct sl_config_lexer *lexer)
{
	enum sl_config_token kind;
	const char *behind;
	bool closed = skip_space(lexer);

	lexer->token = lexer->at;
	lexer->token_line = lexer->line;
	lexer->token_length = 0;
	if (!closed) {
		lexer->at = lexer->end;
		return SL_CONFIG_OPEN_COMMENT;
	}
	if (lexer->at == lexer->end)
		return SL_CONFIG_END;
	kind = find_token(lexer, &behind);
	if (!behind) {
		lexer->at = lexer->end;
		return SL_CONFIG_OPEN_STRING;
	}
	lexer->token_length = (size_t)(behind - lexer->at);
	advance(lexer, behind);
	return kind;
}

/* @return the magnitude, at most UINT64_MAX. */
static uint64_t magnitude(const char *digits, size_t length, unsigned base)
{
	uint64_t value = 0;

	for (size_t at = 0; at < length && is_hex(digits[at]); at++) {
		unsigned digit =
			is_digit(digits[at])
				? (unsigned)(digits[at] - '0')
				: (unsigned)((digits[at] | 0x20) - 'a') + 10;

		if (value > (UINT64_MAX - digit) / base)
			return UINT64_MAX;
		value = value * base + digit;
	}
	return value;
}

const char *sl_config_integer_fault(const char *token, size_t length,
				    char why[128])
{
	bool hex = length > 2 && (token[1] | 0x20) == 'x';
	bool negative = token[0] == '-';
	bool wide = token[length - 1] == 'L';
	size_t skip = hex ? 2 : negative || token[0] == '+' ? 1 : 0;
	uint64_t value = magnitude(token + skip, length - skip, hex ? 16 : 10);
	int shown = length > 60 ? 60 : (int)length;

	if (value > (uint64_t)INT64_MAX + negative)
		snprintf(why, 128, "%.*s%s does not fit in 64 bits", shown,
			 token, length > 60 ? "..." : "");
	else if (!wide && value > (uint64_t)INT32_MAX + negative)
		snprintf(why, 128, "%.*s does not fit in 32 bits: write %.*sL",
			 shown, token, shown, token);
	else
		return NULL;
	return why;
}

int sl_config_scan_integers(const char *text, size_t length, char number[64])
{
	struct sl_config_lexer lexer;
	enum sl_config_token token;
	char why[128];

	sl_config_lexer_init(&lexer, text, length);
	while ((token = sl_config_lex(&lexer)) != SL_CONFIG_END) {
		if (token != SL_CONFIG_INTEGER ||
		    !sl_config_integer_fault(lexer.token, lexer.token_length,
					     why))
			continue;
		snprintf(number, 64, "%.*s",
			 lexer.token_length > 63 ? 63 : (int)lexer.token_length,
			 lexer.token);
		return lexer.token_line;
	}
	return 0;
}

const char *sl_config_text_fault(const char *text, size_t length, char why[128])
{
	struct sl_config_lexer lexer;
	enum sl_config_token token;

	sl_config_lexer_init(&lexer, text, length);
	while ((token = sl_config_lex(&lexer)) != SL_CONFIG_END) {
		if (token == SL_CONFIG_OPEN_STRING)
			return "a string does not end";
		if (token == SL_CONFIG_OPEN_COMMENT)
			return "a comment does not end";
		if (token == SL_CONFIG_INCLUDE)
			return "nothing can be included here";
		if (token == SL_CONFIG_INTEGER &&
		    sl_config_integer_fault(lexer.token, lexer.token_length,
					    why))
			return why;
	}
	return NULL;
}
