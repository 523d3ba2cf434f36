/* SPDX-License-Identifier: MIT */
/* Counter files: what one program publishes, another one reads; whatever else
 * is in such a file is refused with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "energy/counter_file.h"

static char folder[] = "/tmp/sluice-test-XXXXXX";

static const struct sl_counter_def two[] = {
	{ .name = "frames", .unit = "frame" },
	{ .name = "sent", .unit = "B", .scale = 1024 },
};

static struct sl_counters *published(void)
{
	struct sl_counters *counters;
	struct sl_error error;

	assert_int_equal(
		sl_counters_create(&counters, "encoder", two, 2, &error),
		SL_OK);
	return counters;
}

static struct sl_counter_reader *opened(const char *path)
{
	struct sl_counter_reader *reader;
	struct sl_error error;

	assert_int_equal(sl_counter_reader_open(&reader, path, &error), SL_OK);
	return reader;
}

static void a_reader_sees_what_was_counted(void **state)
{
	struct sl_counters *counters = published();
	struct sl_counter_reader *reader = opened(sl_counters_path(counters));
	struct sl_counter_value values[2];
	enum sl_counter_state now;

	(void)state;
	sl_counter_add(counters, 0, 40);
	sl_counter_add(counters, 0, 2);
	sl_counter_set(counters, 1, 3);
	assert_int_equal(sl_counter_reader_read(reader, values, 2, &now, NULL),
			 SL_OK);
	assert_int_equal(now, SL_COUNTERS_LIVE);
	assert_string_equal(values[0].name, "frames");
	assert_string_equal(values[0].unit, "frame");
	assert_int_equal(values[0].count, 42);
	assert_true(values[0].number > 41.5 && values[0].number < 42.5);
	assert_int_equal(values[1].count, 3);
	assert_true(values[1].number > 3071 && values[1].number < 3073);
	assert_int_equal(sl_counter_get(counters, 0), 42);
	sl_counter_reader_close(reader);
	sl_counters_destroy(counters);
}

static void what_is_unknown_is_never_0(void **state)
{
	const bool unknown[] = { false, true };
	struct sl_counter_reader *reader;
	struct sl_counter_value values[2];
	enum sl_counter_state now;
	struct sl_counters *counters;

	(void)state;
	assert_int_equal(counters_create_unknown(&counters, "encoder", two,
						 unknown, 2, NULL),
			 SL_OK);
	reader = opened(sl_counters_path(counters));
	assert_int_equal(sl_counter_reader_read(reader, values, 2, &now, NULL),
			 SL_OK);
	assert_false(values[0].is_double);
	assert_int_equal(values[0].count, 0);
	assert_true(values[1].is_double && isnan(values[1].number));
	sl_counter_reader_close(reader);
	sl_counters_destroy(counters);
}

static void a_gauge_is_a_double(void **state)
{
	struct sl_counters *counters = published();
	struct sl_counter_reader *reader = opened(sl_counters_path(counters));
	struct sl_counter_value value;

	(void)state;
	sl_counter_set_double(counters, 0, 12.5);
	assert_int_equal(sl_counter_reader_read(reader, &value, 1, NULL, NULL),
			 SL_OK);
	assert_true(value.is_double);
	assert_true(value.number > 12.4 && value.number < 12.6);
	sl_counter_reader_close(reader);
	sl_counters_destroy(counters);
}

static void the_file_is_the_users_alone_and_goes_at_the_end(void **state)
{
	struct sl_counters *counters = published();
	struct sl_counter_reader *reader = opened(sl_counters_path(counters));
	struct sl_counter_value value;
	enum sl_counter_state now;
	struct stat status;
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s", sl_counters_path(counters));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	sl_counters_destroy(counters);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(sl_counter_reader_read(reader, &value, 1, &now, NULL),
			 SL_OK);
	assert_int_equal(now, SL_COUNTERS_ENDED);
	sl_counter_reader_close(reader);
}

static void a_program_that_was_killed_is_dead(void **state)
{
	char path[4096];
	struct sl_counter_reader *reader;
	struct sl_counter_value value;
	enum sl_counter_state now;
	int ready[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		struct sl_counters *counters = published();
		const char *own = sl_counters_path(counters);

		sl_counter_add(counters, 0, 7);
		(void)!write(ready[1], own, strlen(own) + 1);
		pause();
		_exit(0);
	}
	assert_true(read(ready[0], path, sizeof(path)) > 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	reader = opened(path);
	assert_int_equal(sl_counter_reader_read(reader, &value, 1, &now, NULL),
			 SL_OK);
	assert_int_equal(now, SL_COUNTERS_DEAD);
	assert_int_equal(value.count, 7);
	sl_counter_reader_close(reader);
	unlink(path);
	close(ready[0]);
	close(ready[1]);
}

static void a_forked_child_does_not_end_its_parents_counters(void **state)
{
	struct sl_counters *counters = published();
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		sl_counters_destroy(counters);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	assert_int_equal(access(sl_counters_path(counters), F_OK), 0);
	sl_counters_destroy(counters);
}

static void *count_up(void *counters)
{
	for (int at = 0; at < 100000; at++)
		sl_counter_add(counters, 0, 1);
	return NULL;
}

static void threads_lose_no_count(void **state)
{
	struct sl_counters *counters = published();
	pthread_t threads[4];

	(void)state;
	for (int at = 0; at < 4; at++)
		assert_int_equal(
			pthread_create(&threads[at], NULL, count_up, counters),
			0);
	for (int at = 0; at < 4; at++)
		pthread_join(threads[at], NULL);
	assert_int_equal(sl_counter_get(counters, 0), 400000);
	sl_counters_destroy(counters);
}

static void nothing_is_a_good_place_to_count(void **state)
{
	(void)state;
	sl_counter_add(NULL, 0, 1);
	sl_counter_set(NULL, 0, 1);
	sl_counter_set_double(NULL, 0, 1);
	assert_int_equal(sl_counter_get(NULL, 0), 0);
	assert_null(sl_counter_word(NULL, 0));
	assert_null(sl_counters_path(NULL));
	sl_counters_destroy(NULL);
}

static void names_that_cannot_be_are_refused(void **state)
{
	static const struct {
		struct sl_counter_def defs[2];
		const char *message;
	} cases[] = {
		{ { { "a b", "", 1 }, { "c", "", 1 } },
		  "counter 0: a name has 1 to 31 printable characters without "
		  "blanks and /\",: and starts with a letter" },
		{ { { "a", "", 1 }, { "a", "", 1 } },
		  "counter \"a\" is there twice" },
		{ { { "a", "packets per second", 1 }, { "b", "", 1 } },
		  "counter \"a\": a unit has at most 15 printable characters "
		  "without blanks and /\",:" },
		{ { { "a", "", -1 }, { "b", "", 1 } },
		  "counter \"a\": a scale is a number above 0" },
	};
	struct sl_counters *counters;
	struct sl_error error;

	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		assert_int_equal(sl_counters_create(&counters, "p",
						    cases[at].defs, 2, &error),
				 SL_EINVAL);
		assert_string_equal(error.message, cases[at].message);
		assert_null(counters);
	}
	assert_int_equal(sl_counters_create(&counters, "../p", two, 2, &error),
			 SL_EINVAL);
	assert_int_equal(sl_counters_create(&counters, "p", two, 0, &error),
			 SL_EINVAL);
	assert_string_equal(error.message,
			    "0 counters: 1 to 1024 are possible");
}

static void a_folder_that_others_may_write_is_refused(void **state)
{
	char own[4096];
	struct sl_counters *counters;
	struct sl_error error;

	(void)state;
	assert_true(sl_counters_folder(own, sizeof(own)));
	assert_int_equal(mkdir(own, 0700), 0);
	assert_int_equal(chmod(own, 0777), 0);
	assert_int_equal(sl_counters_create(&counters, "p", two, 2, &error),
			 SL_EIO);
	assert_non_null(strstr(error.message, "is not a folder that only this "
					      "user may write"));
	rmdir(own);
}

/* A good file with one thing changed. */
static void write_file(const char *path, size_t at, const void *bytes,
		       size_t count, size_t length)
{
	union {
		struct counter_file file;
		uint8_t bytes[128 * 3];
	} image;
	struct counter_head head = {
		.magic = "SLCOUNT",
		.order = COUNTER_ORDER,
		.count = 2,
		.process = 1,
		.state = COUNTER_FILE_LIVE,
		.program = "enemy",
	};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	memset(&image, 0, sizeof(image));
	head.magic[7] = '1';
	memcpy(image.bytes, &head, sizeof(head));
	for (int record = 0; record < 2; record++) {
		struct counter_record good = { .scale = 1,
					       .unit = "B",
					       .name = "n" };

		memcpy(image.bytes + 128 * (record + 1), &good, sizeof(good));
	}
	if (bytes)
		memcpy(image.bytes + at, bytes, count);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, image.bytes, length), (ssize_t)length);
	close(fd);
}

