/* SPDX-License-Identifier: MIT */
/* Microsoft's form, which its compiler, linker and build tool write, and after
 * them Intel's, the C# and the TypeScript compiler and others:
 * `path(12,5): warning C4996: text [project]`, `LINK : error LNK1181: text`. */
#include "read/msvc.h"

#include <string.h>

#include "read/formats.h"
#include "read/spans.h"

/* Of any case; a longer one comes before its start. */
static const struct {
	const char *words;
	enum sg_severity severity;
	bool note, fatal;
} severities[] = {
	{ "fatal error", SG_ERROR, false, true },
	{ "catastrophic error", SG_ERROR, false, true },
	{ "internal error", SG_ERROR, false, true },
	{ "schwerwiegender fehler", SG_ERROR, false, true },
	{ "erreur fatale", SG_ERROR, false, true },
	{ "command line error", SG_ERROR, false, false },
	{ "command line warning", SG_WARNING, false, false },
	{ "hint warning", SG_WARNING, false, false },
	{ "error", SG_ERROR, false, false },
	{ "warning", SG_WARNING, false, false },
	{ "fehler", SG_ERROR, false, false },
	{ "warnung", SG_WARNING, false, false },
	{ "erreur", SG_ERROR, false, false },
	{ "avertissement", SG_WARNING, false, false },
	{ "advertencia", SG_WARNING, false, false },
	{ "remark", SG_INFO, false, false },
	{ "info", SG_INFO, false, false },
	{ "message", SG_INFO, false, false },
	{ "note", SG_INFO, true, false },
	{ "hinweis", SG_INFO, true, false },
};

/* Notes of old versions are indented and have no word. */
static const char *const references[] = {
	"see declaration of",     "see previous definition of",
	"see reference to",       "Siehe Deklaration von",
	"Siehe Verweis auf",      "could be ",
	"while compiling ",       "or ",
	"voir la déclaration de",
};

static bool starts_any_case(struct sg_span text, const char *lower)
{
	for (size_t at = 0; lower[at]; at++) {
		char byte = at < text.length ? text.text[at] : '\0';

		if (byte >= 'A' && byte <= 'Z')
			byte = (char)(byte - 'A' + 'a');
		if (byte != lower[at])
			return false;
	}
	return true;
}

/* "C4996", "#1786", "LNK2001", "MSB-1": what may stand behind the severity. */
static bool is_code(struct sg_span code)
{
	if (!code.length || code.length > 64)
		return false;
	for (size_t at = 0; at < code.length; at++) {
		char byte = code.text[at];

		if (!sg_is_letter(byte) && !sg_is_digit(byte) &&
		    !strchr("#-_.", byte))
			return false;
	}
	return true;
}

/* Letters, then a digit: CA1823, PV1002. */
static bool is_late_code(struct sg_span code)
{
	return is_code(code) && code.length > 2 && sg_is_letter(code.text[0]) &&
	       code.text[0] <= 'Z' && sg_is_digit(code.text[code.length - 1]);
}

/* A code and its colon. @return the bytes, blanks behind included; 0: none. */
static size_t code_of(struct sg_span text, bool (*accept)(struct sg_span),
		      struct sg_span *code)
{
	size_t colon = sg_span_find(text, 0, ":");
	struct sg_span word = sg_span_trim(sg_span_to(text, colon));

	if (colon == text.length || (word.length && !accept(word)))
		return 0;
	*code = word;
	colon++;
	while (colon < text.length && text.text[colon] == ' ')
		colon++;
	return colon;
}

/* "warning C4996: text", "error : text", "warning : CA1823 : text". */
static bool parse_words(struct sg_span text, struct sg_diagnostic *found)
{
	size_t at = 0, used;

	if (sg_span_starts(text, "(col. ")) { /* Intel's */
		size_t digits = sg_span_number(text, 6, &found->column);

		if (digits && 6 + digits < text.length)
			text = sg_span_trim(sg_span_from(text, 7 + digits));
	}
	while (at < sizeof(severities) / sizeof(severities[0]) &&
	       !starts_any_case(text, severities[at].words))
		at++;
	if (at == sizeof(severities) / sizeof(severities[0]))
		return false;
	used = strlen(severities[at].words);
	if (used == text.length || !strchr(" :", text.text[used]))
		return false;
	found->word = sg_span_to(text, used);
	found->severity = severities[at].severity;
	found->note = severities[at].note;
	found->fatal = severities[at].fatal;
	text = sg_span_trim(sg_span_from(text, used));
	used = code_of(text, is_code, &found->rule);
	if (!used)
		return false;
	text = sg_span_from(text, used);
	if (!found->rule.length) {
		used = code_of(text, is_late_code, &found->rule);
		text = sg_span_from(text, used);
	}
	found->message = text;
	return true;
}

