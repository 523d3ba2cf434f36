/* SPDX-License-Identifier: MIT */
/* Closures of sources in real repositories. */
#include "run/closure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "repository.h"
#include "run/includes.h"

struct reader {
	struct sg_snapshot *snapshot;
	struct sg_closures *closures;
	struct sl_buffer scan;
	size_t scans;
};

static enum sl_code scan_file(void *context,
			      const struct sg_snapshot_file *file,
			      const char **scan, struct sl_error *error)
{
	struct reader *reader = context;
	const char *text;
	size_t length;
	enum sl_code code = sg_snapshot_text(reader->snapshot, file->path,
					     &text, &length, error);

	*scan = NULL;
	reader->scans++;
	reader->scan.used = 0;
	if (code == SL_OK && text)
		code = sg_includes_scan(text, length, &reader->scan, error);
	if (code == SL_OK && text)
		*scan = reader->scan.data;
	return code;
}

/* Of a tree that a script makes, all of it staged. */
static void read_tree(struct reader *reader, const char *script)
{
	*reader = (struct reader){ .scans = 0 };
	shell(script);
	shell("test -d .git || init; git add -A");
	assert_int_equal(sg_snapshot_open(test_folder, SG_SNAPSHOT_INDEX, NULL,
					  &reader->snapshot, NULL),
			 SL_OK);
	assert_int_equal(sg_closures_create(&reader->closures, reader->snapshot,
					    scan_file, reader, NULL),
			 SL_OK);
}

static void finish(struct reader *reader)
{
	sg_closures_destroy(reader->closures);
	sg_snapshot_close(reader->snapshot);
	free(reader->scan.data);
}

static struct sg_hash expect_forced(struct reader *reader, const char *source,
				    const char *const *forced, size_t count,
				    const char *expected)
{
	char list[1024] = "";
	size_t all, used = 0;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(reader->snapshot, &all);
	struct sg_closure closure;

	assert_int_equal(sg_closures_of(reader->closures, source, forced, count,
					&closure, NULL),
			 SL_OK);
	for (size_t at = 0; at < closure.count; at++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s", at ? " " : "",
					 files[closure.files[at]].path);
	assert_string_equal(list, expected);
	return closure.hash;
}

static struct sg_hash expect(struct reader *reader, const char *source,
			     const char *expected)
{
	return expect_forced(reader, source, NULL, 0, expected);
}

static void includes_are_followed_by_the_ends_of_paths(void **state)
{
	struct reader reader;

	(void)state;
	read_tree(&reader, "mkdir -p src inc/sys other\n"
			   "echo '#include \"a.h\"' >src/a.c\n"
			   "echo '#include <sys/b.h>' >src/a.h\n"
			   "echo '#include <stdio.h>' >inc/sys/b.h\n"
			   "echo 'int x;' >other/b.h && echo >other/sysb.h\n"
			   "echo >other/a.h && echo >other/not_a.h\n");
	expect(&reader, "src/a.c", "inc/sys/b.h other/a.h src/a.c src/a.h");
	expect(&reader, "other/b.h", "other/b.h");
	expect(&reader, "src/a.h", "inc/sys/b.h src/a.h");
	finish(&reader);
}

static void each_file_is_scanned_once(void **state)
{
	struct reader reader;

	(void)state;
	read_tree(&reader, "echo '#include \"b.h\"' >a.h\n"
			   "echo '#include \"a.h\"' >b.h\n"
			   "echo '#include \"a.h\"' >a.c && cp a.c b.c\n"
			   "echo >unused.h\n");
	expect(&reader, "a.c", "a.c a.h b.h");
	assert_int_equal(reader.scans, 3);
	expect(&reader, "b.c", "a.h b.c b.h");
	expect(&reader, "a.c", "a.c a.h b.h");
	assert_int_equal(reader.scans, 4);
	finish(&reader);
}

