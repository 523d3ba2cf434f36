/* SPDX-License-Identifier: MIT */
#include "counters_form.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *counters_state_word(enum sl_counter_state state)
{
	static const char *const words[] = {
		[SL_COUNTERS_LIVE] = "live",
		[SL_COUNTERS_ENDED] = "ended",
		[SL_COUNTERS_DEAD] = "dead",
	};

	return words[state];
}

/* JSON has no word for what is no number. */
static void print_number(double number, const char *otherwise)
{
	if (isfinite(number))
		printf("%.17g", number);
	else
		fputs(otherwise, stdout);
}

void counters_put_json(const struct counters_shown *shown)
{
	for (size_t at = 0; at < shown->program->count; at++) {
		const struct sl_counter_value *value = &shown->values[at];

		printf("{\"program\":\"%s\",\"process\":%" PRId64
		       ",\"state\":\"%s\",\"name\":\"%s\",\"unit\":\"%s\","
		       "\"value\":",
		       shown->program->program, shown->program->process,
		       counters_state_word(shown->state), value->name,
		       value->unit);
		print_number(value->number, "null");
		if (!value->is_double)
			printf(",\"count\":%" PRIu64, value->count);
		fputs("}\n", stdout);
	}
}

void counters_head_text(void)
{
	printf("%-16s %8s %-5s %-31s %20s %s\n", "program", "process", "state",
	       "counter", "value", "unit");
}

void counters_put_text(const struct counters_shown *shown)
{
	for (size_t at = 0; at < shown->program->count; at++) {
		const struct sl_counter_value *value = &shown->values[at];

		printf("%-16s %8" PRId64 " %-5s %-31s ",
		       shown->program->program, shown->program->process,
		       counters_state_word(shown->state), value->name);
		if (value->is_double || value->scale < 1 || value->scale > 1)
			printf("%20.6g", value->number);
		else
			printf("%20" PRIu64, value->count);
		printf(" %s\n", value->unit);
	}
}

void counters_head_csv(void)
{
	fputs("time_s,program,process,state,counter,value,unit\r\n", stdout);
}

/* Names and units hold neither commas nor quotes: no field needs quoting. */
void counters_put_csv(const struct counters_shown *shown)
{
	for (size_t at = 0; at < shown->program->count; at++) {
		const struct sl_counter_value *value = &shown->values[at];

		printf("%" PRId64 ".%03d,%s,%" PRId64 ",%s,%s,",
		       shown->now_ns / 1000000000,
		       (int)(shown->now_ns / 1000000 % 1000),
		       shown->program->program, shown->program->process,
		       counters_state_word(shown->state), value->name);
		print_number(value->number, "");
		printf(",%s\r\n", value->unit);
	}
}

/* ---- Prometheus ---- */

bool counters_metrics_begin(struct counters_metrics *metrics)
{
	*metrics = (struct counters_metrics){ .up = NULL };
	metrics->streams[0] = open_memstream(&metrics->up, &metrics->up_size);
	metrics->streams[1] =
		open_memstream(&metrics->counters, &metrics->counters_size);
	metrics->streams[2] =
		open_memstream(&metrics->gauges, &metrics->gauges_size);
	return metrics->streams[0] && metrics->streams[1] &&
	       metrics->streams[2];
}

/* Which file it was, so that two sets of a process are two; a file's name may
 * be any bytes. */
static void put_labels(FILE *to, const struct counters_shown *shown)
{
	const char *slash = strrchr(shown->path, '/');
	const char *name = slash ? slash + 1 : shown->path;
	size_t length = strlen(name), suffix = strlen(".counters");

	length -= length > suffix ? suffix : 0;
	fprintf(to, "{program=\"%s\",process=\"%" PRId64 "\",file=\"",
		shown->program->program, shown->program->process);
	for (size_t at = 0; at < length; at++) {
		unsigned char byte = (unsigned char)name[at];

		if (byte < 0x80 && (isalnum(byte) || strchr("._-~", byte)))
			fputc(byte, to);
		else
			fprintf(to, "%%%02X", byte);
	}
	fputc('"', to);
}

/* Names and units are printable ASCII without quotes. */
static void put_label(FILE *to, const char *label, const char *text)
{
	fprintf(to, ",%s=\"", label);
	for (; *text; text++) {
		if (*text == '\\')
			fputc('\\', to);
		fputc(*text, to);
	}
	fputc('"', to);
}

void counters_metrics_add(struct counters_metrics *metrics,
			  const struct counters_shown *shown)
{
	FILE *up = metrics->streams[0];

	fputs("sluice_program_up", up);
	put_labels(up, shown);
	fprintf(up, "} %d\n", shown->state == SL_COUNTERS_LIVE);
	for (size_t at = 0; at < shown->program->count; at++) {
		const struct sl_counter_value *value = &shown->values[at];
		FILE *to = metrics->streams[value->is_double ? 2 : 1];

		if (!isfinite(value->number))
			continue;
		fputs(value->is_double ? "sluice_program_figure"
				       : "sluice_program_work_total",
		      to);
		put_labels(to, shown);
		put_label(to, "name", value->name);
		put_label(to, "unit", value->unit);
		if (value->is_double || value->scale < 1 || value->scale > 1)
			fprintf(to, "} %.17g\n", value->number);
		else
			fprintf(to, "} %" PRIu64 "\n", value->count);
	}
}

bool counters_metrics_end(struct counters_metrics *metrics, bool print)
{
	static const char *const heads[] = {
		"# HELP sluice_program_up 1 if the program that published "
		"counters runs.\n"
		"# TYPE sluice_program_up gauge\n",
		"# HELP sluice_program_work_total What a program has counted, "
		"in "
		"units.\n"
		"# TYPE sluice_program_work_total counter\n",
		"# HELP sluice_program_figure What a program has measured, in "
		"units.\n"
		"# TYPE sluice_program_figure gauge\n",
	};
	char **texts[] = { &metrics->up, &metrics->counters, &metrics->gauges };
	bool whole = true;

	for (size_t at = 0; at < 3; at++) {
		FILE *stream = metrics->streams[at];

		if (stream) {
			whole &= !ferror(stream);
			whole &= fclose(stream) == 0;
		}
	}
	for (size_t at = 0; at < 3; at++) {
		if (print && whole && *texts[at] && **texts[at]) {
			fputs(heads[at], stdout);
			fputs(*texts[at], stdout);
		}
		free(*texts[at]);
	}
	return whole;
}
