/* SPDX-License-Identifier: MIT */
#include "chip.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/tree.h"

/** Drivers whose channels are counted otherwise than inN with currN. */
static const struct {
	const char *name;
	unsigned voltage;
	int current; /**< -1: none */
} odd[] = {
	{ "ltc2947", 0, 1 },  { "ltc2992", 0, 1 },   { "ltc2992", 1, -1 },
	{ "ltc2992", 2, 2 },  { "ltc2992", 3, -1 },  { "max20730", 1, -1 },
	{ "max20730", 2, 1 }, { "max20751", 1, -1 }, { "max20751", 2, 1 },
};

/** Families of monitors and PMBus drivers that pair inN with currN. */
static const char *const same_number[] = {
	"ina",  "ltc", "adm",   "max", "tps", "ir3",
	"xdpe", "mp2", "pmbus", "ucd", "isl", "lm25",
};

int chip_current_of(const char *name, unsigned voltage, bool *known)
{
	*known = true;
	for (size_t at = 0; at < sizeof(odd) / sizeof(odd[0]); at++)
		if (strcmp(odd[at].name, name) == 0 &&
		    odd[at].voltage == voltage)
			return odd[at].current;
	for (size_t at = 0; at < sizeof(same_number) / sizeof(same_number[0]);
	     at++)
		if (strncmp(same_number[at], name, strlen(same_number[at])) ==
		    0)
			return (int)voltage;
	*known = false;
	return (int)voltage;
}

/* @return whether @p file is TYPE, a number, SUFFIX. */
static bool parse(const char *file, const char *type, const char *suffix,
		  unsigned *number)
{
	size_t length = strlen(type);
	char *end;
	unsigned long value;

	if (strncmp(file, type, length) != 0 ||
	    !isdigit((unsigned char)file[length]))
		return false;
	value = strtoul(file + length, &end, 10);
	*number = (unsigned)value;
	return value < 1000 && strcmp(end, suffix) == 0;
}

static bool has_file(const struct sl_tree_names *files, const char *type,
		     unsigned number, const char *suffix)
{
	unsigned found;

	for (size_t at = 0; at < files->count; at++)
		if (parse(files->names[at], type, suffix, &found) &&
		    found == number)
			return true;
	return false;
}

static bool has_type(const struct sl_tree_names *files, const char *type)
{
	unsigned number;

	for (size_t at = 0; at < files->count; at++)
		if (parse(files->names[at], type, "_input", &number) ||
		    parse(files->names[at], type, "_average", &number))
			return true;
	return false;
}

static void read_label(const struct chip *chip, const char *root,
		       const char *type, unsigned number,
		       char label[CHIP_NAME_BYTES])
{
	char path[CHIP_PATH_BYTES];

	snprintf(path, sizeof(path), HWMON "/%s/%s%u_label", chip->folder, type,
		 number);
	if (sl_tree_text(root, path, label, CHIP_NAME_BYTES, NULL) != SL_OK)
		label[0] = '\0';
}

/* A channel that its driver switched off shows an old value, or 0. */
static void read_enable(const struct chip *chip, const char *root,
			const char *type, unsigned number,
			struct channel *channel)
{
	char path[CHIP_PATH_BYTES];
	int64_t enabled;

	snprintf(path, sizeof(path), HWMON "/%s/%s%u_enable", chip->folder,
		 type, number);
	if (sl_tree_i64(root, path, &enabled, NULL) == SL_OK && enabled == 0)
		snprintf(channel->disabled, sizeof(channel->disabled),
			 "%s%u_enable is 0", type, number);
}

static enum sl_code add(struct chip *chip, const struct channel *channel,
			struct sl_error *error)
{
	struct channel *channels =
		realloc(chip->channels, (chip->count + 1) * sizeof(*channels));

	if (!channels)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	chip->channels = channels;
	channels[chip->count++] = *channel;
	return SL_OK;
}

