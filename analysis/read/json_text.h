/* SPDX-License-Identifier: MIT */
/** @file
 * Numbers and places of a JSON text.
 */
#ifndef SG_READ_JSON_TEXT_H
#define SG_READ_JSON_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct sg_json_position {
	int64_t line, column; /**< from 1; columns count characters */
};

/** Move over the UTF-8 from @p from to @p to. */
void sg_json_position_move(struct sg_json_position *position, const char *from,
			   const char *to);

/** @return the whole part of a number as JSON writes it, saturated to 64 bits;
 * an exponent moves the point to the right only. */
int64_t sg_json_whole(const char *text, size_t length);

#endif
