/* SPDX-License-Identifier: MIT */
/* Meters in a configuration: `meters = ( { plugin = "rapl"; }, ... );` and the
 * keys that go with them. */
#include <stdarg.h>
#include <stdlib.h>

#include "pipeline/pipeline_private.h"

static int line_of(const config_setting_t *setting)
{
	return (int)config_setting_source_line(setting);
}

static void SL_PRINTF(3, 4)
	complain(struct sl_pipeline *pipeline, const config_setting_t *setting,
		 const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	sl_problems_vadd(&pipeline->problems,
			 sl_config_file(&pipeline->config, setting),
			 line_of(setting), fmt, args);
	va_end(args);
}

static config_setting_t *find_list(struct sl_pipeline *pipeline)
{
	config_setting_t *meters =
		config_lookup(&pipeline->config.tree, "meters");

	if (!meters || config_setting_is_list(meters) ||
	    (config_setting_is_array(meters) && !config_setting_length(meters)))
		return meters;
	complain(pipeline, meters,
		 "meters: a list is wanted: ( { plugin = \"...\"; }, ... )");
	return NULL;
}

/* What only meters give a meaning to is a mistake without them. */
static void check_keys(struct sl_pipeline *pipeline, bool some)
{
	static const char *const keys[] = { "meter_period", "idle_power",
					    "idle_window" };
	const config_setting_t *root =
		config_root_setting(&pipeline->config.tree);

	for (size_t at = 0; at < sizeof(keys) / sizeof(keys[0]); at++) {
		const config_setting_t *setting =
			config_setting_get_member(root, keys[at]);

		if (setting && !some)
			complain(pipeline, setting, "%s: there are no meters",
				 keys[at]);
		else if (setting && at == 2 &&
			 config_setting_get_member(root, keys[1]))
			complain(pipeline, setting,
				 "idle_window: idle_power is given already");
	}
}

enum sl_code sl_meters_wire(struct sl_pipeline *pipeline,
			    struct sl_error *error)
{
	struct sl_meters *meters = &pipeline->meters;
	config_setting_t *list = find_list(pipeline);
	size_t count = list ? (size_t)config_setting_length(list) : 0;
	enum sl_code code = SL_OK;

	check_keys(pipeline,
		   count || config_lookup(&pipeline->config.tree, "meters"));
	meters->hosts = calloc(count + 1, sizeof(*meters->hosts));
	if (!meters->hosts)
		return SL_FAIL(error, SL_ENOMEM, "no memory for the meters");
	meters->count = count;
	for (unsigned at = 0; code == SL_OK && at < count; at++) {
		meters->hosts[at].pipeline = pipeline;
		meters->hosts[at].id = at;
		code = sl_instance_init(&meters->hosts[at],
					config_setting_get_elem(list, at),
					SL_METER, error);
	}
	return code;
}
