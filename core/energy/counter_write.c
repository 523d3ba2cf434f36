/* SPDX-License-Identifier: MIT */
/* Publishing counters. The file is made under a name that readers skip, filled,
 * mapped, and only then renamed: whoever finds it finds it whole. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "energy/counter_file.h"

struct sl_counters {
	struct counter_file *file; /* mapped */
	size_t count;
	pid_t process; /* a forked child is another one */
	char path[4096];
};

/* Two sets of one process have names of their own. */
static atomic_uint sets_made;

static enum sl_code check_defs(const char *program,
			       const struct sl_counter_def *defs, size_t count,
			       struct sl_error *error)
{
	if (!counter_name_ok(program, SL_COUNTER_PROGRAM))
		return SL_FAIL(error, SL_EINVAL,
			       "a program's name has 1 to %d printable "
			       "characters without blanks and /\",: and starts "
			       "with a letter",
			       SL_COUNTER_PROGRAM - 1);
	if (count == 0 || count > SL_COUNTERS_MAX)
		return SL_FAIL(error, SL_EINVAL,
			       "%zu counters: 1 to %d are possible", count,
			       SL_COUNTERS_MAX);
	for (size_t at = 0; at < count; at++) {
		if (!counter_name_ok(defs[at].name, SL_COUNTER_NAME))
			return SL_FAIL(error, SL_EINVAL,
				       "counter %zu: a name has 1 to %d "
				       "printable characters without blanks "
				       "and /\",: and starts with a letter",
				       at, SL_COUNTER_NAME - 1);
		if (!counter_unit_ok(defs[at].unit, SL_COUNTER_UNIT))
			return SL_FAIL(error, SL_EINVAL,
				       "counter \"%s\": a unit has at most %d "
				       "printable characters without blanks "
				       "and /\",:",
				       defs[at].name, SL_COUNTER_UNIT - 1);
		if (!(defs[at].scale >= 0 && defs[at].scale < 1e300))
			return SL_FAIL(error, SL_EINVAL,
				       "counter \"%s\": a scale is a number "
				       "above 0",
				       defs[at].name);
		for (size_t before = 0; before < at; before++) {
			if (strcmp(defs[at].name, defs[before].name) == 0)
				return SL_FAIL(error, SL_EINVAL,
					       "counter \"%s\" is there twice",
					       defs[at].name);
		}
	}
	return SL_OK;
}

/* Others could put files of theirs into a folder that they may write. */
static enum sl_code make_folder(const char *folder, struct sl_error *error)
{
	struct stat status;

	if (mkdir(folder, 0700) && errno != EEXIST)
		return SL_FAIL(error, SL_EIO, "cannot make %s: %s",
			       sl_path_tail(folder), strerror(errno));
	if (lstat(folder, &status))
		return SL_FAIL(error, SL_EIO, "cannot look at %s: %s",
			       sl_path_tail(folder), strerror(errno));
	if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() ||
	    (status.st_mode & 022))
		return SL_FAIL(error, SL_EIO,
			       "%s is not a folder that only this user may "
			       "write",
			       sl_path_tail(folder));
	return SL_OK;
}

static void fill_file(struct counter_file *file, const char *program,
		      const struct sl_counter_def *defs, const bool *unknown,
		      size_t count)
{
	const double nan = NAN;
	struct counter_head *head = &file->head;

	memcpy(head->magic, COUNTER_MAGIC, sizeof(head->magic));
	head->order = COUNTER_ORDER;
	head->count = (uint32_t)count;
	head->process = (uint32_t)getpid();
	head->state = COUNTER_FILE_LIVE;
	head->started = counter_process_started(getpid());
	head->created_ns = sl_clock_read_ns(CLOCK_REALTIME);
	counter_boot_id(head->boot);
	memcpy(head->program, program, strlen(program));
	for (size_t at = 0; at < count; at++) {
		struct counter_record *record = &file->records[at];

		record->scale = defs[at].scale > 0 ? defs[at].scale : 1;
		memcpy(record->unit, defs[at].unit, strlen(defs[at].unit));
		memcpy(record->name, defs[at].name, strlen(defs[at].name));
		if (!unknown || !unknown[at])
			continue;
		memcpy(&record->value, &nan, sizeof(nan));
		record->flags = COUNTER_IS_DOUBLE;
	}
}

