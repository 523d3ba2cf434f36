/* SPDX-License-Identifier: MIT */
/** @file
 * What stands before an opening brace outside of functions: the inside of
 * function.h.
 */
#ifndef SG_MATCH_DECLARATOR_H
#define SG_MATCH_DECLARATOR_H

#include <stddef.h>
#include <stdint.h>

#include "match/tokens.h"

enum sg_head_kind {
	SG_HEAD_OTHER, /**< an initialiser, an enum, nothing known */
	SG_HEAD_SCOPE, /**< a namespace, extern "C": declarations follow */
	SG_HEAD_CLASS, /**< the same, and its name goes before theirs */
	SG_HEAD_FUNCTION,
};

/** The tokens of a declaration so far, as indices into the source's, without
 * directives. */
struct sg_head {
	const struct sg_source *source;
	const uint32_t *tokens;
	size_t count;
};

/** What the head declares. @p from and @p to bound its name, as places in
 * head->tokens: [from, to); from == to: it has none. */
enum sg_head_kind sg_head_classify(const struct sg_head *head, size_t *from,
				   size_t *to);

/** The place behind the template arguments that @p at opens ("<"), or behind
 * the round brackets ("("); head->count if they are not closed. */
size_t sg_head_skip_group(const struct sg_head *head, size_t at);

#endif
