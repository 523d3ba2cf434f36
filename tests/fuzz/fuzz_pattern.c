/* SPDX-License-Identifier: MIT */
/* A pattern and a path, each a line: the matcher says what one says that tries
 * everything. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gate/pattern.h"
#include "tests/fuzz/fuzz.h"

enum { LONGEST = 12 }; /* it takes all the ways there are */

static bool class_fits(const char **pattern, char given)
{
	const char *at = *pattern + 1;
	bool negated = *at == '!' || *at == '^', found = false;

	at += negated;
	for (bool first = true; first || *at != ']'; first = false) {
		unsigned char low, high;

		at += *at == '\\';
		low = high = (unsigned char)*at++;
		if (*at == '-' && at[1] != ']') {
			at++;
			at += *at == '\\';
			high = (unsigned char)*at++;
		}
		found |= (unsigned char)given >= low &&
			 (unsigned char)given <= high;
	}
	*pattern = at + 1;
	return found != negated;
}

/* One part, each ended by a NUL. */
static bool part_fits(const char *pattern, const char *text)
{
	if (!*pattern)
		return !*text;
	if (*pattern == '*')
		return part_fits(pattern + 1, text) ||
		       (*text && part_fits(pattern, text + 1));
	if (!*text)
		return false;
	if (*pattern == '?')
		return part_fits(pattern + 1, text + 1);
	if (*pattern == '[')
		return class_fits(&pattern, *text) &&
		       part_fits(pattern, text + 1);
	pattern += *pattern == '\\' && pattern[1];
	return *pattern == *text && part_fits(pattern + 1, text + 1);
}

/* Parts of a path, NULL at the end. */
struct parts {
	char bytes[LONGEST + 1];
	const char *at[LONGEST + 2];
};

static void split(struct parts *parts, const char *path)
{
	size_t count = 0;

	memcpy(parts->bytes, path, strlen(path) + 1);
	for (char *at = parts->bytes; *at;) {
		size_t length = strcspn(at, "/");
		bool last = !at[length];

		parts->at[count++] = at;
		at[length] = '\0';
		at += length + !last;
	}
	parts->at[count] = NULL;
}

static bool fits(const char *const *pattern, const char *const *path,
		 bool is_folder)
{
	if (!*pattern)
		return *path || !is_folder;
	if (strcmp(*pattern, "**") == 0)
		return *path &&
		       (!pattern[1] || fits(pattern + 1, path, is_folder) ||
			fits(pattern, path + 1, is_folder));
	return *path && part_fits(*pattern, *path) &&
	       fits(pattern + 1, path + 1, is_folder);
}

static bool naive(const char *pattern, const char *path)
{
	static const char slash = '/';
	const char *first = strchr(pattern, slash);
	bool floats = !first || !first[1];
	struct parts parts, of_path;

	while (pattern[0] == '.' && pattern[1] == slash)
		pattern += 2;
	split(&parts, pattern);
	split(&of_path, path);
	for (const char *const *at = of_path.at; *at; at++) {
		if (fits(parts.at, at, pattern[strlen(pattern) - 1] == slash))
			return true;
		if (!floats)
			break;
	}
	return false;
}

static bool is_path(const char *path)
{
	for (const char *at = path; *at; at++)
		if (*at == '/' && (at == path || at[1] == '/' || !at[1]))
			return false;
	return *path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char *path;

	path = strchr(text, '\n');
	if (path) {
		bool is_ascii = true;

		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		for (const char *at = path; *at; at++)
			is_ascii &= !(*at & 0x80);
		if (!sg_pattern_fault(text) && is_path(path)) {
			bool fit = sg_pattern_fits(text, path);

			if (is_ascii && strlen(text) <= LONGEST &&
			    strlen(path) <= LONGEST && fit != naive(text, path))
				abort();
		}
	}
	free(text);
	return 0;
}
