/* SPDX-License-Identifier: MIT */
/* Snapshots of real repositories: what they list, and what stays as it was. */
#include "run/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "repository.h"

/* Two commits, "v1" and "v2": a.c gets two lines above its third, b.c becomes
 * sub/c.c. */
static const char two_commits[] =
	"init\n"
	"printf '1\\n2\\n3\\n' >a.c\n"
	"printf 'b1\\nb2\\nb3\\nb4\\n' >b.c\n"
	"git add . && git commit -qm one && git tag v1\n"
	"printf '1\\n2\\nx\\ny\\n3\\n' >a.c\n"
	"mkdir sub && git mv b.c sub/c.c\n"
	"git add . && git commit -qm two && git tag v2\n";

static struct sg_snapshot *
opened_at(const char *below, enum sg_snapshot_kind kind, const char *revision)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_snapshot *snapshot;
	char root[128];

	snprintf(root, sizeof(root), "%s%s", test_folder, below);
	if (sg_snapshot_open(root, kind, revision, &snapshot, &error) != SL_OK)
		fail_msg("%s", error.message);
	return snapshot;
}

static struct sg_snapshot *opened(enum sg_snapshot_kind kind,
				  const char *revision)
{
	return opened_at("", kind, revision);
}

/* Each file as "MODE PATH;", untracked ones with a ? before it. */
static void expect_files(struct sg_snapshot *snapshot, const char *expected)
{
	char list[2048] = "";
	size_t count, used = 0;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(snapshot, &count);

	for (size_t at = 0; at < count && used < sizeof(list); at++) {
		used += (size_t)snprintf(
			list + used, sizeof(list) - used, "%s%o %s;",
			files[at].untracked ? "?" : "",
			files[at].mode & 0777777, files[at].path);
		assert_ptr_equal(sg_snapshot_find(snapshot, files[at].path),
				 &files[at]);
	}
	assert_string_equal(list, expected);
}

static void expect_listing(enum sg_snapshot_kind kind, const char *revision,
			   const char *expected)
{
	struct sg_snapshot *snapshot = opened(kind, revision);

	expect_files(snapshot, expected);
	sg_snapshot_close(snapshot);
}

/* NULL: it is not at hand. */
static void expect_text(struct sg_snapshot *snapshot, const char *path,
			const char *expected)
{
	const char *text;
	size_t length;
	struct sl_error error = { .code = SL_OK };

	if (sg_snapshot_text(snapshot, path, &text, &length, &error) != SL_OK)
		fail_msg("%s", error.message);
	if (!expected) {
		assert_null(text);
		return;
	}
	assert_non_null(text);
	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
}

static bool is_same(struct sg_snapshot *one, const char *path,
		    struct sg_snapshot *other, const char *other_path)
{
	const struct sg_snapshot_file *left = sg_snapshot_find(one, path);
	const struct sg_snapshot_file *right =
		sg_snapshot_find(other, other_path);

	assert_non_null(left);
	assert_non_null(right);
	return sg_hash_equal(left->content, right->content);
}

static void expect_refusal(enum sg_snapshot_kind kind, const char *revision,
			   const char *words)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_snapshot *snapshot;

	assert_int_equal(sg_snapshot_open(test_folder, kind, revision,
					  &snapshot, &error),
			 SL_EINVAL);
	assert_null(snapshot);
	if (!strstr(error.message, words))
		fail_msg("%s", error.message);
}

/* ---- commits ----------------------------------------------------------- */

