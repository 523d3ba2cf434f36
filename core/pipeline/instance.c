/* SPDX-License-Identifier: MIT */
/* One instance: its plugin found and loaded, its name settled, its options
 * read. What is wrong is collected, not returned. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/pipeline_private.h"

static const char *const group_keys[] = { "plugin", "name", NULL };

static int line_of(const config_setting_t *setting)
{
	return (int)config_setting_source_line(setting);
}

static const char *const kind_words[] = {
	[SL_SOURCE] = "source",
	[SL_STAGE] = "stage",
	[SL_SINK] = "sink",
	[SL_METER] = "meter",
};

/* On cache lines of its own, and pairs of them, since they are fetched so. */
static void *alloc_state(size_t size)
{
	const size_t line = 2 * SL_CACHE_LINE;
	size_t bytes = (size + line) / line * line;
	void *state = aligned_alloc(line, bytes);

	if (state)
		memset(state, 0, bytes);
	return state;
}

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
		state_size = module->meter.state_size;
		break;
	}
	while (host->drop_names && host->drop_names[host->drop_count])
		host->drop_count++;
	host->worker_stride = (host->worker_size + 2 * SL_CACHE_LINE - 1) /
			      (2 * SL_CACHE_LINE) * (2 * SL_CACHE_LINE);
	host->state = alloc_state(state_size);
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

/* A name that the source has already means neither, which is a problem of its
 * own: the sink need not complain of options that are the source's alone. */
static const char *name_to_set(const struct sl_host *host)
{
	const char *taken = host->pipeline->hosts[0].name;

	return host->sink && taken && strcmp(taken, host->name) == 0
		       ? host->role
		       : host->name;
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
			pipeline->settings.override_count, name_to_set(host),
			host->role, &reader, host->state);
}

void sl_instance_check(struct sl_host *host)
{
	if (host->source && host->source->check)
		host->source->check(host->state, host);
	else if (host->stage && host->stage->check)
		host->stage->check(host->state, host);
	else if (host->sink && host->sink->check)
		host->sink->check(host->state, host);
}

/* @return the first of @p count instances that has this one's name. */
static const struct sl_host *find_name(const struct sl_host *hosts,
				       size_t count, const struct sl_host *host)
{
	for (size_t at = 0; at < count; at++)
		if (hosts[at].name && strcmp(hosts[at].name, host->name) == 0 &&
		    !(host->role && hosts[at].role))
			return &hosts[at];
	return NULL;
}

/* Two stages of one name could not be told apart, by --set or in a report, nor
 * could a meter and a stage. A source and a sink are also "source" and "sink".
 * Meters come last. */
static void check_name(struct sl_host *host)
{
	const struct sl_pipeline *pipeline = host->pipeline;
	const struct sl_host *taken = find_name(
		pipeline->hosts,
		host->is_meter ? pipeline->host_count : host->id, host);

	if (!taken && host->is_meter)
		taken = find_name(pipeline->meters.hosts, host->id, host);
	if (!host->role && (strcmp(host->name, "source") == 0 ||
			    strcmp(host->name, "sink") == 0))
		sl_problems_add(&host->pipeline->problems, host->config_file,
				host->config_line, "%s: this name is reserved",
				host->who);
	if (taken)
		sl_problems_add(&host->pipeline->problems, host->config_file,
				host->config_line,
				"%s: the name is taken by the %s of line %d; "
				"give one of them another (name = \"...\")",
				host->who,
				taken->role       ? taken->role
				: taken->is_meter ? "meter"
						  : "stage",
				taken->config_line);
}

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for the pipeline");
}

enum sl_code sl_instance_init(struct sl_host *host, config_setting_t *group,
			      enum sl_plugin_kind kind, struct sl_error *error)
{
	struct sl_pipeline *pipeline = host->pipeline;
	const char *role = kind_words[kind];
	const char *plugin, *name;

	host->group = group;
	host->config_file = sl_config_file(&pipeline->config, group);
	host->config_line = line_of(group);
	host->is_meter = kind == SL_METER;
	host->role = kind == SL_SOURCE || kind == SL_SINK ? role : NULL;
	host->who = host->role
			    ? role
			    : sl_arena_printf(&pipeline->arena, "%s %u", role,
					      host->id + host->is_meter);
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

static void close_state(struct sl_host *host)
{
	if (host->source && host->source->close)
		host->source->close(host->state);
	else if (host->stage && host->stage->close)
		host->stage->close(host->state);
	else if (host->sink && host->sink->close)
		host->sink->close(host->state);
	free(host->state);
	free(host->worker_states);
}

void sl_instance_finish(struct sl_host *host)
{
	if (host->state)
		close_state(host);
	sl_module_unload(&host->module);
}

void sl_error_complete(struct sl_error *error, enum sl_code code)
{
	if (error->code == SL_OK || !error->message[0])
		sl_error_set(error, code, __FILE__, __LINE__,
			     "failed without a message");
}
