/* SPDX-License-Identifier: MIT */
#include "power/look.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sluice/tree.h"

#define CPUS "sys/devices/system/cpu"

enum { TEXT_LIMIT = 8 << 20, CPUS_MAX = 65536, IDLE_TICK = 3, IOWAIT_TICK = 4 };
enum { STEAL_TICK = 7, LOW_POWER_FROM = 3, PATH_ROOM = 512 };

/* ---- proc/stat -------------------------------------------------------- */

static enum sl_code append_cpu(struct sl_cpus *cpus,
			       const struct sl_look_cpu *cpu,
			       struct sl_error *error)
{
	if (cpus->count == cpus->capacity) {
		size_t capacity = cpus->capacity ? 2 * cpus->capacity : 16;
		struct sl_look_cpu *grown =
			realloc(cpus->cpus, capacity * sizeof(*grown));

		if (!grown)
			return SL_FAIL(error, SL_ENOMEM, "no memory");
		cpus->cpus = grown;
		cpus->capacity = capacity;
	}
	cpus->cpus[cpus->count++] = *cpu;
	return SL_OK;
}

/* "cpu3 1 2 3 ...": old kernels have fewer fields. */
static bool parse_cpu(const char *line, struct sl_look_cpu *cpu)
{
	char *end;
	unsigned long number;

	*cpu = (struct sl_look_cpu){ 0 };
	number = strtoul(line + 3, &end, 10);
	if (end == line + 3 || *end != ' ' || number >= CPUS_MAX)
		return false;
	cpu->number = (unsigned)number;
	for (int at = 0; at < SL_LOOK_TICKS; at++) {
		while (*end == ' ')
			end++;
		if (!isdigit((unsigned char)*end))
			return at > IDLE_TICK;
		cpu->ticks[at] = strtoull(end, &end, 10);
	}
	return true;
}

static enum sl_code parse_stat(struct sl_cpus *cpus, char *text,
			       struct sl_error *error)
{
	enum sl_code code = SL_OK;

	cpus->count = 0;
	for (char *line = text; code == SL_OK && line && *line;) {
		char *next = strchr(line, '\n');
		struct sl_look_cpu cpu;

		if (next)
			*next++ = '\0';
		if (strncmp(line, "cpu", 3) == 0 &&
		    isdigit((unsigned char)line[3])) {
			if (!parse_cpu(line, &cpu))
				return SL_FAIL(error, SL_EINVAL,
					       "proc/stat: \"%.40s\" is no row "
					       "of a CPU",
					       line);
			code = append_cpu(cpus, &cpu, error);
		}
		line = next;
	}
	if (code == SL_OK && !cpus->count)
		return SL_FAIL(error, SL_EINVAL, "proc/stat: no CPUs in it");
	return code;
}

enum sl_code sl_cpus_read(struct sl_cpus *cpus, const char *root,
			  struct sl_error *error)
{
	struct sl_buffer text = { NULL, 0, 0 };
	enum sl_code code =
		sl_tree_load(root, "proc/stat", TEXT_LIMIT, &text, error);

	cpus->count = 0;
	if (code == SL_OK)
		code = parse_stat(cpus, text.data, error);
	free(text.data);
	if (code != SL_OK)
		cpus->count = 0;
	return code == SL_END ? SL_EIO : code;
}

void sl_cpus_finish(struct sl_cpus *cpus)
{
	free(cpus->cpus);
	*cpus = (struct sl_cpus){ 0 };
}

static const struct sl_look_cpu *find_cpu(const struct sl_cpus *cpus,
					  unsigned number, size_t hint)
{
	if (hint < cpus->count && cpus->cpus[hint].number == number)
		return &cpus->cpus[hint];
	for (size_t at = 0; at < cpus->count; at++)
		if (cpus->cpus[at].number == number)
			return &cpus->cpus[at];
	return NULL;
}

/** Ticks that passed. Sums of nonsense must not wrap. */
struct passed {
	double busy, all;
};

static void add_passed(const struct sl_cpus *from, const struct sl_cpus *to,
		       size_t at, struct passed *passed)
{
	const struct sl_look_cpu *now = &to->cpus[at];
	const struct sl_look_cpu *then = find_cpu(from, now->number, at);

	for (int tick = 0; then && tick < SL_LOOK_TICKS; tick++) {
		double delta = 0;

		if (now->ticks[tick] > then->ticks[tick])
			delta = (double)(now->ticks[tick] - then->ticks[tick]);

		passed->all += delta;
		if (tick != IDLE_TICK && tick != IOWAIT_TICK &&
		    tick != STEAL_TICK)
			passed->busy += delta;
	}
}

static double share(const struct passed *passed)
{
	return passed->all > 0 ? passed->busy / passed->all : -1;
}

double sl_cpus_busy(const struct sl_cpus *from, const struct sl_cpus *to,
		    size_t at)
{
	struct passed passed = { 0, 0 };

	add_passed(from, to, at, &passed);
	return share(&passed);
}

double sl_cpus_busy_all(const struct sl_cpus *from, const struct sl_cpus *to)
{
	struct passed passed = { 0, 0 };

	for (size_t at = 0; at < to->count; at++)
		add_passed(from, to, at, &passed);
	return share(&passed);
}

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
