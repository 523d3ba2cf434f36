/* SPDX-License-Identifier: MIT */
/* The states of a document's text. */
#include "read/xml_tokens.h"

#include <stdlib.h>
#include <string.h>

#include "read/xml_put.h"
#include "read/xml_references.h"

enum { TAG_AT_ONCE = 8 * 1024 /* below the limits of tags and values */ };

/* The whole tokens again, without references. */
static enum sl_code escape(struct sg_xml_tokens *tokens, const char **text,
			   size_t *length, struct sl_error *error)
{
	size_t most = 2 * *length;

	if (tokens->escaped_size < most) {
		char *escaped = realloc(tokens->escaped, most);

		if (!escaped)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a report's text");
		tokens->escaped = escaped;
		tokens->escaped_size = most;
	}
	*length = sg_xml_escape(*text, *length, tokens->escaped);
	*text = tokens->escaped;
	return SL_OK;
}

enum sl_code sg_xml_tokens_flush(struct sg_xml_tokens *tokens,
				 struct sl_error *error)
{
	const char *text = tokens->bytes;
	size_t length = tokens->whole;
	enum sl_code code = SL_OK;

	if (!length)
		return SL_OK;
	if (sg_xml_is_unfit(text, length))
		code = escape(tokens, &text, &length, error);
	if (code == SL_OK)
		code = tokens->take(tokens->context, text, length, error);
	tokens->used -= tokens->whole;
	memmove(tokens->bytes, tokens->bytes + tokens->whole, tokens->used);
	tokens->whole = 0;
	return code;
}

static void refuse(struct sg_xml_tokens *tokens, const char *why)
{
	tokens->refused = why;
}

/* A token is whole. */
static void begin_text(struct sg_xml_tokens *tokens)
{
	tokens->whole = tokens->used;
	tokens->state = SG_XML_TEXT;
}

static enum sl_code close_element(struct sg_xml_tokens *tokens,
				  struct sl_error *error)
{
	enum sl_code code;

	if (tokens->depth > 1) {
		tokens->depth--;
		return SL_OK;
	}
	tokens->depth = 0;
	tokens->in_document = false;
	code = sg_xml_tokens_flush(tokens, error);
	if (code == SL_OK)
		code = tokens->take(tokens->context, NULL, 0, error);
	return code;
}

static enum sl_code close_tag(struct sg_xml_tokens *tokens,
			      struct sl_error *error)
{
	bool opened = tokens->state == SG_XML_TAG &&
		      tokens->bytes[tokens->used - 2] != '/';
	bool end = tokens->state == SG_XML_END_TAG;

	begin_text(tokens);
	tokens->run = 0;
	if (opened) {
		tokens->depth++;
		return SL_OK;
	}
	if (end || tokens->depth == 0)
		return close_element(tokens, error);
	return SL_OK;
}

static enum sl_code after_open(struct sg_xml_tokens *tokens, const char *text,
			       struct sl_error *error)
{
	if (*text == '!' || *text == '?') {
		tokens->state = *text == '!' ? SG_XML_BANG : SG_XML_INSTRUCTION;
		tokens->word_length = 0;
		tokens->match = 0;
		return sg_xml_put_blanks(tokens, "<!", 2, error);
	}
	tokens->quotes = 0;
	tokens->state = *text == '/' ? SG_XML_END_TAG : SG_XML_TAG;
	tokens->in_document = true;
	tokens->seen_root = true;
	if (sg_xml_put(tokens, "<", 1, error) != SL_OK)
		return SL_ENOMEM;
	return *text == '/' ? sg_xml_put(tokens, "/", 1, error) : SL_OK;
}

/* @return whether a byte behind a < is neither of a tag that ends an element
 * nor of something else. */
static bool begins_tag(char byte)
{
	return byte != '/' && byte != '!' && byte != '?';
}

/* @return the length of the tag behind a <, with its >, if all of it is here
 * and of a common size; 0: else. */
static size_t tag_length(const char *text, size_t length)
{
	static const bool marks[256] = {
		['>'] = true, ['"'] = true, ['\''] = true
	};
	size_t at = 0;

	if (length > TAG_AT_ONCE)
		length = TAG_AT_ONCE;
	for (size_t quotes = 0; quotes <= SG_XML_QUOTES_MAX; quotes++) {
		const char *end;

		while (at < length && !marks[(unsigned char)text[at]])
			at++;
		if (at == length)
			return 0;
		if (text[at] == '>')
			return at + 1;
		end = memchr(text + at + 1, text[at], length - at - 1);
		if (!end)
			return 0;
		at = (size_t)(end - text) + 1;
	}
	return 0;
}

