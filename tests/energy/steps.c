/* SPDX-License-Identifier: MIT */
/* steps METER: a meter, one step at a time, for tests whose instrument or
 * server is a program of theirs.
 *
 * It says what there is, or "refused: WHY" and ends; then, for each line of
 * stdin, takes a mark and says of every domain what it read and what flowed
 * since the mark before. Fields have tabs between them:
 *
 *     domain ID LABEL FORM-QUALITY UPDATE_S RESOLUTION_J counted|aside|unusable
 *     WHY
 *     mark ID RAW EPOCH REASON         RAW is "-" if it is not valid
 *     span ID ENERGY_J REASON          ENERGY_J is "-" if there is no figure
 *     end                              after each step
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/energy.h"

static void say_domains(const struct sl_energy *energy)
{
	static const char *const qualities[] = { "", "measured", "on-die",
						 "integrated", "model" };

	for (size_t at = 0; at < sl_energy_domain_count(energy); at++) {
		const struct sl_energy_domain *domain =
			sl_energy_domain(energy, at);
		const char *why =
			domain->usable ? domain->aside : domain->unusable;

		printf("domain\t%s\t%s\t%s\t%.17g\t%.17g\t%s\t%s\n", domain->id,
		       domain->label, qualities[domain->quality],
		       domain->update_s, domain->resolution_j,
		       domain->in_sum   ? "counted"
		       : domain->usable ? "aside"
					: "unusable",
		       why ? why : "");
	}
	puts("end");
	fflush(stdout);
}

static void say_marks(const struct sl_energy *energy,
		      const struct sl_energy_mark *mark)
{
	for (size_t at = 0; at < mark->count; at++) {
		const struct sl_energy_reading *reading = &mark->readings[at];

		printf("mark\t%s\t", sl_energy_domain(energy, at)->id);
		if (reading->valid)
			printf("%.17g", reading->raw);
		else
			putchar('-');
		printf("\t%u\t%s\n", reading->epoch, reading->reason);
	}
}

static enum sl_code say_spans(const struct sl_energy *energy,
			      const struct sl_energy_mark *from,
			      const struct sl_energy_mark *to)
{
	for (size_t at = 0; at < to->count; at++) {
		struct sl_energy_span span;
		struct sl_error error;

		if (sl_energy_between(energy, at, from, to, &span, &error) !=
		    SL_OK) {
			fprintf(stderr, "steps: %s\n", error.message);
			return SL_EINVAL;
		}
		printf("span\t%s\t", sl_energy_domain(energy, at)->id);
		if (span.valid)
			printf("%.17g", span.energy_j);
		else
			putchar('-');
		printf("\t%s\n", span.reason);
	}
	return SL_OK;
}

static enum sl_code step(struct sl_energy *energy, struct sl_energy_mark *from,
			 struct sl_energy_mark *to)
{
	const struct sl_energy_mark old = *from;
	enum sl_code code;

	*from = *to;
	*to = old;
	code = sl_energy_mark(energy, to, NULL);
	if (code != SL_OK)
		return code;
	say_marks(energy, to);
	if (from->count)
		code = say_spans(energy, from, to);
	puts("end");
	fflush(stdout);
	return code;
}

int main(int argc, char **argv)
{
	struct sl_energy_mark from = { 0 }, to = { 0 };
	struct sl_error error = { .message = "" };
	struct sl_energy *energy = NULL;
	enum sl_code code = SL_OK;
	char line[64];

	if (argc != 2)
		return 2;
	if (sl_energy_create(&energy, NULL, &error) != SL_OK ||
	    sl_energy_open(energy, argv[1], &error) != SL_OK) {
		printf("refused: %s\n", error.message);
		sl_energy_destroy(energy);
		return 1;
	}
	say_domains(energy);
	while (code == SL_OK && fgets(line, sizeof(line), stdin))
		code = step(energy, &from, &to);
	sl_energy_mark_finish(&from);
	sl_energy_mark_finish(&to);
	sl_energy_destroy(energy);
	return code == SL_OK ? 0 : 1;
}
