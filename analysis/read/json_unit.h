/* SPDX-License-Identifier: MIT */
/** @file
 * An escape, a UTF-8 sequence or a control character inside a JSON string, and
 * what is to become of it; only json_filter.c uses it.
 */
#ifndef SG_READ_JSON_UNIT_H
#define SG_READ_JSON_UNIT_H

#include <stddef.h>

enum sg_json_verdict {
	SG_JSON_KEEP,
	SG_JSON_REFUSE, /**< kept, but the parser will stop at it */
	SG_JSON_REPLACE,
	SG_JSON_NEED_MORE,
};

struct sg_json_unit {
	enum sg_json_verdict verdict;
	size_t size; /**< of what stands there */
	char text[8]; /**< what replaces it */
};

/** @return what stands at @p at, of which @p length bytes are there, one at
 * least. */
struct sg_json_unit sg_json_unit_at(const char *at, size_t length);

#endif