static void a_commit_has_its_own_files(void **state)
{
	struct sg_snapshot *one, *two;

	(void)state;
	shell(two_commits);
	one = opened(SG_SNAPSHOT_COMMIT, "v1");
	two = opened(SG_SNAPSHOT_COMMIT, "HEAD");
	expect_files(one, "100644 a.c;100644 b.c;");
	expect_files(two, "100644 a.c;100644 sub/c.c;");
	assert_int_equal(strlen(sg_snapshot_commit(one)), 40);
	expect_text(one, "a.c", "1\n2\n3\n");
	expect_text(two, "a.c", "1\n2\nx\ny\n3\n");
	expect_text(two, "sub", NULL);
	expect_text(two, "b.c", NULL);
	expect_text(two, "/etc/passwd", NULL);
	assert_false(is_same(one, "a.c", two, "a.c"));
	assert_true(is_same(one, "b.c", two, "sub/c.c"));
	assert_null(sg_snapshot_find(one, "sub/c.c"));
	sg_snapshot_close(one);
	sg_snapshot_close(two);
}

static void a_commit_that_is_not_there_is_refused(void **state)
{
	(void)state;
	shell(two_commits);
	expect_refusal(SG_SNAPSHOT_COMMIT, "v3", "has no commit \"v3\"");
	expect_refusal(SG_SNAPSHOT_COMMIT, "--help", "has no commit");
	expect_refusal(SG_SNAPSHOT_COMMIT, "^HEAD", "has no commit");
	expect_refusal(SG_SNAPSHOT_COMMIT, "HEAD:a.c", "has no commit");
}

static void a_shallow_clone_says_so(void **state)
{
	(void)state;
	shell("mkdir real && cd real\n"
	      "init && git commit -q --allow-empty -m 1\n"
	      "git commit -q --allow-empty -m 2\n"
	      "git clone -q --depth 1 file://$PWD ../clone\n"
	      "mv ../clone/.git ..\n");
	expect_refusal(SG_SNAPSHOT_COMMIT, "HEAD~1", "shallow clone");
}

static void before_the_first_commit_there_is_an_index(void **state)
{
	(void)state;
	shell("init && echo x >a.c && git add a.c && echo y >b.c\n");
	expect_refusal(SG_SNAPSHOT_COMMIT, "HEAD", "has no commit");
	expect_listing(SG_SNAPSHOT_EMPTY, NULL, "");
	expect_listing(SG_SNAPSHOT_INDEX, NULL, "100644 a.c;");
	expect_listing(SG_SNAPSHOT_WORKTREE, NULL, "100644 a.c;?100644 b.c;");
}

static void a_bare_repository_has_commits(void **state)
{
	struct sg_snapshot *snapshot;

	(void)state;
	shell("mkdir real && cd real\n"
	      "init && echo x >a.c && git add a.c && git commit -qm 1\n"
	      "git clone -q --bare . ../bare.git\n");
	snapshot = opened_at("/bare.git", SG_SNAPSHOT_COMMIT, "HEAD");
	expect_files(snapshot, "100644 a.c;");
	expect_text(snapshot, "a.c", "x\n");
	sg_snapshot_close(snapshot);
}

static void no_repository_is_an_error(void **state)
{
	struct sg_snapshot *snapshot;
	struct sl_error error = { .code = SL_OK };

	(void)state;
	assert_int_equal(sg_snapshot_open(test_folder, SG_SNAPSHOT_INDEX, NULL,
					  &snapshot, &error),
			 SL_EIO);
	assert_non_null(strstr(error.message, "git cannot list the index"));
}

/* ---- the index --------------------------------------------------------- */

static void the_index_is_what_would_be_committed(void **state)
{
	struct sg_snapshot *index, *head;

	(void)state;
	shell(two_commits);
	shell("echo staged >a.c && git add --chmod=+x a.c\n"
	      "echo later >a.c\n"
	      "echo new >'odd name.c' && git add . -- ':!a.c'\n"
	      "git rm -q --cached sub/c.c && ln -s a.c link\n"
	      "git add link && echo no >untracked.c\n");
	index = opened(SG_SNAPSHOT_INDEX, NULL);
	head = opened(SG_SNAPSHOT_COMMIT, "HEAD");
	expect_files(index, "100755 a.c;120000 link;100644 odd name.c;");
	expect_text(index, "a.c", "staged\n");
	expect_text(index, "link", NULL);
	assert_false(is_same(index, "a.c", head, "a.c"));
	assert_null(sg_snapshot_commit(index));
	sg_snapshot_close(index);
	shell("git add -A && git commit -qm all");
	index = opened(SG_SNAPSHOT_INDEX, NULL);
	sg_snapshot_close(head);
	head = opened(SG_SNAPSHOT_COMMIT, "HEAD");
	assert_true(is_same(index, "link", head, "link"));
	assert_true(is_same(index, "untracked.c", head, "untracked.c"));
	sg_snapshot_close(index);
	sg_snapshot_close(head);
}

