/* SPDX-License-Identifier: MIT */
/* A pipeline's life once it is created: opened, run, read, destroyed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cores.h"
#include "pipeline/names.h"
#include "pipeline/pipeline_private.h"

const char *sl_version(void)
{
	return SL_VERSION;
}

char *sl_error_text(const struct sl_error *error)
{
	size_t size = sizeof(error->input) + sizeof(error->message) + 32;
	char *text = malloc(size);

	if (!text)
		return NULL;
	if (error->input[0] && error->input_line)
		snprintf(text, size, "%s:%lld: %s", error->input,
			 (long long)error->input_line, error->message);
	else if (error->input[0])
		snprintf(text, size, "%s: %s", error->input, error->message);
	else
		snprintf(text, size, "%s", error->message);
	return text;
}

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for the pipeline");
}

void sl_pipeline_destroy(struct sl_pipeline *pipeline)
{
	if (!pipeline)
		return;
	sl_engine_destroy(pipeline->engine);
	sl_meters_finish(pipeline);
	sl_published_finish(&pipeline->published);
	sl_unwire(pipeline);
	sl_names_destroy(pipeline->nics);
	sl_names_destroy(pipeline->applications);
	free(pipeline->instance_stats);
	free(pipeline->instance_list);
	free(pipeline->failure);
	if (pipeline->stop_fd >= 0)
		close(pipeline->stop_fd);
	sl_problems_finish(&pipeline->problems);
	if (pipeline->has_config)
		sl_config_finish(&pipeline->config);
	sl_arena_finish(&pipeline->arena);
	free(pipeline);
}

enum sl_code sl_pipeline_claim_output(struct sl_pipeline *pipeline, int fd,
				      const char *path, struct sl_error *error)
{
	return sl_pipeline_claim(pipeline, "the report", fd, path,
				 SL_FILE_WRITE, error);
}

void sl_pipeline_notice(const struct sl_pipeline *pipeline, const char *line)
{
	const struct sl_pipeline_settings *settings = &pipeline->settings;

	if (settings->notice)
		settings->notice(settings->problem_context, line);
}

/* Errors say whose they are: `stage "nat": ...`. */
static void name_owner(const struct sl_host *host, struct sl_error *error)
{
	char message[sizeof(error->message)];

	snprintf(message, sizeof(message), "%s", error->message);
	snprintf(error->message, sizeof(error->message), "%s: %.*s", host->who,
		 (int)(sizeof(error->message) / 2 + sizeof(error->message) / 4),
		 message);
}

static enum sl_code open_one(struct sl_host *host, struct sl_error *error)
{
	unsigned workers = (unsigned)host->pipeline->workers;
	size_t bytes = host->worker_stride * workers;
	enum sl_code code = SL_OK;

	if (bytes) {
		host->worker_states = aligned_alloc(2 * SL_CACHE_LINE, bytes);
		if (!host->worker_states)
			return no_memory(error);
		memset(host->worker_states, 0, bytes);
	}
	if (host->source && host->source->open)
		code = host->source->open(host->state, host, error);
	else if (host->stage && host->stage->open)
		code = host->stage->open(host->state, host, error);
	else if (host->sink && host->sink->open)
		code = host->sink->open(host->state, host, error);
	if (code != SL_OK) {
		sl_error_complete(error, code);
		name_owner(host, error);
	}
	return code;
}

void sl_pipeline_count(const struct sl_pipeline *pipeline,
		       struct sl_progress *progress)
{
	const struct sl_engine *engine = pipeline->engine;
	const struct sl_host *hosts = pipeline->hosts;
	size_t last = pipeline->host_count - 1;

	progress->packets_in =
		sl_engine_total(engine, hosts[0].tally + SL_TALLY_IN);
	progress->packets_out =
		sl_engine_total(engine, hosts[last].tally + SL_TALLY_OUT);
	for (size_t at = 1; at < last; at++)
		for (size_t reason = 0; reason < hosts[at].drop_count; reason++)
			progress->packets_dropped += sl_engine_total(
				engine,
				hosts[at].tally + SL_TALLY_DROPS + reason);
	progress->elapsed_ns = sl_engine_elapsed_ns(pipeline->engine);
}

static void settled(void *context)
{
	sl_published_packets(context);
}

static void region_begins(void *context)
{
	sl_meters_begin(context);
}

static void region_ends(void *context)
{
	sl_meters_end(context);
}

static enum sl_code make_engine(struct sl_pipeline *pipeline,
				struct sl_error *error)
{
	const struct sl_host *source = &pipeline->hosts[0];
	bool metered = pipeline->meters.energy;
	bool published = pipeline->published.counters;
	struct sl_engine_settings settings = {
		.hosts = pipeline->order,
		.host_count = pipeline->host_count,
		.workers = (unsigned)pipeline->workers,
		.tokens = (unsigned)pipeline->tokens,
		.serial = pipeline->settings.serial,
		.look = pipeline->workers <= (int64_t)sl_count_cores(),
		.shape = {
			.packets = (uint32_t)pipeline->chunk,
			.cut_size = source->source->cut_size,
			.tally_size = pipeline->tally_size,
			.fields = source->writes,
		},
		.settled = published ? settled : NULL,
		.begins = metered ? region_begins : NULL,
		.ends = metered ? region_ends : NULL,
		.context = pipeline,
		.sample_cpu = metered,
		.busy_words = published ? pipeline->published.busy_words : NULL,
	};

