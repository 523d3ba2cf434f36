/* SPDX-License-Identifier: MIT */
/* Lines of text logs: encodings, ends, colours, bytes that are no text. */
#include "read/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/reader.h"

struct seen {
	char text[1024]; /* lines, each ended by '$' */
	size_t length;
	size_t lines, longest;
};

static enum sl_code see(void *context, struct sg_span line,
			struct sl_error *error)
{
	struct seen *seen = context;

	(void)error;
	seen->lines++;
	if (line.length > seen->longest)
		seen->longest = line.length;
	if (line.length + seen->length + 1 < sizeof(seen->text)) {
		if (line.length)
			memcpy(seen->text + seen->length, line.text,
			       line.length);
		seen->length += line.length;
		seen->text[seen->length++] = '$';
	}
	return SL_OK;
}

static void feed(const char *bytes, size_t length, size_t piece,
		 struct seen *seen)
{
	struct sg_lines lines;

	*seen = (struct seen){ 0 };
	assert_int_equal(sg_lines_init(&lines, see, seen, NULL), SL_OK);
	for (size_t at = 0; at < length; at += piece)
		assert_int_equal(
			sg_lines_feed(&lines, bytes + at,
				      length - at < piece ? length - at : piece,
				      NULL),
			SL_OK);
	assert_int_equal(sg_lines_finish(&lines, NULL), SL_OK);
	sg_lines_release(&lines);
}

#define ROW(in, out) \
	{ \
		in, sizeof(in) - 1, out \
	}
#define FFFD "\xef\xbf\xbd"

static void lines_are_clean_however_the_pieces_are_cut(void **unused)
{
	static const struct {
		const char *in;
		size_t length;
		const char *out;
	} rows[] = {
		ROW("", ""),
		ROW("a", "a$"),
		ROW("a\nb\n", "a$b$"),
		ROW("\n\n", "$$"),
		ROW("a\r\nb\r\n", "a$b$"),
		ROW("a\r\r\nb", "a$b$"),
		ROW("1%\r2%\rx.c:1: error\n", "1%$2%$x.c:1: error$"),
		ROW("\xef\xbb\xbfx\n", "x$"),
		ROW("\xef\xbb\xbf", ""),
		ROW("\xff\xfe"
		    "a\0\r\0\n\0",
		    "a$"),
		ROW("\xfe\xff\0a\0\n\0b", "a$b$"),
		ROW("a\0b\0\n\0", "ab$"),
		ROW("\0a\0b\0\n", "ab$"),
		ROW("\xff\xfe"
		    "=\xd8\0\xde\n\0",
		    "\xf0\x9f\x98\x80$"),
		ROW("\xff\xfe"
		    "=\xd8"
		    "a\0",
		    FFFD "a$"),
		ROW("\xff\xfe"
		    "\0\xde",
		    FFFD "$"),
		ROW("\xff\xfe"
		    "a\0b",
		    "a" FFFD "$"),
		ROW("\xff\xfe"
		    "=\xd8",
		    FFFD "$"),
		ROW("\x1b[01m\x1b[Kx.c:1:\x1b[m\x1b[K b", "x.c:1: b$"),
		ROW("\x1b]8;;http://a/b\x1b\\[-Wx]\x1b]8;;\x1b\\", "[-Wx]$"),
		ROW("\x1b]8;;u\aname\x1b]8;;\a", "name$"),
		ROW("\x1b(Bx\x1b"
		    "cy",
		    "xy$"),
		ROW("x\x1b", "x" FFFD "$"),
		ROW("x\x1b[12", "x" FFFD "[12$"),
		ROW("\x1b]8;;u", FFFD "]8;;u$"),
		ROW("tab\tkept", "tab\tkept$"),
		ROW("\0\1\x7f", FFFD FFFD FFFD "$"),
		ROW("\xc2\x9bx\xc2\xa0", FFFD "x\xc2\xa0$"),
		ROW("\xe2\x80\x98q\xe2\x80\x99", "\xe2\x80\x98q\xe2\x80\x99$"),
		ROW("\xff\x80\xc0\xaf", FFFD FFFD FFFD FFFD "$"),
		ROW("\xe2\x80", FFFD FFFD "$"),
		ROW("\xed\xa0\x80", FFFD FFFD FFFD "$"),
		ROW("\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD "$"),
		ROW("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80$"),
		ROW("12345678\x80"
		    "12345678",
		    "12345678" FFFD "12345678$"),
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		for (size_t piece = 1; piece <= 9; piece++) {
			struct seen seen;

			feed(rows[at].in, rows[at].length, piece, &seen);
			assert_int_equal(seen.length, strlen(rows[at].out));
			assert_memory_equal(seen.text, rows[at].out,
					    seen.length);
		}
	}
}

static void a_long_line_is_cut_and_counted_once(void **unused)
{
	static const size_t pieces[] = { 1, 4096, 1 << 20 };
	size_t length = 3 * SG_TEXT_MAX;
	char *text = malloc(length);

	(void)unused;
	assert_non_null(text);
	memset(text, 'x', length);
	text[length - 2] = '\n';
	for (size_t at = 0; at < 3; at++) {
		struct seen seen;

		feed(text, length, pieces[at], &seen);
		assert_int_equal(seen.lines, 2);
		assert_int_equal(seen.longest, SG_TEXT_MAX);
	}
	free(text);
}

static void a_cut_never_splits_a_character(void **unused)
{
	size_t length = SG_TEXT_MAX + 8;
	char *text = malloc(length);

	(void)unused;
	assert_non_null(text);
	for (size_t lead = 0; lead < 4; lead++) {
		struct seen seen;

		memset(text, 'x', length);
		for (size_t at = SG_TEXT_MAX - 4 + lead; at + 4 <= length;
		     at += 4)
			memcpy(text + at, "\xf0\x9f\x98\x80", 4);
		feed(text, length, length, &seen);
		assert_int_equal(seen.longest,
				 lead ? SG_TEXT_MAX - 4 + lead : SG_TEXT_MAX);
	}
	free(text);
}

static void a_line_of_bad_bytes_stays_within_the_bound(void **unused)
{
	char *text = malloc(SG_TEXT_MAX);
	struct seen seen;

	(void)unused;
	assert_non_null(text);
	memset(text, 0xff, SG_TEXT_MAX);
	memcpy(text, "ab", 2);
	feed(text, SG_TEXT_MAX, 4096, &seen);
	assert_int_equal(seen.lines, 1);
	assert_int_equal(seen.longest, 2 + (SG_TEXT_MAX - 2) / 3 * 3);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_clean_however_the_pieces_are_cut),
		cmocka_unit_test(a_long_line_is_cut_and_counted_once),
		cmocka_unit_test(a_cut_never_splits_a_character),
		cmocka_unit_test(a_line_of_bad_bytes_stays_within_the_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
