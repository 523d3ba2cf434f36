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
#define STEPS 150000

struct model_mapping {
	bool live, fixed;
	uint8_t protocol, state;
	uint16_t address, port;
	mapping_endpoint inside;
	int64_t end_ns;
};

struct model {
	struct mapping_rules rules;
	int64_t now_ns;
	uint16_t cursor[MAPPING_ADDRESSES][MAPPING_PROTOCOLS];
	size_t rows; /* of these, used so far */
	struct model_mapping mappings[4 * PORTS_MAX];
};

#define ROWS_MAX \
	(sizeof(((struct model *)0)->mappings) / sizeof(struct model_mapping))

static void model_advance(struct model *model, int64_t time_ns)
{
	if (time_ns > model->now_ns)
		model->now_ns = time_ns;
	for (size_t at = 0; at < model->rows; at++) {
		struct model_mapping *mapping = &model->mappings[at];

		if (!mapping->fixed && model->now_ns >= mapping->end_ns)
			mapping->live = false;
	}
}

static struct model_mapping *model_by_port(struct model *model,
					   uint8_t protocol, unsigned address,
					   unsigned port)
{
	for (size_t at = 0; at < model->rows; at++) {
		struct model_mapping *mapping = &model->mappings[at];

		if (mapping->live && mapping->protocol == protocol &&
		    mapping->address == address && mapping->port == port)
			return mapping;
	}
	return NULL;
}

static struct model_mapping *
model_by_inside(struct model *model, uint8_t protocol, mapping_endpoint inside)
{
	for (size_t at = 0; at < model->rows; at++) {
		struct model_mapping *mapping = &model->mappings[at];

		if (mapping->live && mapping->protocol == protocol &&
		    mapping->inside == inside)
			return mapping;
	}
	return NULL;
}

static bool model_is_free(struct model *model, uint8_t protocol,
			  unsigned address, unsigned port)
{
	return port >= model->rules.first_port &&
	       port <= model->rules.last_port &&
	       !model_by_port(model, protocol, address, port);
}

static struct model_mapping *model_add(struct model *model, uint8_t protocol,
				       unsigned address, unsigned port,
				       mapping_endpoint inside, bool fixed)
{
	struct model_mapping *mapping;
	size_t at = 0;

	while (at < model->rows && model->mappings[at].live)
		at++;
	assert_true(at < ROWS_MAX);
	if (at == model->rows)
		model->rows++;
	mapping = &model->mappings[at];
	memset(mapping, 0, sizeof(*mapping));
	mapping->live = true;
	mapping->fixed = fixed;
	mapping->protocol = protocol;
	mapping->address = (uint16_t)address;
	mapping->port = (uint16_t)port;
	mapping->inside = inside;
	return mapping;
}

/* The first free port from the cursor on, once round; @p parity: 0, 1, or 2
 * for both. 0: none. */
static unsigned model_search(struct model *model, uint8_t protocol,
			     unsigned address, unsigned parity)
{
	unsigned first = model->rules.first_port, last = model->rules.last_port;
	unsigned port = model->cursor[address][protocol];

	for (unsigned tried = first; tried <= last; tried++) {
		if ((parity == 2 || port % 2 == parity) &&
		    model_is_free(model, protocol, address, port))
			return port;
		port = port == last ? first : port + 1;
	}
	return 0;
}

static unsigned model_choose(struct model *model, uint8_t protocol,
			     unsigned address, unsigned own)
{
	unsigned port = 0;

	if (model_is_free(model, protocol, address, own))
		return own;
	if (model->rules.parity && protocol == MAPPING_UDP)
		port = model_search(model, protocol, address, own % 2);
	if (!port)
		port = model_search(model, protocol, address, 2);
	if (port)
		model->cursor[address][protocol] =
			port == model->rules.last_port ? model->rules.first_port
						       : (uint16_t)(port + 1);
	return port;
}

