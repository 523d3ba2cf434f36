/* SPDX-License-Identifier: MIT */
/* Wiring: from a configuration's groups to instances that fit together.
 * Everything that is wrong is collected, so that its author sees it at once. */
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "pipeline/pipeline_private.h"

static const char *const top_groups[] = { "source", "stages", "sink", "meters",
					  NULL };
static const char *const group_keys[] = { "plugin", "name", NULL };

#define TOP(field) offsetof(struct sl_pipeline, field)

static const struct sl_option top_options[] = {
	{ .name = "workers",
	  .type = SL_INT,
	  .offset = TOP(workers),
	  .default_text = "0",
	  .min = 0,
	  .max = 1024,
	  .help = "Threads; 0: one a core." },
	{ .name = "tokens",
	  .type = SL_INT,
	  .offset = TOP(tokens),
	  .default_text = "0",
	  .min = 0,
	  .max = 65536,
	  .help = "Chunks in flight; 0: four a worker." },
	{ .name = "chunk",
	  .type = SL_INT,
	  .offset = TOP(chunk),
	  .default_text = "1600",
	  .min = 1,
	  .max = SL_CHUNK_PACKETS_MAX,
	  .unit = "packets",
	  .help = "Packets that travel together, at most." },
	{ .name = "plugin_path",
	  .type = SL_LIST,
	  .element = SL_PATH,
	  .offset = TOP(plugin_path),
	  .help = "Folders in which plugins are looked for." },
};

struct sl_option_table sl_plugin_options(const struct sl_plugin *plugin)
{
	struct sl_option_table table = { plugin->options, plugin->option_count,
					 plugin->option_size };

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
	const struct sl_option_table table = { top_options,
					       sizeof(top_options) /
						       sizeof(top_options[0]),
					       sizeof(top_options[0]) };
	const struct sl_option_reader reader = {
		.who = "",
		.file = pipeline->config.path,
		.folder = pipeline->config.folder,
		.reserved = top_groups,
		.nics = pipeline->nics,
		.arena = &pipeline->arena,
		.problems = &pipeline->problems,
	};