size_t sg_msvc_place(struct sg_span line, struct sg_diagnostic *found)
{
	int64_t numbers[4];
	size_t open = 0;

	while ((open = sg_span_find(line, open + 1, "(")) < line.length) {
		size_t at = open + 1, count = 0, digits;

		while (count < 4 &&
		       (digits = sg_span_number(line, at, &numbers[count]))) {
			count++;
			at += digits;
			if (at == line.length ||
			    (line.text[at] != ',' && line.text[at] != '-'))
				break;
			at++;
		}
		if (!count || at == line.length || line.text[at] != ')')
			continue;
		for (at++; at < line.length && line.text[at] == ' '; at++)
			;
		if (at == line.length || line.text[at] != ':')
			continue;
		found->path = sg_span_trim(sg_span_to(line, open));
		found->line = numbers[0];
		found->column = count > 1 ? numbers[1] : 0;
		found->end_line = count > 3 ? numbers[2] : 0;
		found->end_column = count > 3 ? numbers[3] : 0;
		return at + 1;
	}
	return 0;
}

/* Builders put a clock, "[exec]" and "12>" or "17:4>" before a line. */
static struct sg_span without_prefix(struct sg_span line)
{
	size_t at = 0;

	line = sg_span_trim(line);
	while (at < line.length &&
	       (sg_is_digit(line.text[at]) || line.text[at] == ':'))
		at++;
	if (at >= 8 && at < line.length && line.text[at] == ' ')
		line = sg_span_trim(sg_span_from(line, at));
	if (sg_span_starts(line, "[exec]"))
		line = sg_span_trim(sg_span_from(line, 6));
	for (at = 0; at < line.length &&
		     (sg_is_digit(line.text[at]) || line.text[at] == ':');
	     at++)
		;
	if (at && at < line.length && line.text[at] == '>')
		line = sg_span_trim(sg_span_from(line, at + 1));
	return line;
}

/* Of "x.c(-1)" and "x.c(4294967296)" the file: no line is known. */
static struct sg_span without_number(struct sg_span origin)
{
	size_t at = origin.length;

	if (!sg_span_ends(origin, ")"))
		return origin;
	for (at--; at && (sg_is_digit(origin.text[at - 1]) ||
			  strchr("-,", origin.text[at - 1]));
	     at--)
		;
	if (at > 1 && origin.text[at - 1] == '(')
		origin.length = at - 1;
	return sg_span_trim(origin);
}

/* "main.obj : error LNK2001: ...", "LINK : ...": a file has a dot or a
 * separator, a program has neither. */
static bool without_line(struct sg_span line, struct sg_diagnostic *found)
{
	size_t at = sg_span_find(line, 0, " : ");
	struct sg_diagnostic place = { 0 };
	struct sg_span origin;

	if (at == line.length)
		at = sg_span_find(line, 0, ": ");
	if (!at || at == line.length)
		return false;
	if (!parse_words(sg_span_trim(sg_span_from(line, at + 2)), found))
		return false;
	origin = sg_span_trim(sg_span_to(line, at));
	/* x.c:52: warning: is gcc's form, and another reader's */
	if (origin.length && sg_is_digit(origin.text[origin.length - 1]) &&
	    sg_place_parse(line, &place))
		return false;
	origin = without_number(origin);
	if (sg_span_has(origin, ".") || sg_span_has(origin, "\\"))
		found->path = origin;
	/* sentences have colons too */
	return found->rule.length || !sg_span_has(origin, " ");
}

/* MSBuild appends " [project]". */
static void drop_project(struct sg_diagnostic *found)
{
	struct sg_span message = sg_span_trim(found->message);
	size_t at = message.length;

	if (sg_span_ends(message, "proj]") || sg_span_ends(message, "sln]")) {
		while (at && message.text[at - 1] != '[')
			at--;
		if (at > 1 && message.text[at - 2] == ' ')
			message = sg_span_trim(sg_span_to(message, at - 2));
	}
	found->message = message;
}

