/* SPDX-License-Identifier: MIT */
/* The file of suppressions: what is read as an entry is written and read again
 * as the same one; the whole file is an entry a line, or refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gate/entry.h"
#include "tests/fuzz/fuzz.h"

static void require_same(const char *one, const char *other)
{
	fuzz_require(!one == !other && (!one || strcmp(one, other) == 0));
}

static void require_equal(const struct sg_suppression *one,
			  const struct sg_suppression *other)
{
	fuzz_require(sg_entry_order(one, other) == 0);
	require_same(one->path, other->path);
	require_same(one->tool, other->tool);
	require_same(one->rule, other->rule);
	require_same(one->function, other->function);
	require_same(one->message, other->message);
	require_same(one->reason, other->reason);
	require_same(one->until, other->until);
	fuzz_require(one->line == other->line && one->line >= 0);
	if (!sg_hash_is_zero(one->line_hash)) {
		fuzz_require(sg_hash_equal(one->line_hash, other->line_hash));
		fuzz_require(
			sg_hash_equal(one->window_hash, other->window_hash));
	}
}

static void try_line(const char *line, size_t length)
{
	struct sl_arena arena = { NULL };
	struct sl_buffer text = { .data = NULL };
	struct sg_suppression entry, again;
	struct sl_error error = { .code = SL_OK };

	if (sg_entry_parse(line, length, &arena, &entry, &error) == SL_OK) {
		fuzz_require(entry.tool && entry.rule && entry.message &&
			     entry.reason && *entry.reason);
		fuzz_require(!entry.until || sg_is_day(entry.until));
		fuzz_require(sg_entry_format(&entry, &text, &error) == SL_OK);
		fuzz_require(!memchr(text.data, '\n', text.used - 1));
		fuzz_require(sg_entry_parse(text.data, text.used - 1, &arena,
					    &again, &error) == SL_OK);
		require_equal(&entry, &again);
	} else {
		fuzz_require(error.code == SL_EINVAL && error.message[0]);
	}
	free(text.data);
	sl_arena_finish(&arena);
}

/* A file without a name, so that a crash leaves nothing behind. */
static int open_nameless(void)
{
	char path[] = "/tmp/fuzz_suppressions.XXXXXX";
	int fd = mkstemp(path);

	fuzz_require(fd >= 0);
	unlink(path);
	return fd;
}

static void try_file(const char *text, size_t length)
{
	static int fd = -1;
	struct sg_suppressions *list;
	struct sl_error error = { .code = SL_OK };
	int64_t last = 0;
	char path[32];

	if (fd < 0)
		fd = open_nameless();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fuzz_require(ftruncate(fd, 0) == 0);
	fuzz_require(pwrite(fd, text, length, 0) == (ssize_t)length);
	if (sg_suppressions_read(path, &list, &error) != SL_OK) {
		fuzz_require(error.code == SL_EINVAL && error.input_line > 0);
		return;
	}
	for (size_t at = 0; at < sg_suppressions_count(list); at++) {
		const struct sg_suppression *entry =
			sg_suppressions_at(list, at);

		fuzz_require(entry->position > last);
		fuzz_require(sg_entry_check(entry, NULL) == SL_OK);
		last = entry->position;
	}
	sg_suppressions_destroy(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size);
	size_t at = 0;

	while (at < size) {
		const char *end = memchr(copy + at, '\n', size - at);
		size_t length = end ? (size_t)(end - copy) - at : size - at;

		try_line(copy + at, length);
		at += length + 1;
	}
	try_file(copy, size);
	free(copy);
	return 0;
}
