/* SPDX-License-Identifier: MIT */
/* embed: run the pipeline of a configuration inside a program of one's own. */
#include <stdio.h>
#include <stdlib.h>

#include "sluice/pipeline.h"

static void print_problem(void *context, const char *line)
{
	fprintf(stderr, "%s: %s\n", (const char *)context, line);
}

static void print_error(const struct sl_error *error)
{
	char *text = sl_error_text(error);

	fprintf(stderr, "embed: %s\n", text ? text : error->message);
	free(text);
}

static enum sl_code print_figures(struct sl_pipeline *pipeline,
				  struct sl_error *error)
{
	struct sl_buffer text = { NULL, 0, 0 };
	enum sl_code code =
		sl_stats_text(sl_pipeline_stats(pipeline), &text, error);

	if (code == SL_OK)
		fwrite(text.data, 1, text.used, stderr);
	free(text.data);
	return code;
}

static enum sl_code run(struct sl_pipeline *pipeline, struct sl_error *error)
{
	enum sl_code code = sl_pipeline_open(pipeline, error);

	if (code == SL_OK)
		code = sl_pipeline_start(pipeline, error);
	if (code != SL_OK)
		return code;
	while (!sl_pipeline_wait(pipeline, 1000))
		fputs("still running\n", stderr);
	code = print_figures(pipeline, error);
	return code == SL_OK ? sl_pipeline_result(pipeline, error) : code;
}

int main(int argc, char **argv)
{
	static char who[] = "embed";
	const struct sl_pipeline_settings settings = {
		.size = sizeof(settings),
		.config = argc == 2 ? argv[1] : "-",
		.problem = print_problem,
		.problem_context = who,
	};
	struct sl_pipeline *pipeline;
	struct sl_error error;
	enum sl_code code = sl_pipeline_create(&pipeline, &settings, &error);

	if (code == SL_EINVAL) /* print_problem() has said it */
		return 2;
	if (code == SL_OK)
		code = run(pipeline, &error);
	if (code != SL_OK)
		print_error(&error);
	sl_pipeline_destroy(pipeline);
	return code == SL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
