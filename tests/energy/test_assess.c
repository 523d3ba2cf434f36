/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "energy/near.h"
#include "sluice/assess.h"

static struct sl_energy_span span(double energy_j, double seconds, double u_j)
{
	return (struct sl_energy_span){
		.valid = true,
		.energy_j = energy_j,
		.seconds = seconds,
		.watts = energy_j / seconds,
		.u_j = u_j,
		.systematic_j = 0.05 * energy_j,
		.update_s = 0.001,
		.domains = 1,
	};
}

/* 10 W idle, 25 W for 20 s: 300 J net for 6000 units of work. */
static struct sl_run good_run(void)
{
	return (struct sl_run){
		.before = span(300, 30, 0.3),
		.active = span(500, 20, 0.4),
		.after = span(300, 30, 0.4),
		.work = 6000,
	};
}

static void net_energy_is_what_the_baseline_would_not_have_used(void **unused)
{
	struct sl_run run = good_run();
	struct sl_net net;

	(void)unused;
	sl_assess_run(&run, &net);
	assert_int_equal(net.refusals, 0);
	assert_near(net.base_w, 10, 1e-12);
	/* sqrt(0.3^2 + 0.4^2) J in 60 s */
	assert_near(net.u_base_w, 0.5 / 60, 1e-12);
	assert_near(net.energy_j, 300, 1e-9);
	/* sqrt(0.4^2 + (20 / 120)^2) */
	assert_near(net.u_j, 0.433333, 1e-6);
	assert_near(net.systematic_j, 15, 1e-9);
}

static void one_baseline_is_enough(void **unused)
{
	struct sl_run run = good_run();
	struct sl_net net;

	(void)unused;
	run.after = (struct sl_energy_span){ 0 };
	sl_assess_run(&run, &net);
	assert_int_equal(net.refusals, 0);
	assert_near(net.base_w, 10, 1e-12);
	assert_near(net.u_base_w, 0.01, 1e-12);
}

/* One run that is refused: its raw figures stay, its net energy is no figure,
 * unless only the work is missing. */
static void expect(const struct sl_run *run, uint32_t refusals,
		   const char *reason)
{
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	sl_assess(run, 1, &assessment);
	assert_int_equal(assessment.refusals, refusals);
	assert_string_equal(assessment.reason, reason);
	assert_int_equal(assessment.work_per_j.valid,
			 refusals == 0 && run->work > 0);
	assert_int_equal(assessment.net_j.valid,
			 refusals == 0 || refusals == SL_REFUSE_NO_WORK);
}

static void a_phase_without_energy_is_refused(void **unused)
{
	struct sl_run run = good_run();

	(void)unused;
	run.active.valid = false;
	snprintf(run.active.reason, sizeof(run.active.reason),
		 "the epoch changed: the counter was reset");
	expect(&run, SL_REFUSE_INVALID,
	       "a phase has no energy: the epoch changed: the counter was "
	       "reset");
	run = good_run();
	run.after.valid = false;
	expect(&run, SL_REFUSE_INVALID, "a phase has no energy");
}

static void a_phase_under_twenty_updates_is_refused(void **unused)
{
	struct sl_run run = good_run();

	(void)unused;
	run.active.update_s = 1.0;
	expect(&run, 0, "");
	run.active.update_s = 1.0001;
	expect(&run, SL_REFUSE_SHORT,
	       "a phase is shorter than 20 update periods of the meter");
}

static void baselines_that_differ_are_refused(void **unused)
{
	static const struct {
		double after_j, u_j;
		bool refused;
	} cases[] = {
		{ 305.9, 0.001, false }, /* 1.95 % of the mean */
		{ 306.2, 0.001, true }, /* 2.05 % */
		{ 306.2, 3.1, false }, /* within twice its u, 6.28 J */
		{ 306.2, 2, true },      { 293.9, 0.001, true },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_run run = good_run();
		struct sl_net net;

		run.before.u_j = 0.5;
		run.after = span(cases[at].after_j, 30, cases[at].u_j);
		sl_assess_run(&run, &net);
		assert_int_equal(net.refusals,
				 cases[at].refused ? SL_REFUSE_BASELINES : 0);
	}
}

