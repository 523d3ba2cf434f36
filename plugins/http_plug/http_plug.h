/* SPDX-License-Identifier: MIT */
/** @file
 * A meter that asks a device over HTTP: its options and what it knows.
 */
#ifndef PLUGINS_HTTP_PLUG_HTTP_PLUG_H
#define PLUGINS_HTTP_PLUG_HTTP_PLUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fetch.h"
#include "status.h"

enum use { USE_POWER, USE_ENERGY };

enum members { MEMBERS_OVERLAP, MEMBERS_SEPARATE };

/** What a domain is. */
struct probe {
	bool is_energy;
	char member[NAME_BYTES]; /**< of Redfish */
};

struct http_plug {
	/* Options; texts are borrowed. */
	int kind, use, members, scope;
	const char *url, *chassis;
	int64_t id;
	const char *user, *password_file, *ca_file, *proxy;
	int64_t timeout, update, energy_update;
	double accuracy, max_power;

	struct fetch fetch;
	struct plug_status status; /**< of this round */
	struct probe probes[MEMBERS_MAX]; /**< by domain; count of them */
	size_t count;
};

#endif
