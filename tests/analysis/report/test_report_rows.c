/* SPDX-License-Identifier: MIT */
/* Rows of answers as tables, CSV and JSON. */
#include "report/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TEXT(literal) \
	{ \
		.kind = SG_FIELD_TEXT, .text = (literal), \
		.length = sizeof(literal) - 1 \
	}
#define BLOB(literal) \
	{ \
		.kind = SG_FIELD_BLOB, .text = (literal), \
		.length = sizeof(literal) - 1 \
	}
#define INTEGER(number) \
	{ \
		.kind = SG_FIELD_INTEGER, .integer = (number) \
	}
#define REAL(number) \
	{ \
		.kind = SG_FIELD_REAL, .real = (number) \
	}
#define DOTS "\xe2\x80\xa6"

enum { COLUMNS = 3 };

static const char *const names[COLUMNS] = { "path", "line", "message" };

static void put(struct sg_rows *rows, const struct sg_field *fields,
		size_t count, struct sl_buffer *text)
{
	const struct sg_row row = { .names = names,
				    .fields = fields,
				    .count = count };
	struct sl_error error = { 0 };

	assert_int_equal(sg_rows_put(rows, &row, text, &error), SL_OK);
}

static struct sg_rows *begin(const char *writer, const struct sg_look *look)
{
	struct sl_error error = { 0 };
	struct sg_rows *rows;

	assert_int_equal(sg_rows_begin(&rows, sg_rows_writer_named(writer),
				       look, &error),
			 SL_OK);
	return rows;
}

static void finish(struct sg_rows *rows, struct sl_buffer *text)
{
	struct sl_error error = { 0 };

	assert_int_equal(sg_rows_end(rows, text, &error), SL_OK);
	assert_int_equal(sg_report_put(text, "", 1, &error), SL_OK);
	sg_rows_destroy(rows);
}

static void assert_rows(const char *writer, const struct sg_look *look,
			const struct sg_field (*fields)[COLUMNS], size_t count,
			const char *expected)
{
	struct sg_rows *rows = begin(writer, look);
	struct sl_buffer text = { 0 };

	put(rows, NULL, COLUMNS, &text);
	for (size_t at = 0; at < count; at++)
		put(rows, fields[at], COLUMNS, &text);
	finish(rows, &text);
	assert_string_equal(text.data, expected);
	free(text.data);
}

/* One row of one field, without the line of names and the newline. */
static void assert_field(const char *writer, const struct sg_field *field,
			 const char *expected)
{
	struct sg_rows *rows = begin(writer, NULL);
	struct sl_buffer text = { 0 };
	char *first, *last;

	put(rows, NULL, 1, &text);
	put(rows, field, 1, &text);
	finish(rows, &text);
	first = strchr(text.data, '\n') + 1;
	last = memchr(first, *writer == 'c' ? '\r' : '\n',
		      text.used - (size_t)(first - text.data));
	assert_non_null(last);
	*last = '\0';
	assert_string_equal(first, expected);
	free(text.data);
}

static const struct sg_field two[][COLUMNS] = {
	{ TEXT("src/a.c"), INTEGER(7), TEXT("Null pointer: p") },
	{ { .kind = SG_FIELD_NULL }, INTEGER(-1234), TEXT("say \"no\", p") },
};

static void writers_are_found_by_name(void **unused)
{
	(void)unused;
	assert_ptr_equal(sg_rows_writer_named("table"), &sg_rows_table);
	assert_ptr_equal(sg_rows_writer_named("json"), &sg_rows_json);
	assert_null(sg_rows_writer_named("jsonl"));
	assert_null(sg_rows_writer_named(""));
}

static void numbers_stand_to_the_right(void **unused)
{
	(void)unused;
	assert_rows("table", NULL, two, 2,
		    "path      line  message\n"
		    "src/a.c      7  Null pointer: p\n"
		    "-        -1234  say \"no\", p\n");
}

static void csv_quotes_what_must_be(void **unused)
{
	(void)unused;
	assert_rows("csv", NULL, two, 2,
		    "path,line,message\r\n"
		    "src/a.c,7,Null pointer: p\r\n"
		    ",-1234,\"say \"\"no\"\", p\"\r\n");
}

static void json_is_an_array_of_objects(void **unused)
{
	(void)unused;
	assert_rows("json", NULL, two, 2,
		    "[\n"
		    "{\"path\":\"src/a.c\",\"line\":7,"
		    "\"message\":\"Null pointer: p\"},\n"
		    "{\"path\":null,\"line\":-1234,"
		    "\"message\":\"say \\\"no\\\", p\"}\n"
		    "]\n");
}

static void an_answer_without_rows_has_columns(void **unused)
{
	(void)unused;
	assert_rows("table", NULL, NULL, 0, "path  line  message\n");
	assert_rows("csv", NULL, NULL, 0, "path,line,message\r\n");
	assert_rows("json", NULL, NULL, 0, "[]\n");
}

