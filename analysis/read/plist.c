/* SPDX-License-Identifier: MIT */
/* Property lists of clang --analyze, and of what writes the same form
 * (CodeChecker, cppcheck --plist-output).
 * Source: clang's lib/StaticAnalyzer/Core/PlistDiagnostics.cpp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "read/plist_held.h"
#include "read/spans.h"
#include "read/xml.h"

static const char *const key_names[SG_PLIST_KEYS] = {
	[SG_PLIST_NONE] = "",
	[SG_PLIST_ANALYZER] = "analyzer",
	[SG_PLIST_CATEGORY] = "category",
	[SG_PLIST_CHECK_NAME] = "check_name",
	[SG_PLIST_CLANG_VERSION] = "clang_version",
	[SG_PLIST_COL] = "col",
	[SG_PLIST_DESCRIPTION] = "description",
	[SG_PLIST_DIAGNOSTICS] = "diagnostics",
	[SG_PLIST_FILE] = "file",
	[SG_PLIST_FILES] = "files",
	[SG_PLIST_ISSUE_CONTEXT] = "issue_context",
	[SG_PLIST_KIND] = "kind",
	[SG_PLIST_LINE] = "line",
	[SG_PLIST_LOCATION] = "location",
	[SG_PLIST_MESSAGE] = "message",
	[SG_PLIST_METADATA] = "metadata",
	[SG_PLIST_NAME] = "name",
	[SG_PLIST_NOTES] = "notes",
	[SG_PLIST_PATH] = "path",
	[SG_PLIST_TYPE] = "type",
};

struct plist {
	struct sg_xml *xml;
	struct sg_plist_held held;
	enum sg_plist_key keys[SG_XML_DEPTH_MAX + 1];
	size_t depth; /* of dictionaries and arrays */
	struct sg_plist_diagnostic *open; /* owned */
	struct sg_plist_step
		step; /* of open's path; its text is in open's arena */
	bool is_event;
};

static bool in_diagnostic(const struct plist *plist)
{
	return plist->open && plist->keys[1] == SG_PLIST_DIAGNOSTICS;
}

static bool in_step(const struct plist *plist)
{
	return in_diagnostic(plist) && plist->depth >= 5 &&
	       (plist->keys[3] == SG_PLIST_PATH ||
		plist->keys[3] == SG_PLIST_NOTES);
}

static void set_place(struct sg_plist_place *place, enum sg_plist_key key,
		      struct sg_span text)
{
	if (key == SG_PLIST_LINE)
		place->line = sg_xml_number(text);
	else if (key == SG_PLIST_COL)
		place->column = sg_xml_number(text);
	else if (key == SG_PLIST_FILE)
		place->file = sg_xml_number(text);
}

/* A text or a number, at the depth of its dictionary. */
static enum sl_code value_in_diagnostic(struct plist *plist,
					struct sg_span text,
					struct sl_error *error)
{
	enum sg_plist_key key = plist->keys[plist->depth];

	if (plist->depth == 3 && key != SG_PLIST_NONE)
		return sg_plist_keep_text(plist->open, text,
					  &plist->open->texts[key], error);
	if (plist->depth == 4 && plist->keys[3] == SG_PLIST_LOCATION)
		set_place(&plist->open->place, key, text);
	if (!in_step(plist))
		return SL_OK;
	if (plist->depth == 6 && plist->keys[5] == SG_PLIST_LOCATION)
		set_place(&plist->step.place, key, text);
	else if (plist->depth == 5 && key == SG_PLIST_MESSAGE)
		return sg_plist_keep_text(plist->open, text,
					  &plist->step.message, error);
	else if (plist->depth == 5 && key == SG_PLIST_KIND)
		plist->is_event = sg_span_is(text, "event");
	return SL_OK;
}

/* cppcheck writes its own name where clang's version stands. */
static void set_version(struct plist *plist, struct sg_span text)
{
	sg_xml_keep(plist->held.version, sizeof(plist->held.version), text);
	if (sg_span_starts(text, "cppcheck"))
		snprintf(plist->held.tool, sizeof(plist->held.tool),
			 "cppcheck");
}

static void set_tool(struct plist *plist, struct sg_span text)
{
	if (!sg_span_is(text, "clangsa"))
		sg_xml_keep(plist->held.tool, sizeof(plist->held.tool), text);
}

static enum sl_code value(struct plist *plist, struct sg_span text,
			  struct sl_error *error)
{
	const enum sg_plist_key *keys = plist->keys;

	if (in_diagnostic(plist))
		return value_in_diagnostic(plist, text, error);
	if (plist->depth == 2 && keys[1] == SG_PLIST_FILES)
		return sg_plist_add_file(&plist->held, text, error);
	if (plist->depth == 1 && keys[1] == SG_PLIST_CLANG_VERSION)
		set_version(plist, text);
	else if (plist->depth == 3 && keys[1] == SG_PLIST_METADATA &&
		 keys[2] == SG_PLIST_ANALYZER && keys[3] == SG_PLIST_NAME)
		set_tool(plist, text);
	return SL_OK;
}

