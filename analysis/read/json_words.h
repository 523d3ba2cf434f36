/* SPDX-License-Identifier: MIT */
/** @file
 * Eight bytes of a JSON text at once; for the scanners of json_filter.c and
 * json_skim.c. Each function marks bytes by bits: the lowest that is set is in
 * the first byte that is meant, those behind it may have some, too.
 */
#ifndef SG_READ_JSON_WORDS_H
#define SG_READ_JSON_WORDS_H

#include <stdint.h>
#include <string.h>

#include "sluice/defs.h"

#define SG_JSON_ONES UINT64_C(0x0101010101010101)
#define SG_JSON_HIGHS UINT64_C(0x8080808080808080)

/** The next eight bytes, the first one lowest. */
static inline uint64_t sg_json_word(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return SL_LITTLE_64(word);
}

/** @return the number of the first byte that is marked; one is. */
static inline unsigned sg_json_first(uint64_t marks)
{
	return SL_LOWEST_BIT(marks) / 8;
}

static inline uint64_t sg_json_zeros(uint64_t word)
{
	return (word - SG_JSON_ONES) & ~word & SG_JSON_HIGHS;
}

static inline uint64_t sg_json_equals(uint64_t word, unsigned char byte)
{
	return sg_json_zeros(word ^ SG_JSON_ONES * byte);
}

/** What needs a look inside a string: its end, escapes, control characters and
 * what is not ASCII. */
static inline uint64_t sg_json_specials(uint64_t word)
{
	uint64_t control = (word - SG_JSON_ONES * 0x20) & ~word & SG_JSON_HIGHS;

	return control | (word & SG_JSON_HIGHS) | sg_json_equals(word, '"') |
	       sg_json_equals(word, '\\');
}

#endif
