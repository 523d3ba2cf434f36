/* SPDX-License-Identifier: MIT */
/* Part by part: a "**" takes parts as a '*' takes letters, and of both only
 * the last one met need be tried again. */
#include "gate/pattern.h"

#include <stddef.h>
#include <string.h>

/* ---- one part ---------------------------------------------------------- */

/* @return behind the character of UTF-8, or the byte, at @p at. */
static const char *behind_character(const char *at, const char *end)
{
	for (at++; at < end && ((unsigned char)*at & 0xc0) == 0x80; at++)
		;
	return at;
}

/* @return the ']' of the class that starts at @p at; NULL: it is none. */
static const char *class_end(const char *at, const char *end)
{
	at++;
	if (at < end && (*at == '!' || *at == '^'))
		at++;
	/* one that comes first is of the class */
	if (at < end)
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	for (; at < end && *at != ']'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at < end ? at : NULL;
}

/* @p at is behind the '[', @p end at its ']'. */
static bool class_fits(const char *at, const char *end, char given)
{
	bool negated = *at == '!' || *at == '^';
	unsigned char wanted = (unsigned char)given;
	bool found = false;

	for (at += negated; at < end; at++) {
		unsigned char low, high;

		if (*at == '\\' && at + 1 < end)
			at++;
		low = high = (unsigned char)*at;
		if (at + 2 < end && at[1] == '-') {
			at += 2;
			if (*at == '\\' && at + 1 < end)
				at++;
			high = (unsigned char)*at;
		}
		found |= wanted >= low && wanted <= high;
	}
	return found != negated;
}

/* Fit what stands at *pattern, no '*', to what stands at *text, which is not
 * at its end, and step over both. */
static bool step(const char **pattern, const char *pattern_end,
		 const char **text, const char *text_end)
{
	const char *end = NULL;
	const char *at = *pattern;

	if (*at == '?') {
		*pattern = at + 1;
		*text = behind_character(*text, text_end);
		return true;
	}
	if (*at == '[')
		end = class_end(at, pattern_end);
	if (end) {
		if (!class_fits(at + 1, end, **text))
			return false;
		*pattern = end + 1;
		*text = behind_character(*text, text_end);
		return true;
	}
	if (*at == '\\' && at + 1 < pattern_end)
		at++;
	if (*at != **text)
		return false;
	*pattern = at + 1;
	++*text;
	return true;
}

static bool part_fits(const char *pattern, const char *pattern_end,
		      const char *text, const char *text_end)
{
	const char *star = NULL; /* behind the last '*' */
	const char *again = NULL; /* where what is behind it is tried next */

	for (;;) {
		if (pattern < pattern_end && *pattern == '*') {
			star = ++pattern;
			again = text;
			continue;
		}
		if (text == text_end && pattern == pattern_end)
			return true;
		if (text < text_end && pattern < pattern_end &&
		    step(&pattern, pattern_end, &text, text_end))
			continue;
		if (!star || again == text_end)
			return false;
		text = ++again;
		pattern = star;
	}
}

/* ---- parts ------------------------------------------------------------- */

static const char *part_end(const char *at)
{
	return at + strcspn(at, "/");
}

static const char *next_part(const char *end)
{
	return *end ? end + 1 : end;
}

static bool is_any(const char *at, const char *end)
{
	return end - at == 2 && at[0] == '*' && at[1] == '*';
}

/* Whether @p pattern, from the root or, if it @p floats, from any part on,
 * fits @p path or a folder that it is in. */
static bool fits_below(const char *pattern, const char *path, bool floats)
{
	const char *any = floats ? pattern : NULL; /* behind the last "**" */
	const char *again = path; /* where what is behind it is tried next */

	for (;;) {
		const char *pattern_end = part_end(pattern);
		const char *path_end = part_end(path);

		/* "src/" wants something in it, and so does "src" + "**" */
		if (!*pattern)
			return true;
		if (*path && is_any(pattern, pattern_end)) {
			pattern = any = next_part(pattern_end);
			again = path;
			continue;
		}
		if (*path && part_fits(pattern, pattern_end, path, path_end) &&
		    (*pattern_end != '/' || *path_end)) {
			pattern = next_part(pattern_end);
			path = next_part(path_end);
			continue;
		}
		if (!any || !*again)
			return false;
		again = next_part(part_end(again));
		path = again;
		pattern = any;
	}
}

bool sg_pattern_fits(const char *pattern, const char *path)
{
	const char *slash = strchr(pattern, '/');
	bool floats = !slash || !slash[1];

	if (!*pattern)
		return false;
	while (strncmp(pattern, "./", 2) == 0)
		pattern += 2;
	return fits_below(pattern, path, floats);
}

/* @return whether all classes of a part end in it. */
static bool classes_end(const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at == '\\')
			at++;
		else if (*at == '[')
			at = class_end(at, end);
		if (!at)
			return false;
	}
	return true;
}

const char *sg_pattern_fault(const char *pattern)
{
	if (!*pattern)
		return "the pattern is empty";
	if (*pattern == '/')
		return "the pattern is absolute: write it from the root of the "
		       "tree, like \"src/\" or \"./main.c\"";
	if (*pattern == '!')
		return "patterns have no \"!\" (\"\\\\!\" is the letter)";
	while (strncmp(pattern, "./", 2) == 0)
		pattern += 2;
	if (!*pattern || strcmp(pattern, ".") == 0)
		return "the pattern is the root: write \"**\" for all files";
	for (const char *at = pattern; *at;) {
		const char *end = part_end(at);

		if (end == at || (end - at == 1 && *at == '.') ||
		    (end - at == 2 && strncmp(at, "..", 2) == 0))
			return "no path has a part like \"\", \".\" or \"..\"";
		if (!classes_end(at, end))
			return "a \"[\" has no \"]\" (\"\\\\[\" is the letter)";
		at = next_part(end);
	}
	return NULL;
}
