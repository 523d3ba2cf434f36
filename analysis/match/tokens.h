/* SPDX-License-Identifier: MIT */
/** @file
 * A source file cut into tokens, so that a line can be compared without its
 * comments and white space.
 *
 * This is the C and C++ of ISO 9899 and ISO 14882, phases 1 to 3, as far as
 * it tells code from what is none: comments of both kinds, also those that
 * began on an earlier line, strings, characters, raw strings, numbers with
 * digit separators, lines joined by a backslash. Nothing is preprocessed.
 * Broken text has tokens too: a string without an end ends with its line, and
 * a comment without an end is none, so that one slip does not swallow the rest
 * of the file. White space in strings counts.
 *
 * A token belongs to the line on which it starts. Lines end with a newline
 * (with or without a carriage return before it).
 */
#ifndef SG_MATCH_TOKENS_H
#define SG_MATCH_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

enum sg_token_kind {
	SG_WORD, /**< a name or a keyword */
	SG_NUMBER,
	SG_STRING, /**< with its quotes; a raw one with its R */
	SG_CHARACTER, /**< with its quotes */
	SG_PUNCTUATION, /**< one character, or :: */
};

struct sg_token {
	uint32_t offset, length; /**< bytes of the text */
	uint32_t line; /**< from 1 */
	uint8_t kind; /**< enum sg_token_kind */
	bool directive; /**< of a line that starts with # */
	bool spliced; /**< a backslash and newline are within */
};

/** Tokens that follow one another. Borrowed from the source. */
struct sg_token_span {
	const struct sg_token *tokens;
	size_t count;
};

/** A source file. Constant after sg_source_init(), so threads may share it. */
struct sg_source {
	const char *text; /**< borrowed: must outlive the struct */
	size_t length;
	struct sg_token *tokens; /**< owned */
	size_t token_count, token_capacity;
	uint32_t *first; /**< owned; [line]: its first token or, if it has none,
			      that of a later line; line_count + 2 of them */
	uint32_t line_count;
};

/** Cut @p text (@p length bytes; need not end with NUL).
 * @return SL_OK; SL_ENOMEM; SL_EINVAL: 4 GiB or more. After a failure there is
 * nothing to finish. */
enum sl_code sg_source_init(struct sg_source *source, const char *text,
			    size_t length) SL_MUST_CHECK;
void sg_source_finish(struct sg_source *source);

/** @return the tokens of a line; none if it is not in the file. */
struct sg_token_span sg_source_line(const struct sg_source *source,
				    int64_t line);

/** @return the tokens of a line, of @p around lines before it and as many
 * behind it. Lines without tokens are not counted, so that a comment between
 * changes nothing. None if the line is not in the file. */
struct sg_token_span sg_source_window(const struct sg_source *source,
				      int64_t line, unsigned around);

/** Copy a token's text without its backslash-newlines to @p to, which has
 * room for token->length bytes. @return the bytes written. */
size_t sg_token_copy(const struct sg_source *source,
		     const struct sg_token *token, char *to);

/** @return whether the token is @p text. */
bool sg_token_is(const struct sg_source *source, const struct sg_token *token,
		 const char *text);

#endif
