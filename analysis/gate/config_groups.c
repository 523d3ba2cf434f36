/* SPDX-License-Identifier: MIT */
/* The lists of groups in .scgate.conf. */
#include <string.h>

#include "gate/config_options.h"
#include "gate/config_read.h"
#include "gate/pattern.h"

/* @return how many groups are in the list @p key; it complains of what is
 * none. */
static size_t count_groups(const struct sg_config_reading *reading,
			   const char *key, const char *example)
{
	const config_setting_t *list = sg_config_member(reading, key);
	size_t count = 0;

	if (!list)
		return 0;
	if (config_setting_is_group(list) ||
	    !config_setting_is_aggregate(list)) {
		sg_config_complain(reading, list, "",
				   "\"%s\" is a list: write ( %s )", key,
				   example);
		return 0;
	}
	for (int at = 0; at < config_setting_length(list); at++) {
		const config_setting_t *group =
			config_setting_get_elem(list, (unsigned)at);

		if (config_setting_is_group(group))
			count++;
		else
			sg_config_complain(reading, group, "",
					   "in \"%s\" stand groups: write %s",
					   key, example);
	}
	return count;
}

/* @return 'analyzer "gcc"', or 'analyzer 2' while it has no name; in the
 * arena. */
static const char *name_group(const struct sg_config_reading *reading,
			      const config_setting_t *group, const char *kind,
			      const char *key, int at)
{
	const char *name = NULL;
	const char *who;

	if (config_setting_lookup_string(group, key, &name) == CONFIG_FALSE)
		name = NULL;
	who = name ? sl_arena_printf(reading->arena, "%s \"%.200s\"", kind,
				     name)
		   : sl_arena_printf(reading->arena, "%s %d", kind, at + 1);
	return who ? who : kind;
}

static bool is_twice(const struct sg_analyzer *const *analyzers,
		     const struct sg_analyzer *one)
{
	for (; *analyzers; analyzers++)
		if (strcmp((*analyzers)->name, one->name) == 0)
			return true;
	return false;
}

void sg_config_read_analyzers(const struct sg_config_reading *reading,
			      struct sg_config *config)
{
	const config_setting_t *list = sg_config_member(reading, "analyzers");
	size_t count =
		count_groups(reading, "analyzers", "{ name = \"cppcheck\"; }");
	const struct sg_analyzer **analyzers = sl_arena_alloc(
		&config->arena, (count + 1) * sizeof(*analyzers));
	size_t used = 0;

	if (!analyzers) {
		reading->problems->incomplete = true;
		return;
	}
	config->analyzers = analyzers;
	if (!list ||
	    (config_setting_is_list(list) && config_setting_length(list) == 0))
		sl_problems_add(reading->problems, reading->file->path,
				list ? (int)config_setting_source_line(list)
				     : 0,
				"it names no analyzer: analyzers = ( { name = "
				"\"cppcheck\"; } );");
	for (int at = 0; count && at < config_setting_length(list); at++) {
		const config_setting_t *group =
			config_setting_get_elem(list, (unsigned)at);
		const char *who =
			name_group(reading, group, "analyzer", "name", at);
		const struct sg_analyzer *one;

		if (!config_setting_is_group(group))
			continue;
		one = sg_config_analyzer(reading, group, who);
		if (one && is_twice(analyzers, one))
			sg_config_complain(reading, group, who,
					   "another one has that name");
		else if (one)
			analyzers[used++] = one;
	}
}

static void read_path(const struct sg_config_reading *reading,
		      const config_setting_t *group, const char *who,
		      struct sg_path_rule *rule)
{
	struct sg_path_given given = { .policy = SG_NOT_GIVEN,
				       .lowest = SG_NOT_GIVEN };
	const char *why;

	sg_config_options_read(reading, &sg_path_options, group, who, NULL,
			       &given);
	why = given.path ? sg_pattern_fault(given.path) : NULL;
	if (why)
		sg_config_complain(reading, group, who, "%s", why);
	if (!config_setting_get_member(group, "policy") &&
	    !config_setting_get_member(group, "lowest"))
		sg_config_complain(reading, group, who,
				   "it says neither \"policy\" nor \"lowest\"");
	*rule = (struct sg_path_rule){
		.pattern = given.path,
		.has_policy = given.policy != SG_NOT_GIVEN,
		.policy = given.policy == SG_NOT_GIVEN
				  ? SG_POLICY_NO_RAISE
				  : (enum sg_policy)given.policy,
		.has_lowest = given.lowest != SG_NOT_GIVEN,
		.lowest = given.lowest == SG_NOT_GIVEN
				  ? SG_INFO
				  : (enum sg_severity)(given.lowest + SG_INFO),
	};
}

void sg_config_read_paths(const struct sg_config_reading *reading,
			  struct sg_config *config)
{
	const config_setting_t *list = sg_config_member(reading, "paths");
	size_t count = count_groups(reading, "paths",
				    "{ path = \"src/\"; policy = \"zero\"; }");
	struct sg_path_rule *rules =
		sl_arena_alloc(&config->arena, (count + 1) * sizeof(*rules));

	if (!rules) {
		reading->problems->incomplete = true;
		return;
	}
	config->paths = rules;
	for (int at = 0; count && at < config_setting_length(list); at++) {
		const config_setting_t *group =
			config_setting_get_elem(list, (unsigned)at);

		if (config_setting_is_group(group))
			read_path(
				reading, group,
				name_group(reading, group, "path", "path", at),
				&rules[config->path_count++]);
	}
}
