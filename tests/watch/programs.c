/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void add_scaled(struct values *values, const char *name, const char *unit,
		double scale)
{
	struct sl_counter_value *value = &values->values[values->count++];

	assert_true(values->count <= 64);
	memset(value, 0, sizeof(*value));
	(void)snprintf(value->name, sizeof(value->name), "%s", name);
	(void)snprintf(value->unit, sizeof(value->unit), "%s", unit);
	value->scale = scale;
}

void add_count(struct values *values, const char *name)
{
	add_scaled(values, name, "packet", 1);
}

void add_gauge(struct values *values, const char *name, const char *unit)
{
	add_scaled(values, name, unit, 1);
	values->values[values->count - 1].is_double = true;
}

static struct sl_counter_value *find(struct values *values, const char *name)
{
	for (size_t at = 0; at < values->count; at++)
		if (strcmp(values->values[at].name, name) == 0)
			return &values->values[at];
	fail_msg("no counter %s", name);
	abort(); /* what fails does not return, which gcc cannot know */
}

void set_count(struct values *values, const char *name, uint64_t count)
{
	struct sl_counter_value *value = find(values, name);

	value->count = count;
	value->number = (double)count * value->scale;
}

void set_gauge(struct values *values, const char *name, double number)
{
	find(values, name)->number = number;
}

void begin_program(struct sl_watch_program *program,
		   const struct values *values)
{
	struct sl_counter_program about = { .program = "runpipe",
					    .process = 4711,
					    .count = values->count };
	struct sl_error error;

	memset(program, 0, sizeof(*program));
	assert_int_equal(sl_watch_init(program, &about, &error), SL_OK);
}

void take(struct sl_watch_program *program, double at,
	  const struct values *values, enum sl_counter_state state)
{
	/* The clock did not begin with the test. */
	sl_watch_take(program, 1000 * SECOND + (int64_t)(at * 1e9),
		      values->values, state);
	program->age_s = at;
}

void add_pipeline(struct values *values)
{
	static const char *const stages[] = { "trace", "nat", "discard" };

	add_count(values, "packets_in");
	add_count(values, "packets_out");
	add_count(values, "packets_dropped");
	add_scaled(values, "workers", "", 1);
	set_count(values, "workers", 2);
	for (size_t at = 0; at < 3; at++) {
		char name[SL_COUNTER_NAME];

		(void)snprintf(name, sizeof(name), "packets.%s", stages[at]);
		add_count(values, name);
		(void)snprintf(name, sizeof(name), "dropped.%s", stages[at]);
		add_count(values, name);
		(void)snprintf(name, sizeof(name), "busy.%s", stages[at]);
		add_scaled(values, name, "s", 1e-9);
	}
}

void add_energy(struct values *values)
{
	add_gauge(values, "energy", "J");
	add_gauge(values, "power", "W");
	add_gauge(values, "estimate", "");
	add_gauge(values, "energy.rapl.package-0", "J");
}

void set_pipeline(struct values *values, double seconds)
{
	uint64_t packets = (uint64_t)(1000 * seconds);

	set_count(values, "packets_in", packets);
	set_count(values, "packets_out", packets - packets / 10);
	set_count(values, "packets_dropped", packets / 10);
	set_count(values, "packets.trace", packets);
	set_count(values, "packets.nat", packets);
	set_count(values, "dropped.nat", packets / 10);
	set_count(values, "busy.nat", packets * 500000);
	if (values->count < 14)
		return;
	set_gauge(values, "energy", 20 * seconds);
	set_gauge(values, "power", 20);
	set_gauge(values, "energy.rapl.package-0", 15 * seconds);
}
