/* SPDX-License-Identifier: MIT */
/* Lines of a compiler's log that are about the next finding. */
#include "read/context.h"

#include <string.h>

#include "read/spans.h"

static const char *const opening[] = { "'", "`", "\"", "‘",  "’", "“",
				       "«", "»", "„",  "『", "「" };
static const char *const closing[] = { "'", "\"", "’", "‘",  "”",
				       "“", "»",  "«", "』", "」" };

/* Words before the name of a function: gcc's and its translations'. */
static const char *const kinds[] = {
	"function", "constructor", "destructor", "subroutine", "lambda",
	"Funktion", "Konstruktor", "Destruktor", "fonction",   "constructeur",
	"función",  "funzione",    "função",     "funktion",   "funkcji",
	"функции",  "関数",        "函数",       "method",     "program",
	"In block", "In kernel",
};

/* How chains begin, and how they go on. */
#define CHAIN_STARTS 4
static const char *const chain_words[] = {
	"In file included from ",
	"In Datei, eingebunden von ",
	"Dans le fichier inclus depuis ",
	"En el archivo incluido desde ",
	"from ",
	"von ",
	"depuis ",
	"desde ",
};

/* The length of the quote at @p at; 0: there is none. */
static size_t quote_at(struct sg_span text, size_t at,
		       const char *const *quotes, size_t count)
{
	unsigned char byte = (unsigned char)text.text[at];
	struct sg_span rest = sg_span_from(text, at);

	/* nearly everywhere there is none: all start with one of these */
	if (byte < 0x80 && byte != '\'' && byte != '"' && byte != '`')
		return 0;
	for (size_t quote = 0; quote < count; quote++)
		if (sg_span_starts(rest, quotes[quote]))
			return strlen(quotes[quote]);
	return 0;
}

/* From behind the first opening quote to the last closing one. */
struct sg_span sg_quoted(struct sg_span text)
{
	size_t from = 0, length = 0, to = text.length;
	struct sg_span none = { 0 };

	while (from < text.length &&
	       !(length = quote_at(text, from, opening,
				   sizeof(opening) / sizeof(opening[0]))))
		from++;
	from += length;
	while (to > from && (to == text.length ||
			     !quote_at(text, to, closing,
				       sizeof(closing) / sizeof(closing[0]))))
		to--;
	if (to <= from)
		return none;
	return sg_span_trim(sg_span_to(sg_span_from(text, from), to - from));
}

static size_t keep(char *to, size_t room, struct sg_span text)
{
	size_t length = text.length;

	if (length > room) {
		length = room;
		while (length && (text.text[length] & 0xc0) == 0x80)
			length--;
	}
	if (length)
		memcpy(to, text.text, length);
	return length;
}

/* The line and column at the end of a text: `a.h:3`, `a.h:3:12`. */
static bool place_at_end(struct sg_span text, struct sg_diagnostic *found)
{
	int64_t numbers[2];
	int count = 0;

	while (count < 2) {
		size_t at = text.length;

		while (at && sg_is_digit(text.text[at - 1]))
			at--;
		if (!at || text.text[at - 1] != ':' ||
		    !sg_span_number(text, at, &numbers[count]))
			break;
		count++;
		text.length = at - 1;
	}
	if (!count || !text.length)
		return false;
	found->path = text;
	found->line = numbers[count - 1];
	found->column = count == 2 ? numbers[0] : 0;
	return true;
}

static void add_link(struct sg_context *context,
		     const struct sg_diagnostic *place, struct sg_span words)
{
	struct sg_chain_link *link = &context->chain[context->chain_count];
	char *text = context->chain_text + context->chain_text_length;
	size_t room = sizeof(context->chain_text) - context->chain_text_length;

	if (context->chain_count == SG_CONTEXT_CHAIN ||
	    room < place->path.length + words.length)
		return;
	memcpy(text, place->path.text, place->path.length);
	memcpy(text + place->path.length, words.text, words.length);
	*link = (struct sg_chain_link){
		.path = context->chain_text_length,
		.path_length = place->path.length,
		.words = context->chain_text_length + place->path.length,
		.words_length = words.length,
		.line = place->line,
		.column = place->column,
	};
	context->chain_text_length += place->path.length + words.length;
	context->chain_count++;
}

void sg_context_pass(struct sg_context *context)
{
	context->chain_count = 0;
	context->chain_text_length = 0;
}

