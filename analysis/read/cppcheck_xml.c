/* SPDX-License-Identifier: MIT */
/* cppcheck --xml: version 2 (errors with locations, the first of which is the
 * finding's), and version 1 (flat errors, gone since cppcheck 1.90).
 * Source: cppcheck's manual and lib/errorlogger.cpp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/draft.h"
#include "read/formats.h"
#include "read/xml.h"

struct cppcheck {
	struct sg_xml *xml;
	struct sg_draft draft;
	char version[64];
	char unit[SG_TEXT_MAX + 1]; /* file0 */
	const char *units[1];
	char failure[200]; /* the first id that says so, with its message */
};

/* After these cppcheck left the file, or all that follows, unanalysed. */
static const char *const critical[] = {
	"cppcheckError",
	"includeNestedTooDeeply",
	"instantiationError",
	"internalAstError",
	"internalError",
	"missingFile",
	"noValidConfiguration",
	"premium-internalError",
	"premium-invalidArgument",
	"premium-invalidLicense",
	"preprocessorErrorDirective",
	"syntaxError",
	"unhandledChar",
	"unhandledCharacters",
	"unknownMacro",
};

static void remember_failure(struct cppcheck *cppcheck, struct sg_span id,
			     struct sg_span message)
{
	if (cppcheck->failure[0])
		return;
	for (size_t at = 0; at < sizeof(critical) / sizeof(critical[0]); at++) {
		if (strlen(critical[at]) != id.length ||
		    memcmp(critical[at], id.text, id.length) != 0)
			continue;
		snprintf(cppcheck->failure, sizeof(cppcheck->failure),
			 "%s: %.*s", critical[at],
			 message.length < 150 ? (int)message.length : 150,
			 message.text);
	}
}

static void set_unit(struct cppcheck *cppcheck, struct sg_span file0)
{
	struct sg_finding *finding = &cppcheck->draft.finding;

	if (!file0.length || file0.length > SG_TEXT_MAX || finding->unit_count)
		return;
	memcpy(cppcheck->unit, file0.text, file0.length);
	cppcheck->unit[file0.length] = '\0';
	cppcheck->units[0] = cppcheck->unit;
	finding->units = cppcheck->units;
	finding->unit_count = 1;
}

static bool is_true(struct sg_span text)
{
	return text.length == 4 && !memcmp(text.text, "true", 4);
}

static enum sl_code open_error(struct cppcheck *cppcheck,
			       const struct sg_xml_element *element,
			       struct sl_error *error)
{
	struct sg_span word = sg_xml_attribute(element, "severity");
	struct sg_span message = sg_xml_attribute(element, "msg");
	struct sg_span id = sg_xml_attribute(element, "id");
	struct sg_draft *draft = &cppcheck->draft;
	struct sg_finding *finding = &draft->finding;
	enum sl_code code = sg_draft_begin(draft, "cppcheck", error);

	if (code != SL_OK)
		return code;
	sg_draft_set(draft, SG_DRAFT_RULE, id);
	sg_draft_set(draft, SG_DRAFT_WORD, word);
	sg_draft_set(draft, SG_DRAFT_MESSAGE, message);
	sg_draft_set(draft, SG_DRAFT_VERBOSE,
		     sg_xml_attribute(element, "verbose"));
	if (cppcheck->version[0])
		finding->tool_version = cppcheck->version;
	finding->severity = sg_severity_of(word.text, word.length);
	finding->cwe = sg_xml_number(sg_xml_attribute(element, "cwe"));
	finding->inconclusive =
		is_true(sg_xml_attribute(element, "inconclusive"));
	set_unit(cppcheck, sg_xml_attribute(element, "file0"));
	/* version 1 has the place here */
	sg_draft_set(draft, SG_DRAFT_PATH, sg_xml_attribute(element, "file"));
	finding->line = sg_xml_number(sg_xml_attribute(element, "line"));
	finding->column = sg_xml_number(sg_xml_attribute(element, "column"));
	remember_failure(cppcheck, id, message);
	return SL_OK;
}