	sl_options_read(&table, root, NULL, 0, "", NULL, &reader, pipeline);
	if (pipeline->settings.workers)
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

/* ---- one instance ----------------------------------------------------- */

static const char *const kind_words[] = {
	[SL_SOURCE] = "source",
	[SL_STAGE] = "stage",
	[SL_SINK] = "sink",
	[SL_METER] = "meter",
};

static void adopt_kind(struct sl_host *host)
{
	const struct sl_module *module = &host->module;
	size_t state_size = 0;

	switch ((enum sl_plugin_kind)module->plugin.kind) {
	case SL_SOURCE:
		host->source = &module->source;
		host->writes = host->source->provides;
		host->worker_size = host->source->worker_size;
		host->drop_names = host->source->drops;
		state_size = host->source->state_size;
		break;
	case SL_STAGE:
		host->stage = &module->stage;
		host->reads = host->stage->reads;
		host->writes = host->stage->writes;
		host->worker_size = host->stage->worker_size;
		host->scratch_size = host->stage->scratch_size;
		host->drop_names = host->stage->drops;
		state_size = host->stage->state_size;
		break;
	case SL_SINK:
		host->sink = &module->sink;
		host->reads = host->sink->reads;
		host->worker_size = host->sink->worker_size;
		state_size = host->sink->state_size;
		break;
	case SL_METER:
		break;
	}
	while (host->drop_names && host->drop_names[host->drop_count])
		host->drop_count++;
	host->worker_stride = (host->worker_size + 2 * SL_CACHE_LINE - 1) /
			      (2 * SL_CACHE_LINE) * (2 * SL_CACHE_LINE);
	host->state = calloc(1, state_size ? state_size : 1);
}

/* @return the text of a string setting of @p group, or NULL with a problem
 * if it is there and no string. */
static const char *text_key(struct sl_host *host, const char *key)
{
	config_setting_t *setting = config_setting_get_member(host->group, key);
	const char *text;

	if (!setting)
		return NULL;
	text = config_setting_get_string(setting);
	if (!text || !*text)
		sl_problems_add(&host->pipeline->problems, host->config_file,
				line_of(setting), "%s: \"%s\" must be a string",
				host->who, key);
	return text && *text ? text : NULL;
}

static bool load(struct sl_host *host, enum sl_plugin_kind wanted,
		 const char *plugin)
{
	struct sl_pipeline *pipeline = host->pipeline;
	const config_setting_t *setting =
		config_setting_get_member(host->group, "plugin");
	struct sl_error error = { .code = SL_OK };
	char *path = sl_search_path_find(&pipeline->search, plugin, &error);
	enum sl_code code = error.code;

	if (path)
		code = sl_module_load(&host->module, path, (uint32_t)wanted,
				      &error);
	free(path);
	if (code != SL_OK) {
		sl_problems_add(&pipeline->problems, host->config_file,
				line_of(setting), "%s: %s", host->who,
				error.message);
		return false;
	}
	if (host->module.plugin.kind == (uint32_t)wanted)
		return true;
	sl_problems_add(&pipeline->problems, host->config_file,
			line_of(setting),
			"%s: plugin \"%s\" is a %s, a %s is wanted here",
			host->who, plugin,
			host->module.plugin.kind <= SL_METER
				? kind_words[host->module.plugin.kind]
				: "stranger",
			kind_words[wanted]);
	return false;
}

static void read_options(struct sl_host *host)
{
	struct sl_pipeline *pipeline = host->pipeline;
	const struct sl_option_table table =
		sl_plugin_options(&host->module.plugin);
	const struct sl_option_reader reader = {
		.who = host->who,
		.file = host->config_file,
		.folder = pipeline->config.folder,
		.line = host->config_line,
		.reserved = group_keys,
		.nics = pipeline->nics,
		.arena = &pipeline->arena,
		.problems = &pipeline->problems,
	};

	sl_options_read(&table, host->group, pipeline->overrides,
			pipeline->settings.override_count, host->name,
			host->role, &reader, host->state);
}

static void check(struct sl_host *host)
{
	if (host->source && host->source->check)
		host->source->check(host->state, host);
	else if (host->stage && host->stage->check)
		host->stage->check(host->state, host);
	else if (host->sink && host->sink->check)
		host->sink->check(host->state, host);
}

/* Two stages of one name could not be told apart, by --set or in a report. A
 * source and a sink are also "source" and "sink". */
static void check_name(struct sl_host *host)
{
	const struct sl_pipeline *pipeline = host->pipeline;
	const struct sl_host *hosts = pipeline->hosts;

	if (!host->role && (strcmp(host->name, "source") == 0 ||
			    strcmp(host->name, "sink") == 0))
		sl_problems_add(&host->pipeline->problems, host->config_file,
				host->config_line, "%s: this name is reserved",
				host->who);
	for (size_t at = 0; at < host->id; at++) {
		if (!hosts[at].name || strcmp(hosts[at].name, host->name) ||
		    (host->role && hosts[at].role))
			continue;
		sl_problems_add(&host->pipeline->problems, host->config_file,
				host->config_line,
				"%s: the name is taken by the %s of line %d; "
				"give one of them another (name = \"...\")",
				host->who,
				hosts[at].role ? hosts[at].role : "stage",
				hosts[at].config_line);
		return;
	}
}

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for the pipeline");
}

static enum sl_code wire_one(struct sl_host *host, config_setting_t *group,
			     enum sl_plugin_kind kind, struct sl_error *error)
{
	struct sl_pipeline *pipeline = host->pipeline;
	const char *role = kind_words[kind];
	const char *plugin, *name;

	host->group = group;
	host->config_file = sl_config_file(&pipeline->config, group);
	host->config_line = line_of(group);
	host->role = kind == SL_STAGE ? NULL : role;
	host->who = host->role ? role
			       : sl_arena_printf(&pipeline->arena, "stage %u",
						 host->id);
	if (!host->who)
		return no_memory(error);
	if (!config_setting_is_group(group)) {
		sl_problems_add(&pipeline->problems, host->config_file,
				host->config_line,
				"%s: a group is wanted: { plugin = \"...\"; }",
				host->who);
		return SL_OK;
	}
	if (!config_setting_get_member(group, "plugin"))
		sl_problems_add(&pipeline->problems, host->config_file,
				host->config_line,
				"%s: no plugin is named (plugin = \"...\")",
				host->who);
	plugin = text_key(host, "plugin");
	name = text_key(host, "name");
	if (!plugin)
		return SL_OK;
	host->name = name ? name : plugin;
	host->who = sl_arena_printf(&pipeline->arena, "%s \"%s\"", role,
				    host->name);
	if (!host->who)
		return no_memory(error);
	check_name(host);
	if (!load(host, kind, plugin))
		return SL_OK;
	adopt_kind(host);
	if (!host->state)
		return no_memory(error);
	read_options(host);
	return SL_OK;
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
					     "bytes" };
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

