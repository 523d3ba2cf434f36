/* SPDX-License-Identifier: MIT */
/* Paths made relative to a root. */
#define _XOPEN_SOURCE 700 /* mkdtemp(), realpath() */
#include "read/root.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tree in a folder of its own, which is the current one meanwhile:
 *     real/src/a.c  real/build/gen.c  real/link.c -> src/a.c
 *     real/out.c -> ../elsewhere.c  elsewhere.c  alias -> real
 *     deep -> real/src */
struct tree {
	char home[4096]; /* where the tests began */
	char *folder; /* owned, resolved */
};

static void touch(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
}

static int make_tree(void **state)
{
	static struct tree tree;
	char name[] = "/tmp/sluice-normal-XXXXXX";

	assert_non_null(getcwd(tree.home, sizeof(tree.home)));
	assert_non_null(mkdtemp(name));
	tree.folder = realpath(name, NULL);
	assert_non_null(tree.folder);
	assert_int_equal(chdir(tree.folder), 0);
	assert_int_equal(mkdir("real", 0777), 0);
	assert_int_equal(mkdir("real/src", 0777), 0);
	assert_int_equal(mkdir("real/build", 0777), 0);
	touch("real/src/a.c");
	touch("real/build/gen.c");
	touch("elsewhere.c");
	assert_int_equal(symlink("src/a.c", "real/link.c"), 0);
	assert_int_equal(symlink("../elsewhere.c", "real/out.c"), 0);
	assert_int_equal(symlink("real", "alias"), 0);
	assert_int_equal(symlink("real/src", "deep"), 0);
	*state = &tree;
	return 0;
}

static int remove_tree(void **state)
{
	static const char *const files[] = { "real/src/a.c", "real/build/gen.c",
					     "elsewhere.c",  "real/link.c",
					     "real/out.c",   "alias",
					     "deep" };
	struct tree *tree = *state;

	for (size_t at = 0; at < sizeof(files) / sizeof(files[0]); at++)
		assert_int_equal(unlink(files[at]), 0);
	assert_int_equal(rmdir("real/src"), 0);
	assert_int_equal(rmdir("real/build"), 0);
	assert_int_equal(rmdir("real"), 0);
	assert_int_equal(chdir(tree->home), 0);
	assert_int_equal(rmdir(tree->folder), 0);
	free(tree->folder);
	return 0;
}

/* A '%' at the start of path or expectation stands for the tree's folder. */
struct example {
	const char *path, *expected;
};

static const char *expand(const struct tree *tree, const char *text, char *full,
			  size_t size)
{
	if (*text != '%')
		return text;
	snprintf(full, size, "%s%s", tree->folder, text + 1);
	return full;
}

static void assert_relative(const struct tree *tree, const char *path,
			    const char *const *bases, size_t base_count,
			    const struct example *examples, size_t count)
{
	struct sl_error error = { 0 };
	char from[8192], to[8192];
	struct sg_root *root;

	assert_int_equal(sg_root_create(&root, path, bases, base_count, &error),
			 SL_OK);
	/* the second time the answer is one that was kept */
	for (size_t at = 0; at < 2 * count; at++) {
		const struct example *example = &examples[at % count];

		assert_string_equal(
			sg_root_relative(root, expand(tree, example->path, from,
						      sizeof(from))),
			expand(tree, example->expected, to, sizeof(to)));
	}
	sg_root_destroy(root);
}

#define ASSERT_RELATIVE(tree, path, bases, base_count, examples) \
	assert_relative(tree, path, bases, base_count, examples, \
			sizeof(examples) / sizeof((examples)[0]))

static void paths_inside_the_root_become_relative_to_it(void **state)
{
	static const struct example examples[] = {
		{ "src/a.c", "src/a.c" },
		{ "./src//a.c", "src/a.c" },
		{ "%/real/src/a.c", "src/a.c" },
		{ "%/alias/src/a.c", "src/a.c" },
		{ "%/alias/src/gone.c", "src/gone.c" },
		{ "%/real/link.c", "src/a.c" },
		{ "%/real", "." },
		{ "%/real/", "." },
		{ "build/../src/a.c", "src/a.c" },
		{ "none/../src/./gone.c", "src/gone.c" },
		{ "none/../link.c", "src/a.c" },
		/* behind a symlink ".." is the folder above what it leads to */
		{ "../deep/../build/gen.c", "build/gen.c" },
		{ "gone.c", "gone.c" },
		{ ".../src/pool.c", ".../src/pool.c" },
	};

	ASSERT_RELATIVE(*state, "alias", NULL, 0, examples);
}

static void paths_outside_of_the_root_are_absolute(void **state)
{
	static const struct example examples[] = {
		{ "/usr/include/none.h", "/usr/include/none.h" },
		{ "/usr/../usr/include/./none.h", "/usr/include/none.h" },
		{ "/../../none.h", "/none.h" },
		{ "../gone.c", "%/gone.c" },
		{ "../elsewhere.c", "%/elsewhere.c" },
		{ "%/realer/x.c", "%/realer/x.c" },
		/* git tracks the link, not what it leads to */
		{ "out.c", "out.c" },
	};

	ASSERT_RELATIVE(*state, "real", NULL, 0, examples);
}