static void open_location(struct cppcheck *cppcheck,
			  const struct sg_xml_element *element)
{
	struct sg_draft *draft = &cppcheck->draft;
	struct sg_span path = sg_xml_attribute(element, "file");
	int64_t line = sg_xml_number(sg_xml_attribute(element, "line"));
	int64_t column = sg_xml_number(sg_xml_attribute(element, "column"));

	set_unit(cppcheck, sg_xml_attribute(element, "file0"));
	if (!sg_draft_get(draft, SG_DRAFT_PATH)[0]) {
		sg_draft_set(draft, SG_DRAFT_PATH, path);
		draft->finding.line = line;
		draft->finding.column = column;
		return;
	}
	sg_draft_event(draft,
		       &(struct sg_draft_event){
			       .path = path,
			       .message = sg_xml_attribute(element, "info"),
			       .line = line,
			       .column = column,
		       });
}

static enum sl_code on_open(void *context, const struct sg_xml_element *element,
			    struct sl_error *error)
{
	struct cppcheck *cppcheck = context;

	if (sg_xml_is(element, "error"))
		return open_error(cppcheck, element, error);
	if (sg_xml_is(element, "location") && cppcheck->draft.open)
		open_location(cppcheck, element);
	if (sg_xml_is(element, "cppcheck"))
		sg_xml_keep(cppcheck->version, sizeof(cppcheck->version),
			    sg_xml_attribute(element, "version"));

	return SL_OK;
}

static enum sl_code on_close(void *context,
			     const struct sg_xml_element *element,
			     struct sl_error *error)
{
	struct cppcheck *cppcheck = context;

	if (sg_xml_is(element, "error"))
		return sg_draft_end(&cppcheck->draft, error);
	/* <symbol> may be a variable: it is not the function */
	return SL_OK;
}

static const struct sg_xml_handler handler = {
	.root = "results",
	.open = on_open,
	.close = on_close,
};

static void destroy(void *state)
{
	struct cppcheck *cppcheck = state;

	if (!cppcheck)
		return;
	sg_xml_destroy(cppcheck->xml);
	sg_draft_release(&cppcheck->draft);
	free(cppcheck);
}

static void *create(sg_finding_fn *take, void *context)
{
	struct cppcheck *cppcheck = calloc(1, sizeof(*cppcheck));

	if (!cppcheck)
		return NULL;
	cppcheck->xml = sg_xml_create(&handler, cppcheck);
	if (!cppcheck->xml ||
	    sg_draft_init(&cppcheck->draft, take, context, NULL) != SL_OK) {
		destroy(cppcheck);
		return NULL;
	}
	return cppcheck;
}

static enum sl_code feed(void *state, const char *bytes, size_t length,
			 struct sl_error *error)
{
	struct cppcheck *cppcheck = state;

	return sg_xml_feed(cppcheck->xml, bytes, length, error);
}

static enum sl_code finish(void *state, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct cppcheck *cppcheck = state;
	enum sl_code code = sg_xml_finish(cppcheck->xml, ending, error);

	/* of an error that broke off its place is the least to be of use */
	if (cppcheck->draft.open &&
	    !sg_draft_get(&cppcheck->draft, SG_DRAFT_PATH)[0])
		cppcheck->draft.open = false;
	if (code == SL_OK)
		code = sg_draft_end(&cppcheck->draft, error);
	if (code != SL_OK)
		return code;
	ending->findings = cppcheck->draft.findings;
	sg_ending_name_tool(ending, "cppcheck", cppcheck->version);
	if (ending->kind == SG_COMPLETE && cppcheck->failure[0]) {
		ending->kind = SG_TOOL_FAILED;
		snprintf(ending->message, sizeof(ending->message), "%s",
			 cppcheck->failure);
	}
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	int found = sg_xml_sniff(start, length, "results", "<error");

	return found == 2 ? 95 : found == 1 ? 60 : 0;
}

const struct sg_format sg_format_cppcheck_xml = {
	.name = "cppcheck-xml",
	.summary = "cppcheck --xml, versions 2 and 1",
	.sniff = sniff,
	.create = create,
	.feed = feed,
	.finish = finish,
	.destroy = destroy,
};
