/* SPDX-License-Identifier: MIT */
/* Reading another program's counters. The file is copied with pread, never
 * mapped: who may write it may also cut it short, and that would kill us. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "energy/counter_file.h"

struct sl_counter_reader {
	int fd;
	struct sl_counter_program program;
	struct counter_file *copy; /* owned */
	size_t size; /* of it */
};

static enum sl_code wrong_at(struct sl_error *error, size_t byte,
			     const char *what)
{
	return SL_FAIL(error, SL_EINVAL, "byte %zu: %s", byte, what);
}

static enum sl_code open_file(const char *path, int *fd, struct sl_error *error)
{
	struct stat status;

	/* Not to wait for the other end of a FIFO. */
	*fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (*fd < 0 || fstat(*fd, &status))
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(path), strerror(errno));
	if (!S_ISREG(status.st_mode))
		return SL_FAIL(error, SL_EINVAL, "%s is no regular file",
			       sl_path_tail(path));
	if (status.st_uid != geteuid() && status.st_uid != 0)
		return SL_FAIL(error, SL_EINVAL, "%s is another user's",
			       sl_path_tail(path));
	return SL_OK;
}

/* Copy @p size bytes of the file. */
static enum sl_code copy_bytes(int fd, void *bytes, size_t size,
			       struct sl_error *error)
{
	size_t have = 0;

	while (have < size) {
		ssize_t got = pread(fd, (char *)bytes + have, size - have,
				    (off_t)have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return SL_FAIL(error, SL_EIO, "cannot read: %s",
				       strerror(errno));
		if (got == 0)
			return wrong_at(error, have, "the file ends");
		have += (size_t)got;
	}
	return SL_OK;
}

static enum sl_code check_head(const struct counter_head *head,
			       struct sl_error *error)
{
	if (memcmp(head->magic, COUNTER_MAGIC, sizeof(head->magic)) != 0)
		return wrong_at(error, 0, "not a counter file");
	if (head->order != COUNTER_ORDER)
		return wrong_at(error, offsetof(struct counter_head, order),
				"of a machine with another order of bytes");
	if (head->count == 0 || head->count > SL_COUNTERS_MAX)
		return wrong_at(error, offsetof(struct counter_head, count),
				"a number of counters that cannot be");
	if (head->process == 0 || head->process > INT32_MAX)
		return wrong_at(error, offsetof(struct counter_head, process),
				"a process that cannot be");
	if (head->state != COUNTER_FILE_LIVE &&
	    head->state != COUNTER_FILE_ENDED)
		return wrong_at(error, offsetof(struct counter_head, state),
				"a state that cannot be");
	if (!counter_name_ok(head->program, sizeof(head->program)))
		return wrong_at(error, offsetof(struct counter_head, program),
				"a program's name that cannot be");
	return SL_OK;
}

static enum sl_code check_record(const struct counter_record *record,
				 size_t index, struct sl_error *error)
{
	size_t start = counter_file_size(index);

	if (record->flags & ~(uint32_t)COUNTER_IS_DOUBLE)
		return wrong_at(error,
				start + offsetof(struct counter_record, flags),
				"flags that are not known");
	if (!(isfinite(record->scale) && record->scale > 0))
		return wrong_at(error,
				start + offsetof(struct counter_record, scale),
				"a scale that cannot be");
	if (!counter_unit_ok(record->unit, sizeof(record->unit)))
		return wrong_at(error,
				start + offsetof(struct counter_record, unit),
				"a unit that cannot be");
	if (!counter_name_ok(record->name, sizeof(record->name)))
		return wrong_at(error,
				start + offsetof(struct counter_record, name),
				"a name that cannot be");
	return SL_OK;
}

/* Copy the file as it is now and judge it. */
static enum sl_code refresh(struct sl_counter_reader *reader,
			    struct sl_error *error)
{
	enum sl_code code =
		copy_bytes(reader->fd, reader->copy, reader->size, error);

	if (code == SL_OK)
		code = check_head(&reader->copy->head, error);
	if (code == SL_OK && reader->copy->head.count != reader->program.count)
		code = wrong_at(error, offsetof(struct counter_head, count),
				"the number of counters has changed");
	for (size_t at = 0; code == SL_OK && at < reader->program.count; at++)
		code = check_record(&reader->copy->records[at], at, error);
	return code;
}

static enum sl_code start(struct sl_counter_reader *reader, const char *path,
			  struct sl_error *error)
{
	struct counter_head head;
	enum sl_code code = open_file(path, &reader->fd, error);

	if (code == SL_OK)
		code = copy_bytes(reader->fd, &head, sizeof(head), error);
	if (code == SL_OK)
		code = check_head(&head, error);
	if (code != SL_OK)
		return code;
	reader->program.count = head.count;
	reader->program.process = head.process;
	reader->program.created_ns = head.created_ns;
	memcpy(reader->program.program, head.program, sizeof(head.program));
	reader->size = counter_file_size(head.count);
	reader->copy = malloc(reader->size);
	if (!reader->copy)
		return SL_FAIL(error, SL_ENOMEM, "out of memory for counters");
	return refresh(reader, error);
}

enum sl_code sl_counter_reader_open(struct sl_counter_reader **reader,
				    const char *path, struct sl_error *error)
{
	struct sl_counter_reader *made = calloc(1, sizeof(*made));
	enum sl_code code;

	*reader = NULL;
	if (!made)
		return SL_FAIL(error, SL_ENOMEM, "out of memory for counters");
	made->fd = -1;
	code = start(made, path, error);
	if (code != SL_OK) {
		sl_error_at(error, path, 0);
		sl_counter_reader_close(made);
		return code;
	}
	*reader = made;
	return SL_OK;
}

void sl_counter_reader_close(struct sl_counter_reader *reader)
{
	if (!reader)
		return;
	if (reader->fd >= 0)
		close(reader->fd);
	free(reader->copy);
	free(reader);
}

const struct sl_counter_program *
sl_counter_reader_program(const struct sl_counter_reader *reader)
{
	return &reader->program;
}

/* A process of another boot, or one that began at another moment, only has the
 * same number. */
static enum sl_counter_state state_of(const struct counter_head *head)
{
	uint8_t boot[16];

	if (head->state == COUNTER_FILE_ENDED)
		return SL_COUNTERS_ENDED;
	counter_boot_id(boot);
	if (memcmp(boot, head->boot, sizeof(boot)) != 0 ||
	    counter_process_started((pid_t)head->process) != head->started)
		return SL_COUNTERS_DEAD;
	return SL_COUNTERS_LIVE;
}

static void take_value(const struct counter_record *record,
		       struct sl_counter_value *value)
{
	memcpy(value->name, record->name, sizeof(value->name));
	memcpy(value->unit, record->unit, sizeof(value->unit));
	value->scale = record->scale;
	value->is_double = record->flags & COUNTER_IS_DOUBLE;
	value->count = record->value;
	if (value->is_double)
		memcpy(&value->number, &record->value, sizeof(value->number));
	else
		value->number = (double)record->value * record->scale;
}

enum sl_code sl_counter_reader_read(struct sl_counter_reader *reader,
				    struct sl_counter_value *values,
				    size_t count, enum sl_counter_state *state,
				    struct sl_error *error)
{
	enum sl_code code = refresh(reader, error);

	if (code != SL_OK)
		return code;
	if (count > reader->program.count)
		count = reader->program.count;
	for (size_t at = 0; at < count; at++)
		take_value(&reader->copy->records[at], &values[at]);
	if (state)
		*state = state_of(&reader->copy->head);
	return SL_OK;
}