static void relative_paths_are_tried_from_the_base_folders(void **state)
{
	static const char *const bases[] = { "none", "real/build" };
	static const struct example examples[] = {
		{ "gen.c", "build/gen.c" },        { "../src/a.c", "src/a.c" },
		{ "../src/gone.c", "src/gone.c" }, { "src/a.c", "src/a.c" },
		{ "src/gone.c", "src/gone.c" },
	};

	ASSERT_RELATIVE(*state, "real", bases, 2, examples);
}

static void paths_of_windows_get_slashes(void **state)
{
	static const struct example here[] = {
		{ "src\\a.c", "src/a.c" },
		{ ".\\build\\..\\src\\a.c", "src/a.c" },
		{ "c:\\other\\.\\x\\..\\y.c", "C:/other/y.c" },
		{ "\\\\host\\share\\y.c", "//host/share/y.c" },
	};
	static const struct example there[] = {
		{ "C:\\src\\repo\\src\\a.c", "src/a.c" },
		{ "c:/src/repo/src/../b.c", "b.c" },
		{ "src\\a.c", "src/a.c" },
		{ "..\\a.c", "C:/src/a.c" },
		{ "C:\\src\\repository\\a.c", "C:/src/repository/a.c" },
		{ "C:\\..\\..\\a.c", "C:/a.c" },
		{ "D:\\src\\repo\\a.c", "D:/src/repo/a.c" },
	};
	static const struct example share[] = {
		{ "\\\\host\\share\\src\\a.c", "src/a.c" },
		{ "src\\a.c", "src/a.c" },
	};

	ASSERT_RELATIVE(*state, "real", NULL, 0, here);
	ASSERT_RELATIVE(*state, "c:\\src\\repo\\", NULL, 0, there);
	ASSERT_RELATIVE(*state, "\\\\host\\share", NULL, 0, share);
}

static void the_root_may_be_of_the_machine_that_made_the_report(void **state)
{
	static const struct example examples[] = {
		{ "/builds/us/repo/src/a.c", "src/a.c" },
		{ "/builds/us/repository/a.c", "/builds/us/repository/a.c" },
		{ "src/a.c", "src/a.c" },
	};

	ASSERT_RELATIVE(*state, "/builds/us/repo/", NULL, 0, examples);
}

static void every_path_is_inside_the_root_folder(void **state)
{
	static const struct example examples[] = {
		{ "/none/x.c", "none/x.c" },
		{ "/", "." },
		{ "none.c", "none.c" },
	};

	ASSERT_RELATIVE(*state, "/", NULL, 0, examples);
}

static void what_is_no_path_stays(void **state)
{
	static const struct example examples[] = {
		{ "", "" },
		{ "<built-in>", "<built-in>" },
		{ "https://a.org/x//y", "https://a.org/x//y" },
	};

	ASSERT_RELATIVE(*state, "real", NULL, 0, examples);
}

static void a_path_of_64_kb_is_collapsed(void **state)
{
	enum { LONG = 65536 };
	char *path = malloc(LONG + 1), *expected = malloc(LONG + 1);
	struct sl_error error = { 0 };
	struct sg_root *root;

	(void)state;
	assert_non_null(path);
	assert_non_null(expected);
	memset(path, 'x', LONG);
	memcpy(path, "a/../", 5);
	path[LONG] = '\0';
	memcpy(expected, path + 5, LONG + 1 - 5);
	assert_int_equal(sg_root_create(&root, "real", NULL, 0, &error), SL_OK);
	assert_string_equal(sg_root_relative(root, path), expected);
	assert_string_equal(sg_root_relative(root, path), expected);
	sg_root_destroy(root);
	free(path);
	free(expected);
}

static void a_root_that_cannot_be_is_refused(void **state)
{
	struct sl_error error = { 0 };
	struct sg_root *root;

	(void)state;
	assert_int_equal(sg_root_create(&root, "none", NULL, 0, &error),
			 SL_EIO);
	assert_null(root);
	assert_string_equal(error.message, "cannot use none as the root: No "
					   "such file or directory");
	assert_int_equal(sg_root_create(&root, "elsewhere.c", NULL, 0, &error),
			 SL_EINVAL);
	assert_string_equal(error.message,
			    "the root elsewhere.c is not a folder");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_inside_the_root_become_relative_to_it),
		cmocka_unit_test(paths_outside_of_the_root_are_absolute),
		cmocka_unit_test(
			relative_paths_are_tried_from_the_base_folders),
		cmocka_unit_test(paths_of_windows_get_slashes),
		cmocka_unit_test(
			the_root_may_be_of_the_machine_that_made_the_report),
		cmocka_unit_test(every_path_is_inside_the_root_folder),
		cmocka_unit_test(what_is_no_path_stays),
		cmocka_unit_test(a_path_of_64_kb_is_collapsed),
		cmocka_unit_test(a_root_that_cannot_be_is_refused),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
