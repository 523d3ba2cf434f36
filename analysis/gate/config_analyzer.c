/* SPDX-License-Identifier: MIT */
/* One of "analyzers" in .scgate.conf. */
#include <stdio.h>
#include <string.h>

#include "gate/config_options.h"
#include "gate/config_read.h"

/* @return whether a word of @p list holds @p hole ("{file}"). */
static bool has(const struct sl_list *list, const char *hole)
{
	for (size_t at = 0; at < list->count; at++)
		if (strstr(list->values[at].text, hole))
			return true;
	return false;
}

/* ---- built-in ones ----------------------------------------------------- */

static const char *const *insert(const struct sg_config_reading *reading,
				 const char *const *command,
				 const struct sl_list *add, const char *front)
{
	size_t count = 0, at = 0, used = 0;
	const char **words;

	while (command[count])
		count++;
	while (at < count && strcmp(command[at], front) != 0)
		at++;
	words = sl_arena_alloc(reading->arena,
			       (count + add->count + 1) * sizeof(*words));
	if (!words) {
		reading->problems->incomplete = true;
		return command;
	}
	for (size_t word = 0; word < at; word++)
		words[used++] = command[word];
	for (size_t word = 0; word < add->count; word++)
		words[used++] = add->values[word].text;
	for (size_t word = at; word < count; word++)
		words[used++] = command[word];
	return words;
}

static void adapt(const struct sg_config_reading *reading,
		  const config_setting_t *group, const char *who,
		  const struct sg_analyzer_given *given,
		  struct sg_analyzer *analyzer)
{
	static const char *const fixed[] = { "format", "output", "statuses",
					     "once", "version" };

	for (size_t at = 0; at < sizeof(fixed) / sizeof(fixed[0]); at++) {
		const config_setting_t *setting =
			config_setting_get_member(group, fixed[at]);

		if (setting)
			sg_config_complain(reading, setting, who,
					   "option \"%s\": it is for those "
					   "with a \"command\"; %s is built in",
					   fixed[at], given->name);
	}
	sg_config_check_words(reading, who, "add", &given->add, analyzer->once);
	analyzer->command = insert(reading, analyzer->command, &given->add,
				   analyzer->once ? "{files}" : "{file}");
}

/* ---- those with a command ---------------------------------------------- */

static void check_command(const struct sg_config_reading *reading,
			  const config_setting_t *group, const char *who,
			  const struct sg_analyzer_given *given)
{
	const config_setting_t *command =
		config_setting_get_member(group, "command");
	const config_setting_t *add = config_setting_get_member(group, "add");
	bool writes = given->output == SG_ANALYZER_REPORT;

	if (add)
		sg_config_complain(reading, add, who,
				   "option \"add\": it is for built-in ones; "
				   "write the words into \"command\"");
	if (config_setting_is_aggregate(command) &&
	    (config_setting_length(command) == 0 ||
	     (given->command.count && !given->command.values[0].text[0])))
		sg_config_complain(reading, command, who,
				   "option \"command\": there is no program "
				   "in it");
	if (!given->command.count)
		return;
	sg_config_check_words(reading, who, "command", &given->command,
			      given->once);
	if (!given->once && !has(&given->command, "{file}"))
		sg_config_complain(reading, command, who,
				   "option \"command\": it runs once a unit, "
				   "and {file} is nowhere in it (or once = "
				   "true)");
	if (writes != has(&given->command, "{report}"))
		sg_config_complain(reading, command, who,
				   writes ? "option \"command\": output = "
					    "\"report\", and {report} is "
					    "nowhere in it"
					  : "option \"command\": for {report} "
					    "write output = \"report\"");
}

/* "gcc", "sarif", ...: all that can be read. */
static void complain_format(const struct sg_config_reading *reading,
			    const config_setting_t *group, const char *who,
			    const char *name)
{
	const char *names[64], *guess;
	char all[512];
	size_t count = 0, used = 0;

	for (; count < 64 && sg_formats[count]; count++) {
		names[count] = sg_formats[count]->name;
		if (used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used,
						 "%s%s", count ? ", " : "",
						 names[count]);
	}
	if (!name) {
		sg_config_complain(reading, group, who,
				   "option \"format\" is missing: one of %s",
				   all);
		return;
	}
	group = config_setting_get_member(group, "format");
	guess = sl_did_you_mean(name, names, count);
	if (guess)
		sg_config_complain(reading, group, who,
				   "option \"format\": \"%s\" is none of %s "
				   "(did you mean \"%s\"?)",
				   name, all, guess);
	else
		sg_config_complain(reading, group, who,
				   "option \"format\": \"%s\" is none of %s",
				   name, all);
}

