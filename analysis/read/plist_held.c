/* SPDX-License-Identifier: MIT */
/* Holding diagnostics, and making findings of them. */
#include "read/plist_held.h"

#include <stdlib.h>
#include <string.h>

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a diagnostic");
}

void sg_plist_diagnostic_free(struct sg_plist_diagnostic *diagnostic)
{
	if (!diagnostic)
		return;
	sl_arena_finish(&diagnostic->arena);
	free(diagnostic->steps);
	free(diagnostic);
}

static struct sg_span text_of(const char *text)
{
	return text ? (struct sg_span){ text, strlen(text) }
		    : (struct sg_span){ "", 0 };
}

static struct sg_span file_of(const struct sg_plist_held *held,
			      const struct sg_plist_place *place)
{
	if (!held->files_known || place->file < 0 ||
	    (size_t)place->file >= held->file_count)
		return text_of(NULL);
	return text_of(held->files[place->file]);
}

static enum sl_code hand_on(struct sg_plist_held *held,
			    const struct sg_plist_diagnostic *diagnostic,
			    struct sl_error *error)
{
	struct sg_draft *draft = &held->draft;
	char *const *texts = diagnostic->texts;
	const char *rule = texts[SG_PLIST_CHECK_NAME];
	enum sl_code code = sg_draft_begin(
		draft, held->tool[0] ? held->tool : "clang", error);

	if (code != SL_OK)
		return code;
	/* clang before 3.7 names no check */
	sg_draft_set(draft, SG_DRAFT_RULE,
		     text_of(rule ? rule : texts[SG_PLIST_TYPE]));
	sg_draft_set(draft, SG_DRAFT_MESSAGE,
		     text_of(texts[SG_PLIST_DESCRIPTION]));
	sg_draft_set(draft, SG_DRAFT_FUNCTION,
		     text_of(texts[SG_PLIST_ISSUE_CONTEXT]));
	sg_draft_set(draft, SG_DRAFT_PATH, file_of(held, &diagnostic->place));
	draft->finding.severity = SG_WARNING;
	draft->finding.line = diagnostic->place.line;
	draft->finding.column = diagnostic->place.column;
	if (held->version[0])
		draft->finding.tool_version = held->version;
	for (size_t at = 0; at < diagnostic->step_count; at++) {
		const struct sg_plist_step *step = &diagnostic->steps[at];

		sg_draft_event(draft,
			       &(struct sg_draft_event){
				       .path = file_of(held, &step->place),
				       .message = text_of(step->message),
				       .line = step->place.line,
				       .column = step->place.column,
			       });
	}
	return sg_draft_end(draft, error);
}

enum sl_code sg_plist_hand_on(struct sg_plist_held *held,
			      struct sl_error *error)
{
	enum sl_code code = SL_OK;

	while (held->first && code == SL_OK) {
		struct sg_plist_diagnostic *diagnostic = held->first;

		code = hand_on(held, diagnostic, error);
		held->first = diagnostic->next;
		sg_plist_diagnostic_free(diagnostic);
	}
	if (!held->first)
		held->last = &held->first;
	held->bytes = 0;
	return code;
}

enum sl_code sg_plist_add(struct sg_plist_held *held,
			  struct sg_plist_diagnostic *diagnostic,
			  struct sl_error *error)
{
	enum sl_code code;

	if (held->files_known) {
		code = hand_on(held, diagnostic, error);
		sg_plist_diagnostic_free(diagnostic);
		return code;
	}
	*held->last = diagnostic;
	held->last = &diagnostic->next;
	held->bytes += diagnostic->bytes + sizeof(*diagnostic) +
		       diagnostic->step_room * sizeof(struct sg_plist_step) +
		       8192;
	if (held->bytes <= SG_PLIST_HELD_MAX)
		return SL_OK;
	held->too_many = true;
	return sg_plist_hand_on(held, error);
}

enum sl_code sg_plist_keep_text(struct sg_plist_diagnostic *diagnostic,
				struct sg_span text, char **to,
				struct sl_error *error)
{
	if (diagnostic->bytes + text.length > SG_DRAFT_BYTES)
		return SL_OK;
	*to = sl_arena_text(&diagnostic->arena, text.text, text.length);
	diagnostic->bytes += text.length + 1;
	return *to ? SL_OK : no_memory(error);
}

enum sl_code sg_plist_add_step(struct sg_plist_diagnostic *diagnostic,
			       const struct sg_plist_step *step,
			       struct sl_error *error)
{
	if (diagnostic->step_count == SG_DRAFT_EVENTS)
		return SL_OK;
	if (diagnostic->step_count == diagnostic->step_room) {
		size_t room = diagnostic->step_room * 2 + 8;
		struct sg_plist_step *steps =
			realloc(diagnostic->steps, room * sizeof(*steps));

		if (!steps)
			return no_memory(error);
		diagnostic->steps = steps;
		diagnostic->step_room = room;
	}
	diagnostic->steps[diagnostic->step_count++] = *step;
	return SL_OK;
}

enum sl_code sg_plist_add_file(struct sg_plist_held *held, struct sg_span name,
			       struct sl_error *error)
{
	if (held->file_count == SG_PLIST_FILES_MAX ||
	    held->file_bytes + name.length > SG_PLIST_HELD_MAX)
		return SL_OK;
	if (held->file_count == held->file_room) {
		size_t room = held->file_room * 2 + 16;
		char **files = realloc(held->files, room * sizeof(*files));

		if (!files)
			return no_memory(error);
		held->files = files;
		held->file_room = room;
	}
	held->file_bytes += name.length;
	held->files[held->file_count] =
		sl_arena_text(&held->arena, name.text, name.length);
	return held->files[held->file_count++] ? SL_OK : no_memory(error);
}

enum sl_code sg_plist_restart(struct sg_plist_held *held,
			      struct sl_error *error)
{
	held->files_known = false;
	held->file_count = 0;
	held->file_bytes = 0;
	sl_arena_finish(&held->arena);
	return sg_plist_hand_on(held, error);
}

enum sl_code sg_plist_held_init(struct sg_plist_held *held, sg_finding_fn *take,
				void *context)
{
	memset(held, 0, sizeof(*held));
	held->last = &held->first;
	return sg_draft_init(&held->draft, take, context, NULL);
}

void sg_plist_held_finish(struct sg_plist_held *held)
{
	while (held->first) {
		struct sg_plist_diagnostic *next = held->first->next;

		sg_plist_diagnostic_free(held->first);
		held->first = next;
	}
	sl_arena_finish(&held->arena);
	free(held->files);
	sg_draft_release(&held->draft);
}