	for (size_t at = 0; at < pipeline->host_count; at++)
		if (pipeline->hosts[at].scratch_size >
		    settings.shape.scratch_size)
			settings.shape.scratch_size =
				pipeline->hosts[at].scratch_size;
	pipeline->instance_stats =
		calloc(pipeline->host_count, sizeof(*pipeline->instance_stats));
	pipeline->instance_list =
		calloc(pipeline->host_count, sizeof(*pipeline->instance_list));
	if (!pipeline->instance_stats || !pipeline->instance_list)
		return no_memory(error);
	return sl_engine_create(&pipeline->engine, &settings, error);
}

/* Nothing is opened before the meters are: while they watch the idle machine no
 * input must pile up. */
static enum sl_code open_meters(struct sl_pipeline *pipeline,
				struct sl_error *error)
{
	enum sl_code code = sl_meters_open(pipeline, error);

	if (code != SL_OK)
		return code;
	sl_published_init(pipeline);
	return sl_meters_start(pipeline, error);
}

/* All memory is there before the sink, the last to be opened, empties its
 * output. */
enum sl_code sl_pipeline_open(struct sl_pipeline *pipeline,
			      struct sl_error *error)
{
	struct sl_error unread;
	enum sl_code code = SL_OK;

	if (!error)
		error = &unread;
	*error = (struct sl_error){ .code = SL_OK };
	if (pipeline->opening)
		return SL_FAIL(error, SL_EINVAL, "it was opened before");
	pipeline->opening = true;
	code = open_meters(pipeline, error);
	if (code == SL_OK)
		code = make_engine(pipeline, error);
	if (code == SL_OK)
		code = sl_meters_watch_idle(pipeline, error);
	for (size_t at = 0; code == SL_OK && at < pipeline->host_count; at++)
		code = open_one(&pipeline->hosts[at], error);
	pipeline->opened = code == SL_OK;
	return code;
}

enum sl_code sl_pipeline_start(struct sl_pipeline *pipeline,
			       struct sl_error *error)
{
	enum sl_code code;

	if (!pipeline->opened || pipeline->started)
		return SL_FAIL(error, SL_EINVAL,
			       pipeline->opened ? "it was started before"
						: "it was not opened");
	code = sl_engine_start(pipeline->engine, error);
	if (code != SL_OK)
		return code;
	atomic_store(&pipeline->started, true);
	if (atomic_load(&pipeline->stop))
		sl_engine_stop(pipeline->engine);
	return SL_OK;
}

bool sl_pipeline_wait(struct sl_pipeline *pipeline, int timeout_ms)
{
	return !pipeline->started ||
	       sl_engine_wait(pipeline->engine, timeout_ms);
}

/* Both look at what the other has set, so the start cannot miss it. */
void sl_pipeline_stop(struct sl_pipeline *pipeline)
{
	const uint64_t one = 1;
	int kept = errno;
	ssize_t unused;

	atomic_store(&pipeline->stop, true);
	if (pipeline->stop_fd >= 0) {
		unused = write(pipeline->stop_fd, &one, sizeof(one));
		(void)unused; /* it fails only when it was written before */
		errno = kept;
	}
	if (atomic_load(&pipeline->started))
		sl_engine_stop(pipeline->engine);
}

void sl_pipeline_progress(struct sl_pipeline *pipeline,
			  struct sl_progress *progress)
{
	struct sl_progress ours = { .size = progress->size };

	if (atomic_load(&pipeline->started))
		sl_pipeline_count(pipeline, &ours);
	memcpy(progress, &ours,
	       progress->size < sizeof(ours) ? progress->size : sizeof(ours));
}

/* Where in the input. An output that fails is not the packet's fault: there the
 * place does not stand in front. */
static void name_place(const struct sl_host *by, const char *record,
		       const char *path, int64_t line, struct sl_error *error)
{
	size_t used = strlen(error->message);
	char place[SL_PATH_SHOWN + 64];

	if (record)
		snprintf(place, sizeof(place), "%s: %s %lld",
			 sl_path_tail(path), record, (long long)line);
	else
		snprintf(place, sizeof(place), "%s:%lld", sl_path_tail(path),
			 (long long)line);
	if (by && by->sink)
		snprintf(error->message + used, sizeof(error->message) - used,
			 " (at %s%s)", record ? "" : "the packet of ", place);
	else if (record)
		sl_error_at(error, place, 0);
	else
		sl_error_at(error, path, line);
}

enum sl_code sl_pipeline_result(struct sl_pipeline *pipeline,
				struct sl_error *error)
{
	const struct sl_engine_result *result;
	const struct sl_host *source = &pipeline->hosts[0];
	int64_t line = 0;
	const char *path;

	if (!pipeline->started)
		return SL_FAIL(error, SL_EINVAL, "it was not started");
	result = sl_engine_result(pipeline->engine);
	if (!result->failed)
		return SL_OK;
	if (!error)
		return result->error.code;
	*error = result->error;
	if (result->failed_by)
		name_owner(result->failed_by, error);
	if (!error->input[0] && result->failed_at < SL_BEHIND_PARSED &&
	    source->source->place) {
		path = source->source->place(source->state, result->failed_at,
					     &line);
		name_place(result->failed_by, source->source->record, path,
			   line, error);
	}
	return error->code;
}
