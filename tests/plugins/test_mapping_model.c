/* SPDX-License-Identifier: MIT */
/* The table of mappings against a model that is slow and obviously right: an
 * array that is searched from end to end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "plugins/nat/mapping.h"

#define PORTS_MAX 300
#define STEPS 300000

struct model_mapping {
	bool live, fixed;
	uint8_t transport;
	uint16_t port;
	mapping_endpoint inside;
	int64_t used_ns;
};

struct model {
	struct mapping_rules rules;
	int64_t now_ns;
	uint16_t cursor[256];
	struct model_mapping mappings[4 * PORTS_MAX];
};

#define MODEL_ROWS \
	(sizeof(((struct model *)0)->mappings) / sizeof(struct model_mapping))

static void model_advance(struct model *model, int64_t time_ns)
{
	if (time_ns > model->now_ns)
		model->now_ns = time_ns;
	for (size_t at = 0; at < MODEL_ROWS; at++) {
		struct model_mapping *mapping = &model->mappings[at];

		if (!mapping->fixed &&
		    model->now_ns - mapping->used_ns >= model->rules.timeout_ns)
			mapping->live = false;
	}
}

static struct model_mapping *model_by_port(struct model *model,
					   uint8_t transport, uint16_t port)
{
	for (size_t at = 0; at < MODEL_ROWS; at++) {
		struct model_mapping *mapping = &model->mappings[at];

		if (mapping->live && mapping->transport == transport &&
		    mapping->port == port)
			return mapping;
	}
	return NULL;
}

static struct model_mapping *
model_by_inside(struct model *model, uint8_t transport, mapping_endpoint inside)
{
	for (size_t at = 0; at < MODEL_ROWS; at++) {
		struct model_mapping *mapping = &model->mappings[at];

		if (mapping->live && mapping->transport == transport &&
		    mapping->inside == inside)
			return mapping;
	}
	return NULL;
}

static bool model_is_free(struct model *model, uint8_t transport, uint32_t port)
{
	return port >= model->rules.first_port &&
	       port <= model->rules.last_port &&
	       !model_by_port(model, transport, (uint16_t)port);
}

static void model_add(struct model *model, uint8_t transport, uint16_t port,
		      mapping_endpoint inside, bool fixed)
{
	for (size_t at = 0; at < MODEL_ROWS; at++) {
		if (model->mappings[at].live)
			continue;
		model->mappings[at] =
			(struct model_mapping){ true, fixed,  transport,
						port, inside, model->now_ns };
		return;
	}
	fail_msg("the model is full");
}

/* 0: no port is free. */
static uint16_t model_out(struct model *model, uint8_t transport,
			  mapping_endpoint inside)
{
	struct model_mapping *mapping =
		model_by_inside(model, transport, inside);
	uint32_t size = model->rules.last_port - model->rules.first_port + 1u;
	uint32_t port = (uint16_t)inside;

	if (mapping) {
		mapping->used_ns = model->now_ns;
		return mapping->port;
	}
	if (!model_is_free(model, transport, port)) {
		uint32_t tried = 0;

		port = model->cursor[transport];
		while (!model_is_free(model, transport, port)) {
			if (++tried > size)
				return 0;
			if (++port > model->rules.last_port)
				port = model->rules.first_port;
		}
		model->cursor[transport] = port == model->rules.last_port
						   ? model->rules.first_port
						   : (uint16_t)(port + 1);
	}
	model_add(model, transport, (uint16_t)port, inside, false);
	return (uint16_t)port;
}

/* 0: there is no mapping. */
static mapping_endpoint model_in(struct model *model, uint8_t transport,
				 uint16_t port)
{
	struct model_mapping *mapping = model_by_port(model, transport, port);

	if (!mapping)
		return 0;
	mapping->used_ns = model->now_ns;
	return mapping->inside;
}

struct dice {
	uint64_t seed, rolls;
};

static uint64_t roll(struct dice *dice, uint64_t sides)
{
	return sl_random_at(dice->seed, dice->rolls++) % sides;
}

