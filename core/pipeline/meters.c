/* SPDX-License-Identifier: MIT */
#include "pipeline/meters.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "energy/energy_private.h"
#include "pipeline/pipeline_private.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for the meters");
}

/* ---- opening ---------------------------------------------------------- */

static enum sl_code claim(struct sl_host *host, const char *path,
			  struct sl_error *error)
{
	struct sl_error why = { .code = SL_OK };
	struct stat file;
	enum sl_code code;
	int fd;

	/* A folder is nobody's output, an instrument may stir if opened. */
	if (stat(path, &file) || !S_ISREG(file.st_mode))
		return SL_OK;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return SL_OK; /* the meter will say so */
	code = sl_host_claim(host, fd, path, SL_FILE_READ, &why);
	close(fd);
	return code == SL_OK
		       ? SL_OK
		       : SL_FAIL(error, code, "%s: %s", host->who, why.message);
}

/* The files that its options name. */
static enum sl_code claim_files(struct sl_host *host, struct sl_error *error)
{
	const struct sl_option_table table =
		sl_plugin_options(&host->module.plugin);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < table.count; at++) {
		struct sl_option row = sl_option_row(&table, at);
		const char *path = NULL;

		if (row.type != SL_PATH)
			continue;
		memcpy(&path, (const char *)host->state + row.offset,
		       sizeof(path));
		if (path && path[0])
			code = claim(host, path, error);
	}
	return code;
}

static enum sl_code open_one(struct sl_meters *meters, struct sl_host *host,
			     struct sl_error *error)
{
	size_t first = sl_energy_domain_count(meters->energy), at;
	const struct sl_energy_domain *domain = NULL;
	enum sl_code code = claim_files(host, error);

	if (code == SL_OK)
		code = sl_energy_adopt(meters->energy, &host->module,
				       host->name, host->state, error);
	if (code != SL_OK)
		return code;
	memset(&host->module, 0, sizeof(host->module));
	host->state = NULL;
	for (at = first; at < sl_energy_domain_count(meters->energy); at++) {
		domain = sl_energy_domain(meters->energy, at);
		if (domain->usable)
			return SL_OK;
	}
	domain = sl_energy_domain(meters->energy, first);
	return SL_FAIL(error, SL_EIO, "%s: no domain can be used; %s: %s",
		       host->who, domain->id, domain->unusable);
}

/* So that no mark can fail later. */
static enum sl_code reserve(struct sl_meters *meters, struct sl_error *error)
{
	struct sl_energy_mark *marks[] = { &meters->begin, &meters->end,
					   &meters->fresh, &meters->now,
					   &meters->seen,  &meters->before };
	enum sl_code code = SL_OK;

	meters->domains = calloc(sl_energy_domain_count(meters->energy),
				 sizeof(*meters->domains));
	if (!meters->domains)
		return no_memory(error);
	for (size_t at = 0;
	     code == SL_OK && at < sizeof(marks) / sizeof(marks[0]); at++)
		code = sl_energy_peek(meters->energy, marks[at], error);
	return code;
}

static void after_round(void *context)
{
	sl_published_energy(context);
}

enum sl_code sl_meters_open(struct sl_pipeline *pipeline,
			    struct sl_error *error)
{
	struct sl_meters *meters = &pipeline->meters;
	enum sl_code code;

	if (!meters->count)
		return SL_OK;
	if (pthread_mutex_init(&meters->lock, NULL))
		return no_memory(error);
	meters->locked = true;
	code = sl_energy_create(&meters->energy, NULL, error);
	for (size_t at = 0; code == SL_OK && at < meters->count; at++)
		code = open_one(meters, &meters->hosts[at], error);
	if (code == SL_OK)
		code = sl_energy_choose(meters->energy, error);
	return code == SL_OK ? reserve(meters, error) : code;
}

enum sl_code sl_meters_start(struct sl_pipeline *pipeline,
			     struct sl_error *error)
{
	struct sl_meters *meters = &pipeline->meters;

	if (!meters->energy)
		return SL_OK;
	meters->energy->after_round = after_round;
	meters->energy->context = pipeline;
	return sl_energy_start(meters->energy, (double)meters->period_ns * 1e-9,
			       error);
}

