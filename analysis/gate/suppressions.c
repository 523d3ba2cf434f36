/* SPDX-License-Identifier: MIT */
/* The list of entries. What was read is written back byte by byte, so that a
 * change of one entry is a change of one line. */
#include "gate/suppressions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "gate/entry.h"
#include "gate/replace.h"

struct held {
	struct sg_suppression entry;
	const char *line; /* as it is written, without its end */
	size_t length;
};

struct sg_suppressions {
	struct sl_arena arena; /* texts and lines */
	struct held *held; /* owned; `count` of `capacity` */
	size_t count, capacity;
	struct sl_buffer top; /* owned; comments and empty lines */
};

struct sg_suppressions *sg_suppressions_create(void)
{
	return calloc(1, sizeof(struct sg_suppressions));
}

void sg_suppressions_destroy(struct sg_suppressions *list)
{
	if (!list)
		return;
	sl_arena_finish(&list->arena);
	free(list->held);
	free(list->top.data);
	free(list);
}

size_t sg_suppressions_count(const struct sg_suppressions *list)
{
	return list->count;
}

const struct sg_suppression *
sg_suppressions_at(const struct sg_suppressions *list, size_t at)
{
	return &list->held[at].entry;
}

const char *sg_suppressions_top(struct sg_suppressions *list)
{
	struct sl_error error;

	if (sl_buffer_reserve(&list->top, 1, &error) != SL_OK)
		return "";
	list->top.data[list->top.used] = '\0';
	return list->top.data;
}

enum sl_code sg_suppressions_set_top(struct sg_suppressions *list,
				     const char *text, struct sl_error *error)
{
	size_t length = strlen(text);
	enum sl_code code;

	list->top.used = 0;
	code = sl_buffer_reserve(&list->top, length + 1, error);
	if (code == SL_OK) {
		memcpy(list->top.data, text, length);
		list->top.used = length;
	}
	return code;
}

/* Make room at @p at. */
static enum sl_code insert(struct sg_suppressions *list, size_t at,
			   const struct held *held, struct sl_error *error)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 64;
		struct held *grown =
			realloc(list->held, capacity * sizeof(*grown));

		if (!grown)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for an entry");
		list->held = grown;
		list->capacity = capacity;
	}
	memmove(list->held + at + 1, list->held + at,
		(list->count - at) * sizeof(*held));
	list->held[at] = *held;
	list->count++;
	return SL_OK;
}

static enum sl_code append(struct sl_buffer *text, const char *bytes,
			   size_t length, struct sl_error *error)
{
	enum sl_code code = sl_buffer_reserve(text, length + 1, error);

	if (code != SL_OK)
		return code;
	if (length)
		memcpy(text->data + text->used, bytes, length);
	text->used += length;
	text->data[text->used++] = '\n';
	return SL_OK;
}

/* ---- reading ----------------------------------------------------------- */

static bool is_empty(const char *line, size_t length)
{
	while (length && (line[length - 1] == ' ' || line[length - 1] == '\t' ||
			  line[length - 1] == '\r'))
		length--;
	return !length;
}

static enum sl_code take_line(struct sg_suppressions *list, const char *line,
			      size_t length, int64_t number,
			      struct sl_error *error)
{
	static const char *const conflict[] = { "<<<<<<<",
						"=======", ">>>>>>>" };
	struct held held = { .length = length };
	enum sl_code code;

	if (is_empty(line, length) || line[0] == '#') {
		code = sg_line_check(line, length, error);
		return code == SL_OK ? append(&list->top, line, length, error)
				     : code;
	}
	for (size_t at = 0; length >= 7 && at < 3; at++)
		if (memcmp(line, conflict[at], 7) == 0)
			return SL_FAIL(error, SL_EINVAL,
				       "a merge was not finished: keep the "
				       "entries of both sides, and delete the "
				       "marks");
	code = sg_entry_parse(line, length, &list->arena, &held.entry, error);
	if (code != SL_OK)
		return code;
	held.entry.position = number;
	held.line = sl_arena_text(&list->arena, line, length);
	if (!held.line)
		return SL_FAIL(error, SL_ENOMEM, "no memory for an entry");
	return insert(list, list->count, &held, error);
}

/* The next line, without its end, into @p line. SL_END: there is none. */
static enum sl_code next_line(FILE *file, struct sl_buffer *line,
			      struct sl_error *error)
{
	int byte = getc_unlocked(file);

