/* SPDX-License-Identifier: MIT */
/** @file
 * The options of gcc and clang, as far as it matters which are which.
 */
#ifndef SG_RUN_UNIT_FLAGS_H
#define SG_RUN_UNIT_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

#include "run/list.h"
#include "run/units.h"

/** What an option is about. */
enum sg_flag_kind {
	SG_FLAG_INPUT, /**< no option: a file */
	SG_FLAG_OUTPUT, /**< what is written, linked or shown; never passed
			     on */
	SG_FLAG_MEANING, /**< what the text means; every compiler has it */
	SG_FLAG_OWN, /**< all else: of the family alone */
	SG_FLAG_LANGUAGE, /**< -x */
};

/** One option with its value. All borrowed. */
struct sg_flag {
	enum sg_flag_kind kind;
	const char *name; /**< "-I", "--sysroot="; of an input "" */
	const char *value; /**< of -I, -D, ...; NULL: it has none */
	const char *word; /**< the word as it stands */
	bool separate; /**< the value is a word of its own */
	bool path; /**< the value names a file or a folder */
};

/** Read the option at *words (not the end), and move on behind it.
 * `-Xclang -include -Xclang FILE` is read as -include FILE. */
void sg_flag_next(const char *const **words, struct sg_flag *flag);

/** @return the words of a unit behind its compiler. Borrowed. */
const char *const *sg_unit_flags(const struct sg_unit *unit);

/** @return the word that is the compiler: behind ccache, distcc and the like.
 * Borrowed. */
const char *sg_unit_compiler(const struct sg_unit *unit);

/** @return the argument of the last -x before the source; NULL: there is none.
 * Borrowed. */
const char *sg_unit_language_flag(const struct sg_unit *unit);

/** @return the language of a unit by its words: of -x, of its source's name,
 * and C++ for C by a compiler of C++. */
enum sg_language sg_unit_language(const struct sg_unit *unit);

enum sg_family { SG_FAMILY_GCC, SG_FAMILY_CLANG, SG_FAMILY_NONE };

/** @return whose options a program takes, by its name: gcc, g++, cc, c++,
 * TRIPLE-gcc-12; clang, clang++, clang-14, clang-tidy, ... A cc or c++ that
 * is a link to clang is clang. */
enum sg_family sg_family_of(const char *program);

#endif