static void folders_up_and_here_are_taken_off(void **state)
{
	struct reader reader;

	(void)state;
	read_tree(&reader, "mkdir -p p/q\n"
			   "echo '#include \"../x.h\"' >p/q/1.c\n"
			   "echo '#include \"./q/./x.h\"' >p/q/2.c\n"
			   "echo '#include \"z/../q//x.h\"' >p/q/3.c\n"
			   "echo '#include \"/abs/p/q/x.h\"' >p/q/4.c\n"
			   "echo '#include \"p/q/..\"' >p/q/5.c\n"
			   "echo '#include \"\"' >p/q/6.c\n"
			   "echo >x.h && echo >p/q/x.h\n");
	expect(&reader, "p/q/1.c", "p/q/1.c p/q/x.h x.h");
	expect(&reader, "p/q/2.c", "p/q/2.c p/q/x.h");
	expect(&reader, "p/q/3.c", "p/q/3.c p/q/x.h");
	expect(&reader, "p/q/4.c", "p/q/4.c p/q/x.h x.h");
	expect(&reader, "p/q/5.c", "p/q/5.c");
	expect(&reader, "p/q/6.c", "p/q/6.c");
	finish(&reader);
}

static void names_that_a_command_forces_count(void **state)
{
	static const char *const forced[] = { "config.h", "/root/x/list.txt" };
	struct reader reader;

	(void)state;
	read_tree(&reader,
		  "mkdir x && echo >a.c && echo >x/list.txt\n"
		  "echo '#include \"b.h\"' >x/config.h && echo >b.h\n");
	expect_forced(&reader, "a.c", forced, 2,
		      "a.c b.h x/config.h x/list.txt");
	expect(&reader, "a.c", "a.c");
	finish(&reader);
}

static void an_include_of_a_macro_takes_the_whole_tree(void **state)
{
	struct sg_closure closure;
	struct sg_hash before;
	struct reader reader;

	(void)state;
	read_tree(&reader, "echo '#include \"b.h\"' >a.c && echo >c.txt\n"
			   "echo '#include CONFIG' >b.h\n");
	before = expect(&reader, "a.c", "a.c b.h c.txt");
	assert_int_equal(
		sg_closures_of(reader.closures, "a.c", NULL, 0, &closure, NULL),
		SL_OK);
	assert_true(closure.whole);
	assert_int_equal(sg_closures_of(reader.closures, "c.txt", NULL, 0,
					&closure, NULL),
			 SL_OK);
	assert_false(closure.whole);
	finish(&reader);
	read_tree(&reader, "echo other >c.txt");
	assert_false(
		sg_hash_equal(before, expect(&reader, "a.c", "a.c b.h c.txt")));
	finish(&reader);
}

static void a_hash_is_of_paths_modes_and_contents(void **state)
{
	static const struct change {
		const char *script, *closure;
		bool same;
	} changes[] = {
		{ "true", "a.c a.h", true },
		{ "echo >other.c", "a.c a.h", true },
		{ "echo '// x' >>a.h", "a.c a.h", false },
		{ "sed -i '$d' a.h", "a.c a.h", true },
		{ "chmod +x a.h", "a.c a.h", false },
		{ "chmod -x a.h", "a.c a.h", true },
		{ "mkdir d && cp a.h d", "a.c a.h d/a.h", false },
		{ "git rm -q -f d/a.h", "a.c a.h", true },
		{ "mkdir e && git mv a.h e", "a.c e/a.h", false },
	};
	struct sg_hash first = { 0, 0 };

	(void)state;
	shell("init && echo '#include \"a.h\"' >a.c && echo 1 >a.h");
	for (size_t at = 0; at < sizeof(changes) / sizeof(changes[0]); at++) {
		struct reader reader;
		struct sg_hash hash;

		read_tree(&reader, changes[at].script);
		hash = expect(&reader, "a.c", changes[at].closure);
		if (at == 0)
			first = hash;
		assert_int_equal(sg_hash_equal(first, hash), changes[at].same);
		finish(&reader);
	}
}

static void symlinks_to_files_take_their_targets_with_them(void **state)
{
	struct reader reader;

	(void)state;
	read_tree(&reader,
		  "mkdir real alias && echo '#include \"c.h\"' "
		  ">real/b.h && echo >c.h\n"
		  "ln -s ../real/b.h alias/a.h && ln -s ./a.h alias/0.h\n"
		  "echo '#include \"0.h\"' >a.c && echo >b.c\n");
	expect(&reader, "a.c", "a.c alias/0.h alias/a.h c.h real/b.h");
	expect(&reader, "b.c", "b.c");
	finish(&reader);
}

