/* SPDX-License-Identifier: MIT */
/* .scgate.conf, from its text to what the gate goes by. */
#include "gate/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gate/config_options.h"
#include "gate/config_read.h"
#include "gate/pattern.h"

/* ---- what all parts need ----------------------------------------------- */

void sg_config_complain(const struct sg_config_reading *reading,
			const config_setting_t *setting, const char *who,
			const char *fmt, ...)
{
	char message[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	sl_problems_add(reading->problems,
			sl_config_file(reading->file, setting),
			(int)config_setting_source_line(setting), "%s%s%s", who,
			who[0] ? ": " : "", message);
}

void sg_config_options_read(const struct sg_config_reading *reading,
			    const struct sl_option_table *table,
			    const config_setting_t *group, const char *who,
			    const char *const *reserved, void *given)
{
	const struct sl_option_reader reader = {
		.who = who,
		.file = reading->file->path,
		.folder = "",
		.line = (int)config_setting_source_line(group),
		.reserved = reserved,
		.arena = reading->arena,
		.problems = reading->problems,
	};

	sl_options_read(table, group, NULL, 0, "", NULL, &reader, given);
}

const char *const *sg_config_texts(const struct sg_config_reading *reading,
				   const struct sl_list *list)
{
	const char **texts = sl_arena_alloc(reading->arena,
					    (list->count + 1) * sizeof(*texts));

	if (!texts) {
		reading->problems->incomplete = true;
		return NULL;
	}
	for (size_t at = 0; at < list->count; at++)
		texts[at] = list->values[at].text;
	return texts;
}

void sg_config_check_patterns(const struct sg_config_reading *reading,
			      const char *who, const char *option,
			      const struct sl_list *list)
{
	for (size_t at = 0; at < list->count; at++) {
		const struct sl_value *value = &list->values[at];
		const char *why = sg_pattern_fault(value->text);

		if (why)
			sl_problems_add(
				reading->problems, value->file, value->line,
				"%s%soption \"%s\": \"%s\": %s", who,
				who[0] ? ": " : "", option, value->text, why);
	}
}

const config_setting_t *
sg_config_member(const struct sg_config_reading *reading, const char *key)
{
	return config_setting_get_member(
		config_root_setting(&reading->file->tree), key);
}

/* ---- the file's own keys ----------------------------------------------- */

/* Where the units come from must be clear. */
static void check_units(const struct sg_config_reading *reading,
			const struct sg_config_given *given)
{
	static const char *const beside[] = { "compiler", "flags" };
	const config_setting_t *build = sg_config_member(reading, "build");
	const config_setting_t *sources = sg_config_member(reading, "sources");

	if (!build && !sources)
		sl_problems_add(reading->problems, reading->file->path, 0,
				"it says neither \"build\" (the folder of a "
				"compile_commands.json) nor \"sources\"");
	if (build && sources)
		sg_config_complain(reading, sources, "",
				   "option \"sources\": \"build\" is given "
				   "too, and only one of them can say what is "
				   "compiled");
	for (size_t at = 0; at < 2; at++)
		if (build && !sources && sg_config_member(reading, beside[at]))
			sg_config_complain(
				reading, sg_config_member(reading, beside[at]),
				"",
				"option \"%s\": it is for \"sources\"; of "
				"\"build\" the compile_commands.json says it",
				beside[at]);
	if (build && given->build && !given->build[0])
		sg_config_complain(reading, build, "",
				   "option \"build\": it is empty; the root is "
				   "\".\"");
	if (sources && config_setting_is_aggregate(sources) &&
	    config_setting_length(sources) == 0)
		sg_config_complain(reading, sources, "",
				   "option \"sources\": there is no pattern in "
				   "it");
	if (given->compiler && !given->compiler[0])
		sg_config_complain(reading,
				   sg_config_member(reading, "compiler"), "",
				   "option \"compiler\": it is empty");
}

/* The file must be one of the tree, as paths are in git. */
static void check_tracked(const struct sg_config_reading *reading,
			  const char *option, const char *path)
{
	bool is_good = path && *path;

	if (!path)
		return;
	for (const char *at = path; is_good; at++) {
		size_t length = strcspn(at, "/");

		is_good = length && !(length == 1 && at[0] == '.') &&
			  !(length == 2 && at[0] == '.' && at[1] == '.');
		at += length;
		if (!*at)
			break;
	}
	if (!is_good)
		sg_config_complain(reading, sg_config_member(reading, option),
				   "",
				   "option \"%s\": \"%s\" is no file of the "
				   "tree, named from its root",
				   option, path);
}

static void take_given(const struct sg_config_reading *reading,
		       const struct sg_config_given *given,
		       struct sg_config *config)
{
	const config_setting_t *sources = sg_config_member(reading, "sources");
	size_t length = given->build ? strlen(given->build) : 0;

	while (length > 1 && given->build[length - 1] == '/')
		length--;
	config->policy = (enum sg_policy)given->policy;
	config->lowest = (enum sg_severity)(given->lowest + SG_INFO);
	config->build = given->build ? sl_arena_text(&config->arena,
						     given->build, length)
				     : NULL;
	if (given->build && !config->build)
		reading->problems->incomplete = true;
	config->sources =
		sources ? sg_config_texts(reading, &given->sources) : NULL;
	config->compiler = given->compiler;
	config->flags = sg_config_texts(reading, &given->flags);
	config->exclude = sg_config_texts(reading, &given->exclude);
	config->suppressions = given->suppressions;
	config->new_suppressions = given->new_suppressions;
	config->variants = given->variants;
	config->inline_suppressions =
		(enum sg_inline)given->inline_suppressions;
	config->baseline = given->baseline;
	config->hook_budget_ns = given->hook_budget;
	config->jobs = (unsigned)given->jobs;
}

static void read_own(struct sg_config_reading *reading,
		     struct sg_config *config)
{
	struct sg_config_given given = { .policy = 0 };

	sg_config_options_read(reading, &sg_config_options,
			       config_root_setting(&reading->file->tree), "",
			       sg_config_groups, &given);
	check_units(reading, &given);
	sg_config_check_patterns(reading, "", "sources", &given.sources);
	sg_config_check_patterns(reading, "", "exclude", &given.exclude);
	check_tracked(reading, "suppressions", given.suppressions);
	check_tracked(reading, "baseline", given.baseline);
	reading->inline_rule = (enum sg_inline)given.inline_suppressions;
	reading->timeout_ns = given.timeout;
	take_given(reading, &given, config);
}

/* ---- all of it --------------------------------------------------------- */

static enum sl_code conclude(const struct sl_problems *problems, size_t before,
			     const char *name, struct sl_error *error)
{
	size_t count = problems->count - before;

	if (problems->incomplete)
		return SL_FAIL(error, SL_ENOMEM, "no memory to read %s",
			       sl_path_tail(name));
	if (!count)
		return SL_OK;
	return SL_FAIL(error, SL_EINVAL, "%zu problem%s in %s", count,
		       count == 1 ? "" : "s", sl_path_tail(name));
}

enum sl_code sg_config_parse(struct sg_config *config, const char *text,
			     size_t length, const char *name,
			     struct sl_problems *problems,
			     struct sl_error *error)
{
	struct sl_config file;
	struct sg_config_reading reading = {
		.file = &file,
		.arena = &config->arena,
		.problems = problems,
	};
	size_t before = problems->count;
	struct sl_error why;
	enum sl_code code =
		sl_config_init_text(&file, name, text, length, &why);

	*config = (struct sg_config){ .policy = SG_POLICY_NO_RAISE };
	if (code == SL_EINVAL) {
		sl_problems_add(problems, name, (int)why.input_line, "%s",
				why.message);
	} else if (code != SL_OK) {
		return SL_FAIL(error, code, "%s", why.message);
	} else {
		read_own(&reading, config);
		sg_config_read_analyzers(&reading, config);
		sg_config_read_paths(&reading, config);
		sl_config_finish(&file);
	}
	code = conclude(problems, before, name, error);
	if (code != SL_OK)
		sg_config_finish(config);
	return code;
}

void sg_config_finish(struct sg_config *config)
{
	sl_arena_finish(&config->arena);
	*config = (struct sg_config){ .policy = SG_POLICY_NO_RAISE };
}

/* ---- asking ------------------------------------------------------------ */

enum sg_policy sg_config_policy(const struct sg_config *config,
				const char *path)
{
	for (size_t at = config->path_count; path && at > 0; at--)
		if (config->paths[at - 1].has_policy &&
		    sg_pattern_fits(config->paths[at - 1].pattern, path))
			return config->paths[at - 1].policy;
	return config->policy;
}

enum sg_severity sg_config_lowest(const struct sg_config *config,
				  const char *path)
{
	for (size_t at = config->path_count; path && at > 0; at--)
		if (config->paths[at - 1].has_lowest &&
		    sg_pattern_fits(config->paths[at - 1].pattern, path))
			return config->paths[at - 1].lowest;
	return config->lowest;
}

bool sg_config_excludes(const struct sg_config *config, const char *path)
{
	for (const char *const *at = config->exclude; *at; at++)
		if (sg_pattern_fits(*at, path))
			return true;
	return false;
}
