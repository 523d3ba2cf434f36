/* SPDX-License-Identifier: MIT */
/** @file
 * Analyzers: which there are, and the command that runs one on a unit.
 *
 * A command is a list of words; in it stand
 *
 *     {file}      the unit's source, absolute in the exported tree
 *     {flags}     as a word of its own: the unit's flags, as many words as
 *                 there are, fit for the command's first word: all but output,
 *                 dependencies, -c, -w, -Werror and the source if that is a
 *                 compiler of the unit's own family (gcc: gcc, g++, cc, c++,
 *                 TRIPLE-gcc-12, ...; clang), else those that say what the text
 *                 means: -D -U -I -isystem -iquote -idirafter -include
 *                 -imacros -std -ansi -x -O -m -pthread -nostdinc --sysroot ...
 *     {language}  "c" or "c++"
 *     {gcc}       the unit's own compiler if it is of gcc's family, which its
 *                 flags are made for; else gcc, or g++ for C++
 *     {clang}     the same of clang's family
 *     {c:WORD}    as a word of its own: WORD, for units in C alone
 *     {c++:WORD}  the same of C++
 *     {defines}   as a word of its own: -D -U -I -include and --std alone, as
 *                 cppcheck takes them
 *     {report}    a file that the analyzer is to write
 *     {root}      the exported tree
 *     {build}     the folder of a compile_commands.json of the exported tree,
 *                 which is written if a command wants it
 *     {files}     as a word of its own: of an analyzer that runs once for all,
 *                 all its sources
 *     {tidy}      as a word of its own: clang-tidy's --config-file of the
 *                 .clang-tidy in the exported tree that holds for the unit (by
 *                 itself it passes over a broken one), --config={} if there is
 *                 none; and --header-filter=.* unless a .clang-tidy says of
 *                 which headers to speak
 *
 * "{{" and "}}" are braces. A word that names a file of the tree (its path from
 * the root, or behind a '=') makes results depend on it.
 */
#ifndef SG_RUN_ANALYZER_H
#define SG_RUN_ANALYZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "match/fingerprint.h"
#include "read/reader.h"
#include "run/program.h"
#include "run/units.h"
#include "sluice/buffer.h"

enum sg_analyzer_output {
	SG_ANALYZER_STDOUT,
	SG_ANALYZER_STDERR,
	SG_ANALYZER_REPORT, /**< the file {report} */
};

/** Whether inline suppressions may stand in the code. */
enum sg_inline { SG_INLINE_ALLOW, SG_INLINE_FORBID };

/** An analyzer. All borrowed, from a built-in table or a configuration. */
struct sg_analyzer {
	const char *name; /**< for people, and for counts: "gcc" */
	const char *const *command; /**< NULL at the end */
	const char *const *version; /**< a command that tells the version; NULL:
					 the first word with --version */
	const struct sg_format *format; /**< of what it says */
	enum sg_analyzer_output output;
	bool once; /**< one run for all units, as against one a unit */
	unsigned languages; /**< bits 1 << enum sg_language */
	const char *const *files; /**< patterns (gate/pattern.h) of sources that
				       it is for; NULL at the end; NULL: all */
	const int *statuses; /**< exit statuses of a run that did its work, -1
				  at the end; NULL: 0 alone */
	int64_t timeout_ns; /**< of a run */
};

/** The built-in definition of "cppcheck", "gcc", "clang" (--analyze) or
 * "clang-tidy" in @p arena; inline suppressions as @p inline_rule says
 * (cppcheck obeys its own only with --inline-suppr). gcc's is -Wall -Wextra
 * -fanalyzer (of C) -Wanalyzer-too-complex, JSON. NULL: no such one, or no
 * memory. */
const struct sg_analyzer *sg_analyzer_builtin(const char *name,
					      enum sg_inline inline_rule,
					      struct sl_arena *arena);

/** @return the names of the built-in ones; NULL at the end. */
const char *const *sg_analyzer_builtins(void);

/** Where a tree was exported to. All borrowed, absolute, normalised. */
struct sg_exported {
	const char *root; /**< of the real tree */
	const char *folder; /**< where the exported one is */
	const char *build; /**< for {build}; NULL: none was written */
};

/** A command to run. In an arena. */
struct sg_command {
	const char *const *words; /**< NULL at the end */
	const char *directory; /**< to run it in: the unit's, mapped; it must be
				    made if it is not there */
};

/** Make the command of @p analyzer for @p count units (more than one only if
 * it runs once for all). Every path below the real root, wherever it stands in
 * a flag (-I/root/x, -DX="/root/y", @file), is mapped into the exported tree.
 * @p report: for {report}. SL_EINVAL: the command cannot be made (a {word} that
 * is none); SL_ENOMEM. {tidy} looks into the exported tree. */
enum sl_code sg_analyzer_command(const struct sg_analyzer *analyzer,
				 const struct sg_unit *const *units,
				 size_t count,
				 const struct sg_exported *exported,
				 const char *report, struct sl_arena *arena,
				 struct sg_command *command,
				 struct sl_error *error) SL_MUST_CHECK;

/** Append to @p text the compile_commands.json of the exported tree that
 * {build} is for: the units as they are compiled there, outputs left out. It is
 * JSON, so bytes of paths that are no UTF-8 become '?'. SL_ENOMEM. */
enum sl_code sg_exported_database(const struct sg_unit *const *units,
				  size_t count,
				  const struct sg_exported *exported,
				  struct sl_buffer *text,
				  struct sl_error *error) SL_MUST_CHECK;

/** The command that compiles a unit by its own compiler with its own flags, to
 * nothing, and writes a make rule of what it read to @p report: -fsyntax-only
 * -MD -MF REPORT -MT x, without -Werror. */
enum sl_code sg_compile_command(const struct sg_unit *unit,
				const struct sg_exported *exported,
				const char *report, struct sl_arena *arena,
				struct sg_command *command,
				struct sl_error *error) SL_MUST_CHECK;

/** Forced includes of a unit: the names of its -include and -imacros, and the
 * words of @p analyzer (may be NULL) that could name files of the tree;
 * SG_ANY_FILE where flags stand that are not read, as those of an @FILE. In
 * @p arena. */
enum sl_code sg_unit_forced(const struct sg_unit *unit,
			    const struct sg_analyzer *analyzer,
			    struct sl_arena *arena, const char *const **names,
			    size_t *count,
			    struct sl_error *error) SL_MUST_CHECK;

/** Hash what a unit's commands depend on beside contents: compiler, flags,
 * directory and source, with the real root taken out, so that clones of a
 * repository share results. @p root: NULL: it stays in. */
struct sg_hash sg_unit_hash(const struct sg_unit *unit, const char *root);

/** The same of an analyzer's definition. */
struct sg_hash sg_analyzer_hash(const struct sg_analyzer *analyzer);

/** Read the prerequisites of the make rule in @p text; they are handed to
 * @p take one by one, unescaped. SL_EINVAL: it is no rule, or breaks off. */
enum sl_code
sg_make_rule_read(const char *text, size_t length,
		  enum sl_code (*take)(void *context, const char *path,
				       struct sl_error *error),
		  void *context, struct sl_error *error) SL_MUST_CHECK;

#endif
