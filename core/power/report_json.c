/* SPDX-License-Identifier: MIT */
/* The report as JSON: the same as in XML, but the raw samples in columns. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "power/report.h"

static void put_known(yajl_gen gen, const char *key, const char *text)
{
	sl_json_pair(gen, key, *text ? text : NULL);
}

static void put_settings(yajl_gen gen, const struct sl_report *report)
{
	sl_json_key(gen, "settings");
	yajl_gen_map_open(gen);
	sl_json_number(gen, "settle_s", report->settle_s);
	if (report->window_s > 0)
		sl_json_number(gen, "window_s", report->window_s);
	else
		sl_json_pair(gen, "window_s", "run");
	sl_json_number(gen, "baseline_s", report->baseline_s);
	sl_json_number(gen, "sample_s", report->sample_s);
	sl_json_integer(gen, "repeats", report->repeats);
	sl_json_pair(gen, "meters", report->meters);
	sl_json_pair(gen, "start", report->start);
	put_known(gen, "idle_command", report->idle_command);
	put_known(gen, "work", report->work_of);
	put_known(gen, "work_unit", report->work_unit);
	yajl_gen_map_close(gen);
}

static void put_conditions(yajl_gen gen, const struct sl_conditions *conditions)
{
	sl_json_key(gen, "conditions");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "power_source", conditions->power_source);
	sl_json_pair(gen, "cpu_model", conditions->cpu_model);
	sl_json_known(gen, "cpus", conditions->cpus);
	sl_json_pair(gen, "smt", conditions->smt);
	sl_json_pair(gen, "governor", conditions->governor);
	sl_json_pair(gen, "turbo", conditions->turbo);
	sl_json_number(gen, "mhz", conditions->mhz);
	sl_json_pair(gen, "kernel", conditions->kernel);
	yajl_gen_map_close(gen);
}

static void put_idle(yajl_gen gen, const struct sl_idle *idle)
{
	sl_json_number(gen, "busy_percent", 100 * idle->busy);
	sl_json_number(gen, "low_power_percent", idle->low_power);
	sl_json_pair(gen, "low_power_states",
		     idle->states[0] ? idle->states : NULL);
	sl_json_number(gen, "timer_period_ms", idle->timer_ms);
	sl_json_number(gen, "wakeups_per_s", idle->wakeups_s);
	put_known(gen, "busy_unknown", idle->why_cpu);
	put_known(gen, "low_power_unknown", idle->why_idle);
	put_known(gen, "timer_unknown", idle->why_timer);
}

static void put_activities(yajl_gen gen, const char *key,
			   const struct sl_activity *list, size_t count)
{
	sl_json_key(gen, key);
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < count; at++) {
		yajl_gen_map_open(gen);
		sl_json_integer(gen, "pid", list[at].pid);
		sl_json_pair(gen, "name", list[at].name);
		sl_json_number(gen, "cpu_percent", 100 * list[at].cpu);
		sl_json_number(gen, "wakeups_per_s", list[at].wakeups_s);
		yajl_gen_map_close(gen);
	}
	yajl_gen_array_close(gen);
}

static void put_quiet(yajl_gen gen, const struct sl_quiet *quiet)
{
	sl_json_key(gen, "before");
	yajl_gen_map_open(gen);
	sl_json_bool(gen, "quiet", quiet->quiet);
	sl_json_pair(gen, "reason", quiet->reason[0] ? quiet->reason : NULL);
	put_idle(gen, &quiet->idle);
	put_activities(gen, "busy_processes", quiet->active,
		       quiet->active_count);
	put_activities(gen, "waking_processes", quiet->waking,
		       quiet->waking_count);
	yajl_gen_map_close(gen);
}

static void put_domains(yajl_gen gen, const struct sl_report *report)
{
	sl_json_key(gen, "meters");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < report->domain_count; at++) {
		const struct sl_report_domain *domain = &report->domains[at];

		yajl_gen_map_open(gen);
		sl_json_pair(gen, "meter", domain->meter);
		sl_json_pair(gen, "id", domain->id);
		sl_json_pair(gen, "label", domain->label);
		sl_json_integer(gen, "number", (int64_t)at);
		sl_json_pair(gen, "quality", sl_quality_word(domain->quality));
		sl_json_number(gen, "resolution_j", domain->resolution_j);
		sl_json_number(gen, "update_s", domain->update_s);
		sl_json_number(gen, "relative", domain->relative);
		sl_json_bool(gen, "usable", domain->usable);
		sl_json_bool(gen, "in_sum", domain->in_sum);
		sl_json_pair(gen, "reason",
			     domain->reason[0] ? domain->reason : NULL);
		yajl_gen_map_close(gen);
	}
	yajl_gen_array_close(gen);
}

static void put_span(yajl_gen gen, const struct sl_energy_span *span)
{
	double unknown = span->valid ? 0 : NAN;

	yajl_gen_map_open(gen);
	sl_json_bool(gen, "valid", span->valid);
	sl_json_bool(gen, "estimate", span->estimate);
	sl_json_number(gen, "seconds", span->seconds + unknown);
	sl_json_number(gen, "joules", span->energy_j + unknown);
	sl_json_number(gen, "watts", span->watts + unknown);
	sl_json_number(gen, "mwh", span->energy_j / 3.6 + unknown);
	sl_json_number(gen, "u_j", span->u_j + unknown);
	sl_json_number(gen, "random_j", span->random_j + unknown);
	sl_json_number(gen, "systematic_j", span->systematic_j + unknown);
	sl_json_number(gen, "half_j", span->half_j + unknown);
	sl_json_number(gen, "update_s", span->update_s + unknown);
	sl_json_pair(gen, "reason", span->reason[0] ? span->reason : NULL);
	yajl_gen_map_close(gen);
}

static void put_temperatures(yajl_gen gen, const struct sl_phase *phase)
{
	sl_json_key(gen, "temperatures");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < phase->after.count; at++) {
		const struct sl_temperature *now = &phase->after.sensors[at];
		const struct sl_temperature *then =
			at < phase->before.count ? &phase->before.sensors[at]
						 : NULL;

		yajl_gen_map_open(gen);
		sl_json_pair(gen, "id", now->id);
		sl_json_pair(gen, "label", now->label);
		sl_json_number(gen, "before_c",
			       then && then->valid &&
					       strcmp(then->id, now->id) == 0
				       ? then->celsius
				       : NAN);
		sl_json_number(gen, "after_c", now->valid ? now->celsius : NAN);
		put_known(gen, "reason", now->valid ? "" : now->reason);
		yajl_gen_map_close(gen);
	}
	yajl_gen_array_close(gen);
}

static void put_raw(yajl_gen gen, const struct sl_report *report,
		    const struct sl_phase *phase)
{
	sl_json_key(gen, "samples");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < phase->samples; at++)
		for (size_t domain = 0; domain < report->domain_count;
		     domain++) {
			const struct sl_raw *raw =
				&phase->raw[at * report->domain_count + domain];

			if (!report->domains[domain].usable)
				continue;
			yajl_gen_map_open(gen);
			sl_json_integer(gen, "domain", (int64_t)domain);
			sl_json_number(gen, "t", raw->time_s);
			sl_json_number(gen, "j", raw->energy_j);
			sl_json_number(gen, "raw", raw->raw);
			sl_json_integer(gen, "epoch", raw->epoch);
			sl_json_bool(gen, "valid", raw->valid);
			yajl_gen_map_close(gen);
		}
	yajl_gen_array_close(gen);
}

static void put_phase(yajl_gen gen, const struct sl_report *report,
		      const struct sl_phase *phase)
{
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "kind", sl_phase_word(phase->kind));
	sl_json_integer(gen, "repeat", phase->repeat);
	sl_json_number(gen, "elapsed_s", phase->elapsed_s);
	sl_json_bool(gen, "whole_run", phase->whole);
	sl_json_bool(gen, "application_runs", phase->running);
	sl_json_bool(gen, "figures_valid", !phase->looks_active);
	sl_json_number(gen, "work", phase->work >= 0 ? phase->work : NAN);
	sl_json_number(gen, "application_wakeups_per_s", phase->app_wakeups_s);
	put_idle(gen, &phase->idle);
	sl_json_key(gen, "energy");
	put_span(gen, &phase->sum);
	sl_json_key(gen, "domains");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < report->domain_count; at++)
		put_span(gen, &phase->domains[at]);
	yajl_gen_array_close(gen);
	sl_json_key(gen, "cpu_use_histogram");
	yajl_gen_array_open(gen);
	for (size_t bin = 0; bin < SL_USE_BINS; bin++)
		yajl_gen_integer(gen, (long long)phase->use[bin]);
	yajl_gen_array_close(gen);
	put_temperatures(gen, phase);
	put_raw(gen, report, phase);
	yajl_gen_map_close(gen);
}

static void put_figure(yajl_gen gen, const char *key,
		       const struct sl_figure *figure, bool estimate)
{
	sl_json_key(gen, key);
	yajl_gen_map_open(gen);
	sl_json_bool(gen, "valid", figure->valid);
	sl_json_bool(gen, "estimate", estimate);
	sl_json_number(gen, "value", figure->value);
	sl_json_number(gen, "low", figure->low);
	sl_json_number(gen, "high", figure->high);
	sl_json_number(gen, "random", figure->random);
	sl_json_number(gen, "systematic", figure->systematic);
	yajl_gen_map_close(gen);
}

static void put_result(yajl_gen gen, const struct sl_report *report)
{
	const struct sl_assessment *found = &report->assessment;
	bool estimate = sl_report_estimate(report);

	sl_json_key(gen, "result");
	if (!report->judged) {
		yajl_gen_null(gen);
		return;
	}
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "runs", found->runs);
	put_figure(gen, "time_s", &report->seconds, false);
	put_figure(gen, "energy_j", &found->gross_j, estimate);
	put_figure(gen, "power_w", &report->gross_w, estimate);
	put_figure(gen, "net_energy_j", &found->net_j, estimate);
	put_figure(gen, "net_power_w", &found->net_w, estimate);
	put_figure(gen, "idle_power_w", &report->idle_w, estimate);
	put_figure(gen, "j_per_work", &found->j_per_work, estimate);
	put_figure(gen, "work_per_j", &found->work_per_j, estimate);
	yajl_gen_map_close(gen);
}

enum sl_code sl_report_json(const struct sl_report *report,
			    struct sl_buffer *text, struct sl_error *error)
{
	yajl_gen gen = sl_json_begin();

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "format", 1);
	sl_json_pair(gen, "version", report->version);
	sl_json_pair(gen, "outcome", sl_outcome_word(report->outcome));
	sl_json_pair(gen, "reason", report->reason[0] ? report->reason : NULL);
	sl_json_pair(gen, "command", report->command);
	put_settings(gen, report);
	put_conditions(gen, &report->conditions);
	put_quiet(gen, &report->quiet);
	put_domains(gen, report);
	sl_json_key(gen, "phases");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < report->phase_count; at++)
		put_phase(gen, report, &report->phases[at]);
	yajl_gen_array_close(gen);
	put_result(gen, report);
	yajl_gen_map_close(gen);
	return sl_json_end(gen, text, error);
}
