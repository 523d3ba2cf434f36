/* SPDX-License-Identifier: MIT */
/** @file
 * The functions of a C or C++ source, for tools that do not name them.
 *
 * A scan, not a parser: braces are counted, and a name before a parameter list
 * in front of a brace is a function. It knows attributes, macros before and
 * behind a declarator, initialiser lists of constructors, operators, templates,
 * functions that return function pointers, old-style parameter declarations,
 * and that the branches of an #if each start at the braces of the first. What
 * it does not understand is no function; it never fails over a source.
 *
 * A name is written as the source has it ("pool_done", "Pool::~Pool"), with
 * the classes around it before it, but without namespaces and templates'
 * arguments.
 */
#ifndef SG_MATCH_FUNCTION_H
#define SG_MATCH_FUNCTION_H

#include <stddef.h>
#include <stdint.h>

#include "match/tokens.h"
#include "sluice/defs.h"
#include "sluice/error.h"

struct sg_function {
	char *name; /**< owned by the list */
	uint32_t first_line; /**< where its declaration starts */
	uint32_t last_line; /**< of its closing brace */
};

struct sg_functions {
	struct sg_function *rows; /**< owned; ascending, not overlapping */
	size_t count, capacity;
};

/** Scan @p source, which need not outlive the list.
 * @return SL_OK; SL_ENOMEM, and there is nothing to finish. */
enum sl_code sg_functions_init(struct sg_functions *functions,
			       const struct sg_source *source) SL_MUST_CHECK;
void sg_functions_finish(struct sg_functions *functions);

/** @return the name of the function that @p line belongs to, borrowed from
 * the list; NULL: it is outside of all. Of several on one line the last. */
const char *sg_function_at(const struct sg_functions *functions, int64_t line);

#endif
