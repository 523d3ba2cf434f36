/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "energy/near.h"
#include "energy/track.h"

#define SECOND INT64_C(1000000000)

static struct sl_domain counter_domain(void)
{
	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.id = "0",
		.quality = SL_QUALITY_ON_DIE,
		.form = SL_FORM_COUNTER,
		.scope = SL_SCOPE_PART,
		.unit_j = 1e-6,
		.modulus = 262143328911,
		.resolution_j = 61e-6,
		.update_s = 1e-3,
		.power_max_w = 1000,
	};
}

static struct sl_domain power_domain(void)
{
	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.id = "p",
		.quality = SL_QUALITY_INTEGRATED,
		.form = SL_FORM_WATTS,
		.scope = SL_SCOPE_PART,
		.update_s = 0.1,
	};
}

static struct sl_domain store_domain(void)
{
	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.id = "BAT0",
		.quality = SL_QUALITY_MEASURED,
		.form = SL_FORM_STORE,
		.scope = SL_SCOPE_PLATFORM,
		.unit_j = 0.0036,
		.resolution_j = 36,
		.update_s = 5,
	};
}

static void put_count(struct sl_track *track, int64_t at_s, uint64_t count)
{
	const struct sl_sample sample = {
		.size = sizeof(sample),
		.count = count,
		.unit_j = 0.0036,
	};

	sl_track_sample(track, &sample, at_s * SECOND, at_s * SECOND + 10000);
}

static void put_watts(struct sl_track *track, int64_t at_s, double watts)
{
	const struct sl_sample sample = {
		.size = sizeof(sample),
		.watts = watts,
	};

	sl_track_sample(track, &sample, at_s * SECOND, at_s * SECOND + 10000);
}

static void expect(const struct sl_track *track, double energy_j,
		   uint32_t epoch, bool valid, const char *reason)
{
	assert_near(track->reading.energy_j, energy_j, 1e-9);
	assert_int_equal(track->reading.epoch, epoch);
	assert_int_equal(track->reading.valid, valid);
	assert_string_equal(track->reading.reason, reason);
}

static void before_the_first_reading_there_is_none(void **unused)
{
	struct sl_domain domain = counter_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	expect(&track, 0, 0, false, "not read yet");
	put_count(&track, 1, 77);
	expect(&track, 0, 0, true, "");
}

static void a_reset_changes_the_epoch_and_adds_nothing(void **unused)
{
	struct sl_domain domain = counter_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_count(&track, 0, 200000000000);
	put_count(&track, 1, 200050000000);
	expect(&track, 50, 0, true, "");
	assert_near(track.reading.watts, 50, 1e-9);
	put_count(&track, 2, 1000);
	expect(&track, 50, 1, true,
	       "the counter was reset: it fell, and no wrap explains that");
	assert_true(track.reading.watts < 0);
	/* What fails in between does not hide why the epoch is another. */
	sl_track_failure(&track, "gone", 3 * SECOND, 3 * SECOND);
	put_count(&track, 3, 20001000);
	expect(&track, 70, 1, true,
	       "the counter was reset: it fell, and no wrap explains that");
}

static void a_counter_goes_on_after_it_could_not_be_read(void **unused)
{
	struct sl_domain domain = counter_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_count(&track, 0, 1000000);
	sl_track_failure(&track, "energy_uj: No such file or directory", SECOND,
			 SECOND + 10000);
	expect(&track, 0, 0, false, "energy_uj: No such file or directory");
	put_count(&track, 2, 101000000);
	expect(&track, 100, 0, true, "");
}

static void a_counter_that_was_away_for_too_long_does_not(void **unused)
{
	struct sl_domain domain = counter_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_count(&track, 0, 1000000);
	sl_track_failure(&track, "energy_uj: Input/output error", SECOND,
			 SECOND + 10000);
	put_count(&track, 300, 101000000);
	expect(&track, 0, 1, true,
	       "the counter may have wrapped more than once between two "
	       "readings: read it more often");
}

static void garbage_is_neither_energy_nor_power(void **unused)
{
	struct sl_domain domain = counter_domain();
	struct sl_domain powers = power_domain();
	static const double nonsense[] = { -5, NAN, INFINITY, -INFINITY,
					   9.2e12 };
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_count(&track, 0, 1000000);
	put_count(&track, 1, UINT64_MAX);
	expect(&track, 0, 1, false,
	       "the counter shows a value beyond its range");
	put_count(&track, 2, 3000000);
	assert_true(track.reading.valid);
	for (size_t at = 0; at < sizeof(nonsense) / sizeof(nonsense[0]); at++) {
		sl_track_init(&track, &powers);
		put_watts(&track, 0, 10);
		put_watts(&track, 1, nonsense[at]);
		expect(&track, 0, 1, false, "it says what cannot be");
	}
}

