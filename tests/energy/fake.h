/* SPDX-License-Identifier: MIT */
/** @file
 * A meter and a clock of the test's own, below the library.
 */
#ifndef TESTS_ENERGY_FAKE_H
#define TESTS_ENERGY_FAKE_H

#include "energy/energy_private.h"

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

/** A clock that stands until the test moves it; each look costs 1 us. */
struct hands {
	int64_t now_ns, slept_ns;
};

/** The time of the hands; @p context is theirs. */
int64_t look_at(void *context);

/** All that a test has. */
struct bench {
	struct fake fake;
	struct hands hands;
	struct sl_energy *energy;
	struct sl_energy_mark from, to;
};

/** Setup and teardown of a test: *state is its bench. */
int set_up(void **state);
int tear_down(void **state);

#define COUNTER(name, ...) \
	{ \
		.size = sizeof(struct sl_domain), .id = (name), \
		.quality = SL_QUALITY_ON_DIE, .form = SL_FORM_COUNTER, \
		.scope = SL_SCOPE_PART, .unit_j = 1e-6, \
		.modulus = 262143328911, .resolution_j = 61e-6, \
		.update_s = 1e-3, .power_max_w = 1000, __VA_ARGS__ \
	}

/** Package 0 with its cores, and package 1. */
extern const struct sl_domain two_packages[3];

/** Open the meter as the bench describes it. @p begins: it has a begin(). */
enum sl_code open_fake(struct bench *bench, bool begins,
		       struct sl_error *error);
/** Open it with these domains. */
void use(struct bench *bench, const struct sl_domain *domains, size_t count);

void mark(struct bench *bench, struct sl_energy_mark *mark);
/** Between bench->from and bench->to. */
struct sl_energy_span sum(const struct bench *bench);
struct sl_energy_span between(const struct bench *bench, size_t at);

#endif
