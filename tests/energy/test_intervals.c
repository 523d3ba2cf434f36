/* SPDX-License-Identifier: MIT */
/* Whether the stated intervals are what they say: simulated meters whose truth
 * is known, measured 1,000 times. In 93 to 97 % of them the truth must lie in
 * the 95 % interval, which must be no wider than twice the best possible: the
 * distance that 95 % of the errors really keep. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "energy/track.h"
#include "energy/uncertainty.h"
#include "sluice/assess.h"
#include "sluice/random.h"

#define RUNS 1000
#define Z95 1.959963984540054
#define PI 3.141592653589793

/** Numbers by chance, the same in every run of the test. */
struct chance {
	uint64_t seed, index;
};

static double uniform(struct chance *chance, double from, double to)
{
	double share =
		(double)(sl_random_at(chance->seed, chance->index++) >> 11) *
		0x1p-53;

	return from + (to - from) * share;
}

static double normal(struct chance *chance, double sigma)
{
	double radius = sqrt(-2 * log(1 - uniform(chance, 0, 1)));

	return sigma * radius * cos(uniform(chance, 0, 2 * PI));
}

/** A meter to simulate, and what it measures. */
struct plan {
	const char *name;
	double watts; /**< mean power */
	double swing_w; /**< it goes up and down by this much, slowly */
	double seconds; /**< of the window, and up to one update more */
	double update_s, resolution_j;
	double wrap_j; /**< 0: never */
	double relative; /**< calibration, 95 % */
	double drift_share; /**< of the calibration's error: grows in the run */
	double noise_j; /**< standard deviation of a reading */
	double scatter_w; /**< a power: standard deviation of a reading */
	double bracket_s; /**< between the two clock readings */
	double power_max_w;
};

/** One simulated meter. */
struct meter {
	const struct plan *plan;
	double scale; /**< of the powers */
	double start_j; /**< of the counter */
	double phase_s; /**< of its updates */
	double gain, drift_a_s; /**< calibration's error, and its growth */
	double drift_from_s; /**< the window's beginning */
	double angle; /**< of the swing */
	double reset_s; /**< when the counter starts again; negative: never */
};

#define SWING_S 7.0

/* Energy from time 0 to @p time, in truth. */
static double truth_j(const struct meter *meter, double time)
{
	const struct plan *plan = meter->plan;
	double omega = 2 * PI / SWING_S;

	return meter->scale *
	       (plan->watts * time +
		plan->swing_w / omega *
			(cos(meter->angle) - cos(omega * time + meter->angle)));
}

/* What the meter makes of it: its gain grows linearly. */
static double meter_j(const struct meter *meter, double time)
{
	double grown_s = fmax(time - meter->drift_from_s, 0);

	return truth_j(meter, time) * (1 + meter->gain) +
	       meter->scale * meter->plan->watts * meter->drift_a_s * grown_s *
		       grown_s / 2;
}

static struct meter make_meter(const struct plan *plan, struct chance *chance)
{
	double sigma = plan->relative / Z95;
	double drift = normal(chance, sigma * sqrt(plan->drift_share));

	return (struct meter){
		.plan = plan,
		.scale = uniform(chance, 0.8, 1.2),
		.start_j = uniform(chance, 0,
				   plan->wrap_j > 0 ? plan->wrap_j : 1e6),
		.phase_s = uniform(chance, 0, plan->update_s),
		.gain = normal(chance, sigma * sqrt(1 - plan->drift_share)),
		/* its mean over the window is half of what it grows to */
		.drift_a_s = 2 * drift / plan->seconds,
		.angle = uniform(chance, 0, 2 * PI),
		.reset_s = -1,
	};
}

/* The raw count at @p time: as old as the last update, rounded down, noisy. */
static uint64_t count_at(const struct meter *meter, double time,
			 struct chance *chance)
{
	const struct plan *plan = meter->plan;
	double updated = time;
	double joules, counts;

	if (plan->update_s > 0)
		updated = floor((time - meter->phase_s) / plan->update_s) *
				  plan->update_s +
			  meter->phase_s;
	joules = meter->start_j + meter_j(meter, updated);
	if (meter->reset_s >= 0 && updated >= meter->reset_s)
		joules = meter_j(meter, updated) -
			 meter_j(meter, meter->reset_s);
	joules += normal(chance, plan->noise_j);
	if (plan->wrap_j > 0)
		joules -= floor(joules / plan->wrap_j) * plan->wrap_j;
	counts = floor(fmax(joules, 0) / plan->resolution_j);
	return (uint64_t)counts;
}