static const uint8_t transports[] = { 0, 6, 17 };

static mapping_endpoint random_endpoint(struct dice *dice, uint16_t first)
{
	return mapping_endpoint_of(0x0a000000u + (uint32_t)roll(dice, 12),
				   (uint16_t)(first + roll(dice, 60) - 10));
}

static void add_forwards(struct model *model, struct mapping_table *table,
			 struct dice *dice)
{
	for (uint16_t at = 0; at < 3; at++) {
		uint16_t port = (uint16_t)(model->rules.first_port + at * 5);
		mapping_endpoint inside =
			random_endpoint(dice, model->rules.first_port);

		if (model_by_inside(model, 17, inside))
			continue;
		model_add(model, 17, port, inside, true);
		assert_int_equal(mapping_fix(table, 17, port, inside), SL_OK);
	}
}

static void step(struct model *model, struct mapping_table *table,
		 struct dice *dice, int64_t *time_ns)
{
	uint8_t transport = transports[roll(dice, 3)];

	if (roll(dice, 3) == 0)
		*time_ns += (int64_t)roll(dice, 200);
	if (roll(dice, 5000) == 0)
		*time_ns += (int64_t)roll(dice, 5000);
	model_advance(model, *time_ns);
	mapping_table_advance(table, *time_ns);
	if (roll(dice, 3) > 0) {
		mapping_endpoint inside =
			random_endpoint(dice, model->rules.first_port);
		uint16_t expected = model_out(model, transport, inside);
		uint16_t port = 0;
		enum sl_code code = mapping_outbound(
			table, transport, inside,
			mapping_hash(&table->rules, inside), &port);

		assert_int_equal(code, expected ? SL_OK : SL_ENOSPC);
		assert_int_equal(port, expected);
	} else {
		uint16_t port = (uint16_t)(model->rules.first_port +
					   roll(dice, PORTS_MAX));
		mapping_endpoint inside = 0;
		mapping_endpoint expected = model_in(model, transport, port);

		assert_int_equal(
			mapping_inbound(table, transport, port, &inside),
			expected != 0);
		assert_int_equal(inside, expected);
	}
}

static void compare(const struct mapping_rules *rules, uint64_t seed)
{
	static struct model model;
	struct mapping_table *table = mapping_table_create(rules);
	struct dice dice = { seed, 0 };
	int64_t time_ns = 0;

	assert_non_null(table);
	memset(&model, 0, sizeof(model));
	model.rules = *rules;
	for (unsigned transport = 0; transport < 256; transport++)
		model.cursor[transport] = rules->first_port;
	add_forwards(&model, table, &dice);
	for (unsigned at = 0; at < STEPS; at++)
		step(&model, table, &dice, &time_ns);
	mapping_table_destroy(table);
}

static void a_table_that_often_runs_dry_agrees_with_the_model(void **unused)
{
	const struct mapping_rules rules = { 2000, 2039, 3000, 1 };

	(void)unused;
	compare(&rules, 1);
}

static void a_table_that_expires_much_agrees_with_the_model(void **unused)
{
	const struct mapping_rules rules = { 2000, 2299, 2000, 2 };

	(void)unused;
	compare(&rules, 2);
}

static void a_table_across_bitmap_words_agrees_with_the_model(void **unused)
{
	const struct mapping_rules rules = { 65300, 65535, 20000, 3 };

	(void)unused;
	compare(&rules, 3);
}

static void the_seed_of_the_hash_changes_nothing(void **unused)
{
	struct mapping_rules rules = { 4000, 4199, 5000, 4 };

	(void)unused;
	compare(&rules, 4);
	rules.seed = UINT64_MAX;
	compare(&rules, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_table_that_often_runs_dry_agrees_with_the_model),
		cmocka_unit_test(
			a_table_that_expires_much_agrees_with_the_model),
		cmocka_unit_test(
			a_table_across_bitmap_words_agrees_with_the_model),
		cmocka_unit_test(the_seed_of_the_hash_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