static void what_is_only_intended_to_be_added_is_not_in_the_index(void **state)
{
	(void)state;
	shell("init && : >empty.c && git add empty.c\n"
	      "echo x >meant.c && git add -N meant.c\n"
	      ": >meant_too.c && git add -N meant_too.c\n");
	expect_listing(SG_SNAPSHOT_INDEX, NULL, "100644 empty.c;");
	expect_listing(SG_SNAPSHOT_WORKTREE, NULL,
		       "100644 empty.c;?100644 meant.c;?100644 meant_too.c;");
	shell("rm meant.c");
	expect_listing(SG_SNAPSHOT_INDEX, NULL, "100644 empty.c;");
	expect_listing(SG_SNAPSHOT_WORKTREE, NULL,
		       "100644 empty.c;?100644 meant_too.c;");
}

static void conflicts_are_refused_by_name(void **state)
{
	(void)state;
	shell("init && echo 1 >a.c && git add . && git commit -qm 1\n"
	      "git branch other && echo 2 >a.c && git commit -qam 2\n"
	      "git checkout -q other && echo 3 >a.c && git commit -qam 3\n"
	      "! git merge -q master 2>/dev/null || ! git merge -q main\n");
	expect_refusal(SG_SNAPSHOT_INDEX, NULL,
		       "the index has a conflict: a.c is not merged");
	expect_refusal(SG_SNAPSHOT_WORKTREE, NULL, "a.c is not merged");
}

static void a_sparse_checkout_has_all_files(void **state)
{
	static const char all[] = "100644 in/a.c;100644 out/b.c;100644 top.c;";

	(void)state;
	shell("init && mkdir in out && echo a >in/a.c && echo b >out/b.c\n"
	      "echo t >top.c && git add . && git commit -qm 1\n"
	      "git sparse-checkout set --cone --sparse-index in\n"
	      "test ! -e out/b.c\n");
	expect_listing(SG_SNAPSHOT_INDEX, NULL, all);
	expect_listing(SG_SNAPSHOT_WORKTREE, NULL, all);
}

static void names_are_any_bytes(void **state)
{
	struct sg_snapshot *snapshot;

	(void)state;
	shell("init && printf x >\"$(printf 'new\\nline')\"\n"
	      "printf y >\"$(printf 'latin\\351')\" && printf z >./-dash\n"
	      "printf q >'\"q\"' && printf w >'b\\s' && git add -A\n");
	for (int disk = 0; disk < 3; disk++) {
		if (disk == 2)
			shell("git rm -rq --cached .");
		snapshot = opened(
			disk ? SG_SNAPSHOT_WORKTREE : SG_SNAPSHOT_INDEX, NULL);
		expect_text(snapshot, "new\nline", disk == 1 ? "x2" : "x");
		expect_text(snapshot, "latin\xe9", "y");
		expect_text(snapshot, "-dash", "z");
		expect_text(snapshot, "\"q\"", "q");
		expect_text(snapshot, "b\\s", "w");
		sg_snapshot_close(snapshot);
		if (disk == 0)
			shell("printf 2 >>\"$(printf 'new\\nline')\"");
		else if (disk == 1)
			shell("printf x >\"$(printf 'new\\nline')\"");
	}
}

