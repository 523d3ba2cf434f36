/* SPDX-License-Identifier: MIT */
/* Trees are written out as they are, and nothing else is touched. */
#include "run/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "repository.h"

static char root[128], to[128];

static int make_folders(void **state)
{
	if (make_test_folder(state))
		return -1;
	snprintf(root, sizeof(root), "%s/work", test_folder);
	snprintf(to, sizeof(to), "%s/to", test_folder);
	shell("mkdir work");
	return 0;
}

static struct sg_snapshot *opened(enum sg_snapshot_kind kind,
				  const char *revision)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_snapshot *snapshot;

	if (sg_snapshot_open(root, kind, revision, &snapshot, &error) != SL_OK)
		fail_msg("%s", error.message);
	return snapshot;
}

static void export_to(enum sg_snapshot_kind kind, const char *revision)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_snapshot *snapshot = opened(kind, revision);

	if (sg_snapshot_export(snapshot, to, &error) != SL_OK)
		fail_msg("%s", error.message);
	sg_snapshot_close(snapshot);
}

static bool ends_in_h(const void *context, const char *name)
{
	const char *point = strrchr(name, '.');

	(void)context;
	return point && strcmp(point, ".h") == 0;
}

static void link_to(enum sg_snapshot_kind kind, const char *revision)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_snapshot *snapshot = opened(kind, revision);

	if (sg_snapshot_link_untracked(snapshot, to, ends_in_h, NULL, &error) !=
	    SL_OK)
		fail_msg("%s", error.message);
	sg_snapshot_close(snapshot);
}

/* ---- exports ----------------------------------------------------------- */

static const char mixed[] =
	"cd work && init && mkdir sub && echo a >a.c && echo b >sub/b.c\n"
	"ln -s a.c link && echo x >run.sh && chmod +x run.sh\n"
	"git add . && git commit -qm 1\n"
	"echo staged >a.c && git add a.c && echo later >a.c\n"
	"echo new >sub/new.c && echo meant >meant.c && git add -N meant.c\n";

/* All that scgate must leave alone. */
static const char state_of_git[] =
	"cd work && find . -type f -o -type l | sort | xargs ls -l "
	"--time-style=full-iso; find .git -type f | sort | xargs md5sum";

static void the_index_is_exported(void **state)
{
	(void)state;
	shell(mixed);
	export_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cd to && find . ! -type d | sort\n"
		      "cat a.c sub/b.c && readlink link && test -x run.sh\n"
		      "test ! -x a.c && ls -A ..",
		      "./a.c\n./link\n./run.sh\n./sub/b.c\n"
		      "staged\nb\na.c\nto\nwork\n");
}

static void a_commit_is_exported(void **state)
{
	(void)state;
	shell(mixed);
	export_to(SG_SNAPSHOT_COMMIT, "HEAD");
	expect_output("cd to && find . ! -type d | sort && cat a.c && ls -A ..",
		      "./a.c\n./link\n./run.sh\n./sub/b.c\na\nto\nwork\n");
}

static void the_work_tree_is_exported(void **state)
{
	(void)state;
	shell(mixed);
	shell("cd work && ln -s /nowhere odd && rm sub/b.c && mkdir -p x/y\n"
	      "echo y >x/y/z.sh && chmod +x x/y/z.sh\n");
	export_to(SG_SNAPSHOT_WORKTREE, NULL);
	expect_output("cd to && find . ! -type d | sort && cat a.c meant.c\n"
		      "readlink odd && test -x x/y/z.sh",
		      "./a.c\n./link\n./meant.c\n./odd\n./run.sh\n"
		      "./sub/new.c\n./x/y/z.sh\nlater\nmeant\n/nowhere\n");
}

static void an_empty_tree_is_an_empty_folder(void **state)
{
	(void)state;
	shell("cd work && init");
	export_to(SG_SNAPSHOT_EMPTY, NULL);
	export_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("ls -A to", "");
}

static void what_is_there_already_is_written_anew(void **state)
{
	(void)state;
	shell(mixed);
	shell("mkdir to && echo old >to/a.c && echo other >to/other.c");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cat to/a.c to/other.c", "staged\nother\n");
}

