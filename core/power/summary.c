/* SPDX-License-Identifier: MIT */
#include "power/summary.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sluice/tree.h"

enum { FILE_LIMIT = 256 << 20 };

static const xmlChar *x(const char *text)
{
	return (const xmlChar *)text;
}

static xmlNode *child(xmlNode *parent, const char *name)
{
	xmlNode *at = parent ? parent->children : NULL;

	while (at && !(at->type == XML_ELEMENT_NODE &&
		       xmlStrEqual(at->name, x(name))))
		at = at->next;
	return at;
}

static xmlNode *next_same(xmlNode *at)
{
	const xmlChar *name = at->name;

	do
		at = at->next;
	while (at &&
	       !(at->type == XML_ELEMENT_NODE && xmlStrEqual(at->name, name)));
	return at;
}

/* @return whether it is there; @p text is flattened and cut. */
static bool get_text(xmlNode *node, const char *name, char *text, size_t size)
{
	xmlChar *value = node ? xmlGetProp(node, x(name)) : NULL;

	if (!value)
		return false;
	snprintf(text, size, "%s", (const char *)value);
	sl_text_flatten(text);
	xmlFree(value);
	return true;
}

static double get_number(xmlNode *node, const char *name)
{
	char text[64], *end;
	double number;

	if (!get_text(node, name, text, sizeof(text)))
		return NAN;
	number = strtod(text, &end);
	return end == text || *end || !isfinite(number) ? NAN : number;
}

static bool get_bool(xmlNode *node, const char *name)
{
	char text[8];

	return get_text(node, name, text, sizeof(text)) &&
	       strcmp(text, "true") == 0;
}

static struct sl_figure get_figure(xmlNode *result, const char *name)
{
	xmlNode *node = child(result, name);
	struct sl_figure figure = {
		.valid = get_bool(node, "valid"),
		.value = get_number(node, "value"),
		.low = get_number(node, "low"),
		.high = get_number(node, "high"),
		.random = get_number(node, "random"),
		.systematic = get_number(node, "systematic"),
	};

	/* what holds no numbers is no figure, whatever it says */
	if (isnan(figure.value + figure.low + figure.high + figure.random +
		  figure.systematic) ||
	    figure.random < 0 || figure.systematic < 0)
		return (struct sl_figure){ 0 };
	return figure;
}

static void get_conditions(xmlNode *node, struct sl_conditions *conditions)
{
	double cpus = get_number(node, "cpus");

	get_text(node, "power_source", conditions->power_source,
		 sizeof(conditions->power_source));
	get_text(node, "cpu_model", conditions->cpu_model,
		 sizeof(conditions->cpu_model));
	get_text(node, "smt", conditions->smt, sizeof(conditions->smt));
	get_text(node, "governor", conditions->governor,
		 sizeof(conditions->governor));
	get_text(node, "turbo", conditions->turbo, sizeof(conditions->turbo));
	get_text(node, "kernel", conditions->kernel,
		 sizeof(conditions->kernel));
	conditions->mhz = get_number(node, "mhz");
	if (cpus >= 0 && cpus < 1e6)
		conditions->cpus = (unsigned)cpus;
}

static void get_settings(xmlNode *node, struct sl_summary *summary)
{
	struct sl_summary_settings *settings = &summary->settings;
	char window[8];

	settings->settle_s = get_number(node, "settle_s");
	settings->baseline_s = get_number(node, "baseline_s");
	settings->repeats = get_number(node, "repeats");
	settings->window_s = get_number(node, "window_s");
	if (get_text(node, "window_s", window, sizeof(window)) &&
	    strcmp(window, "run") == 0)
		settings->window_s = 0;
	get_text(node, "meters", settings->meters, sizeof(settings->meters));
	get_text(node, "start", settings->start, sizeof(settings->start));
	get_text(node, "idle_command", settings->idle_command,
		 sizeof(settings->idle_command));
	get_text(node, "work_unit", summary->work_unit,
		 sizeof(summary->work_unit));
}

static void get_meters(xmlNode *meters, struct sl_summary *summary)
{
	size_t used = 0;

	for (xmlNode *at = child(meters, "domain"); at; at = next_same(at)) {
		char meter[32] = "", id[64] = "", quality[16] = "";

		if (!get_bool(at, "in_sum"))
			continue;
		get_text(at, "meter", meter, sizeof(meter));
		get_text(at, "id", id, sizeof(id));
		get_text(at, "quality", quality, sizeof(quality));
		summary->estimate |= strcmp(quality, "estimate") == 0;
		snprintf(summary->meters + used, sizeof(summary->meters) - used,
			 "%s%s %s", used ? ", " : "", meter, id);
		used += strlen(summary->meters + used);
	}
}

static bool get_whole(xmlNode *phases)
{
	bool whole = true;
	char kind[16];

	for (xmlNode *at = child(phases, "phase"); at; at = next_same(at))
		if (get_text(at, "kind", kind, sizeof(kind)) &&
		    strcmp(kind, "active") == 0)
			whole &= get_bool(at, "whole_run");
	return whole;
}