static void what_cannot_be_told_from_the_baseline_keeps_its_sign(void **unused)
{
	struct sl_run run = good_run();
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	run.active = span(199, 20, 0.4);
	expect(&run, SL_REFUSE_NOISE, "not distinguishable from the baseline");
	sl_assess(&run, 1, &assessment);
	assert_near(assessment.net_j.value, -1, 1e-9);
	run.active = span(200.8, 20, 0.4); /* 2 u is 0.867 */
	expect(&run, SL_REFUSE_NOISE, "not distinguishable from the baseline");
	run.active = span(200.9, 20, 0.4);
	sl_assess(&run, 1, &assessment);
	assert_int_equal(assessment.refusals, 0);
	assert_true(assessment.net_j.valid);
}

static void no_work_is_undefined_and_not_zero(void **unused)
{
	struct sl_run run = good_run();

	(void)unused;
	run.work = 0;
	expect(&run, SL_REFUSE_NO_WORK,
	       "no work was done: the efficiency is undefined");
}

static void work_that_nobody_counted_is_no_refusal(void **unused)
{
	struct sl_run run = good_run();

	(void)unused;
	run.work = -1;
	expect(&run, 0, "");
}

static void overlapping_domains_are_refused(void **unused)
{
	struct sl_run run = good_run();

	(void)unused;
	run.overlap = true;
	expect(&run, SL_REFUSE_OVERLAP, "domains that overlap were added");
}

static void several_refusals_are_all_said(void **unused)
{
	struct sl_run run = good_run();

	(void)unused;
	run.work = 0;
	run.overlap = true;
	expect(&run, SL_REFUSE_NO_WORK | SL_REFUSE_OVERLAP,
	       "no work was done: the efficiency is undefined; domains that "
	       "overlap were added");
}

static void nothing_is_no_measurement(void **unused)
{
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	sl_assess(NULL, 0, &assessment);
	assert_int_equal(assessment.refusals, SL_REFUSE_NO_RUNS);
	assert_string_equal(assessment.reason, "nothing was measured");
	assert_false(assessment.net_j.valid);
}

static void check_figure(const struct sl_figure *figure, double value,
			 double random, double systematic, double low,
			 double high)
{
	assert_true(figure->valid);
	assert_near(figure->value, value, 1e-4 * value);
	assert_near(figure->random, random, 1e-3 * random);
	assert_near(figure->systematic, systematic, 1e-4 * systematic);
	assert_near(figure->low, low, 1e-4 * low);
	assert_near(figure->high, high, 1e-4 * high);
}

static void one_run_has_the_meters_interval(void **unused)
{
	struct sl_run run = good_run();
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	sl_assess(&run, 1, &assessment);
	assert_int_equal(assessment.runs, 1);
	assert_false(assessment.estimate);
	check_figure(&assessment.gross_j, 500, 0.8, 25, 474.987, 525.013);
	check_figure(&assessment.net_j, 300, 0.866667, 15, 284.975, 315.025);
	check_figure(&assessment.net_w, 15, 0.0433333, 0.75, 14.2487, 15.7513);
	check_figure(&assessment.j_per_work, 0.05, 0.000144444, 0.0025,
		     0.0474958, 0.0525042);
	check_figure(&assessment.work_per_j, 20, 0.0577778, 1, 19.0461,
		     21.0545);
}

static void repeats_give_students_interval(void **unused)
{
	static const double active_j[] = { 498, 500, 502, 499, 501 };
	struct sl_run runs[5];
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	for (size_t at = 0; at < 5; at++) {
		runs[at] = good_run();
		runs[at].active = span(active_j[at], 20, 0.4);
	}
	sl_assess(runs, 5, &assessment);
	assert_int_equal(assessment.refusals, 0);
	assert_int_equal(assessment.runs, 5);
	/* s^2 = 2.5, t(4) = 2.7764: 2.7764 * sqrt(2.5 / 5). The calibration
	 * rules: t is that of 55,831 degrees of freedom, 1.96. */
	check_figure(&assessment.net_j, 300, 1.96321, 15, 284.936, 315.064);
}

