/* SPDX-License-Identifier: MIT */
/* From a result to a finding. References are to SARIF 2.1.0. */
#include "read/sarif_result.h"

#include <stdlib.h>
#include <string.h>

#include "read/uri.h"

/* Base folders that refer to each other end here. */
enum { BASES_MAX = 8 };

void sarif_result_clear(struct sarif_result *result)
{
	struct sg_record record = result->record;

	sg_record_clear(&record);
	*result = (struct sarif_result){ .record = record };
}

static bool is_text(const struct sarif_result *result, sg_text text,
		    const char *word)
{
	const char *given = sg_record_get(&result->record, text);

	return given && strcmp(given, word) == 0;
}

bool sarif_result_is_finding(const struct sarif_result *result)
{
	return !result->absent && !is_text(result, result->kind, "pass") &&
	       !is_text(result, result->kind, "notApplicable");
}

static bool place_is_ready(const struct sg_place *place,
			   const struct sarif_run *run)
{
	if (place->artifact && !place->path && !run->artifacts_closed)
		return false;
	if (place->logical && !place->function && !run->logical_closed)
		return false;
	/* an artifact may name a base too */
	return run->bases_closed || (!place->base && !place->artifact);
}

bool sarif_result_is_ready(const struct sarif_result *result,
			   const struct sarif_run *run)
{
	const struct sg_record *record = &result->record;

	if (!run->tool_closed || !place_is_ready(&record->place, run) ||
	    !place_is_ready(&result->target, run))
		return false;
	for (size_t at = 0; at < record->event_count; at++)
		if (!place_is_ready(&record->events[at], run))
			return false;
	return true;
}

size_t sarif_result_size(const struct sarif_result *result)
{
	const struct sg_record *record = &result->record;

	return sizeof(*result) + record->used +
	       record->event_count * sizeof(*record->events);
}

/* @return false: they do not fit, and scratch is as it was. */
static bool prepend(char *scratch, const char *text)
{
	size_t length = strlen(text), rest = strlen(scratch);
	bool slash = length && text[length - 1] != '/';

	if (length + slash + rest > SG_TEXT_MAX)
		return false;
	memmove(scratch + length + slash, scratch, rest + 1);
	memcpy(scratch, text, length);
	if (slash)
		scratch[length] = '/';
	return true;
}

/* Path and function of a place (3.4, 3.14.14). */
static void resolve_place(struct sg_record *record, struct sg_place *place,
			  const struct sarif_run *run, char *scratch)
{
	const char *uri, *base;

	if (!place->function && place->logical &&
	    place->logical <= run->logical_locations.count) {
		const char *name =
			run->logical_locations.items[place->logical - 1].uri;

		if (name)
			place->function =
				sg_record_text(record, name, strlen(name));
	}
	uri = sg_record_get(record, place->path);
	base = sg_record_get(record, place->base);
	if (!uri && place->artifact &&
	    place->artifact <= run->artifacts.count) {
		uri = run->artifacts.items[place->artifact - 1].uri;
		base = run->artifacts.items[place->artifact - 1].base;
	}
	place->path = 0;
	if (!uri)
		return;
	memcpy(scratch, uri, strlen(uri) + 1);
	for (unsigned hop = 0;
	     base && hop < BASES_MAX && !sg_uri_is_absolute(scratch); hop++) {
		const struct sarif_base *folder = sarif_base_named(run, base);

		if (!folder || (folder->uri && !prepend(scratch, folder->uri)))
			break;
		base = folder->base;
	}
	sg_uri_to_path(scratch);
	if (*scratch)
		place->path = sg_record_text(record, scratch, strlen(scratch));
}

static const struct sarif_rule *find_rule(const struct sarif_result *result,
					  const struct sarif_run *run)
{
	const char *id = sg_record_get(&result->record, result->rule_id);
	size_t component = result->component ? result->component - 1 : 0;
	const struct sarif_rule *rule = NULL;

	if (result->rule_index)
		rule = sarif_rule_at(run, component, result->rule_index - 1);
	if (!rule && id)
		rule = sarif_rule_named(run, id);
	return rule;
}

/* {0} becomes the first argument, {{ a brace (3.11.5). @return the length. */
static size_t fill_in(const struct sarif_result *result, const char *text,
		      char *scratch)
{
	size_t filled = 0;

	while (*text && filled < SG_TEXT_MAX) {
		const char *argument = NULL;
		size_t length;

		if (text[0] == '{' && text[1] >= '0' && text[1] <= '9' &&
		    text[2] == '}' &&
		    (unsigned)(text[1] - '0') < result->argument_count)
			argument =
				sg_record_get(&result->record,
					      result->arguments[text[1] - '0']);
		if (!argument) {
			if ((text[0] == '{' || text[0] == '}') &&
			    text[1] == text[0])
				text++;
			scratch[filled++] = *text++;
			continue;
		}
		length = strlen(argument);
		if (length > SG_TEXT_MAX - filled)
			length = SG_TEXT_MAX - filled;
		memcpy(scratch + filled, argument, length);
		filled += length;
		text += 3;
	}
	/* not in the middle of a character that was cut */
	while (*text && filled && ((unsigned char)scratch[filled - 1] & 0x80)) {
		filled--;
		if (((unsigned char)scratch[filled] & 0xc0) == 0xc0)
			break;
	}
	return filled;
}

static const char *string_of(const struct sarif_result *result,
			     const struct sarif_run *run,
			     const struct sarif_rule *rule)
{
	const char *id = sg_record_get(&result->record, result->message_id);
	size_t component = result->component ? result->component - 1 : 0;
	const char *text = NULL;

	if (!id)
		return NULL;
	if (rule)
		text = sarif_string_named(rule->strings, id);
	if (!text && component < run->component_count)
		text = sarif_string_named(run->components[component].strings,
					  id);
	return text;
}