static void longer_hashes_do_as_well(void **state)
{
	struct sg_snapshot *head, *disk;

	(void)state;
	shell("init --object-format=sha256 && echo x >a.c && : >empty.c\n"
	      "git add . && git commit -qm 1 && echo y >a.c\n"
	      "echo n >n.c && git add -N n.c\n");
	expect_listing(SG_SNAPSHOT_INDEX, NULL, "100644 a.c;100644 empty.c;");
	head = opened(SG_SNAPSHOT_COMMIT, "HEAD");
	disk = opened(SG_SNAPSHOT_WORKTREE, NULL);
	assert_int_equal(strlen(sg_snapshot_commit(head)), 64);
	expect_text(head, "a.c", "x\n");
	expect_text(disk, "a.c", "y\n");
	assert_true(is_same(head, "empty.c", disk, "empty.c"));
	sg_snapshot_close(head);
	sg_snapshot_close(disk);
}

/* ---- what hooks set ---------------------------------------------------- */

static void another_index_may_be_named_relative_to_the_root(void **state)
{
	(void)state;
	shell(two_commits);
	shell("GIT_INDEX_FILE=.git/next git read-tree v1");
	setenv("GIT_INDEX_FILE", ".git/next", 1);
	setenv("GIT_DIR", ".git", 1);
	expect_listing(SG_SNAPSHOT_INDEX, NULL, "100644 a.c;100644 b.c;");
	unsetenv("GIT_INDEX_FILE");
	unsetenv("GIT_DIR");
	expect_listing(SG_SNAPSHOT_INDEX, NULL, "100644 a.c;100644 sub/c.c;");
}

static void a_linked_work_tree_has_its_own_index(void **state)
{
	struct sg_snapshot *snapshot;

	(void)state;
	shell("mkdir main && cd main\n");
	shell("cd main && init && echo 1 >a.c && git add . && git commit -qm "
	      "1\n"
	      "git worktree add -q ../linked -b linked && cd ../linked\n"
	      "echo 2 >b.c && git add b.c && echo 3 >>a.c\n");
	snapshot = opened_at("/linked", SG_SNAPSHOT_WORKTREE, NULL);
	expect_files(snapshot, "100644 a.c;100644 b.c;");
	expect_text(snapshot, "a.c", "1\n3\n");
	sg_snapshot_close(snapshot);
	snapshot = opened_at("/main", SG_SNAPSHOT_INDEX, NULL);
	expect_files(snapshot, "100644 a.c;");
	sg_snapshot_close(snapshot);
}

/* ---- the work tree ----------------------------------------------------- */

static void the_work_tree_has_its_files_as_they_are(void **state)
{
	struct sg_snapshot *disk, *head;

	(void)state;
	shell(two_commits);
	shell("echo changed >a.c && echo '*.o' >.gitignore && echo o >x.o\n"
	      "cp sub/c.c copy.c && ln -s a.c link && rm sub/c.c\n"
	      "mkdir deep && echo d >deep/d.c && chmod +x deep/d.c\n"
	      "mkdir nested && cd nested && init && echo n >n.c\n");
	disk = opened(SG_SNAPSHOT_WORKTREE, NULL);
	head = opened(SG_SNAPSHOT_COMMIT, "HEAD");
	expect_files(disk, "?100644 .gitignore;100644 a.c;?100644 copy.c;"
			   "?100755 deep/d.c;?120000 link;");
	expect_text(disk, "a.c", "changed\n");
	expect_text(disk, "deep/d.c", "d\n");
	expect_text(disk, "link", NULL);
	assert_true(is_same(disk, "copy.c", head, "sub/c.c"));
	sg_snapshot_close(disk);
	sg_snapshot_close(head);
}

static void a_new_time_alone_changes_nothing(void **state)
{
	struct sg_snapshot *disk, *index;

	(void)state;
	shell(two_commits);
	shell("touch -d 2001-01-01 a.c && chmod +x sub/c.c");
	disk = opened(SG_SNAPSHOT_WORKTREE, NULL);
	index = opened(SG_SNAPSHOT_INDEX, NULL);
	expect_files(disk, "100644 a.c;100755 sub/c.c;");
	assert_true(is_same(disk, "a.c", index, "a.c"));
	assert_true(is_same(disk, "sub/c.c", index, "sub/c.c"));
	/* what git has need not be as it was */
	shell("echo later >a.c");
	expect_text(disk, "a.c", "1\n2\nx\ny\n3\n");
	sg_snapshot_close(disk);
	sg_snapshot_close(index);
}

