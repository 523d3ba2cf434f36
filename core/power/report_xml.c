/* SPDX-License-Identifier: MIT */
/* The report as XML, by docs/powercheck.xsd. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "power/report.h"
#include "power/xml_put.h"

#define J_PER_MWH 3.6

static void put_settings(struct sl_xml *xml, const struct sl_report *report)
{
	sl_xml_element(xml, "command", report->command);
	sl_xml_begin(xml, "settings");
	sl_xml_number(xml, "settle_s", report->settle_s);
	if (report->window_s > 0)
		sl_xml_number(xml, "window_s", report->window_s);
	else
		sl_xml_text(xml, "window_s", "run");
	sl_xml_number(xml, "baseline_s", report->baseline_s);
	sl_xml_number(xml, "sample_s", report->sample_s);
	sl_xml_integer(xml, "repeats", report->repeats);
	sl_xml_text(xml, "meters", report->meters);
	sl_xml_text(xml, "start", report->start);
	if (report->idle_command[0])
		sl_xml_text(xml, "idle_command", report->idle_command);
	if (report->work_of[0])
		sl_xml_text(xml, "work", report->work_of);
	if (report->work_unit[0])
		sl_xml_text(xml, "work_unit", report->work_unit);
	sl_xml_end(xml, "settings");
}

static void put_conditions(struct sl_xml *xml,
			   const struct sl_conditions *conditions)
{
	sl_xml_begin(xml, "conditions");
	sl_xml_text(xml, "power_source", conditions->power_source);
	sl_xml_text(xml, "cpu_model", conditions->cpu_model);
	if (conditions->cpus)
		sl_xml_integer(xml, "cpus", conditions->cpus);
	sl_xml_text(xml, "smt", conditions->smt);
	sl_xml_text(xml, "governor", conditions->governor);
	sl_xml_text(xml, "turbo", conditions->turbo);
	sl_xml_number(xml, "mhz", conditions->mhz);
	sl_xml_text(xml, "kernel", conditions->kernel);
	sl_xml_end(xml, "conditions");
}

static void put_idle(struct sl_xml *xml, const struct sl_idle *idle)
{
	sl_xml_begin(xml, "system");
	sl_xml_number(xml, "busy_percent", 100 * idle->busy);
	sl_xml_number(xml, "low_power_percent", idle->low_power);
	if (idle->states[0])
		sl_xml_text(xml, "low_power_states", idle->states);
	sl_xml_number(xml, "timer_period_ms", idle->timer_ms);
	sl_xml_number(xml, "wakeups_per_s", idle->wakeups_s);
	if (idle->why_cpu[0])
		sl_xml_text(xml, "busy_unknown", idle->why_cpu);
	if (idle->why_idle[0])
		sl_xml_text(xml, "low_power_unknown", idle->why_idle);
	if (idle->why_timer[0])
		sl_xml_text(xml, "timer_unknown", idle->why_timer);
	sl_xml_end(xml, "system");
}

static void put_activities(struct sl_xml *xml, const char *element,
			   const struct sl_activity *list, size_t count)
{
	for (size_t at = 0; at < count; at++) {
		sl_xml_begin(xml, element);
		sl_xml_integer(xml, "pid", list[at].pid);
		sl_xml_text(xml, "name", list[at].name);
		sl_xml_number(xml, "cpu_percent", 100 * list[at].cpu);
		sl_xml_number(xml, "wakeups_per_s", list[at].wakeups_s);
		sl_xml_end(xml, element);
	}
}

static void put_quiet(struct sl_xml *xml, const struct sl_quiet *quiet)
{
	sl_xml_begin(xml, "before");
	sl_xml_bool(xml, "quiet", quiet->quiet);
	if (quiet->reason[0])
		sl_xml_text(xml, "reason", quiet->reason);
	put_idle(xml, &quiet->idle);
	put_activities(xml, "busy_process", quiet->active, quiet->active_count);
	put_activities(xml, "waking_process", quiet->waking,
		       quiet->waking_count);
	sl_xml_end(xml, "before");
}

static void put_domains(struct sl_xml *xml, const struct sl_report *report)
{
	sl_xml_begin(xml, "meters");
	for (size_t at = 0; at < report->domain_count; at++) {
		const struct sl_report_domain *domain = &report->domains[at];

		sl_xml_begin(xml, "domain");
		sl_xml_integer(xml, "number", (int64_t)at);
		sl_xml_text(xml, "meter", domain->meter);
		sl_xml_text(xml, "id", domain->id);
		sl_xml_text(xml, "label", domain->label);
		sl_xml_text(xml, "quality", sl_quality_word(domain->quality));
		sl_xml_number(xml, "resolution_j", domain->resolution_j);
		sl_xml_number(xml, "update_s", domain->update_s);
		sl_xml_number(xml, "relative", domain->relative);
		sl_xml_bool(xml, "usable", domain->usable);
		sl_xml_bool(xml, "in_sum", domain->in_sum);
		if (domain->reason[0])
			sl_xml_text(xml, "reason", domain->reason);
		sl_xml_end(xml, "domain");
	}
	sl_xml_end(xml, "meters");
}

/* @p number: of the domain; negative: the sum. */
static void put_energy(struct sl_xml *xml, const char *element, int number,
		       const struct sl_energy_span *span)
{
	sl_xml_begin(xml, element);
	if (number >= 0)
		sl_xml_integer(xml, "domain", number);
	sl_xml_bool(xml, "valid", span->valid);
	sl_xml_bool(xml, "estimate", span->estimate);
	if (span->valid) {
		sl_xml_number(xml, "seconds", span->seconds);
		sl_xml_number(xml, "joules", span->energy_j);
		sl_xml_number(xml, "watts", span->watts);
		sl_xml_number(xml, "mwh", span->energy_j / J_PER_MWH);
		sl_xml_number(xml, "u_j", span->u_j);
		sl_xml_number(xml, "random_j", span->random_j);
		sl_xml_number(xml, "systematic_j", span->systematic_j);
		sl_xml_number(xml, "half_j", span->half_j);
		sl_xml_number(xml, "update_s", span->update_s);
	}
	if (span->reason[0])
		sl_xml_text(xml, "reason", span->reason);
	sl_xml_end(xml, element);
}

