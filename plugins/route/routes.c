/* SPDX-License-Identifier: MIT */
/* Parsing and collecting of routes; routes.h says what they look like. */
#include "routes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sluice/address.h"
#include "sluice/name.h"

/* No table of routes is longer; /dev/zero is. */
#define FILE_BYTES_MAX ((size_t)256 << 20)

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

const char *route_entry_parse(const char *text, size_t length,
			      struct route_entry *entry, char *why)
{
	const char *end = text + length;
	const char *prefix_text = text, *nic, *wrong;
	size_t prefix_length = next_word(&prefix_text, end);
	struct sl_prefix prefix;
	size_t nic_length;

	if (prefix_length == 0)
		return "a route reads PREFIX NIC";
	wrong = sl_prefix_parse(prefix_text, prefix_length, &prefix, why,
				ROUTE_WHY);
	if (wrong)
		return wrong;
	if (prefix.version != 4)
		return "an IPv4 prefix is wanted: packets of version 6 are "
		       "not routed";
	nic = prefix_text + prefix_length;
	nic_length = next_word(&nic, end);
	wrong = nic_parse(nic, nic_length);
	if (wrong)
		return wrong;
	text = nic + nic_length;
	if (next_word(&text, end) > 0)
		return "there is more behind the interface (PREFIX NIC)";
	entry->address = prefix.address.v4;
	entry->length = prefix.length;
	entry->nic = nic;
	entry->nic_length = (uint8_t)nic_length;
	return NULL;
}

bool route_entry_same_nic(const struct route_entry *a,
			  const struct route_entry *b)
{
	return a->nic_length == b->nic_length &&
	       memcmp(a->nic, b->nic, a->nic_length) == 0;
}

bool route_entries_add(struct route_entries *entries,
		       const struct route_entry *entry)
{
	if (entries->count == entries->capacity) {
		size_t capacity =
			entries->capacity ? entries->capacity * 2 : 64;
		struct route_entry *rows =
			realloc(entries->rows, capacity * sizeof(*rows));

		if (!rows)
			return false;
		entries->rows = rows;
		entries->capacity = capacity;
	}
	entries->rows[entries->count++] = *entry;
	return true;
}

static int compare_entries(const void *left, const void *right)
{
	const struct route_entry *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->value != b->value) /* both of one list, or both NULL */
		return a->value < b->value ? -1 : 1;
	return 0;
}

void route_entries_sort(struct route_entries *entries)
{
	if (entries->count > 0)
		qsort(entries->rows, entries->count, sizeof(*entries->rows),
		      compare_entries);
}

void route_entries_finish(struct route_entries *entries)
{
	free(entries->rows);
	memset(entries, 0, sizeof(*entries));
}

/* Read on into file->text until the end of the file. */
static enum sl_code read_all(struct route_file *file, const char *path,
			     struct sl_error *error)
{
	size_t capacity = 0;

	for (;;) {
		ssize_t got;

		if (file->length == capacity) {
			char *text;

			capacity = capacity ? capacity * 2 : 65536;
			if (capacity > FILE_BYTES_MAX)
				return SL_FAIL(error, SL_ENOSPC,
					       "\"%s\" is longer than %zu MiB",
					       path, FILE_BYTES_MAX >> 20);
			text = realloc(file->text, capacity);
			if (!text)
				return SL_FAIL(error, SL_ENOMEM,
					       "out of memory");
			file->text = text;
		}
		got = read(file->fd, file->text + file->length,
			   capacity - file->length);
		if (got == 0)
			return SL_OK;
		if (got < 0 && errno != EINTR)
			return SL_FAIL(error, SL_EIO, "cannot read \"%s\": %s",
				       path, strerror(errno));
		if (got > 0)
			file->length += (size_t)got;
	}
}

enum sl_code route_file_read(struct route_file *file, const char *path,
			     struct sl_error *error)
{
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot open \"%s\": %s", path,
			       strerror(errno));
	return read_all(file, path, error);
}

bool route_file_next(struct route_file *file, const char **text, size_t *length)
{
	while (file->at < file->length) {
		const char *start = file->text + file->at;
		size_t left = file->length - file->at;
		const char *newline = memchr(start, '\n', left);
		size_t bytes = newline ? (size_t)(newline - start) : left;
		const char *comment = memchr(start, '#', bytes);

		file->at += bytes + 1;
		file->line++;
		if (comment)
			bytes = (size_t)(comment - start);
		while (bytes > 0 && is_blank(start[bytes - 1]))
			bytes--;
		while (bytes > 0 && is_blank(*start))
			start++, bytes--;
		if (bytes == 0)
			continue;
		*text = start;
		*length = bytes;
		return true;
	}
	return false;
}

void route_file_finish(struct route_file *file)
{
	free(file->text);
	if (file->fd >= 0)
		(void)close(file->fd);
	memset(file, 0, sizeof(*file));
	file->fd = -1;
}
