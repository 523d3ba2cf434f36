/* SPDX-License-Identifier: MIT */
/* Whole pipelines of small stages: what emit, hold, flush, failure and sharing
 * do to the output, which is the same for every number of workers.
 *
 * A trace of N lines has the line's number (from 0) as its ports, modulo 10000:
 * so an output line tells which packet it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sluice/pipeline.h"

static char folder[] = "/tmp/sluice-engine-XXXXXX";

static char *path_of(const char *name)
{
	static char paths[4][128];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static void write_trace(unsigned lines)
{
	FILE *file = fopen(path_of("in"), "w");

	assert_non_null(file);
	for (unsigned at = 0; at < lines; at++)
		fprintf(file, "eth%u 10.0.0.%u 10.1.0.%u %u %u udp\n", at % 4,
			at % 250, at % 99, at % 10000, at % 10000);
	assert_int_equal(fclose(file), 0);
}

/* How a pipeline is run. */
struct way {
	bool serial;
	unsigned workers, tokens, chunk;
};

static const struct way ways[] = {
	{ true, 1, 1, 100 },   { false, 1, 1, 100 },  { false, 1, 2, 100 },
	{ false, 2, 2, 100 },  { false, 3, 24, 100 }, { false, 8, 2, 100 },
	{ false, 8, 32, 100 },
};

static void write_config(const char *stages, const struct way *way)
{
	FILE *file = fopen(path_of("conf"), "w");

	assert_non_null(file);
	fprintf(file,
		"workers = %u;\ntokens = %u;\nchunk = %u;\n"
		"source = { plugin = \"trace_text\"; path = \"in\"; };\n"
		"stages = ( %s );\n"
		"sink = { plugin = \"trace_text\"; path = \"out\"; };\n",
		way->workers, way->tokens, way->chunk, stages);
	assert_int_equal(fclose(file), 0);
}

static void print_problem(void *context, const char *line)
{
	(void)context;
	print_error("%s\n", line);
}

static char *read_output(void)
{
	FILE *file = fopen(path_of("out"), "r");
	char *text = calloc(1, 1 << 24);
	size_t length;

	assert_non_null(file);
	assert_non_null(text);
	length = fread(text, 1, (1 << 24) - 1, file);
	assert_true(length < (1 << 24) - 1);
	fclose(file);
	return text;
}

/* What a run left: its output, its end, its figures. Owned, but for error. */
struct outcome {
	char *output;
	enum sl_code code;
	struct sl_error error;
	uint64_t in, out, dropped, held, emitted;
};

static struct outcome run(const char *stages, const struct way *way)
{
	struct outcome outcome = { .code = SL_OK };
	char *config = path_of("conf");
	struct sl_pipeline_settings settings = {
		.size = sizeof(settings),
		.config = config,
		.serial = way->serial,
		.problem = print_problem,
	};
	struct sl_pipeline *pipeline;
	const struct sl_stats *stats;

	write_config(stages, way);
	assert_int_equal(
		sl_pipeline_create(&pipeline, &settings, &outcome.error),
		SL_OK);
	outcome.code = sl_pipeline_open(pipeline, &outcome.error);
	if (outcome.code == SL_OK) {
		assert_int_equal(sl_pipeline_start(pipeline, &outcome.error),
				 SL_OK);
		assert_true(sl_pipeline_wait(pipeline, -1));
		outcome.code = sl_pipeline_result(pipeline, &outcome.error);
		stats = sl_pipeline_stats(pipeline);
		outcome.in = stats->packets_in;
		outcome.out = stats->packets_out;
		outcome.dropped = stats->packets_dropped;
		for (size_t at = 0; at < stats->stage_count; at++) {
			outcome.held += stats->stages[at]->held;
			outcome.emitted += stats->stages[at]->emitted;
		}
		outcome.output = read_output();
	}
	sl_pipeline_destroy(pipeline);
	return outcome;
}

/* The last column but one of each line: the packets, in their order. */
static size_t packets_of(const char *output, unsigned *packets, size_t max)
{
	size_t count = 0;

	for (const char *line = output; *line; line = strchr(line, '\n') + 1) {
		char nic[16], dst[16], src[16], word[16];
		unsigned dport;

		assert_true(count < max);
		assert_int_equal(sscanf(line, "%15s %15s %15s %u %u %15s", nic,
					dst, src, &dport, &packets[count],
					word),
				 6);
		count++;
	}
	return count;
}

static void assert_packets(const char *output, const unsigned *expected,
			   size_t count)
{
	unsigned *packets = calloc(count + 1, sizeof(*packets));

	assert_non_null(packets);
	assert_int_equal(packets_of(output, packets, count + 1), count);
	for (size_t at = 0; at < count; at++)
		assert_int_equal(packets[at], expected[at]);
	free(packets);
}