/* What the states do byte by byte, for a tag that is whole. */
static enum sl_code take_tag(struct sg_xml_tokens *tokens, const char *text,
			     size_t length, struct sl_error *error)
{
	tokens->state = SG_XML_TAG;
	tokens->in_document = true;
	tokens->seen_root = true;
	if (sg_xml_put(tokens, "<", 1, error) != SL_OK ||
	    sg_xml_put(tokens, text, length, error) != SL_OK)
		return SL_ENOMEM;
	return close_tag(tokens, error);
}

/* Behind <! stands one of three words. */
static enum sl_code after_bang(struct sg_xml_tokens *tokens, const char *text,
			       struct sl_error *error)
{
	static const struct {
		const char *word;
		enum sg_xml_token_state state;
	} words[] = {
		{ "--", SG_XML_COMMENT },
		{ "[CDATA[", SG_XML_CDATA },
		{ "DOCTYPE", SG_XML_DOCTYPE },
	};

	tokens->word[tokens->word_length++] = *text;
	for (size_t at = 0; at < sizeof(words) / sizeof(words[0]); at++) {
		if (strncmp(words[at].word, tokens->word,
			    tokens->word_length) != 0)
			continue;
		if (!words[at].word[tokens->word_length])
			tokens->state = words[at].state;
		return sg_xml_put_blanks(tokens, text, 1, error);
	}
	refuse(tokens, "a declaration where none may stand");
	return SL_OK;
}

/* CDATA as text: the characters that mean something are escaped. */
static enum sl_code append_cdata(struct sg_xml_tokens *tokens, char byte,
				 struct sl_error *error)
{
	if (tokens->depth == 0)
		return sg_xml_put_blanks(tokens, &byte, 1, error);
	if (byte == '<')
		return sg_xml_put_value(tokens, "&lt;", 4, error);
	if (byte == '>')
		return sg_xml_put_value(tokens, "&gt;", 4, error);
	if (byte == '&')
		return sg_xml_put_value(tokens, "&amp;", 5, error);
	return sg_xml_put_value(tokens, &byte, 1, error);
}

/* A byte of what ends with a mark of its own: -->, ?> or ]]>. */
static enum sl_code until_mark(struct sg_xml_tokens *tokens, const char *text,
			       struct sl_error *error)
{
	bool cdata = tokens->state == SG_XML_CDATA;
	const char *mark = cdata                                 ? "]]>"
			   : tokens->state == SG_XML_INSTRUCTION ? "?>"
								 : "-->";
	enum sl_code code = SL_OK;

	if (*text == mark[tokens->match]) {
		if (!mark[++tokens->match]) {
			tokens->state = SG_XML_TEXT;
			return sg_xml_put_blanks(tokens, "   ", cdata ? 0 : 3,
						 error);
		}
		return SL_OK;
	}
	if (!cdata) {
		/* ---> closes too */
		if (!(tokens->match && *text == mark[tokens->match - 1]))
			tokens->match = *text == mark[0];
		return sg_xml_put_blanks(tokens, text, 1, error);
	}
	/* what looked like the mark was text; of ]]]> the first ] is */
	while (code == SL_OK && tokens->match > (*text == ']' ? 1u : 0u)) {
		code = append_cdata(tokens, ']', error);
		tokens->match--;
	}
	if (*text == ']') {
		tokens->match = 2;
		return code;
	}
	return code == SL_OK ? append_cdata(tokens, *text, error) : code;
}

static enum sl_code in_doctype(struct sg_xml_tokens *tokens, const char *text,
			       struct sl_error *error)
{
	if (*text == '[')
		refuse(tokens, "a document type with declarations of its own");
	else if (*text == '>')
		tokens->state = SG_XML_TEXT;
	return sg_xml_put_blanks(tokens, text, 1, error);
}

/* @return how many bytes from here on belong to the state and end nothing. */
static size_t run_length(const struct sg_xml_tokens *tokens, const char *text,
			 size_t length)
{
	char stop = tokens->state == SG_XML_TEXT ? '<' : tokens->quote;
	const char *found;
	size_t at = 0;

	if (tokens->state == SG_XML_TEXT || tokens->state == SG_XML_VALUE) {
		found = memchr(text, stop, length);
		return found ? (size_t)(found - text) : length;
	}
	while (at < length && text[at] != '>' && text[at] != '"' &&
	       text[at] != '\'')
		at++;
	return at;
}

