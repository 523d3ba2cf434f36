/* SPDX-License-Identifier: MIT */
/** @file
 * The shipped meters on a tree of files: open, mark, look. A failure ends the
 * test.
 */
#ifndef TESTS_ENERGY_METERS_H
#define TESTS_ENERGY_METERS_H

#include "energy/near.h"
#include "sluice/energy.h"

/** Meters that are open, with a mark before and after. */
struct meters {
	struct sl_energy *energy;
	struct sl_energy_mark from, to;
};

/** Open "NAME:root=ROOT,OPTIONS"; @p options may be "". */
struct meters open_meter(const char *name, const char *root,
			 const char *options);
void close_meters(struct meters *meters);

/** Expect that the meter does not open, with this message. */
void expect_refused(const char *name, const char *root, const char *options,
		    const char *message);

/** Take the mark before; the mark after. */
void mark_from(struct meters *meters);
void mark_to(struct meters *meters);

/** @return the domain's number. */
size_t domain_at(const struct meters *meters, const char *id);
const struct sl_energy_domain *domain_of(const struct meters *meters,
					 const char *id);

/** @return what the domain used between the two marks. */
struct sl_energy_span span_of(const struct meters *meters, const char *id);

/** Expect the domain's raw figure in the mark after. */
void expect_raw(const struct meters *meters, const char *id, double raw);

/** Expect a figure of @p energy_j between the marks; or none, for @p reason. */
void expect_energy(const struct meters *meters, const char *id,
		   double energy_j);
void expect_no_energy(const struct meters *meters, const char *id,
		      const char *reason);

#endif
