/* SPDX-License-Identifier: MIT */
#include "power/conditions.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sluice/tree.h"

#define CPUS "sys/devices/system/cpu"
#define SUPPLIES "sys/class/power_supply"

enum { INFO_LIMIT = 8 << 20, PATH_ROOM = 512, CPUS_ROOM = 16 };

static bool supply(const char *root, const char *name, const char *field,
		   char *text, size_t size)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), SUPPLIES "/%.200s/%s", name, field);
	return sl_tree_text(root, path, text, size, NULL) == SL_OK;
}

/* A mains adapter that is plugged in decides; else a battery that is used. */
static void read_source(const char *root, struct sl_conditions *conditions)
{
	struct sl_tree_names names = { NULL, 0 };
	bool mains = false, battery = false;

	if (sl_tree_list(root, SUPPLIES, "", &names, NULL) != SL_OK)
		return;
	for (size_t at = 0; at < names.count; at++) {
		const char *name = names.names[at];
		char type[32], state[32];

		if (!supply(root, name, "type", type, sizeof(type)))
			continue;
		if (strcmp(type, "Battery") == 0)
			battery |= supply(root, name, "status", state,
					  sizeof(state)) &&
				   strcmp(state, "Discharging") == 0;
		else
			mains |= supply(root, name, "online", state,
					sizeof(state)) &&
				 strcmp(state, "1") == 0;
	}
	sl_tree_names_finish(&names);
	if (battery || mains)
		snprintf(conditions->power_source,
			 sizeof(conditions->power_source), "%s",
			 battery ? "battery" : "mains");
}

/* @return the value of "KEY : value"; NULL: another key. */
static char *value_of(char *line, const char *key)
{
	size_t length = strlen(key);
	char *value;

	if (strncmp(line, key, length) != 0)
		return NULL;
	value = line + length;
	value += strspn(value, " \t");
	if (*value != ':')
		return NULL;
	value++;
	return value + strspn(value, " \t");
}

static void take_line(char *line, struct sl_conditions *conditions, double *mhz,
		      unsigned *clocks)
{
	char *value = value_of(line, "model name");

	if (!value)
		value = value_of(line, "cpu model");
	if (value && *value) {
		snprintf(conditions->cpu_model, sizeof(conditions->cpu_model),
			 "%.127s", value);
		sl_text_flatten(conditions->cpu_model);
	}
	if (value_of(line, "processor"))
		conditions->cpus++;
	value = value_of(line, "cpu MHz");
	if (value && strtod(value, NULL) > 0) {
		*mhz += strtod(value, NULL);
		++*clocks;
	}
}

static void read_cpuinfo(const char *root, struct sl_conditions *conditions)
{
	struct sl_buffer text = { NULL, 0, 0 };
	double mhz = 0;
	unsigned clocks = 0;

	if (sl_tree_load(root, "proc/cpuinfo", INFO_LIMIT, &text, NULL) ==
	    SL_OK) {
		for (char *line = text.data; line && *line;) {
			char *next = strchr(line, '\n');

			if (next)
				*next++ = '\0';
			take_line(line, conditions, &mhz, &clocks);
			line = next;
		}
	}
	free(text.data);
	if (clocks)
		conditions->mhz = mhz / clocks;
}

/* Governor and frequency, CPU by CPU. */
static void read_frequencies(const char *root, struct sl_conditions *conditions)
{
	struct sl_tree_names cpus = { NULL, 0 };
	double khz = 0;
	unsigned clocks = 0, governed = 0;

	if (sl_tree_list(root, CPUS, "cpu", &cpus, NULL) != SL_OK)
		return;
	for (size_t at = 0; at < cpus.count; at++) {
		char path[PATH_ROOM], governor[64];
		uint64_t now;

		if (!isdigit((unsigned char)cpus.names[at][3]))
			continue;
		snprintf(path, sizeof(path),
			 CPUS "/%.32s/cpufreq/scaling_governor",
			 cpus.names[at]);
		if (sl_tree_text(root, path, governor, sizeof(governor),
				 NULL) == SL_OK) {
			if (governed++ &&
			    strcmp(governor, conditions->governor) != 0)
				snprintf(governor, sizeof(governor), "mixed");
			memcpy(conditions->governor, governor,
			       sizeof(governor));
		}
		snprintf(path, sizeof(path),
			 CPUS "/%.32s/cpufreq/scaling_cur_freq",
			 cpus.names[at]);
		if (sl_tree_u64(root, path, &now, NULL) == SL_OK && now) {
			khz += (double)now;
			clocks++;
		}
	}
	sl_tree_names_finish(&cpus);
	if (clocks)
		conditions->mhz = khz / 1000 / clocks;
}

static void read_turbo(const char *root, struct sl_conditions *conditions)
{
	uint64_t value;
	const char *word = NULL;

	if (sl_tree_u64(root, CPUS "/intel_pstate/no_turbo", &value, NULL) ==
	    SL_OK)
		word = value ? "off" : "on";
	else if (sl_tree_u64(root, CPUS "/cpufreq/boost", &value, NULL) ==
		 SL_OK)
		word = value ? "on" : "off";
	if (word)
		snprintf(conditions->turbo, sizeof(conditions->turbo), "%s",
			 word);
}

static void read_text(const char *root, const char *path, char *text,
		      size_t size)
{
	char got[256];
	size_t length;

	if (sl_tree_text(root, path, got, sizeof(got), NULL) != SL_OK)
		return;
	length = strnlen(got, size - 1);
	memcpy(text, got, length);
	text[length] = '\0';
}

void sl_conditions_read(const char *root, struct sl_conditions *conditions)
{
	*conditions = (struct sl_conditions){
		.power_source = "unknown",
		.cpu_model = "unknown",
		.smt = "unknown",
		.governor = "unknown",
		.turbo = "unknown",
		.mhz = NAN,
		.kernel = "unknown",
	};
	read_source(root, conditions);
	read_cpuinfo(root, conditions);
	read_frequencies(root, conditions);
	read_turbo(root, conditions);
	read_text(root, CPUS "/smt/control", conditions->smt,
		  sizeof(conditions->smt));
	read_text(root, "proc/sys/kernel/osrelease", conditions->kernel,
		  sizeof(conditions->kernel));
}

static void describe_cpus(const struct sl_conditions *conditions,
			  char text[CPUS_ROOM])
{
	snprintf(text, CPUS_ROOM, conditions->cpus ? "%u" : "unknown",
		 conditions->cpus);
}

unsigned sl_conditions_differ(const struct sl_conditions *a,
			      const struct sl_conditions *b, char *text,
			      size_t size)
{
	char cpus[2][CPUS_ROOM];
	const struct {
		const char *name, *first, *second;
	} rows[] = {
		{ "power source", a->power_source, b->power_source },
		{ "CPU", a->cpu_model, b->cpu_model },
		{ "CPUs", cpus[0], cpus[1] },
		{ "SMT", a->smt, b->smt },
		{ "governor", a->governor, b->governor },
		{ "turbo", a->turbo, b->turbo },
		{ "kernel", a->kernel, b->kernel },
	};
	unsigned differ = 0;
	size_t used = 0;

	describe_cpus(a, cpus[0]);
	describe_cpus(b, cpus[1]);
	text[0] = '\0';
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		if (strcmp(rows[at].first, rows[at].second) == 0)
			continue;
		snprintf(text + used, size - used, "%s%s: %s, %s",
			 differ++ ? "; " : "", rows[at].name, rows[at].first,
			 rows[at].second);
		used += strlen(text + used);
	}
	return differ;
}
