/* SPDX-License-Identifier: MIT */
/* battery: what a machine draws from its batteries, while they discharge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/meter.h"
#include "sluice/tree.h"

#define SUPPLIES "sys/class/power_supply"
/* 1 uWh; 1 uAh at 1 V */
#define JOULES_A_COUNT 0.0036
/* Gauges show hundredths of a watt-hour, and milliampere-hours. */
#define ENERGY_STEP_COUNTS 10000.0
#define CHARGE_STEP_COUNTS 1000.0
/* For the resolution alone: the voltage of a common battery. */
#define COMMON_VOLTS 12.0

enum { NAME_BYTES = 64, PATH_BYTES = 160 };

enum use { USE_POWER, USE_ENERGY };

/** What one domain reads. */
enum source {
	FROM_ENERGY, /**< energy_now */
	FROM_CHARGE, /**< charge_now and voltage_now */
	FROM_POWER, /**< power_now */
	FROM_CURRENT, /**< current_now and voltage_now */
};

struct gauge {
	char supply[NAME_BYTES]; /**< "BAT0" */
	enum source source;
};

struct battery {
	/* options */
	const char *root;
	int use;
	int64_t update;
	double max_power, accuracy;

	struct gauge *gauges; /**< owned; as the host numbers them */
	size_t count, capacity;
};

static const char *const uses[] = { "power", "energy", NULL };

static const struct sl_option battery_options[] = {
	{ .name = "root",
	  .type = SL_PATH,
	  .offset = offsetof(struct battery, root),
	  .default_text = "/",
	  .help = "Where sys/class/power_supply is looked for." },
	{ .name = "use",
	  .type = SL_ENUM,
	  .offset = offsetof(struct battery, use),
	  .default_text = "power",
	  .choices = uses,
	  .help = "Which of a battery's two figures sums use: the power, good "
		  "for minutes, or the energy left, good for hours." },
	{ .name = "update",
	  .type = SL_DURATION,
	  .offset = offsetof(struct battery, update),
	  .default_text = "5 s",
	  .min = 1000000,
	  .max = INT64_C(3600000000000),
	  .help = "How often the gauge renews its figures." },
	{ .name = "max_power",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct battery, max_power),
	  .default_text = "1000.0",
	  .float_min = 1,
	  .float_max = 1e6,
	  .unit = "W",
	  .help = "What no battery can give: a power beyond it, or energy that "
		  "went faster, is no figure." },
	{ .name = "accuracy",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct battery, accuracy),
	  .default_text = "0.05",
	  .float_min = 0,
	  .float_max = 1,
	  .help = "Calibration: half of the 95 % interval, as a part of the "
		  "figure." },
};

static enum sl_code read_number(const struct battery *battery,
				const char *supply, const char *file,
				int64_t *value, struct sl_error *error)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), SUPPLIES "/%s/%s", supply, file);
	return sl_tree_i64(battery->root, path, value, error);
}

static enum sl_code read_word(const struct battery *battery, const char *supply,
			      const char *file, char word[NAME_BYTES],
			      struct sl_error *error)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), SUPPLIES "/%s/%s", supply, file);
	return sl_tree_text(battery->root, path, word, NAME_BYTES, error);
}

/* Some drivers give a current out of the battery a minus, some do not. */
static double magnitude(int64_t value)
{
	return value < 0 ? -(double)value : (double)value;
}

static enum sl_code two(const struct battery *battery, const char *supply,
			const char *file, int64_t *value, int64_t *microvolts,
			struct sl_error *error)
{
	enum sl_code code = read_number(battery, supply, file, value, error);

	if (code != SL_OK)
		return code;
	return read_number(battery, supply, "voltage_now", microvolts, error);
}

static enum sl_code take(const struct battery *battery,
			 const struct gauge *gauge, struct sl_sample *sample,
			 struct sl_error *error)
{
	const char *supply = gauge->supply;
	int64_t value = 0, microvolts = 0;
	enum sl_code code = SL_OK;

	switch (gauge->source) {
	case FROM_ENERGY:
		code = read_number(battery, supply, "energy_now", &value,
				   error);
		break;
	case FROM_CHARGE:
		code = two(battery, supply, "charge_now", &value, &microvolts,
			   error);
		sample->unit_j = JOULES_A_COUNT * (double)microvolts * 1e-6;
		break;
	case FROM_POWER:
		code = read_number(battery, supply, "power_now", &value, error);
		sample->watts = magnitude(value) * 1e-6;
		return code;
	case FROM_CURRENT:
		code = two(battery, supply, "current_now", &value, &microvolts,
			   error);
		sample->watts =
			magnitude(value) * magnitude(microvolts) * 1e-12;
		return code;
	}
	if (code == SL_OK && value < 0)
		code = SL_FAIL(error, SL_EINVAL,
			       "%s: less than nothing is left", supply);
	sample->count = value < 0 ? 0 : (uint64_t)value;
	return code;
}

static enum sl_code battery_read(void *state, uint32_t domain,
				 struct sl_sample *sample,
				 struct sl_error *error)
{
	const struct battery *battery = state;
	const struct gauge *gauge = &battery->gauges[domain];
	char status[NAME_BYTES];
	enum sl_code code =
		read_word(battery, gauge->supply, "status", status, error);

	if (code == SL_OK && strcmp(status, "Discharging") != 0)
		code = SL_FAIL(error, SL_EIO,
			       "%s is not discharging (%s): it does not tell "
			       "what the machine uses",
			       gauge->supply, status);
	if (code == SL_OK)
		code = take(battery, gauge, sample, error);
	return code == SL_END ? SL_EIO : code;
}