static void repeats_cannot_be_better_than_the_meter(void **unused)
{
	struct sl_run runs[4] = { good_run(), good_run(), good_run(),
				  good_run() };
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	sl_assess(runs, 4, &assessment);
	/* 0.433333 / sqrt(4) */
	assert_near(assessment.net_j.random, 0.216667, 1e-5);
}

static void one_refused_run_spoils_the_mean(void **unused)
{
	struct sl_run runs[3] = { good_run(), good_run(), good_run() };
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	runs[1].active.valid = false;
	sl_assess(runs, 3, &assessment);
	assert_int_equal(assessment.refusals, SL_REFUSE_INVALID);
	assert_false(assessment.net_j.valid);
	/* of the two others, for whoever wants to look */
	assert_near(assessment.net_j.value, 300, 1e-9);
}

static void many_weak_runs_can_tell_what_one_cannot(void **unused)
{
	struct sl_run runs[4];
	struct sl_net net;
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	for (size_t at = 0; at < 4; at++) {
		runs[at] = good_run();
		runs[at].active = span(200.8 + 0.01 * (double)at, 20, 0.4);
		sl_assess_run(&runs[at], &net);
		assert_int_equal(net.refusals, SL_REFUSE_NOISE);
	}
	sl_assess(runs, 4, &assessment);
	assert_int_equal(assessment.refusals, 0);
	assert_true(assessment.net_j.valid);
}

static void a_models_errors_do_not_cancel(void **unused)
{
	struct sl_run run = good_run();
	struct sl_net net;
	struct sl_assessment assessment = { .size = sizeof(assessment) };

	(void)unused;
	run.active.estimate = true;
	run.active.systematic_j = 150;
	run.before.systematic_j = 90;
	sl_assess_run(&run, &net);
	/* sqrt(150^2 + (90 / 30 * 20)^2) */
	assert_near(net.systematic_j, 161.555, 1e-3);
	sl_assess(&run, 1, &assessment);
	assert_true(assessment.estimate);
}

static void an_older_caller_gets_what_it_knows(void **unused)
{
	struct sl_run run = good_run();
	struct sl_assessment assessment;

	(void)unused;
	memset(&assessment, 0x55, sizeof(assessment));
	assessment.size = offsetof(struct sl_assessment, gross_j);
	sl_assess(&run, 1, &assessment);
	assert_int_equal(assessment.runs, 1);
	assert_int_equal(*(unsigned char *)&assessment.gross_j, 0x55);
}

static void students_t_is_the_tables(void **unused)
{
	static const struct {
		size_t degrees;
		double t;
	} cases[] = {
		{ 1, 12.7062 }, { 4, 2.7764 },  { 30, 2.0423 },
		{ 31, 2.0395 }, { 60, 2.0003 }, { 120, 1.9799 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_near(sl_student_t95(cases[at].degrees), cases[at].t,
			    1e-4);
	assert_true(sl_student_t95(0) > 1e300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			net_energy_is_what_the_baseline_would_not_have_used),
		cmocka_unit_test(one_baseline_is_enough),
		cmocka_unit_test(a_phase_without_energy_is_refused),
		cmocka_unit_test(a_phase_under_twenty_updates_is_refused),
		cmocka_unit_test(baselines_that_differ_are_refused),
		cmocka_unit_test(
			what_cannot_be_told_from_the_baseline_keeps_its_sign),
		cmocka_unit_test(no_work_is_undefined_and_not_zero),
		cmocka_unit_test(work_that_nobody_counted_is_no_refusal),
		cmocka_unit_test(overlapping_domains_are_refused),
		cmocka_unit_test(several_refusals_are_all_said),
		cmocka_unit_test(nothing_is_no_measurement),
		cmocka_unit_test(one_run_has_the_meters_interval),
		cmocka_unit_test(repeats_give_students_interval),
		cmocka_unit_test(repeats_cannot_be_better_than_the_meter),
		cmocka_unit_test(one_refused_run_spoils_the_mean),
		cmocka_unit_test(many_weak_runs_can_tell_what_one_cannot),
		cmocka_unit_test(a_models_errors_do_not_cancel),
		cmocka_unit_test(an_older_caller_gets_what_it_knows),
		cmocka_unit_test(students_t_is_the_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
