/* SPDX-License-Identifier: MIT */
/* The library with a meter and a clock of the test's own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "energy/energy_private.h"
#include "energy/near.h"

#define SECOND INT64_C(1000000000)

/** A meter that says what the test puts into it. */
struct fake {
	const struct sl_domain *domains;
	size_t count;
	const char *unusable; /**< of the last domain; NULL */
	uint64_t counts[8];
	double watts[8];
	enum sl_code codes[8];
	enum sl_code begin_code;
	unsigned begun, reads, closed;
};

/** What the plugin's state holds: where the test's fake is. */
struct fake_state {
	struct fake *fake;
};

static enum sl_code fake_open(void *state, struct sl_meter_host *host,
			      struct sl_error *error)
{
	const struct fake *fake = ((struct fake_state *)state)->fake;

	if (!fake->domains)
		return SL_FAIL(error, SL_EIO, "no probe answers");
	for (uint32_t at = 0; at < fake->count; at++) {
		uint32_t number = sl_meter_add(host, &fake->domains[at]);

		if (fake->unusable && at + 1 == fake->count)
			sl_meter_unusable(host, number, "%s", fake->unusable);
	}
	return SL_OK;
}

static void fake_close(void *state)
{
	((struct fake_state *)state)->fake->closed++;
}

static enum sl_code fake_begin(void *state, struct sl_error *error)
{
	struct fake *fake = ((struct fake_state *)state)->fake;

	fake->begun++;
	if (fake->begin_code != SL_OK)
		return SL_FAIL(error, fake->begin_code, "no answer in 2 s");
	return SL_OK;
}

static enum sl_code fake_read(void *state, uint32_t domain,
			      struct sl_sample *sample, struct sl_error *error)
{
	struct fake *fake = ((struct fake_state *)state)->fake;

	fake->reads++;
	if (fake->codes[domain] == SL_EIO)
		return SL_FAIL(error, SL_EIO, "it is\ngone");
	sample->count = fake->counts[domain];
	sample->watts = fake->watts[domain];
	return fake->codes[domain];
}

/** A clock that stands until the test moves it; each look costs 1 us. */
struct hands {
	int64_t now_ns, slept_ns;
};

static int64_t look(void *context)
{
	struct hands *hands = context;

	return hands->now_ns += 1000;
}

static void stamp(void *context, struct sl_stamp *stamp)
{
	struct hands *hands = context;

	stamp->before_ns = look(hands);
	stamp->boot_ns = look(hands) + hands->slept_ns;
	stamp->after_ns = look(hands);
}

/** All that a test has. */
struct bench {
	struct fake fake;
	struct hands hands;
	struct sl_energy *energy;
	struct sl_energy_mark from, to;
};

static struct sl_module fake_module(bool begins)
{
	return (struct sl_module){
		.plugin = {
			.size = sizeof(struct sl_plugin),
			.kind = SL_METER,
			.name = "fake",
		},
		.meter = {
			.size = sizeof(struct sl_meter),
			.state_size = sizeof(struct fake_state),
			.open = fake_open,
			.close = fake_close,
			.begin = begins ? fake_begin : NULL,
			.read = fake_read,
		},
	};
}

static enum sl_code open_fake(struct bench *bench, bool begins,
			      struct sl_error *error)
{
	struct sl_module module = fake_module(begins);
	struct fake_state *state = calloc(1, sizeof(*state));
	enum sl_code code;

	assert_non_null(state);
	state->fake = &bench->fake;
	code = sl_energy_adopt(bench->energy, &module, NULL, state, error);
	if (code != SL_OK)
		free(state);
	else
		code = sl_energy_choose(bench->energy, error);
	return code;
}

static int set_up(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	assert_int_equal(sl_energy_create(&bench->energy, NULL, NULL), SL_OK);
	bench->hands.now_ns = 100 * SECOND;
	bench->energy->clock = (struct sl_clock){
		.stamp = stamp,
		.monotonic_ns = look,
		.context = &bench->hands,
	};
	*state = bench;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *bench = *state;

	sl_energy_mark_finish(&bench->from);
	sl_energy_mark_finish(&bench->to);
	sl_energy_destroy(bench->energy);
	free(bench);
	return 0;
}

#define COUNTER(name, ...) \
	{ \
		.size = sizeof(struct sl_domain), .id = (name), \
		.quality = SL_QUALITY_ON_DIE, .form = SL_FORM_COUNTER, \
		.scope = SL_SCOPE_PART, .unit_j = 1e-6, \
		.modulus = 262143328911, .resolution_j = 61e-6, \
		.update_s = 1e-3, .power_max_w = 1000, __VA_ARGS__ \
	}

static const struct sl_domain two_packages[] = {
	COUNTER("0", .overlap = "package-0", .relative = 0.05),
	COUNTER("0:0", .overlap = "package-0 core", .parent = "0"),
	COUNTER("1", .overlap = "package-1", .relative = 0.05),
};