static void a_file_may_become_a_symlink_and_a_folder(void **state)
{
	const char *target;
	struct sg_snapshot *disk;

	(void)state;
	shell(two_commits);
	shell("rm a.c && ln -s sub/c.c a.c && rm -r sub && echo s >sub\n");
	disk = opened(SG_SNAPSHOT_WORKTREE, NULL);
	expect_files(disk, "120000 a.c;?100644 sub;");
	assert_int_equal(sg_snapshot_target(disk, "a.c", &target, NULL), SL_OK);
	assert_string_equal(target, "sub/c.c");
	assert_int_equal(sg_snapshot_target(disk, "sub", &target, NULL), SL_OK);
	assert_null(target);
	sg_snapshot_close(disk);
	shell("rm a.c && mkdir a.c && echo in >a.c/in.c");
	expect_listing(SG_SNAPSHOT_WORKTREE, NULL,
		       "?100644 a.c/in.c;?100644 sub;");
}

static void line_ends_are_converted_as_git_does(void **state)
{
	struct sg_snapshot *disk, *head;

	(void)state;
	shell("init && echo '*.c text eol=crlf' >.gitattributes\n"
	      "printf 'a\\r\\n' >a.c && git add . && git commit -qm 1\n"
	      "printf 'a\\r\\n' >b.c\n");
	disk = opened(SG_SNAPSHOT_WORKTREE, NULL);
	head = opened(SG_SNAPSHOT_COMMIT, "HEAD");
	assert_true(is_same(disk, "b.c", head, "a.c"));
	sg_snapshot_close(disk);
	sg_snapshot_close(head);
}

static void what_changes_after_it_was_hashed_is_an_error(void **state)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_snapshot *disk;
	const char *text;
	size_t length;
	char to[128];

	(void)state;
	shell(two_commits);
	shell("echo new >new.c");
	disk = opened(SG_SNAPSHOT_WORKTREE, NULL);
	shell("echo old >new.c");
	assert_int_equal(
		sg_snapshot_text(disk, "new.c", &text, &length, &error),
		SL_EIO);
	assert_string_equal(error.message, "new.c changed while it was read");
	snprintf(to, sizeof(to), "%s.export", test_folder);
	assert_int_equal(sg_snapshot_export(disk, to, &error), SL_EIO);
	assert_string_equal(error.message, "new.c changed while it was read");
	shell("rm -r $PWD.export");
	sg_snapshot_close(disk);
}

static void many_untracked_files_are_hashed(void **state)
{
	struct sg_snapshot *disk, *index;
	size_t count;

	(void)state;
	shell("init && for i in $(seq 1203); do echo $i >f$i; done\n");
	disk = opened(SG_SNAPSHOT_WORKTREE, NULL);
	shell("git add .");
	index = opened(SG_SNAPSHOT_INDEX, NULL);
	(void)sg_snapshot_files(disk, &count);
	assert_int_equal(count, 1203);
	assert_true(is_same(disk, "f1", index, "f1"));
	assert_true(is_same(disk, "f777", index, "f777"));
	assert_true(is_same(disk, "f1203", index, "f1203"));
	sg_snapshot_close(disk);
	sg_snapshot_close(index);
}

/* ---- maps -------------------------------------------------------------- */

static void expect_place(struct sg_snapshot *to, struct sg_snapshot *from,
			 const char *path, int64_t line, const char *new_path,
			 int64_t new_line)
{
	struct sl_error error = { .code = SL_OK };
	const struct sg_map *map;
	struct sg_place place;

	if (sg_snapshot_map(to, from, &map, &error) != SL_OK)
		fail_msg("%s", error.message);
	place = sg_map_place(map, path, line);
	assert_string_equal(place.path, new_path);
	assert_int_equal(place.line, new_line);
}

