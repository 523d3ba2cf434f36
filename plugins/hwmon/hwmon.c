/* SPDX-License-Identifier: MIT */
/* hwmon: the energies and powers that monitoring chips and drivers show in
 * /sys/class/hwmon. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip.h"
#include "sluice/meter.h"
#include "sluice/tree.h"

enum { ID_BYTES = 160 };

enum rails { RAILS_OVERLAP, RAILS_SEPARATE };

/** What a domain reads; as the host numbers them. */
struct probe {
	enum channel_kind kind;
	char path[CHIP_PATH_BYTES];
	char current_path[CHIP_PATH_BYTES]; /**< of a product */
};

struct hwmon {
	/* options */
	const char *root;
	int rails;
	int64_t update;
	double accuracy;

	struct probe *probes; /**< owned */
	size_t count;
};

static const char *const rails_words[] = { "overlap", "separate", NULL };

static const struct sl_option hwmon_options[] = {
	{ .name = "root",
	  .type = SL_PATH,
	  .offset = offsetof(struct hwmon, root),
	  .default_text = "/",
	  .help = "Where sys/class/hwmon is looked for." },
	{ .name = "rails",
	  .type = SL_ENUM,
	  .offset = offsetof(struct hwmon, rails),
	  .default_text = "overlap",
	  .choices = rails_words,
	  .help = "Whether one chip's channels may hold each other, so that "
		  "only one of them is added, or are known to be separate." },
	{ .name = "update",
	  .type = SL_DURATION,
	  .offset = offsetof(struct hwmon, update),
	  .default_text = "100 ms",
	  .min = 1000000,
	  .max = INT64_C(3600000000000),
	  .help = "How often a chip renews its figures, if it does not say." },
	{ .name = "accuracy",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct hwmon, accuracy),
	  .default_text = "0.05",
	  .float_min = 0,
	  .float_max = 1,
	  .help = "Calibration: half of the 95 % interval, as a part of the "
		  "figure." },
};

static const char *const kind_types[] = {
	[CHANNEL_ENERGY] = "energy",
	[CHANNEL_AVERAGE] = "power",
	[CHANNEL_POWER] = "power",
	[CHANNEL_PRODUCT] = "in",
};

static struct probe probe_of(const struct chip *chip,
			     const struct channel *channel)
{
	struct probe probe = { .kind = channel->kind };

	snprintf(probe.path, sizeof(probe.path), HWMON "/%s/%s%u_%s",
		 chip->folder, kind_types[channel->kind], channel->number,
		 channel->kind == CHANNEL_AVERAGE ? "average" : "input");
	if (channel->kind == CHANNEL_PRODUCT)
		snprintf(probe.current_path, sizeof(probe.current_path),
			 HWMON "/%s/curr%u_input", chip->folder,
			 channel->current);
	return probe;
}

/* Power and energy below zero would be nonsense; a current may flow back, and
 * its product is refused by the core. */
static enum sl_code take(const struct hwmon *hwmon, const struct probe *probe,
			 struct sl_sample *sample, struct sl_error *error)
{
	int64_t value, milliamperes;
	enum sl_code code;

	if (probe->kind == CHANNEL_ENERGY)
		return sl_tree_u64(hwmon->root, probe->path, &sample->count,
				   error);
	code = sl_tree_i64(hwmon->root, probe->path, &value, error);
	if (code != SL_OK)
		return code;
	sample->watts = (double)value * 1e-6;
	if (probe->kind != CHANNEL_PRODUCT)
		return SL_OK;
	code = sl_tree_i64(hwmon->root, probe->current_path, &milliamperes,
			   error);
	sample->watts = (double)value * (double)milliamperes * 1e-6;
	return code;
}

static enum sl_code hwmon_read(void *state, uint32_t domain,
			       struct sl_sample *sample, struct sl_error *error)
{
	const struct hwmon *hwmon = state;
	enum sl_code code = take(hwmon, &hwmon->probes[domain], sample, error);

