/* SPDX-License-Identifier: MIT */
/* The lines of a compiler's log that are not of its usual form: the linker's,
 * -fanalyzer's paths, and gfortran's, whose place is lines above the words. */
#include <string.h>

#include "read/compiler.h"
#include "read/spans.h"

/* gfortran shows the source line and a mark between place and words. */
#define FORTRAN_LINES 10

static const char *const linker_words[] = {
	"undefined reference to ",
	"multiple definition of ",
	"cannot find -l",
	"undefined symbol: ",
	"relocation truncated to fit: ",
	"DSO missing from command line",
	"unresolvable ",
};

/* "/usr/bin/ld: main.o:main.c:(.text+0x5)": the file, and a line if that is
 * known. */
static void linker_place(struct sg_span text, struct sg_diagnostic *found)
{
	size_t section, colon;
	struct sg_span program;

	colon = sg_span_find(text, 0, ": ");
	program = sg_span_to(text, colon);
	if (colon < text.length && sg_program_is(program))
		text = sg_span_from(text, colon + 2);
	section = sg_span_find(text, 0, ":(");
	if (section == text.length)
		section = sg_span_find(text, 0, "(.");
	text = sg_span_trim(sg_span_to(text, section));
	if (sg_span_ends(text, ":"))
		text.length--;
	colon = text.length;
	while (colon && sg_is_digit(text.text[colon - 1]))
		colon--;
	if (colon > 1 && text.text[colon - 1] == ':' &&
	    sg_span_number(text, colon, &found->line))
		text.length = colon - 1;
	colon = sg_span_find(text, 0, ".o:");
	if (colon + 3 < text.length)
		text = sg_span_from(text, colon + 3);
	if (!sg_program_is(text) && !sg_span_is(text, "error") &&
	    !sg_span_has(text, " "))
		found->path = text;
}

enum sl_code sg_compiler_linker(struct sg_compiler *compiler,
				struct sg_span line, bool *done,
				struct sl_error *error)
{
	size_t words = sg_span_says(line, linker_words,
				    sizeof(linker_words) /
					    sizeof(linker_words[0])),
	       before;
	struct sg_diagnostic found = { .severity = SG_ERROR };
	enum sl_code code;

	if (words == line.length || line.text[0] == ' ')
		return SL_OK;
	before = words ? words - 2 : 0;
	found.message = sg_span_from(line, words);
	linker_place(sg_span_to(line, before), &found);
	if (!words && !sg_span_starts(line, "undefined reference"))
		return SL_OK;
	sg_rule_parse(&found);
	sg_compiler_judge(compiler, &found, line);
	code = sg_compiler_begin(compiler, &found, "ld", error);
	*done = true;
	return code;
}

/* "  'f': events 1-2", also "event 3" and "(fd 3)". */
static bool path_header(struct sg_compiler *compiler, struct sg_span line)
{
	size_t at = sg_span_find(line, 0, ": event");
	struct sg_span name;
	size_t length;

	if (at == line.length)
		return false;
	name = sg_quoted(sg_span_to(line, at));
	length = name.length;
	if (!length || length > sizeof(compiler->event_function))
		length = 0;
	if (length)
		memcpy(compiler->event_function, name.text, length);
	compiler->event_function_length = length;
	compiler->event_line = 0;
	compiler->event_path_length = 0;
	/* a path goes on with the next header; notes come before it */
	if (!compiler->wants_note)
		compiler->event_base = compiler->log.draft.event_count;
	compiler->wants_note = true;
	return true;
}

/* "|      |   (1) allocated here": the number in brackets and what it says. */
static bool path_words(struct sg_span line, struct sg_span *words,
		       int64_t *number)
{
	size_t at = line.length, next = 0;

	while ((next = sg_span_find(line, next, "(")) < line.length) {
		size_t digits = sg_span_number(line, next + 1, number);

		if (digits && next + 1 + digits + 1 < line.length &&
		    memcmp(line.text + next + 1 + digits, ") ", 2) == 0 &&
		    next && strchr(" |-", line.text[next - 1])) {
			at = next + 1 + digits + 2;
			break;
		}
		next++;
	}
	if (at >= line.length)
		return false;
	*words = sg_span_trim(sg_span_from(line, at));
	return words->length > 0;
}

/* "   |   12 | source": the number. */
static bool source_line(struct sg_span line, int64_t *number)
{
	size_t at = 0, digits;

	while (at < line.length && strchr(" |+->", line.text[at]))
		at++;
	digits = sg_span_number(line, at, number);
	return digits && sg_span_starts(sg_span_from(line, at + digits), " |");
}