static void put_use(struct sl_xml *xml, const struct sl_phase *phase)
{
	char counts[256] = "";
	size_t used = 0;

	for (size_t bin = 0; bin < SL_USE_BINS; bin++) {
		snprintf(counts + used, sizeof(counts) - used, "%s%" PRIu64,
			 bin ? " " : "", phase->use[bin]);
		used += strlen(counts + used);
	}
	sl_xml_element(xml, "cpu_use_histogram", counts);
}

static void put_temperatures(struct sl_xml *xml, const struct sl_phase *phase)
{
	for (size_t at = 0; at < phase->after.count; at++) {
		const struct sl_temperature *now = &phase->after.sensors[at];
		const struct sl_temperature *then =
			at < phase->before.count ? &phase->before.sensors[at]
						 : NULL;

		sl_xml_begin(xml, "temperature");
		sl_xml_text(xml, "id", now->id);
		sl_xml_text(xml, "label", now->label);
		if (then && then->valid && strcmp(then->id, now->id) == 0)
			sl_xml_number(xml, "before_c", then->celsius);
		if (now->valid)
			sl_xml_number(xml, "after_c", now->celsius);
		else
			sl_xml_text(xml, "reason", now->reason);
		sl_xml_end(xml, "temperature");
	}
}

static void put_raw(struct sl_xml *xml, const struct sl_report *report,
		    const struct sl_phase *phase)
{
	for (size_t domain = 0; domain < report->domain_count; domain++) {
		if (!report->domains[domain].usable)
			continue;
		sl_xml_begin(xml, "samples");
		sl_xml_integer(xml, "domain", (int64_t)domain);
		for (size_t at = 0; at < phase->samples; at++) {
			const struct sl_raw *raw =
				&phase->raw[at * report->domain_count + domain];

			sl_xml_begin(xml, "s");
			sl_xml_number(xml, "t", raw->time_s);
			sl_xml_number(xml, "j", raw->energy_j);
			sl_xml_number(xml, "raw", raw->raw);
			sl_xml_integer(xml, "epoch", raw->epoch);
			sl_xml_bool(xml, "valid", raw->valid);
			sl_xml_end(xml, "s");
		}
		sl_xml_end(xml, "samples");
	}
}