/* Settings that porcelain would mind. */
static const char settings[] =
	"git config diff.noprefix true && git config diff.renames false\n"
	"git config diff.external false && git config color.ui always\n"
	"git config diff.context 7 && git config diff.relative true\n"
	"git config diff.interHunkContext 9 && git config core.pager false\n"
	"git config diff.mnemonicPrefix true && git config diff.renameLimit 1\n"
	"git config core.quotePath true && git config diff.algorithm patience\n"
	"echo '*.c -diff' >.git/info/attributes\n";

static void maps_lead_from_commits_to_all_kinds(void **state)
{
	struct sg_snapshot *one, *to;

	(void)state;
	shell(two_commits);
	shell(settings);
	setenv("GIT_DIFF_OPTS", "-u5", 1);
	one = opened(SG_SNAPSHOT_COMMIT, "v1");
	to = opened(SG_SNAPSHOT_COMMIT, "v2");
	expect_place(to, one, "a.c", 3, "a.c", 5);
	expect_place(to, one, "b.c", 3, "sub/c.c", 3);
	sg_snapshot_close(to);
	shell("sed -i 1i0 a.c && git add a.c && sed -i 1i0 a.c");
	to = opened(SG_SNAPSHOT_INDEX, NULL);
	expect_place(to, one, "a.c", 3, "a.c", 6);
	expect_place(to, one, "b.c", 3, "sub/c.c", 3);
	sg_snapshot_close(to);
	to = opened(SG_SNAPSHOT_WORKTREE, NULL);
	expect_place(to, one, "a.c", 3, "a.c", 7);
	expect_place(to, one, "b.c", 3, "sub/c.c", 3);
	sg_snapshot_close(to);
	sg_snapshot_close(one);
	unsetenv("GIT_DIFF_OPTS");
}

static void nothing_maps_from_an_empty_tree(void **state)
{
	struct sg_snapshot *empty, *index;
	const struct sg_map *map;

	(void)state;
	shell(two_commits);
	empty = opened(SG_SNAPSHOT_EMPTY, NULL);
	index = opened(SG_SNAPSHOT_INDEX, NULL);
	assert_int_equal(sg_snapshot_map(index, empty, &map, NULL), SL_OK);
	assert_int_equal(map->count, 0);
	assert_int_equal(sg_snapshot_map(empty, index, &map, NULL), SL_EINVAL);
	assert_int_equal(sg_snapshot_map(index, index, &map, NULL), SL_EINVAL);
	sg_snapshot_close(empty);
	sg_snapshot_close(index);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_test_folder, \
					remove_test_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_commit_has_its_own_files),
		TEST(a_commit_that_is_not_there_is_refused),
		TEST(a_shallow_clone_says_so),
		TEST(before_the_first_commit_there_is_an_index),
		TEST(a_bare_repository_has_commits),
		TEST(no_repository_is_an_error),
		TEST(the_index_is_what_would_be_committed),
		TEST(what_is_only_intended_to_be_added_is_not_in_the_index),
		TEST(conflicts_are_refused_by_name),
		TEST(a_sparse_checkout_has_all_files),
		TEST(names_are_any_bytes),
		TEST(longer_hashes_do_as_well),
		TEST(another_index_may_be_named_relative_to_the_root),
		TEST(a_linked_work_tree_has_its_own_index),
		TEST(the_work_tree_has_its_files_as_they_are),
		TEST(a_new_time_alone_changes_nothing),
		TEST(a_file_may_become_a_symlink_and_a_folder),
		TEST(line_ends_are_converted_as_git_does),
		TEST(what_changes_after_it_was_hashed_is_an_error),
		TEST(many_untracked_files_are_hashed),
		TEST(maps_lead_from_commits_to_all_kinds),
		TEST(nothing_maps_from_an_empty_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