/* Run @p stages in every way. @return the first outcome; all others were the
 * same. */
static struct outcome run_every_way(const char *stages)
{
	struct outcome first = run(stages, &ways[0]);

	for (size_t at = 1; at < sizeof(ways) / sizeof(ways[0]); at++) {
		struct outcome other = run(stages, &ways[at]);

		assert_int_equal(other.code, first.code);
		assert_string_equal(other.output, first.output);
		if (first.code != SL_OK) {
			assert_string_equal(other.error.message,
					    first.error.message);
			assert_string_equal(other.error.input,
					    first.error.input);
			assert_int_equal(other.error.input_line,
					 first.error.input_line);
		}
		assert_int_equal(other.in, first.in);
		assert_int_equal(other.out, first.out);
		assert_int_equal(other.dropped, first.dropped);
		assert_int_equal(other.held, first.held);
		assert_int_equal(other.emitted, first.emitted);
		free(other.output);
	}
	return first;
}

static void an_emitted_packet_follows_the_one_that_brought_it(void **state)
{
	unsigned expected[2 * 1234];
	struct outcome outcome;

	(void)state;
	write_trace(1234);
	for (unsigned at = 0; at < 1234; at++) {
		expected[2 * at] = at;
		expected[2 * at + 1] = at + 10000;
	}
	outcome = run_every_way("{ plugin = \"pairs\"; }");
	assert_int_equal(outcome.code, SL_OK);
	assert_packets(outcome.output, expected, 2 * 1234);
	assert_int_equal(outcome.emitted, 1234);
	free(outcome.output);
}

static void emitted_packets_multiply_through_stages(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(500);
	outcome = run_every_way("{ plugin = \"pairs\"; }, { plugin = \"null\"; "
				"}, { plugin = \"late\"; every = 2; }");
	assert_int_equal(outcome.code, SL_OK);
	assert_int_equal(outcome.out, 1000);
	free(outcome.output);
}

/* Every third of 0 .. 9 is held until four packets have come after it:
 * 0 comes behind 4, 3 behind 7, and 6 and 9 at the end. */
static void a_held_packet_comes_out_where_it_is_let_go(void **state)
{
	static const unsigned expected[] = { 1, 2, 4, 0, 5, 7, 3, 8, 6, 9 };
	struct outcome outcome;

	(void)state;
	write_trace(10);
	outcome = run_every_way("{ plugin = \"late\"; }");
	assert_int_equal(outcome.code, SL_OK);
	assert_packets(outcome.output, expected, 10);
	assert_int_equal(outcome.held, 4);
	assert_int_equal(outcome.emitted, 4);
	free(outcome.output);
}

static void holding_across_chunks_loses_nothing(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(3210);
	outcome = run_every_way("{ plugin = \"late\"; every = 2; by = 555; }");
	assert_int_equal(outcome.code, SL_OK);
	assert_int_equal(outcome.out, 3210);
	free(outcome.output);
}

static void what_a_stage_gives_up_is_a_drop_by_name(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(100);
	outcome = run_every_way(
		"{ plugin = \"late\"; every = 1; by = 1000; room = 30; }");
	assert_int_equal(outcome.code, SL_OK);
	assert_int_equal(outcome.dropped, 70);
	assert_int_equal(outcome.out, 30);
	free(outcome.output);
}

/* 70,000 packets are more than one chunk can take at the end. */
static void a_flush_takes_as_many_chunks_as_it_needs(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(70000);
	outcome = run("{ plugin = \"late\"; every = 1; by = 1000000; }, "
		      "{ name = \"again\"; plugin = \"late\"; every = 1; "
		      "by = 1000000; }",
		      &ways[4]);
	assert_int_equal(outcome.code, SL_OK);
	assert_int_equal(outcome.out, 70000);
	assert_int_equal(outcome.held, 140000);
	free(outcome.output);
}

static void a_failure_lets_out_all_before_it_and_nothing_after(void **state)
{
	static const char *const steps[] = { "prepare", "commit", "finish" };
	unsigned expected[1234];

	(void)state;
	write_trace(3000);
	for (unsigned at = 0; at < 1234; at++)
		expected[at] = at;
	for (size_t at = 0; at < 3; at++) {
		char stages[256];
		struct outcome outcome;

		snprintf(stages, sizeof(stages),
			 "{ plugin = \"null\"; }, { plugin = \"fail\"; "
			 "step = \"%s\"; at = 1234; }",
			 steps[at]);
		outcome = run_every_way(stages);
		assert_int_equal(outcome.code, SL_EINVAL);
		assert_string_equal(outcome.error.message,
				    "stage \"fail\": packet 1234 is bad");
		assert_string_equal(outcome.error.input, path_of("in"));
		assert_int_equal(outcome.error.input_line, 1235);
		assert_packets(outcome.output, expected, 1234);
		free(outcome.output);
	}
}