/* Make the file @p hidden, of the size that it needs, and map it. */
static enum sl_code map_file(struct sl_counters *counters, const char *hidden,
			     struct sl_error *error)
{
	size_t size = counter_file_size(counters->count);
	int fd = open(hidden,
		      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int failure;
	void *map;

	if (fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot make %s: %s",
			       sl_path_tail(hidden), strerror(errno));
	/* Blocks are taken now: a full disk must not kill by SIGBUS later. */
	failure = posix_fallocate(fd, 0, (off_t)size);
	if (failure) {
		close(fd);
		unlink(hidden);
		return SL_FAIL(error, SL_EIO, "no room for %s: %s",
			       sl_path_tail(hidden), strerror(failure));
	}
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	failure = errno;
	close(fd);
	if (map == MAP_FAILED) {
		unlink(hidden);
		return SL_FAIL(error, SL_EIO, "cannot map %s: %s",
			       sl_path_tail(hidden), strerror(failure));
	}
	counters->file = map;
	return SL_OK;
}

static enum sl_code publish(struct sl_counters *counters, const char *program,
			    const struct sl_counter_def *defs,
			    const bool *unknown, struct sl_error *error)
{
	char folder[3900], hidden[4096];
	unsigned set = atomic_fetch_add(&sets_made, 1);
	enum sl_code code;

	if (!sl_counters_folder(folder, sizeof(folder)))
		return SL_FAIL(error, SL_EIO, "XDG_RUNTIME_DIR is too long");
	code = make_folder(folder, error);
	if (code != SL_OK)
		return code;
	(void)snprintf(counters->path, sizeof(counters->path),
		       "%s/%s.%ld.%u" COUNTER_SUFFIX, folder, program,
		       (long)getpid(), set);
	(void)snprintf(hidden, sizeof(hidden), "%s/.%s.%ld.%u.new", folder,
		       program, (long)getpid(), set);
	/* One of a process that died while it made it, with the same id. */
	unlink(hidden);
	code = map_file(counters, hidden, error);
	if (code != SL_OK)
		return code;
	fill_file(counters->file, program, defs, unknown, counters->count);
	if (rename(hidden, counters->path)) {
		code = SL_FAIL(error, SL_EIO, "cannot make %s: %s",
			       sl_path_tail(counters->path), strerror(errno));
		unlink(hidden);
		munmap(counters->file, counter_file_size(counters->count));
	}
	return code;
}

enum sl_code counters_create_unknown(struct sl_counters **counters,
				     const char *program,
				     const struct sl_counter_def *defs,
				     const bool *unknown, size_t count,
				     struct sl_error *error)
{
	struct sl_counters *made;
	enum sl_code code;

	*counters = NULL;
	code = check_defs(program, defs, count, error);
	if (code != SL_OK)
		return code;
	made = calloc(1, sizeof(*made));
	if (!made)
		return SL_FAIL(error, SL_ENOMEM, "out of memory for counters");
	made->count = count;
	made->process = getpid();
	code = publish(made, program, defs, unknown, error);
	if (code != SL_OK) {
		free(made);
		return code;
	}
	*counters = made;
	return SL_OK;
}

enum sl_code sl_counters_create(struct sl_counters **counters,
				const char *program,
				const struct sl_counter_def *defs, size_t count,
				struct sl_error *error)
{
	return counters_create_unknown(counters, program, defs, NULL, count,
				       error);
}

void sl_counters_destroy(struct sl_counters *counters)
{
	if (!counters)
		return;
	if (counters->process == getpid()) {
		__atomic_store_n(&counters->file->head.state,
				 COUNTER_FILE_ENDED, __ATOMIC_RELEASE);
		unlink(counters->path);
	}
	munmap(counters->file, counter_file_size(counters->count));
	free(counters);
}

const char *sl_counters_path(const struct sl_counters *counters)
{
	return counters ? counters->path : NULL;
}

uint64_t *sl_counter_word(struct sl_counters *counters, size_t index)
{
	if (!counters || index >= counters->count)
		return NULL;
	return &counters->file->records[index].value;
}

void sl_counter_add(struct sl_counters *counters, size_t index, uint64_t amount)
{
	uint64_t *word = sl_counter_word(counters, index);

	if (word)
		__atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
}

void sl_counter_set(struct sl_counters *counters, size_t index, uint64_t value)
{
	uint64_t *word = sl_counter_word(counters, index);

	if (word)
		__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

uint64_t sl_counter_get(const struct sl_counters *counters, size_t index)
{
	if (!counters || index >= counters->count)
		return 0;
	return __atomic_load_n(&counters->file->records[index].value,
			       __ATOMIC_RELAXED);
}

void sl_counter_set_double(struct sl_counters *counters, size_t index,
			   double value)
{
	uint64_t *word = sl_counter_word(counters, index);
	uint64_t bits;

	if (!word)
		return;
	memcpy(&bits, &value, sizeof(bits));
	__atomic_store_n(word, bits, __ATOMIC_RELAXED);
	__atomic_fetch_or(&counters->file->records[index].flags,
			  COUNTER_IS_DOUBLE, __ATOMIC_RELEASE);
}
