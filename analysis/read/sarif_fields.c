/* SPDX-License-Identifier: MIT */
/* What each place of a SARIF log does to the reader's state. */
#include <string.h>

#include "base/text.h"
#include "read/sarif_paths.h"
#include "read/sarif_reader.h"

/* Arrays on the way to a value, from the outermost. */
enum { LEVEL_IN_RUN = 1 };

static bool is_string(const struct sg_json_event *event)
{
	return event->kind == SG_JSON_STRING;
}

static bool is(const struct sg_json_event *event, const char *word)
{
	return is_string(event) && event->length == strlen(word) &&
	       memcmp(event->text, word, event->length) == 0;
}

static void copy(char *to, size_t size, const struct sg_json_event *event)
{
	size_t length = event->length < size ? event->length : size - 1;

	/* not in the middle of a character */
	while (length < event->length && length &&
	       ((unsigned char)event->text[length] & 0xc0) == 0x80)
		length--;
	memcpy(to, event->text, length);
	to[length] = '\0';
	sl_text_flatten(to);
}

static void take_taxon_id(struct sarif_taxon *taxon,
			  const struct sg_json_event *event)
{
	if (!is_string(event))
		return;
	taxon->number = sarif_cwe(event->text, event->length);
	taxon->is_prefixed = taxon->number > 0;
	for (size_t at = 0; !taxon->is_prefixed && at < event->length &&
			    event->text[at] >= '0' && event->text[at] <= '9' &&
			    taxon->number < 100000;
	     at++)
		taxon->number = taxon->number * 10 + (event->text[at] - '0');
}

static void take_taxonomy(struct sarif_taxon *taxon,
			  const struct sg_json_event *event)
{
	taxon->is_cwe = is(event, "cwe") || is(event, "CWE");
}

/* A taxon, or a relation to one, begins or ends. */
static void take_taxon(struct sarif_taxon *taxon,
		       const struct sg_json_event *event, int64_t *cwe)
{
	if (event->kind == SG_JSON_OPEN)
		*taxon = (struct sarif_taxon){ 0 };
	else if (!*cwe && (taxon->is_cwe || taxon->is_prefixed))
		*cwe = taxon->number;
}

static void take_tag(const struct sg_json_event *event, int64_t *cwe)
{
	if (!*cwe && is_string(event))
		*cwe = sarif_cwe(event->text, event->length);
}

static void take_log(struct sarif_reader *reader,
		     const struct sg_json_event *event)
{
	switch (event->id & SARIF_FIELDS) {
	case LOG_VERSION:
		if (!is_string(event))
			return;
		copy(reader->version, sizeof(reader->version), event);
		reader->is_log = true;
		/* csgrep writes an empty one */
		reader->is_other_version =
			*reader->version &&
			strncmp(reader->version, "2.", 2) != 0;
		return;
	case LOG_RUNS:
		reader->is_log |= event->kind == SG_JSON_OPEN && event->number;
		return;
	default:
		return;
	}
}

/* A notification of the tool's about its own run. */
static void take_notification(struct sarif_reader *reader,
			      const struct sg_json_event *event)
{
	struct sarif_notification *notification = &reader->notification;

	if (event->kind == SG_JSON_OPEN) {
		*notification = (struct sarif_notification){ 0 };
		return;
	}
	if (event->kind != SG_JSON_CLOSE || !notification->is_error)
		return;
	reader->has_failed = true;
	if (!*reader->failure)
		memcpy(reader->failure, notification->text,
		       sizeof(reader->failure));
}

static void take_base(struct sarif_run *run, const struct sg_json_event *event)
{
	struct sarif_base *base;

	if (!is_string(event))
		return;
	base = sarif_run_base(run, event->key, event->key_length);
	if (!base)
		return;
	if ((event->id & SARIF_FIELDS) == RUN_BASE_URI)
		base->uri = sarif_run_text(run, event->text, event->length);
	else
		base->base = sarif_run_text(run, event->text, event->length);
}

static void take_artifact(struct sarif_reader *reader,
			  struct sarif_artifacts *artifacts, bool is_base,
			  const struct sg_json_event *event)
{
	struct sarif_run *run = &reader->run;
	struct sarif_artifact *artifact;

	if (!is_string(event))
		return;
	artifact = sarif_run_artifact(
		run, artifacts, sg_json_index(reader->json, LEVEL_IN_RUN));
	if (artifact && is_base)
		artifact->base =
			sarif_run_text(run, event->text, event->length);
	else if (artifact)
		artifact->uri = sarif_run_text(run, event->text, event->length);
}

