/* SPDX-License-Identifier: MIT */
/* What a SARIF log and its runs say beside results and rules. */
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

void sarif_take_log(struct sarif_reader *reader,
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

enum sl_code sarif_take_run(struct sarif_reader *reader,
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
		reader->notification.is_error = sarif_is(event, "error");
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
