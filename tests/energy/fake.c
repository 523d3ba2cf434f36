/* SPDX-License-Identifier: MIT */
#include "energy/fake.h"

#include <stdlib.h>

#include "energy/near.h"

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

int64_t look_at(void *context)
{
	struct hands *hands = context;

	return hands->now_ns += 1000;
}

static void stamp(void *context, struct sl_stamp *stamp)
{
	struct hands *hands = context;

	stamp->before_ns = look_at(hands);
	stamp->boot_ns = look_at(hands) + hands->slept_ns;
	stamp->after_ns = look_at(hands);
}

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

enum sl_code open_fake(struct bench *bench, bool begins, struct sl_error *error)
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

int set_up(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	assert_int_equal(sl_energy_create(&bench->energy, NULL, NULL), SL_OK);
	bench->hands.now_ns = 100 * SECOND;
	bench->energy->clock = (struct sl_clock){
		.stamp = stamp,
		.monotonic_ns = look_at,
		.context = &bench->hands,
	};
	*state = bench;
	return 0;
}

int tear_down(void **state)
{
	struct bench *bench = *state;

	sl_energy_mark_finish(&bench->from);
	sl_energy_mark_finish(&bench->to);
	sl_energy_destroy(bench->energy);
	free(bench);
	return 0;
}

const struct sl_domain two_packages[3] = {
	COUNTER("0", .overlap = "package-0", .relative = 0.05),
	COUNTER("0:0", .overlap = "package-0 core", .parent = "0"),
	COUNTER("1", .overlap = "package-1", .relative = 0.05),
};

void use(struct bench *bench, const struct sl_domain *domains, size_t count)
{
	bench->fake.domains = domains;
	bench->fake.count = count;
	assert_int_equal(open_fake(bench, false, NULL), SL_OK);
}

void mark(struct bench *bench, struct sl_energy_mark *mark)
{
	assert_int_equal(sl_energy_mark(bench->energy, mark, NULL), SL_OK);
}

struct sl_energy_span sum(const struct bench *bench)
{
	struct sl_energy_span span;

	assert_int_equal(sl_energy_sum(bench->energy, &bench->from, &bench->to,
				       &span, NULL),
			 SL_OK);
	return span;
}

struct sl_energy_span between(const struct bench *bench, size_t at)
{
	struct sl_energy_span span;

	assert_int_equal(sl_energy_between(bench->energy, at, &bench->from,
					   &bench->to, &span, NULL),
			 SL_OK);
	return span;
}
