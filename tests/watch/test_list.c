/* SPDX-License-Identifier: MIT */
/* Which programs there are, and which is looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "sluice/counter.h"
#include "watch/list.h"
#include "watch/pipeline.h"

static const struct sl_counter_def pipeline_defs[] = {
	{ .name = "packets_in", .unit = "packet" },
	{ .name = "packets_out", .unit = "packet" },
	{ .name = "packets_dropped", .unit = "packet" },
};
static const struct sl_counter_def other_defs[] = {
	{ .name = "frames", .unit = "frame" },
};

static struct sl_counters *publish(const char *program)
{
	bool pipeline = strcmp(program, "runpipe") == 0;
	struct sl_counters *counters;
	struct sl_error error;

	assert_int_equal(
		sl_counters_create(&counters, program,
				   pipeline ? pipeline_defs : other_defs,
				   pipeline ? 3 : 1, &error),
		SL_OK);
	return counters;
}

static const struct sl_watch_program *refreshed(struct sl_watch_list *list)
{
	struct sl_error error;

	assert_int_equal(sl_watch_refresh(list, &error), SL_OK);
	return sl_watch_chosen(list);
}

static void without_programs_nothing_is_chosen(void **state)
{
	struct sl_watch_list list = { .folder = NULL };

	(void)state;
	assert_null(refreshed(&list));
	sl_watch_choose(&list, 1);
	assert_null(sl_watch_chosen(&list));
	sl_watch_list_finish(&list);
}

static void the_newest_pipeline_is_chosen_before_other_programs(void **state)
{
	struct sl_counters *old = publish("runpipe");
	struct sl_counters *encoder = publish("encoder");
	struct sl_watch_list list = { .folder = NULL };
	struct sl_counters *newest;

	(void)state;
	assert_true(sl_watch_is_pipeline(refreshed(&list)));
	/* One that comes later does not take the screen from it. */
	newest = publish("runpipe");
	sl_counter_set(newest, 0, 7);
	assert_int_equal(refreshed(&list)->counters[0].value.count, 0);
	assert_int_equal(list.count, 3);
	sl_watch_list_finish(&list);
	assert_int_equal(refreshed(&list)->counters[0].value.count, 7);
	sl_watch_list_finish(&list);
	sl_counters_destroy(old);
	sl_counters_destroy(encoder);
	sl_counters_destroy(newest);
}

static void a_pipeline_that_ends_stays_with_its_last_figures(void **state)
{
	struct sl_watch_list list = { .folder = NULL };
	struct sl_counters *counters = publish("runpipe");
	const struct sl_watch_program *program = refreshed(&list);
	struct sl_counters *other;

	(void)state;
	assert_int_equal(program->state, SL_WATCH_LIVE);
	(void)refreshed(&list);
	sl_counter_set(counters, 0, 42);
	sl_counters_destroy(counters);
	other = publish("runpipe");
	program = refreshed(&list);
	assert_int_equal(program->state, SL_WATCH_ENDED);
	assert_int_equal(program->counters[0].value.count, 42);
	sl_watch_choose(&list, 1);
	assert_int_equal(refreshed(&list)->state, SL_WATCH_LIVE);
	sl_watch_choose(&list, -1);
	assert_int_equal(refreshed(&list)->state, SL_WATCH_ENDED);
	sl_watch_list_finish(&list);
	sl_counters_destroy(other);
}

static void a_name_or_a_process_picks_programs(void **state)
{
	struct sl_counters *pipeline = publish("runpipe");
	struct sl_counters *encoder = publish("encoder");
	struct sl_watch_list list = { .name = "encoder" };

	(void)state;
	assert_string_equal(refreshed(&list)->about.program, "encoder");
	assert_int_equal(list.count, 1);
	sl_watch_list_finish(&list);
	list = (struct sl_watch_list){ .process = getpid() };
	(void)refreshed(&list);
	assert_int_equal(list.count, 2);
	sl_watch_list_finish(&list);
	list = (struct sl_watch_list){ .process = 1 };
	assert_null(refreshed(&list));
	sl_watch_list_finish(&list);
	sl_counters_destroy(pipeline);
	sl_counters_destroy(encoder);
}

