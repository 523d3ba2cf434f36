/* SPDX-License-Identifier: MIT */
/* Intel's compiler, static analysis: rNsc.pdr, XML of a root <diags>.
 *
 * No schema was published. What is known: a <diag> a finding, in it
 * message/thread/stacktrace/loc with a <file> and a <line> each, the first loc
 * being the place; beside <message> stands <sc_verbose>,
 * "file(line): severity #rule: text". Elements are taken by their names
 * wherever in the <diag> they stand. The message is sc_verbose as it is: it is
 * what the tool's users know. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/draft.h"
#include "read/formats.h"
#include "read/spans.h"
#include "read/xml.h"

struct pdr {
	struct sg_xml *xml;
	struct sg_draft draft;
	bool in_loc;
	size_t locs; /* of this diag */
	char path[SG_TEXT_MAX + 1], function[512]; /* of this loc */
	int64_t line, column;
};

static struct sg_span span(const char *text)
{
	return (struct sg_span){ text, strlen(text) };
}

/* Blanks and line ends of an indented document are none of the text. */
static struct sg_span trimmed(struct sg_span text)
{
	while (text.length && strchr(" \t\r\n", *text.text))
		text = sg_span_from(text, 1);
	while (text.length && strchr(" \t\r\n", text.text[text.length - 1]))
		text.length--;
	return text;
}

/* "file(line): severity #rule: text": what of it is there. */
static void set_verbose(struct pdr *pdr, struct sg_span text)
{
	struct sg_draft *draft = &pdr->draft;
	size_t word = sg_span_find(text, 0, "): "), end, rule, digits;
	size_t line;

	sg_draft_set(draft, SG_DRAFT_MESSAGE, text);
	if (word == text.length)
		return;
	/* the place, should no <loc> follow */
	line = word;
	while (line && sg_is_digit(text.text[line - 1]))
		line--;
	if (line && text.text[line - 1] == '(' && !pdr->locs) {
		sg_draft_set(draft, SG_DRAFT_PATH, sg_span_to(text, line - 1));
		draft->finding.line = sg_xml_number(
			(struct sg_span){ text.text + line, word - line });
	}
	word += 3;
	end = sg_span_find(text, word, " #");
	if (end == text.length)
		return;
	sg_draft_set(draft, SG_DRAFT_WORD,
		     (struct sg_span){ text.text + word, end - word });
	draft->finding.severity = sg_severity_of(text.text + word, end - word);
	rule = end + 2;
	for (digits = 0; rule + digits < text.length &&
			 (sg_is_digit(text.text[rule + digits]) ||
			  sg_is_letter(text.text[rule + digits]));)
		digits++;
	sg_draft_set(draft, SG_DRAFT_RULE,
		     (struct sg_span){ text.text + rule, digits });
}

static void close_loc(struct pdr *pdr)
{
	struct sg_draft *draft = &pdr->draft;

	pdr->in_loc = false;
	if (pdr->locs++ == 0) {
		sg_draft_set(draft, SG_DRAFT_PATH, span(pdr->path));
		sg_draft_set(draft, SG_DRAFT_FUNCTION, span(pdr->function));
		draft->finding.line = pdr->line;
		draft->finding.column = pdr->column;
		return;
	}
	sg_draft_event(draft, &(struct sg_draft_event){
				      .path = span(pdr->path),
				      .function = span(pdr->function),
				      .line = pdr->line,
				      .column = pdr->column,
			      });
}

static enum sl_code on_open(void *context, const struct sg_xml_element *element,
			    struct sl_error *error)
{
	struct pdr *pdr = context;

	if (sg_xml_is(element, "diag")) {
		pdr->locs = 0;
		return sg_draft_begin(&pdr->draft, "intel-sc", error);
	}
	if (sg_xml_is(element, "loc")) {
		pdr->in_loc = true;
		pdr->path[0] = '\0';
		pdr->function[0] = '\0';
		pdr->line = pdr->column = 0;
	}
	return SL_OK;
}

static void in_loc(struct pdr *pdr, const struct sg_xml_element *element)
{
	struct sg_span text = trimmed(element->text);

	if (sg_xml_is(element, "loc"))
		close_loc(pdr);
	else if (sg_xml_is(element, "file"))
		sg_xml_keep(pdr->path, sizeof(pdr->path), text);
	else if (sg_xml_is(element, "line"))
		pdr->line = sg_xml_number(text);
	else if (sg_xml_is(element, "column") || sg_xml_is(element, "col"))
		pdr->column = sg_xml_number(text);
	else if (sg_xml_is(element, "func") || sg_xml_is(element, "function"))
		sg_xml_keep(pdr->function, sizeof(pdr->function), text);
}

static enum sl_code on_close(void *context,
			     const struct sg_xml_element *element,
			     struct sl_error *error)
{
	struct pdr *pdr = context;
	struct sg_draft *draft = &pdr->draft;
	struct sg_span text = trimmed(element->text);

	if (!draft->open)
		return SL_OK;
	if (sg_xml_is(element, "diag"))
		return sg_draft_end(draft, error);
	if (pdr->in_loc)
		in_loc(pdr, element);
	else if (sg_xml_is(element, "sc_verbose"))
		set_verbose(pdr, text);
	else if (sg_xml_is(element, "message") &&
		 !sg_draft_get(draft, SG_DRAFT_MESSAGE)[0])
		sg_draft_set(draft, SG_DRAFT_MESSAGE, text);
	return SL_OK;
}

static const struct sg_xml_handler handler = {
	.root = "diags",
	.open = on_open,
	.close = on_close,
};

static void destroy(void *state)
{
	struct pdr *pdr = state;

	if (!pdr)
		return;
	sg_xml_destroy(pdr->xml);
	sg_draft_release(&pdr->draft);
	free(pdr);
}

static void *create(sg_finding_fn *take, void *context)
{
	struct pdr *pdr = calloc(1, sizeof(*pdr));

	if (!pdr)
		return NULL;
	pdr->xml = sg_xml_create(&handler, pdr);
	if (!pdr->xml ||
	    sg_draft_init(&pdr->draft, take, context, NULL) != SL_OK) {
		destroy(pdr);
		return NULL;
	}
	return pdr;
}

static enum sl_code feed(void *state, const char *bytes, size_t length,
			 struct sl_error *error)
{
	struct pdr *pdr = state;

	return sg_xml_feed(pdr->xml, bytes, length, error);
}

static enum sl_code finish(void *state, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct pdr *pdr = state;
	enum sl_code code = sg_xml_finish(pdr->xml, ending, error);

	/* of a diag that broke off its place is the least to be of use */
	if (!sg_draft_get(&pdr->draft, SG_DRAFT_PATH)[0])
		pdr->draft.open = false;
	if (code == SL_OK)
		code = sg_draft_end(&pdr->draft, error);
	if (code == SL_OK)
		ending->findings = pdr->draft.findings;
	return code;
}

static int sniff(const char *start, size_t length)
{
	return sg_xml_sniff(start, length, "diags", NULL) ? 90 : 0;
}

const struct sg_format sg_format_pdr = {
	.name = "pdr",
	.summary = "Intel compiler static analysis, rNsc.pdr",
	.sniff = sniff,
	.create = create,
	.feed = feed,
	.finish = finish,
	.destroy = destroy,
};