/* The last use as it is known: rounded up, but for that which made it. */
static int64_t model_used(const struct model *model, const int64_t *timeouts,
			  bool made)
{
	int64_t shortest =
		timeouts[1] < timeouts[0] ? timeouts[1] : timeouts[0];
	int64_t span = 1;

	if (made)
		return model->now_ns;
	while (span * 2 <= shortest / 1024 && span < 1 << 28)
		span *= 2;
	return (model->now_ns + 1) / span * span + span - 2;
}

static void model_use(const struct model *model, struct model_mapping *mapping,
		      uint8_t event, bool made)
{
	const int64_t *timeouts = model->rules.timeouts_ns[mapping->protocol];

	mapping->state = tcp_next_state[mapping->state][event];
	mapping->end_ns = model_used(model, timeouts, made) +
			  timeouts[mapping->state >= TCP_ESTABLISHED];
}

/* NULL: no port is free. */
static const struct model_mapping *model_out(struct model *model,
					     uint8_t protocol,
					     mapping_endpoint inside,
					     uint8_t event)
{
	struct model_mapping *mapping =
		model_by_inside(model, protocol, inside);
	unsigned count = model->rules.addresses;
	unsigned home = (unsigned)((inside >> 16) % count);
	bool made = !mapping;

	for (unsigned step = 0; step < count && !mapping; step++) {
		unsigned address = (home + step) % count;
		unsigned port = model_choose(model, protocol, address,
					     (uint16_t)inside);

		if (port)
			mapping = model_add(model, protocol, address, port,
					    inside, false);
	}
	if (mapping)
		model_use(model, mapping, event, made);
	return mapping;
}

/* 0: there is no mapping. */
static mapping_endpoint model_in(struct model *model, uint8_t protocol,
				 unsigned address, uint16_t port, uint8_t event)
{
	struct model_mapping *mapping =
		model_by_port(model, protocol, address, port);

	if (!mapping)
		return 0;
	model_use(model, mapping, event | TCP_FROM_OUTSIDE, false);
	return mapping->inside;
}

struct dice {
	uint64_t seed, rolls;
};

static uint64_t roll(struct dice *dice, uint64_t sides)
{
	return sl_random_at(dice->seed, dice->rolls++) % sides;
}

static const uint8_t protocols[] = { MAPPING_OTHER, MAPPING_TCP, MAPPING_UDP };

static mapping_endpoint random_endpoint(struct dice *dice, uint16_t first)
{
	return mapping_endpoint_of(0x0a000000u + (uint32_t)roll(dice, 12),
				   (uint16_t)(first + roll(dice, 60) - 10));
}

static void add_forwards(struct model *model, struct mapping_table *table,
			 struct dice *dice)
{
	for (uint16_t at = 0; at < 3; at++) {
		unsigned address = at % model->rules.addresses;
		struct mapping_place place = {
			(uint16_t)mapping_space_of(address, MAPPING_UDP),
			(uint16_t)(model->rules.first_port + at * 5)
		};
		mapping_endpoint inside =
			random_endpoint(dice, model->rules.first_port);

		if (model_by_inside(model, MAPPING_UDP, inside))
			continue;
		(void)model_add(model, MAPPING_UDP, address, place.port, inside,
				true);
		assert_int_equal(mapping_fix(table, place, inside), SL_OK);
	}
}

static void step_out(struct model *model, struct mapping_table *table,
		     struct dice *dice, uint8_t protocol, uint8_t event)
{
	mapping_endpoint inside =
		random_endpoint(dice, model->rules.first_port);
	const struct model_mapping *expected =
		model_out(model, protocol, inside, event);
	struct mapping_place place = { 0, 0 };
	enum sl_code code = mapping_outbound(
		table,
		mapping_home(&table->rules, (uint32_t)(inside >> 16), protocol),
		inside, mapping_hash(&table->rules, inside), event, &place);

	assert_int_equal(code, expected ? SL_OK : SL_ENOSPC);
	if (!expected)
		return;
	assert_int_equal(place.port, expected->port);
	assert_int_equal(mapping_place_address(place), expected->address);
}

