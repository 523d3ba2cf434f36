/* SPDX-License-Identifier: MIT */
/* The scan: tokens of a declaration are gathered until a brace or semicolon
 * says what they were; within a function only braces count. */
#include "match/function.h"

#include <stdlib.h>
#include <string.h>

#include "match/declarator.h"

enum {
	HEAD_MAX = 4096, /* tokens: longer is data, not a declaration */
	DEPTH_MAX = 256, /* scopes within scopes, #ifs within #ifs */
	NAME_MAX_BYTES = 512,
};

/* A namespace or class that is open. */
struct scope {
	size_t depth; /* braces open around it */
	size_t name_length; /* of the classes' names around it */
};

struct scan {
	const struct sg_source *source;
	struct sg_functions *functions;
	uint32_t head[HEAD_MAX];
	size_t head_count, brackets; /* round ones that are open in the head */
	size_t depth; /* braces */
	struct scope scopes[DEPTH_MAX];
	size_t scope_count;
	size_t ifs[DEPTH_MAX]; /* depth at each open #if */
	size_t if_count;
	char name[NAME_MAX_BYTES]; /* classes around, each with "::" */
	size_t name_length;
	bool in_function, in_block;
	bool reopens; /* the next brace is one that is open already */
	size_t block_depth; /* braces around the function or block */
};

static bool is(const struct scan *scan, uint32_t at, const char *text)
{
	return sg_token_is(scan->source, &scan->source->tokens[at], text);
}

/* Append to a name; what is too long for it is cut. */
static void append(char *name, size_t *length, const char *text, size_t bytes)
{
	if (bytes > NAME_MAX_BYTES - 1 - *length)
		bytes = NAME_MAX_BYTES - 1 - *length;
	memcpy(name + *length, text, bytes);
	*length += bytes;
	name[*length] = '\0';
}

/* Append the head's tokens [from, to) without templates' arguments. */
static void append_tokens(const struct scan *scan, char *name, size_t *length,
			  size_t from, size_t to)
{
	struct sg_head head = { scan->source, scan->head, scan->head_count };
	bool is_operator = false;
	bool after_word = false;

	for (size_t at = from; at < to; at++) {
		const struct sg_token *token =
			&scan->source->tokens[scan->head[at]];

		if (!is_operator && is(scan, scan->head[at], "<")) {
			at = sg_head_skip_group(&head, at) - 1;
			continue;
		}
		/* "operator bool" */
		if (after_word && token->kind == SG_WORD)
			append(name, length, " ", 1);
		is_operator |= is(scan, scan->head[at], "operator");
		after_word = token->kind == SG_WORD;
		append(name, length, scan->source->text + token->offset,
		       token->length);
	}
}

static bool add_function(struct scan *scan, size_t from, size_t to)
{
	struct sg_functions *list = scan->functions;
	size_t length = scan->name_length;
	struct sg_function *row;

	if (list->count == list->capacity) {
		size_t capacity = list->capacity * 2 + 16;
		struct sg_function *rows =
			realloc(list->rows, capacity * sizeof(*rows));

		if (!rows)
			return false;
		list->rows = rows;
		list->capacity = capacity;
	}
	append_tokens(scan, scan->name, &length, from, to);
	row = &list->rows[list->count];
	row->name = strndup(scan->name, length);
	scan->name[scan->name_length] = '\0';
	if (!row->name)
		return false;
	row->first_line = scan->source->tokens[scan->head[0]].line;
	row->last_line = scan->source->line_count;
	list->count++;
	return true;
}

static void open_scope(struct scan *scan, size_t from, size_t to)
{
	struct scope *scope;

	if (scan->scope_count == DEPTH_MAX) {
		scan->in_block = true;
		scan->block_depth = scan->depth;
		return;
	}
	scope = &scan->scopes[scan->scope_count++];
	scope->depth = scan->depth;
	scope->name_length = scan->name_length;
	if (to > from) {
		append_tokens(scan, scan->name, &scan->name_length, from, to);
		append(scan->name, &scan->name_length, "::", 2);
	}
}

