/* SPDX-License-Identifier: MIT */
/** @file
 * A line as gcc made it customary: `path:line:column: word: message [rule]`.
 *
 * Everything but the message may be missing; the column may be a range
 * (`4.10-12`, clang's `{3:1-3:5}`), the word may be one of gcc's translations,
 * the path may hold blanks, colons and a drive letter. csmock's ` <--[tool]`
 * behind, `error[rule]:`, `[CWE-415]` and what read/diagnostic_forms.h lists
 * are understood.
 */
#ifndef SG_READ_DIAGNOSTIC_H
#define SG_READ_DIAGNOSTIC_H

#include <stdbool.h>

#include "read/finding.h"
#include "read/lines.h"

/** Empty spans and zeros: not there. All spans lie in the line. */
struct sg_diagnostic {
	struct sg_span path;
	int64_t line, column, end_line, end_column;
	struct sg_span word; /**< "warning", "Fehler" */
	enum sg_severity severity;
	bool note; /**< the word is one that belongs to a finding before it */
	bool fatal; /**< the tool gives up: a fatal error, a crash of its own */
	struct sg_span message; /**< without the rule */
	struct sg_span rule; /**< "-Wfoo" also of "-Werror=foo" */
	struct sg_span tool; /**< of <--[tool], and where the form tells it */
	struct sg_span function; /**< smatch names it */
	int64_t cwe;
	bool as_error; /**< -Werror, -Werror=foo, -warnings-as-errors */
};

/** @return whether the line is a diagnostic: it has a place or comes from a
 * compiler's program, and a severity or at least a column. */
bool sg_diagnostic_parse(struct sg_span line, struct sg_diagnostic *found);

/** The line's part `path:line:` or `path:line:column` with what may stand
 * behind. @return the bytes it takes, colon included; 0: there is no place. */
size_t sg_place_parse(struct sg_span line, struct sg_diagnostic *found);

/** A severity word and its colon at the start. @return the bytes that they and
 * the blanks behind take; 0: none. */
size_t sg_word_parse(struct sg_span text, struct sg_diagnostic *found);

/** Take ` [rule]`, ` [CWE-n]` and ` <--[tool]` off the message's end. */
void sg_rule_parse(struct sg_diagnostic *found);

/** @return whether a path is that of a compiler's or linker's program, which
 * puts its name before messages without a place. */
bool sg_program_is(struct sg_span path);

#endif