static struct sl_domain domain_of(const struct plan *plan)
{
	bool counts = plan->scatter_w == 0;

	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.id = plan->name,
		.quality = SL_QUALITY_MEASURED,
		.form = counts ? SL_FORM_COUNTER : SL_FORM_WATTS,
		.scope = SL_SCOPE_PART,
		.unit_j = counts ? plan->resolution_j : 0,
		.modulus = counts && plan->wrap_j > 0
				   ? (uint64_t)llround(plan->wrap_j /
						       plan->resolution_j)
				   : 0,
		.update_s = counts ? plan->update_s : 0,
		.relative = plan->relative,
		.noise_j = 5 * sqrt(2) * plan->noise_j,
		.power_max_w = plan->power_max_w,
	};
}

/* Read the meter at @p time, somewhere between the two clock readings. */
static void read_meter(struct sl_track *track, const struct meter *meter,
		       double time, struct chance *chance)
{
	const struct plan *plan = meter->plan;
	double half = plan->bracket_s / 2;
	double then = time + uniform(chance, -half, half);
	struct sl_sample sample = {
		.size = sizeof(sample),
		.unit_j = plan->resolution_j,
	};

	if (plan->scatter_w > 0)
		sample.watts =
			fmax(meter->scale * plan->watts * (1 + meter->gain) +
				     normal(chance, plan->scatter_w),
			     0);
	else
		sample.count = count_at(meter, then, chance);
	sl_track_sample(track, &sample, llround((time - half) * 1e9),
			llround((time + half) * 1e9));
}

/* Measure from @p from to @p to, reading as often as the meter needs. */
static struct sl_energy_span measure(const struct meter *meter, double from,
				     double to, struct chance *chance)
{
	struct sl_domain domain = domain_of(meter->plan);
	struct sl_energy_reading first;
	struct sl_error_sum errors = { 0, 0 };
	struct sl_energy_span span;
	struct sl_track track;
	double period;

	sl_track_init(&track, &domain);
	period = sl_unwrap_period_s(&track.unwrap);
	if (period <= 0 || period > 1)
		period = 1;
	/* As the sampling thread does, it begins before the window. */
	for (int early = 10; early > 0; early--)
		read_meter(&track, meter, from - early * period, chance);
	read_meter(&track, meter, from, chance);
	first = track.reading;
	for (int at = 1; from + at * period < to - period / 4; at++)
		read_meter(&track, meter, from + at * period, chance);
	read_meter(&track, meter, to, chance);
	sl_span_set(&span, &domain, &first, &track.reading, &errors);
	return span;
}

