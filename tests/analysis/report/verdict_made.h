/* SPDX-License-Identifier: MIT */
/** @file
 * Judgements made by hand, for the tests of their writers.
 */
#ifndef TESTS_REPORT_VERDICT_MADE_H
#define TESTS_REPORT_VERDICT_MADE_H

#include "report/verdict.h"

/** A rejected change with a bit of everything; sources are given for
 * src/pool.c. Constant. */
const struct sg_judgement *made_rejected(void);

/** One that could not be judged. Constant. */
const struct sg_judgement *made_incomplete(void);

/** One that passed, and has nothing to tell. Constant. */
const struct sg_judgement *made_passed(void);

/** Fail unless @p writer writes @p expected. */
void assert_verdict(const struct sg_verdict_writer *writer,
		    const struct sg_judgement *judgement, const char *expected);

/** Append what @p writer writes, and a NUL that is not counted. */
void write_verdict(const struct sg_verdict_writer *writer,
		   const struct sg_judgement *judgement, bool color,
		   struct sl_buffer *text);

#endif
