/* SPDX-License-Identifier: MIT */
/** @file
 * A unit's flags as they are passed on, paths mapped into an exported tree.
 */
#ifndef SG_RUN_UNIT_WORDS_H
#define SG_RUN_UNIT_WORDS_H

#include "run/analyzer.h"
#include "run/list.h"

/** Add a unit's flags for its own compiler, or one of its family. Running out
 * of memory is kept in @p list, as of all of these. */
void sg_unit_words_own(const struct sg_unit *unit,
		       const struct sg_exported *exported,
		       struct sg_list *list);

/** Add those that every compiler understands. */
void sg_unit_words_shared(const struct sg_unit *unit,
			  const struct sg_exported *exported,
			  struct sg_list *list);

/** Add those that cppcheck understands. */
void sg_unit_words_cppcheck(const struct sg_unit *unit,
			    const struct sg_exported *exported,
			    struct sg_list *list);

/** @return where the unit's source is in the exported tree, in @p arena; NULL:
 * no memory. */
const char *sg_unit_file(const struct sg_unit *unit,
			 const struct sg_exported *exported,
			 struct sl_arena *arena);

/** Add what clang-tidy is told of its configuration: the .clang-tidy of the
 * exported tree that is nearest to the source, named, because one that is found
 * and broken would be passed over; none of outside. And to speak of headers,
 * unless a .clang-tidy says of which. Reads them. */
void sg_unit_words_tidy(const struct sg_unit *unit,
			const struct sg_exported *exported,
			struct sg_list *list);

#endif
