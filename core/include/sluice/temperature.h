/* SPDX-License-Identifier: MIT */
/** @file
 * The environment beside the joules: temperatures of thermal zones
 * (sys/class/thermal/thermal_zoneN/temp) and of monitoring chips
 * (sys/class/hwmon/hwmonN/tempM_input), both in millidegrees Celsius, which may
 * be negative.
 */
#ifndef SLUICE_TEMPERATURE_H
#define SLUICE_TEMPERATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** One sensor. Frozen. */
struct sl_temperature {
	char id[128]; /**< "thermal_zone0", "hwmon3/temp1" */
	char label[128]; /**< the zone's type; chip and label; "" */
	bool valid;
	double celsius;
	char reason[256]; /**< why not valid; "" */
};

/** Sensors in the order of their ids, zones first. A zeroed one is empty.
 * Frozen. */
struct sl_temperatures {
	struct sl_temperature *sensors; /**< owned */
	size_t count, capacity;
};

SL_BEGIN_DECLS

/** Read all sensors below @p root ("/", or a tree that stands in for it). What
 * the list held before is replaced. A machine without sensors is no failure.
 * SL_ENOMEM. Thread-safe. */
enum sl_code sl_temperatures_read(const char *root,
				  struct sl_temperatures *temperatures,
				  struct sl_error *error) SL_MUST_CHECK;
void sl_temperatures_finish(struct sl_temperatures *temperatures);

SL_END_DECLS

#endif
