/* SPDX-License-Identifier: MIT */
/* The figures of a pipeline with meters, asked for while it runs, by a program
 * that runs one. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sluice/pipeline.h"

static char folder[] = "/tmp/sluice-meters-XXXXXX";

static FILE *make(const char *name)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	return file;
}

/* 20 W for a long time. */
static void write_recording(void)
{
	FILE *file = make("board.csv");

	fputs("time_s,board_joules\n", file);
	for (unsigned at = 0; at < 60000; at++)
		fprintf(file, "%.3f,%.3f\n", at * 0.005, at * 0.1);
	assert_int_equal(fclose(file), 0);
}

static void write_config(bool serial)
{
	FILE *file = make("conf");

	fprintf(file,
		"workers = %d;\nchunk = 10;\nmeter_period = \"1 ms\";\n"
		"idle_power = 1.0;\n"
		"source = { plugin = \"trace_text\"; path = \"in\"; };\n"
		"stages = ( { plugin = \"compute\"; size = 6; } );\n"
		"sink = { plugin = \"discard\"; };\n"
		"meters = ( { plugin = \"replay\"; file = \"board.csv\"; } "
		");\n",
		serial ? 1 : 4);
	assert_int_equal(fclose(file), 0);
}

static void print_problem(void *context, const char *line)
{
	(void)context;
	print_error("%s\n", line);
}

/* A pipeline that waits for its input, whose writing end is *fd. */
static struct sl_pipeline *start(bool serial, int *fd)
{
	char config[128], path[128];
	struct sl_pipeline_settings settings = {
		.size = sizeof(settings),
		.config = config,
		.serial = serial,
		.problem = print_problem,
	};
	struct sl_pipeline *pipeline;
	struct sl_error error;

	write_config(serial);
	snprintf(config, sizeof(config), "%s/conf", folder);
	snprintf(path, sizeof(path), "%s/in", folder);
	*fd = open(path, O_RDWR | O_CLOEXEC); /* waits for nobody */
	assert_true(*fd >= 0);
	assert_int_equal(sl_pipeline_create(&pipeline, &settings, &error),
			 SL_OK);
	assert_null(sl_pipeline_stats(pipeline));
	assert_int_equal(sl_pipeline_open(pipeline, &error), SL_OK);
	assert_null(sl_pipeline_stats(pipeline));
	assert_int_equal(sl_pipeline_start(pipeline, &error), SL_OK);
	return pipeline;
}

static void feed(int fd, unsigned packets)
{
	static const char line[] = "eth0 10.0.0.1 10.1.0.2 3 4 udp\n";

	for (unsigned at = 0; at < packets; at++)
		assert_int_equal(write(fd, line, sizeof(line) - 1),
				 (ssize_t)sizeof(line) - 1);
}

/* Ask until so many packets came out. */
static const struct sl_stats *stats_at(struct sl_pipeline *pipeline,
				       uint64_t packets)
{
	const struct sl_stats *stats;

	do {
		assert_false(sl_pipeline_wait(pipeline, 1));
		stats = sl_pipeline_stats(pipeline);
		assert_non_null(stats);
		assert_int_equal(stats->outcome, SL_RUNNING);
	} while (stats->packets_out < packets);
	return stats;
}

