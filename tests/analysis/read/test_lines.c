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
	char kept[SG_LINE_MAX]; /* the longest */
};

static enum sl_code see(void *context, struct sg_span line,
			struct sl_error *error)
{
	struct seen *seen = context;

	(void)error;
	seen->lines++;
	if (line.length > seen->longest) {
		seen->longest = line.length;
		memcpy(seen->kept, line.text, line.length);
	}
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
		ROW("a\r\rb\r\r\r\nc\r", "a$$b$c$"),
		ROW("\ra\r\n\r\nb\r\rc", "$a$$b$$c$"),
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

#define SHOWN (SG_LINE_HEAD + SG_LINE_TAIL)
#define MARK "\xe2\x80\xa6"

static void of_a_long_line_the_middle_is_dropped(void **unused)
{
	static const size_t pieces[] = { 1, 1000, 4096, 1 << 20 };
	static const char end[] = ": what is at its end [-Wx]";
	size_t length = 3 * SHOWN;
	char *text = malloc(length);

	(void)unused;
	assert_non_null(text);
	for (size_t at = 0; at < 4; at++) {
		struct seen seen;

		memset(text, 'x', length);
		text[SG_LINE_HEAD - 1] = '<';
		text[length - 2 - SG_LINE_TAIL + 3] = '>';
		memcpy(text + length - 2 - strlen(end), end, strlen(end));
		text[length - 2] = '\n';
		feed(text, length, pieces[at], &seen);
		assert_int_equal(seen.lines, 2);
		assert_int_equal(seen.longest, SHOWN);
		assert_memory_equal(seen.kept, text, SG_LINE_HEAD);
		assert_memory_equal(seen.kept + SG_LINE_HEAD, MARK ">", 4);
		assert_memory_equal(seen.kept + SG_LINE_HEAD + 4,
				    text + length - 2 - SG_LINE_TAIL + 4,
				    SG_LINE_TAIL - 4);
	}
	free(text);
}

/* 10,000 lines of 30 bytes that only CRs end, the last but for its LF. */
static void of_a_progress_bar_no_line_is_dropped(void **unused)
{
	static const size_t pieces[] = { 1, 7, 30, 4096, 1 << 20 };
	size_t length = 10000 * 30;
	char *text = malloc(length);

	(void)unused;
	assert_non_null(text);
	memset(text, 'x', length);
	for (size_t at = 29; at < length; at += 30)
		text[at] = '\r';
	text[length - 1] = '\n';
	for (size_t at = 0; at < sizeof(pieces) / sizeof(pieces[0]); at++) {
		struct seen seen;

		feed(text, length, pieces[at], &seen);
		assert_int_equal(seen.lines, 10000);
		assert_int_equal(seen.longest, 29);
		/* the last one ends in CR CR LF */
		text[length - 2] = text[length - 3] = '\r';
		feed(text, length, pieces[at], &seen);
		assert_int_equal(seen.lines, 10000);
		text[length - 2] = text[length - 3] = 'x';
	}
	free(text);
}

static void a_line_that_just_fits_is_whole(void **unused)
{
	char *text = malloc(SHOWN);

	(void)unused;
	assert_non_null(text);
	for (size_t at = 0; at < SHOWN; at++)
		text[at] = "abcdefg"[at % 7];
	for (size_t piece = 1; piece <= SHOWN; piece *= 10) {
		struct seen seen;

		feed(text, SHOWN, piece, &seen);
		assert_int_equal(seen.longest, SHOWN);
		assert_memory_equal(seen.kept, text, SHOWN);
	}
	free(text);
}

/* As many characters of four bytes as there is room for, behind 0 to 3 others.
 */
static void a_cut_never_splits_a_character(void **unused)
{
	size_t length = 2 * SHOWN;
	char *text = malloc(length + 4);

	(void)unused;
	assert_non_null(text);
	for (size_t lead = 0; lead < 4; lead++) {
		struct seen seen;
		/* in the head, and in the tail beside three that the mark is
		 * put over */
		size_t head = (SG_LINE_HEAD - lead) / 4 * 4 + lead;
		size_t tail = (SG_LINE_TAIL - 3) / 4 * 4;

		memset(text, 'x', 4);
		for (size_t at = lead; at < length + lead; at += 4)
			memcpy(text + at, "\xf0\x9f\x98\x80", 4);
		feed(text, length + lead, 4096, &seen);
		assert_int_equal(seen.longest, head + strlen(MARK) + tail);
	}
	free(text);
}

static void a_line_of_bad_bytes_stays_within_the_bound(void **unused)
{
	size_t length = 2 * SHOWN;
	char *text = malloc(length);
	struct seen seen;

	(void)unused;
	assert_non_null(text);
	memset(text, 0xff, length);
	memcpy(text, "ab", 2);
	feed(text, length, 4096, &seen);
	assert_int_equal(seen.lines, 1);
	/* the last byte of the head looks like a character's first */
	assert_in_range(seen.longest, SG_LINE_MAX - 16, SG_LINE_MAX);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_clean_however_the_pieces_are_cut),
		cmocka_unit_test(of_a_long_line_the_middle_is_dropped),
		cmocka_unit_test(of_a_progress_bar_no_line_is_dropped),
		cmocka_unit_test(a_line_that_just_fits_is_whole),
		cmocka_unit_test(a_cut_never_splits_a_character),
		cmocka_unit_test(a_line_of_bad_bytes_stays_within_the_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
