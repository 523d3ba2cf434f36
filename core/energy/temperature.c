/* SPDX-License-Identifier: MIT */
#include "sluice/temperature.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/tree.h"

#define ZONES "sys/class/thermal"
#define CHIPS "sys/class/hwmon"

enum { NAME_BYTES = 48, PATH_BYTES = 256 };

static struct sl_temperature *add(struct sl_temperatures *list)
{
	size_t capacity = list->capacity ? 2 * list->capacity : 16;
	struct sl_temperature *sensors = list->sensors;

	if (list->count == list->capacity) {
		sensors = realloc(sensors, capacity * sizeof(*sensors));
		if (!sensors)
			return NULL;
		list->sensors = sensors;
		list->capacity = capacity;
	}
	return memset(&sensors[list->count++], 0, sizeof(*sensors));
}

static void read_sensor(const char *root, const char *path,
			struct sl_temperature *sensor)
{
	struct sl_error error = { .message = "" };
	int64_t millidegrees = 0;

	sensor->valid = sl_tree_i64(root, path, &millidegrees, &error) == SL_OK;
	if (sensor->valid)
		sensor->celsius = (double)millidegrees * 1e-3;
	else
		snprintf(sensor->reason, sizeof(sensor->reason), "%.250s",
			 error.message);
}

/* @return a word of a file; "" if it cannot be read. */
static const char *word_of(const char *root, const char *folder,
			   const char *name, const char *file,
			   char word[NAME_BYTES])
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%s/%s", folder, name, file);
	if (sl_tree_text(root, path, word, NAME_BYTES, NULL) != SL_OK)
		word[0] = '\0';
	return word;
}

static bool read_zone(const char *root, const char *name,
		      struct sl_temperatures *list)
{
	struct sl_temperature *sensor = add(list);
	char path[PATH_BYTES], type[NAME_BYTES];

	if (!sensor)
		return false;
	snprintf(sensor->id, sizeof(sensor->id), "%s", name);
	snprintf(sensor->label, sizeof(sensor->label), "%s",
		 word_of(root, ZONES, name, "type", type));
	snprintf(path, sizeof(path), ZONES "/%s/temp", name);
	read_sensor(root, path, sensor);
	return true;
}

/* @p file is "temp1_input". */
static bool read_input(const char *root, const char *name, const char *file,
		       struct sl_temperatures *list)
{
	struct sl_temperature *sensor = add(list);
	int length = (int)(strlen(file) - strlen("_input"));
	char chip[NAME_BYTES], label[NAME_BYTES];
	char label_file[NAME_BYTES], path[PATH_BYTES];

	if (!sensor)
		return false;
	snprintf(sensor->id, sizeof(sensor->id), "%s/%.*s", name, length, file);
	snprintf(label_file, sizeof(label_file), "%.*s_label", length, file);
	word_of(root, CHIPS, name, "name", chip);
	word_of(root, CHIPS, name, label_file, label);
	snprintf(sensor->label, sizeof(sensor->label), "%s%s%s", chip,
		 *chip && *label ? " " : "", label);
	snprintf(path, sizeof(path), CHIPS "/%s/%s", name, file);
	read_sensor(root, path, sensor);
	return true;
}

static bool ends_in_input(const char *file)
{
	size_t length = strlen(file), tail = strlen("_input");

	return length > tail && length < NAME_BYTES - 8 &&
	       strcmp(file + length - tail, "_input") == 0;
}

static bool read_chip(const char *root, const char *name,
		      struct sl_temperatures *list)
{
	char path[PATH_BYTES];
	struct sl_tree_names files;
	bool kept = true;

	snprintf(path, sizeof(path), CHIPS "/%s", name);
	if (sl_tree_list(root, path, "temp", &files, NULL) != SL_OK)
		return true;
	for (size_t at = 0; kept && at < files.count; at++)
		if (ends_in_input(files.names[at]))
			kept = read_input(root, name, files.names[at], list);
	sl_tree_names_finish(&files);
	return kept;
}

/* Each folder of @p path that begins with @p prefix. */
static bool read_folders(const char *root, const char *path, const char *prefix,
			 bool (*read_one)(const char *, const char *,
					  struct sl_temperatures *),
			 struct sl_temperatures *list)
{
	struct sl_tree_names names;
	bool kept = true;

	if (sl_tree_list(root, path, prefix, &names, NULL) != SL_OK)
		return true;
	for (size_t at = 0; kept && at < names.count; at++)
		if (strlen(names.names[at]) < NAME_BYTES)
			kept = read_one(root, names.names[at], list);
	sl_tree_names_finish(&names);
	return kept;
}

enum sl_code sl_temperatures_read(const char *root,
				  struct sl_temperatures *temperatures,
				  struct sl_error *error)
{
	temperatures->count = 0;
	if (read_folders(root, ZONES, "thermal_zone", read_zone,
			 temperatures) &&
	    read_folders(root, CHIPS, "", read_chip, temperatures))
		return SL_OK;
	return SL_FAIL(error, SL_ENOMEM, "no memory");
}

void sl_temperatures_finish(struct sl_temperatures *temperatures)
{
	free(temperatures->sensors);
	*temperatures = (struct sl_temperatures){ 0 };
}