static void get_result(xmlNode *result, struct sl_summary *summary)
{
	double runs = get_number(result, "runs");

	if (runs > 0 && runs < 1e6)
		summary->runs = (unsigned)runs;
	summary->seconds = get_figure(result, "time_s");
	summary->energy_j = get_figure(result, "energy_j");
	summary->power_w = get_figure(result, "power_w");
	summary->net_j = get_figure(result, "net_energy_j");
	summary->net_w = get_figure(result, "net_power_w");
	summary->j_per_work = get_figure(result, "j_per_work");
	summary->work_per_j = get_figure(result, "work_per_j");
}

static enum sl_code take(xmlDoc *document, struct sl_summary *summary,
			 struct sl_error *error)
{
	xmlNode *root = xmlDocGetRootElement(document);
	char format[8];

	if (!root || !xmlStrEqual(root->name, x("powercheck")))
		return SL_FAIL(error, SL_EINVAL,
			       "it is no report of powercheck");
	if (!get_text(root, "format", format, sizeof(format)) ||
	    strcmp(format, "1") != 0)
		return SL_FAIL(error, SL_EINVAL,
			       "its format is not the one that is known, 1");
	get_text(root, "outcome", summary->outcome, sizeof(summary->outcome));
	get_text(root, "reason", summary->reason, sizeof(summary->reason));
	get_settings(child(root, "settings"), summary);
	get_conditions(child(root, "conditions"), &summary->conditions);
	get_meters(child(root, "meters"), summary);
	summary->whole = get_whole(child(root, "phases"));
	get_result(child(root, "result"), summary);
	return SL_OK;
}

/** What went wrong while libxml2 parsed. */
struct trouble {
	char text[200]; /* the first error; "": none */
	int line;
};

static void note_error(void *context, xmlErrorPtr found)
{
	struct trouble *trouble = context;

	if (trouble->text[0] || found->level < XML_ERR_ERROR)
		return;
	snprintf(trouble->text, sizeof(trouble->text), "%s",
		 found->message ? found->message : "it is no XML");
	trouble->text[strcspn(trouble->text, "\n")] = '\0';
	sl_text_flatten(trouble->text);
	trouble->line = found->line;
}

/* No report has one, and what it declares could grow without end. */
static void refuse_type(void *context, const xmlChar *name,
			const xmlChar *public_id, const xmlChar *system_id)
{
	xmlParserCtxt *parser = context;
	struct trouble *trouble = parser->_private;

	(void)name;
	(void)public_id;
	(void)system_id;
	snprintf(trouble->text, sizeof(trouble->text),
		 "it has a document type, which no report has");
	trouble->line = parser->input ? parser->input->line : 0;
	xmlStopParser(parser);
}

/* @return the document; NULL: @p trouble says why. A report is in UTF-8,
 * whatever it says. */
static xmlDoc *parse(const char *text, size_t size, struct trouble *trouble)
{
	xmlParserCtxt *parser = xmlNewParserCtxt();
	xmlDoc *document;

	if (!parser) {
		snprintf(trouble->text, sizeof(trouble->text), "no memory");
		return NULL;
	}
	parser->_private = trouble;
	parser->sax->internalSubset = refuse_type;
	/* else it would print what it finds */
	xmlSetStructuredErrorFunc(trouble, note_error);
	document = xmlCtxtReadMemory(parser, text, (int)size, NULL, "UTF-8",
				     XML_PARSE_NONET);
	xmlSetStructuredErrorFunc(NULL, NULL);
	xmlFreeParserCtxt(parser);
	if (document && trouble->text[0]) {
		xmlFreeDoc(document);
		document = NULL;
	}
	return document;
}

enum sl_code sl_summary_parse(struct sl_summary *summary, const char *text,
			      size_t size, const char *path,
			      struct sl_error *error)
{
	struct trouble trouble = { "", 0 };
	xmlDoc *document;
	enum sl_code code;

	*summary = (struct sl_summary){ .conditions = { .mhz = NAN } };
	document = parse(text, size, &trouble);
	if (!document) {
		(void)!SL_FAIL(error, SL_EINVAL, "%s",
			       trouble.text[0] ? trouble.text : "it is no XML");
		sl_error_at(error, path, trouble.line);
		return SL_EINVAL;
	}
	code = take(document, summary, error);
	if (code != SL_OK)
		sl_error_at(error, path, 0);
	xmlFreeDoc(document);
	return code;
}

enum sl_code sl_summary_read(struct sl_summary *summary, const char *path,
			     struct sl_error *error)
{
	bool absolute = path[0] == '/';
	struct sl_buffer text = { NULL, 0, 0 };
	enum sl_code code = sl_tree_load(absolute ? "/" : ".", path + absolute,
					 FILE_LIMIT, &text, error);

	*summary = (struct sl_summary){ .conditions = { .mhz = NAN } };
	if (code == SL_OK)
		code = sl_summary_parse(summary, text.data, text.used, path,
					error);
	free(text.data);
	return code == SL_END ? SL_EIO : code;
}
