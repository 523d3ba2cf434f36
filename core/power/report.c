/* SPDX-License-Identifier: MIT */
/* A report as it grows. */
#include "power/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More samples of a phase say nothing more. */
enum { SAMPLES_MAX = 4096 };

const char *sl_phase_word(enum sl_phase_kind kind)
{
	static const char *const words[] = {
		[SL_PHASE_BASELINE] = "baseline",
		[SL_PHASE_ACTIVE] = "active",
		[SL_PHASE_IDLE] = "idle",
	};

	return words[kind];
}

const char *sl_quality_word(enum sl_quality quality)
{
	switch (quality) {
	case SL_QUALITY_MEASURED:
		return "measured";
	case SL_QUALITY_ON_DIE:
		return "on-die";
	case SL_QUALITY_INTEGRATED:
		return "integrated";
	case SL_QUALITY_MODEL:
		return "estimate";
	}
	return "unknown";
}

const char *sl_outcome_word(enum sl_outcome outcome)
{
	static const char *const words[] = {
		[SL_OUTCOME_DONE] = "done",
		[SL_OUTCOME_REFUSED] = "refused",
		[SL_OUTCOME_FAILED] = "failed",
		[SL_OUTCOME_CANCELLED] = "cancelled",
	};

	return words[outcome];
}

static void finish_phase(struct sl_phase *phase)
{
	free(phase->domains);
	free(phase->raw);
	sl_temperatures_finish(&phase->before);
	sl_temperatures_finish(&phase->after);
}

void sl_report_finish(struct sl_report *report)
{
	for (size_t at = 0; at < report->phase_count; at++)
		finish_phase(&report->phases[at]);
	free(report->phases);
	free(report->domains);
	free(report->command);
	free(report->meters);
	*report = (struct sl_report){ 0 };
}

static void take_domain(struct sl_report_domain *to,
			const struct sl_energy_domain *from)
{
	const char *why = from->usable ? from->aside : from->unusable;

	snprintf(to->meter, sizeof(to->meter), "%s", from->meter);
	snprintf(to->id, sizeof(to->id), "%s", from->id);
	snprintf(to->label, sizeof(to->label), "%s", from->label);
	snprintf(to->reason, sizeof(to->reason), "%s", why ? why : "");
	to->quality = from->quality;
	to->resolution_j = from->resolution_j;
	to->update_s = from->update_s;
	to->relative = from->relative;
	to->usable = from->usable;
	to->in_sum = from->in_sum;
}

enum sl_code sl_report_domains(struct sl_report *report,
			       const struct sl_energy *energy,
			       struct sl_error *error)
{
	size_t count = sl_energy_domain_count(energy);

	report->domains = calloc(count ? count : 1, sizeof(*report->domains));
	if (!report->domains)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	report->domain_count = count;
	for (size_t at = 0; at < count; at++)
		take_domain(&report->domains[at], sl_energy_domain(energy, at));
	return SL_OK;
}

struct sl_phase *sl_report_add(struct sl_report *report)
{
	struct sl_phase *phase;

	if (report->phase_count == report->phase_room) {
		size_t room = report->phase_room ? 2 * report->phase_room : 16;
		struct sl_phase *grown =
			realloc(report->phases, room * sizeof(*grown));

		if (!grown)
			return NULL;
		report->phases = grown;
		report->phase_room = room;
	}
	phase = &report->phases[report->phase_count];
	*phase = (struct sl_phase){ .work = -1 };
	phase->domains = calloc(report->domain_count ? report->domain_count : 1,
				sizeof(*phase->domains));
	if (!phase->domains)
		return NULL;
	report->phase_count++;
	return phase;
}

void sl_report_drop(struct sl_report *report)
{
	finish_phase(&report->phases[--report->phase_count]);
}

/* Every other sample goes. */
static void thin_out(struct sl_phase *phase, size_t domains)
{
	size_t kept = 1;

	for (size_t at = 2; at < phase->samples; at += 2, kept++)
		memcpy(phase->raw + kept * domains, phase->raw + at * domains,
		       domains * sizeof(*phase->raw));
	phase->samples = kept;
}

static enum sl_code make_room(struct sl_phase *phase, size_t domains,
			      struct sl_error *error)
{
	size_t room = phase->sample_room ? 2 * phase->sample_room : 64;
	struct sl_raw *grown;

	if (phase->samples == SAMPLES_MAX)
		thin_out(phase, domains);
	if (phase->samples < phase->sample_room)
		return SL_OK;
	grown = realloc(phase->raw, room * domains * sizeof(*grown));
	if (!grown)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	phase->raw = grown;
	phase->sample_room = room;
	return SL_OK;
}

enum sl_code sl_phase_sample(struct sl_phase *phase,
			     const struct sl_energy_mark *mark,
			     int64_t began_ns, struct sl_error *error)
{
	enum sl_code code;

	if (!mark->count)
		return SL_OK;
	code = make_room(phase, mark->count, error);
	if (code != SL_OK)
		return code;
	for (size_t at = 0; at < mark->count; at++) {
		const struct sl_energy_reading *from = &mark->readings[at];
		int64_t twice_ns = from->before_ns - began_ns +
				   (from->after_ns - began_ns);

		phase->raw[phase->samples * mark->count + at] = (struct sl_raw){
			.time_s = (double)twice_ns / 2e9,
			.energy_j = from->energy_j,
			.raw = from->raw,
			.epoch = from->epoch,
			.valid = from->valid,
		};
	}
	phase->samples++;
	return SL_OK;
}

bool sl_report_estimate(const struct sl_report *report)
{
	for (size_t at = 0; at < report->domain_count; at++)
		if (report->domains[at].in_sum &&
		    report->domains[at].quality == SL_QUALITY_MODEL)
			return true;
	return false;
}
