/* SPDX-License-Identifier: MIT */
/* A pipeline is created: settings and configuration read, everything that is
 * wrong told, nothing opened. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "pipeline/names.h"
#include "pipeline/pipeline_private.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for the pipeline");
}

/* "INSTANCE.OPTION=VALUE"; an instance's name may hold dots, an option's
 * cannot. */
static enum sl_code parse_override(struct sl_pipeline *pipeline, size_t at,
				   struct sl_error *error)
{
	const char *text = pipeline->settings.overrides[at];
	struct sl_override *override = &pipeline->overrides[at];
	char *copy = sl_arena_text(&pipeline->arena, text, strlen(text));
	char *equals = copy ? strchr(copy, '=') : NULL;
	char *dot;

	pipeline->override_places[at] =
		sl_arena_printf(&pipeline->arena, "--set %s", text);
	if (!copy || !pipeline->override_places[at])
		return no_memory(error);
	if (equals)
		*equals = '\0';
	dot = strrchr(copy, '.');
	if (!equals || !dot || dot == copy || !dot[1])
		return SL_FAIL(error, SL_EINVAL,
			       "--set %s: INSTANCE.OPTION=VALUE is wanted",
			       text);
	*dot = '\0';
	override->instance = copy;
	override->option = dot + 1;
	override->value = equals + 1;
	return SL_OK;
}

static enum sl_code parse_overrides(struct sl_pipeline *pipeline,
				    struct sl_error *error)
{
	size_t count = pipeline->settings.override_count;
	enum sl_code code = SL_OK;

	pipeline->overrides = sl_arena_alloc(
		&pipeline->arena, (count + 1) * sizeof(*pipeline->overrides));
	pipeline->override_places = sl_arena_alloc(
		&pipeline->arena,
		(count + 1) * sizeof(*pipeline->override_places));
	if (!pipeline->overrides || !pipeline->override_places)
		return no_memory(error);
	for (size_t at = 0; code == SL_OK && at < count; at++)
		code = parse_override(pipeline, at, error);
	return code;
}

/* Hand every problem to the caller. @return SL_EINVAL if there was one. */
static enum sl_code tell_problems(struct sl_pipeline *pipeline,
				  struct sl_error *error)
{
	const struct sl_problems *problems = &pipeline->problems;
	const struct sl_pipeline_settings *settings = &pipeline->settings;

	if (problems->incomplete)
		return no_memory(error);
	for (size_t at = 0; at < problems->count; at++) {
		char *line = sl_problems_text(problems, at);

		if (!line)
			return no_memory(error);
		if (settings->problem)
			settings->problem(settings->problem_context, line);
		free(line);
	}
	if (!problems->count)
		return SL_OK;
	sl_error_set(error, SL_EINVAL, __FILE__, __LINE__, "%s",
		     problems->rows[0].text);
	sl_error_at(error, problems->rows[0].file, problems->rows[0].line);
	return SL_EINVAL;
}

static void tell_one(const struct sl_pipeline *pipeline,
		     const struct sl_error *error)
{
	char *line = sl_error_text(error);

	if (line && pipeline->settings.problem)
		pipeline->settings.problem(pipeline->settings.problem_context,
					   line);
	free(line);
}

static enum sl_code claim_path(struct sl_pipeline *pipeline, const char *who,
			       const char *path, struct sl_error *error)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO
					: open(path, O_RDONLY | O_CLOEXEC);
	enum sl_code code;

	/* It was read a moment ago; if it is gone nobody can overwrite it. */
	if (fd < 0)
		return SL_OK;
	code = sl_pipeline_claim(pipeline, who, fd, path, SL_FILE_READ, error);
	if (fd != STDIN_FILENO)
		close(fd);
	return code;
}

/* What the pipeline itself reads is no output of it either. */
static enum sl_code claim_own_inputs(struct sl_pipeline *pipeline,
				     struct sl_error *error)
{
	const struct sl_config_include *include = pipeline->config.files.last;
	enum sl_code code = claim_path(pipeline, "the configuration",
				       pipeline->settings.config, error);

	for (; code == SL_OK && include; include = include->next)
		code = claim_path(pipeline, "the configuration", include->path,
				  error);
	for (size_t at = 0; code == SL_OK && at < pipeline->host_count; at++)
		code = claim_path(pipeline, "the loader",
				  pipeline->hosts[at].module.path, error);
	return code;
}

static enum sl_code create(struct sl_pipeline *pipeline, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (!pipeline->settings.config || pipeline->settings.workers > 1024)
		code = SL_FAIL(error, SL_EINVAL,
			       "settings without a configuration, or with more "
			       "than 1024 workers");
	if (code == SL_OK)
		code = parse_overrides(pipeline, error);
	if (code == SL_OK)
		code = sl_config_init(&pipeline->config,
				      pipeline->settings.config, error);
	if (code == SL_EINVAL)
		tell_one(pipeline, error);
	if (code != SL_OK)
		return code;
	pipeline->has_config = true;
	pipeline->nics = sl_names_create();
	pipeline->applications = sl_names_create();
	if (!pipeline->nics || !pipeline->applications)
		return no_memory(error);
	code = sl_wire(pipeline, error);
	if (code == SL_OK)
		code = tell_problems(pipeline, error);
	if (code == SL_OK)
		code = claim_own_inputs(pipeline, error);
	if (code == SL_OK && pipeline->meters.idle_window_ns)
		pipeline->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (code == SL_OK && pipeline->meters.idle_window_ns &&
	    pipeline->stop_fd < 0)
		code = SL_FAIL(error, SL_EIO, "cannot make an eventfd: %s",
			       strerror(errno));
	return code;
}

enum sl_code sl_pipeline_create(struct sl_pipeline **pipeline,
				const struct sl_pipeline_settings *settings,
				struct sl_error *error)
{
	struct sl_error unread;
	enum sl_code code;

	if (!error)
		error = &unread;
	*error = (struct sl_error){ .code = SL_OK };
	*pipeline = calloc(1, sizeof(**pipeline));
	if (!*pipeline)
		return no_memory(error);
	(*pipeline)->stop_fd = -1;
	memcpy(&(*pipeline)->settings, settings,
	       settings->size < sizeof((*pipeline)->settings)
		       ? settings->size
		       : sizeof((*pipeline)->settings));
	code = create(*pipeline, error);
	if (code != SL_OK) {
		sl_pipeline_destroy(*pipeline);
		*pipeline = NULL;
	}
	return code;
}
