/* SPDX-License-Identifier: MIT */
#include "power/look.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sluice/tree.h"

#define CPUS "sys/devices/system/cpu"

enum { TEXT_LIMIT = 8 << 20, LOW_POWER_FROM = 3, PATH_ROOM = 512 };

/* ---- proc/interrupts -------------------------------------------------- */

/* @return what follows "LOC:" at the beginning of a row; NULL. */
static const char *find_timer(const char *text)
{
	while (text) {
		text += strspn(text, " \t");
		if (strncmp(text, "LOC:", 4) == 0)
			return text + 4;
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return NULL;
}

/* The row of the local timer: one number a CPU, then words. */
static void read_timer(struct sl_look *look, const char *root)
{
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = sl_tree_load(root, "proc/interrupts", TEXT_LIMIT,
					 &text, &error);
	const char *row = code == SL_OK ? find_timer(text.data) : NULL;

	look->timer = 0;
	look->has_timer = false;
	if (row) {
		char *end;

		for (;; row = end) {
			unsigned long long count;

			while (*row == ' ' || *row == '\t')
				row++;
			if (!isdigit((unsigned char)*row))
				break;
			count = strtoull(row, &end, 10);
			look->timer += count;
			look->has_timer = true;
		}
	}
	if (!look->has_timer)
		snprintf(look->why_timer, SL_WHY, "%.150s",
			 code == SL_OK ? "proc/interrupts: no row LOC"
				       : error.message);
	free(text.data);
}

/* ---- cpuidle ---------------------------------------------------------- */

/* The number in "C6", "C1E", "C3_ACPI"; -1: another kind of name. */
static int depth(const char *name)
{
	return name[0] == 'C' && isdigit((unsigned char)name[1])
		       ? (int)strtol(name + 1, NULL, 10)
		       : -1;
}

static void note_state(struct sl_look *look, const char *name)
{
	size_t used = strlen(look->states), length = strlen(name);
	const char *at = look->states;

	while ((at = strstr(at, name)) &&
	       ((at > look->states && at[-1] != ' ') ||
		(at[length] && at[length] != ' ')))
		at++;
	if (!at)
		snprintf(look->states + used, sizeof(look->states) - used,
			 "%s%.31s", used ? " " : "", name);
}

static enum sl_code read_field(const char *root, const char *cpu,
			       const char *state, const char *field,
			       uint64_t *value, struct sl_error *error)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), CPUS "/%.32s/cpuidle/%.32s/%s", cpu, state,
		 field);
	return sl_tree_u64(root, path, value, error);
}

/* One state of one CPU. @p deepest: there is none below it. */
static enum sl_code read_state(struct sl_look *look, const char *root,
			       const char *cpu, const char *state, bool low,
			       const char *name, struct sl_error *error)
{
	uint64_t value = 0;
	enum sl_code code =
		read_field(root, cpu, state, "usage", &value, error);

	if (code == SL_OK)
		look->usage += value;
	if (code != SL_OK || !low)
		return code;
	code = read_field(root, cpu, state, "time", &value, error);
	if (code == SL_OK) {
		look->low_us += value;
		note_state(look, name);
	}
	return code;
}

enum { STATES_MAX = 16 };

/* Which states of a CPU are low power. */
static enum sl_code choose_states(const char *root, const char *cpu,
				  const struct sl_tree_names *states,
				  char names[STATES_MAX][32],
				  bool low[STATES_MAX], struct sl_error *error)
{
	size_t count = states->count < STATES_MAX ? states->count : STATES_MAX;
	bool any = false;

	for (size_t at = 0; at < count; at++) {
		char path[PATH_ROOM];
		enum sl_code code;

		snprintf(path, sizeof(path), CPUS "/%.32s/cpuidle/%.32s/name",
			 cpu, states->names[at]);
		code = sl_tree_text(root, path, names[at], 32, error);
		if (code != SL_OK)
			return code;
		low[at] = depth(names[at]) >= LOW_POWER_FROM;
		any |= low[at];
	}
	if (!any && count)
		low[count - 1] = true;
	return SL_OK;
}

static enum sl_code read_cpu_idle(struct sl_look *look, const char *root,
				  const char *cpu, struct sl_error *error)
{
	struct sl_tree_names states = { NULL, 0 };
	char names[STATES_MAX][32] = { "" };
	bool low[STATES_MAX] = { false };
	char path[PATH_ROOM];
	enum sl_code code;

	snprintf(path, sizeof(path), CPUS "/%.32s/cpuidle", cpu);
	code = sl_tree_list(root, path, "state", &states, error);
	if (code == SL_OK)
		code = choose_states(root, cpu, &states, names, low, error);
	for (size_t at = 0;
	     code == SL_OK && at < states.count && at < STATES_MAX; at++)
		code = read_state(look, root, cpu, states.names[at], low[at],
				  names[at], error);
	if (code == SL_OK && states.count)
		look->idle_cpus++;
	sl_tree_names_finish(&states);
	return code;
}

