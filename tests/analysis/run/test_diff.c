/* SPDX-License-Identifier: MIT */
/* Diffs as git prints them become maps of lines. */
#include "run/diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static enum sl_code read_diff(struct sg_diff *diff, const char *text,
			      struct sl_error *error)
{
	char copy[4096];
	FILE *from;
	enum sl_code code;

	assert_true(strlen(text) < sizeof(copy));
	snprintf(copy, sizeof(copy), "%s", text);
	from = fmemopen(copy, strlen(copy) + !*copy, "r");
	assert_non_null(from);
	code = sg_diff_read(diff, from, error);
	fclose(from);
	return code;
}

static void expect(const struct sg_diff *diff, const char *path, int64_t line,
		   const char *new_path, int64_t new_line, bool exact)
{
	struct sg_place place = sg_map_place(&diff->map, path, line);

	assert_non_null(place.path);
	assert_string_equal(place.path, new_path);
	assert_int_equal(place.line, new_line);
	assert_int_equal(place.exact, exact);
}

static void a_hunk_moves_the_lines_below_it(void **state)
{
	struct sg_diff diff;

	(void)state;
	assert_int_equal(read_diff(&diff,
				   "diff --git a/a.c b/a.c\n"
				   "index 1..2 100644\n"
				   "--- a/a.c\n"
				   "+++ b/a.c\n"
				   "@@ -3,0 +4,2 @@ int f(void)\n"
				   "+one\n"
				   "+two\n"
				   "@@ -10 +12 @@\n"
				   "-x\n"
				   "+y\n",
				   NULL),
			 SL_OK);
	expect(&diff, "a.c", 3, "a.c", 3, true);
	expect(&diff, "a.c", 4, "a.c", 6, true);
	expect(&diff, "a.c", 10, "a.c", 12, false);
	expect(&diff, "b.c", 10, "b.c", 10, true);
	sg_diff_finish(&diff);
}

static void removed_lines_that_look_like_heads_are_counted_off(void **state)
{
	struct sg_diff diff;

	(void)state;
	assert_int_equal(read_diff(&diff,
				   "diff --git a/a.c b/a.c\n"
				   "--- a/a.c\n"
				   "+++ b/a.c\n"
				   "@@ -1,2 +0,0 @@\n"
				   "--- a/evil.c\n"
				   "-diff --git a/b.c b/b.c\n"
				   "\\ No newline at end of file\n"
				   "@@ -9,0 +8 @@\n"
				   "+++ b/evil.c\n",
				   NULL),
			 SL_OK);
	assert_int_equal(diff.map.count, 1);
	expect(&diff, "a.c", 3, "a.c", 1, true);
	expect(&diff, "a.c", 10, "a.c", 9, true);
	sg_diff_finish(&diff);
}

static void renames_with_and_without_changes(void **state)
{
	struct sg_diff diff;

	(void)state;
	assert_int_equal(read_diff(&diff,
				   "diff --git a/old.c b/new.c\n"
				   "similarity index 100%\n"
				   "rename from old.c\n"
				   "rename to new.c\n"
				   "diff --git a/x.c b/y.c\n"
				   "similarity index 90%\n"
				   "rename from x.c\n"
				   "rename to y.c\n"
				   "--- a/x.c\n"
				   "+++ b/y.c\n"
				   "@@ -0,0 +1 @@\n"
				   "+first\n",
				   NULL),
			 SL_OK);
	expect(&diff, "old.c", 7, "new.c", 7, true);
	expect(&diff, "x.c", 7, "y.c", 8, true);
	sg_diff_finish(&diff);
}

static void added_and_deleted_files(void **state)
{
	struct sg_diff diff;

	(void)state;
	assert_int_equal(read_diff(&diff,
				   "diff --git a/gone.c b/gone.c\n"
				   "deleted file mode 100644\n"
				   "--- a/gone.c\n"
				   "+++ /dev/null\n"
				   "@@ -1 +0,0 @@\n"
				   "-x\n"
				   "diff --git a/came.c b/came.c\n"
				   "new file mode 100644\n"
				   "--- /dev/null\n"
				   "+++ b/came.c\n"
				   "@@ -0,0 +1 @@\n"
				   "+x\n"
				   "diff --git a/mode.c b/mode.c\n"
				   "old mode 100644\n"
				   "new mode 100755\n"
				   "diff --git a/p.png b/p.png\n"
				   "Binary files a/p.png and b/p.png differ\n",
				   NULL),
			 SL_OK);
	assert_null(sg_map_place(&diff.map, "gone.c", 1).path);
	expect(&diff, "mode.c", 3, "mode.c", 3, true);
	expect(&diff, "p.png", 3, "p.png", 3, true);
	sg_diff_finish(&diff);
}

static void names_with_blanks_quotes_and_bytes(void **state)
{
	struct sg_diff diff;

	(void)state;
	assert_int_equal(read_diff(&diff,
				   "diff --git a/a b.c b/a b.c\n"
				   "--- a/a b.c\t\n"
				   "+++ b/a b.c\t\n"
				   "@@ -0,0 +1 @@\n"
				   "+x\n"
				   "diff --git \"a/q\\\"\\t\\303\\251.c\" x\n"
				   "--- \"a/q\\\"\\t\\303\\251.c\"\n"
				   "+++ \"b/q\\\"\\t\\303\\251.c\"\n"
				   "@@ -0,0 +1 @@\n"
				   "+x\n",
				   NULL),
			 SL_OK);
	expect(&diff, "a b.c", 1, "a b.c", 2, true);
	expect(&diff, "q\"\t\303\251.c", 1, "q\"\t\303\251.c", 2, true);
	sg_diff_finish(&diff);
}

static void no_difference_is_an_empty_map(void **state)
{
	struct sg_diff diff;

	(void)state;
	assert_int_equal(read_diff(&diff, "", NULL), SL_OK);
	assert_int_equal(diff.map.count, 0);
	sg_diff_finish(&diff);
}

static void hunks_that_are_none_are_refused(void **state)
{
	static const char *const bad[] = {
		"@@ -1 +1 @@\n",
		"diff --git a/a b/a\n@@ -x +1 @@\n",
		"diff --git a/a b/a\n@@ -1 1 @@\n",
		"diff --git a/a b/a\n@@ -1,99999999999999999999 +1 @@\n",
	};

	(void)state;
	for (size_t at = 0; at < sizeof(bad) / sizeof(bad[0]); at++) {
		struct sg_diff diff;
		struct sl_error error = { .code = SL_OK };

		assert_int_equal(read_diff(&diff, bad[at], &error), SL_EINVAL);
		assert_non_null(strstr(error.message, "git's diff"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hunk_moves_the_lines_below_it),
		cmocka_unit_test(
			removed_lines_that_look_like_heads_are_counted_off),
		cmocka_unit_test(renames_with_and_without_changes),
		cmocka_unit_test(added_and_deleted_files),
		cmocka_unit_test(names_with_blanks_quotes_and_bytes),
		cmocka_unit_test(no_difference_is_an_empty_map),
		cmocka_unit_test(hunks_that_are_none_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
