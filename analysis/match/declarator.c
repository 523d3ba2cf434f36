/* SPDX-License-Identifier: MIT */
/* Which name before which brackets is the function's. */
#include "match/declarator.h"

#include <string.h>

static const struct sg_token *token_at(const struct sg_head *head, size_t at)
{
	return &head->source->tokens[head->tokens[at]];
}

static bool is_at(const struct sg_head *head, size_t at, const char *text)
{
	return at < head->count &&
	       sg_token_is(head->source, token_at(head, at), text);
}

static bool is_word_at(const struct sg_head *head, size_t at)
{
	return at < head->count && token_at(head, at)->kind == SG_WORD;
}

static bool is_one_of(const struct sg_head *head, size_t at,
		      const char *const *words)
{
	for (; *words; words++)
		if (is_at(head, at, *words))
			return true;
	return false;
}

size_t sg_head_skip_group(const struct sg_head *head, size_t at)
{
	const char *open = is_at(head, at, "<") ? "<" : "(";
	const char *close = *open == '<' ? ">" : ")";
	size_t depth = 0;

	for (; at < head->count; at++) {
		if (is_at(head, at, open))
			depth++;
		else if (is_at(head, at, close) && --depth == 0)
			return at + 1;
	}
	return head->count;
}

/* Words before brackets that are no declarator. */
static bool is_no_name(const struct sg_head *head, size_t at)
{
	static const char *const words[] = {
		"__attribute__", "__attribute", "__declspec", "_Alignas",
		"alignas",       "decltype",    "typeof",     "__typeof__",
		"noexcept",      "throw",       "requires",   "asm",
		"__asm__",       "explicit",    "if",         "for",
		"while",         "switch",      "return",     "catch",
		"sizeof",        "_Pragma",     "_Atomic",    "__extension__",
		"static_assert", "defined",     NULL,
	};

	return is_one_of(head, at, words);
}

/* A macro with arguments stands before the declaration if words follow, and
 * brackets with a name later: SL_PRINTF(1, 2) static void log(...). Behind it
 * ("void f(int) NOTHROW(x)") its own brackets come at once. */
static bool is_macro_before(const struct sg_head *head, size_t behind)
{
	if (!is_word_at(head, behind) || is_no_name(head, behind) ||
	    is_at(head, behind + 1, "("))
		return false;
	/* old-style parameters, and what qualifies a member function */
	for (size_t at = behind + 1; at + 1 < head->count; at++) {
		if (is_at(head, at, ";") || is_at(head, at, ":"))
			return false;
		if (is_word_at(head, at) && is_at(head, at + 1, "(") &&
		    !is_no_name(head, at) && is_word_at(head, at - 1))
			return true;
	}
	return false;
}

/* @return the first token of the qualified name that ends at @p last: back
 * over "A<int>::", "::" and "~". */
static size_t name_start(const struct sg_head *head, size_t last)
{
	size_t at = last;

	if (at > 0 && is_at(head, at - 1, "~"))
		at--;
	while (at > 1 && is_at(head, at - 1, "::")) {
		size_t before = at - 2, depth = 0;

		if (is_at(head, before, ">")) {
			for (; before > 0; before--) {
				depth += is_at(head, before, ">");
				if (is_at(head, before, "<") && --depth == 0)
					break;
			}
			if (before == 0)
				break;
			before--;
		}
		if (!is_word_at(head, before))
			break;
		at = before;
	}
	return at;
}

/* "operator" at @p at. @return the place of its parameters' bracket. */
static size_t operator_end(const struct sg_head *head, size_t at)
{
	at++;
	if (is_at(head, at, "(") && is_at(head, at + 1, ")"))
		at += 2;
	while (at < head->count && !is_at(head, at, "("))
		at++;
	return at;
}

static bool find_function(const struct sg_head *head, size_t *from, size_t *to)
{
	for (size_t at = 0; at < head->count; at++) {
		if (is_at(head, at, "operator")) {
			*from = name_start(head, at);
			*to = operator_end(head, at);
			return *to < head->count;
		}
		if (is_at(head, at, "="))
			return false;
		if (is_at(head, at, "template") && is_at(head, at + 1, "<")) {
			at = sg_head_skip_group(head, at + 1) - 1;
			continue;
		}
		if (!is_at(head, at, "("))
			continue;
		/* "(*name(parameters))(parameters)": look inside */
		if (is_at(head, at + 1, "*") || is_at(head, at + 1, "&"))
			continue;
		if (at > 0 && is_word_at(head, at - 1) &&
		    !is_no_name(head, at - 1) &&
		    !is_macro_before(head, sg_head_skip_group(head, at))) {
			*from = name_start(head, at - 1);
			*to = at;
			return true;
		}
		at = sg_head_skip_group(head, at) - 1;
	}
	return false;
}

/* @return the place of a class's keyword; head->count: it is none. */
static size_t find_class(const struct sg_head *head)
{
	static const char *const words[] = { "class", "struct", "union", NULL };

	for (size_t at = 0; at < head->count; at++) {
		if (is_at(head, at, "=") || is_at(head, at, "enum"))
			break;
		if (is_at(head, at, "template") && is_at(head, at + 1, "<"))
			at = sg_head_skip_group(head, at + 1) - 1;
		else if (is_one_of(head, at, words))
			return at;
	}
	return head->count;
}

/* The class's name is the last word before its bases. */
static void find_class_name(const struct sg_head *head, size_t keyword,
			    size_t *from, size_t *to)
{
	*from = *to = keyword;
	for (size_t at = keyword + 1; at < head->count; at++) {
		if (is_at(head, at, ":") || is_at(head, at, "final"))
			return;
		if (is_at(head, at, "<") || is_at(head, at, "(")) {
			at = sg_head_skip_group(head, at) - 1;
			continue;
		}
		if (is_word_at(head, at) && !is_no_name(head, at)) {
			*from = name_start(head, at);
			*to = at + 1;
		}
	}
}

enum sg_head_kind sg_head_classify(const struct sg_head *head, size_t *from,
				   size_t *to)
{
	size_t keyword;

	*from = *to = 0;
	if (is_at(head, 0, "extern") && head->count == 2 &&
	    token_at(head, 1)->kind == SG_STRING)
		return SG_HEAD_SCOPE;
	if (is_at(head, 0, "namespace") ||
	    (is_at(head, 0, "inline") && is_at(head, 1, "namespace")))
		return SG_HEAD_SCOPE;
	if (find_function(head, from, to))
		return SG_HEAD_FUNCTION;
	*from = *to = 0;
	keyword = find_class(head);
	if (keyword == head->count)
		return SG_HEAD_OTHER;
	find_class_name(head, keyword, from, to);
	return SG_HEAD_CLASS;
}