static void fields_of_all_kinds_are_written(void **unused)
{
	static const struct {
		struct sg_field field;
		const char *csv, *json, *table;
	} examples[] = {
		{ { .kind = SG_FIELD_NULL }, "", "{\"path\":null}", "-" },
		{ TEXT(""), "\"\"", "{\"path\":\"\"}", "" },
		{ TEXT("a\nb"), "\"a\nb\"", "{\"path\":\"a\\nb\"}", "a b" },
		{ TEXT("a\0b"), "a", "{\"path\":\"a\\u0000b\"}", "a?b" },
		{ TEXT("\x1b[31m"), "\x1b[31m", "{\"path\":\"\\u001B[31m\"}",
		  "?[31m" },
		{ TEXT("\xc3\xbc\xff"), "\xc3\xbc\xff", "{\"path\":\"???\"}",
		  "\xc3\xbc?" },
		{ BLOB(""), "\"\"", "{\"path\":\"\"}", "" },
		{ BLOB("\x00\xaf\n"), "00af0a", "{\"path\":\"00af0a\"}",
		  "00af0a" },
		{ INTEGER(INT64_MIN), "-9223372036854775808",
		  "{\"path\":-9223372036854775808}", "-9223372036854775808" },
		{ REAL(0.1), "0.1", "{\"path\":0.1}", " 0.1" },
		{ REAL(1.0 / 3), "0.3333333333333333",
		  "{\"path\":0.3333333333333333}", "0.3333333333333333" },
		{ REAL(1e300), "1e+300", "{\"path\":1e+300}", "1e+300" },
		{ REAL(INFINITY), "inf", "{\"path\":null}", " inf" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(examples); at++) {
		assert_field("csv", &examples[at].field, examples[at].csv);
		assert_field("json", &examples[at].field, examples[at].json);
		assert_field("table", &examples[at].field, examples[at].table);
	}
}

static void the_widest_texts_give_way(void **unused)
{
	static const struct sg_look narrow = { .width = 40 };
	static const struct sg_field row[][COLUMNS] = {
		{ TEXT("a/very/long/way/to/a/file.c"), INTEGER(123456),
		  TEXT("Dereference of a null pointer") },
	};
	static const struct sg_field short_path[][COLUMNS] = {
		{ TEXT("a.c"), INTEGER(1),
		  TEXT("Dereference of a null pointer (loaded from p)") },
	};

	(void)unused;
	assert_rows("table", &narrow, row, 1,
		    "path               line  message\n" DOTS
		    "ay/to/a/file.c  123456  Dereference of" DOTS "\n");
	assert_rows("table", &narrow, short_path, 1,
		    "path  line  message\n"
		    "a.c      1  Dereference of a null point" DOTS "\n");
}

static void later_rows_keep_the_columns_of_the_first(void **unused)
{
	static const struct sg_field first[COLUMNS] = { TEXT("a.c"), INTEGER(7),
							TEXT("m") };
	static const struct sg_field later[COLUMNS] = { TEXT("src/a.c"),
							INTEGER(123456),
							TEXT("more") };
	static const struct sg_field word[COLUMNS] = { TEXT("a"),
						       TEXT("a word"),
						       INTEGER(1) };
	struct sg_rows *rows = begin("table", NULL);
	struct sl_buffer text = { 0 };

	(void)unused;
	put(rows, NULL, COLUMNS, &text);
	for (size_t row = 0; row < 255; row++)
		put(rows, first, COLUMNS, &text);
	assert_int_equal(text.used, 0);
	put(rows, first, COLUMNS, &text);
	assert_int_not_equal(text.used, 0);
	text.used = 0;
	put(rows, later, COLUMNS, &text);
	put(rows, word, COLUMNS, &text);
	finish(rows, &text);
	assert_string_equal(text.data, DOTS "a.c  123456  more\n"
					    "a     a w" DOTS "  1\n");
	free(text.data);
}

/* What is held must not grow with what fields hold. */
static void long_fields_are_not_held(void **unused)
{
	enum { LENGTH = 1 << 20 };
	char *longest = malloc(LENGTH + 1);
	struct sg_field fields[COLUMNS] = {
		[0] = { .kind = SG_FIELD_TEXT, .length = LENGTH },
		[1] = { .kind = SG_FIELD_BLOB, .length = LENGTH }
	};
	struct sg_rows *rows = begin("table", NULL);
	struct sl_buffer text = { 0 };

	(void)unused;
	assert_non_null(longest);
	memset(longest, 'x', LENGTH);
	longest[LENGTH] = '\0';
	fields[0].text = longest;
	fields[1].text = longest;
	put(rows, NULL, COLUMNS, &text);
	for (size_t row = 0; row < 256; row++)
		put(rows, fields, COLUMNS, &text);
	finish(rows, &text);
	assert_in_range(text.used, 0, 257 * 100);
	free(text.data);
	free(longest);
}

static void more_columns_than_fit_are_not_lost(void **unused)
{
	enum { MANY = 30 };
	static const char *many[MANY];
	struct sg_row row = { .names = many, .count = MANY };
	struct sg_field fields[MANY] = { { .kind = SG_FIELD_NULL } };
	struct sg_rows *rows = begin("table", NULL);
	struct sl_buffer text = { 0 };
	struct sl_error error = { 0 };

	(void)unused;
	for (size_t at = 0; at < MANY; at++) {
		many[at] = "a name of many words";
		fields[at].kind = SG_FIELD_NULL;
	}
	assert_int_equal(sg_rows_put(rows, &row, &text, &error), SL_OK);
	row.fields = fields;
	assert_int_equal(sg_rows_put(rows, &row, &text, &error), SL_OK);
	finish(rows, &text);
	assert_int_equal(strncmp(text.data, "a " DOTS " a " DOTS " ", 12), 0);
	free(text.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writers_are_found_by_name),
		cmocka_unit_test(numbers_stand_to_the_right),
		cmocka_unit_test(csv_quotes_what_must_be),
		cmocka_unit_test(json_is_an_array_of_objects),
		cmocka_unit_test(an_answer_without_rows_has_columns),
		cmocka_unit_test(fields_of_all_kinds_are_written),
		cmocka_unit_test(the_widest_texts_give_way),
		cmocka_unit_test(later_rows_keep_the_columns_of_the_first),
		cmocka_unit_test(long_fields_are_not_held),
		cmocka_unit_test(more_columns_than_fit_are_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
