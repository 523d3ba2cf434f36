/* SPDX-License-Identifier: MIT */
/* Parsing of routes, a million lines of them; route_text.h says what they look
 * like. */
#include "route_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sluice/name.h"

/* No table of routes is longer; /dev/zero is. */
#define FILE_BYTES_MAX ((uint64_t)256 << 20)
/* Read at once, and so the longest line. */
#define TEXT_BYTES ((size_t)256 << 10)

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The word at the start of [text, end), after blanks. */
static size_t next_word(const char **text, const char *end)
{
	const char *at = *text;

	while (at < end && is_blank(*at))
		at++;
	*text = at;
	while (at < end && !is_blank(*at))
		at++;
	return (size_t)(at - *text);
}

static const char *nic_parse(const char *text, size_t length)
{
	if (length == 0)
		return "the interface is missing (PREFIX NIC)";
	if (length > SL_NAME_LENGTH)
		return "an interface's name has at most 15 characters";
	for (size_t at = 0; at < length; at++) {
		if (text[at] <= ' ' || text[at] > '~')
			return "an interface's name is printable ASCII";
	}
	return NULL;
}

/* One to three digits, of a number up to @p max. */
static bool number_parse(const char **text, const char *end, unsigned max,
			 unsigned *number)
{
	const char *at = *text;
	unsigned value = 0;

	while (at < end && at - *text < 3 && (unsigned)(*at - '0') < 10)
		value = value * 10 + (unsigned)(*at++ - '0');
	if (at == *text || value > max)
		return false;
	*text = at;
	*number = value;
	return true;
}

/* "10.1.2.0/24" as most lines have it. @return false: not that, or wrong; the
 * parser that knows all forms will see. */
static bool prefix4_parse(const char *text, const char *end,
			  struct sl_prefix *prefix)
{
	unsigned octet, length;
	uint32_t v4 = 0;

	for (int at = 0; at < 4; at++) {
		if (at > 0 && (text == end || *text++ != '.'))
			return false;
		if (!number_parse(&text, end, 255, &octet))
			return false;
		v4 = v4 << 8 | octet;
	}
	if (text == end || *text++ != '/' ||
	    !number_parse(&text, end, 32, &length) || text != end ||
	    (length < 32 && v4 << length))
		return false;
	memset(prefix, 0, sizeof(*prefix));
	prefix->address.v4 = v4;
	prefix->version = 4;
	prefix->length = (uint8_t)length;
	return true;
}

const char *route_text_parse(const char *text, size_t length,
			     struct route_text *route, char *why)
{
	const char *end = text + length;
	const char *prefix = text, *nic, *wrong;
	size_t prefix_length = next_word(&prefix, end);
	size_t nic_length;

	if (prefix_length == 0)
		return "a route reads PREFIX NIC";
	if (!prefix4_parse(prefix, prefix + prefix_length, &route->prefix)) {
		wrong = sl_prefix_parse(prefix, prefix_length, &route->prefix,
					why, ROUTE_WHY);
		if (wrong)
			return wrong;
	}
	nic = prefix + prefix_length;
	nic_length = next_word(&nic, end);
	wrong = nic_parse(nic, nic_length);
	if (wrong)
		return wrong;
	text = nic + nic_length;
	if (next_word(&text, end) > 0)
		return "there is more behind the interface (PREFIX NIC)";
	route->nic = nic;
	route->nic_length = nic_length;
	return NULL;
}

/* ---- files ------------------------------------------------------------ */

enum sl_code route_file_open(struct route_file *file, const char *path,
			     struct sl_error *error)
{
	file->path = path;
	file->text = malloc(TEXT_BYTES);
	if (!file->text)
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot open \"%s\": %s", path,
			       strerror(errno));
	return SL_OK;
}

/* Read on behind what is left, which moves to the front. */
static enum sl_code read_more(struct route_file *file, struct sl_error *error)
{
	ssize_t got;

	file->length -= file->at;
	memmove(file->text, file->text + file->at, file->length);
	file->at = 0;
	if (file->length == TEXT_BYTES)
		return SL_FAIL(error, SL_ENOSPC,
			       "\"%s\": line %d is longer than %zu KiB",
			       file->path, file->line + 1, TEXT_BYTES >> 10);
	do
		got = read(file->fd, file->text + file->length,
			   TEXT_BYTES - file->length);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return SL_FAIL(error, SL_EIO, "cannot read \"%s\": %s",
			       file->path, strerror(errno));
	file->ended = got == 0;
	file->length += (size_t)got;
	file->bytes += (uint64_t)got;
	if (file->bytes > FILE_BYTES_MAX)
		return SL_FAIL(error, SL_ENOSPC, "\"%s\" is longer than %d MiB",
			       file->path, (int)(FILE_BYTES_MAX >> 20));
	return SL_OK;
}

/* The next line, without its newline. */
static enum sl_code next_line(struct route_file *file, const char **text,
			      size_t *length, struct sl_error *error)
{
	const char *newline;
	size_t seen = 0;

	for (;;) {
		size_t left = file->length - file->at;
		enum sl_code code;

		*text = file->text + file->at;
		newline = memchr(*text + seen, '\n', left - seen);
		*length = newline ? (size_t)(newline - *text) : left;
		if (newline || (file->ended && left)) {
			file->at += *length + (newline != NULL);
			file->line++;
			return SL_OK;
		}
		if (file->ended)
			return SL_END;
		seen = left;
		code = read_more(file, error);
		if (code != SL_OK)
			return code;
	}
}

enum sl_code route_file_next(struct route_file *file, const char **text,
			     size_t *length, struct sl_error *error)
{
	enum sl_code code;

	while ((code = next_line(file, text, length, error)) == SL_OK) {
		const char *start = *text;
		const char *comment = memchr(start, '#', *length);
		size_t bytes = comment ? (size_t)(comment - start) : *length;

		while (bytes > 0 && is_blank(start[bytes - 1]))
			bytes--;
		while (bytes > 0 && is_blank(*start))
			start++, bytes--;
		*text = start;
		*length = bytes;
		if (bytes > 0)
			break;
	}
	return code;
}

void route_file_forget(struct route_file *file)
{
	free(file->text);
	file->text = NULL;
	file->at = 0;
	file->length = 0;
}

void route_file_finish(struct route_file *file)
{
	route_file_forget(file);
	if (file->fd >= 0)
		(void)close(file->fd);
	memset(file, 0, sizeof(*file));
	file->fd = -1;
}
