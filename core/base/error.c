/* SPDX-License-Identifier: MIT */
/* Filling a struct sl_error. */
#include "sluice/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Of a path that is too long the end says more than the beginning. */
static void copy_tail(char *to, size_t size, const char *from)
{
	size_t length = strlen(from);

	if (length >= size) {
		from += length - (size - 1);
		length = size - 1;
	}
	memmove(to, from, length);
	to[length] = '\0';
}

enum sl_code sl_error_set(struct sl_error *error, enum sl_code code,
			  const char *file, int line, const char *fmt, ...)
{
	/* an argument may be this very error's message */
	char message[sizeof(((struct sl_error *)0)->message)];
	va_list args;

	if (!error)
		return code;
	va_start(args, fmt);
	if (vsnprintf(message, sizeof(message), fmt, args) < 0)
		message[0] = '\0';
	va_end(args);
	sl_text_flatten(message);

	error->code = code;
	error->line = line;
	error->input_line = 0;
	error->input[0] = '\0';
	copy_tail(error->file, sizeof(error->file), file);
	memcpy(error->message, message, sizeof(message));
	return code;
}

void sl_error_at(struct sl_error *error, const char *path, int64_t line)
{
	if (!error)
		return;
	copy_tail(error->input, sizeof(error->input), path ? path : "");
	error->input_line = line;
}