	return code == SL_END ? SL_EIO : code;
}

/* ---- opening ---------------------------------------------------------- */

static bool is_amd(const struct chip *chip)
{
	return strcmp(chip->name, "amd_energy") == 0;
}

/* Of amd_energy: "Esocket0". @return its number, -1. */
static int socket_of(const struct channel *channel)
{
	unsigned number;

	return sscanf(channel->label, "Esocket%3u", &number) == 1 ? (int)number
								  : -1;
}

static unsigned count_sockets(const struct chip *chip)
{
	unsigned sockets = 0;

	for (size_t at = 0; is_amd(chip) && at < chip->count; at++)
		sockets += socket_of(&chip->channels[at]) >= 0;
	return sockets;
}

static void set_id(const struct chip *chip, const struct channel *channel,
		   char id[ID_BYTES])
{
	snprintf(id, ID_BYTES, "%s/%s/%s%u", chip->name, chip->folder,
		 channel->kind == CHANNEL_PRODUCT ? "rail"
						  : kind_types[channel->kind],
		 channel->number);
}

static void set_overlap(const struct hwmon *hwmon, const struct chip *chip,
			const struct channel *channel, char overlap[ID_BYTES])
{
	if (is_amd(chip) && socket_of(channel) >= 0)
		snprintf(overlap, ID_BYTES, "package-%d", socket_of(channel));
	else if (is_amd(chip))
		overlap[0] = '\0'; /* cores lie in a socket, side by side */
	else if (hwmon->rails == RAILS_SEPARATE)
		snprintf(overlap, ID_BYTES, "%s %u", chip->folder,
			 channel->number);
	else
		snprintf(overlap, ID_BYTES, "%s", chip->folder);
}

static void set_label(const struct chip *chip, const struct channel *channel,
		      char label[ID_BYTES])
{
	if (channel->label[0])
		snprintf(label, ID_BYTES, "%s %s", chip->name, channel->label);
	else
		snprintf(label, ID_BYTES, "%s %s %u", chip->name,
			 kind_types[channel->kind], channel->number);
}

/* The meter of the whole machine that ACPI describes. */
static bool is_platform(const struct chip *chip)
{
	return strcmp(chip->name, "power_meter") == 0;
}

static struct sl_domain describe(const struct hwmon *hwmon,
				 const struct chip *chip,
				 const struct channel *channel)
{
	bool counts = channel->kind == CHANNEL_ENERGY;

	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.quality = !counts        ? SL_QUALITY_INTEGRATED
			   : is_amd(chip) ? SL_QUALITY_ON_DIE
					  : SL_QUALITY_MEASURED,
		.form = counts ? SL_FORM_COUNTER : SL_FORM_WATTS,
		.scope = is_platform(chip) ? SL_SCOPE_PLATFORM : SL_SCOPE_PART,
		.unit_j = counts ? 1e-6 : 0,
		.resolution_w = counts ? 0 : 1e-6,
		.update_s = chip->update_s > 0 ? chip->update_s
					       : (double)hwmon->update * 1e-9,
		.relative = hwmon->accuracy,
	};
}

/* @return why the channel cannot be used, in @p error, or SL_OK. */
static enum sl_code judge(const struct hwmon *hwmon, const struct chip *chip,
			  const struct channel *channel,
			  const struct probe *probe, struct sl_error *error)
{
	struct sl_sample sample = { .size = sizeof(sample) };

	if (channel->disabled[0])
		return SL_FAIL(error, SL_EINVAL, "switched off: %s",
			       channel->disabled);
	if (channel->unknown)
		return SL_FAIL(error, SL_EINVAL,
			       "which current belongs to this voltage is not "
			       "known of the chip \"%s\"",
			       chip->name);
	if (strncmp(chip->name, "BAT", 3) == 0)
		return SL_FAIL(error, SL_EINVAL,
			       "a battery: use the meter \"battery\"");
	if (is_amd(chip) && socket_of(channel) < 0 && count_sockets(chip) > 1)
		return SL_FAIL(error, SL_EINVAL,
			       "which socket a core belongs to is not told; "
			       "read the sockets");
	return take(hwmon, probe, &sample, error);
}

