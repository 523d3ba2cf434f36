/* SPDX-License-Identifier: MIT */
/* Normalising: what of a finding is made relative, and which are folded. */
#include "read/normal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/fold.h"

/* What was handed on, a line a finding. */
struct log {
	char text[4096];
	size_t findings;
	int64_t repeats; /* of all findings */
	enum sl_code answer;
};

static enum sl_code note(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct log *log = context;
	size_t used = strlen(log->text);

	(void)error;
	log->findings++;
	log->repeats += finding->repeats;
	snprintf(log->text + used, sizeof(log->text) - used,
		 "%s %s:%lld x%lld %s", finding->tool,
		 finding->path ? finding->path : "", (long long)finding->line,
		 (long long)finding->repeats, finding->message);
	for (size_t at = 0; at < finding->unit_count; at++) {
		used = strlen(log->text);
		snprintf(log->text + used, sizeof(log->text) - used, " unit=%s",
			 finding->units[at]);
	}
	for (size_t at = 0; at < finding->event_count; at++) {
		used = strlen(log->text);
		snprintf(log->text + used, sizeof(log->text) - used, " at=%s",
			 finding->events[at].path ? finding->events[at].path
						  : "none");
	}
	used = strlen(log->text);
	snprintf(log->text + used, sizeof(log->text) - used, "\n");
	return log->answer;
}

static struct sg_normal *normal_of(struct log *log, const char *root)
{
	const struct sg_normal_settings settings = { .root = root };
	struct sl_error error = { 0 };
	struct sg_normal *normal;

	assert_int_equal(
		sg_normal_create(&normal, &settings, note, log, &error), SL_OK);
	return normal;
}

static void give(struct sg_normal *normal, const struct sg_finding *finding)
{
	struct sl_error error = { 0 };

	assert_int_equal(sg_normal_take(normal, finding, &error), SL_OK);
}

static void flush(struct sg_normal *normal)
{
	struct sl_error error = { 0 };

	assert_int_equal(sg_normal_flush(normal, &error), SL_OK);
}

static struct sg_finding leak(const char *message, int64_t line)
{
	return (struct sg_finding){ .tool = "memcheck",
				    .rule = "Leak_DefinitelyLost",
				    .message = message,
				    .path = "src/a.c",
				    .line = line,
				    .repeats = 1 };
}

static void units_and_events_are_made_relative_too(void **unused)
{
	static const char *const units[] = { "./src/a.c", "build/../b.c" };
	static const struct sg_event events[] = {
		{ .path = "src/../src/a.c" },
		{ .message = "a note without a place" },
	};
	const struct sg_finding finding = { .tool = "gcc",
					    .message = "m",
					    .path = "./src/a.c",
					    .line = 3,
					    .units = units,
					    .unit_count = 2,
					    .events = events,
					    .event_count = 2,
					    .repeats = 1 };
	struct log log = { .answer = SL_OK };
	struct sg_normal *normal = normal_of(&log, "/builds/us");

	(void)unused;
	give(normal, &finding);
	assert_string_equal(log.text, "gcc src/a.c:3 x1 m unit=src/a.c "
				      "unit=b.c at=src/a.c at=none\n");
	sg_normal_destroy(normal);
}

static void without_a_root_paths_stay(void **unused)
{
	struct sg_finding finding = { .tool = "gcc",
				      .message = "m",
				      .path = "./src//a.c",
				      .repeats = 1 };
	struct log log = { .answer = SL_OK };
	struct sg_normal *normal = normal_of(&log, NULL);

	(void)unused;
	give(normal, &finding);
	assert_string_equal(log.text, "gcc ./src//a.c:0 x1 m\n");
	sg_normal_destroy(normal);
}

static void a_dynamic_checkers_repeats_become_a_count(void **unused)
{
	struct sg_finding findings[] = {
		leak("40 bytes in 1 blocks at 0x4a3b", 7),
		leak("another", 8),
		leak("12 bytes in 3 blocks at 0x77ff", 7),
		leak("12 bytes in 3 blobs at 0x77ff", 7),
	};
	struct log log = { .answer = SL_OK };
	struct sg_normal *normal = normal_of(&log, NULL);

	(void)unused;
	findings[2].repeats = 5;
	for (size_t at = 0; at < 4; at++)
		give(normal, &findings[at]);
	assert_string_equal(log.text, "");
	flush(normal);
	assert_string_equal(log.text,
			    "memcheck src/a.c:7 x6 40 bytes in 1 blocks at "
			    "0x4a3b\n"
			    "memcheck src/a.c:8 x1 another\n"
			    "memcheck src/a.c:7 x1 12 bytes in 3 blobs at "
			    "0x77ff\n");
	sg_normal_destroy(normal);
}