/* Semicolons that end_declaration() kept are those of old-style parameters
 * only if the brace follows the last of them at once. */
static void drop_declarations(struct scan *scan)
{
	size_t from = scan->head_count;

	while (from > 0 && !is(scan, scan->head[from - 1], ";"))
		from--;
	if (from == scan->head_count)
		return;
	scan->head_count -= from;
	memmove(scan->head, scan->head + from,
		scan->head_count * sizeof(scan->head[0]));
}

/* "A::A(int a) : b{a}": a name before the brace, and a colon behind the
 * parameters, whose bracket is at @p bracket. */
static bool is_member_initialiser(const struct sg_head *head, size_t bracket)
{
	const struct sg_token *tokens = head->source->tokens;
	size_t at = sg_head_skip_group(head, bracket);

	if (tokens[head->tokens[head->count - 1]].kind != SG_WORD)
		return false;
	for (; at < head->count; at++)
		if (sg_token_is(head->source, &tokens[head->tokens[at]], ":"))
			return true;
	return false;
}

/* A brace that opens outside of functions and blocks. */
static bool open_declared(struct scan *scan)
{
	struct sg_head head = { .source = scan->source, .tokens = scan->head };
	size_t from, to;

	drop_declarations(scan);
	head.count = scan->head_count;
	switch (sg_head_classify(&head, &from, &to)) {
	case SG_HEAD_SCOPE:
	case SG_HEAD_CLASS:
		open_scope(scan, from, to);
		scan->head_count = 0;
		break;
	case SG_HEAD_FUNCTION:
		if (is_member_initialiser(&head, to)) {
			scan->in_block = true;
			scan->block_depth = scan->depth;
			break;
		}
		if (!add_function(scan, from, to))
			return false;
		scan->in_function = true;
		scan->block_depth = scan->depth;
		break;
	case SG_HEAD_OTHER:
		scan->in_block = true;
		scan->block_depth = scan->depth;
		break;
	}
	return true;
}

static void close_brace(struct scan *scan, uint32_t at)
{
	struct sg_functions *list = scan->functions;

	if (scan->depth > 0)
		scan->depth--;
	if (scan->in_function || scan->in_block) {
		if (scan->depth > scan->block_depth)
			return;
		if (scan->in_function) {
			list->rows[list->count - 1].last_line =
				scan->source->tokens[at].line;
			scan->head_count = 0;
		} else if (scan->head_count < HEAD_MAX) {
			/* behind an initialiser its declaration goes on */
			scan->head[scan->head_count++] = at;
		}
		scan->in_function = scan->in_block = false;
		return;
	}
	scan->head_count = 0;
	if (scan->scope_count > 0 &&
	    scan->depth <= scan->scopes[scan->scope_count - 1].depth) {
		scan->scope_count--;
		scan->name_length = scan->scopes[scan->scope_count].name_length;
		scan->name[scan->name_length] = '\0';
	}
}

/* Old-style parameters stand between the brackets and the brace: their
 * semicolons do not end the declaration: "int f(a) int a; {". So a semicolon
 * ends it unless a bracket and then a word stand before. */
static bool ends_declaration(const struct scan *scan)
{
	for (size_t at = scan->head_count; at-- > 0;) {
		const struct sg_token *token =
			&scan->source->tokens[scan->head[at]];

		if (is(scan, scan->head[at], ")"))
			return at + 2 >= scan->head_count;
		if (token->kind != SG_WORD && !is(scan, scan->head[at], "*") &&
		    !is(scan, scan->head[at], ",") &&
		    !is(scan, scan->head[at], ";"))
			return true;
	}
	return true;
}