static void read_idle(struct sl_look *look, const char *root)
{
	struct sl_tree_names cpus = { NULL, 0 };
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = sl_tree_list(root, CPUS, "cpu", &cpus, &error);

	look->usage = 0;
	look->low_us = 0;
	look->idle_cpus = 0;
	look->states[0] = '\0';
	for (size_t at = 0; code == SL_OK && at < cpus.count; at++)
		if (isdigit((unsigned char)cpus.names[at][3]))
			code = read_cpu_idle(look, root, cpus.names[at],
					     &error);
	sl_tree_names_finish(&cpus);
	look->has_idle = code == SL_OK && look->idle_cpus > 0;
	if (!look->has_idle)
		snprintf(look->why_idle, SL_WHY, "%.150s",
			 code == SL_OK ? CPUS ": no idle states"
				       : error.message);
}

/* ---- looks ------------------------------------------------------------ */

enum sl_code sl_look_take(struct sl_look *look, const char *root,
			  struct sl_error *error)
{
	struct sl_error why = { .code = SL_OK };
	enum sl_code code;

	look->why_cpu[0] = look->why_idle[0] = look->why_timer[0] = '\0';
	read_idle(look, root);
	look->at_ns = sl_clock_ns();
	code = sl_cpus_read(&look->cpus, root, &why);
	if (code == SL_ENOMEM)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	if (code != SL_OK)
		snprintf(look->why_cpu, SL_WHY, "%.150s", why.message);
	read_timer(look, root);
	return SL_OK;
}

void sl_look_finish(struct sl_look *look)
{
	sl_cpus_finish(&look->cpus);
	*look = (struct sl_look){ 0 };
}

static void set_idle(const struct sl_look *from, const struct sl_look *to,
		     double seconds, struct sl_idle *idle)
{
	double low_us;

	if (!from->has_idle || !to->has_idle) {
		snprintf(idle->why_idle, SL_WHY, "%s",
			 from->has_idle ? to->why_idle : from->why_idle);
		return;
	}
	if (from->idle_cpus != to->idle_cpus || to->low_us < from->low_us ||
	    to->usage < from->usage) {
		snprintf(idle->why_idle, SL_WHY,
			 "cpuidle: its counters fell, or CPUs came or went");
		return;
	}
	low_us = (double)(to->low_us - from->low_us);
	/* a CPU's long sleep counts when it ends, so more is possible */
	idle->low_power = fmin(100, 100 * low_us / 1e6 /
					    (seconds * (double)to->idle_cpus));
	idle->wakeups_s = (double)(to->usage - from->usage) / seconds;
	memcpy(idle->states, to->states, sizeof(idle->states));
}

static void set_timer(const struct sl_look *from, const struct sl_look *to,
		      double seconds, struct sl_idle *idle)
{
	if (!from->has_timer || !to->has_timer) {
		snprintf(idle->why_timer, SL_WHY, "%s",
			 from->has_timer ? to->why_timer : from->why_timer);
		return;
	}
	if (to->timer < from->timer || !to->cpus.count) {
		snprintf(idle->why_timer, SL_WHY,
			 "proc/interrupts: the timer's count fell");
		return;
	}
	idle->timer_ms = seconds * 1000 * (double)to->cpus.count /
			 (double)(to->timer - from->timer);
}

void sl_look_between(const struct sl_look *from, const struct sl_look *to,
		     struct sl_idle *idle)
{
	double seconds = (double)(to->at_ns - from->at_ns) * 1e-9;
	double busy = sl_cpus_busy_all(&from->cpus, &to->cpus);

	*idle = (struct sl_idle){
		.busy = NAN,
		.low_power = NAN,
		.timer_ms = NAN,
		.wakeups_s = NAN,
	};
	if (busy >= 0)
		idle->busy = busy;
	else
		snprintf(idle->why_cpu, SL_WHY, "%s",
			 from->why_cpu[0] ? from->why_cpu
			 : to->why_cpu[0] ? to->why_cpu
					  : "proc/stat: no time passed in it");
	if (seconds <= 0) {
		snprintf(idle->why_idle, SL_WHY, "no time passed");
		snprintf(idle->why_timer, SL_WHY, "no time passed");
		return;
	}
	set_idle(from, to, seconds, idle);
	set_timer(from, to, seconds, idle);
}
