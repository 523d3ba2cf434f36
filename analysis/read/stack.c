/* SPDX-License-Identifier: MIT */
/* Frames of stacks, as sanitizers print them. */
#include "read/stack.h"

#include "read/spans.h"

/* Where files of no user are: those of runtimes, by what their paths hold. */
static const char *const foreign[] = {
	"/libsanitizer/",   "/compiler-rt/",  "sysdeps/",      "/csu/",
	"csu/../",          "/include/c++/",  "/usr/include/", "/nptl/",
	"sanitizer_common", "/libstdc++-v3/", "/libcxx/",
};

/* A path and its numbers at the end of the text. @return where it begins. */
static size_t find_path(struct sg_span text)
{
	size_t at = text.length;

	/* an absolute path may hold blanks */
	for (size_t from = 0; from + 2 < text.length; from++) {
		if (text.text[from] != ' ')
			continue;
		if (text.text[from + 1] == '/' ||
		    (from + 3 < text.length && text.text[from + 2] == ':' &&
		     text.text[from + 3] == '\\'))
			return from + 1;
	}
	while (at && text.text[at - 1] != ' ')
		at--;
	return at;
}

/* `path:3:12` or `path:3`. */
static bool split_path(struct sg_span text, struct sg_frame *frame)
{
	int64_t numbers[2] = { 0, 0 };
	int count = 0;

	while (count < 2) {
		size_t at = text.length;

		while (at && sg_is_digit(text.text[at - 1]))
			at--;
		if (at < 2 || text.text[at - 1] != ':' ||
		    !sg_span_number(text, at, &numbers[count]))
			break;
		count++;
		text.length = at - 1;
	}
	if (!count)
		return false;
	frame->path = text;
	frame->line = numbers[count - 1];
	frame->column = count == 2 ? numbers[0] : 0;
	return true;
}

/* Without ` (module+0x12)` and ` (BuildId: 12ab)`. */
static struct sg_span without_module(struct sg_span text)
{
	while (sg_span_ends(text, ")")) {
		size_t at = text.length;

		while (at && text.text[at - 1] != '(')
			at--;
		if (!at ||
		    (!sg_span_has(sg_span_from(text, at), "+0x") &&
		     !sg_span_starts(sg_span_from(text, at), "BuildId: ")))
			break;
		text = sg_span_trim(sg_span_to(text, at - 1));
	}
	return text;
}

static bool is_foreign(struct sg_span path)
{
	for (size_t at = 0; at < sizeof(foreign) / sizeof(foreign[0]); at++)
		if (sg_span_has(path, foreign[at]))
			return true;
	return false;
}

bool sg_frame_parse(struct sg_span line, struct sg_frame *frame)
{
	struct sg_span text = sg_span_trim(line);
	int64_t number;
	size_t digits, at;

	*frame = (struct sg_frame){ 0 };
	if (!sg_span_starts(text, "#"))
		return false;
	digits = sg_span_number(text, 1, &number);
	if (!digits || 1 + digits >= text.length ||
	    text.text[1 + digits] != ' ')
		return false;
	frame->first = number == 0;
	text = sg_span_trim(sg_span_from(text, 1 + digits));
	if (sg_span_starts(text, "0x")) {
		at = sg_span_find(text, 0, " ");
		text = sg_span_trim(sg_span_from(text, at));
		if (sg_span_starts(text, "in "))
			text = sg_span_from(text, 3);
	}
	text = without_module(text);
	if (sg_span_ends(text, " <null>"))
		text.length -= strlen(" <null>");
	at = find_path(text);
	if (at && split_path(sg_span_from(text, at), frame))
		text = sg_span_trim(sg_span_to(text, at));
	frame->function = text;
	frame->users = frame->line && !is_foreign(frame->path);
	return true;
}
