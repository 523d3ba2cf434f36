/* SPDX-License-Identifier: MIT */
/** @file
 * What is done to a configuration's text before libconfig sees it.
 *
 * libconfig 1.5 wraps integers, takes a comment without an end for a comment,
 * exits the process if an included "file" is a folder, cannot include a file
 * by an absolute path, and gives a string the line of the token behind it. So
 * the text is cut into tokens here, files are included here, and libconfig
 * gets one text, with a map from its lines to where they stood.
 */
#ifndef SL_BASE_CONFIG_SCAN_H
#define SL_BASE_CONFIG_SCAN_H

#include <stddef.h>

#include "base/config.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** A configuration is at most this long, included files and all. */
#define SL_CONFIG_BYTES_MAX (16u << 20)

enum sl_config_token {
	SL_CONFIG_END,
	SL_CONFIG_STRING, /**< with its quotes */
	SL_CONFIG_INTEGER, /**< with its L, if any */
	SL_CONFIG_INCLUDE, /**< from "@include" to the closing quote */
	SL_CONFIG_OTHER, /**< a name, a float, a bracket, what is no token */
	SL_CONFIG_OPEN_STRING, /**< no closing quote; the end follows */
	SL_CONFIG_OPEN_COMMENT, /**< as the string */
};

struct sl_config_lexer {
	const char *start, *at, *end; /**< the text, and what is left of it */
	int line; /**< of `at`, from 1 */
	const char *token; /**< the last one, borrowed from the text */
	size_t token_length;
	int token_line; /**< where it starts */
};

void sl_config_lexer_init(struct sl_config_lexer *lexer, const char *text,
			  size_t length);
enum sl_config_token sl_config_lex(struct sl_config_lexer *lexer);

/** @return NULL, or why libconfig cannot hold an integer's token, in words to
 * print; @p why has 128 bytes. */
const char *sl_config_integer_fault(const char *token, size_t length,
				    char why[128]);

/** @return NULL, or why @p text, which is to include nothing, must not be
 * given to libconfig, in words to print; @p why has 128 bytes. */
const char *sl_config_text_fault(const char *text, size_t length,
				 char why[128]);

/** From the flat line on, lines are those of `file` from `line` on. */
struct sl_config_mark {
	int flat, line;
	const char *file; /**< borrowed; NULL: the configuration itself */
};

/** The text for libconfig. A zeroed struct is empty. */
struct sl_config_text {
	char *bytes; /**< owned; a NUL behind */
	size_t length, capacity;
	int lines; /**< newlines in it */
	struct sl_config_mark *marks; /**< owned; ascending */
	size_t mark_count, mark_capacity;
	int *string_lines; /**< owned; the flat line where each string starts,
				those that libconfig joins being one */
	size_t string_count, string_capacity;
	unsigned files; /**< included so far */
};

/** Read @p path ("-": stdin) and what it includes. @p files owns the paths
 * of included files; @p folder is where they start. */
enum sl_code sl_config_text_init(struct sl_config_text *text, const char *path,
				 const char *folder,
				 struct sl_config_files *files,
				 struct sl_error *error) SL_MUST_CHECK;

/** The same of @p length bytes that are at hand (never NULL), which @p path is
 * the name of. An @include in them is refused. */
enum sl_code sl_config_text_take(struct sl_config_text *text, const char *path,
				 const char *bytes, size_t length,
				 struct sl_error *error) SL_MUST_CHECK;
void sl_config_text_finish(struct sl_config_text *text);

/** @return where a flat line stood. */
struct sl_config_mark sl_config_text_place(const struct sl_config_text *text,
					   int flat);

#endif
