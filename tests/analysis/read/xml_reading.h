/* SPDX-License-Identifier: MIT */
/** @file
 * What a reader makes of a document, as text to compare.
 */
#ifndef TESTS_ANALYSIS_READ_XML_READING_H
#define TESTS_ANALYSIS_READ_XML_READING_H

#include <stddef.h>

#include "read/formats.h"

/** A document read: its findings, a line each, "+" lines for their events;
 * one that came more than once begins with "N times". */
struct reading {
	char *text; /**< owned */
	size_t length;
	struct sg_ending ending;
};

/** Read @p length bytes in pieces of @p piece. */
void reading_init(struct reading *reading, const struct sg_format *format,
		  const char *bytes, size_t length, size_t piece);
void reading_finish(struct reading *reading);

/** The document reads as @p expected and ends so, whole, byte by byte, and in
 * pieces of seven. */
void assert_reads(const struct sg_format *format, const char *document,
		  size_t length, const char *expected,
		  enum sg_ending_kind kind);

/** Cut at every length before its last tag's end: broken off (or no report
 * yet), and the findings are the first ones of the whole document's, the last
 * of them perhaps with fewer events. */
void assert_cuts_break_off(const struct sg_format *format,
			   const char *document);

#endif
