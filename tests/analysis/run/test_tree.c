/* SPDX-License-Identifier: MIT */
/* Sources from real repositories, made here and removed again. */
#include "run/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

static char folder[64];

/* Run a script in the folder. */
static void shell(const char *script)
{
	char command[2048];

	snprintf(command, sizeof(command),
		 "cd %s && exec >/dev/null 2>&1 && set -e\n%s", folder, script);
	assert_int_equal(system(command), 0);
}

/* Two commits, "v1" and "v2": a.c gets two lines above its third, b.c becomes
 * sub/c.c. */
static const char repository[] =
	"export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null\n"
	"git init -q . && git config user.name T\n"
	"git config user.email t@example.invalid\n"
	"printf '1\\n2\\n3\\n' >a.c\n"
	"printf 'b1\\nb2\\nb3\\nb4\\n' >b.c\n"
	"git add . && git commit -qm one && git tag v1\n"
	"printf '1\\n2\\nx\\ny\\n3\\n' >a.c\n"
	"mkdir sub && git mv b.c sub/c.c\n"
	"git add . && git commit -qm two && git tag v2\n";

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/sg_tree.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static struct sg_tree *opened(const char *below, const char *revision)
{
	struct sl_error error;
	struct sg_tree *tree;
	char root[128];

	snprintf(root, sizeof(root), "%s%s", folder, below);
	if (sg_tree_open(root, revision, &tree, &error) != SL_OK)
		fail_msg("%s", error.message);
	return tree;
}

/* NULL: it is not at hand. */
static void expect_text(struct sg_tree *tree, const char *path,
			const char *expected)
{
	const char *text;
	size_t length;

	assert_int_equal(sg_tree_text(tree, path, &text, &length, NULL), SL_OK);
	if (!expected) {
		assert_null(text);
		return;
	}
	assert_non_null(text);
	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
}

/* ---- texts ------------------------------------------------------------- */

static void a_revision_has_its_own_texts(void **state)
{
	struct sg_tree *tree;

	(void)state;
	shell(repository);
	tree = opened("", "v1");
	expect_text(tree, "a.c", "1\n2\n3\n");
	expect_text(tree, "sub/c.c", NULL);
	expect_text(tree, "b.c", "b1\nb2\nb3\nb4\n");
	expect_text(tree, "sub", NULL);
	expect_text(tree, "a.c", "1\n2\n3\n");
	assert_int_equal(strlen(sg_tree_commit(tree)), 40);
	sg_tree_close(tree);
}

static void paths_start_at_the_root_even_below_the_repository(void **state)
{
	struct sg_tree *tree;

	(void)state;
	shell(repository);
	tree = opened("/sub", "v2");
	expect_text(tree, "c.c", "b1\nb2\nb3\nb4\n");
	expect_text(tree, "a.c", NULL);
	sg_tree_close(tree);
	tree = opened("/sub", NULL);
	expect_text(tree, "c.c", "b1\nb2\nb3\nb4\n");
	sg_tree_close(tree);
}

static void what_leaves_the_tree_or_is_no_file_is_not_at_hand(void **state)
{
	static const char *const paths[] = {
		"",     "/etc/passwd", "../a.c",    "sub/../../a.c", "..",
		"fifo", "sub",         "not there", "a\nb",
	};

	(void)state;
	shell(repository);
	shell("mkfifo fifo");
	for (int revision = 0; revision < 2; revision++) {
		struct sg_tree *tree = opened("", revision ? "v2" : NULL);

		for (size_t at = 0; at < sizeof(paths) / sizeof(paths[0]); at++)
			expect_text(tree, paths[at], NULL);
		expect_text(tree, "a.c", "1\n2\nx\ny\n3\n");
		sg_tree_close(tree);
	}
}

static void a_name_longer_than_gits_answer_is_not_at_hand(void **state)
{
	static char name[70000];
	struct sg_tree *tree;

	(void)state;
	shell(repository);
	memset(name, 'x', sizeof(name) - 1);
	tree = opened("", "v1");
	expect_text(tree, name, NULL);
	expect_text(tree, "a.c", "1\n2\n3\n");
	sg_tree_close(tree);
}

static void files_alone_need_no_repository(void **state)
{
	struct sg_tree *tree;

	(void)state;
	shell("printf 'x\\n' >a.c");
	tree = opened("", NULL);
	expect_text(tree, "a.c", "x\n");
	assert_null(sg_tree_commit(tree));
	sg_tree_close(tree);
}