static void the_repository_stays_as_it_was(void **state)
{
	static const char hooks[] =
		"cd work && git config core.splitIndex true\n"
		"git config core.untrackedCache true\n"
		"git config index.sparse true\n"
		"git config gc.auto 1\n"
		"printf '#!/bin/sh\\ntouch hook-ran\\n' "
		">.git/hooks/post-index-change\n"
		"cp .git/hooks/post-index-change .git/hooks/post-checkout\n"
		"chmod +x .git/hooks/post-*\n";
	char before[8192], command[256];

	(void)state;
	shell(mixed);
	shell(hooks);
	shell("cd work && touch -d 2001-01-01 sub/b.c");
	snprintf(command, sizeof(command), "(%s) >before", state_of_git);
	shell(command);
	for (int kind = SG_SNAPSHOT_COMMIT; kind <= SG_SNAPSHOT_WORKTREE;
	     kind++) {
		export_to((enum sg_snapshot_kind)kind,
			  kind == SG_SNAPSHOT_COMMIT ? "HEAD" : NULL);
		link_to((enum sg_snapshot_kind)kind,
			kind == SG_SNAPSHOT_COMMIT ? "HEAD" : NULL);
	}
	snprintf(before, sizeof(before), "(%s) >after; diff before after",
		 state_of_git);
	expect_output(before, "");
}

static void sparse_files_are_exported(void **state)
{
	(void)state;
	shell("cd work && init && mkdir in out && echo a >in/a.c\n"
	      "echo b >out/b.c && git add . && git commit -qm 1\n"
	      "git sparse-checkout set --cone --sparse-index in\n");
	for (int kind = SG_SNAPSHOT_COMMIT; kind <= SG_SNAPSHOT_WORKTREE;
	     kind++) {
		export_to((enum sg_snapshot_kind)kind,
			  kind == SG_SNAPSHOT_COMMIT ? "HEAD" : NULL);
		expect_output("cat to/in/a.c to/out/b.c && rm -r to", "a\nb\n");
	}
}

static void attributes_are_those_of_the_exported_tree(void **state)
{
	(void)state;
	shell("cd work && init && echo '*.c text eol=crlf' >.gitattributes\n"
	      "echo a >a.c && git add . && git commit -qm 1 2>/dev/null\n"
	      "rm .gitattributes && git add -A\n");
	export_to(SG_SNAPSHOT_COMMIT, "HEAD");
	expect_output("od -c -An to/a.c && rm -r to", "   a  \\r  \\n\n");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("od -c -An to/a.c", "   a  \\n\n");
}

static void odd_names_are_exported(void **state)
{
	static const char names[] =
		"cd work && init && printf x >\"$(printf 'new\\nline')\"\n"
		"printf y >\"$(printf 'latin\\351')\" && printf z >./-dash\n"
		"mkdir 'a b' && printf b >'a b/\"c\"' && git add -A\n";

	(void)state;
	shell(names);
	export_to(SG_SNAPSHOT_INDEX, NULL);
	shell("rm -rf work/.git && diff -r work to && rm -r to work");
	shell("mkdir work");
	shell(names);
	shell("cd work && git rm -rq --cached .");
	export_to(SG_SNAPSHOT_WORKTREE, NULL);
	shell("rm -rf work/.git && diff -r work to");
}

static void submodules_are_linked(void **state)
{
	(void)state;
	shell("mkdir lib && cd lib && init && echo l >l.h && git add .\n"
	      "git commit -qm 1 && cd ../work && init\n"
	      "git -c protocol.file.allow=always submodule --quiet add "
	      "../lib deps/lib\n"
	      "mkdir gone && git update-index --add --cacheinfo "
	      "160000,0123456789012345678901234567890123456789,not/there\n");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	link_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cat to/deps/lib/l.h; find to -type l; ls to/not",
		      "l\nto/deps/lib\n");
}

static void a_hooks_settings_hold(void **state)
{
	(void)state;
	shell(mixed);
	shell("cd work && GIT_INDEX_FILE=.git/next git read-tree HEAD");
	setenv("GIT_DIR", ".git", 1);
	setenv("GIT_INDEX_FILE", ".git/next", 1);
	export_to(SG_SNAPSHOT_INDEX, NULL);
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	expect_output("cat to/a.c", "a\n");
}

static void the_index_may_change_after_it_was_opened(void **state)
{
	struct sg_snapshot *index;

	(void)state;
	shell(mixed);
	index = opened(SG_SNAPSHOT_INDEX, NULL);
	shell("cd work && git add -A && git rm -q --cached run.sh");
	assert_int_equal(sg_snapshot_export(index, to, NULL), SL_OK);
	sg_snapshot_close(index);
	expect_output("cd to && find . ! -type d | sort && cat a.c",
		      "./a.c\n./link\n./run.sh\n./sub/b.c\nstaged\n");
}