static void put_phase(struct sl_xml *xml, const struct sl_report *report,
		      const struct sl_phase *phase)
{
	sl_xml_begin(xml, "phase");
	sl_xml_text(xml, "kind", sl_phase_word(phase->kind));
	sl_xml_integer(xml, "repeat", phase->repeat);
	sl_xml_number(xml, "started", phase->started);
	sl_xml_number(xml, "elapsed_s", phase->elapsed_s);
	if (phase->kind == SL_PHASE_ACTIVE)
		sl_xml_bool(xml, "whole_run", phase->whole);
	if (phase->kind == SL_PHASE_IDLE) {
		sl_xml_bool(xml, "application_runs", phase->running);
		sl_xml_bool(xml, "figures_valid", !phase->looks_active);
	}
	if (phase->work >= 0)
		sl_xml_number(xml, "work", phase->work);
	sl_xml_number(xml, "application_wakeups_per_s", phase->app_wakeups_s);
	put_energy(xml, "energy", -1, &phase->sum);
	for (size_t at = 0; at < report->domain_count; at++)
		put_energy(xml, "domain_energy", (int)at, &phase->domains[at]);
	put_idle(xml, &phase->idle);
	put_use(xml, phase);
	put_temperatures(xml, phase);
	put_raw(xml, report, phase);
	sl_xml_end(xml, "phase");
}

static void put_figure(struct sl_xml *xml, const char *element,
		       const struct sl_figure *figure, bool estimate)
{
	sl_xml_begin(xml, element);
	sl_xml_bool(xml, "valid", figure->valid);
	sl_xml_bool(xml, "estimate", estimate);
	sl_xml_number(xml, "value", figure->value);
	sl_xml_number(xml, "low", figure->low);
	sl_xml_number(xml, "high", figure->high);
	sl_xml_number(xml, "random", figure->random);
	sl_xml_number(xml, "systematic", figure->systematic);
	sl_xml_end(xml, element);
}

/* A run that was broken off has no result. */
static void put_result(struct sl_xml *xml, const struct sl_report *report)
{
	const struct sl_assessment *found = &report->assessment;
	bool estimate = sl_report_estimate(report);

	sl_xml_begin(xml, "result");
	sl_xml_integer(xml, "runs", found->runs);
	put_figure(xml, "time_s", &report->seconds, false);
	put_figure(xml, "energy_j", &found->gross_j, estimate);
	put_figure(xml, "power_w", &report->gross_w, estimate);
	put_figure(xml, "net_energy_j", &found->net_j, estimate);
	put_figure(xml, "net_power_w", &found->net_w, estimate);
	put_figure(xml, "idle_power_w", &report->idle_w, estimate);
	put_figure(xml, "j_per_work", &found->j_per_work, estimate);
	put_figure(xml, "work_per_j", &found->work_per_j, estimate);
	sl_xml_end(xml, "result");
}

enum sl_code sl_report_xml(const struct sl_report *report,
			   struct sl_buffer *text, struct sl_error *error)
{
	static const char head[] =
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
	struct sl_xml xml = { .text = text };
	enum sl_code code = sl_buffer_reserve(text, sizeof(head), error);

	if (code != SL_OK)
		return code;
	memcpy(text->data + text->used, head, sizeof(head) - 1);
	text->used += sizeof(head) - 1;
	sl_xml_begin(&xml, "powercheck");
	sl_xml_text(&xml, "format", "1");
	sl_xml_text(&xml, "version", report->version);
	sl_xml_text(&xml, "outcome", sl_outcome_word(report->outcome));
	if (report->reason[0])
		sl_xml_text(&xml, "reason", report->reason);
	put_settings(&xml, report);
	put_conditions(&xml, &report->conditions);
	put_quiet(&xml, &report->quiet);
	put_domains(&xml, report);
	sl_xml_begin(&xml, "phases");
	for (size_t at = 0; at < report->phase_count; at++)
		put_phase(&xml, report, &report->phases[at]);
	sl_xml_end(&xml, "phases");
	if (report->judged)
		put_result(&xml, report);
	sl_xml_end(&xml, "powercheck");
	if (xml.failed)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	return SL_OK;
}