	line->used = 0;
	if (byte == EOF)
		return SL_END;
	for (; byte != EOF && byte != '\n'; byte = getc_unlocked(file)) {
		if (line->used == SG_ENTRY_BYTES_MAX)
			return SL_FAIL(error, SL_EINVAL,
				       "the line is longer than %d bytes",
				       SG_ENTRY_BYTES_MAX);
		if (line->used == line->capacity) {
			enum sl_code code = sl_buffer_reserve(line, 1, error);

			if (code != SL_OK)
				return code;
		}
		line->data[line->used++] = (char)byte;
	}
	return SL_OK;
}

static enum sl_code take_lines(struct sg_suppressions *list, FILE *file,
			       const char *path, struct sl_error *error)
{
	static const char mark[] = "\xef\xbb\xbf"; /* some editors' BOM */
	struct sl_buffer line = { .data = NULL };
	int64_t number = 0;
	enum sl_code code;

	do {
		size_t skip = 0;

		number++;
		code = next_line(file, &line, error);
		if (code == SL_OK && number == 1 && line.used >= 3 &&
		    memcmp(line.data, mark, 3) == 0)
			skip = 3;
		if (code == SL_OK)
			code = take_line(list,
					 line.used ? line.data + skip : "",
					 line.used - skip, number, error);
	} while (code == SL_OK);
	free(line.data);
	if (code != SL_END)
		sl_error_at(error, path, number);
	return code == SL_END ? SL_OK : code;
}

/* A pipe of that name must not be waited for. @return NULL: errno says why. */
static FILE *open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat about;
	FILE *file;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &about) == 0 && !S_ISREG(about.st_mode)) {
		close(fd);
		errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
		return NULL;
	}
	file = fdopen(fd, "r");
	if (!file)
		close(fd);
	return file;
}

enum sl_code sg_suppressions_read(const char *path,
				  struct sg_suppressions **list,
				  struct sl_error *error)
{
	struct sg_suppressions *made = sg_suppressions_create();
	FILE *file;
	enum sl_code code = SL_OK;

	*list = NULL;
	if (!made)
		return SL_FAIL(error, SL_ENOMEM, "no memory for entries");
	file = open_regular(path);
	if (file) {
		code = take_lines(made, file, path, error);
		/* take_lines() takes what cannot be read for the end. */
		if (ferror(file))
			code = SL_FAIL(error, SL_EIO, "cannot read %s: %s",
				       sl_path_tail(path), strerror(errno));
		fclose(file);
	} else if (errno != ENOENT) {
		code = SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(path),
			       errno == EINVAL ? "it is no regular file"
					       : strerror(errno));
	}
	if (code == SL_OK)
		*list = made;
	else
		sg_suppressions_destroy(made);
	return code;
}

/* ---- changing ---------------------------------------------------------- */

/* The copy of an entry is what is read from its line. */
static enum sl_code copy(struct sg_suppressions *list,
			 const struct sg_suppression *entry, struct held *held,
			 struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	enum sl_code code = sg_entry_format(entry, &text, error);

	if (code == SL_OK) {
		held->length = text.used - 1;
		held->line =
			sl_arena_text(&list->arena, text.data, held->length);
		if (!held->line)
			code = SL_FAIL(error, SL_ENOMEM,
				       "no memory for an entry");
	}
	free(text.data);
	return code == SL_OK ? sg_entry_parse(held->line, held->length,
					      &list->arena, &held->entry, error)
			     : code;
}

enum sl_code sg_suppressions_add(struct sg_suppressions *list,
				 const struct sg_suppression *entry,
				 struct sl_error *error)
{
	struct held held = { .length = 0 };
	enum sl_code code = sg_entry_check(entry, error);
	size_t at = list->count;

	if (code == SL_OK)
		code = copy(list, entry, &held, error);
	if (code != SL_OK)
		return code;
	/* The file may be in another order: what stands there stays. */
	while (at && sg_entry_order(&list->held[at - 1].entry, &held.entry) > 0)
		at--;
	return insert(list, at, &held, error);
}

void sg_suppressions_remove(struct sg_suppressions *list, size_t at)
{
	list->count--;
	memmove(list->held + at, list->held + at + 1,
		(list->count - at) * sizeof(*list->held));
}

/* ---- writing ----------------------------------------------------------- */

enum sl_code sg_suppressions_write(const struct sg_suppressions *list,
				   const char *path, struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	enum sl_code code = sl_buffer_reserve(&text, list->top.used + 1, error);

	if (code == SL_OK && list->top.used) {
		memcpy(text.data, list->top.data, list->top.used);
		text.used = list->top.used;
	}
	for (size_t at = 0; at < list->count && code == SL_OK; at++)
		code = append(&text, list->held[at].line, list->held[at].length,
			      error);
	if (code == SL_OK)
		code = sg_replace_file(path, text.data, text.used, error);
	free(text.data);
	return code;
}
