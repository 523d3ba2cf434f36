/* SPDX-License-Identifier: MIT */
/** @file
 * What a hwmon chip has that tells energy or power.
 *
 * A *channel* is an energy, a power, or a voltage with the current that flows
 * at it. The kernel numbers each kind for itself, so which current belongs to
 * which voltage depends on the driver
 * (Documentation/hwmon/ in the kernel's sources).
 */
#ifndef HWMON_CHIP_H
#define HWMON_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/error.h"

enum { CHIP_NAME_BYTES = 64, CHIP_PATH_BYTES = 192 };

#define HWMON "sys/class/hwmon"

enum channel_kind {
	CHANNEL_ENERGY, /**< energyN_input, uJ */
	CHANNEL_AVERAGE, /**< powerN_average, uW */
	CHANNEL_POWER, /**< powerN_input, uW */
	CHANNEL_PRODUCT, /**< inN_input, mV, times currM_input, mA */
};

struct channel {
	enum channel_kind kind;
	unsigned number, current; /**< N, M */
	char label[CHIP_NAME_BYTES]; /**< the driver's; "" */
	char disabled[CHIP_NAME_BYTES]; /**< "energy3_enable is 0"; "" */
	bool unknown; /**< a product that may be none: nobody says which
			   current belongs to which voltage */
};

struct chip {
	char folder[CHIP_NAME_BYTES]; /**< "hwmon3" */
	char name[CHIP_NAME_BYTES]; /**< "ina226"; the folder if none */
	double update_s; /**< as the driver says; 0: it does not */
	struct channel *channels; /**< owned */
	size_t count;
};

/** Look into @p folder. A chip without channels is no failure. */
enum sl_code chip_init(struct chip *chip, const char *root, const char *folder,
		       struct sl_error *error) SL_MUST_CHECK;
void chip_finish(struct chip *chip);

/** Which current of a chip called @p name flows at its voltage @p voltage.
 * @return its number; -1: none, or *known is false: nobody says. */
int chip_current_of(const char *name, unsigned voltage, bool *known);

#endif
