/* SPDX-License-Identifier: MIT */
/* Forms of a line that only one tool writes. */
#include "read/diagnostic_forms.h"

#include <string.h>

#include "read/spans.h"

bool sg_form_smatch(struct sg_span line, struct sg_diagnostic *found)
{
	static const struct {
		const char *word;
		enum sg_severity severity;
	} words[] = {
		{ "warn: ", SG_WARNING },
		{ "error: ", SG_ERROR },
		{ "info: ", SG_INFO },
		{ "debug: ", SG_INFO },
	};
	size_t close = sg_span_find(line, 0, "() "), name = close, digits;
	size_t word = 0;
	struct sg_span rest;

	if (close == line.length)
		return false;
	while (name && line.text[name - 1] != ' ')
		name--;
	digits = name ? name - 1 : 0;
	while (digits && sg_is_digit(line.text[digits - 1]))
		digits--;
	if (digits < 2 || line.text[digits - 1] != ':' ||
	    !sg_span_number(line, digits, &found->line))
		return false;
	rest = sg_span_from(line, close + 3);
	while (word < sizeof(words) / sizeof(words[0]) &&
	       !sg_span_starts(rest, words[word].word))
		word++;
	if (word == sizeof(words) / sizeof(words[0]))
		return false;
	found->severity = words[word].severity;
	found->word = sg_span_to(rest, strlen(words[word].word) - 2);
	found->tool = SG_SPAN("smatch");
	found->function = sg_span_to(sg_span_from(line, name), close - name);
	found->path = sg_span_to(line, digits - 1);
	found->message = sg_span_from(rest, found->word.length + 2);
	return true;
}

void sg_form_gnat(struct sg_diagnostic *found)
{
	static const char style[] = "(style) ";

	if (!sg_span_starts(found->message, style))
		return;
	found->word = sg_span_to(sg_span_from(found->message, 1), 5);
	found->severity = SG_STYLE;
	found->message = sg_span_from(found->message, strlen(style));
}

/* "uninitvar", "variableScope". */
static struct sg_span leading_id(struct sg_span text)
{
	size_t at = 0;

	while (at < text.length &&
	       (sg_is_letter(text.text[at]) || text.text[at] == '_' ||
		(at && sg_is_digit(text.text[at]))))
		at++;
	return sg_span_to(text, at);
}

/* Without "<--[cppcheck]" a word and a colon may be anybody's; cppcheck's ids
 * begin small and its sentences do not. */
static bool is_likely(struct sg_span id, struct sg_span text)
{
	return id.length > 4 && id.text[0] >= 'a' &&
	       !sg_span_is(id, "inconclusive") && text.length &&
	       text.text[0] >= 'A' && text.text[0] <= 'Z';
}

void sg_form_cppcheck(struct sg_diagnostic *found)
{
	bool is_told = sg_span_is(found->tool, "cppcheck");
	struct sg_span id = leading_id(found->message), text;
	size_t at = id.length, digits;
	int64_t cwe = 0;

	/* cppcheck of those days knew no columns */
	if (!id.length || found->rule.length || found->note || found->column ||
	    !found->word.length || (found->tool.length && !is_told))
		return;
	if (sg_span_starts(sg_span_from(found->message, at), "(CWE-")) {
		at += strlen("(CWE-");
		digits = sg_span_number(found->message, at, &cwe);
		at += digits;
		if (!digits ||
		    !sg_span_starts(sg_span_from(found->message, at), ")"))
			return;
		at++;
		is_told = true;
	}
	if (!sg_span_starts(sg_span_from(found->message, at), ": "))
		return;
	text = sg_span_trim(sg_span_from(found->message, at + 2));
	if (!is_told && !is_likely(id, text))
		return;
	found->tool = SG_SPAN("cppcheck");
	found->rule = id;
	if (cwe)
		found->cwe = cwe;
	found->message = text;
}