static const int *copy_statuses(const struct sg_config_reading *reading,
				const struct sl_list *list)
{
	int *statuses = sl_arena_alloc(reading->arena,
				       (list->count + 1) * sizeof(*statuses));

	if (!statuses) {
		reading->problems->incomplete = true;
		return NULL;
	}
	for (size_t at = 0; at < list->count; at++)
		statuses[at] = (int)list->values[at].integer;
	statuses[list->count] = -1;
	return statuses;
}

static void define(const struct sg_config_reading *reading,
		   const config_setting_t *group, const char *who,
		   const struct sg_analyzer_given *given,
		   struct sg_analyzer *analyzer)
{
	check_command(reading, group, who, given);
	analyzer->command = sg_config_texts(reading, &given->command);
	if (given->version.count)
		analyzer->version = sg_config_texts(reading, &given->version);
	analyzer->format =
		given->format ? sg_format_named(given->format) : NULL;
	if (!analyzer->format &&
	    (given->format || !config_setting_get_member(group, "format")))
		complain_format(reading, group, who, given->format);
	analyzer->output = (enum sg_analyzer_output)given->output;
	analyzer->once = given->once;
	analyzer->languages = 1u << SG_LANGUAGE_C | 1u << SG_LANGUAGE_CXX;
	if (given->statuses.count)
		analyzer->statuses = copy_statuses(reading, &given->statuses);
}

/* ---- either ------------------------------------------------------------ */

static bool is_name(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
					   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789-+._")];
}

static void complain_name(const struct sg_config_reading *reading,
			  const config_setting_t *group, const char *who,
			  const char *name)
{
	const char *const *names = sg_analyzer_builtins();
	const char *guess;
	char all[256] = "";
	size_t count = 0, used = 0;

	for (; names[count]; count++)
		if (used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used,
						 "%s%s", count ? ", " : "",
						 names[count]);
	guess = sl_did_you_mean(name, names, count);
	if (guess)
		sg_config_complain(reading, group, who,
				   "it is not built in (did you mean \"%s\"?), "
				   "so it needs a \"command\"; built in are %s",
				   guess, all);
	else
		sg_config_complain(reading, group, who,
				   "it is not built in, so it needs a "
				   "\"command\"; built in are %s",
				   all);
}

static bool is_builtin(const char *name)
{
	const char *const *at = sg_analyzer_builtins();

	while (*at && strcmp(*at, name) != 0)
		at++;
	return *at;
}

/* What may be said of either. */
static void take_common(const struct sg_config_reading *reading,
			const char *who, const struct sg_analyzer_given *given,
			struct sg_analyzer *analyzer)
{
	analyzer->name = given->name;
	analyzer->timeout_ns = given->timeout == SG_NOT_GIVEN
				       ? reading->timeout_ns
				       : given->timeout;
	if (given->languages.count)
		analyzer->languages = 0;
	for (size_t at = 0; at < given->languages.count; at++)
		analyzer->languages |= 1u << given->languages.values[at].choice;
	sg_config_check_patterns(reading, who, "files", &given->files);
	if (given->files.count)
		analyzer->files = sg_config_texts(reading, &given->files);
}

const struct sg_analyzer *
sg_config_analyzer(const struct sg_config_reading *reading,
		   const config_setting_t *group, const char *who)
{
	struct sg_analyzer_given given = { .timeout = SG_NOT_GIVEN };
	const struct sg_analyzer *builtin = NULL;
	bool has_command = config_setting_get_member(group, "command");
	struct sg_analyzer *analyzer =
		sl_arena_alloc(reading->arena, sizeof(*analyzer));

	sg_config_options_read(reading, &sg_analyzer_options, group, who, NULL,
			       &given);
	if (!given.name)
		return NULL;
	if (!is_name(given.name)) {
		sg_config_complain(reading, group, who,
				   "option \"name\": letters, digits and any "
				   "of -+._ make a name");
		return NULL;
	}
	if (!has_command && !is_builtin(given.name)) {
		complain_name(reading, group, who, given.name);
		return NULL;
	}
	if (!has_command)
		builtin = sg_analyzer_builtin(given.name, reading->inline_rule,
					      reading->arena);
	if (!analyzer || (!has_command && !builtin)) {
		reading->problems->incomplete = true;
		return NULL;
	}
	if (builtin) {
		*analyzer = *builtin;
		adapt(reading, group, who, &given, analyzer);
	} else {
		define(reading, group, who, &given, analyzer);
	}
	take_common(reading, who, &given, analyzer);
	return analyzer;
}
