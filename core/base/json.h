/* SPDX-License-Identifier: MIT */
/** @file
 * Writing JSON: YAJL's generator behind the few verbs that reports need.
 */
#ifndef SL_BASE_JSON_H
#define SL_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <yajl/yajl_gen.h>

#include "sluice/buffer.h"
#include "sluice/error.h"

/** @return a generator that indents; NULL: no memory. */
yajl_gen sl_json_begin(void);

/** @return a generator that puts all in one line; NULL: no memory. */
yajl_gen sl_json_begin_line(void);

/** Append what was generated, and a newline, to @p text; frees @p gen.
 * SL_ENOMEM if it or any step before ran out of memory. */
enum sl_code sl_json_end(yajl_gen gen, struct sl_buffer *text,
			 struct sl_error *error) SL_MUST_CHECK;

/** Bytes that are no UTF-8 become '?'. */
void sl_json_text(yajl_gen gen, const char *text);
/** The same of @p length bytes, among which may be NULs. */
void sl_json_bytes(yajl_gen gen, const char *text, size_t length);
void sl_json_key(yajl_gen gen, const char *key);
void sl_json_integer(yajl_gen gen, const char *key, int64_t value);
/** The same, but 0, which stands for "not known", becomes null. */
void sl_json_known(yajl_gen gen, const char *key, int64_t value);
void sl_json_bool(yajl_gen gen, const char *key, bool value);
/** Nine digits; what is no number becomes null. */
void sl_json_number(yajl_gen gen, const char *key, double value);
void sl_json_pair(yajl_gen gen, const char *key, const char *value);

#endif