/* "inlined from 'f' at x.c:3:12," */
static bool inlined(struct sg_context *context, struct sg_span text)
{
	struct sg_diagnostic place = { 0 };
	size_t at = text.length, next = 0;

	if (!sg_span_starts(text, "inlined from "))
		return false;
	while ((next = sg_span_find(text, next, " at ")) < text.length)
		at = next++;
	if (at == text.length ||
	    !place_at_end(sg_span_from(text, at + 4), &place))
		return false;
	add_link(context, &place, sg_span_to(text, at));
	return true;
}

/* "x.cpp:64:49:   required from here", before a template's finding. */
static bool required(struct sg_context *context, struct sg_span line)
{
	static const char *const starts[] = {
		"required ",          "recursively required ",
		"instantiated from ", "in ‘constexpr’ ",
		"in 'constexpr' ",
	};
	struct sg_diagnostic place = { 0 };
	size_t at = sg_place_parse(line, &place);
	struct sg_span words = sg_span_trim(sg_span_from(line, at));

	for (size_t start = 0; at && start < sizeof(starts) / sizeof(starts[0]);
	     start++) {
		if (!sg_span_starts(words, starts[start]))
			continue;
		add_link(context, &place, words);
		return true;
	}
	return false;
}

static bool chained(struct sg_context *context, struct sg_span line)
{
	struct sg_span text = sg_span_trim(line);
	bool goes_on = line.length && *line.text == ' ';
	struct sg_diagnostic place = { 0 };

	if (required(context, text))
		return true;
	if (!sg_span_ends(text, ",") && !sg_span_ends(text, ":"))
		return false;
	text.length--;
	if (goes_on && inlined(context, text))
		return true;
	for (size_t at = goes_on ? CHAIN_STARTS : 0;
	     at < sizeof(chain_words) / sizeof(chain_words[0]); at++) {
		if (!sg_span_starts(text, chain_words[at]))
			continue;
		text = sg_span_from(text, strlen(chain_words[at]));
		if (!place_at_end(text, &place))
			return false;
		add_link(context, &place, SG_SPAN("included from here"));
		return true;
	}
	return false;
}

static struct sg_scope *scope_of(struct sg_context *context,
				 struct sg_span path)
{
	for (size_t at = 0; at < SG_CONTEXT_SCOPES; at++) {
		struct sg_scope *scope = &context->scopes[at];

		if (scope->path_length &&
		    sg_span_equal(path, (struct sg_span){ scope->path,
							  scope->path_length }))
			return scope;
	}
	return NULL;
}

static void set_scope(struct sg_context *context, struct sg_span path,
		      struct sg_span function)
{
	struct sg_scope *scope = &context->loose;

	if (path.length > sizeof(scope->path))
		return;
	/* it begins a block, which ends the one that had no path of its own */
	if (scope->path_length)
		*scope = (struct sg_scope){ 0 };
	if (path.length) {
		scope = scope_of(context, path);
		if (!scope) {
			scope = &context->scopes[context->next_scope];
			context->next_scope =
				(context->next_scope + 1) % SG_CONTEXT_SCOPES;
		}
	}
	scope->path_length = keep(scope->path, sizeof(scope->path), path);
	scope->function_length =
		keep(scope->function, sizeof(scope->function), function);
}

/* "x.c: In function 'f':", "x.c: At top level:", "In function 'f',". The
 * linker's "/usr/bin/ld: x.o: in function `f':" is about its next line. */
static bool scoped(struct sg_context *context, struct sg_span line)
{
	struct sg_span path = { 0 }, text = line, name;
	size_t colon;

	if (!sg_span_ends(line, ":") && !sg_span_ends(line, ","))
		return false;
	colon = sg_span_find(line, 0, ": ");
	if (colon < line.length) {
		path = sg_span_to(line, colon);
		text = sg_span_from(line, colon + 2);
	}
	if (sg_span_starts(text, "At ")) {
		set_scope(context, path, (struct sg_span){ 0 });
		return true;
	}
	for (size_t at = 0; at < sizeof(kinds) / sizeof(kinds[0]); at++) {
		if (!sg_span_has(text, kinds[at]))
			continue;
		name = sg_quoted(text);
		if (!name.length)
			return false;
		if (sg_program_is(path) || sg_span_ends(path, ".o") ||
		    sg_span_has(text, "): In function "))
			path.length = 0;
		set_scope(context, path, name);
		return true;
	}
	return false;
}