static void other_stacks_and_other_words_are_no_repeats(void **unused)
{
	static const struct sg_event one = { .path = "x.c", .line = 1 };
	static const struct sg_event other = { .path = "x.c", .line = 2 };
	struct sg_finding findings[] = { leak("m", 7), leak("m", 7),
					 leak("4 bytes", 0),
					 leak("5 bytes", 0) };
	struct log log = { .answer = SL_OK };
	struct sg_normal *normal = normal_of(&log, NULL);

	(void)unused;
	findings[0].events = &one;
	findings[0].event_count = 1;
	findings[1].events = &other;
	findings[1].event_count = 1;
	for (size_t at = 0; at < 4; at++)
		give(normal, &findings[at]);
	flush(normal);
	assert_int_equal(log.findings, 4);
	sg_normal_destroy(normal);
}

static void a_compilers_findings_pass_at_once_and_are_not_folded(void **unused)
{
	struct sg_finding finding = leak("m", 7);
	struct log log = { .answer = SL_OK };
	struct sg_normal *normal = normal_of(&log, NULL);

	(void)unused;
	finding.tool = "gcc";
	give(normal, &finding);
	give(normal, &finding);
	assert_int_equal(log.findings, 2);
	sg_normal_destroy(normal);
}

static void folding_is_bounded_and_loses_no_count(void **unused)
{
	enum { DIFFERENT = 3 * SG_FOLD_FINDINGS };
	struct log log = { .answer = SL_OK };
	struct sg_normal *normal = normal_of(&log, NULL);

	(void)unused;
	for (int64_t round = 0; round < 2; round++)
		for (int64_t line = 1; line <= DIFFERENT; line++) {
			struct sg_finding finding = leak("m", line);

			give(normal, &finding);
			give(normal, &finding);
			log.text[0] = '\0';
		}
	assert_int_equal(log.findings, 2 * DIFFERENT - SG_FOLD_FINDINGS);
	flush(normal);
	assert_int_equal(log.findings, 2 * DIFFERENT);
	assert_int_equal(log.repeats, 4 * DIFFERENT);
	sg_normal_destroy(normal);
}

static void large_findings_leave_before_many_are_held(void **unused)
{
	enum { LONG = 1 << 20 };
	char *message = malloc(LONG + 1);
	struct log log = { .answer = SL_OK };
	struct sg_normal *normal = normal_of(&log, NULL);

	(void)unused;
	assert_non_null(message);
	memset(message, 'x', LONG);
	message[LONG] = '\0';
	for (int64_t line = 1; line <= 20; line++) {
		struct sg_finding finding = leak(message, line);

		give(normal, &finding);
		log.text[0] = '\0';
	}
	assert_int_equal(log.findings, 5);
	sg_normal_destroy(normal);
	free(message);
}

static void what_the_taker_answers_comes_back(void **unused)
{
	struct sg_finding finding = leak("m", 7);
	struct log log = { .answer = SL_ESTOPPED };
	struct sg_normal *normal = normal_of(&log, NULL);
	struct sl_error error = { 0 };

	(void)unused;
	give(normal, &finding);
	assert_int_equal(sg_normal_flush(normal, &error), SL_ESTOPPED);
	finding.tool = "gcc";
	assert_int_equal(sg_normal_take(normal, &finding, &error), SL_ESTOPPED);
	sg_normal_destroy(normal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_and_events_are_made_relative_too),
		cmocka_unit_test(without_a_root_paths_stay),
		cmocka_unit_test(a_dynamic_checkers_repeats_become_a_count),
		cmocka_unit_test(other_stacks_and_other_words_are_no_repeats),
		cmocka_unit_test(
			a_compilers_findings_pass_at_once_and_are_not_folded),
		cmocka_unit_test(folding_is_bounded_and_loses_no_count),
		cmocka_unit_test(large_findings_leave_before_many_are_held),
		cmocka_unit_test(what_the_taker_answers_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