static int compare(const void *a, const void *b)
{
	const double *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/** What 1,000 measurements came to. */
struct tally {
	double errors_j[RUNS]; /**< how far from the truth, without sign */
	double half_j; /**< sum of the half intervals */
	unsigned inside;
};

static void judge(struct tally *tally, const char *name)
{
	double best_j, ratio;

	qsort(tally->errors_j, RUNS, sizeof(double), compare);
	best_j = tally->errors_j[RUNS * 95 / 100];
	ratio = tally->half_j / RUNS / best_j;
	print_message("%s: %.1f %% inside, %.2f times the best width\n", name,
		      (double)tally->inside * 100 / RUNS, ratio);
	assert_in_range(tally->inside, 930, 970);
	assert_true(ratio <= 2);
}

static const struct plan plans[] = {
	/* the end of the window falls anywhere between two updates */
	{ "slow updates", .watts = 40, .swing_w = 0, .seconds = 30,
	  .update_s = 0.5, .resolution_j = 61e-6, .power_max_w = 1000 },
	/* only the calibration is uncertain, and it drifts */
	{ "calibration", .watts = 120, .swing_w = 30, .seconds = 20,
	  .update_s = 1e-3, .resolution_j = 61e-6, .relative = 0.05,
	  .drift_share = 0.4, .power_max_w = 1000, .wrap_j = 262144 },
	/* it wraps about 30 times in the window */
	{ "many wraps", .watts = 100, .swing_w = 40, .seconds = 30,
	  .update_s = 0.05, .resolution_j = 0.5, .wrap_j = 100,
	  .power_max_w = 200 },
	/* readings tremble, so that the counter falls now and then */
	{ "noise", .watts = 2, .swing_w = 1, .seconds = 20, .update_s = 0.01,
	  .resolution_j = 0.01, .noise_j = 0.5, .power_max_w = 100 },
	/* the resolution of a plug that counts watt-hours by tenths */
	{ "coarse", .watts = 60, .swing_w = 0, .seconds = 60,
	  .resolution_j = 360, .power_max_w = 3000 },
	/* everything at once */
	{ "all", .watts = 65, .swing_w = 20, .seconds = 25, .update_s = 0.3,
	  .resolution_j = 0.25, .wrap_j = 300, .relative = 0.02,
	  .drift_share = 0.5, .noise_j = 1.5, .bracket_s = 0.02,
	  .power_max_w = 150 },
	/* a power whose readings scatter */
	{ "power", .watts = 30, .seconds = 60, .scatter_w = 2,
	  .relative = 0.004 },
};

static void the_truth_lies_in_the_interval(void **state)
{
	static struct tally tally;
	const struct plan *plan = *state;

	tally = (struct tally){ .inside = 0 };
	for (uint64_t run = 0; run < RUNS; run++) {
		struct chance chance = { 20261201 + run, 0 };
		struct meter meter = make_meter(plan, &chance);
		double from = 10 + uniform(&chance, 0, 1);
		double to = from + plan->seconds +
			    uniform(&chance, 0, plan->update_s);
		struct sl_energy_span span;
		double expected = truth_j(&meter, to) - truth_j(&meter, from);
		double error_j;

		meter.drift_from_s = from;
		span = measure(&meter, from, to, &chance);
		error_j = fabs(span.energy_j - expected);
		assert_string_equal(span.reason, "");
		assert_true(span.valid);
		assert_true(span.energy_j >= 0);
		tally.errors_j[run] = error_j;
		tally.half_j += span.half_j;
		tally.inside += error_j <= span.half_j;
	}
	judge(&tally, plan->name);
}

static void a_reset_is_never_a_figure(void **unused)
{
	const struct plan *plan = &plans[1];

	(void)unused;
	for (uint64_t run = 0; run < RUNS; run++) {
		struct chance chance = { 777 + run, 0 };
		struct meter meter = make_meter(plan, &chance);
		struct sl_energy_span span;

		/* Where a fall by a reset looks like a wrap of up to a
		 * second's power, nobody can tell them apart. */
		meter.start_j = uniform(&chance, 10000, plan->wrap_j - 10000);
		meter.reset_s = uniform(&chance, 12, 29);
		span = measure(&meter, 11, 31, &chance);
		assert_false(span.valid);
		assert_string_equal(span.reason,
				    "the epoch changed: the counter was reset: "
				    "it fell, and no wrap explains that");
	}
}

/** The protocol, simulated: five runs of baseline, activity, baseline. */
#define REPEATS 5

/* @p active_w against the plan's watts, which are those of the baseline. */
static struct sl_run make_run(struct meter *meter, double active_w,
			      struct chance *chance)
{
	struct sl_run run = { .work = 1000 };
	double update = meter->plan->update_s;

	meter->scale = 1;
	meter->phase_s = uniform(chance, 0, update);
	run.before =
		measure(meter, 11, 41 + uniform(chance, 0, update), chance);
	meter->phase_s = uniform(chance, 0, update);
	run.after = measure(meter, 11, 41 + uniform(chance, 0, update), chance);
	meter->scale = active_w / meter->plan->watts;
	meter->phase_s = uniform(chance, 0, update);
	run.active = measure(meter, 11, 31, chance);
	return run;
}

/* The useful work costs 10 W on the mean, by 2 % more or less from run to
 * run. */
static void the_true_net_energy_lies_in_the_interval(void **unused)
{
	static const struct plan idle = {
		"repeats",           .watts = 40,          .seconds = 30,
		.update_s = 0.25,    .resolution_j = 0.01, .relative = 0.03,
		.power_max_w = 1000,
	};
	static struct tally tally;

	(void)unused;
	tally = (struct tally){ .inside = 0 };
	for (uint64_t at = 0; at < RUNS; at++) {
		struct chance chance = { 424242 + at, 0 };
		struct meter meter = make_meter(&idle, &chance);
		struct sl_assessment assessment = { .size = sizeof(
							    assessment) };
		struct sl_run runs[REPEATS];
		const struct sl_figure *net = &assessment.net_j;

		meter.drift_a_s = 0;
		for (size_t run = 0; run < REPEATS; run++)
			runs[run] = make_run(&meter, 50 + normal(&chance, 0.2),
					     &chance);
		sl_assess(runs, REPEATS, &assessment);
		tally.errors_j[at] = fabs(net->value - 200);
		tally.half_j += (net->high - net->low) / 2;
		tally.inside += net->low <= 200 && 200 <= net->high;
	}
	judge(&tally, "five repeats");
}

int main(void)
{
	struct CMUnitTest tests[sizeof(plans) / sizeof(plans[0]) + 2];
	size_t count = 0;

	for (; count < sizeof(plans) / sizeof(plans[0]); count++) {
		static struct plan copies[sizeof(plans) / sizeof(plans[0])];

		copies[count] = plans[count];
		tests[count] = (struct CMUnitTest){
			.name = plans[count].name,
			.test_func = the_truth_lies_in_the_interval,
			.initial_state = &copies[count],
		};
	}
	tests[count++] =
		(struct CMUnitTest)cmocka_unit_test(a_reset_is_never_a_figure);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(
		the_true_net_energy_lies_in_the_interval);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