/* ---- opening ---------------------------------------------------------- */

static bool has(const struct battery *battery, const char *supply,
		const char *file)
{
	int64_t value;

	return read_number(battery, supply, file, &value, NULL) != SL_END;
}

static struct sl_domain describe(const struct battery *battery,
				 enum source source, const char *id,
				 const char *label, const char *overlap)
{
	double steps = source == FROM_ENERGY
			       ? ENERGY_STEP_COUNTS
			       : CHARGE_STEP_COUNTS * COMMON_VOLTS;
	bool is_store = source == FROM_ENERGY || source == FROM_CHARGE;

	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.id = id,
		.label = label,
		.overlap = overlap,
		.quality =
			is_store ? SL_QUALITY_MEASURED : SL_QUALITY_INTEGRATED,
		.form = is_store ? SL_FORM_STORE : SL_FORM_WATTS,
		.scope = SL_SCOPE_PLATFORM,
		.unit_j = is_store ? JOULES_A_COUNT : 0,
		.resolution_j = is_store ? JOULES_A_COUNT * steps : 0,
		.update_s = (double)battery->update * 1e-9,
		.relative = battery->accuracy,
		.power_max_w = battery->max_power,
	};
}

static enum sl_code keep(struct battery *battery, const char *supply,
			 enum source source, struct sl_error *error)
{
	size_t capacity = battery->capacity ? 2 * battery->capacity : 8;
	struct gauge *gauges = battery->gauges;

	if (battery->count == battery->capacity) {
		gauges = realloc(gauges, capacity * sizeof(*gauges));
		if (!gauges)
			return SL_FAIL(error, SL_ENOMEM, "no memory");
		battery->gauges = gauges;
		battery->capacity = capacity;
	}
	gauges[battery->count].source = source;
	snprintf(gauges[battery->count++].supply, NAME_BYTES, "%s", supply);
	return SL_OK;
}

static enum sl_code add(struct battery *battery, struct sl_meter_host *host,
			const char *supply, enum source source,
			struct sl_error *error)
{
	bool is_store = source == FROM_ENERGY || source == FROM_CHARGE;
	char id[NAME_BYTES + 16], label[NAME_BYTES + 16];
	char overlap[NAME_BYTES + 16];
	struct sl_domain domain;

	snprintf(id, sizeof(id), "%s/%s", supply,
		 is_store ? "energy" : "power");
	snprintf(label, sizeof(label), "battery %s", supply);
	snprintf(overlap, sizeof(overlap), "battery %s", supply);
	domain = describe(battery, source, id, label, overlap);
	sl_meter_add(host, &domain);
	return keep(battery, supply, source, error);
}

/* The first of the two is the one that sums use. */
static enum sl_code add_battery(struct battery *battery,
				struct sl_meter_host *host, const char *supply,
				struct sl_error *error)
{
	bool store = has(battery, supply, "energy_now") ||
		     has(battery, supply, "charge_now");
	bool power = has(battery, supply, "power_now") ||
		     has(battery, supply, "current_now");
	enum source store_source =
		has(battery, supply, "energy_now") ? FROM_ENERGY : FROM_CHARGE;
	enum source power_source =
		has(battery, supply, "power_now") ? FROM_POWER : FROM_CURRENT;
	enum sl_code code = SL_OK;

	if (store && battery->use == USE_ENERGY)
		code = add(battery, host, supply, store_source, error);
	if (code == SL_OK && power)
		code = add(battery, host, supply, power_source, error);
	if (code == SL_OK && store && battery->use == USE_POWER)
		code = add(battery, host, supply, store_source, error);
	if (store || power || code != SL_OK)
		return code;
	code = add(battery, host, supply, FROM_POWER, error);
	if (code == SL_OK)
		sl_meter_unusable(host, (uint32_t)battery->count - 1,
				  "%s shows neither energy nor power", supply);
	return code;
}

/* The battery of a mouse says nothing of the machine. */
static bool is_ours(const struct battery *battery, const char *supply)
{
	char word[NAME_BYTES];

	if (read_word(battery, supply, "scope", word, NULL) == SL_OK &&
	    strcmp(word, "Device") == 0)
		return false;
	if (read_word(battery, supply, "type", word, NULL) == SL_OK)
		return strcmp(word, "Battery") == 0;
	return strncmp(supply, "BAT", 3) == 0;
}

static enum sl_code battery_open(void *state, struct sl_meter_host *host,
				 struct sl_error *error)
{
	struct battery *battery = state;
	struct sl_tree_names names;
	enum sl_code code =
		sl_tree_list(battery->root, SUPPLIES, "", &names, error);

	if (code != SL_OK)
		return code;
	for (size_t at = 0; code == SL_OK && at < names.count; at++)
		if (strlen(names.names[at]) < NAME_BYTES &&
		    is_ours(battery, names.names[at]))
			code = add_battery(battery, host, names.names[at],
					   error);
	sl_tree_names_finish(&names);
	if (code == SL_OK && !battery->count)
		code = SL_FAIL(error, SL_EIO,
			       SUPPLIES ": no battery of this machine is "
					"there");
	return code;
}

static void battery_close(void *state)
{
	struct battery *battery = state;

	free(battery->gauges);
}

static const struct sl_meter battery_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct battery),
	.open = battery_open,
	.close = battery_close,
	.read = battery_read,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_METER,
	.name = "battery",
	.summary = "what the machine draws from its batteries",
	SL_OPTION_TABLE(battery_options),
	.meter = &battery_meter,
};