static void an_enemys_file_is_refused_with_its_place(void **state)
{
	static const uint8_t ones[64] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	};
	static const struct {
		size_t at, count, length;
		const char *message;
	} cases[] = {
		{ 0, 1, 384, "byte 0: not a counter file" },
		{ 8, 4, 384,
		  "byte 8: of a machine with another order of bytes" },
		{ 12, 4, 384, "byte 12: a number of counters that cannot be" },
		{ 16, 4, 384, "byte 16: a process that cannot be" },
		{ 20, 4, 384, "byte 20: a state that cannot be" },
		{ 64, 64, 384, "byte 64: a program's name that cannot be" },
		{ 192, 4, 384, "byte 192: flags that are not known" },
		{ 200, 8, 384, "byte 200: a scale that cannot be" },
		{ 208, 16, 384, "byte 208: a unit that cannot be" },
		{ 352, 32, 384, "byte 352: a name that cannot be" },
		{ 0, 0, 0, "byte 0: the file ends" },
		{ 0, 0, 127, "byte 127: the file ends" },
		{ 0, 0, 383, "byte 383: the file ends" },
	};
	struct sl_counter_reader *reader;
	struct sl_error error;
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/enemy.counters", folder);
	write_file(path, 0, NULL, 0, 384);
	sl_counter_reader_close(opened(path));
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		write_file(path, cases[at].at, ones, cases[at].count,
			   cases[at].length);
		assert_int_equal(sl_counter_reader_open(&reader, path, &error),
				 SL_EINVAL);
		assert_string_equal(error.message, cases[at].message);
		assert_null(reader);
	}
	unlink(path);
}