static void the_figures_so_far_can_be_had(bool serial)
{
	const struct sl_stats *stats;
	struct sl_energy_span sum;
	struct sl_pipeline *pipeline;
	struct sl_error error;
	int64_t busy_ns, elapsed_ns;
	int fd;

	pipeline = start(serial, &fd);
	feed(fd, 200);
	stats = stats_at(pipeline, 200);
	assert_true(stats->chunks >= 20);
	assert_true(stats->latency_max_ns > 0);
	assert_true(stats->elapsed_ns > 0);
	assert_true(stats->stages[0]->busy_ns > 0);
	assert_non_null(stats->energy);
	busy_ns = stats->stages[0]->busy_ns;
	elapsed_ns = stats->elapsed_ns;
	sum = stats->energy->sum;

	feed(fd, 2000);
	stats = stats_at(pipeline, 2200);
	assert_true(stats->stages[0]->busy_ns > busy_ns);
	assert_true(stats->elapsed_ns > elapsed_ns);
	assert_true(stats->energy->sum.seconds >= sum.seconds);
	assert_true(stats->energy->sum.energy_j >= sum.energy_j);
	sum = stats->energy->sum;

	assert_int_equal(close(fd), 0);
	assert_true(sl_pipeline_wait(pipeline, -1));
	stats = sl_pipeline_stats(pipeline);
	assert_int_equal(stats->outcome, SL_DONE);
	assert_int_equal(stats->packets_out, 2200);
	assert_true(stats->energy->sum.energy_j >= sum.energy_j);
	sum = stats->energy->sum;
	/* What is over does not go on. */
	stats = sl_pipeline_stats(pipeline);
	assert_memory_equal(&stats->energy->sum, &sum, sizeof(sum));
	assert_int_equal(sl_pipeline_result(pipeline, &error), SL_OK);
	sl_pipeline_destroy(pipeline);
}

static void the_figures_so_far_can_be_had_from_many_workers(void **state)
{
	(void)state;
	the_figures_so_far_can_be_had(false);
}

static void the_figures_so_far_can_be_had_from_the_plain_loop(void **state)
{
	(void)state;
	the_figures_so_far_can_be_had(true);
}

static void a_region_without_packets_yet_has_no_ratio(void **state)
{
	const struct sl_stats *stats;
	struct sl_pipeline *pipeline;
	int fd;

	(void)state;
	pipeline = start(false, &fd);
	stats = stats_at(pipeline, 0);
	assert_non_null(stats->energy);
	assert_non_null(stats->energy->no_ratio);
	assert_non_null(stats->energy->no_shares);
	assert_false(stats->energy->packets_per_j.valid);
	sl_pipeline_stop(pipeline);
	assert_true(sl_pipeline_wait(pipeline, -1));
	stats = sl_pipeline_stats(pipeline);
	assert_int_equal(stats->outcome, SL_STOPPED);
	assert_int_equal(close(fd), 0);
	sl_pipeline_destroy(pipeline);
}

static void a_pipeline_may_be_destroyed_with_its_meters_open(void **state)
{
	char config[128];
	struct sl_pipeline_settings settings = {
		.size = sizeof(settings),
		.config = config,
		.publish = "test_meters",
	};
	struct sl_pipeline *pipeline;
	struct sl_error error;
	int fd;

	(void)state;
	pipeline = start(false, &fd);
	sl_pipeline_stop(pipeline);
	assert_true(sl_pipeline_wait(pipeline, -1));
	sl_pipeline_destroy(pipeline);

	snprintf(config, sizeof(config), "%s/conf", folder);
	assert_int_equal(sl_pipeline_create(&pipeline, &settings, &error),
			 SL_OK);
	assert_int_equal(sl_pipeline_open(pipeline, &error), SL_OK);
	sl_pipeline_destroy(pipeline); /* opened, never started */
	assert_int_equal(close(fd), 0);
}

static int setup(void **state)
{
	char path[128];

	(void)state;
	if (!mkdtemp(folder))
		return 1;
	setenv("XDG_RUNTIME_DIR", folder, 1);
	snprintf(path, sizeof(path), "%s/in", folder);
	write_recording();
	return mkfifo(path, 0600);
}

static int teardown(void **state)
{
	static const char *const names[] = { "in", "conf", "board.csv",
					     "sluice" };
	char path[128];

	(void)state;
	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[at]);
		remove(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_figures_so_far_can_be_had_from_many_workers),
		cmocka_unit_test(
			the_figures_so_far_can_be_had_from_the_plain_loop),
		cmocka_unit_test(a_region_without_packets_yet_has_no_ratio),
		cmocka_unit_test(
			a_pipeline_may_be_destroyed_with_its_meters_open),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