static void symlinks_to_folders_are_in_every_closure(void **state)
{
	struct reader reader;

	(void)state;
	read_tree(&reader, "mkdir -p real/sub x && echo >real/sub/b.h\n"
			   "echo >x/b.h && ln -s real/sub inc\n"
			   "ln -s /usr/include system && ln -s nowhere gone\n"
			   "echo '#include \"inc/b.h\"' >a.c && echo >b.c\n"
			   "echo '#include \"sub/b.h\"' >c.c\n");
	expect(&reader, "a.c", "a.c gone inc real/sub/b.h system x/b.h");
	expect(&reader, "b.c", "b.c gone inc system");
	expect(&reader, "c.c", "c.c gone inc real/sub/b.h system");
	finish(&reader);
}

static void a_ring_of_symlinks_ends(void **state)
{
	struct reader reader;

	(void)state;
	read_tree(&reader, "ln -s b.h a.h && ln -s a.h b.h\n"
			   "echo '#include \"a.h\"' >a.c\n");
	expect(&reader, "a.c", "a.c a.h b.h");
	finish(&reader);
}

static void a_source_that_the_tree_has_not_is_told(void **state)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_closure closure;
	struct reader reader;

	(void)state;
	read_tree(&reader, "echo >a.c");
	assert_int_equal(sg_closures_of(reader.closures, "b.c", NULL, 0,
					&closure, &error),
			 SL_END);
	assert_string_equal(error.message, "the tree has no file b.c");
	finish(&reader);
}

static void headers_and_what_was_included_are_wanted(void **state)
{
	struct reader reader;

	(void)state;
	read_tree(&reader, "echo '#include \"gen/table.txt\"' >a.c\n"
			   "echo '#include \"other.dat\"' >b.c\n");
	expect(&reader, "a.c", "a.c");
	assert_true(sg_closures_want(reader.closures, "x.h"));
	assert_true(sg_closures_want(reader.closures, "x.y.hpp"));
	assert_true(sg_closures_want(reader.closures, "table.txt"));
	assert_false(sg_closures_want(reader.closures, "other.dat"));
	assert_false(sg_closures_want(reader.closures, "x.o"));
	assert_false(sg_closures_want(reader.closures, "h"));
	expect(&reader, "b.c", "b.c");
	assert_true(sg_closures_want(reader.closures, "other.dat"));
	finish(&reader);
}

static enum sl_code fail_to_scan(void *context,
				 const struct sg_snapshot_file *file,
				 const char **scan, struct sl_error *error)
{
	(void)context;
	(void)file;
	(void)scan;
	return SL_FAIL(error, SL_EIO, "no scan");
}

static void a_scan_that_fails_is_passed_on(void **state)
{
	struct sg_closures *closures;
	struct sg_closure closure;
	struct reader reader;

	(void)state;
	read_tree(&reader, "echo >a.c");
	assert_int_equal(sg_closures_create(&closures, reader.snapshot,
					    fail_to_scan, NULL, NULL),
			 SL_OK);
	for (int time = 0; time < 2; time++)
		assert_int_equal(sg_closures_of(closures, "a.c", NULL, 0,
						&closure, NULL),
				 SL_EIO);
	sg_closures_destroy(closures);
	finish(&reader);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_test_folder, \
					remove_test_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(includes_are_followed_by_the_ends_of_paths),
		TEST(each_file_is_scanned_once),
		TEST(folders_up_and_here_are_taken_off),
		TEST(names_that_a_command_forces_count),
		TEST(an_include_of_a_macro_takes_the_whole_tree),
		TEST(a_hash_is_of_paths_modes_and_contents),
		TEST(symlinks_to_files_take_their_targets_with_them),
		TEST(symlinks_to_folders_are_in_every_closure),
		TEST(a_ring_of_symlinks_ends),
		TEST(a_source_that_the_tree_has_not_is_told),
		TEST(headers_and_what_was_included_are_wanted),
		TEST(a_scan_that_fails_is_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