void sl_meters_finish(struct sl_pipeline *pipeline)
{
	struct sl_meters *meters = &pipeline->meters;

	sl_energy_destroy(meters->energy);
	sl_energy_mark_finish(&meters->begin);
	sl_energy_mark_finish(&meters->end);
	sl_energy_mark_finish(&meters->fresh);
	sl_energy_mark_finish(&meters->now);
	sl_energy_mark_finish(&meters->seen);
	sl_energy_mark_finish(&meters->before);
	if (meters->locked)
		pthread_mutex_destroy(&meters->lock);
	for (size_t at = 0; meters->hosts && at < meters->count; at++)
		sl_instance_finish(&meters->hosts[at]);
	free(meters->hosts);
	free(meters->domains);
}

/* ---- the idle machine ------------------------------------------------- */

/* @return whether it was told to stop. */
static bool wait_or_stop(const struct sl_pipeline *pipeline, int64_t until_ns)
{
	struct pollfd stop = { .fd = pipeline->stop_fd, .events = POLLIN };
	int64_t left_ns = until_ns - sl_clock_ns();

	while (left_ns > 0 && !atomic_load(&pipeline->stop)) {
		int64_t left_ms = (left_ns + 999999) / 1000000;

		if (poll(&stop, 1, (int)left_ms) < 0 && errno != EINTR)
			break;
		left_ns = until_ns - sl_clock_ns();
	}
	return atomic_load(&pipeline->stop);
}

static void tell_window(const struct sl_pipeline *pipeline)
{
	char duration[SL_UNITS_TEXT], line[SL_UNITS_TEXT + 64];

	sl_duration_format(pipeline->meters.idle_window_ns, duration);
	snprintf(line, sizeof(line), "measuring the idle machine for %s",
		 duration);
	sl_pipeline_notice(pipeline, line);
}

/* Nobody should wait, and then run, for a figure that will be refused. */
static enum sl_code check_window(struct sl_pipeline *pipeline,
				 struct sl_error *error)
{
	const struct sl_meters *meters = &pipeline->meters;
	const config_setting_t *setting =
		config_lookup(&pipeline->config.tree, "idle_window");
	char given[SL_UNITS_TEXT], least[SL_UNITS_TEXT];
	struct sl_energy_span span;
	enum sl_code code = sl_energy_sum(meters->energy, &meters->fresh,
					  &meters->fresh, &span, error);
	double least_ns = ceil(SL_UPDATES_MIN * span.update_s * 1e9);

	if (code != SL_OK || (double)meters->idle_window_ns >= least_ns)
		return code;
	sl_duration_format(meters->idle_window_ns, given);
	sl_duration_format((int64_t)least_ns, least);
	code = SL_FAIL(error, SL_EINVAL,
		       "idle_window: %s is shorter than %d update periods of "
		       "the meter: %s is the least",
		       given, SL_UPDATES_MIN, least);
	if (setting)
		sl_error_at(error, sl_config_file(&pipeline->config, setting),
			    config_setting_source_line(setting));
	return code;
}

enum sl_code sl_meters_watch_idle(struct sl_pipeline *pipeline,
				  struct sl_error *error)
{
	struct sl_meters *meters = &pipeline->meters;
	struct sl_energy *energy = meters->energy;
	enum sl_code code;

	if (!energy)
		return SL_OK;
	if (meters->idle_power_w >= 0) {
		meters->idle.source = SL_IDLE_GIVEN;
		meters->idle.watts = meters->idle_power_w;
	}
	if (!meters->idle_window_ns)
		return SL_OK;
	meters->idle.source = SL_IDLE_MEASURED;
	code = sl_energy_mark(energy, &meters->fresh, error);
	if (code == SL_OK)
		code = check_window(pipeline, error);
	if (code != SL_OK)
		return code;
	tell_window(pipeline);
	if (wait_or_stop(pipeline, sl_clock_ns() + meters->idle_window_ns))
		return SL_FAIL(error, SL_ESTOPPED,
			       "stopped while the idle power was measured");
	code = sl_energy_mark(energy, &meters->now, error);
	if (code != SL_OK)
		return code;
	return sl_energy_sum(energy, &meters->fresh, &meters->now,
			     &meters->idle.span, error);
}

