/* SPDX-License-Identifier: MIT */
/** @file
 * What a compiler's log says between its findings and about the next of them:
 * the function at hand, the chain of includes, make's directories.
 *
 * Everything is of fixed size: what does not fit is forgotten.
 */
#ifndef SG_READ_CONTEXT_H
#define SG_READ_CONTEXT_H

#include "read/diagnostic.h"
#include "read/draft.h"

#define SG_CONTEXT_SCOPES 4
#define SG_CONTEXT_CHAIN 64
#define SG_CONTEXT_DIRECTORIES 16

/** "x.c: In function 'f':"; several, for parallel makes interleave them. */
struct sg_scope {
	char path[1024];
	char function[1024];
	size_t path_length, function_length;
};

struct sg_chain_link {
	size_t path, path_length; /**< in the chain's text */
	size_t words, words_length;
	int64_t line, column;
};

struct sg_directory {
	int64_t level; /**< of make, as make[2] */
	size_t length;
	char path[1024];
};

struct sg_context {
	struct sg_scope scopes[SG_CONTEXT_SCOPES];
	unsigned next_scope;
	struct sg_scope loose; /**< said without a path: of the next finding,
				  which gives it one, and of those behind it in
				  that file */
	struct sg_chain_link chain[SG_CONTEXT_CHAIN];
	size_t chain_count;
	char chain_text[16384];
	size_t chain_text_length;
	struct sg_directory directories[SG_CONTEXT_DIRECTORIES];
	size_t directory_count;
	char joined[2048];
};

/** @return whether the line is one of those. */
bool sg_context_line(struct sg_context *context, struct sg_span line);

/** Forget the chain: it was that of a note. */
void sg_context_pass(struct sg_context *context);

/** Give a finding just begun its function and chain, and forget the chain. */
void sg_context_apply(struct sg_context *context, struct sg_span path,
		      struct sg_draft *draft);

/** @return the path under the directory that make is in; itself, if it is
 * absolute or makes in several directories run side by side. Borrowed until the
 * next call. */
struct sg_span sg_context_path(struct sg_context *context, struct sg_span path);

/** What stands between quotes of any language; empty: none. */
struct sg_span sg_quoted(struct sg_span text);

#endif
