/* SPDX-License-Identifier: MIT */
/* What the CPUs did, by proc/stat. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "power/look.h"
#include "sluice/tree.h"

enum { TEXT_LIMIT = 8 << 20, CPUS_MAX = 65536 };
enum { IDLE_TICK = 3, IOWAIT_TICK = 4, STEAL_TICK = 7 };

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