static enum sl_code add_direct(struct chip *chip, const char *root,
			       const char *type, enum channel_kind kind,
			       unsigned number, struct sl_error *error)
{
	struct channel channel = { .kind = kind, .number = number };

	read_label(chip, root, type, number, channel.label);
	read_enable(chip, root, type, number, &channel);
	return add(chip, &channel, error);
}

static enum sl_code add_product(struct chip *chip, const char *root,
				const struct sl_tree_names *files,
				unsigned voltage, struct sl_error *error)
{
	bool known;
	int current = chip_current_of(chip->name, voltage, &known);
	struct channel channel = { .kind = CHANNEL_PRODUCT, .number = voltage };
	char label[CHIP_NAME_BYTES];

	if (current < 0 ||
	    !has_file(files, "curr", (unsigned)current, "_input"))
		return SL_OK;
	channel.current = (unsigned)current;
	read_label(chip, root, "in", voltage, channel.label);
	read_label(chip, root, "curr", channel.current, label);
	/* Labels that agree say as much as a table. */
	channel.unknown =
		!known && !(label[0] && strcmp(label, channel.label) == 0);
	if (!channel.label[0])
		memcpy(channel.label, label, sizeof(label));
	read_enable(chip, root, "in", voltage, &channel);
	read_enable(chip, root, "curr", channel.current, &channel);
	return add(chip, &channel, error);
}

/* The average is the better figure where there are both. */
static enum sl_code add_file(struct chip *chip, const char *root,
			     const struct sl_tree_names *files,
			     const char *file, struct sl_error *error)
{
	unsigned number;

	if (parse(file, "energy", "_input", &number))
		return add_direct(chip, root, "energy", CHANNEL_ENERGY, number,
				  error);
	if (parse(file, "power", "_average", &number))
		return add_direct(chip, root, "power", CHANNEL_AVERAGE, number,
				  error);
	if (parse(file, "power", "_input", &number) &&
	    !has_file(files, "power", number, "_average"))
		return add_direct(chip, root, "power", CHANNEL_POWER, number,
				  error);
	if (parse(file, "in", "_input", &number) && !has_type(files, "power") &&
	    !has_type(files, "energy"))
		return add_product(chip, root, files, number, error);
	return SL_OK;
}

static void read_name(struct chip *chip, const char *root)
{
	char path[CHIP_PATH_BYTES];
	int64_t update_ms;

	snprintf(path, sizeof(path), HWMON "/%s/name", chip->folder);
	if (sl_tree_text(root, path, chip->name, sizeof(chip->name), NULL) !=
	    SL_OK)
		memcpy(chip->name, chip->folder, sizeof(chip->name));
	snprintf(path, sizeof(path), HWMON "/%s/update_interval", chip->folder);
	if (sl_tree_i64(root, path, &update_ms, NULL) == SL_OK &&
	    update_ms > 0 && update_ms < 3600000)
		chip->update_s = (double)update_ms * 1e-3;
}

enum sl_code chip_init(struct chip *chip, const char *root, const char *folder,
		       struct sl_error *error)
{
	char path[CHIP_PATH_BYTES];
	struct sl_tree_names files;
	enum sl_code code;

	*chip = (struct chip){ .count = 0 };
	snprintf(chip->folder, sizeof(chip->folder), "%s", folder);
	snprintf(path, sizeof(path), HWMON "/%s", chip->folder);
	code = sl_tree_list(root, path, "", &files, error);
	if (code != SL_OK)
		return code;
	read_name(chip, root);
	for (size_t at = 0; code == SL_OK && at < files.count; at++)
		code = add_file(chip, root, &files, files.names[at], error);
	sl_tree_names_finish(&files);
	if (code != SL_OK)
		chip_finish(chip);
	return code;
}

void chip_finish(struct chip *chip)
{
	free(chip->channels);
	chip->channels = NULL;
	chip->count = 0;
}