static void use(struct bench *bench, const struct sl_domain *domains,
		size_t count)
{
	bench->fake.domains = domains;
	bench->fake.count = count;
	assert_int_equal(open_fake(bench, false, NULL), SL_OK);
}

static void mark(struct bench *bench, struct sl_energy_mark *mark)
{
	assert_int_equal(sl_energy_mark(bench->energy, mark, NULL), SL_OK);
}

static struct sl_energy_span sum(const struct bench *bench)
{
	struct sl_energy_span span;

	assert_int_equal(sl_energy_sum(bench->energy, &bench->from, &bench->to,
				       &span, NULL),
			 SL_OK);
	return span;
}

static struct sl_energy_span between(const struct bench *bench, size_t at)
{
	struct sl_energy_span span;

	assert_int_equal(sl_energy_between(bench->energy, at, &bench->from,
					   &bench->to, &span, NULL),
			 SL_OK);
	return span;
}

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
	return look(context);
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

static void the_fastest_wrap_sets_the_period(void **state)
{
	struct bench *bench = *state;
	struct sl_error error;

	use(bench, two_packages, 3);
	/* 262 kJ at 1000 W: 65 s */
	assert_int_equal(sl_energy_start(bench->energy, 3600, NULL), SL_OK);
	assert_near(sl_energy_period(bench->energy), 65.5358, 1e-3);
	assert_int_equal(sl_energy_start(bench->energy, 1, &error), SL_EINVAL);
	assert_string_equal(error.message, "it was started already");
	sl_energy_stop(bench->energy);
	assert_near(sl_energy_period(bench->energy), 0, 0);
	assert_int_equal(sl_energy_start(bench->energy, 0.5, NULL), SL_OK);
	assert_near(sl_energy_period(bench->energy), 0.5, 0);
	sl_energy_stop(bench->energy);
	sl_energy_stop(bench->energy);
	assert_int_equal(sl_energy_start(bench->energy, 0.0001, NULL),
			 SL_EINVAL);
	assert_int_equal(sl_energy_start(bench->energy, 4000, NULL), SL_EINVAL);
	assert_int_equal(sl_energy_start(bench->energy, -1, NULL), SL_EINVAL);
}

/* A round that the thread made rings a pipe. */
static void ring(void *context)
{
	const int *ends = context;

	assert_int_equal(write(ends[1], "", 1), 1);
}

static void the_thread_makes_rounds_until_it_is_stopped(void **unused)
{
	struct sl_sampler sampler = { .running = false };
	int ends[2];
	char byte;

	(void)unused;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(sl_sampler_start(&sampler, 0.001, ring, ends, NULL),
			 SL_OK);
	for (int round = 0; round < 3; round++)
		assert_int_equal(read(ends[0], &byte, 1), 1);
	sl_sampler_stop(&sampler);
	assert_false(sampler.running);
	close(ends[0]);
	close(ends[1]);
}

static void *take_marks(void *context)
{
	struct sl_energy *energy = context;
	struct sl_energy_mark own = { 0 };

	for (int at = 0; at < 200; at++)
		if (sl_energy_mark(energy, &own, NULL) != SL_OK)
			break;
	sl_energy_mark_finish(&own);
	return NULL;
}

static void marks_may_be_taken_while_the_thread_samples(void **state)
{
	struct bench *bench = *state;
	pthread_t other;

	use(bench, two_packages, 3);
	assert_int_equal(sl_energy_start(bench->energy, 0.001, NULL), SL_OK);
	assert_int_equal(
		pthread_create(&other, NULL, take_marks, bench->energy), 0);
	take_marks(bench->energy);
	pthread_join(other, NULL);
	sl_energy_stop(bench->energy);
	assert_true(bench->fake.reads >= 3 * 401);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		test(a_sum_adds_what_does_not_overlap),
		test(domains_are_listed_with_what_is_known_of_them),
		test(readings_lie_between_two_clocks),
		test(one_request_for_all_is_bracketed_itself),
		test(a_suspend_changes_every_epoch),
		test(a_suspend_in_the_middle_of_a_round_is_noticed),
		test(a_power_has_a_figure_as_often_as_it_is_read),
		test(a_domain_that_fails_has_a_reason_and_no_figure),
		test(what_cannot_be_used_is_listed_and_never_read),
		test(with_nothing_to_add_there_is_no_sum),
		test(a_counter_that_stands_still_is_dead),
		test(no_news_leave_the_last_reading),
		test(marks_of_other_meters_are_refused),
		test(a_meter_that_describes_nonsense_does_not_open),
		test(the_fastest_wrap_sets_the_period),
		cmocka_unit_test(the_thread_makes_rounds_until_it_is_stopped),
		test(marks_may_be_taken_while_the_thread_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
