/* SPDX-License-Identifier: MIT */
/* The lexer: one pass over the text, then a table from lines to tokens. */
#include "match/tokens.h"

#include <stdlib.h>
#include <string.h>

/* A place in the text. `at` never stands on a backslash-newline after
 * here(). */
struct lexer {
	struct sg_source *source;
	const char *text;
	size_t at, length;
	uint32_t line;
	bool fresh; /* no token yet on this line */
	bool directive;
	bool no_comment_end; /* no star-slash stands from here on */
};

/* @return the bytes of a backslash-newline at @p at; 0: there is none. */
static size_t splice_at(const char *text, size_t length, size_t at)
{
	if (at >= length || text[at] != '\\')
		return 0;
	if (length - at >= 2 && text[at + 1] == '\n')
		return 2;
	return length - at >= 3 && text[at + 1] == '\r' && text[at + 2] == '\n'
		       ? 3
		       : 0;
}

/* @return the byte here, with joined lines joined; -1: the end. */
static int here(struct lexer *lexer)
{
	size_t splice;

	while ((splice = splice_at(lexer->text, lexer->length, lexer->at)) >
	       0) {
		lexer->at += splice;
		lexer->line++;
	}
	if (lexer->at >= lexer->length)
		return -1;
	return (unsigned char)lexer->text[lexer->at];
}

/* @return the byte behind the one here, at @p where (may be NULL). */
static int next(const struct lexer *lexer, size_t *where)
{
	struct lexer ahead = *lexer;
	int c;

	ahead.at++;
	c = here(&ahead);
	if (where)
		*where = ahead.at;
	return c;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(int c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}

/* Move to @p to, counting newlines. */
static void move_to(struct lexer *lexer, size_t to)
{
	while (lexer->at < to)
		lexer->line += lexer->text[lexer->at++] == '\n';
}

/* @return behind the first @p what at or behind @p from; 0: there is none. */
static size_t find_end(const struct lexer *lexer, size_t from, const char *what,
		       size_t length)
{
	while (from < lexer->length && lexer->length - from >= length) {
		const char *hit = memchr(lexer->text + from, what[0],
					 lexer->length - from - length + 1);

		if (!hit)
			return 0;
		from = (size_t)(hit - lexer->text);
		if (memcmp(hit, what, length) == 0)
			return from + length;
		from++;
	}
	return 0;
}

/* @return whether a comment stood here. */
static bool skip_comment(struct lexer *lexer)
{
	size_t star, end;
	int c = next(lexer, &star);

	if (c == '/') {
		while ((c = here(lexer)) != '\n' && c >= 0)
			lexer->at++;
		return true;
	}
	if (c != '*' || lexer->no_comment_end)
		return false;
	end = find_end(lexer, star + 1, "*/", 2);
	if (end == 0) {
		lexer->no_comment_end = true;
		return false;
	}
	move_to(lexer, end);
	return true;
}

/* To the next token. @return its first byte; -1: the end. */
static int skip_space(struct lexer *lexer)
{
	for (;;) {
		int c = here(lexer);

		if (c == '\n') {
			lexer->fresh = true;
			lexer->directive = false;
			lexer->line++;
			lexer->at++;
		} else if (c >= 0 && c <= ' ') {
			lexer->at++;
		} else if (c != '/' || !skip_comment(lexer)) {
			return c;
		}
	}
}

/* From the opening quote to behind the closing one, or to the line's end. */
static void skip_quoted(struct lexer *lexer, int quote)
{
	int c;

	lexer->at++;
	while ((c = here(lexer)) >= 0 && c != '\n') {
		lexer->at++;
		if (c == quote)
			return;
		if (c == '\\' && here(lexer) >= 0 && here(lexer) != '\n')
			lexer->at++;
	}
}

static bool is_raw_prefix(const char *word, size_t length)
{
	return length > 0 && word[length - 1] == 'R' &&
	       (length == 1 ||
		(length == 2 && strchr("LuU", word[0]) && word[0]) ||
		(length == 3 && word[0] == 'u' && word[1] == '8'));
}

/* From the opening quote of a raw string. @return whether it was one. */
static bool skip_raw(struct lexer *lexer)
{
	char end[18] = ")";
	size_t length = 1, at = lexer->at + 1;

	while (at < lexer->length && lexer->text[at] != '(') {
		char c = lexer->text[at++];

		if (length > 16 || c <= ' ' || c == ')' || c == '\\' ||
		    c == '"')
			return false;
		end[length++] = c;
	}
	end[length++] = '"';
	at = find_end(lexer, at, end, length);
	if (at == 0)
		return false;
	move_to(lexer, at);
	return true;
}

static void skip_number(struct lexer *lexer)
{
	for (;;) {
		int c = here(lexer);
		int letter = c | 0x20;

		if (!is_word(c) && c != '.' &&
		    !(c == '\'' && is_word(next(lexer, NULL))))
			return;
		lexer->at++;
		if (letter != 'e' && letter != 'p')
			continue;
		c = here(lexer);
		if (c == '+' || c == '-')
			lexer->at++;
	}
}

static enum sg_token_kind skip_word(struct lexer *lexer)
{
	const char *word = lexer->text + lexer->at;

	while (is_word(here(lexer)))
		lexer->at++;
	if (here(lexer) == '"' &&
	    is_raw_prefix(word, (size_t)(lexer->text + lexer->at - word)) &&
	    skip_raw(lexer))
		return SG_STRING;
	return SG_WORD;
}

/* The token here, whose first byte is @p c. */
static enum sg_token_kind skip_token(struct lexer *lexer, int c)
{
	if (is_digit(c) || (c == '.' && is_digit(next(lexer, NULL)))) {
		skip_number(lexer);
		return SG_NUMBER;
	}
	if (is_word(c))
		return skip_word(lexer);
	if (c == '"' || c == '\'') {
		skip_quoted(lexer, c);
		return c == '"' ? SG_STRING : SG_CHARACTER;
	}
	lexer->at++;
	if (c == ':' && lexer->at < lexer->length &&
	    lexer->text[lexer->at] == ':')
		lexer->at++;
	return SG_PUNCTUATION;
}

static bool add_token(struct sg_source *source, struct sg_token token)
{
	if (source->token_count == source->token_capacity) {
		size_t capacity = source->token_capacity * 2 + 256;
		struct sg_token *tokens =
			realloc(source->tokens, capacity * sizeof(*tokens));

		if (!tokens)
			return false;
		source->tokens = tokens;
		source->token_capacity = capacity;
	}
	source->tokens[source->token_count++] = token;
	return true;
}

static bool lex(struct lexer *lexer)
{
	int c;

	while ((c = skip_space(lexer)) >= 0) {
		struct sg_token token = { .offset = (uint32_t)lexer->at,
					  .line = lexer->line };

		if (c == '#' && lexer->fresh)
			lexer->directive = true;
		lexer->fresh = false;
		token.directive = lexer->directive;
		token.kind = (uint8_t)skip_token(lexer, c);
		token.length = (uint32_t)lexer->at - token.offset;
		/* in a raw string a newline is one */
		token.spliced = lexer->line != token.line &&
				!(token.kind == SG_STRING && c != '"');
		if (!add_token(lexer->source, token))
			return false;
	}
	return true;
}

static uint32_t count_lines(const char *text, size_t length)
{
	const char *end = text + length, *at = text;
	uint32_t lines = 0;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		lines++;
		at = newline ? newline + 1 : end;
	}
	return lines;
}