static enum sl_code add_channel(struct hwmon *hwmon, struct sl_meter_host *host,
				const struct chip *chip,
				const struct channel *channel,
				const char *socket_id, struct sl_error *error)
{
	char id[ID_BYTES], overlap[ID_BYTES], label[ID_BYTES];
	struct sl_domain domain = describe(hwmon, chip, channel);
	struct probe probe = probe_of(chip, channel);
	struct probe *probes =
		realloc(hwmon->probes, (hwmon->count + 1) * sizeof(*probes));
	struct sl_error why = { .code = SL_OK };
	uint32_t number;

	if (!probes)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	hwmon->probes = probes;
	probes[hwmon->count++] = probe;
	set_id(chip, channel, id);
	set_overlap(hwmon, chip, channel, overlap);
	set_label(chip, channel, label);
	domain.id = id;
	domain.label = label;
	domain.overlap = overlap[0] ? overlap : NULL;
	domain.parent = socket_id;
	number = sl_meter_add(host, &domain);
	if (judge(hwmon, chip, channel, &probe, &why) != SL_OK)
		sl_meter_unusable(host, number, "%s", why.message);
	return SL_OK;
}

/* Sockets first, since cores lie in them. */
static enum sl_code add_chip(struct hwmon *hwmon, struct sl_meter_host *host,
			     const struct chip *chip, struct sl_error *error)
{
	unsigned sockets = count_sockets(chip);
	char socket_id[ID_BYTES] = "";
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < chip->count && sockets;
	     at++) {
		const struct channel *channel = &chip->channels[at];

		if (socket_of(channel) < 0)
			continue;
		set_id(chip, channel, socket_id);
		code = add_channel(hwmon, host, chip, channel, NULL, error);
	}
	for (size_t at = 0; code == SL_OK && at < chip->count; at++) {
		const struct channel *channel = &chip->channels[at];

		if (sockets && socket_of(channel) >= 0)
			continue;
		code = add_channel(hwmon, host, chip, channel,
				   sockets == 1 ? socket_id : NULL, error);
	}
	return code;
}

static enum sl_code hwmon_open(void *state, struct sl_meter_host *host,
			       struct sl_error *error)
{
	struct hwmon *hwmon = state;
	struct sl_tree_names folders;
	enum sl_code code =
		sl_tree_list(hwmon->root, HWMON, "", &folders, error);

	if (code != SL_OK)
		return code;
	for (size_t at = 0; code == SL_OK && at < folders.count; at++) {
		struct chip chip;

		if (strlen(folders.names[at]) >= CHIP_NAME_BYTES)
			continue;
		/* One that is gone, or no folder, is none of our business. */
		if (chip_init(&chip, hwmon->root, folders.names[at], NULL) !=
		    SL_OK)
			continue;
		code = add_chip(hwmon, host, &chip, error);
		chip_finish(&chip);
	}
	sl_tree_names_finish(&folders);
	if (code == SL_OK && !hwmon->count)
		code = SL_FAIL(error, SL_EIO,
			       HWMON ": no chip tells energy or power");
	return code;
}

static void hwmon_close(void *state)
{
	struct hwmon *hwmon = state;

	free(hwmon->probes);
}

static const struct sl_meter hwmon_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct hwmon),
	.open = hwmon_open,
	.close = hwmon_close,
	.read = hwmon_read,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_METER,
	.name = "hwmon",
	.summary = "energies and powers of monitoring chips",
	SL_OPTION_TABLE(hwmon_options),
	.meter = &hwmon_meter,
};
