/* SPDX-License-Identifier: MIT */
/* One line of a compiler: place, word, message, rule. */
#include "read/diagnostic.h"

#include <string.h>

#include "read/diagnostic_forms.h"
#include "read/spans.h"

/* What programs put their own name before a message without a place. */
#define PROGRAM(name) \
	{ \
		name, sizeof(name) - 1 \
	}
static const struct sg_span programs[] = {
	PROGRAM("cc1"),        PROGRAM("cc1plus"),     PROGRAM("cc1obj"),
	PROGRAM("cc1objplus"), PROGRAM("lto1"),        PROGRAM("collect2"),
	PROGRAM("f951"),       PROGRAM("gnat1"),       PROGRAM("gcc"),
	PROGRAM("g++"),        PROGRAM("cc"),          PROGRAM("c++"),
	PROGRAM("clang"),      PROGRAM("clang++"),     PROGRAM("ld"),
	PROGRAM("ld.bfd"),     PROGRAM("ld.gold"),     PROGRAM("ld.lld"),
	PROGRAM("lld"),        PROGRAM("gfortran"),    PROGRAM("as"),
	PROGRAM("cppcheck"),   PROGRAM("lto-wrapper"), PROGRAM("clang-tidy"),
};

static size_t blanks(struct sg_span text, size_t at)
{
	size_t from = at;

	while (at < text.length && (text.text[at] == ' '))
		at++;
	return at - from;
}

/* `10`, `10.12` (gfortran's line.column), `10-12`, and after a column clang's
 * `{3:1-3:5}`. @return the bytes. */
static size_t range(struct sg_span line, size_t at, int64_t *first,
		    int64_t *last)
{
	size_t digits = sg_span_number(line, at, first), more = 0;

	if (digits && at + digits < line.length &&
	    line.text[at + digits] == '-')
		more = sg_span_number(line, at + digits + 1, last);
	return more ? digits + 1 + more : digits;
}

/* The bytes of the place's numbers from the digit at @p at on, with the last
 * colon; 0: these are no place. */
static size_t numbers(struct sg_span line, size_t at,
		      struct sg_diagnostic *found)
{
	size_t from = at,
	       used = range(line, at, &found->line, &found->end_line);

	if (!used)
		return 0;
	at += used;
	if (at < line.length && (line.text[at] == ':' || line.text[at] == '.' ||
				 line.text[at] == ',')) {
		used = range(line, at + 1, &found->column, &found->end_column);
		if (used)
			at += 1 + used;
	}
	if (at + 1 < line.length && line.text[at] == ':' &&
	    line.text[at + 1] == '{') {
		size_t close = sg_span_find(line, at, "}:");

		if (close < line.length)
			at = close + 1;
	}
	return at < line.length && line.text[at] == ':' ? at + 1 - from : 0;
}

/* Of "x.c:-1:4294967296" the file: no line is known. */
static struct sg_span without_numbers(struct sg_span path)
{
	for (int many = 0; many < 2; many++) {
		size_t at = path.length;

		while (at && (sg_is_digit(path.text[at - 1]) ||
			      path.text[at - 1] == '-'))
			at--;
		if (!at || at == path.length || path.text[at - 1] != ':')
			break;
		path.length = at - 1;
	}
	return path;
}

size_t sg_place_parse(struct sg_span line, struct sg_diagnostic *found)
{
	size_t at = 0;

	while ((at = sg_span_find(line, at, ":")) < line.length) {
		size_t used;

		at++;
		if (at < 2 || at == line.length || !sg_is_digit(line.text[at]))
			continue;
		found->line = found->column = 0;
		found->end_line = found->end_column = 0;
		used = numbers(line, at, found);
		/* a path may hold ":12:", but then no blank follows */
		if (used &&
		    (at + used == line.length || line.text[at + used] == ' ' ||
		     sg_word_parse(sg_span_from(line, at + used), found))) {
			found->path = without_numbers(sg_span_to(line, at - 1));
			if (found->path.length != at - 1) {
				found->line = found->column = 0;
				found->end_line = found->end_column = 0;
			}
			return found->path.length ? at + used : 0;
		}
	}
	return 0;
}

/* Names of rules have no blanks; clang's categories may. */
static bool is_rule(struct sg_span rule)
{
	bool letter = false;

	if (!rule.length || rule.length > 256 || rule.text[0] == '.')
		return false;
	for (size_t at = 0; at < rule.length; at++) {
		char byte = rule.text[at];

		letter = letter || sg_is_letter(byte);
		if (!sg_is_letter(byte) && !sg_is_digit(byte) && byte != '-' &&
		    !strchr("_.,=+#/:", byte) &&
		    !(byte == ' ' && rule.text[0] == '-'))
			return false;
	}
	return letter;
}

/* `-Werror=foo` and clang's `-Werror,-Wfoo` are -Wfoo; clang-tidy appends
 * `,-warnings-as-errors`. */
static void plain_rule(struct sg_span rule, struct sg_diagnostic *found)
{
	static const char behind[] = ",-warnings-as-errors";

	if (sg_span_starts(rule, "-Werror,")) {
		rule = sg_span_from(rule, strlen("-Werror,"));
		found->as_error = true;
	}
	if (sg_span_ends(rule, behind)) {
		rule.length -= strlen(behind);
		found->as_error = true;
	}
	found->rule = rule;
	/* a warning that no option rules has the latter */
	if (sg_span_starts(rule, "-Werror=") || sg_span_is(rule, "-Werror"))
		found->as_error = true;
}

/* The text in the brackets at the message's end, and where it begins; without a
 * closing bracket 0. */