static void a_missing_object_is_an_error_that_says_so(void **state)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_snapshot *index;

	(void)state;
	shell(mixed);
	shell("cd work && id=$(git rev-parse :a.c)\n"
	      "rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | "
	      "cut -c3-)");
	index = opened(SG_SNAPSHOT_INDEX, NULL);
	assert_int_equal(sg_snapshot_export(index, to, &error), SL_EIO);
	assert_non_null(strstr(error.message, "git cannot export to "));
	assert_non_null(strstr(error.message, "a.c"));
	expect_output("ls -A", "to\nwork\n");
	sg_snapshot_close(index);
}

/* ---- untracked files --------------------------------------------------- */

static void wanted_files_are_linked_in_real_folders(void **state)
{
	(void)state;
	shell("cd work && init && mkdir src && echo a >src/a.c\n"
	      "echo build >.gitignore && git add . && git commit -qm 1\n"
	      "mkdir -p build/gen && echo g >build/gen/g.h\n"
	      "echo o >build/gen/o.o && echo u >src/u.h\n"
	      "mkdir -p nested && cd nested && init && echo n >n.h\n");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	link_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cd to && find . -type l | sort\n"
		      "cat build/gen/g.h src/u.h nested/n.h",
		      "./build/gen/g.h\n./nested/n.h\n./src/u.h\ng\nu\nn\n");
}

static void what_the_tested_tree_deletes_does_not_come_back(void **state)
{
	(void)state;
	shell("cd work && init && echo 1 >gone.h && echo 2 >kept.h\n"
	      "echo 3 >a.c && git add . && git commit -qm 1\n"
	      "git rm -q --cached gone.h && echo 4 >new.h && git add new.h\n"
	      "echo 5 >other.h\n");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	link_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cd to && ls && rm -r *",
		      "a.c\nkept.h\nnew.h\nother.h\n");
	export_to(SG_SNAPSHOT_COMMIT, "HEAD");
	link_to(SG_SNAPSHOT_COMMIT, "HEAD");
	expect_output("cd to && ls", "a.c\ngone.h\nkept.h\nother.h\n");
}

static void what_is_there_stays_and_links_are_not_followed(void **state)
{
	(void)state;
	shell("cd work && init && mkdir real && ln -s real short\n"
	      "echo a >real/a.h && git add . && git commit -qm 1\n"
	      "rm short && mkdir short && echo s >short/s.h\n"
	      "mkdir other && echo o >other/o.h\n");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	shell("mkdir to/other && echo mine >to/other/o.h");
	link_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cd to && find . ! -type d | sort && cat other/o.h",
		      "./other/o.h\n./real/a.h\n./short\nmine\n");
}

static void untracked_symlinks_lead_into_the_export(void **state)
{
	(void)state;
	shell("mkdir lib && echo l >lib/l.h && cd work && init\n"
	      "mkdir src && echo old >src/a.h && git add . \n"
	      "git commit -qm 1 && mkdir -p build/include\n"
	      "ln -s ../../src/a.h build/include/a.h\n"
	      "ln -s $PWD/src build/include/src\n"
	      "ln -s ../../../lib build/include/lib\n"
	      "ln -s nowhere build/include/none.h\n"
	      "echo new >src/a.h\n");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	link_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cd to/build/include && ls && cat a.h src/a.h lib/l.h",
		      "a.h\nlib\nsrc\nold\nold\nl\n");
}

static void an_export_within_the_work_tree_is_not_entered(void **state)
{
	(void)state;
	shell("cd work && init && echo a >a.c && git add .\n"
	      "mkdir -p tmp && echo h >h.h");
	snprintf(to, sizeof(to), "%s/%s", test_folder, "work/tmp/to");
	export_to(SG_SNAPSHOT_INDEX, NULL);
	link_to(SG_SNAPSHOT_INDEX, NULL);
	expect_output("cd work/tmp/to && find . ! -type d | sort",
		      "./a.c\n./h.h\n");
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_folders, remove_test_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_index_is_exported),
		TEST(a_commit_is_exported),
		TEST(the_work_tree_is_exported),
		TEST(an_empty_tree_is_an_empty_folder),
		TEST(what_is_there_already_is_written_anew),
		TEST(the_repository_stays_as_it_was),
		TEST(sparse_files_are_exported),
		TEST(attributes_are_those_of_the_exported_tree),
		TEST(odd_names_are_exported),
		TEST(submodules_are_linked),
		TEST(a_hooks_settings_hold),
		TEST(the_index_may_change_after_it_was_opened),
		TEST(a_missing_object_is_an_error_that_says_so),
		TEST(wanted_files_are_linked_in_real_folders),
		TEST(what_the_tested_tree_deletes_does_not_come_back),
		TEST(what_is_there_stays_and_links_are_not_followed),
		TEST(untracked_symlinks_lead_into_the_export),
		TEST(an_export_within_the_work_tree_is_not_entered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
