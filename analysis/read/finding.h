/* SPDX-License-Identifier: MIT */
/** @file
 * A finding: one defect report, as a reader hands it on.
 *
 * All texts are UTF-8 without NUL: what a report holds beyond that was replaced
 * by U+FFFD. They are borrowed for the time of the callback. A text that the
 * format does not have is NULL, a number 0.
 */
#ifndef SG_READ_FINDING_H
#define SG_READ_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Five steps that every tool's words are mapped to; the word itself stays in
 * severity_word. */
enum sg_severity {
	SG_SEVERITY_UNKNOWN = 0,
	SG_INFO, /**< information, note, none */
	SG_STYLE, /**< style, refactor, convention */
	SG_LOW, /**< performance, portability, minor */
	SG_WARNING, /**< warning, medium, major */
	SG_ERROR, /**< error, fatal, critical, high, blocker */
};

/** A place on the way to the finding, or a note that belongs to it. */
struct sg_event {
	const char *path; /**< as the report has it; NULL: none */
	int64_t line, column; /**< from 1; 0: not given */
	const char *message; /**< NULL: a frame without words */
	const char *function; /**< NULL: not given */
};

struct sg_finding {
	const char *tool; /**< "cppcheck", "gcc", "clang-tidy"; never NULL */
	const char *tool_version;
	const char *rule; /**< id of the check: "nullPointer", "-Wunused"; NULL:
			       the tool names none */
	enum sg_severity severity;
	const char *severity_word; /**< the tool's own */
	const char *message; /**< first line or all of it; never NULL */
	const char *verbose; /**< a longer form, if the format has one */
	const char *path; /**< as the report has it; NULL: no place */
	int64_t line, column; /**< from 1; 0: not given */
	int64_t end_line, end_column;
	const char *function;
	int64_t cwe; /**< 0: none */
	bool inconclusive; /**< the tool itself is not sure */
	bool suppressed; /**< the report says that somebody accepted it */
	const char *const *units; /**< translation units that saw it */
	size_t unit_count;
	const struct sg_event *events; /**< in the report's order */
	size_t event_count;
	int64_t repeats; /**< times it was reported, at least 1 */
};

/** How a document ended. All findings before a break were handed on. */
enum sg_ending_kind {
	SG_COMPLETE = 0, /**< closed, as the format closes */
	SG_UNVERIFIED, /**< the format cannot prove that it is whole: text logs
			*/
	SG_TOOL_FAILED, /**< the report says that the tool failed */
	SG_BROKEN_OFF, /**< it ends in the middle */
	SG_MALFORMED, /**< it is not what it should be, from line:column on */
	SG_NO_REPORT, /**< nothing of the format is in it */
};

struct sg_ending {
	enum sg_ending_kind kind;
	int64_t line, column; /**< of the break, from 1; 0: not known */
	uint64_t findings; /**< handed on */
	char message[256]; /**< why, for people; "" if there is nothing to say
			    */
	/** The tool that the document names, also where it found nothing, and
	 * its version; "": not named. */
	char tool[64], tool_version[64];
};

/** Note the tool that the document names. A name that is longer than the room
 * is not: it would be another one. NULL: not named. */
void sg_ending_name_tool(struct sg_ending *ending, const char *tool,
			 const char *version);

/** @return "complete", "broken off", ... */
const char *sg_ending_text(enum sg_ending_kind kind);

/** @return "info", "style", "low", "warning", "error", "unknown". */
const char *sg_severity_text(enum sg_severity severity);

/** Map a tool's word, of any case, to a step; unknown words are
 * SG_SEVERITY_UNKNOWN. Knows the words of all tools read here, and the
 * localised ones of gcc (Fehler, Warnung, erreur, avertissement, ...). */
enum sg_severity sg_severity_of(const char *word, size_t length);

#endif