static size_t last_bracket(struct sg_span message, struct sg_span *inside)
{
	size_t at = message.length;

	if (at < 4 || message.text[at - 1] != ']')
		return 0;
	while (at && message.text[at - 1] != '[')
		at--;
	if (!at)
		return 0;
	*inside = sg_span_from(message, at);
	inside->length--;
	return at;
}

static bool is_cwe(struct sg_span inside, int64_t *cwe)
{
	size_t at = strlen("CWE-");

	return sg_span_starts(inside, "CWE-") &&
	       at + sg_span_number(inside, at, cwe) == inside.length;
}

/* ` <--[tool]` */
static size_t take_tool(struct sg_diagnostic *found, size_t at,
			struct sg_span *inside)
{
	if (at < 6 || memcmp(found->message.text + at - 5, " <--[", 5) != 0)
		return at;
	found->tool = *inside;
	found->message.length = at - 5;
	return last_bracket(found->message, inside);
}

void sg_rule_parse(struct sg_diagnostic *found)
{
	struct sg_span inside = { 0 };
	size_t at;

	found->message = sg_span_trim(found->message);
	at = last_bracket(found->message, &inside);
	at = take_tool(found, at, &inside);
	while (at >= 2 && found->message.text[at - 2] == ' ') {
		if (!found->cwe && is_cwe(inside, &found->cwe))
			;
		else if (!found->rule.length && is_rule(inside))
			plain_rule(inside, found);
		else
			break;
		found->message.length = at - 2;
		at = last_bracket(found->message, &inside);
	}
	found->message = sg_span_trim(found->message);
}

bool sg_program_is(struct sg_span path)
{
	size_t at = path.length;

	while (at && path.text[at - 1] != '/' && path.text[at - 1] != '\\')
		at--;
	path = sg_span_from(path, at);
	if (sg_span_ends(path, ".exe"))
		path.length -= strlen(".exe");
	/* gcc-12, clang-15 */
	while (path.length &&
	       (sg_is_digit(path.text[path.length - 1]) ||
		path.text[path.length - 1] == '.') &&
	       sg_span_has(path, "-"))
		path.length--;
	if (sg_span_ends(path, "-"))
		path.length--;
	for (at = 0; at < sizeof(programs) / sizeof(programs[0]); at++) {
		struct sg_span name = programs[at];

		/* the last byte tells most of them apart */
		if (path.length < name.length ||
		    path.text[path.length - 1] != name.text[name.length - 1] ||
		    !sg_span_equal(
			    name,
			    sg_span_from(path, path.length - name.length)))
			continue;
		/* x86_64-linux-gnu-gcc */
		if (path.length == name.length ||
		    path.text[path.length - name.length - 1] == '-')
			return true;
	}
	return false;
}

/* `cc1: warning: ...`, `test.c: warning: ...`: a word, but no line. */
static bool without_line(struct sg_span line, struct sg_diagnostic *found)
{
	size_t colon = sg_span_find(line, 0, ": "), used;
	struct sg_span path = sg_span_to(line, colon);

	if (!colon || colon == line.length)
		return false;
	used = sg_word_parse(sg_span_from(line, colon + 2), found);
	if (!used || !found->severity)
		return false;
	if (!sg_program_is(path)) {
		/* a file, not a sentence */
		if (sg_span_has(path, " ") || !sg_span_has(path, ".") ||
		    sg_span_ends(path, "."))
			return false;
		found->path = without_numbers(path);
		if (!found->path.length)
			return false;
	} else if (sg_span_is(path, "ld") || sg_span_ends(path, "/ld") ||
		   sg_span_starts(path, "ld.")) {
		found->tool = SG_SPAN("ld");
	}
	found->message = sg_span_from(line, colon + 2 + used);
	return true;
}

/* Without a word it is a finding of old compilers and of linters if it says a
 * column and its path looks like one; a time of day is no place. */
static bool plausible(const struct sg_diagnostic *found)
{
	struct sg_span path = found->path;

	return found->column && path.length && !sg_span_has(path, " ") &&
	       (sg_span_has(path, ".") || sg_span_has(path, "/") ||
		sg_span_has(path, "\\")) &&
	       found->message.length;
}

/* Builders put things before a compiler's line: "C/C++: ", "11% ", "[exec] ". A
 * path that has these itself is rarer. */
static struct sg_span without_prefix(struct sg_span path)
{
	size_t at = 0, next;

	while ((next = sg_span_find(path, at, ": ")) < path.length)
		at = next + 2;
	path = sg_span_trim(sg_span_from(path, at));
	if (sg_span_starts(path, "[")) {
		at = sg_span_find(path, 0, "] ");
		if (at + 2 < path.length)
			path = sg_span_trim(sg_span_from(path, at + 2));
	}
	for (at = 0; at < path.length && sg_is_digit(path.text[at]); at++)
		;
	if (at && sg_span_starts(sg_span_from(path, at), "% "))
		path = sg_span_trim(sg_span_from(path, at + 2));
	return path;
}

bool sg_diagnostic_parse(struct sg_span line, struct sg_diagnostic *found)
{
	size_t at, used;

	*found = (struct sg_diagnostic){ 0 };
	at = sg_place_parse(line, found);
	if (!at) {
		if (!sg_form_smatch(line, found) && !without_line(line, found))
			return false;
		sg_rule_parse(found);
		return true;
	}
	at += blanks(line, at);
	used = sg_word_parse(sg_span_from(line, at), found);
	found->message = sg_span_from(line, at + used);
	if (!used && !plausible(found))
		return false;
	if (!used)
		sg_form_gnat(found);
	found->path = without_prefix(found->path);
	sg_rule_parse(found);
	sg_form_cppcheck(found);
	return found->path.length > 0;
}
