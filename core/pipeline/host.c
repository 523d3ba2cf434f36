/* SPDX-License-Identifier: MIT */
/* What the host does for a plugin: see sluice/host.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pipeline/pipeline_private.h"

bool sl_host_is(const struct sl_host *host, const char *name)
{
	return strcmp(host->name, name) == 0 ||
	       (host->role && strcmp(host->role, name) == 0);
}

const char *sl_host_instance(const struct sl_host *host)
{
	return host->name;
}

struct sl_names *sl_host_nics(struct sl_host *host)
{
	return host->pipeline->nics;
}

struct sl_names *sl_host_applications(struct sl_host *host)
{
	return host->pipeline->applications;
}

unsigned sl_host_workers(const struct sl_host *host)
{
	return (unsigned)host->pipeline->workers;
}

uint32_t sl_host_chunk_packets(const struct sl_host *host)
{
	return (uint32_t)host->pipeline->chunk;
}

void sl_host_reads(struct sl_host *host, uint32_t fields)
{
	host->reads |= fields;
}

void sl_host_writes(struct sl_host *host, uint32_t fields)
{
	host->writes |= fields;
}

/* Where an option was given: on the command line, in the group, or nowhere,
 * which is the group's own place. */
static void place_of(const struct sl_host *host, const char *option,
		     const char **file, int *line)
{
	const struct sl_pipeline *pipeline = host->pipeline;
	const config_setting_t *setting =
		host->group ? config_setting_get_member(host->group, option)
			    : NULL;

	*file = host->config_file;
	*line = host->config_line;
	if (setting) {
		*file = sl_config_file(&pipeline->config, setting);
		*line = (int)config_setting_source_line(setting);
	}
	for (size_t at = 0; at < pipeline->settings.override_count; at++) {
		const struct sl_override *override = &pipeline->overrides[at];

		if (sl_host_is(host, override->instance) &&
		    strcmp(override->option, option) == 0) {
			*file = pipeline->override_places[at];
			*line = 0;
		}
	}
}

void sl_problem(struct sl_host *host, const char *option,
		const struct sl_value *value, const char *fmt, ...)
{
	char text[1024];
	const char *file;
	int line;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	place_of(host, option, &file, &line);
	if (value && value->file) {
		file = value->file;
		line = value->line;
	}
	sl_problems_add(&host->pipeline->problems, file, line,
			"%s: option \"%s\": %s", host->who, option, text);
}

void sl_problem_at(struct sl_host *host, const char *path, int line,
		   const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sl_problems_add(&host->pipeline->problems, path, line, "%s: %s",
			host->who, text);
}

/* "-" in words. */
static const char *words_of(const char *path, enum sl_file_use use)
{
	if (strcmp(path, "-") != 0)
		return path;
	return use == SL_FILE_READ ? "standard input" : "standard output";
}

static enum sl_code clash(const struct sl_claim *with, const char *path,
			  enum sl_file_use use, struct sl_error *error)
{
	const char *words = words_of(path, use);

	if (use == SL_FILE_READ && with->use == SL_FILE_READ)
		return SL_FAIL(error, SL_EINVAL, "%s was read to its end by %s",
			       words, with->who);
	if (use == SL_FILE_READ)
		return SL_FAIL(error, SL_EINVAL,
			       "input equal to output: %s writes %s", with->who,
			       words);
	if (with->use == SL_FILE_READ)
		return SL_FAIL(error, SL_EINVAL,
			       "output equal to input: %s reads %s", with->who,
			       words);
	return SL_FAIL(error, SL_EINVAL, "%s writes %s already", with->who,
		       words);
}

/* Two may read one file, each from its start, but not one stream. */
static bool spoils(const struct sl_claim *claim, const struct stat *file,
		   enum sl_file_use use, bool is_stream)
{
	if (claim->device != file->st_dev || claim->inode != file->st_ino)
		return false;
	if (use == SL_FILE_READ && claim->use == SL_FILE_READ)
		return is_stream && claim->is_stream;
	return claim->exclusive;
}

enum sl_code sl_pipeline_claim(struct sl_pipeline *pipeline, const char *who,
			       int fd, const char *path, enum sl_file_use use,
			       struct sl_error *error)
{
	struct sl_claim *claim;
	struct stat file;
	bool is_stream;

	if (fstat(fd, &file))
		return SL_FAIL(error, SL_EIO, "cannot look at %s: %s", path,
			       strerror(errno));
	is_stream = strcmp(path, "-") == 0;
	for (claim = pipeline->claims; claim; claim = claim->next)
		if (spoils(claim, &file, use, is_stream))
			return clash(claim, path, use, error);
	claim = sl_arena_alloc(&pipeline->arena, sizeof(*claim));
	if (!claim)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	claim->device = file.st_dev;
	claim->inode = file.st_ino;
	/* A terminal or /dev/null may be shared, a file or a pipe not. */
	claim->exclusive = !S_ISCHR(file.st_mode) && !S_ISBLK(file.st_mode);
	claim->is_stream = is_stream;
	claim->use = use;
	claim->who = who;
	claim->next = pipeline->claims;
	pipeline->claims = claim;
	return SL_OK;
}

enum sl_code sl_host_claim(struct sl_host *host, int fd, const char *path,
			   enum sl_file_use use, struct sl_error *error)
{
	return sl_pipeline_claim(host->pipeline, host->who, fd, path, use,
				 error);
}

bool sl_host_stopping(const struct sl_host *host)
{
	return sl_engine_stopping(host->pipeline->engine);
}

enum sl_code sl_host_wait_readable(struct sl_host *host, int fd,
				   struct sl_error *error)
{
	return sl_engine_wait_readable(host->pipeline->engine, fd, error);
}