static void a_power_that_failed_leaves_a_gap(void **unused)
{
	struct sl_domain domain = power_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_watts(&track, 0, 10);
	put_watts(&track, 1, 20);
	expect(&track, 15, 0, true, "");
	assert_near(track.reading.watts, 20, 0);
	assert_near(track.reading.variance_j2, 50, 1e-9);
	sl_track_failure(&track, "gone", 2 * SECOND, 2 * SECOND);
	sl_track_failure(&track, "gone", 3 * SECOND, 3 * SECOND);
	expect(&track, 15, 1, false, "gone");
	put_watts(&track, 4, 20);
	expect(&track, 15, 1, true, "gone");
	put_watts(&track, 5, 20);
	expect(&track, 35, 1, true, "gone");
}

static void a_power_that_nobody_read_leaves_a_gap(void **unused)
{
	struct sl_domain domain = power_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_watts(&track, 0, 10);
	put_watts(&track, 2, 10);
	put_watts(&track, 5, 10);
	expect(&track, 20, 1, true,
	       "the power was not read for too long to be integrated");
	sl_track_set_period(&track, 1);
	put_watts(&track, 14, 10);
	expect(&track, 110, 1, true,
	       "the power was not read for too long to be integrated");
}

static void a_store_gives_what_it_loses(void **unused)
{
	struct sl_domain domain = store_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_count(&track, 0, 49450000);
	put_count(&track, 10, 49430000); /* 20 mWh */
	expect(&track, 72, 0, true, "");
	assert_near(track.reading.watts, 7.2, 1e-9);
}

static void a_store_that_is_filled_changes_the_epoch(void **unused)
{
	struct sl_domain domain = store_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_count(&track, 0, 49430000);
	put_count(&track, 10, 49530000);
	expect(&track, 0, 1, true, "the store was filled");
	sl_track_failure(&track, "BAT0 is not discharging (Charging)",
			 20 * SECOND, 20 * SECOND);
	expect(&track, 0, 2, false, "BAT0 is not discharging (Charging)");
}

static void a_charge_counts_at_the_mean_of_its_voltages(void **unused)
{
	struct sl_domain domain = store_domain();
	struct sl_sample sample = {
		.size = sizeof(sample),
		.count = 4000000,
		.unit_j = 0.0036 * 12.5,
	};
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	sl_track_sample(&track, &sample, 0, 0);
	sample.count = 3990000; /* 10 mAh at 12.5 to 12.1 V */
	sample.unit_j = 0.0036 * 12.1;
	sl_track_sample(&track, &sample, 10 * SECOND, 10 * SECOND);
	expect(&track, 10000 * 0.0036 * 12.3, 0, true, "");
}

static void a_break_forgets_where_everything_was(void **unused)
{
	struct sl_domain domain = counter_domain();
	struct sl_track track;

	(void)unused;
	sl_track_init(&track, &domain);
	put_count(&track, 0, 1000000);
	put_count(&track, 1, 2000000);
	sl_track_break(&track, "the machine was suspended for 3.0 s");
	put_count(&track, 2, 500);
	expect(&track, 1, 1, true, "the machine was suspended for 3.0 s");
	put_count(&track, 3, 2000500);
	expect(&track, 3, 1, true, "the machine was suspended for 3.0 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_the_first_reading_there_is_none),
		cmocka_unit_test(a_reset_changes_the_epoch_and_adds_nothing),
		cmocka_unit_test(a_counter_goes_on_after_it_could_not_be_read),
		cmocka_unit_test(a_counter_that_was_away_for_too_long_does_not),
		cmocka_unit_test(garbage_is_neither_energy_nor_power),
		cmocka_unit_test(a_power_that_failed_leaves_a_gap),
		cmocka_unit_test(a_power_that_nobody_read_leaves_a_gap),
		cmocka_unit_test(a_store_gives_what_it_loses),
		cmocka_unit_test(a_store_that_is_filled_changes_the_epoch),
		cmocka_unit_test(a_charge_counts_at_the_mean_of_its_voltages),
		cmocka_unit_test(a_break_forgets_where_everything_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