/* The message's text, own or looked up (3.11.7). */
static sg_text resolve_message(struct sarif_result *result,
			       const struct sarif_run *run,
			       const struct sarif_rule *rule, char *scratch)
{
	struct sg_record *record = &result->record;
	sg_text own = record->place.message;
	const char *text = sg_record_get(record, own);

	if (text && !result->argument_count)
		return own;
	if (!text)
		text = string_of(result, run, rule);
	if (!text)
		return result->markdown ? result->markdown : result->message_id;
	return sg_record_text(record, scratch, fill_in(result, text, scratch));
}

/* 3.27.10: a result that is no failure has the level "none". */
static const char *level_of(const struct sarif_result *result,
			    const struct sarif_rule *rule)
{
	if (result->level)
		return sg_record_get(&result->record, result->level);
	if (result->kind && !is_text(result, result->kind, "fail"))
		return "none";
	return rule && rule->level ? rule->level : "warning";
}

const char *sarif_tool_name(const struct sarif_run *run)
{
	static const struct {
		const char *prefix, *name;
	} known[] = {
		{ "GNU C", "gcc" },
		{ "Cppcheck", "cppcheck" },
		{ "Flawfinder", "flawfinder" },
	};

	if (!run->tool || !*run->tool)
		return "sarif";
	for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++)
		if (strncmp(run->tool, known[at].prefix,
			    strlen(known[at].prefix)) == 0)
			return known[at].name;
	return run->tool;
}

const char *sarif_tool_version(const struct sarif_run *run)
{
	return run->version ? run->version : run->semantic_version;
}

/* gcc names a rule after the kind of diagnostic if no option controls it. */
static bool is_kind_of_gcc(const char *name)
{
	static const char *const kinds[] = {
		"error",
		"warning",
		"note",
		"pedwarn",
		"permerror",
		"anachronism",
		"debug",
		"fatal error",
		"internal compiler error",
		"sorry, unimplemented",
	};

	for (size_t at = 0; at < sizeof(kinds) / sizeof(kinds[0]); at++)
		if (strcmp(name, kinds[at]) == 0)
			return true;
	return false;
}

static const char *rule_name(const struct sarif_result *result,
			     const struct sarif_rule *rule, const char *tool)
{
	const char *name = sg_record_get(&result->record, result->rule_id);

	if (!name && rule)
		name = rule->id;
	if (name &&
	    (!*name || (strcmp(tool, "gcc") == 0 && is_kind_of_gcc(name))))
		return NULL;
	return name;
}

/* @return the units, to be freed; NULL: none, or no memory. */
static const char **units_of(const struct sarif_result *result)
{
	const struct sarif_ours *ours = &result->ours;
	const char *unit = sg_record_get(&result->record, ours->units);
	const char **units =
		unit ? calloc(ours->unit_count, sizeof(*units)) : NULL;

	for (size_t at = 0; units && at < ours->unit_count; at++) {
		units[at] = unit;
		unit += strlen(unit) + 1;
	}
	return units;
}

static void show_ours(const struct sarif_result *result, const char **units,
		      struct sg_finding *finding)
{
	const struct sarif_ours *ours = &result->ours;

	if (ours->given) {
		finding->severity = ours->severity;
		finding->severity_word =
			sg_record_get(&result->record, ours->word);
	}
	finding->verbose = sg_record_get(&result->record, ours->verbose);
	finding->inconclusive = ours->inconclusive;
	finding->units = units;
	finding->unit_count = units ? ours->unit_count : 0;
}

static void resolve(struct sarif_result *result, const struct sarif_run *run,
		    const struct sarif_rule *rule, char *scratch)
{
	struct sg_record *record = &result->record;

	record->place.message = resolve_message(result, run, rule, scratch);
	resolve_place(record, &record->place, run, scratch);
	if (!record->place.path) {
		resolve_place(record, &result->target, run, scratch);
		record->place.path = result->target.path;
	}
	for (size_t at = 0; at < record->event_count; at++)
		resolve_place(record, &record->events[at], run, scratch);
}

enum sl_code sarif_result_hand_on(struct sarif_result *result,
				  const struct sarif_run *run, char *scratch,
				  sg_finding_fn *take, void *context,
				  struct sl_error *error)
{
	const struct sarif_rule *rule = find_rule(result, run);
	struct sg_record *record = &result->record;
	struct sg_finding finding;
	const char *level, **units;
	enum sl_code code;

	resolve(result, run, rule, scratch);
	if (record->no_memory)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	level = level_of(result, rule);
	finding = (struct sg_finding){
		.tool = sarif_tool_name(run),
		.tool_version = sarif_tool_version(run),
		.severity = sg_severity_of(level, strlen(level)),
		.severity_word = level,
		.message = sg_record_get(record, record->place.message),
		.cwe = result->cwe ? result->cwe
		       : rule      ? rule->cwe
				   : 0,
		.suppressed = result->suppressed && !result->refused,
		.repeats = result->occurrences > 0 ? result->occurrences : 1,
	};
	finding.rule = rule_name(result, rule, finding.tool);
	if (!finding.message)
		finding.message = "";
	units = units_of(result);
	if (result->ours.unit_count && !units)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	show_ours(result, units, &finding);
	code = sg_record_show(record, &finding, error);
	if (code == SL_OK)
		code = take(context, &finding, error);
	free(units);
	return code;
}
