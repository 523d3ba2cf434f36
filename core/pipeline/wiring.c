/* SPDX-License-Identifier: MIT */
/* Wiring: from a configuration's groups to instances that fit together.
 * Everything that is wrong is collected, so that its author sees it at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "pipeline/pipeline_private.h"

static const char *const top_groups[] = { "source", "stages", "sink", "meters",
					  NULL };

#define TOP(field) offsetof(struct sl_pipeline, field)

enum {
	WORKERS,
	TOKENS,
	CHUNK,
	PLUGIN_PATH,
	METER_PERIOD,
	IDLE_POWER,
	IDLE_WINDOW,
	TOP_COUNT
};

#define MILLISECOND INT64_C(1000000)
#define HOUR (3600 * 1000 * MILLISECOND)

static const struct sl_option top_options[TOP_COUNT] = {
	[WORKERS] = { .name = "workers",
		      .type = SL_INT,
		      .offset = TOP(workers),
		      .default_text = "0",
		      .min = 0,
		      .max = 1024,
		      .help = "Threads; 0: one a core." },
	[TOKENS] = { .name = "tokens",
		     .type = SL_INT,
		     .offset = TOP(tokens),
		     .default_text = "0",
		     .min = 0,
		     .max = 65536,
		     .help = "Chunks in flight; 0: four a worker." },
	[CHUNK] = { .name = "chunk",
		    .type = SL_INT,
		    .offset = TOP(chunk),
		    .default_text = "1600",
		    .min = 1,
		    .max = SL_CHUNK_PACKETS_MAX,
		    .unit = "packets",
		    .help = "Packets that travel together, at most." },
	[PLUGIN_PATH] = { .name = "plugin_path",
			  .type = SL_LIST,
			  .element = SL_PATH,
			  .offset = TOP(plugin_path),
			  .help = "Folders in which plugins are looked for." },
	[METER_PERIOD] = { .name = "meter_period",
			   .type = SL_DURATION,
			   .offset = TOP(meters.period_ns),
			   .min = MILLISECOND,
			   .max = HOUR,
			   .help = "How often meters are read, or more often "
				   "where a counter would wrap; without it as "
				   "seldom as they allow." },
	[IDLE_POWER] = { .name = "idle_power",
			 .type = SL_FLOAT,
			 .offset = TOP(meters.idle_power_w),
			 .float_min = 0,
			 .float_max = 1e6,
			 .unit = "W",
			 .help = "What the meters show of the idle machine, as "
				 "powercheck measures it: the stages share "
				 "what a run takes above it." },
	[IDLE_WINDOW] = { .name = "idle_window",
			  .type = SL_DURATION,
			  .offset = TOP(meters.idle_window_ns),
			  .min = MILLISECOND,
			  .max = HOUR,
			  .help = "In place of idle_power: measure it for so "
				  "long before the run." },
};

struct sl_option_table sl_plugin_options(const struct sl_plugin *plugin)
{
	struct sl_option_table table = { plugin->options, plugin->option_count,
					 plugin->option_size };

	return table;
}

struct sl_option_table sl_configuration_keys(void)
{
	struct sl_option_table table = { top_options, TOP_COUNT,
					 sizeof(top_options[0]) };

	return table;
}

static int line_of(const config_setting_t *setting)
{
	return (int)config_setting_source_line(setting);
}

static void read_top(struct sl_pipeline *pipeline)
{
	const config_setting_t *root =
		config_root_setting(&pipeline->config.tree);
	const config_setting_t *folder =
		config_setting_get_member(root, "plugin_path");
	struct sl_option options[TOP_COUNT];
	const struct sl_option_table table = { options, TOP_COUNT,
					       sizeof(options[0]) };
	const struct sl_option_reader reader = {
		.who = "",
		.file = pipeline->config.path,
		.folder = pipeline->config.folder,
		.reserved = top_groups,
		.nics = pipeline->nics,
		.arena = &pipeline->arena,
		.problems = &pipeline->problems,
	};

	pipeline->meters.idle_power_w = NAN; /* 0 W may be given */
	memcpy(options, top_options, sizeof(options));
	/* One folder needs no list around it. */
	if (folder && config_setting_type(folder) == CONFIG_TYPE_STRING) {
		options[PLUGIN_PATH].type = SL_PATH;
		options[PLUGIN_PATH].offset = TOP(plugin_folder);
	}
	sl_options_read(&table, root, NULL, 0, "", NULL, &reader, pipeline);
	if (pipeline->settings.set_workers)
		pipeline->workers = pipeline->settings.workers;
	if (!pipeline->workers)
		pipeline->workers = sl_count_cores();
	if (pipeline->settings.serial)
		pipeline->workers = 1;
	if (!pipeline->tokens)
		pipeline->tokens = 4 * pipeline->workers;
	if (pipeline->settings.serial)
		pipeline->tokens = 1;
}

