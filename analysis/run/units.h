/* SPDX-License-Identifier: MIT */
/** @file
 * Translation units: what a compilation database says of them.
 *
 * A database is LLVM's compile_commands.json: "arguments", or "command" split
 * as a POSIX shell splits words; "file" and "directory" as they are there.
 */
#ifndef SG_RUN_UNITS_H
#define SG_RUN_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "match/fingerprint.h"
#include "sluice/defs.h"
#include "sluice/error.h"

enum sg_language {
	SG_LANGUAGE_C,
	SG_LANGUAGE_CXX,
	SG_LANGUAGE_OTHER, /**< assembler, Fortran, CUDA, ...: not analysed */
};

/** One way in which one source is compiled. All borrowed from its struct
 * sg_units. Paths in `arguments` and `directory` are as they are in the real
 * tree, absolute or relative to the directory. */
struct sg_unit {
	const char *source; /**< normalised; relative to the root of the tree if
				 it is below it, else absolute */
	const char *directory; /**< absolute, normalised */
	const char *const *arguments; /**< NULL at the end; the compiler first;
					   the source and -o among them */
	size_t argument_count;
	enum sg_language language; /**< by -x, else by the source's name; what
					g++ or clang++ compiles is C++ */
	struct sg_hash hash; /**< sg_unit_hash() with the root left in */
	size_t position; /**< in the database, from 0 */
};

/** A zeroed struct has no units. */
struct sg_units {
	struct sl_arena arena;
	struct sg_unit *units; /**< owned; by source, of one source in the
				    order of the database; those that differ
				    in nothing but outputs once, the first */
	size_t count;
	const char *alias; /**< another name of the root, which the database
				knows it by; NULL: none; in the arena */
	const char *root; /**< which it became; in the arena */
};

/** Parse a database of @p length bytes. @p path: of the file, for messages.
 * @p root: of the tree (absolute, normalised); a relative "directory" starts
 * there. If the database knows the root by another name, through symlinks, that
 * name becomes @p root in all its words. Words that name response files stay:
 * sg_units_expand() reads these (run/units_response.h). SL_EINVAL: it is no
 * database, or a row of it lacks something; @p error names @p path and the
 * line, as far as known. After a failure there is nothing to finish. */
enum sl_code sg_units_parse(struct sg_units *units, const char *text,
			    size_t length, const char *path, const char *root,
			    struct sl_error *error) SL_MUST_CHECK;

/** Make a unit of @p source (relative to @p root), compiled in the root by
 * @p compiler with @p flags (NULL at the end). For trees without a database.
 * Call sg_units_sort() behind the last. */
enum sl_code sg_units_add(struct sg_units *units, const char *source,
			  const char *root, const char *compiler,
			  const char *const *flags,
			  struct sl_error *error) SL_MUST_CHECK;
void sg_units_sort(struct sg_units *units);

/** @return whether one of the units is of @p source. O(log n). */
bool sg_units_have(const struct sg_units *units, const char *source);

void sg_units_finish(struct sg_units *units);

/** @return the language of a file by its name's extension (.c; .cc .cpp .cxx
 * .c++ .C .cp; anything else is SG_LANGUAGE_OTHER). */
enum sg_language sg_language_of(const char *path);

#endif