static void
a_chunk_that_fails_as_a_whole_leaves_none_of_its_packets(void **state)
{
	unsigned expected[1200];
	struct outcome outcome;

	(void)state;
	write_trace(3000);
	for (unsigned at = 0; at < 1200; at++)
		expected[at] = at;
	outcome = run_every_way("{ plugin = \"fail\"; at = 1234; "
				"step = \"prepare\"; whole = true; }");
	assert_int_equal(outcome.code, SL_EINVAL);
	assert_string_equal(outcome.error.message,
			    "stage \"fail\": the chunk is bad");
	assert_int_equal(outcome.error.input_line, 1201);
	assert_packets(outcome.output, expected, 1200);
	free(outcome.output);
}

static void
the_first_failure_in_input_order_wins_over_one_found_earlier(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(3000);
	/* The first stage fails at a later packet than the second. */
	outcome = run_every_way(
		"{ name = \"a\"; plugin = \"fail\"; at = 1290; "
		"step = \"prepare\"; }, { name = \"b\"; plugin = \"fail\"; "
		"at = 1211; step = \"finish\"; }");
	assert_string_equal(outcome.error.message,
			    "stage \"b\": packet 1211 is bad");
	assert_int_equal(outcome.out, 1211);
	free(outcome.output);
}

static void a_stage_that_does_not_open_leaves_the_output_alone(void **state)
{
	FILE *file = fopen(path_of("out"), "w");
	struct outcome outcome;
	char *output;

	(void)state;
	fputs("precious\n", file);
	fclose(file);
	write_trace(10);
	outcome = run("{ plugin = \"fail\"; step = \"open\"; }", &ways[0]);
	assert_int_equal(outcome.code, SL_EIO);
	assert_string_equal(outcome.error.message,
			    "stage \"fail\": it does not open");
	output = read_output();
	assert_string_equal(output, "precious\n");
	free(output);
}

static void a_flush_that_fails_fails_the_run_behind_all_packets(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(1000);
	outcome = run_every_way("{ plugin = \"fail\"; step = \"flush\"; }");
	assert_int_equal(outcome.code, SL_EIO);
	assert_int_equal(outcome.out, 1000);
	free(outcome.output);
}

static void a_failure_without_a_word_is_still_a_failure(void **state)
{
	static const char *const steps[] = { "commit", "flush", "open" };

	(void)state;
	write_trace(100);
	for (size_t at = 0; at < 3; at++) {
		char stages[128];
		struct outcome outcome;

		snprintf(stages, sizeof(stages),
			 "{ plugin = \"fail\"; step = \"%s\"; whole = true; "
			 "silent = true; }",
			 steps[at]);
		outcome = run(stages, &ways[3]);
		assert_int_not_equal(outcome.code, SL_OK);
		assert_string_equal(outcome.error.message,
				    "stage \"fail\": failed without a message");
		free(outcome.output);
	}
}

static void a_flush_that_never_ends_is_a_failure(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(100);
	outcome = run_every_way("{ plugin = \"fail\"; step = \"more\"; }");
	assert_int_equal(outcome.code, SL_EINVAL);
	assert_string_equal(outcome.error.message,
			    "stage \"fail\": flush has more, but emits "
			    "nothing");
	assert_int_equal(outcome.out, 100);
	free(outcome.output);
}

/* One chunk and many workers: the long step is done in parts. */
static const struct way alone = { true, 1, 1, 3000 };
static const struct way shared = { false, 8, 8, 3000 };

static void assert_shared_as_alone(const char *stages)
{
	struct outcome one = run(stages, &alone);

	for (int round = 0; round < 5; round++) {
		struct outcome many = run(stages, &shared);

		assert_int_equal(one.code, many.code);
		assert_string_equal(one.output, many.output);
		assert_string_equal(one.error.message, many.error.message);
		assert_int_equal(one.error.input_line, many.error.input_line);
		assert_int_equal(one.dropped, many.dropped);
		free(many.output);
	}
	free(one.output);
}

static void a_chunk_shared_by_many_workers_comes_out_as_from_one(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(3000);
	assert_shared_as_alone("{ plugin = \"slow\"; rounds = 3000; }");
	outcome = run("{ plugin = \"slow\"; rounds = 30000; shared = true; }",
		      &shared);
	assert_int_equal(outcome.code, SL_OK);
	assert_int_equal(outcome.dropped, 428);
	free(outcome.output);
}