static bool parse(struct sg_span line, struct sg_diagnostic *found)
{
	size_t at;

	*found = (struct sg_diagnostic){ 0 };
	line = without_prefix(line);
	at = sg_msvc_place(line, found);
	if (at) {
		struct sg_span rest = sg_span_trim(sg_span_from(line, at));

		if (!parse_words(rest, found)) {
			found->note = true;
			found->message = rest;
			for (at = 0;
			     at < sizeof(references) / sizeof(references[0]);
			     at++)
				if (sg_span_starts(rest, references[at]))
					return true;
			return false;
		}
	} else if (!without_line(line, found)) {
		return false;
	}
	drop_project(found);
	return true;
}

static void add_note(struct sg_msvc *msvc, const struct sg_diagnostic *found)
{
	struct sg_draft_event event = {
		.path = found->path,
		.line = found->line,
		.column = found->column,
		.message = found->message,
	};

	sg_draft_event(&msvc->log.draft, &event);
}

static enum sl_code begin(struct sg_msvc *msvc,
			  const struct sg_diagnostic *found,
			  struct sl_error *error)
{
	struct sg_draft *draft = &msvc->log.draft;
	enum sl_code code = sg_draft_begin(draft, "msvc", error);

	if (code != SL_OK)
		return code;
	msvc->heap = false;
	msvc->leaks_said = false;
	draft->finding.severity = found->severity;
	draft->finding.line = found->line;
	draft->finding.column = found->column;
	draft->finding.end_line = found->end_line;
	draft->finding.end_column = found->end_column;
	sg_draft_set(draft, SG_DRAFT_RULE, found->rule);
	sg_draft_set(draft, SG_DRAFT_WORD, found->word);
	sg_draft_set(draft, SG_DRAFT_MESSAGE, found->message);
	sg_draft_set(draft, SG_DRAFT_PATH, found->path);
	return SL_OK;
}

/* C2 and C3 are the compiler's errors, C4 its warnings, whatever their word;
 * C2220 says that one of these became an error. */
static bool is_compile_error(const struct sg_diagnostic *found)
{
	struct sg_span rule = found->rule;

	if (found->severity != SG_ERROR || sg_span_is(rule, "C2220"))
		return false;
	if (sg_span_starts(rule, "LNK"))
		return rule.length > 3 && sg_is_digit(rule.text[3]);
	return rule.length == 5 && rule.text[0] == 'C' &&
	       (rule.text[1] == '2' || rule.text[1] == '3') &&
	       sg_is_digit(rule.text[4]);
}

static enum sl_code on_line(void *context, struct sg_span line,
			    struct sl_error *error)
{
	struct sg_msvc *msvc = context;
	struct sg_diagnostic found;
	bool done = false;
	enum sl_code code = sg_msvc_heap_line(msvc, line, &done, error);

	if (code != SL_OK || done)
		return code;
	if (!parse(line, &found)) {
		if (sg_span_has(line, "Build started") ||
		    sg_span_has(line, "Build succeeded") ||
		    sg_span_has(line, "cl.exe") ||
		    sg_span_has(line, "CL.exe") ||
		    sg_span_has(line, "Microsoft (R)"))
			msvc->log.familiar++;
		return SL_OK;
	}
	if (found.fatal || is_compile_error(&found))
		sg_textlog_failed(&msvc->log, sg_span_trim(line));
	if (found.note && msvc->log.draft.open && !msvc->heap) {
		add_note(msvc, &found);
		return SL_OK;
	}
	return begin(msvc, &found, error);
}

static enum sl_code on_sign(void *context, struct sg_span line,
			    struct sl_error *error)
{
	int *sure = context;
	struct sg_diagnostic found;

	(void)error;
	if (sg_msvc_is_heap_line(line))
		*sure = 90;
	else if (*sure < 80 && parse(line, &found) && found.line &&
		 found.word.length)
		*sure = 80;
	else if (*sure < 45 && parse(line, &found) && found.rule.length)
		*sure = 45;
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	int sure = 0;

	sg_textlog_sniff(start, length, on_sign, &sure);
	return sure;
}

static void *create(sg_finding_fn *take, void *context)
{
	return sg_textlog_create(sizeof(struct sg_msvc), on_line, take,
				 context);
}

const struct sg_format sg_format_msvc = {
	.name = "msvc",
	.summary = "text of Microsoft's tools, and lines of its debug heap",
	.sniff = sniff,
	.create = create,
	.feed = sg_textlog_feed,
	.finish = sg_textlog_finish,
	.destroy = sg_textlog_destroy,
};