static void a_file_that_is_none_is_told_of(void **state)
{
	struct sl_watch_list list = { .folder = NULL };
	char folder[4000], path[4096];
	int fd;

	(void)state;
	assert_true(sl_counters_folder(folder, sizeof(folder)));
	(void)snprintf(path, sizeof(path), "%s/bad.counters", folder);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_null(refreshed(&list));
	assert_int_equal(list.unreadable, 1);
	assert_string_equal(list.why, "bad.counters: byte 0: the file ends");
	assert_int_equal(unlink(path), 0);
	assert_null(refreshed(&list));
	assert_int_equal(list.unreadable, 0);
	sl_watch_list_finish(&list);
}

static void a_file_that_is_spoiled_is_lost_and_may_come_back(void **state)
{
	struct sl_watch_list list = { .folder = NULL };
	struct sl_counters *counters = publish("runpipe");
	int fd = open(sl_counters_path(counters), O_WRONLY);

	(void)state;
	sl_counter_set(counters, 0, 42);
	assert_int_equal(refreshed(&list)->state, SL_WATCH_LIVE);
	assert_int_equal(pwrite(fd, "X", 1, 0), 1);
	assert_int_equal(refreshed(&list)->state, SL_WATCH_LOST);
	assert_string_equal(sl_watch_chosen(&list)->why,
			    "byte 0: not a counter file");
	assert_int_equal(sl_watch_chosen(&list)->counters[0].value.count, 42);
	assert_int_equal(pwrite(fd, "S", 1, 0), 1);
	assert_int_equal(refreshed(&list)->state, SL_WATCH_LIVE);
	assert_int_equal(list.count, 1);
	close(fd);
	sl_watch_list_finish(&list);
	sl_counters_destroy(counters);
}

static void programs_that_ended_make_room(void **state)
{
	struct sl_watch_list list = { .folder = NULL };
	struct sl_counters *first = publish("runpipe");

	(void)state;
	(void)refreshed(&list);
	for (int at = 0; at < 2 * SL_WATCH_PROGRAMS; at++) {
		struct sl_counters *other = publish("encoder");

		assert_true(sl_watch_is_pipeline(refreshed(&list)));
		assert_int_equal(list.left_out, 0);
		sl_counters_destroy(other);
	}
	assert_true(list.count <= SL_WATCH_PROGRAMS);
	sl_watch_list_finish(&list);
	sl_counters_destroy(first);
}

static void more_programs_than_fit_are_counted(void **state)
{
	struct sl_counters *all[SL_WATCH_PROGRAMS + 3];
	struct sl_watch_list list = { .folder = NULL };

	(void)state;
	for (size_t at = 0; at < SL_WATCH_PROGRAMS + 3; at++)
		all[at] = publish("encoder");
	(void)refreshed(&list);
	assert_int_equal(list.count, SL_WATCH_PROGRAMS);
	assert_int_equal(list.left_out, 3);
	sl_watch_list_finish(&list);
	for (size_t at = 0; at < SL_WATCH_PROGRAMS + 3; at++)
		sl_counters_destroy(all[at]);
}

static int begin(void **state)
{
	static char folder[] = "/tmp/sluice-test-XXXXXX";

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	return setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int end(void **state)
{
	char folder[4096];

	(void)state;
	if (!sl_counters_folder(folder, sizeof(folder)))
		return -1;
	(void)rmdir(folder);
	return rmdir(getenv("XDG_RUNTIME_DIR"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_programs_nothing_is_chosen),
		cmocka_unit_test(
			the_newest_pipeline_is_chosen_before_other_programs),
		cmocka_unit_test(
			a_pipeline_that_ends_stays_with_its_last_figures),
		cmocka_unit_test(a_name_or_a_process_picks_programs),
		cmocka_unit_test(a_file_that_is_none_is_told_of),
		cmocka_unit_test(
			a_file_that_is_spoiled_is_lost_and_may_come_back),
		cmocka_unit_test(programs_that_ended_make_room),
		cmocka_unit_test(more_programs_than_fit_are_counted),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
