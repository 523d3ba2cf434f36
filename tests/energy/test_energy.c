/* SPDX-License-Identifier: MIT */
/* The library with a meter and a clock of the test's own. */
#include "energy/fake.h"
#include "energy/near.h"

static void a_sum_adds_what_does_not_overlap(void **state)
{
	struct bench *bench = *state;
	struct sl_energy_span span;

	use(bench, two_packages, 3);
	mark(bench, &bench->from);
	bench->hands.now_ns += 10 * SECOND;
	bench->fake.counts[0] = 300000000;
	bench->fake.counts[1] = 200000000;
	bench->fake.counts[2] = 100000000;
	mark(bench, &bench->to);
	span = sum(bench);
	assert_true(span.valid);
	assert_near(span.energy_j, 400, 1e-9);
	assert_near(span.seconds, 10, 1e-3);
	assert_near(span.watts, 40, 1e-2);
	assert_int_equal(span.domains, 2);
	/* 5 % of both, which err together */
	assert_near(span.systematic_j, 20, 1e-9);
	/* sqrt(30^2 + 10^2) W for a millisecond at either end */
	assert_near(span.u_j, 0.0129, 1e-4);
	assert_string_equal(span.reason, "");
	assert_near(between(bench, 1).energy_j, 200, 1e-9);
}

static void domains_are_listed_with_what_is_known_of_them(void **state)
{
	struct bench *bench = *state;
	const struct sl_energy_domain *domain;

	use(bench, two_packages, 3);
	assert_int_equal(sl_energy_domain_count(bench->energy), 3);
	domain = sl_energy_domain(bench->energy, 0);
	assert_string_equal(domain->meter, "fake");
	assert_string_equal(domain->id, "0");
	assert_string_equal(domain->label, "0");
	assert_null(domain->parent);
	assert_string_equal(domain->overlap, "package-0");
	assert_int_equal(domain->quality, SL_QUALITY_ON_DIE);
	assert_near(domain->resolution_j, 61e-6, 0);
	assert_near(domain->update_s, 1e-3, 0);
	assert_near(domain->relative, 0.05, 0);
	assert_near(domain->wrap_j, 262143.328911, 1e-6);
	assert_true(domain->usable && domain->in_sum);
	domain = sl_energy_domain(bench->energy, 1);
	assert_string_equal(domain->parent, "0");
	assert_true(domain->usable && !domain->in_sum);
	assert_string_equal(domain->aside, "inside 0");
	assert_null(sl_energy_domain(bench->energy, 3));
}

static void readings_lie_between_two_clocks(void **state)
{
	struct bench *bench = *state;

	use(bench, two_packages, 3);
	mark(bench, &bench->from);
	for (size_t at = 0; at < 3; at++) {
		const struct sl_energy_reading *reading =
			&bench->from.readings[at];

		assert_int_equal(reading->after_ns - reading->before_ns, 1000);
		assert_true(reading->before_ns > 100 * SECOND);
	}
}

static void one_request_for_all_is_bracketed_itself(void **state)
{
	struct bench *bench = *state;

	bench->fake.domains = two_packages;
	bench->fake.count = 3;
	assert_int_equal(open_fake(bench, true, NULL), SL_OK);
	mark(bench, &bench->from);
	assert_int_equal(bench->fake.begun, 1);
	assert_int_equal(bench->from.readings[0].before_ns,
			 bench->from.readings[2].before_ns);
	assert_int_equal(bench->from.readings[0].after_ns,
			 bench->from.readings[2].after_ns);
	bench->fake.begin_code = SL_EIO;
	mark(bench, &bench->to);
	assert_int_equal(bench->fake.reads, 3);
	assert_string_equal(sum(bench).reason, "0: no answer in 2 s");
}

static void a_power_has_a_figure_as_often_as_it_is_read(void **state)
{
	static const struct sl_domain power = {
		.size = sizeof(power),
		.id = "p",
		.quality = SL_QUALITY_INTEGRATED,
		.form = SL_FORM_WATTS,
		.scope = SL_SCOPE_PART,
		.update_s = 0.1,
	};
	struct bench *bench = *state;

	use(bench, &power, 1);
	assert_int_equal(sl_energy_start(bench->energy, 0, NULL), SL_OK);
	assert_near(sl_energy_period(bench->energy), 1, 0);
	sl_energy_stop(bench->energy);
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	mark(bench, &bench->to);
	assert_near(sum(bench).update_s, 1, 0);
}

