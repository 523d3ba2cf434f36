/* SPDX-License-Identifier: MIT */
#include "gate/text.h"

#include <string.h>

enum sl_code sg_text_put(struct sl_buffer *text, const char *bytes,
			 size_t length, struct sl_error *error)
{
	enum sl_code code = sl_buffer_reserve(text, length, error);

	if (code != SL_OK)
		return code;
	memcpy(text->data + text->used, bytes, length);
	text->used += length;
	return SL_OK;
}

enum sl_code sg_text_say(struct sl_buffer *text, const char *words,
			 struct sl_error *error)
{
	return sg_text_put(text, words, strlen(words), error);
}