/* Fill first[]. */
static void index_lines(struct sg_source *source)
{
	uint32_t line = 0;

	for (size_t at = 0; at < source->token_count; at++)
		while (line <= source->tokens[at].line)
			source->first[line++] = (uint32_t)at;
	while (line < source->line_count + 2)
		source->first[line++] = (uint32_t)source->token_count;
}

enum sl_code sg_source_init(struct sg_source *source, const char *text,
			    size_t length)
{
	struct lexer lexer = { .source = source,
			       .text = text,
			       .length = length,
			       .line = 1,
			       .fresh = true };

	*source = (struct sg_source){ .text = text, .length = length };
	if (length >= UINT32_MAX)
		return SL_EINVAL;
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		lexer.at = 3;
	source->line_count = count_lines(text, length);
	source->first = malloc(((size_t)source->line_count + 2) *
			       sizeof(*source->first));
	if (!source->first || !lex(&lexer)) {
		sg_source_finish(source);
		return SL_ENOMEM;
	}
	index_lines(source);
	return SL_OK;
}

void sg_source_finish(struct sg_source *source)
{
	free(source->tokens);
	free(source->first);
	*source = (struct sg_source){ 0 };
}

/* The tokens [from, to). */
static struct sg_token_span span(const struct sg_source *source, uint32_t from,
				 uint32_t to)
{
	if (from == to)
		return (struct sg_token_span){ NULL, 0 };
	return (struct sg_token_span){ source->tokens + from, to - from };
}

struct sg_token_span sg_source_line(const struct sg_source *source,
				    int64_t line)
{
	return sg_source_window(source, line, 0);
}

struct sg_token_span sg_source_window(const struct sg_source *source,
				      int64_t line, unsigned around)
{
	uint32_t from, to;

	if (line < 1 || line > source->line_count)
		return (struct sg_token_span){ NULL, 0 };
	from = source->first[line];
	to = source->first[line + 1];
	for (unsigned step = 0; step < around; step++) {
		if (from > 0)
			from = source->first[source->tokens[from - 1].line];
		if (to < source->token_count)
			to = source->first[source->tokens[to].line + 1];
	}
	return span(source, from, to);
}

size_t sg_token_copy(const struct sg_source *source,
		     const struct sg_token *token, char *to)
{
	const char *text = source->text + token->offset;
	size_t written = 0;

	if (!token->spliced) {
		memcpy(to, text, token->length);
		return token->length;
	}
	for (size_t at = 0; at < token->length;) {
		size_t splice = splice_at(text, token->length, at);

		if (splice > 0)
			at += splice;
		else
			to[written++] = text[at++];
	}
	return written;
}

bool sg_token_is(const struct sg_source *source, const struct sg_token *token,
		 const char *text)
{
	return !token->spliced && token->length == strlen(text) &&
	       memcmp(source->text + token->offset, text, token->length) == 0;
}