static void no_news_leave_the_last_reading(void **state)
{
	static const struct sl_domain model = {
		.size = sizeof(model),
		.id = "cpu",
		.quality = SL_QUALITY_MODEL,
		.form = SL_FORM_MEAN_WATTS,
		.scope = SL_SCOPE_PART,
		.update_s = 0.1,
		.relative = 0.3,
	};
	struct bench *bench = *state;
	int64_t before_ns;

	use(bench, &model, 1);
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	bench->fake.watts[0] = 12;
	mark(bench, &bench->to);
	before_ns = bench->to.readings[0].before_ns;
	assert_true(between(bench, 0).estimate);
	assert_near(between(bench, 0).energy_j, 12, 1e-3);
	assert_near(between(bench, 0).half_j, 3.6, 1e-3);
	bench->hands.now_ns += SECOND;
	bench->fake.codes[0] = SL_END;
	mark(bench, &bench->to);
	assert_int_equal(bench->to.readings[0].before_ns, before_ns);
	assert_near(bench->to.readings[0].energy_j, 12, 1e-3);
	bench->hands.now_ns += SECOND;
	bench->fake.codes[0] = SL_OK;
	mark(bench, &bench->to);
	assert_near(bench->to.readings[0].energy_j, 36, 1e-2);
}

static void
a_source_that_stopped_has_no_energy_of_what_came_before(void **state)
{
	static const struct sl_domain model = {
		.size = sizeof(model),
		.id = "cpu",
		.quality = SL_QUALITY_MODEL,
		.form = SL_FORM_MEAN_WATTS,
		.scope = SL_SCOPE_PART,
		.update_s = 0.1,
	};
	struct bench *bench = *state;

	use(bench, &model, 1);
	/* as with a thread that reads it every minute */
	sl_track_set_period(&bench->energy->places[0]->track, 60);
	mark(bench, &bench->from);
	bench->hands.now_ns += SECOND;
	bench->fake.watts[0] = 12;
	mark(bench, &bench->to);
	bench->fake.codes[0] = SL_END;
	bench->hands.now_ns += 19 * SECOND / 10;
	mark(bench, &bench->to);
	assert_true(between(bench, 0).valid);
	bench->hands.now_ns += SECOND;
	mark(bench, &bench->to);
	assert_false(between(bench, 0).valid);
	assert_string_equal(between(bench, 0).reason,
			    "nothing new came for 2.9 s");
	bench->hands.now_ns += SECOND;
	mark(bench, &bench->to);
	assert_string_equal(between(bench, 0).reason,
			    "nothing new came for 2.9 s");
	bench->fake.codes[0] = SL_OK;
	mark(bench, &bench->to);
	assert_string_equal(between(bench, 0).reason,
			    "the epoch changed: nothing new came for 2.9 s");
}

static void marks_of_other_meters_are_refused(void **state)
{
	struct bench *bench = *state;
	struct sl_energy_span span;
	struct sl_error error;

	mark(bench, &bench->from);
	use(bench, two_packages, 3);
	mark(bench, &bench->to);
	assert_int_equal(sl_energy_sum(bench->energy, &bench->from, &bench->to,
				       &span, &error),
			 SL_EINVAL);
	assert_string_equal(error.message,
			    "a mark that was not taken of these meters");
	mark(bench, &bench->from);
	assert_int_equal(sl_energy_between(bench->energy, 0, &bench->from,
					   &bench->to, &span, &error),
			 SL_EINVAL);
	assert_string_equal(error.message, "the marks are in the wrong order");
	assert_false(span.valid);
	assert_int_equal(sl_energy_between(bench->energy, 3, &bench->to,
					   &bench->from, &span, &error),
			 SL_EINVAL);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		test(a_sum_adds_what_does_not_overlap),
		test(domains_are_listed_with_what_is_known_of_them),
		test(readings_lie_between_two_clocks),
		test(one_request_for_all_is_bracketed_itself),
		test(a_power_has_a_figure_as_often_as_it_is_read),
		test(no_news_leave_the_last_reading),
		test(a_source_that_stopped_has_no_energy_of_what_came_before),
		test(marks_of_other_meters_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