/* What can be no old-style parameter declaration starts a new declaration. */
static void end_declaration(struct scan *scan, uint32_t at)
{
	const struct sg_source *source = scan->source;
	const struct sg_token *behind =
		at + 1 < source->token_count ? &source->tokens[at + 1] : NULL;

	if (!ends_declaration(scan) && behind && scan->head_count < 64 &&
	    (behind->kind == SG_WORD || is(scan, at + 1, "{")) &&
	    behind->line <= source->tokens[at].line + 1 &&
	    scan->head_count < HEAD_MAX)
		scan->head[scan->head_count++] = at;
	else
		scan->head_count = 0;
}

static bool add_token(struct scan *scan, uint32_t at)
{
	bool open_round = is(scan, at, "("), close_round = is(scan, at, ")");

	if (is(scan, at, "{")) {
		scan->brackets = 0;
		if (!scan->in_function && !scan->in_block &&
		    !open_declared(scan))
			return false;
		scan->depth++;
		return true;
	}
	if (is(scan, at, "}")) {
		scan->brackets = 0;
		close_brace(scan, at);
		return true;
	}
	if (scan->in_function || scan->in_block)
		return true;
	scan->brackets += open_round;
	scan->brackets -= close_round && scan->brackets > 0;
	if (is(scan, at, ";") && scan->brackets == 0)
		end_declaration(scan, at);
	else if (scan->head_count < HEAD_MAX)
		scan->head[scan->head_count++] = at;
	/* "public:" */
	if (is(scan, at, ":") && scan->head_count == 2)
		scan->head_count = 0;
	return true;
}

/* The branches of an #if close each other's braces: all but the first start
 * with those of the first's start. */
static void directive(struct scan *scan, uint32_t hash)
{
	const struct sg_source *source = scan->source;
	uint32_t at = hash + 1;
	bool within = scan->in_function || scan->in_block;

	if (at >= source->token_count || !source->tokens[at].directive)
		return;
	if (is(scan, at, "if") || is(scan, at, "ifdef") ||
	    is(scan, at, "ifndef")) {
		if (scan->if_count < DEPTH_MAX)
			scan->ifs[scan->if_count] = scan->depth;
		scan->if_count++;
	} else if (is(scan, at, "endif")) {
		scan->if_count -= scan->if_count > 0;
		scan->reopens = false;
	} else if ((is(scan, at, "else") || is(scan, at, "elif")) && within &&
		   scan->if_count > 0 && scan->if_count <= DEPTH_MAX) {
		size_t depth = scan->ifs[scan->if_count - 1];

		/* each branch may open the function whose body follows */
		if (depth > scan->block_depth)
			scan->depth = depth;
		else
			scan->reopens = scan->depth == scan->block_depth + 1;
	}
}

static enum sl_code run(struct scan *scan)
{
	const struct sg_source *source = scan->source;

	for (uint32_t at = 0; at < source->token_count; at++) {
		const struct sg_token *token = &source->tokens[at];

		if (token->directive) {
			if (is(scan, at, "#") &&
			    (at == 0 || !token[-1].directive ||
			     token[-1].line != token->line))
				directive(scan, at);
		} else if (scan->reopens && is(scan, at, "{")) {
			scan->reopens = false;
		} else if (!add_token(scan, at)) {
			return SL_ENOMEM;
		}
	}
	return SL_OK;
}

enum sl_code sg_functions_init(struct sg_functions *functions,
			       const struct sg_source *source)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	enum sl_code code = SL_ENOMEM;

	*functions = (struct sg_functions){ 0 };
	if (scan) {
		scan->source = source;
		scan->functions = functions;
		code = run(scan);
	}
	free(scan);
	if (code != SL_OK)
		sg_functions_finish(functions);
	return code;
}

void sg_functions_finish(struct sg_functions *functions)
{
	for (size_t at = 0; at < functions->count; at++)
		free(functions->rows[at].name);
	free(functions->rows);
	*functions = (struct sg_functions){ 0 };
}

const char *sg_function_at(const struct sg_functions *functions, int64_t line)
{
	size_t low = 0, high = functions->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (functions->rows[middle].first_line <= line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || functions->rows[low - 1].last_line < line)
		return NULL;
	return functions->rows[low - 1].name;
}
