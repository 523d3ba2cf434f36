/* SPDX-License-Identifier: MIT */
/* What has no figure: meters that fail, are dead or describe nonsense, and a
 * machine that slept. */
#include "energy/fake.h"
#include "energy/near.h"

static void a_suspend_changes_every_epoch(void **state)
{
	struct bench *bench = *state;
	struct sl_energy_span span;

	use(bench, two_packages, 3);
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	bench->hands.slept_ns += 90 * SECOND;
	bench->fake.counts[0] = 10000000;
	mark(bench, &bench->to);
	span = sum(bench);
	assert_false(span.valid);
	assert_string_equal(span.reason,
			    "0: the epoch changed: the machine was suspended "
			    "for 90.0 s");
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	bench->fake.counts[0] = 30000000;
	bench->fake.counts[2] = 10000000;
	mark(bench, &bench->to);
	assert_true(sum(bench).valid);
	assert_near(sum(bench).energy_j, 30, 1e-9);
}

/* A clock that goes to sleep when the meter is read. */
static int64_t look_and_sleep(void *context)
{
	struct hands *hands = context;

	hands->slept_ns += 10 * SECOND;
	return look_at(context);
}

static void a_suspend_in_the_middle_of_a_round_is_noticed(void **state)
{
	struct bench *bench = *state;

	use(bench, two_packages, 1);
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	bench->fake.counts[0] = 10000000;
	bench->energy->clock.monotonic_ns = look_and_sleep;
	mark(bench, &bench->to);
	assert_false(sum(bench).valid);
	assert_string_equal(sum(bench).reason,
			    "0: the epoch changed: the machine was suspended "
			    "for 20.0 s");
}

static void a_domain_that_fails_has_a_reason_and_no_figure(void **state)
{
	struct bench *bench = *state;

	use(bench, two_packages, 3);
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	bench->fake.codes[2] = SL_EIO;
	mark(bench, &bench->to);
	assert_false(bench->to.readings[2].valid);
	assert_false(between(bench, 2).valid);
	assert_string_equal(between(bench, 2).reason, "it is?gone");
	assert_false(sum(bench).valid);
	assert_string_equal(sum(bench).reason, "0: the counter did not move");
}

static void what_cannot_be_used_is_listed_and_never_read(void **state)
{
	struct bench *bench = *state;
	const struct sl_energy_domain *domain;

	bench->fake.unusable = "energy_uj: Permission denied";
	use(bench, two_packages, 3);
	domain = sl_energy_domain(bench->energy, 2);
	assert_false(domain->usable);
	assert_false(domain->in_sum);
	assert_string_equal(domain->unusable, "energy_uj: Permission denied");
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	bench->fake.counts[0] = 10000000;
	mark(bench, &bench->to);
	assert_int_equal(bench->fake.reads, 4);
	assert_false(between(bench, 2).valid);
	assert_string_equal(between(bench, 2).reason,
			    "energy_uj: Permission denied");
	/* The sum says what it lacks. */
	assert_true(sum(bench).valid);
	assert_near(sum(bench).energy_j, 10, 1e-9);
	assert_string_equal(sum(bench).reason,
			    "missing from the sum: 1 (energy_uj: Permission "
			    "denied)");
}

static void with_nothing_to_add_there_is_no_sum(void **state)
{
	struct bench *bench = *state;

	mark(bench, &bench->from);
	mark(bench, &bench->to);
	assert_false(sum(bench).valid);
	assert_string_equal(sum(bench).reason, "no meter is open");
	bench->fake.unusable = "energy_uj: Permission denied";
	use(bench, two_packages, 1);
	mark(bench, &bench->from);
	mark(bench, &bench->to);
	assert_string_equal(sum(bench).reason,
			    "no domain can be used; 0: energy_uj: Permission "
			    "denied");
}

static void a_counter_that_stands_still_is_dead(void **state)
{
	struct bench *bench = *state;

	use(bench, two_packages, 1);
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND / 100;
	mark(bench, &bench->to);
	assert_true(between(bench, 0).valid);
	bench->hands.now_ns += SECOND;
	mark(bench, &bench->to);
	assert_false(between(bench, 0).valid);
	assert_string_equal(between(bench, 0).reason,
			    "the counter did not move");
}

static void a_meter_that_describes_nonsense_does_not_open(void **state)
{
	static const struct {
		struct sl_domain domains[2];
		size_t count;
		const char *message;
	} cases[] = {
		{ { { .size = 8 } },
		  1,
		  "meter \"fake\": domain \"\": it is too small" },
		{ { COUNTER(NULL, .relative = 0) },
		  1,
		  "meter \"fake\": domain \"\": it has no id" },
		{ { COUNTER("a", .label = NULL), COUNTER("a", .label = NULL) },
		  2,
		  "meter \"fake\": domain \"a\": it is there twice" },
		{ { COUNTER("a", .parent = "b") },
		  1,
		  "meter \"fake\": domain \"a\": its parent is not there" },
		{ { { .size = sizeof(struct sl_domain),
		      .id = "a",
		      .quality = 9 } },
		  1,
		  "meter \"fake\": domain \"a\": of no quality" },
		{ { { .size = sizeof(struct sl_domain),
		      .id = "a",
		      .quality = SL_QUALITY_MODEL,
		      .form = SL_FORM_COUNTER,
		      .scope = SL_SCOPE_PART } },
		  1,
		  "meter \"fake\": domain \"a\": counts without a unit" },
		{ { { .size = sizeof(struct sl_domain),
		      .id = "a",
		      .quality = SL_QUALITY_MODEL,
		      .form = SL_FORM_WATTS,
		      .scope = SL_SCOPE_PART,
		      .relative = -1 } },
		  1,
		  "meter \"fake\": domain \"a\": a figure is negative or "
		  "none" },
		{ { { .size = 0 } }, 0, "meter \"fake\": nothing to measure" },
	};
	struct bench *bench = *state;

	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_error error = { .message = "" };

		bench->fake.domains = cases[at].domains;
		bench->fake.count = cases[at].count;
		assert_int_not_equal(open_fake(bench, false, &error), SL_OK);
		assert_string_equal(error.message, cases[at].message);
		assert_int_equal(bench->fake.closed, at + 1);
		assert_int_equal(sl_energy_domain_count(bench->energy), 0);
	}
	bench->fake.domains = NULL;
	assert_int_equal(open_fake(bench, false, NULL), SL_EIO);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		test(a_suspend_changes_every_epoch),
		test(a_suspend_in_the_middle_of_a_round_is_noticed),
		test(a_domain_that_fails_has_a_reason_and_no_figure),
		test(what_cannot_be_used_is_listed_and_never_read),
		test(with_nothing_to_add_there_is_no_sum),
		test(a_counter_that_stands_still_is_dead),
		test(a_meter_that_describes_nonsense_does_not_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