/* The byte that ends a run. */
static enum sl_code run_ended(struct sg_xml_tokens *tokens, char byte,
			      struct sl_error *error)
{
	if (tokens->state == SG_XML_TEXT) {
		tokens->whole = tokens->used;
		tokens->state = SG_XML_OPEN;
		return tokens->whole > SG_XML_FLUSH
			       ? sg_xml_tokens_flush(tokens, error)
			       : SL_OK;
	}
	if (sg_xml_put(tokens, &byte, 1, error) != SL_OK)
		return SL_ENOMEM;
	if (tokens->state == SG_XML_VALUE) {
		tokens->state = SG_XML_TAG;
	} else if (byte == '>') {
		return close_tag(tokens, error);
	} else if (tokens->state == SG_XML_TAG) {
		tokens->state = SG_XML_VALUE;
		tokens->quote = byte;
		tokens->run = 0;
		if (++tokens->quotes > SG_XML_QUOTES_MAX)
			refuse(tokens, "a tag with more than 512 attributes");
	}
	return SL_OK;
}

static enum sl_code run(struct sg_xml_tokens *tokens, const char **text,
			size_t *length, struct sl_error *error)
{
	size_t bytes = run_length(tokens, *text, *length);
	enum sl_code code;

	if (tokens->state == SG_XML_TEXT && !tokens->in_document)
		code = sg_xml_put_blanks(tokens, *text, bytes, error);
	else if (tokens->state == SG_XML_TEXT)
		code = sg_xml_put_text(tokens, *text, bytes, error);
	else if (tokens->state == SG_XML_VALUE)
		code = sg_xml_put_value(tokens, *text, bytes, error);
	else
		code = sg_xml_put(tokens, *text, bytes, error);
	if (code == SL_OK && bytes < *length)
		code = run_ended(tokens, (*text)[bytes++], error);
	if (tokens->used - tokens->whole > SG_XML_TAG_MAX)
		refuse(tokens, "a tag of more than 2 MiB");
	*text += bytes;
	*length -= bytes;
	return code;
}

/* Columns are characters. */
static void advance(struct sg_xml_tokens *tokens, const char *text,
		    size_t length)
{
	size_t lines = 0, characters = 0, last = length;

	for (size_t at = 0; at < length; at++)
		lines += text[at] == '\n';
	while (lines && text[last - 1] != '\n')
		last--;
	for (size_t at = lines ? last : 0; at < length; at++)
		characters += (text[at] & 0xC0) != 0x80;
	tokens->line += (int64_t)lines;
	tokens->column = (int64_t)characters + (lines ? 1 : tokens->column);
}

enum sl_code sg_xml_tokens_feed(void *context, const char *text, size_t length,
				struct sl_error *error)
{
	struct sg_xml_tokens *tokens = context;
	const char *start = text;
	enum sl_code code = SL_OK;

	while (code == SL_OK && length && !tokens->refused) {
		const char *byte = text;

		if (tokens->state == SG_XML_TEXT ||
		    tokens->state == SG_XML_TAG ||
		    tokens->state == SG_XML_VALUE ||
		    tokens->state == SG_XML_END_TAG) {
			code = run(tokens, &text, &length, error);
			continue;
		}
		if (tokens->state == SG_XML_OPEN) {
			size_t tag = begins_tag(*text)
					     ? tag_length(text, length)
					     : 0;

			if (tag) {
				code = take_tag(tokens, text, tag, error);
				text += tag;
				length -= tag;
				continue;
			}
			code = after_open(tokens, byte, error);
			/* a name's first byte belongs to the tag */
			if (tokens->state == SG_XML_TAG)
				continue;
		} else if (tokens->state == SG_XML_BANG) {
			code = after_bang(tokens, byte, error);
		} else if (tokens->state == SG_XML_DOCTYPE) {
			code = in_doctype(tokens, byte, error);
		} else {
			code = until_mark(tokens, byte, error);
		}
		text++;
		length--;
	}
	advance(tokens, start, (size_t)(text - start));
	return code;
}

void sg_xml_tokens_init(struct sg_xml_tokens *tokens, sg_xml_text_fn *take,
			void *context)
{
	memset(tokens, 0, sizeof(*tokens));
	tokens->take = take;
	tokens->context = context;
	tokens->line = 1;
	tokens->column = 1;
}

void sg_xml_tokens_finish(struct sg_xml_tokens *tokens)
{
	free(tokens->bytes);
	free(tokens->escaped);
	tokens->bytes = NULL;
	tokens->escaped = NULL;
}
