/* SPDX-License-Identifier: MIT */
/** @file
 * Tests of the readers of text logs: a log, and what is read from it.
 *
 * A finding is written as
 *     tool|rule|severity|path:line:column|function|message
 * and its events below it, as
 *     > path:line:column|function|message
 * where "-" stands for what is not there. The ending follows:
 *     = unverified 0
 */
#ifndef TESTS_TEXT_READING_H
#define TESTS_TEXT_READING_H

#include "read/reader.h"

/** Read the log whole, in pieces of 1, 2, 3 and 7 bytes: *expected* each time;
 * then cut at every length: all findings but the last are those. */
void reads(const struct sg_format *format, const char *log,
	   const char *expected);

/** The same of a log of any bytes, without the cuts. */
void reads_bytes(const struct sg_format *format, const char *log, size_t length,
		 const char *expected);

/** @return how a log of two parts ends. */
struct sg_ending ending_of(const struct sg_format *format, const char *start,
			   const char *rest);

#endif
