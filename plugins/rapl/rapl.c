/* SPDX-License-Identifier: MIT */
/* rapl: the energy counters that processors keep of themselves, as Linux shows
 * them in /sys/class/powercap. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/meter.h"
#include "sluice/tree.h"

#define POWERCAP "sys/class/powercap"
#define JOULES_A_COUNT 1e-6
/* The counters are renewed about every millisecond. */
#define UPDATE_S 1e-3

enum { ID_BYTES = 64, NAME_BYTES = 64, PATH_BYTES = 160 };

/** A zone: intel-rapl:0 is a package, intel-rapl:0:1 something in it. */
struct zone {
	char id[ID_BYTES];
	char name[NAME_BYTES]; /**< "package-0", "core"; "" if unreadable */
	size_t parent; /**< its index, its own for none */
};

struct rapl {
	/* options */
	const char *root;
	double max_power, accuracy;

	struct zone *zones; /**< owned; as the host numbers them */
	size_t count;
};

static const struct sl_option rapl_options[] = {
	{ .name = "root",
	  .type = SL_PATH,
	  .offset = offsetof(struct rapl, root),
	  .default_text = "/",
	  .help = "Where sys/class/powercap is looked for." },
	{ .name = "max_power",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct rapl, max_power),
	  .default_text = "1000.0",
	  .float_min = 1,
	  .float_max = 1e6,
	  .unit = "W",
	  .help = "What no domain can exceed: a fall of a counter that would "
		  "take more is a reset, not a wrap." },
	{ .name = "accuracy",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct rapl, accuracy),
	  .default_text = "0.05",
	  .float_min = 0,
	  .float_max = 1,
	  .help = "Calibration: half of the 95 % interval, as a part of the "
		  "figure." },
};

static void zone_path(const struct zone *zone, const char *file,
		      char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, POWERCAP "/%s/%s", zone->id, file);
}

/* "intel-rapl:0:1" lies in "intel-rapl:0". @return its index, @p at if it is
 * not there or @p at is a package. */
static size_t find_parent(const struct rapl *rapl, size_t at)
{
	const char *id = rapl->zones[at].id;
	size_t length = (size_t)(strrchr(id, ':') - id);

	for (size_t other = 0; other < at; other++)
		if (strlen(rapl->zones[other].id) == length &&
		    memcmp(rapl->zones[other].id, id, length) == 0)
			return other;
	return at;
}

static bool is_memory(const struct zone *zone)
{
	return strcmp(zone->name, "dram") == 0;
}

static bool is_platform(const struct zone *zone)
{
	return strncmp(zone->name, "psys", 4) == 0;
}

/* 2^32 - 1 counts are the range; so many joules is one. */
static double resolution_j(uint64_t range)
{
	return fmax((double)range / UINT32_MAX, 1) * JOULES_A_COUNT;
}

/* The register has 32 bits; the range is that of 2^32 - 1 counts, rounded to
 * microjoules, and the counter goes on to 0 one count later. */
static uint64_t modulus_of(uint64_t range)
{
	return range + (uint64_t)llround((double)range / UINT32_MAX);
}

/* What the host is told of a zone that carries @p label and @p overlap. */
static struct sl_domain describe(const struct rapl *rapl, size_t at,
				 const char *label, const char *overlap,
				 uint64_t range)
{
	const struct zone *zone = &rapl->zones[at];
	const struct zone *parent = &rapl->zones[zone->parent];
	/* Linux lists the memory below the package, which does not hold it. */
	bool inside = parent != zone && !is_memory(zone);

	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.id = zone->id,
		.label = label,
		.parent = inside ? parent->id : NULL,
		.overlap = overlap,
		.quality = SL_QUALITY_ON_DIE,
		.form = SL_FORM_COUNTER,
		.scope = is_platform(zone) ? SL_SCOPE_PLATFORM : SL_SCOPE_PART,
		.unit_j = JOULES_A_COUNT,
		.modulus = modulus_of(range),
		.resolution_j = resolution_j(range),
		.update_s = UPDATE_S,
		.relative = rapl->accuracy,
		.power_max_w = rapl->max_power,
	};
}