static void a_file_cut_short_while_it_is_read_is_an_error(void **state)
{
	struct sl_counter_reader *reader;
	struct sl_counter_value value;
	struct sl_error error;
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/cut.counters", folder);
	write_file(path, 0, NULL, 0, 384);
	reader = opened(path);
	assert_int_equal(truncate(path, 100), 0);
	assert_int_equal(
		sl_counter_reader_read(reader, &value, 1, NULL, &error),
		SL_EINVAL);
	assert_string_equal(error.message, "byte 100: the file ends");
	sl_counter_reader_close(reader);
	unlink(path);
}

static void what_is_no_file_is_refused(void **state)
{
	struct sl_counter_reader *reader;
	struct sl_error error;
	char path[4096], other[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/fifo.counters", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(sl_counter_reader_open(&reader, path, &error),
			 SL_EINVAL);
	unlink(path);
	snprintf(other, sizeof(other), "%s/real", folder);
	write_file(other, 0, NULL, 0, 384);
	assert_int_equal(symlink(other, path), 0);
	assert_int_equal(sl_counter_reader_open(&reader, path, &error), SL_EIO);
	unlink(path);
	unlink(other);
}

struct found {
	char text[256];
};

static bool note(void *context, const char *path,
		 struct sl_counter_reader *reader, const struct sl_error *error)
{
	struct found *found = context;
	size_t used = strlen(found->text);

	(void)path;
	snprintf(found->text + used, sizeof(found->text) - used, "%s;",
		 reader ? sl_counter_reader_program(reader)->program
			: error->message);
	return true;
}

static void a_walk_shows_all_and_says_what_is_broken(void **state)
{
	struct found found = { "" };
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/a.counters", folder);
	write_file(path, 0, NULL, 0, 384);
	snprintf(path, sizeof(path), "%s/b.counters", folder);
	write_file(path, 0, NULL, 0, 100);
	snprintf(path, sizeof(path), "%s/.c.new", folder);
	write_file(path, 0, NULL, 0, 10);
	assert_int_equal(sl_counters_walk(folder, note, &found, NULL), SL_OK);
	assert_string_equal(found.text, "enemy;byte 100: the file ends;");
	assert_int_equal(sl_counters_walk("/nowhere", note, &found, NULL),
			 SL_OK);
	unlink(path);
	snprintf(path, sizeof(path), "%s/a.counters", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/b.counters", folder);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_that_others_may_write_is_refused),
		cmocka_unit_test(a_reader_sees_what_was_counted),
		cmocka_unit_test(what_is_unknown_is_never_0),
		cmocka_unit_test(a_gauge_is_a_double),
		cmocka_unit_test(
			the_file_is_the_users_alone_and_goes_at_the_end),
		cmocka_unit_test(a_program_that_was_killed_is_dead),
		cmocka_unit_test(
			a_forked_child_does_not_end_its_parents_counters),
		cmocka_unit_test(threads_lose_no_count),
		cmocka_unit_test(nothing_is_a_good_place_to_count),
		cmocka_unit_test(names_that_cannot_be_are_refused),
		cmocka_unit_test(an_enemys_file_is_refused_with_its_place),
		cmocka_unit_test(a_file_cut_short_while_it_is_read_is_an_error),
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(a_walk_shows_all_and_says_what_is_broken),
	};
	int code;

	if (!mkdtemp(folder) || setenv("XDG_RUNTIME_DIR", folder, 1))
		return 1;
	code = cmocka_run_group_tests(tests, NULL, NULL);
	char own[64];

	snprintf(own, sizeof(own), "%s/sluice", folder);
	rmdir(own);
	rmdir(folder);
	return code;
}