/* ---- commits ----------------------------------------------------------- */

static void files_have_heads_commit_while_they_do_not_differ(void **state)
{
	struct sg_tree *tree;

	(void)state;
	shell(repository);
	tree = opened("", NULL);
	assert_non_null(sg_tree_commit(tree));
	sg_tree_close(tree);
	shell("touch -d 2001-01-01 a.c");
	tree = opened("", NULL);
	assert_non_null(sg_tree_commit(tree));
	sg_tree_close(tree);
	shell("echo >>a.c");
	tree = opened("", NULL);
	assert_null(sg_tree_commit(tree));
	sg_tree_close(tree);
}

static void a_commit_that_is_not_there_is_refused(void **state)
{
	struct sl_error error;
	struct sg_tree *tree;

	(void)state;
	shell(repository);
	assert_int_equal(sg_tree_open(folder, "v3", &tree, &error), SL_EINVAL);
	assert_non_null(strstr(error.message, "has no commit \"v3\""));
	assert_int_equal(sg_tree_open(folder, "--help", &tree, &error),
			 SL_EINVAL);
	assert_int_equal(sg_tree_open(folder, "^HEAD", &tree, &error),
			 SL_EINVAL);
	assert_int_equal(sg_tree_open("/", "v1", &tree, &error), SL_END);
	assert_non_null(strstr(error.message, "is in no git repository"));
}

/* ---- maps -------------------------------------------------------------- */

static char *commit_of(const char *revision)
{
	struct sg_tree *tree = opened("", revision);
	char *commit = strdup(sg_tree_commit(tree));

	sg_tree_close(tree);
	assert_non_null(commit);
	return commit;
}

static void a_map_leads_from_one_commit_to_another(void **state)
{
	const struct sg_map *map;
	struct sg_tree *tree;
	struct sg_place place;
	char *base;

	(void)state;
	shell(repository);
	base = commit_of("v1");
	tree = opened("", "v2");
	assert_int_equal(sg_tree_map(tree, base, &map, NULL), SL_OK);
	assert_non_null(map);
	place = sg_map_place(map, "a.c", 3);
	assert_int_equal(place.line, 5);
	place = sg_map_place(map, "b.c", 3);
	assert_string_equal(place.path, "sub/c.c");
	assert_int_equal(place.line, 3);
	sg_tree_close(tree);
	free(base);
}

static void a_map_leads_from_a_commit_to_files_that_differ(void **state)
{
	const struct sg_map *map;
	struct sg_tree *tree;
	char *base;

	(void)state;
	shell(repository);
	base = commit_of("v2");
	shell("printf 'new\\n1\\n2\\nx\\ny\\n3\\n' >a.c");
	tree = opened("", NULL);
	assert_int_equal(sg_tree_map(tree, base, &map, NULL), SL_OK);
	assert_non_null(map);
	assert_int_equal(sg_map_place(map, "a.c", 5).line, 6);
	sg_tree_close(tree);
	free(base);
}

static void an_unknown_base_has_no_map(void **state)
{
	static const char *const bases[] = {
		NULL,
		"v1",
		"--output=x",
		"0123456789012345678901234567890123456789",
	};
	struct sg_tree *tree;

	(void)state;
	shell(repository);
	tree = opened("", "v2");
	for (size_t at = 0; at < sizeof(bases) / sizeof(bases[0]); at++) {
		const struct sg_map *map;

		assert_int_equal(sg_tree_map(tree, bases[at], &map, NULL),
				 SL_OK);
		assert_null(map);
	}
	sg_tree_close(tree);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_revision_has_its_own_texts),
		TEST(paths_start_at_the_root_even_below_the_repository),
		TEST(what_leaves_the_tree_or_is_no_file_is_not_at_hand),
		TEST(a_name_longer_than_gits_answer_is_not_at_hand),
		TEST(files_alone_need_no_repository),
		TEST(files_have_heads_commit_while_they_do_not_differ),
		TEST(a_commit_that_is_not_there_is_refused),
		TEST(a_map_leads_from_one_commit_to_another),
		TEST(a_map_leads_from_a_commit_to_files_that_differ),
		TEST(an_unknown_base_has_no_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
