/* SPDX-License-Identifier: MIT */
/** @file
 * What a machine's energy depends on besides the work: figures taken under
 * different conditions are not to be compared.
 */
#ifndef SL_POWER_CONDITIONS_H
#define SL_POWER_CONDITIONS_H

#include <stddef.h>

#include "sluice/error.h"

/** "unknown" where it cannot be told. */
struct sl_conditions {
	char power_source[32]; /**< "mains", "battery" */
	char cpu_model[128];
	unsigned cpus; /**< 0: unknown */
	char smt[32]; /**< as the kernel says: "on", "off", "notsupported" */
	char governor[64]; /**< "mixed" if CPUs differ */
	char turbo[16]; /**< "on", "off" */
	double mhz; /**< mean of all CPUs now; NAN: unknown */
	char kernel[128];
};

/** Read them below @p root. */
void sl_conditions_read(const char *root, struct sl_conditions *conditions);

/** Write what differs, "governor: powersave, performance; SMT: on, off", to @p
 * text. The frequency now is no condition, it follows the load. @return how
 * many differ. */
unsigned sl_conditions_differ(const struct sl_conditions *a,
			      const struct sl_conditions *b, char *text,
			      size_t size);

#endif
