/* SPDX-License-Identifier: MIT */
#include "energy/meters.h"

#include <stdio.h>
#include <string.h>

static enum sl_code try_meter(struct sl_energy *energy, const char *name,
			      const char *root, const char *options,
			      struct sl_error *error)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s:root=\"%s\"%s%s", name, root,
		 *options ? "," : "", options);
	return sl_energy_open(energy, text, error);
}

struct meters open_meter(const char *name, const char *root,
			 const char *options)
{
	struct meters meters = { 0 };
	struct sl_error error = { .message = "" };

	assert_int_equal(sl_energy_create(&meters.energy, NULL, &error), SL_OK);
	try_meter(meters.energy, name, root, options, &error);
	assert_string_equal(error.message, "");
	return meters;
}

void expect_refused(const char *name, const char *root, const char *options,
		    const char *message)
{
	struct sl_error error = { .message = "" };
	struct sl_energy *energy;
	enum sl_code code;

	assert_int_equal(sl_energy_create(&energy, NULL, NULL), SL_OK);
	code = try_meter(energy, name, root, options, &error);
	assert_int_not_equal(code, SL_OK);
	assert_string_equal(error.message, message);
	assert_int_equal(sl_energy_domain_count(energy), 0);
	sl_energy_destroy(energy);
}

void close_meters(struct meters *meters)
{
	sl_energy_mark_finish(&meters->from);
	sl_energy_mark_finish(&meters->to);
	sl_energy_destroy(meters->energy);
}

void mark_from(struct meters *meters)
{
	assert_int_equal(sl_energy_mark(meters->energy, &meters->from, NULL),
			 SL_OK);
}

void mark_to(struct meters *meters)
{
	assert_int_equal(sl_energy_mark(meters->energy, &meters->to, NULL),
			 SL_OK);
}

size_t domain_at(const struct meters *meters, const char *id)
{
	for (size_t at = 0; at < sl_energy_domain_count(meters->energy); at++)
		if (strcmp(sl_energy_domain(meters->energy, at)->id, id) == 0)
			return at;
	fail_msg("no domain %s", id);
	return 0;
}

const struct sl_energy_domain *domain_of(const struct meters *meters,
					 const char *id)
{
	return sl_energy_domain(meters->energy, domain_at(meters, id));
}

struct sl_energy_span span_of(const struct meters *meters, const char *id)
{
	struct sl_energy_span span;

	assert_int_equal(sl_energy_between(meters->energy,
					   domain_at(meters, id), &meters->from,
					   &meters->to, &span, NULL),
			 SL_OK);
	return span;
}

void expect_raw(const struct meters *meters, const char *id, double raw)
{
	const struct sl_energy_reading *reading =
		&meters->to.readings[domain_at(meters, id)];

	assert_string_equal(reading->reason, "");
	assert_true(reading->valid);
	assert_near(reading->raw, raw, 1e-9 * fabs(raw));
}

void expect_energy(const struct meters *meters, const char *id, double energy_j)
{
	struct sl_energy_span span = span_of(meters, id);

	assert_string_equal(span.reason, "");
	assert_true(span.valid);
	assert_near(span.energy_j, energy_j, 1e-9);
}

void expect_no_energy(const struct meters *meters, const char *id,
		      const char *reason)
{
	struct sl_energy_span span = span_of(meters, id);

	assert_false(span.valid);
	assert_string_equal(span.reason, reason);
}
