/* SPDX-License-Identifier: MIT */
/** @file
 * The log of compilers and of the linters that write as they do: what the
 * readers gcc, clang and clang-tidy share. A finding is a line of
 * read/diagnostic.h; the notes behind it, the chain of includes before it and
 * -fanalyzer's path are its events.
 */
#ifndef SG_READ_COMPILER_H
#define SG_READ_COMPILER_H

#include "read/context.h"
#include "read/textlog.h"

/** What clang and clang-tidy say that they found. */
struct sg_compiler_counts {
	uint64_t sum; /**< of all lines "N warnings generated." */
	bool tidy; /**< there was a line "Suppressed N warnings" */
	bool tidy_found; /**< there was a finding of clang-tidy's */
	uint64_t peak; /**< the highest since that: clang-tidy's add up */
	uint64_t tidied; /**< peaks before such lines */
	uint64_t suppressed; /**< of those */
	uint64_t placeless; /**< diagnostics that are no findings, for they are
			       about arguments */
};

/** A state, made by sg_compiler_create(). */
struct sg_compiler {
	struct sg_textlog log; /**< first */
	struct sg_context context;
	struct sg_compiler_counts counts;
	const char *tool; /**< of findings whose rule does not tell */
	bool continues; /**< the line before was a finding without a rule */
	bool wants_words; /**< the next line is the message */
	bool wants_note; /**< an event of -fanalyzer may follow */
	int64_t event_numbers[SG_DRAFT_EVENTS]; /**< as -fanalyzer counts */
	size_t event_base; /**< events before the analyzer's */
	char event_path[1024]; /**< of that line, where it is said */
	size_t event_path_length;
	int64_t event_line; /**< of the source line shown last; 0: none */
	char event_function[256];
	size_t event_function_length;
	struct sg_diagnostic place; /**< gfortran's; path is in place_path */
	char place_path[1024];
	unsigned place_age; /**< lines since; 0: none */
};

void *sg_compiler_create(const char *tool, sg_finding_fn *take, void *context);

/** What a sniffer counts in a document's start. */
struct sg_compiler_signs {
	unsigned diagnostics; /**< with place and word */
	unsigned places; /**< with a place alone */
	unsigned gcc; /**< lines and rules that only gcc writes */
	unsigned clang;
	unsigned tidy; /**< clang-tidy's rules */
	unsigned csdiff; /**< csdiff's blocks; of a start that has one the
			      signs are none */
	bool csdiff_class; /**< the line before begins such a block */
};

struct sg_compiler_signs sg_compiler_signs(const char *start, size_t length);

/** The tool that a rule's shape tells: "-Wfoo" is the compiler's,
 * "bugprone-foo" clang-tidy's, "nullPointer" cppcheck's, "SC2046" shellcheck's,
 * "core.NullDereference" clang's analyzer's. @p other: none does. Borrowed from
 * @p other or static. */
const char *sg_rule_tool(const struct sg_diagnostic *found, const char *other);

/** Lines of the linker, of -fanalyzer's paths, and of old gfortrans, which are
 * read in files of their own. *done: the line was one. */
enum sl_code sg_compiler_linker(struct sg_compiler *compiler,
				struct sg_span line, bool *done,
				struct sl_error *error) SL_MUST_CHECK;
bool sg_compiler_path(struct sg_compiler *compiler, struct sg_span line);
bool sg_compiler_fortran(struct sg_compiler *compiler, struct sg_span line,
			 struct sg_diagnostic *found);

/** Look whether a finding's line says that its unit did not compile, or that
 * the tool gave up. */
void sg_compiler_judge(struct sg_compiler *compiler,
		       const struct sg_diagnostic *found, struct sg_span line);

/** The same of a line that is no finding, and what it counts. */
void sg_compiler_remark(struct sg_compiler *compiler, struct sg_span line);

/** As struct sg_format has it. A log that has less than clang counted in it is
 * broken off. */
enum sl_code sg_compiler_finish(void *state, struct sg_ending *ending,
				struct sl_error *error) SL_MUST_CHECK;

/** Begin a finding. */
enum sl_code sg_compiler_begin(struct sg_compiler *compiler,
			       const struct sg_diagnostic *found,
			       const char *tool,
			       struct sl_error *error) SL_MUST_CHECK;

#endif
