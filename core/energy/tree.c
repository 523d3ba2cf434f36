/* SPDX-License-Identifier: MIT */
#include "sluice/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { PATH_BYTES = 4096, LINE_BYTES = 256 };

static enum sl_code fail(const char *path, int reason, struct sl_error *error)
{
	return SL_FAIL(error, reason == ENOENT ? SL_END : SL_EIO, "%s: %s",
		       sl_path_tail(path), strerror(reason));
}

static enum sl_code join(const char *root, const char *path,
			 char joined[PATH_BYTES], struct sl_error *error)
{
	size_t length = strlen(root);
	const char *slash = length && root[length - 1] == '/' ? "" : "/";
	int used = snprintf(joined, PATH_BYTES, "%s%s%s", root, slash, path);

	return used < PATH_BYTES ? SL_OK : fail(path, ENAMETOOLONG, error);
}

/* O_NONBLOCK: a FIFO must not hold us. @return a descriptor; -1. */
static int open_below(const char *root, const char *path, int flags,
		      struct sl_error *error, enum sl_code *code)
{
	char joined[PATH_BYTES];
	int fd;

	*code = join(root, path, joined, error);
	if (*code != SL_OK)
		return -1;
	fd = open(joined, flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		*code = fail(path, errno, error);
	return fd;
}

/* Fill @p text from @p fd until its end. */
static enum sl_code read_all(int fd, const char *path, size_t limit,
			     struct sl_buffer *text, struct sl_error *error)
{
	for (;;) {
		enum sl_code code = sl_buffer_reserve(text, 4096, error);
		ssize_t got;

		if (code != SL_OK)
			return code;
		got = read(fd, text->data + text->used,
			   text->capacity - text->used - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(path, errno, error);
		text->used += (size_t)got;
		text->data[text->used] = '\0';
		if (got == 0)
			return SL_OK;
		if (text->used > limit)
			return SL_FAIL(error, SL_EINVAL,
				       "%s: longer than %zu bytes",
				       sl_path_tail(path), limit);
	}
}

enum sl_code sl_tree_load(const char *root, const char *path, size_t limit,
			  struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code;
	int fd = open_below(root, path, 0, error, &code);

	text->used = 0;
	if (fd < 0)
		return code;
	code = read_all(fd, path, limit, text, error);
	close(fd);
	return code;
}

/* At most @p size - 1 bytes and a NUL, without an allocation. @return how many
 * there were; -1 with errno. */
static ssize_t read_some(int fd, char *text, size_t size)
{
	size_t used = 0;

	while (used < size - 1) {
		ssize_t got = read(fd, text + used, size - 1 - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		used += (size_t)got;
	}
	text[used] = '\0';
	return (ssize_t)used;
}

/* @return where the text begins; its end is cut. */
static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

enum sl_code sl_tree_text(const char *root, const char *path, char *text,
			  size_t size, struct sl_error *error)
{
	char line[LINE_BYTES];
	enum sl_code code;
	int fd = open_below(root, path, 0, error, &code);
	ssize_t length;
	int reason;
	char *start;

	if (fd < 0)
		return code;
	length = read_some(fd, line, sizeof(line));
	reason = errno;
	close(fd);
	if (length < 0)
		return fail(path, reason, error);
	if (strlen(line) != (size_t)length)
		return SL_FAIL(error, SL_EINVAL, "%s: a NUL byte in it",
			       sl_path_tail(path));
	start = trim(line);
	if (!*start)
		return SL_FAIL(error, SL_EINVAL, "%s: empty",
			       sl_path_tail(path));
	if (length == LINE_BYTES - 1 || strlen(start) >= size)
		return SL_FAIL(error, SL_EINVAL, "%s: too long",
			       sl_path_tail(path));
	sl_text_flatten(start);
	memcpy(text, start, strlen(start) + 1);
	return SL_OK;
}

static enum sl_code no_number(const char *path, const char *text,
			      struct sl_error *error)
{
	return SL_FAIL(error, SL_EINVAL, "%s: \"%.32s\" is no number that fits",
		       sl_path_tail(path), text);
}

enum sl_code sl_tree_u64(const char *root, const char *path, uint64_t *value,
			 struct sl_error *error)
{
	char text[64], *end;
	enum sl_code code = sl_tree_text(root, path, text, sizeof(text), error);
	unsigned long long number;

	if (code != SL_OK)
		return code;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || errno)
		return no_number(path, text, error);
	*value = number;
	return SL_OK;
}

enum sl_code sl_tree_i64(const char *root, const char *path, int64_t *value,
			 struct sl_error *error)
{
	char text[64], *end;
	enum sl_code code = sl_tree_text(root, path, text, sizeof(text), error);
	long long number;

	if (code != SL_OK)
		return code;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (!isdigit((unsigned char)text[text[0] == '-']) || *end || errno)
		return no_number(path, text, error);
	*value = number;
	return SL_OK;
}

/* Like strcmp(), but runs of digits count as numbers. */
static int compare(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			char *a_end, *b_end;
			unsigned long long m = strtoull(a, &a_end, 10);
			unsigned long long n = strtoull(b, &b_end, 10);

			if (m != n)
				return m < n ? -1 : 1;
			a = a_end;
			b = b_end;
			continue;
		}
		if (*a != *b)
			break;
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static int compare_names(const void *a, const void *b)
{
	const char *const *first = a, *const *second = b;
	int order = compare(*first, *second);

	return order ? order : strcmp(*first, *second);
}

static enum sl_code append(struct sl_tree_names *names, const char *name,
			   size_t *capacity, struct sl_error *error)
{
	size_t wanted = *capacity ? 2 * *capacity : 16;
	char *copy = strdup(name);
	char **grown = names->names;

	if (copy && names->count == *capacity)
		grown = realloc(names->names, wanted * sizeof(*grown));
	if (!copy || !grown) {
		free(copy);
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	}
	names->names = grown;
	if (names->count == *capacity)
		*capacity = wanted;
	grown[names->count++] = copy;
	return SL_OK;
}

enum sl_code sl_tree_list(const char *root, const char *path,
			  const char *prefix, struct sl_tree_names *names,
			  struct sl_error *error)
{
	enum sl_code code;
	int fd = open_below(root, path, O_DIRECTORY, error, &code);
	size_t capacity = 0;
	const struct dirent *entry;
	DIR *folder;

	*names = (struct sl_tree_names){ 0 };
	if (fd < 0)
		return code;
	folder = fdopendir(fd);
	if (!folder) {
		code = fail(path, errno, error);
		close(fd);
		return code;
	}
	while (code == SL_OK && (entry = readdir(folder)))
		if (entry->d_name[0] != '.' &&
		    strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
			code = append(names, entry->d_name, &capacity, error);
	closedir(folder);
	if (code != SL_OK)
		sl_tree_names_finish(names);
	else if (names->count)
		qsort(names->names, names->count, sizeof(*names->names),
		      compare_names);
	return code;
}

void sl_tree_names_finish(struct sl_tree_names *names)
{
	for (size_t at = 0; at < names->count; at++)
		free(names->names[at]);
	free(names->names);
	*names = (struct sl_tree_names){ 0 };
}
