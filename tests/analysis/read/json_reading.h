/* SPDX-License-Identifier: MIT */
/** @file
 * For tests of the JSON formats: a report read whole, byte by byte, and cut at
 * every length, its findings written down as text.
 */
#ifndef TESTS_ANALYSIS_JSON_READING_H
#define TESTS_ANALYSIS_JSON_READING_H

#include <stddef.h>

#include "read/reader.h"

/** What a report was read as. A finding is a line
 *     path:line:column-line:column [rule] word/severity cwe function: message
 * without what it does not have, and an event one that begins with a blank. */
struct reading {
	char *text; /**< owned */
	size_t length;
	struct sg_ending ending;
};

/** Read in pieces of @p piece bytes. Release with reading_release(). */
struct reading read_report(const struct sg_format *format, const char *report,
			   size_t length, size_t piece);

void reading_release(struct reading *reading);

/** The report is read as @p expected, whole and byte by byte. */
void assert_reads(const struct sg_format *format, const char *report,
		  size_t length, const char *expected, enum sg_ending_kind kind,
		  const char *message);

/** And, cut anywhere, as a beginning of that, and said to be broken off unless
 * it is cut between documents. */
void assert_reads_prefixes(const struct sg_format *format, const char *report,
			   size_t length, const char *expected);

#endif