enum sl_code sl_search_path_init(struct sl_search_path *search,
				 const struct sl_pipeline *pipeline,
				 struct sl_error *error)
{
	const char *environment = getenv("SLUICE_PLUGIN_PATH");
	size_t count = pipeline ? pipeline->plugin_path.count : 0;
	enum sl_code code = SL_OK;

	if (environment)
		code = sl_search_path_add(search, environment, error);
	for (size_t at = 0; code == SL_OK && at < count; at++)
		code = sl_search_path_add(
			search, pipeline->plugin_path.values[at].text, error);
	if (code == SL_OK && pipeline && pipeline->plugin_folder)
		code = sl_search_path_add(search, pipeline->plugin_folder,
					  error);
	if (code == SL_OK)
		code = sl_search_path_add_default(search, error);
	return code;
}

/* ---- all of them ------------------------------------------------------ */

static void check_fields(struct sl_pipeline *pipeline)
{
	static const char *const words[] = { "addresses",
					     "ports",
					     "the application",
					     "the incoming interface",
					     "the outgoing interface",
					     "the priority",
					     "the DSCP",
					     "bytes",
					     "the time" };
	uint32_t there = 0;

	for (size_t at = 0; at < pipeline->host_count; at++) {
		const struct sl_host *host = &pipeline->hosts[at];
		uint32_t missing = host->reads & ~there;

		for (size_t bit = 0; bit < sizeof(words) / sizeof(words[0]);
		     bit++) {
			if (missing & (1u << bit))
				sl_problems_add(
					&pipeline->problems, host->config_file,
					host->config_line,
					"%s reads %s of its packets, which "
					"nothing before it provides",
					host->who, words[bit]);
		}
		there |= host->writes;
	}
}

/* Stages and all else first, then the meters. */
static const struct sl_host *instance(const struct sl_pipeline *pipeline,
				      size_t at)
{
	return at < pipeline->host_count
		       ? &pipeline->hosts[at]
		       : &pipeline->meters.hosts[at - pipeline->host_count];
}

static void check_overrides(struct sl_pipeline *pipeline)
{
	size_t all = pipeline->host_count + pipeline->meters.count, count = 0;
	const char **names =
		sl_arena_alloc(&pipeline->arena, (all + 1) * sizeof(*names));

	for (size_t at = 0; names && at < all; at++)
		if (instance(pipeline, at)->name)
			names[count++] = instance(pipeline, at)->name;
	for (size_t at = 0; at < pipeline->settings.override_count; at++) {
		const struct sl_override *override = &pipeline->overrides[at];
		const struct sl_host *named = NULL;
		const char *guess;
		bool twice = false;

		for (size_t of = 0; of < all; of++) {
			const struct sl_host *host = instance(pipeline, of);

			if (!host->name ||
			    !sl_host_is(host, override->instance))
				continue;
			twice |= named != NULL;
			named = host;
		}
		if (twice)
			sl_problems_add(&pipeline->problems,
					pipeline->override_places[at], 0,
					"both the source and the sink are "
					"\"%s\": say source.%s or sink.%s",
					override->instance, override->option,
					override->option);
		if (named)
			continue;
		guess = names ? sl_did_you_mean(override->instance, names,
						count)
			      : NULL;
		sl_problems_add(&pipeline->problems,
				pipeline->override_places[at], 0,
				guess ? "no instance \"%s\" (did you mean "
					"\"%s\"?)"
				      : "no instance \"%s\"",
				override->instance, guess);
	}
}

