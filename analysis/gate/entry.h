/* SPDX-License-Identifier: MIT */
/** @file
 * One entry of the file of suppressions: a JSON object on a line of its own.
 *
 * Errors name no place: who reads the file knows it.
 */
#ifndef SG_GATE_ENTRY_H
#define SG_GATE_ENTRY_H

#include <stddef.h>

#include "base/arena.h"
#include "gate/suppressions.h"
#include "sluice/buffer.h"

enum {
	/** The longest line, in bytes without its end: texts of findings are at
	 * most 64 KiB each, and JSON makes of a byte six at worst. */
	SG_ENTRY_BYTES_MAX = 1 << 20
};

/** SL_EINVAL: a line of the file, a comment too, has a NUL or is no UTF-8. */
enum sl_code sg_line_check(const char *line, size_t length,
			   struct sl_error *error) SL_MUST_CHECK;

/** Parse a line without its end. Texts are copied into @p arena. SL_EINVAL;
 * SL_ENOMEM. */
enum sl_code sg_entry_parse(const char *line, size_t length,
			    struct sl_arena *arena,
			    struct sg_suppression *entry,
			    struct sl_error *error) SL_MUST_CHECK;

/** SL_EINVAL: @p entry is none: a text that must be is not there or is no
 * UTF-8, a line below 0, or a day that is none. */
enum sl_code sg_entry_check(const struct sg_suppression *entry,
			    struct sl_error *error) SL_MUST_CHECK;

/** Append @p entry as a line with its end. SL_EINVAL: it is too long. */
enum sl_code sg_entry_format(const struct sg_suppression *entry,
			     struct sl_buffer *text,
			     struct sl_error *error) SL_MUST_CHECK;

/** @return negative, 0, positive: the order of entries in the file, by path
 * (those without first), tool, rule, line, function, message and reason. */
int sg_entry_order(const struct sg_suppression *a,
		   const struct sg_suppression *b);

/** @return where @p text is no UTF-8, or has a NUL; @p length: nowhere. */
size_t sg_text_valid(const char *text, size_t length);

#endif