/* "    |src/main.c:4:5:" before lines of another file than the finding's. */
static bool source_file(struct sg_compiler *compiler, struct sg_span line)
{
	struct sg_diagnostic place = { 0 };
	size_t at = 0;

	if (!sg_span_ends(line, ":"))
		return false;
	while (at < line.length && strchr(" |", line.text[at]))
		at++;
	line = sg_span_from(line, at);
	if (!at || sg_place_parse(line, &place) != line.length ||
	    sg_span_has(place.path, " "))
		return false;
	place.path = sg_context_path(&compiler->context, place.path);
	if (place.path.length > sizeof(compiler->event_path))
		place.path.length = 0;
	memcpy(compiler->event_path, place.path.text, place.path.length);
	compiler->event_path_length = place.path.length;
	return true;
}

/* Where the source line shown last is: in the finding's file, if no other is
 * said. The draft's own text may move while an event is added. */
static struct sg_span event_path(struct sg_compiler *compiler)
{
	const char *own = sg_draft_get(&compiler->log.draft, SG_DRAFT_PATH);
	size_t length = strlen(own);

	if (!compiler->event_path_length &&
	    length <= sizeof(compiler->event_path)) {
		memcpy(compiler->event_path, own, length);
		compiler->event_path_length = length;
	}
	return (struct sg_span){ compiler->event_path,
				 compiler->event_path_length };
}

/* Labels under one source line are drawn from the right to the left. */
static void put_in_order(struct sg_compiler *compiler, int64_t number)
{
	struct sg_draft *draft = &compiler->log.draft;
	int64_t *numbers = compiler->event_numbers;
	size_t at = draft->event_count;

	/* the draft was full */
	if (!at || at > SG_DRAFT_EVENTS || draft->no_memory)
		return;
	for (at--; at > compiler->event_base && numbers[at - 1] > number;
	     at--) {
		numbers[at] = numbers[at - 1];
		sg_draft_swap(draft, at + 1);
	}
	numbers[at] = number;
}

bool sg_compiler_path(struct sg_compiler *compiler, struct sg_span line)
{
	struct sg_draft *draft = &compiler->log.draft;
	struct sg_draft_event event = { 0 };
	int64_t number = 0;

	if (line.text[0] != ' ' || !draft->open) {
		if (line.text[0] != ' ')
			compiler->wants_note = false;
		return false;
	}
	if (path_header(compiler, line))
		return true;
	if (!compiler->wants_note)
		return false;
	if (source_line(line, &compiler->event_line) ||
	    source_file(compiler, line))
		return true;
	if (!path_words(line, &event.message, &number))
		return true;
	if (compiler->event_line) {
		event.path = event_path(compiler);
		event.line = compiler->event_line;
	}
	event.function = (struct sg_span){ compiler->event_function,
					   compiler->event_function_length };
	if (draft->event_count >= SG_DRAFT_EVENTS)
		return true;
	sg_draft_event(draft, &event);
	put_in_order(compiler, number);
	return true;
}

/* A line that is a place and nothing else. */
static bool place_alone(struct sg_compiler *compiler, struct sg_span line)
{
	struct sg_diagnostic place = { 0 };

	if (!sg_span_ends(line, ":") || line.text[0] == ' ')
		return false;
	if (sg_place_parse(line, &place) != line.length ||
	    place.path.length > sizeof(compiler->place_path) ||
	    sg_span_has(place.path, " "))
		return false;
	memcpy(compiler->place_path, place.path.text, place.path.length);
	place.path.text = compiler->place_path;
	compiler->place = place;
	compiler->place_age = 1;
	return true;
}

bool sg_compiler_fortran(struct sg_compiler *compiler, struct sg_span line,
			 struct sg_diagnostic *found)
{
	size_t words;

	if (place_alone(compiler, line) || !compiler->place_age)
		return false;
	if (++compiler->place_age > FORTRAN_LINES) {
		compiler->place_age = 0;
		return false;
	}
	*found = compiler->place;
	words = sg_word_parse(line, found);
	if (sg_span_is(line, "Internal Error at (1):")) {
		words = line.length;
		found->word = sg_span_to(line, strlen("Internal Error"));
		found->severity = SG_ERROR;
		found->fatal = true;
		compiler->wants_words = true;
	}
	if (!words || found->word.text[0] < 'A' || found->word.text[0] > 'Z')
		return false;
	compiler->place_age = 0;
	found->message = sg_span_from(line, words);
	sg_rule_parse(found);
	return true;
}
