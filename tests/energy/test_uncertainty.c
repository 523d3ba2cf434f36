/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "energy/near.h"
#include "energy/uncertainty.h"

#define SECOND INT64_C(1000000000)

static void an_interval_follows_the_shape_of_the_errors(void **unused)
{
	struct sl_error_sum nothing = { 0, 0 }, one = { 0, 0 };
	struct sl_error_sum two = { 0, 0 }, normal = { 0, 0 };

	(void)unused;
	assert_near(sl_error_half95(&nothing), 0, 0);
	sl_error_add_uniform(&one, 1);
	assert_near(one.variance, 1.0 / 12, 1e-12);
	/* Two of the same width make a triangle, whose true figure is 0.7764;
	 * the expansion gives 0.7834. */
	sl_error_add_uniform(&two, 1);
	sl_error_add_uniform(&two, 1);
	assert_near(sl_error_half95(&two), 0.7834, 1e-4);
	sl_error_add_normal(&normal, 4);
	assert_near(sl_error_half95(&normal), 3.91993, 1e-5);
}

static struct sl_energy_reading reading(double energy_j, int64_t at_s)
{
	return (struct sl_energy_reading){
		.valid = true,
		.energy_j = energy_j,
		.before_ns = at_s * SECOND,
		.after_ns = at_s * SECOND,
		.watts = -1,
		.local_w = -1,
	};
}

static struct sl_domain counter(void)
{
	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.id = "0",
		.quality = SL_QUALITY_MEASURED,
		.form = SL_FORM_COUNTER,
		.scope = SL_SCOPE_PART,
		.unit_j = 1,
	};
}

static struct sl_energy_span span(const struct sl_domain *domain,
				  const struct sl_energy_reading *from,
				  const struct sl_energy_reading *to)
{
	struct sl_error_sum errors = { 0, 0 };
	struct sl_energy_span set;

	sl_span_set(&set, domain, from, to, &errors);
	assert_near(errors.variance, set.u_j * set.u_j, 1e-9);
	return set;
}

static void each_source_of_error_has_its_share(void **unused)
{
	struct sl_domain domain = counter();
	struct sl_energy_reading from = reading(0, 0), to = reading(600, 60);
	struct sl_energy_span got = span(&domain, &from, &to);

	(void)unused;
	assert_true(got.valid);
	assert_near(got.energy_j, 600, 0);
	assert_near(got.seconds, 60, 0);
	assert_near(got.watts, 10, 0);
	assert_near(got.u_j, 0.408248, 1e-6); /* 1 J, twice: sqrt(2 / 12) */
	domain.resolution_j = 2;
	assert_near(span(&domain, &from, &to).u_j, 0.816497, 1e-6);
	domain.resolution_j = 1e-9;
	domain.update_s = 0.1; /* 1 J at 10 W */
	assert_near(span(&domain, &from, &to).u_j, 0.408248, 1e-6);
	/* 40 W less at the end: the ages' means differ by 2 J */
	from.local_w = 50;
	to.local_w = 10;
	assert_near(span(&domain, &from, &to).u_j, 2.041241, 1e-6);
	to.local_w = -1;
	domain.update_s = 0;
	domain.noise_j = 5;
	assert_near(span(&domain, &from, &to).u_j, 1, 1e-6);
	domain.noise_j = 0;
	/* 0.2 s between the clocks around each: 2 J at 10 W */
	from.before_ns = -SECOND / 10;
	from.after_ns = SECOND / 10;
	to.before_ns -= SECOND / 10;
	to.after_ns += SECOND / 10;
	assert_near(span(&domain, &from, &to).u_j, 0.816497, 1e-6);
}

static void the_calibration_stands_apart(void **unused)
{
	struct sl_domain domain = counter();
	struct sl_energy_reading from = reading(0, 0), to = reading(600, 60);
	struct sl_energy_span got;

	(void)unused;
	domain.relative = 0.05;
	got = span(&domain, &from, &to);
	assert_near(got.systematic_j, 30, 1e-9);
	assert_near(got.random_j, 0.7834, 1e-4);
	assert_near(got.half_j, 30.0102, 1e-4);
	assert_false(got.estimate);
	domain.quality = SL_QUALITY_MODEL;
	assert_true(span(&domain, &from, &to).estimate);
}

static void an_integrated_power_has_the_doubt_of_its_steps(void **unused)
{
	struct sl_domain domain = counter();
	struct sl_energy_reading from = reading(0, 0), to = reading(600, 60);

	(void)unused;
	domain.form = SL_FORM_WATTS;
	domain.update_s = 0.5;
	from.variance_j2 = 5;
	to.variance_j2 = 14;
	assert_near(span(&domain, &from, &to).u_j, 3, 1e-9);
	from.watts = 10;
	to.watts = 16; /* 3 J in half a second, one of them is old */
	assert_near(span(&domain, &from, &to).u_j, 3.122499, 1e-6);
}

static void what_has_no_figure_has_a_reason(void **unused)
{
	struct sl_domain domain = counter();
	struct sl_energy_reading from = reading(0, 0), to = reading(600, 60);
	struct sl_energy_span got;

	(void)unused;
	to.epoch = 1;
	strncat(to.reason, "the store was filled", sizeof(to.reason) - 1);
	got = span(&domain, &from, &to);
	assert_false(got.valid);
	assert_string_equal(got.reason,
			    "the epoch changed: the store was filled");
	assert_near(got.energy_j, 0, 0);
	to = reading(600, 60);
	from.valid = false;
	strncat(from.reason, "not read yet", sizeof(from.reason) - 1);
	assert_string_equal(span(&domain, &from, &to).reason, "not read yet");
	from = reading(0, 60);
	assert_string_equal(span(&domain, &from, &to).reason,
			    "no time passed between the readings");
	domain.quality = SL_QUALITY_ON_DIE;
	domain.update_s = 1;
	from = reading(600, 39);
	assert_string_equal(span(&domain, &from, &to).reason,
			    "the counter did not move");
	from = reading(600, 40);
	assert_true(span(&domain, &from, &to).valid);
}

static void a_counter_that_was_not_renewed_is_no_0(void **unused)
{
	struct sl_domain domain = counter();
	struct sl_energy_reading from = reading(0, 0), to = reading(0, 1);

	(void)unused;
	domain.quality = SL_QUALITY_MEASURED;
	domain.update_s = 1;
	assert_false(span(&domain, &from, &to).valid);
	assert_string_equal(span(&domain, &from, &to).reason,
			    "the meter was not renewed between the readings");
	to = reading(0, 2);
	assert_true(span(&domain, &from, &to).valid);
	to = reading(1, 1);
	assert_true(span(&domain, &from, &to).valid);
	to = reading(0, 1);
	to.raw = -1; /* it trembled, so it is new */
	assert_true(span(&domain, &from, &to).valid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_follows_the_shape_of_the_errors),
		cmocka_unit_test(each_source_of_error_has_its_share),
		cmocka_unit_test(the_calibration_stands_apart),
		cmocka_unit_test(
			an_integrated_power_has_the_doubt_of_its_steps),
		cmocka_unit_test(what_has_no_figure_has_a_reason),
		cmocka_unit_test(a_counter_that_was_not_renewed_is_no_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