static enum sl_code open_container(struct plist *plist, struct sl_error *error)
{
	const enum sg_plist_key *keys = plist->keys;

	plist->keys[++plist->depth] = SG_PLIST_NONE;
	if (plist->depth == 3 && keys[1] == SG_PLIST_DIAGNOSTICS &&
	    !plist->open) {
		plist->open = calloc(1, sizeof(*plist->open));
		if (!plist->open)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a diagnostic");
		plist->open->place.file = -1;
	}
	if (plist->depth == 5 && in_step(plist)) {
		plist->step = (struct sg_plist_step){ .place.file = -1 };
		/* notes have no kind */
		plist->is_event = keys[3] == SG_PLIST_NOTES;
	}
	return SL_OK;
}

static enum sl_code close_container(struct plist *plist, struct sl_error *error)
{
	size_t depth = plist->depth--;

	if (depth == 5 && in_diagnostic(plist) &&
	    (plist->keys[3] == SG_PLIST_PATH ||
	     plist->keys[3] == SG_PLIST_NOTES))
		return plist->is_event ? sg_plist_add_step(plist->open,
							   &plist->step, error)
				       : SL_OK;
	if (depth == 3 && in_diagnostic(plist)) {
		struct sg_plist_diagnostic *diagnostic = plist->open;

		plist->open = NULL;
		return sg_plist_add(&plist->held, diagnostic, error);
	}
	if (depth == 2 && plist->keys[1] == SG_PLIST_FILES) {
		plist->held.files_known = true;
		return sg_plist_hand_on(&plist->held, error);
	}
	return SL_OK;
}

/* A second document has a tool and files of its own. */
static enum sl_code open_root(struct plist *plist, struct sl_error *error)
{
	enum sl_code code = sg_plist_restart(&plist->held, error);

	plist->depth = 0;
	plist->held.tool[0] = '\0';
	plist->held.version[0] = '\0';
	return code;
}

static bool is_container(const struct sg_xml_element *element)
{
	return sg_xml_is(element, "dict") || sg_xml_is(element, "array");
}

static enum sl_code on_open(void *context, const struct sg_xml_element *element,
			    struct sl_error *error)
{
	struct plist *plist = context;

	if (element->depth == 1)
		return open_root(plist, error);
	return is_container(element) ? open_container(plist, error) : SL_OK;
}

static enum sl_code on_close(void *context,
			     const struct sg_xml_element *element,
			     struct sl_error *error)
{
	struct plist *plist = context;

	if (is_container(element))
		return close_container(plist, error);
	if (sg_xml_is(element, "key")) {
		enum sg_plist_key key = SG_PLIST_KEYS - 1;

		while (key != SG_PLIST_NONE &&
		       !sg_span_is(element->text, key_names[key]))
			key--;
		plist->keys[plist->depth] = key;
		return SL_OK;
	}
	if (sg_xml_is(element, "string") || sg_xml_is(element, "integer"))
		return value(plist, element->text, error);
	return SL_OK;
}

static const struct sg_xml_handler handler = {
	.root = "plist",
	.open = on_open,
	.close = on_close,
};

static void destroy(void *state)
{
	struct plist *plist = state;

	if (!plist)
		return;
	sg_plist_diagnostic_free(plist->open);
	sg_plist_held_finish(&plist->held);
	sg_xml_destroy(plist->xml);
	free(plist);
}

static void *create(sg_finding_fn *take, void *context)
{
	struct plist *plist = calloc(1, sizeof(*plist));

	if (!plist)
		return NULL;
	plist->xml = sg_xml_create(&handler, plist);
	if (!plist->xml ||
	    sg_plist_held_init(&plist->held, take, context) != SL_OK) {
		destroy(plist);
		return NULL;
	}
	return plist;
}

static enum sl_code feed(void *state, const char *bytes, size_t length,
			 struct sl_error *error)
{
	struct plist *plist = state;

	return sg_xml_feed(plist->xml, bytes, length, error);
}

static enum sl_code finish(void *state, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct plist *plist = state;
	enum sl_code code = sg_xml_finish(plist->xml, ending, error);

	/* broken off before the list of files: without their paths */
	if (code == SL_OK)
		code = sg_plist_hand_on(&plist->held, error);
	if (code != SL_OK)
		return code;
	ending->findings = plist->held.draft.findings;
	if (ending->kind == SG_COMPLETE && plist->held.too_many) {
		ending->kind = SG_MALFORMED;
		snprintf(ending->message, sizeof(ending->message),
			 "more than 64 MiB of diagnostics before the list of "
			 "files");
	}
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	int found = sg_xml_sniff(start, length, "plist", "diagnostics");

	return found == 2 ? 95 : found == 1 ? 50 : 0;
}

const struct sg_format sg_format_plist = {
	.name = "plist",
	.summary = "clang --analyze, property lists",
	.sniff = sniff,
	.create = create,
	.feed = feed,
	.finish = finish,
	.destroy = destroy,
};
