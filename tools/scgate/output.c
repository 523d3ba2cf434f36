/* SPDX-License-Identifier: MIT */
/* Standard output. */
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "scgate.h"
#include "talk.h"

enum { FLUSH_BYTES = 1 << 16 };

struct sg_look scgate_look(void)
{
	struct sg_look look = { .width = SG_WIDTH_PIPED };
	const char *no_color = getenv("NO_COLOR");
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return look;
	look.color = !no_color || !*no_color;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		look.width = size.ws_col;
	return look;
}

static enum sl_code write_all(const char *bytes, size_t length,
			      struct sl_error *error)
{
	while (length) {
		ssize_t written = write(STDOUT_FILENO, bytes, length);

		if (written < 0 && errno == EPIPE)
			return SL_FAIL(error, SL_EIO, "%s", SCGATE_SILENCE);
		if (written < 0 && errno != EINTR)
			return SL_FAIL(error, SL_EIO, "cannot write: %s",
				       strerror(errno));
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return SL_OK;
}

enum sl_code scgate_flush(struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = write_all(text->data, text->used, error);

	text->used = 0;
	return code;
}

/* In place: it only becomes shorter. */
void scgate_mask(struct sl_buffer *text)
{
	size_t to = 0;

	if (!isatty(STDOUT_FILENO))
		return;
	for (size_t at = 0; at < text->used;) {
		size_t length = scgate_steers(text->data + at, text->used - at);

		/* the line's end in CSV is CR LF */
		if (text->data[at] == '\r' && at + 1 < text->used &&
		    text->data[at + 1] == '\n')
			length = 0;
		text->data[to++] = length ? '?' : text->data[at];
		at += length ? length : 1;
	}
	text->used = to;
}

int scgate_help(const char *text)
{
	struct sl_error error = { .code = SL_OK };

	if (write_all(text, strlen(text), &error) == SL_OK)
		return EXIT_PASS;
	scgate_complain("--help", &error);
	return EXIT_INCOMPLETE;
}

enum sl_code scgate_rows_begin(struct scgate_rows *rows,
			       const struct sg_rows_writer *writer,
			       struct sl_error *error)
{
	const struct sg_look look = scgate_look();

	signal(SIGPIPE, SIG_IGN);
	*rows = (struct scgate_rows){
		.is_masked = writer != &sg_rows_table,
	};
	return sg_rows_begin(&rows->rows, writer, &look, error);
}

static enum sl_code flush_rows(struct scgate_rows *rows, struct sl_error *error)
{
	if (rows->is_masked)
		scgate_mask(&rows->text);
	return scgate_flush(&rows->text, error);
}

enum sl_code scgate_rows_take(void *context, const struct sg_row *row,
			      struct sl_error *error)
{
	struct scgate_rows *rows = context;
	enum sl_code code = sg_rows_put(rows->rows, row, &rows->text, error);

	rows->count += row->fields != NULL;
	if (code == SL_OK && rows->text.used >= FLUSH_BYTES)
		code = flush_rows(rows, error);
	return code;
}

bool scgate_rows_show_none(const struct scgate_rows *rows)
{
	return !rows->is_masked && !rows->count;
}

enum sl_code scgate_rows_end(struct scgate_rows *rows, enum sl_code code,
			     struct sl_error *error)
{
	if (code == SL_OK)
		code = sg_rows_end(rows->rows, &rows->text, error);
	if (code == SL_OK)
		code = flush_rows(rows, error);
	sg_rows_destroy(rows->rows);
	free(rows->text.data);
	return code;
}