static void failures_in_parts_of_a_chunk_are_judged_by_the_whole(void **state)
{
	(void)state;
	write_trace(3000);
	assert_shared_as_alone("{ plugin = \"slow\"; rounds = 3000; "
			       "fault = \"packets\"; fail_from = 901; }");
	assert_shared_as_alone("{ plugin = \"slow\"; rounds = 3000; "
			       "fault = \"whole\"; fail_from = 901; }");
}

static void holding_in_a_parallel_step_fails_the_run(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(100);
	outcome = run_every_way("{ plugin = \"slow\"; rounds = 10; "
				"fault = \"hold\"; fail_from = 50; }");
	assert_int_equal(outcome.code, SL_EINVAL);
	assert_string_equal(outcome.error.message,
			    "stage \"slow\": sl_hold() is for commit, and "
			    "was called elsewhere");
	free(outcome.output);
}

/* Behind `late` a chunk has packets that are older than those it was cut
 * with; they fail with it. */
static void
a_chunk_that_fails_takes_along_what_was_emitted_into_it(void **state)
{
	static const struct way small = { false, 2, 4, 10 };
	struct outcome outcome;

	(void)state;
	write_trace(40);
	outcome = run("{ plugin = \"late\"; every = 3; by = 8; }, "
		      "{ plugin = \"fail\"; step = \"commit\"; whole = true; "
		      "at = 15; }",
		      &small);
	assert_int_equal(outcome.code, SL_EINVAL);
	/* Of the first two chunks: 0 and 12 held until 8 and 20, and so on; 15
	 * comes in the third, with 12. */
	assert_null(strstr(outcome.output, " 12 12 "));
	assert_null(strstr(outcome.output, " 15 15 "));
	assert_null(strstr(outcome.output, " 20 20 "));
	assert_non_null(strstr(outcome.output, " 9 9 "));
	free(outcome.output);
}

/* 70,000 held packets take two chunks of flush; the marker before them must
 * not flush twice. */
static void a_stage_that_has_flushed_is_not_asked_again(void **state)
{
	struct outcome outcome;
	const char *marker;

	(void)state;
	write_trace(70000);
	outcome = run("{ plugin = \"marker\"; }, { plugin = \"late\"; "
		      "every = 1; by = 1000000; }",
		      &ways[4]);
	assert_int_equal(outcome.code, SL_OK);
	assert_int_equal(outcome.out, 70001);
	marker = strstr(outcome.output, " 20000 ");
	assert_non_null(marker);
	assert_null(strstr(marker + 1, " 20000 "));
	free(outcome.output);
}

static void an_empty_trace_is_a_good_one(void **state)
{
	struct outcome outcome;

	(void)state;
	write_trace(0);
	outcome = run_every_way("{ plugin = \"late\"; }");
	assert_int_equal(outcome.code, SL_OK);
	assert_string_equal(outcome.output, "");
	free(outcome.output);
}

static int make_folder(void **state)
{
	(void)state;
	setenv("SLUICE_PLUGIN_PATH", STAGE_DIR, 1);
	return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
	static const char *const names[] = { "in", "out", "conf" };

	(void)state;
	for (size_t at = 0; at < 3; at++)
		unlink(path_of(names[at]));
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			an_emitted_packet_follows_the_one_that_brought_it),
		cmocka_unit_test(emitted_packets_multiply_through_stages),
		cmocka_unit_test(a_held_packet_comes_out_where_it_is_let_go),
		cmocka_unit_test(holding_across_chunks_loses_nothing),
		cmocka_unit_test(what_a_stage_gives_up_is_a_drop_by_name),
		cmocka_unit_test(a_flush_takes_as_many_chunks_as_it_needs),
		cmocka_unit_test(
			a_failure_lets_out_all_before_it_and_nothing_after),
		cmocka_unit_test(
			a_chunk_that_fails_as_a_whole_leaves_none_of_its_packets),
		cmocka_unit_test(
			the_first_failure_in_input_order_wins_over_one_found_earlier),
		cmocka_unit_test(
			a_stage_that_does_not_open_leaves_the_output_alone),
		cmocka_unit_test(
			a_flush_that_fails_fails_the_run_behind_all_packets),
		cmocka_unit_test(
			a_chunk_shared_by_many_workers_comes_out_as_from_one),
		cmocka_unit_test(
			failures_in_parts_of_a_chunk_are_judged_by_the_whole),
		cmocka_unit_test(holding_in_a_parallel_step_fails_the_run),
		cmocka_unit_test(
			a_chunk_that_fails_takes_along_what_was_emitted_into_it),
		cmocka_unit_test(a_stage_that_has_flushed_is_not_asked_again),
		cmocka_unit_test(a_failure_without_a_word_is_still_a_failure),
		cmocka_unit_test(a_flush_that_never_ends_is_a_failure),
		cmocka_unit_test(an_empty_trace_is_a_good_one),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