static void take_global_string(struct sarif_reader *reader, size_t index,
			       const struct sg_json_event *event)
{
	struct sarif_component *component =
		is_string(event) ? sarif_run_component(&reader->run, index)
				 : NULL;

	if (component)
		sarif_run_string(&reader->run, &component->strings, event->key,
				 event->key_length, event->text, event->length);
}

static void name_tool(struct sarif_run *run, const char **name,
		      const struct sg_json_event *event)
{
	if (is_string(event))
		*name = sarif_run_text(run, event->text, event->length);
}

static enum sl_code take_run_itself(struct sarif_reader *reader,
				    const struct sg_json_event *event,
				    struct sl_error *error)
{
	if (event->kind == SG_JSON_CLOSE)
		return sarif_end_run(reader, error);
	if (event->kind == SG_JSON_OPEN) {
		reader->runs++;
		reader->has_results = false;
	}
	return SL_OK;
}

static enum sl_code take_run(struct sarif_reader *reader,
			     const struct sg_json_event *event,
			     struct sl_error *error)
{
	struct sarif_run *run = &reader->run;
	bool closes = event->kind == SG_JSON_CLOSE;

	switch (event->id & SARIF_FIELDS) {
	case RUN_ITSELF:
		return take_run_itself(reader, event, error);
	case RUN_RESULTS:
		reader->has_results |=
			event->kind == SG_JSON_OPEN && event->number;
		break;
	case RUN_TOOL:
		run->tool_closed |= closes;
		break;
	case RUN_TOOL_NAME:
		name_tool(run, &run->tool, event);
		break;
	case RUN_TOOL_VERSION:
		name_tool(run, &run->version, event);
		break;
	case RUN_TOOL_SEMANTIC_VERSION:
		name_tool(run, &run->semantic_version, event);
		break;
	case RUN_DRIVER_STRING:
		take_global_string(reader, 0, event);
		break;
	case RUN_EXTENSION_STRING:
		take_global_string(
			reader, 1 + sg_json_index(reader->json, LEVEL_IN_RUN),
			event);
		break;
	case RUN_ARTIFACTS:
		run->artifacts_closed |= closes;
		break;
	case RUN_ARTIFACT_URI:
	case RUN_ARTIFACT_BASE:
		take_artifact(reader, &run->artifacts,
			      (event->id & SARIF_FIELDS) == RUN_ARTIFACT_BASE,
			      event);
		break;
	case RUN_LOGICAL_LOCATIONS:
		run->logical_closed |= closes;
		break;
	case RUN_LOGICAL_NAME:
	case RUN_LOGICAL_FULL_NAME:
		take_artifact(reader, &run->logical_locations, false, event);
		break;
	case RUN_BASES:
		run->bases_closed |= closes;
		break;
	case RUN_BASE_URI:
	case RUN_BASE_BASE:
		take_base(run, event);
		break;
	case RUN_EXTERNAL_RESULTS:
		reader->is_external |= event->kind == SG_JSON_OPEN;
		break;
	case RUN_SUCCESSFUL:
		reader->has_failed |=
			event->kind == SG_JSON_BOOLEAN && !event->number;
		break;
	case RUN_NOTIFICATION:
		take_notification(reader, event);
		break;
	case RUN_NOTIFICATION_LEVEL:
		reader->notification.is_error = is(event, "error");
		break;
	case RUN_NOTIFICATION_TEXT:
		if (is_string(event))
			copy(reader->notification.text,
			     sizeof(reader->notification.text), event);
		break;
	default:
		break;
	}
	return SL_OK;
}

static void take_rule(struct sarif_reader *reader, bool is_driver,
		      const struct sg_json_event *event)
{
	size_t first = sg_json_index(reader->json, LEVEL_IN_RUN);
	size_t second = sg_json_index(reader->json, LEVEL_IN_RUN + 1);
	struct sarif_run *run = &reader->run;
	struct sarif_rule *rule =
		is_driver ? sarif_run_rule(run, 0, first)
			  : sarif_run_rule(run, first + 1, second);

	if (!rule)
		return;
	switch (event->id & SARIF_FIELDS) {
	case RULE_ID:
		if (is_string(event))
			sarif_run_name_rule(run, rule, event->text,
					    event->length);
		break;
	case RULE_LEVEL:
		if (is_string(event))
			rule->level =
				sarif_run_text(run, event->text, event->length);
		break;
	case RULE_TAG:
		take_tag(event, &rule->cwe);
		break;
	case RULE_RELATION:
		take_taxon(&reader->taxon, event, &rule->cwe);
		break;
	case RULE_RELATION_ID:
		take_taxon_id(&reader->taxon, event);
		break;
	case RULE_RELATION_COMPONENT:
		take_taxonomy(&reader->taxon, event);
		break;
	case RULE_STRING:
		if (is_string(event))
			sarif_run_string(run, &rule->strings, event->key,
					 event->key_length, event->text,
					 event->length);
		break;
	default:
		break;
	}
}

