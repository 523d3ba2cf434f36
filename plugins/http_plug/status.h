/* SPDX-License-Identifier: MIT */
/** @file
 * What a plug or a management controller answers, from JSON to figures.
 *
 *     Shelly Gen2   {"id":0, "apower":12.3, "aenergy":{"total":4567.891}}
 *     Redfish       {"PowerControl":[{"MemberId":"0", "Name":"...",
 *                                     "PowerConsumedWatts":344}, ...]}
 *
 * All else in it is passed over. What is wanted and stands there twice, or is
 * something else than a number, makes the whole answer wrong: whoever sends
 * that cannot be trusted with the rest. A figure that is missing or null is
 * noted, for there may be others.
 *
 * Pure: bytes in, a struct out.
 */
#ifndef PLUGINS_HTTP_PLUG_STATUS_H
#define PLUGINS_HTTP_PLUG_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/decimal.h"
#include "sluice/defs.h"
#include "sluice/error.h"

enum plug_kind { PLUG_SHELLY, PLUG_REDFISH };

enum {
	MEMBERS_MAX = 16,
	NAME_BYTES = 48, /**< longer names are cut */
	DEPTH_MAX = 32, /**< objects and arrays in each other */
};

struct plug_field {
	bool there; /**< false: it is missing */
	bool is_null;
	size_t byte; /**< of the answer, behind it */
	struct sl_decimal value;
};

struct plug_member {
	char id[NAME_BYTES]; /**< MemberId; the place in the array without */
	char name[NAME_BYTES]; /**< "": none */
	struct plug_field watts;
};

struct plug_status {
	/* Shelly */
	struct plug_field id, apower, total_wh;
	/* Redfish */
	struct plug_member members[MEMBERS_MAX];
	size_t member_count;
};

/** Messages begin with the place: "byte 17: apower is a string, a number is
 * wanted". SL_EIO; SL_ENOMEM. */
enum sl_code plug_status_parse(struct plug_status *status, enum plug_kind kind,
			       const char *text, size_t length,
			       struct sl_error *error) SL_MUST_CHECK;

#endif
