/* SPDX-License-Identifier: MIT */
/* Bytes that grow, by doubling. */
#include "sluice/buffer.h"

#include <stdlib.h>

enum sl_code sl_buffer_reserve(struct sl_buffer *buffer, size_t bytes,
			       struct sl_error *error)
{
	size_t wanted = buffer->used + bytes;
	size_t capacity = buffer->capacity ? buffer->capacity : 4096;
	char *data;

	if (wanted <= buffer->capacity)
		return SL_OK;
	while (capacity < wanted)
		capacity *= 2;
	data = realloc(buffer->data, capacity);
	if (!data)
		return SL_FAIL(error, SL_ENOMEM,
			       "no memory for %zu bytes of output", capacity);
	buffer->data = data;
	buffer->capacity = capacity;
	return SL_OK;
}