static void step_in(struct model *model, struct mapping_table *table,
		    struct dice *dice, uint8_t protocol, uint8_t event)
{
	unsigned address = (unsigned)roll(dice, model->rules.addresses);
	uint16_t port =
		(uint16_t)(model->rules.first_port + roll(dice, PORTS_MAX));
	struct mapping_place place = {
		(uint16_t)mapping_space_of(address, protocol), port
	};
	mapping_endpoint inside = 0;
	mapping_endpoint expected =
		model_in(model, protocol, address, port, event);

	assert_int_equal(mapping_inbound(table, place, event, &inside),
			 expected != 0);
	if (expected)
		assert_int_equal(inside, expected);
}

static void step(struct model *model, struct mapping_table *table,
		 struct dice *dice, int64_t *time_ns)
{
	uint8_t protocol = protocols[roll(dice, 3)];
	uint8_t event = TCP_NOTHING;

	if (protocol == MAPPING_TCP)
		event = (uint8_t)roll(dice, TCP_BARE + 1);
	if (roll(dice, 3) == 0)
		*time_ns += (int64_t)roll(dice, 20000);
	if (roll(dice, 5000) == 0)
		*time_ns += (int64_t)roll(dice, 5000000);
	model_advance(model, *time_ns);
	mapping_table_advance(table, *time_ns);
	if (roll(dice, 3) > 0)
		step_out(model, table, dice, protocol, event);
	else
		step_in(model, table, dice, protocol, event);
}

static struct mapping_rules rules_of(uint16_t first_port, uint16_t last_port,
				     uint16_t addresses, int64_t timeout_ns)
{
	struct mapping_rules rules = { .first_port = first_port,
				       .last_port = last_port,
				       .addresses = addresses,
				       .seed = 1 };

	for (unsigned protocol = 0; protocol < MAPPING_PROTOCOLS; protocol++) {
		rules.timeouts_ns[protocol][0] = timeout_ns;
		rules.timeouts_ns[protocol][1] = timeout_ns;
	}
	rules.timeouts_ns[MAPPING_TCP][1] = timeout_ns * 9;
	return rules;
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
	for (unsigned address = 0; address < MAPPING_ADDRESSES; address++) {
		for (unsigned at = 0; at < MAPPING_PROTOCOLS; at++)
			model.cursor[address][at] = rules->first_port;
	}
	add_forwards(&model, table, &dice);
	for (unsigned at = 0; at < STEPS; at++)
		step(&model, table, &dice, &time_ns);
	mapping_table_destroy(table);
}

static void a_table_that_often_runs_dry_agrees_with_the_model(void **unused)
{
	struct mapping_rules rules = rules_of(2000, 2039, 1, 300000);

	(void)unused;
	compare(&rules, 1);
}

static void a_table_that_expires_much_agrees_with_the_model(void **unused)
{
	struct mapping_rules rules = rules_of(2000, 2299, 1, 200000);

	(void)unused;
	compare(&rules, 2);
}

static void a_table_across_bitmap_words_agrees_with_the_model(void **unused)
{
	struct mapping_rules rules = rules_of(65300, 65535, 1, 2000000);

	(void)unused;
	rules.parity = true;
	compare(&rules, 3);
}

static void the_seed_of_the_hash_changes_nothing(void **unused)
{
	struct mapping_rules rules = rules_of(4000, 4199, 1, 500000);

	(void)unused;
	compare(&rules, 4);
	rules.seed = UINT64_MAX;
	compare(&rules, 4);
}

static void a_pool_that_often_runs_dry_agrees_with_the_model(void **unused)
{
	struct mapping_rules rules = rules_of(2000, 2014, 5, 300000);

	(void)unused;
	compare(&rules, 5);
	rules.parity = true;
	rules.seed = 7;
	compare(&rules, 6);
}

static void
a_pool_with_a_timeout_that_falls_agrees_with_the_model(void **unused)
{
	struct mapping_rules rules = rules_of(2000, 2030, 3, 70000);

	(void)unused;
	compare(&rules, 8);
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
		cmocka_unit_test(
			a_pool_that_often_runs_dry_agrees_with_the_model),
		cmocka_unit_test(
			a_pool_with_a_timeout_that_falls_agrees_with_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