/* ---- the measured region ---------------------------------------------- */

void sl_meters_begin(struct sl_pipeline *pipeline)
{
	struct sl_meters *meters = &pipeline->meters;
	struct sl_energy_mark swapped;

	/* Its memory is there. */
	if (sl_energy_mark(meters->energy, &meters->fresh, NULL) != SL_OK)
		return;
	pthread_mutex_lock(&meters->lock);
	swapped = meters->begin;
	meters->begin = meters->fresh;
	meters->fresh = swapped;
	meters->begun = true;
	pthread_mutex_unlock(&meters->lock);
}

void sl_meters_end(struct sl_pipeline *pipeline)
{
	struct sl_meters *meters = &pipeline->meters;

	if (sl_energy_mark(meters->energy, &meters->end, NULL) != SL_OK)
		return;
	pthread_mutex_lock(&meters->lock);
	meters->ended = true;
	pthread_mutex_unlock(&meters->lock);
	sl_published_end(pipeline);
}

/* Both with the lock held. */
static const struct sl_energy_mark *latest(const struct sl_meters *meters,
					   const struct sl_energy_mark *to)
{
	return meters->ended ? &meters->end : to;
}

static void refuse(struct sl_energy_span *span, bool begun)
{
	*span = (struct sl_energy_span){ .valid = false };
	snprintf(span->reason, sizeof(span->reason),
		 "the measured region has %s begun", begun ? "just" : "not");
}

void sl_meters_between(struct sl_meters *meters, size_t at,
		       const struct sl_energy_mark *to,
		       struct sl_energy_span *span)
{
	pthread_mutex_lock(&meters->lock);
	if (!meters->begun ||
	    sl_energy_between(meters->energy, at, &meters->begin,
			      latest(meters, to), span, NULL) != SL_OK)
		refuse(span, meters->begun);
	pthread_mutex_unlock(&meters->lock);
}

void sl_meters_sum(struct sl_meters *meters, const struct sl_energy_mark *to,
		   struct sl_energy_span *span)
{
	pthread_mutex_lock(&meters->lock);
	if (!meters->begun ||
	    sl_energy_sum(meters->energy, &meters->begin, latest(meters, to),
			  span, NULL) != SL_OK)
		refuse(span, meters->begun);
	pthread_mutex_unlock(&meters->lock);
}

static bool has_ended(struct sl_meters *meters)
{
	bool ended;

	pthread_mutex_lock(&meters->lock);
	ended = meters->ended;
	pthread_mutex_unlock(&meters->lock);
	return ended;
}

static void fill_instances(struct sl_pipeline *pipeline,
			   const struct sl_busy_sum *busy)
{
	for (size_t at = 0; at < pipeline->host_count; at++) {
		struct sl_instance_stats *one = &pipeline->instance_stats[at];
		double u_s;

		one->cpu_ns = (int64_t)(sl_busy_sum_cpu(&busy[at], &u_s) * 1e9);
		one->cpu_samples = busy[at].samples;
	}
}

void sl_meters_fill(struct sl_pipeline *pipeline,
		    const struct sl_busy_sum *busy)
{
	struct sl_meters *meters = &pipeline->meters;
	struct sl_energy_stats *stats = &meters->stats;

	/* Its memory is there; without it the last one stands. */
	if (!has_ended(meters) &&
	    sl_energy_mark(meters->energy, &meters->now, NULL) != SL_OK)
		return;
	stats->size = sizeof(*stats);
	stats->domain_count = sl_energy_domain_count(meters->energy);
	stats->domains = meters->domains;
	for (size_t at = 0; at < stats->domain_count; at++) {
		struct sl_domain_stats *one = &meters->domains[at];

		one->instance = meters->energy->places[at]->meter->name;
		one->domain = sl_energy_domain(meters->energy, at);
		sl_meters_between(meters, at, &meters->now, &one->span);
	}
	sl_meters_sum(meters, &meters->now, &stats->sum);
	fill_instances(pipeline, busy);
	sl_shares_set_ratio(stats, pipeline->stats.packets_out, &meters->words);
	sl_shares_set(stats, &meters->idle, busy, pipeline->instance_stats,
		      pipeline->host_count, &meters->words);
	pipeline->stats.energy = stats;
}
