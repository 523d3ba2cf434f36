/* SPDX-License-Identifier: MIT */
#include "load.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of each CPU: 0.1 s. */
#define TICKS_MIN 10

enum field { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL };

void load_finish(struct load *load)
{
	free(load->cpus);
	*load = (struct load){ 0 };
}

static struct load_cpu *add(struct load *load)
{
	size_t capacity = load->capacity ? 2 * load->capacity : 16;
	struct load_cpu *cpus = load->cpus;

	if (load->count == load->capacity) {
		cpus = realloc(cpus, capacity * sizeof(*cpus));
		if (!cpus)
			return NULL;
		load->cpus = cpus;
		load->capacity = capacity;
	}
	return memset(&cpus[load->count++], 0, sizeof(*cpus));
}

/* Old kernels end before steal; user to idle are always there. */
static bool parse_fields(const char *text, uint64_t ticks[LOAD_FIELDS])
{
	char *end;

	for (int at = 0; at < LOAD_FIELDS; at++) {
		text += strspn(text, " ");
		if (*text == '\n' || !*text)
			return at > IDLE;
		if (!isdigit((unsigned char)*text))
			return false;
		errno = 0;
		ticks[at] = strtoull(text, &end, 10);
		if (errno || (*end != ' ' && *end != '\n' && *end))
			return false;
		text = end;
	}
	return true;
}

static enum sl_code parse_line(struct load *load, const char *line,
			       struct sl_error *error)
{
	struct load_cpu *cpu = add(load);
	const char *fields = line + 3;
	size_t length = strcspn(line, "\n");
	int shown = length < 40 ? (int)length : 40;
	char *end;

	if (!cpu)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	if (isdigit((unsigned char)*fields)) {
		cpu->number = (unsigned)strtoul(fields, &end, 10);
		fields = end;
	}
	if (*fields == ' ' && parse_fields(fields, cpu->ticks))
		return SL_OK;
	return SL_FAIL(error, SL_EINVAL,
		       "proc/stat: \"%.*s\" is no line of a CPU", shown, line);
}

enum sl_code load_parse(struct load *load, const char *text,
			struct sl_error *error)
{
	enum sl_code code = SL_OK;
	const char *all = NULL;

	load->count = 0;
	for (const char *line = text; code == SL_OK && line && *line;) {
		const char *next = strchr(line, '\n');

		if (strncmp(line, "cpu ", 4) == 0)
			all = line;
		else if (strncmp(line, "cpu", 3) == 0)
			code = parse_line(load, line, error);
		line = next ? next + 1 : NULL;
	}
	if (code == SL_OK && load->count == 0 && all)
		code = parse_line(load, all, error);
	if (code == SL_OK && load->count == 0)
		code = SL_FAIL(error, SL_EINVAL,
			       "proc/stat: no CPU stands in it");
	return code;
}

static const struct load_cpu *find(const struct load *load, size_t near,
				   unsigned number)
{
	if (near < load->count && load->cpus[near].number == number)
		return &load->cpus[near];
	for (size_t at = 0; at < load->count; at++)
		if (load->cpus[at].number == number)
			return &load->cpus[at];
	return NULL;
}

bool load_between(const struct load *from, const struct load *to, double *share)
{
	double busy = 0, all = 0;
	size_t both = 0;

	for (size_t at = 0; at < to->count; at++) {
		const struct load_cpu *now = &to->cpus[at];
		const struct load_cpu *before = find(from, at, now->number);

		both += before != NULL;
		for (int field = 0; before && field < LOAD_FIELDS; field++) {
			uint64_t ticks = now->ticks[field];
			uint64_t passed = ticks > before->ticks[field]
						  ? ticks - before->ticks[field]
						  : 0;

			all += (double)passed;
			if (field != IDLE && field != IOWAIT && field != STEAL)
				busy += (double)passed;
		}
	}
	if (both == 0 || all < TICKS_MIN * (double)both)
		return false;
	*share = busy / all;
	return true;
}