static void take_suppression(struct sarif_result *result,
			     const struct sg_json_event *event)
{
	if ((event->id & SARIF_FIELDS) == RESULT_SUPPRESSION)
		result->suppressed |= event->kind == SG_JSON_OPEN;
	else
		result->refused |=
			is(event, "rejected") || is(event, "underReview");
}

static void take_argument(struct sarif_result *result,
			  const struct sg_json_event *event)
{
	if (result->argument_count < SARIF_ARGUMENTS_MAX)
		result->arguments[result->argument_count++] =
			sarif_text(&result->record, event);
}

static enum sl_code take_result(struct sarif_reader *reader,
				const struct sg_json_event *event,
				struct sl_error *error)
{
	struct sarif_result *result = &reader->result;
	struct sg_record *record = &result->record;

	switch (event->id & SARIF_FIELDS) {
	case RESULT_ITSELF:
		if (event->kind == SG_JSON_CLOSE)
			return sarif_end_result(reader, error);
		sarif_result_clear(result);
		break;
	case RESULT_RULE_ID:
		sarif_set_text(record, &result->rule_id, event);
		break;
	case RESULT_RULE_INDEX:
		result->rule_index = sarif_index(event);
		break;
	case RESULT_COMPONENT:
		/* extensions stand behind the driver */
		result->component =
			sarif_index(event) ? sarif_index(event) + 1 : 0;
		break;
	case RESULT_LEVEL:
		sarif_set_text(record, &result->level, event);
		break;
	case RESULT_KIND:
		sarif_set_text(record, &result->kind, event);
		break;
	case RESULT_TEXT:
		sarif_set_text(record, &record->place.message, event);
		break;
	case RESULT_MARKDOWN:
		sarif_set_text(record, &result->markdown, event);
		break;
	case RESULT_MESSAGE_ID:
		sarif_set_text(record, &result->message_id, event);
		break;
	case RESULT_ARGUMENT:
		take_argument(result, event);
		break;
	case RESULT_BASELINE:
		result->absent |= is(event, "absent");
		break;
	case RESULT_OCCURRENCES:
		result->occurrences = event->number;
		break;
	case RESULT_SUPPRESSION:
	case RESULT_SUPPRESSION_STATUS:
		take_suppression(result, event);
		break;
	case RESULT_TAG:
		take_tag(event, &result->cwe);
		break;
	case RESULT_TAXON:
		take_taxon(&reader->taxon, event, &result->cwe);
		break;
	case RESULT_TAXON_ID:
		take_taxon_id(&reader->taxon, event);
		break;
	case RESULT_TAXON_COMPONENT:
		take_taxonomy(&reader->taxon, event);
		break;
	case RESULT_TARGET_URI:
		sarif_set_text(record, &result->target.path, event);
		break;
	case RESULT_TARGET_BASE:
		sarif_set_text(record, &result->target.base, event);
		break;
	case RESULT_TARGET_INDEX:
		result->target.artifact = sarif_index(event);
		break;
	default:
		break;
	}
	return SL_OK;
}

enum sl_code sarif_take(void *context, const struct sg_json_event *event,
			struct sl_error *error)
{
	struct sarif_reader *reader = context;

	switch (event->id & ~SARIF_FIELDS) {
	case SARIF_LOG:
		take_log(reader, event);
		break;
	case SARIF_RUN:
		return take_run(reader, event, error);
	case SARIF_DRIVER_RULE:
	case SARIF_EXTENSION_RULE:
		take_rule(reader,
			  (event->id & ~SARIF_FIELDS) == SARIF_DRIVER_RULE,
			  event);
		break;
	case SARIF_RESULT:
		return take_result(reader, event, error);
	default:
		sarif_take_place(reader, event);
	}
	return SL_OK;
}
