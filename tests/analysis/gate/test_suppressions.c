/* SPDX-License-Identifier: MIT */
/* The file of suppressions: read, changed by one line, written whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gate/entry.h"
#include "gate/suppressions.h"

#define ENTRY(path, line, reason) \
	"{\"path\":\"" path "\",\"line\":" #line ",\"tool\":\"t\"," \
	"\"rule\":\"r\",\"message\":\"m\",\"reason\":\"" reason "\"}\n"

static char folder[64];

static int enter_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/suppressions.XXXXXX");
	return !mkdtemp(folder) || chdir(folder);
}

static int leave_folder(void **state)
{
	static const char *const names[] = { "file", "link", "target", "sub" };

	(void)state;
	for (size_t at = 0; at < 4; at++)
		(void)remove(names[at]);
	/* It is empty: nothing was left beside the file. */
	return chdir("/") || rmdir(folder);
}

static void write_file(const char *name, const char *text, size_t length)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void assert_file(const char *name, const char *expected)
{
	static char text[1 << 16];
	FILE *file = fopen(name, "r");
	size_t length;

	assert_non_null(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static struct sg_suppressions *read_text(const char *text)
{
	struct sg_suppressions *list;

	write_file("file", text, strlen(text));
	assert_int_equal(sg_suppressions_read("file", &list, NULL), SL_OK);
	return list;
}

static void assert_refused(const char *text, size_t length, int line,
			   const char *why)
{
	struct sg_suppressions *list;
	struct sl_error error = { .code = SL_OK };

	write_file("file", text, length);
	assert_int_equal(sg_suppressions_read("file", &list, &error),
			 SL_EINVAL);
	assert_null(list);
	assert_string_equal(error.input, "file");
	assert_int_equal(error.input_line, line);
	assert_string_equal(error.message, why);
}

static void a_file_that_is_not_there_is_an_empty_list(void **state)
{
	struct sg_suppressions *list;

	(void)state;
	assert_int_equal(sg_suppressions_read("file", &list, NULL), SL_OK);
	assert_int_equal(sg_suppressions_count(list), 0);
	sg_suppressions_destroy(list);
}

static void entries_know_their_lines(void **state)
{
	struct sg_suppressions *list = read_text("\xef\xbb\xbf# why\n\n" ENTRY(
		"b.c", 2, "x") " \t\r\n# and\n" ENTRY("a.c", 1, "y"));

	(void)state;
	assert_int_equal(sg_suppressions_count(list), 2);
	assert_string_equal(sg_suppressions_at(list, 0)->path, "b.c");
	assert_int_equal(sg_suppressions_at(list, 0)->position, 3);
	assert_string_equal(sg_suppressions_at(list, 1)->path, "a.c");
	assert_int_equal(sg_suppressions_at(list, 1)->position, 6);
	sg_suppressions_destroy(list);
}

static void what_is_no_entry_is_named_with_its_line(void **state)
{
	static const char nul[] = "#\n\n# a\0b\n";
	static const char merge[] = "<<<<<<< HEAD\n";

	(void)state;
	assert_refused(ENTRY("a.c", 1, "x") ENTRY("a.c", 2, " "),
		       strlen(ENTRY("a.c", 1, "x") ENTRY("a.c", 2, " ")), 2,
		       "the reason is empty; say why it is kept");
	assert_refused(nul, sizeof(nul) - 1, 3,
		       "byte 4 is a NUL; the file is text");
	assert_refused("# \xff", 3, 1, "byte 3 is no UTF-8; the file is UTF-8");
	assert_refused(merge, sizeof(merge) - 1, 1,
		       "a merge was not finished: keep the entries of both "
		       "sides, and delete the marks");
}

static void too_long_a_line_is_refused(void **state)
{
	size_t length = SG_ENTRY_BYTES_MAX + 1;
	char *text = malloc(length);

	(void)state;
	assert_non_null(text);
	memset(text, '#', length);
	assert_refused(text, length, 1,
		       "the line is longer than 1048576 bytes");
	write_file("file", text, length - 1);
	free(text);
	struct sg_suppressions *list;
	assert_int_equal(sg_suppressions_read("file", &list, NULL), SL_OK);
	sg_suppressions_destroy(list);
}

static void a_folder_is_no_file(void **state)
{
	struct sg_suppressions *list;
	struct sl_error error;

	(void)state;
	assert_int_equal(mkdir("sub", 0777), 0);
	assert_int_equal(sg_suppressions_read("sub", &list, &error), SL_EIO);
	assert_string_equal(error.message, "cannot open sub: Is a directory");
	assert_int_equal(sg_suppressions_read("file", &list, NULL), SL_OK);
	assert_int_equal(sg_suppressions_write(list, "sub", &error), SL_EIO);
	assert_string_equal(error.message,
			    "cannot write sub: it is no regular file");
	sg_suppressions_destroy(list);
}

static const struct sg_suppression new_entry = { .path = "b.c",
						 .line = 5,
						 .tool = "t",
						 .rule = "r",
						 .message = "m",
						 .reason = "new" };

static void a_new_entry_changes_one_line(void **state)
{
	struct sg_suppressions *list = read_text("# top\n" ENTRY(
		"a.c", 1,
		"x") "  {\"reason\" : \"own\", \"tool\":\"t\",\"rule\":\"r\","
		     "\"message\":\"m\",\"path\":\"b.c\",\"line\":2}\n"
		     "# between\n" ENTRY("c.c", 3, "y"));

	(void)state;
	assert_int_equal(sg_suppressions_add(list, &new_entry, NULL), SL_OK);
	assert_int_equal(sg_suppressions_at(list, 2)->position, 0);
	assert_int_equal(sg_suppressions_write(list, "file", NULL), SL_OK);
	assert_file("file", "# top\n# between\n" ENTRY(
				    "a.c", 1,
				    "x") "  {\"reason\" : \"own\", "
					 "\"tool\":\"t\",\"rule\":\"r\","
					 "\"message\":\"m\",\"path\":\"b.c\","
					 "\"line\":2}\n" ENTRY("b.c", 5, "new")
						 ENTRY("c.c", 3, "y"));
	sg_suppressions_destroy(list);
}

static void an_entry_is_taken_out(void **state)
{
	struct sg_suppressions *list = read_text(
		ENTRY("a.c", 1, "x") ENTRY("b.c", 2, "y") ENTRY("c.c", 3, "z"));

	(void)state;
	sg_suppressions_remove(list, 1);
	assert_int_equal(sg_suppressions_write(list, "file", NULL), SL_OK);
	assert_file("file", ENTRY("a.c", 1, "x") ENTRY("c.c", 3, "z"));
	sg_suppressions_destroy(list);
}

static void an_entry_that_is_none_is_not_added(void **state)
{
	struct sg_suppressions *list = read_text("");
	struct sg_suppression entry = new_entry;
	struct sl_error error;

	(void)state;
	entry.reason = "";
	assert_int_equal(sg_suppressions_add(list, &entry, &error), SL_EINVAL);
	entry.reason = NULL;
	assert_int_equal(sg_suppressions_add(list, &entry, &error), SL_EINVAL);
	entry.reason = "\xff";
	assert_int_equal(sg_suppressions_add(list, &entry, &error), SL_EINVAL);
	assert_string_equal(error.message, "\"reason\" is no UTF-8");
	entry.reason = "r";
	entry.until = "2027-02-30";
	assert_int_equal(sg_suppressions_add(list, &entry, &error), SL_EINVAL);
	assert_int_equal(sg_suppressions_count(list), 0);
	sg_suppressions_destroy(list);
}

static void an_entry_too_long_to_be_read_is_not_added(void **state)
{
	struct sg_suppressions *list = read_text("");
	struct sg_suppression entry = new_entry;
	char *message = malloc(SG_ENTRY_BYTES_MAX);

	(void)state;
	assert_non_null(message);
	memset(message, 'm', SG_ENTRY_BYTES_MAX - 1);
	message[SG_ENTRY_BYTES_MAX - 1] = '\0';
	entry.message = message;
	assert_int_equal(sg_suppressions_add(list, &entry, NULL), SL_EINVAL);
	assert_int_equal(sg_suppressions_count(list), 0);
	free(message);
	sg_suppressions_destroy(list);
}

static void permissions_stay(void **state)
{
	struct sg_suppressions *list = read_text(ENTRY("a.c", 1, "x"));
	struct stat status;

	(void)state;
	assert_int_equal(chmod("file", 0640), 0);
	assert_int_equal(sg_suppressions_write(list, "file", NULL), SL_OK);
	assert_int_equal(stat("file", &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	sg_suppressions_destroy(list);
}

static void a_symlink_stays_and_its_target_is_written(void **state)
{
	struct sg_suppressions *list = read_text(ENTRY("a.c", 1, "x"));
	struct stat status;

	(void)state;
	assert_int_equal(symlink("target", "link"), 0);
	/* The first time the target is not there yet. */
	for (int time = 0; time < 2; time++) {
		assert_int_equal(sg_suppressions_write(list, "link", NULL),
				 SL_OK);
		assert_int_equal(lstat("link", &status), 0);
		assert_true(S_ISLNK(status.st_mode));
		assert_file("target", ENTRY("a.c", 1, "x"));
	}
	sg_suppressions_destroy(list);
}

static void a_symlink_to_itself_is_refused(void **state)
{
	struct sg_suppressions *list;
	struct sl_error error;

	(void)state;
	assert_int_equal(symlink("link", "link"), 0);
	assert_int_equal(sg_suppressions_read("file", &list, NULL), SL_OK);
	assert_int_equal(sg_suppressions_write(list, "link", &error), SL_EIO);
	assert_string_equal(error.message,
			    "cannot write link: Too many levels of symbolic "
			    "links");
	sg_suppressions_destroy(list);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
	struct sg_suppressions *list;
	struct sl_error error;

	(void)state;
	assert_int_equal(sg_suppressions_read("file", &list, NULL), SL_OK);
	assert_int_equal(sg_suppressions_write(list, "none/file", &error),
			 SL_EIO);
	assert_string_equal(error.message, "cannot write none/file: No such "
					   "file or directory");
	sg_suppressions_destroy(list);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_that_is_not_there_is_an_empty_list),
		TEST(entries_know_their_lines),
		TEST(what_is_no_entry_is_named_with_its_line),
		TEST(too_long_a_line_is_refused),
		TEST(a_folder_is_no_file),
		TEST(a_new_entry_changes_one_line),
		TEST(an_entry_is_taken_out),
		TEST(an_entry_that_is_none_is_not_added),
		TEST(an_entry_too_long_to_be_read_is_not_added),
		TEST(permissions_stay),
		TEST(a_symlink_stays_and_its_target_is_written),
		TEST(a_symlink_to_itself_is_refused),
		TEST(a_folder_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