static void enter(struct sg_context *context, int64_t level,
		  struct sg_span path)
{
	struct sg_directory *into;

	if (context->directory_count == SG_CONTEXT_DIRECTORIES ||
	    path.length > sizeof(into->path))
		return;
	into = &context->directories[context->directory_count++];
	into->level = level;
	into->length = keep(into->path, sizeof(into->path), path);
}

static void leave(struct sg_context *context, int64_t level,
		  struct sg_span path)
{
	for (size_t at = context->directory_count; at-- > 0;) {
		struct sg_directory *from = &context->directories[at];

		if (from->level != level ||
		    !sg_span_equal(
			    path, (struct sg_span){ from->path, from->length }))
			continue;
		context->directory_count--;
		memmove(from, from + 1,
			(context->directory_count - at) * sizeof(*from));
		return;
	}
}

static bool moved(struct sg_context *context, struct sg_span line)
{
	size_t at = sg_span_find(line, 0, ": Entering directory "), open;
	bool entering = at < line.length;
	struct sg_span path;
	int64_t level = 0;

	if (!entering)
		at = sg_span_find(line, 0, ": Leaving directory ");
	if (at == line.length)
		return false;
	path = sg_quoted(sg_span_from(line, at));
	open = sg_span_find(sg_span_to(line, at), 0, "[");
	if (open < at && !sg_span_number(line, open + 1, &level))
		level = 0;
	if (!path.length)
		return false;
	if (entering)
		enter(context, level, path);
	else
		leave(context, level, path);
	return true;
}

bool sg_context_line(struct sg_context *context, struct sg_span line)
{
	return chained(context, line) || scoped(context, line) ||
	       moved(context, line);
}

/* gcc says "In function 'f'," once for all findings of a block, and without a
 * path where f is inlined: the first finding tells whose it is. */
static const struct sg_scope *loose_scope(struct sg_context *context,
					  struct sg_span path)
{
	struct sg_scope *loose = &context->loose;

	if (!loose->function_length)
		return NULL;
	if (loose->path_length)
		return sg_span_equal(path,
				     (struct sg_span){ loose->path,
						       loose->path_length })
			       ? loose
			       : NULL;
	if (path.length <= sizeof(loose->path))
		loose->path_length =
			keep(loose->path, sizeof(loose->path), path);
	return loose;
}

void sg_context_apply(struct sg_context *context, struct sg_span path,
		      struct sg_draft *draft)
{
	const struct sg_scope *scope = loose_scope(context, path);

	if (!scope)
		scope = scope_of(context, path);
	if (scope)
		sg_draft_set(draft, SG_DRAFT_FUNCTION,
			     (struct sg_span){ scope->function,
					       scope->function_length });
	/* one of a finding without a path was for that alone */
	if (scope == &context->loose && !scope->path_length)
		context->loose.function_length = 0;
	for (size_t at = 0; at < context->chain_count; at++) {
		const struct sg_chain_link *link = &context->chain[at];
		struct sg_span file = { context->chain_text + link->path,
					link->path_length };
		struct sg_draft_event event = {
			.path = sg_context_path(context, file),
			.message = { context->chain_text + link->words,
				     link->words_length },
			.line = link->line,
			.column = link->column,
		};

		sg_draft_event(draft, &event);
	}
	sg_context_pass(context);
}

static bool is_absolute(struct sg_span path)
{
	return path.length && (path.text[0] == '/' || path.text[0] == '\\' ||
			       path.text[0] == '<' ||
			       (path.length > 1 && path.text[1] == ':'));
}

struct sg_span sg_context_path(struct sg_context *context, struct sg_span path)
{
	const struct sg_directory *deepest = NULL;
	bool alone = true;
	size_t length;

	if (!path.length || is_absolute(path))
		return path;
	for (size_t at = 0; at < context->directory_count; at++) {
		const struct sg_directory *in = &context->directories[at];

		if (!deepest || in->level > deepest->level) {
			deepest = in;
			alone = true;
		} else if (in->level == deepest->level) {
			alone = false;
		}
	}
	if (!deepest || !alone ||
	    deepest->length + 1 + path.length > sizeof(context->joined))
		return path;
	length = deepest->length;
	memcpy(context->joined, deepest->path, length);
	context->joined[length++] = '/';
	memcpy(context->joined + length, path.text, path.length);
	return (struct sg_span){ context->joined, length + path.length };
}
