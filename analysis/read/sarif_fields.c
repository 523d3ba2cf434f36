/* SPDX-License-Identifier: MIT */
/* What each place of a SARIF result, or of a rule, does to the reader's
 * state. */
#include <string.h>

#include "read/sarif_paths.h"
#include "read/sarif_reader.h"

/* Arrays on the way to a value, from the outermost. */
enum { LEVEL_IN_RUN = 1 };

static bool is_string(const struct sg_json_event *event)
{
	return event->kind == SG_JSON_STRING;
}

bool sarif_is(const struct sg_json_event *event, const char *word)
{
	return is_string(event) && event->length == strlen(word) &&
	       memcmp(event->text, word, event->length) == 0;
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
	taxon->is_cwe = sarif_is(event, "cwe") || sarif_is(event, "CWE");
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
		result->refused |= sarif_is(event, "rejected") ||
				   sarif_is(event, "underReview");
}

static void take_argument(struct sarif_result *result,
			  const struct sg_json_event *event)
{
	if (result->argument_count < SARIF_ARGUMENTS_MAX)
		result->arguments[result->argument_count++] =
			sarif_text(&result->record, event);
}

static void take_severity(struct sarif_ours *ours,
			  const struct sg_json_event *event)
{
	for (int at = SG_SEVERITY_UNKNOWN; at <= SG_ERROR; at++)
		if (sarif_is(event, sg_severity_text((enum sg_severity)at))) {
			ours->severity = (enum sg_severity)at;
			ours->given = true;
		}
}

/* Units stand behind one another, as long as nothing comes between. */
static void take_unit(struct sarif_result *result,
		      const struct sg_json_event *event)
{
	struct sarif_ours *ours = &result->ours;
	sg_text unit;

	if (ours->unit_count && ours->units_end != result->record.used)
		return;
	unit = sarif_text(&result->record, event);
	if (!unit)
		return;
	if (!ours->unit_count++)
		ours->units = unit;
	ours->units_end = result->record.used;
}

static void take_ours(struct sarif_result *result,
		      const struct sg_json_event *event)
{
	struct sarif_ours *ours = &result->ours;

	switch (event->id & SARIF_FIELDS) {
	case RESULT_OUR_SEVERITY:
		take_severity(ours, event);
		break;
	case RESULT_OUR_WORD:
		sarif_set_text(&result->record, &ours->word, event);
		break;
	case RESULT_OUR_VERBOSE:
		sarif_set_text(&result->record, &ours->verbose, event);
		break;
	case RESULT_OUR_DOUBT:
		ours->inconclusive =
			event->kind == SG_JSON_BOOLEAN && event->number;
		break;
	case RESULT_OUR_UNIT:
		take_unit(result, event);
		break;
	default:
		break;
	}
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
		result->absent |= sarif_is(event, "absent");
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
		take_ours(result, event);
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
		sarif_take_log(reader, event);
		break;
	case SARIF_RUN:
		return sarif_take_run(reader, event, error);
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
