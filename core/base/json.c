/* SPDX-License-Identifier: MIT */
/* Writing JSON. Failures of single steps are left to sl_json_end(): a
 * generator in an error state stays there, and what it has is not complete. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

yajl_gen sl_json_begin_line(void)
{
	yajl_gen gen = yajl_gen_alloc(NULL);

	if (gen)
		yajl_gen_config(gen, yajl_gen_validate_utf8, 1);
	return gen;
}

yajl_gen sl_json_begin(void)
{
	yajl_gen gen = sl_json_begin_line();

	if (!gen)
		return NULL;
	yajl_gen_config(gen, yajl_gen_beautify, 1);
	yajl_gen_config(gen, yajl_gen_indent_string, "  ");
	return gen;
}

enum sl_code sl_json_end(yajl_gen gen, struct sl_buffer *text,
			 struct sl_error *error)
{
	const unsigned char *bytes = NULL;
	size_t length = 0;
	enum sl_code code = SL_OK;

	/* A complete document takes nothing more, not even this. */
	if (yajl_gen_null(gen) != yajl_gen_generation_complete)
		code = SL_FAIL(error, SL_EINVAL, "the report is not complete");
	yajl_gen_get_buf(gen, &bytes, &length);
	if (code == SL_OK)
		code = sl_buffer_reserve(text, length + 1, error);
	if (code == SL_OK) {
		memcpy(text->data + text->used, bytes, length);
		text->used += length;
		if (text->data[text->used - 1] != '\n')
			text->data[text->used++] = '\n';
	}
	yajl_gen_free(gen);
	return code;
}

void sl_json_text(yajl_gen gen, const char *text)
{
	sl_json_bytes(gen, text, strlen(text));
}

void sl_json_bytes(yajl_gen gen, const char *text, size_t length)
{
	char *plain;

	if (yajl_gen_string(gen, (const unsigned char *)text, length) !=
	    yajl_gen_invalid_string)
		return;
	plain = malloc(length + 1);
	if (!plain) {
		yajl_gen_null(gen);
		return;
	}
	for (size_t at = 0; at < length; at++)
		plain[at] = (unsigned char)text[at] < 0x80 ? text[at] : '?';
	yajl_gen_string(gen, (const unsigned char *)plain, length);
	free(plain);
}

void sl_json_key(yajl_gen gen, const char *key)
{
	sl_json_text(gen, key);
}

void sl_json_integer(yajl_gen gen, const char *key, int64_t value)
{
	sl_json_key(gen, key);
	yajl_gen_integer(gen, value);
}

void sl_json_known(yajl_gen gen, const char *key, int64_t value)
{
	if (value) {
		sl_json_integer(gen, key, value);
		return;
	}
	sl_json_key(gen, key);
	yajl_gen_null(gen);
}

void sl_json_bool(yajl_gen gen, const char *key, bool value)
{
	sl_json_key(gen, key);
	yajl_gen_bool(gen, value);
}

void sl_json_number(yajl_gen gen, const char *key, double value)
{
	char digits[40];

	if (key)
		sl_json_key(gen, key);
	if (!isfinite(value)) {
		yajl_gen_null(gen);
		return;
	}
	snprintf(digits, sizeof(digits), "%.9g", value);
	yajl_gen_number(gen, digits, strlen(digits));
}

void sl_json_pair(yajl_gen gen, const char *key, const char *value)
{
	sl_json_key(gen, key);
	if (value)
		sl_json_text(gen, value);
	else
		yajl_gen_null(gen);
}