static void check_overrides(struct sl_pipeline *pipeline)
{
	const char **names = sl_arena_alloc(
		&pipeline->arena, (pipeline->host_count + 1) * sizeof(*names));
	size_t count = 0;

	for (size_t at = 0; names && at < pipeline->host_count; at++)
		if (pipeline->hosts[at].name)
			names[count++] = pipeline->hosts[at].name;
	for (size_t at = 0; at < pipeline->settings.override_count; at++) {
		const struct sl_override *override = &pipeline->overrides[at];
		const struct sl_host *named = NULL;
		const char *guess;
		bool twice = false;

		for (size_t of = 0; of < pipeline->host_count; of++) {
			const struct sl_host *host = &pipeline->hosts[of];

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

static void refuse_meters(struct sl_pipeline *pipeline)
{
	config_setting_t *meters =
		config_lookup(&pipeline->config.tree, "meters");

	if (!meters)
		return;
	if (!config_setting_is_aggregate(meters) ||
	    config_setting_is_group(meters) || config_setting_length(meters))
		sl_problems_add(&pipeline->problems,
				sl_config_file(&pipeline->config, meters),
				line_of(meters),
				"meters: must be an empty list; there are no "
				"meters yet");
}

static enum sl_code wire_all(struct sl_pipeline *pipeline,
			     config_setting_t *source, config_setting_t *stages,
			     unsigned stage_count, config_setting_t *sink,
			     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (source)
		code = wire_one(&pipeline->hosts[0], source, SL_SOURCE, error);
	for (unsigned at = 0; code == SL_OK && at < stage_count; at++)
		code = wire_one(&pipeline->hosts[1 + at],
				config_setting_get_elem(stages, at), SL_STAGE,
				error);
	if (code == SL_OK && sink)
		code = wire_one(&pipeline->hosts[1 + stage_count], sink,
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
	refuse_meters(pipeline);
	code = sl_search_path_init(&pipeline->search, &pipeline->plugin_path,
				   error);
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
		return no_memory(error);
	for (unsigned at = 0; at < pipeline->host_count; at++) {
		pipeline->hosts[at].pipeline = pipeline;
		pipeline->hosts[at].id = at;
		pipeline->order[at] = &pipeline->hosts[at];
	}

	code = wire_all(pipeline, source, stages, stage_count, sink, error);
	if (code != SL_OK)
		return code;
	check_overrides(pipeline);
	for (size_t at = 0; at < pipeline->host_count; at++) {
		if (pipeline->hosts[at].state)
			check(&pipeline->hosts[at]);
		loaded &= pipeline->hosts[at].state != NULL;
	}
	/* A stage that is missing may be what provides a field. */
	if (loaded)
		check_fields(pipeline);
	lay_out_tally(pipeline);
	return SL_OK;
}

static void close_state(struct sl_host *host)
{
	if (!host->state)
		return;
	if (host->source && host->source->close)
		host->source->close(host->state);
	else if (host->stage && host->stage->close)
		host->stage->close(host->state);
	else if (host->sink && host->sink->close)
		host->sink->close(host->state);
	free(host->state);
	free(host->worker_states);
}

void sl_unwire(struct sl_pipeline *pipeline)
{
	for (size_t at = 0; pipeline->hosts && at < pipeline->host_count;
	     at++) {
		close_state(&pipeline->hosts[at]);
		if (pipeline->hosts[at].module.handle)
			sl_module_unload(&pipeline->hosts[at].module);
	}
	free(pipeline->hosts);
	free(pipeline->order);
	sl_search_path_finish(&pipeline->search);
}
