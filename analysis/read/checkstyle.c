/* SPDX-License-Identifier: MIT */
/* Checkstyle's XML, which many tools can write: files, and errors in them.
 * Source: checkstyle's XMLLogger. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/draft.h"
#include "read/formats.h"
#include "read/xml.h"

struct checkstyle {
	struct sg_xml *xml;
	struct sg_draft draft;
	char version[64];
	char path[SG_TEXT_MAX + 1]; /* of the <file> at hand */
	bool failed; /* an <exception>: a file was not checked */
};

static enum sl_code open_error(struct checkstyle *checkstyle,
			       const struct sg_xml_element *element,
			       struct sl_error *error)
{
	struct sg_span word = sg_xml_attribute(element, "severity");
	struct sg_draft *draft = &checkstyle->draft;
	struct sg_finding *finding = &draft->finding;
	enum sl_code code = sg_draft_begin(draft, "checkstyle", error);

	if (code != SL_OK)
		return code;
	sg_draft_set(draft, SG_DRAFT_RULE, sg_xml_attribute(element, "source"));
	sg_draft_set(draft, SG_DRAFT_WORD, word);
	sg_draft_set(draft, SG_DRAFT_MESSAGE,
		     sg_xml_attribute(element, "message"));
	sg_draft_set(
		draft, SG_DRAFT_PATH,
		(struct sg_span){ checkstyle->path, strlen(checkstyle->path) });
	finding->severity = sg_severity_of(word.text, word.length);
	finding->line = sg_xml_number(sg_xml_attribute(element, "line"));
	finding->column = sg_xml_number(sg_xml_attribute(element, "column"));
	if (checkstyle->version[0])
		finding->tool_version = checkstyle->version;
	/* all is in the attributes */
	return sg_draft_end(draft, error);
}

static enum sl_code on_open(void *context, const struct sg_xml_element *element,
			    struct sl_error *error)
{
	struct checkstyle *checkstyle = context;

	if (sg_xml_is(element, "error"))
		return open_error(checkstyle, element, error);
	if (sg_xml_is(element, "file"))
		sg_xml_keep(checkstyle->path, sizeof(checkstyle->path),
			    sg_xml_attribute(element, "name"));
	else if (sg_xml_is(element, "exception"))
		checkstyle->failed = true;
	else if (element->depth == 1)
		sg_xml_keep(checkstyle->version, sizeof(checkstyle->version),
			    sg_xml_attribute(element, "version"));
	return SL_OK;
}

static enum sl_code on_close(void *context,
			     const struct sg_xml_element *element,
			     struct sl_error *error)
{
	struct checkstyle *checkstyle = context;

	(void)error;
	if (sg_xml_is(element, "file"))
		checkstyle->path[0] = '\0';
	return SL_OK;
}

static const struct sg_xml_handler handler = {
	.root = "checkstyle",
	.open = on_open,
	.close = on_close,
};

static void destroy(void *state)
{
	struct checkstyle *checkstyle = state;

	if (!checkstyle)
		return;
	sg_xml_destroy(checkstyle->xml);
	sg_draft_release(&checkstyle->draft);
	free(checkstyle);
}

static void *create(sg_finding_fn *take, void *context)
{
	struct checkstyle *checkstyle = calloc(1, sizeof(*checkstyle));

	if (!checkstyle)
		return NULL;
	checkstyle->xml = sg_xml_create(&handler, checkstyle);
	if (!checkstyle->xml ||
	    sg_draft_init(&checkstyle->draft, take, context, NULL) != SL_OK) {
		destroy(checkstyle);
		return NULL;
	}
	return checkstyle;
}

static enum sl_code feed(void *state, const char *bytes, size_t length,
			 struct sl_error *error)
{
	struct checkstyle *checkstyle = state;

	return sg_xml_feed(checkstyle->xml, bytes, length, error);
}

static enum sl_code finish(void *state, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct checkstyle *checkstyle = state;
	enum sl_code code = sg_xml_finish(checkstyle->xml, ending, error);

	if (code != SL_OK)
		return code;
	ending->findings = checkstyle->draft.findings;
	if (ending->kind == SG_COMPLETE && checkstyle->failed) {
		ending->kind = SG_TOOL_FAILED;
		snprintf(ending->message, sizeof(ending->message),
			 "an exception: a file was not checked");
	}
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	return sg_xml_sniff(start, length, "checkstyle", NULL) ? 95 : 0;
}

const struct sg_format sg_format_checkstyle = {
	.name = "checkstyle",
	.summary = "Checkstyle's XML",
	.sniff = sniff,
	.create = create,
	.feed = feed,
	.finish = finish,
	.destroy = destroy,
};