/* Name, range and energy: what a zone needs to be measured. */
static enum sl_code probe(const struct rapl *rapl, struct zone *zone,
			  uint64_t *range, struct sl_error *error)
{
	char path[PATH_BYTES];
	uint64_t energy;
	enum sl_code code;

	zone_path(zone, "name", path);
	code = sl_tree_text(rapl->root, path, zone->name, sizeof(zone->name),
			    error);
	if (code != SL_OK)
		return code;
	zone_path(zone, "max_energy_range_uj", path);
	code = sl_tree_u64(rapl->root, path, range, error);
	if (code == SL_OK && (*range == 0 || *range > UINT64_MAX / 2)) {
		*range = 0;
		code = SL_FAIL(error, SL_EINVAL, "%s: no range", path);
	}
	if (code != SL_OK)
		return code;
	zone_path(zone, "energy_uj", path);
	return sl_tree_u64(rapl->root, path, &energy, error);
}

static void add_zone(struct rapl *rapl, size_t at, struct sl_meter_host *host)
{
	struct zone *zone = &rapl->zones[at];
	const struct zone *package;
	char label[2 * NAME_BYTES], overlap[2 * NAME_BYTES];
	struct sl_error error = { .code = SL_OK };
	struct sl_domain domain;
	uint64_t range = 0;
	uint32_t number;
	enum sl_code code;

	zone->parent = find_parent(rapl, at);
	code = probe(rapl, zone, &range, &error);
	package = &rapl->zones[zone->parent];
	snprintf(label, sizeof(label), "%s%s%s",
		 package == zone ? "" : package->name,
		 package == zone ? "" : " ", zone->name);
	/* The same words for intel-rapl and its twin intel-rapl-mmio. */
	snprintf(overlap, sizeof(overlap), "%s", label);
	domain = describe(rapl, at, zone->name[0] ? label : NULL,
			  zone->name[0] ? overlap : NULL, range);
	number = sl_meter_add(host, &domain);
	if (code != SL_OK)
		sl_meter_unusable(host, number, "%s", error.message);
}

/* Packages stand before what is in them, and the twin after the original. */
static enum sl_code collect(struct rapl *rapl, const char *prefix,
			    struct sl_error *error)
{
	struct sl_tree_names names;
	enum sl_code code =
		sl_tree_list(rapl->root, POWERCAP, prefix, &names, error);
	struct zone *zones;

	if (code != SL_OK)
		return code;
	zones = realloc(rapl->zones,
			(rapl->count + names.count + 1) * sizeof(*zones));
	if (!zones)
		code = SL_FAIL(error, SL_ENOMEM, "no memory");
	else
		rapl->zones = zones;
	for (size_t at = 0; code == SL_OK && at < names.count; at++) {
		size_t length = strlen(names.names[at]);

		if (length >= ID_BYTES)
			continue;
		zones[rapl->count] = (struct zone){ .name = "" };
		memcpy(zones[rapl->count++].id, names.names[at], length + 1);
	}
	sl_tree_names_finish(&names);
	return code;
}

static enum sl_code rapl_open(void *state, struct sl_meter_host *host,
			      struct sl_error *error)
{
	struct rapl *rapl = state;
	enum sl_code code = collect(rapl, "intel-rapl:", error);

	if (code == SL_OK)
		code = collect(rapl, "intel-rapl-mmio:", error);
	if (code != SL_OK)
		return code;
	if (!rapl->count)
		return SL_FAIL(error, SL_EIO,
			       POWERCAP ": no intel-rapl zone is there");
	for (size_t at = 0; at < rapl->count; at++)
		add_zone(rapl, at, host);
	return SL_OK;
}

static void rapl_close(void *state)
{
	struct rapl *rapl = state;

	free(rapl->zones);
}

static enum sl_code rapl_read(void *state, uint32_t domain,
			      struct sl_sample *sample, struct sl_error *error)
{
	const struct rapl *rapl = state;
	char path[PATH_BYTES];
	enum sl_code code;

	zone_path(&rapl->zones[domain], "energy_uj", path);
	code = sl_tree_u64(rapl->root, path, &sample->count, error);
	return code == SL_END ? SL_EIO : code;
}

static const struct sl_meter rapl_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct rapl),
	.open = rapl_open,
	.close = rapl_close,
	.read = rapl_read,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_METER,
	.name = "rapl",
	.summary = "energy counters of processors (powercap)",
	SL_OPTION_TABLE(rapl_options),
	.meter = &rapl_meter,
};