static config_setting_t *top_group(struct sl_pipeline *pipeline,
				   const char *key)
{
	config_setting_t *group = config_lookup(&pipeline->config.tree, key);

	if (!group)
		sl_problems_add(&pipeline->problems, pipeline->config.path, 0,
				"no %s (%s = { plugin = \"...\"; };)", key,
				key);
	return group;
}

static unsigned count_stages(struct sl_pipeline *pipeline,
			     config_setting_t *stages)
{
	if (!stages)
		return 0;
	if (config_setting_is_list(stages))
		return (unsigned)config_setting_length(stages);
	sl_problems_add(&pipeline->problems,
			sl_config_file(&pipeline->config, stages),
			line_of(stages),
			"stages: a list is wanted: ( { plugin = \"...\"; }, "
			"... )");
	return 0;
}

static enum sl_code wire_all(struct sl_pipeline *pipeline,
			     config_setting_t *source, config_setting_t *stages,
			     unsigned stage_count, config_setting_t *sink,
			     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (source)
		code = sl_instance_init(&pipeline->hosts[0], source, SL_SOURCE,
					error);
	for (unsigned at = 0; code == SL_OK && at < stage_count; at++)
		code = sl_instance_init(&pipeline->hosts[1 + at],
					config_setting_get_elem(stages, at),
					SL_STAGE, error);
	if (code == SL_OK && sink)
		code = sl_instance_init(&pipeline->hosts[1 + stage_count], sink,
					SL_SINK, error);
	return code;
}

static void lay_out_tally(struct sl_pipeline *pipeline)
{
	for (size_t at = 0; at < pipeline->host_count; at++) {
		pipeline->hosts[at].tally = pipeline->tally_size;
		pipeline->tally_size +=
			SL_TALLY_DROPS + pipeline->hosts[at].drop_count;
	}
}

enum sl_code sl_wire(struct sl_pipeline *pipeline, struct sl_error *error)
{
	config_setting_t *source, *stages, *sink;
	unsigned stage_count;
	enum sl_code code;
	bool loaded = true;

	read_top(pipeline);
	code = sl_search_path_init(&pipeline->search, pipeline, error);
	if (code != SL_OK)
		return code;
	source = top_group(pipeline, "source");
	stages = config_lookup(&pipeline->config.tree, "stages");
	stage_count = count_stages(pipeline, stages);
	sink = top_group(pipeline, "sink");
	pipeline->host_count = stage_count + 2;
	pipeline->hosts = calloc(pipeline->host_count, sizeof(struct sl_host));
	pipeline->order = calloc(pipeline->host_count, sizeof(void *));
	if (!pipeline->hosts || !pipeline->order)
		return SL_FAIL(error, SL_ENOMEM, "no memory for the pipeline");
	for (unsigned at = 0; at < pipeline->host_count; at++) {
		pipeline->hosts[at].pipeline = pipeline;
		pipeline->hosts[at].id = at;
		pipeline->order[at] = &pipeline->hosts[at];
	}

	code = wire_all(pipeline, source, stages, stage_count, sink, error);
	if (code == SL_OK)
		code = sl_meters_wire(pipeline, error);
	if (code != SL_OK)
		return code;
	check_overrides(pipeline);
	for (size_t at = 0; at < pipeline->host_count; at++) {
		if (pipeline->hosts[at].state)
			sl_instance_check(&pipeline->hosts[at]);
		loaded &= pipeline->hosts[at].state != NULL;
	}
	/* A stage that is missing may be what provides a field. */
	if (loaded)
		check_fields(pipeline);
	lay_out_tally(pipeline);
	return SL_OK;
}

void sl_unwire(struct sl_pipeline *pipeline)
{
	for (size_t at = 0; pipeline->hosts && at < pipeline->host_count;
	     at++) {
		sl_instance_finish(&pipeline->hosts[at]);
	}
	free(pipeline->hosts);
	free(pipeline->order);
	sl_search_path_finish(&pipeline->search);
}
