#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""git itself asks scgate, by its hooks: what is rejected or incomplete does
not get in, in whatever way a commit is made."""
import os
import shutil

from defects import CLEAN, NULL
from places import BROKEN, NULL_LINE, Place, main
from repository import SCGATE

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
# Two branches take one half each of what keeps this from being a defect.
GUARDED = """\
int guarded(int n)
{
	int other = n;
	int *at = &other;
	int sum = 0;

	sum += n * 2;
	sum += n * 3;
	sum += n * 4;

	if (at == 0)
		return sum;
	return *at + sum;
}
"""
LEFT = ("at = &other", "at = n > 3 ? &other : 0")
RIGHT = ("\tif (at == 0)\n\t\treturn sum;\n", "")
PRE_COMMIT = """\
repos:
  - repo: local
    hooks:
      - id: scgate
        name: scgate
        entry: scgate check
        language: system
        pass_filenames: false
        always_run: true
        require_serial: true
        verbose: true
"""


class Hooked(Place):
    def begin(self):
        super().begin()
        self.install()

    def install(self):
        code, out = self.run_in("", SCGATE, "hook", "install")
        self.assertEqual(code, 0, out)

    def commit_unasked(self, *arguments):
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", "m", *arguments)


class ByHook(Hooked):
    def test_a_commit(self):
        self.three_verdicts(self.try_commit)

    def test_a_commit_from_a_subdirectory(self):
        self.three_verdicts(lambda: self.try_commit(cwd="src"))

    def test_a_commit_in_a_linked_work_tree(self):
        linked = os.path.join(self.folder, "linked")
        self.git("worktree", "add", "-q", linked)
        self.tree = linked
        self.three_verdicts(self.try_commit)
        self.three_verdicts(lambda: self.try_commit(cwd="src"))

    def test_a_commit_of_all(self):
        self.three_verdicts(lambda: self.try_commit("-a"), add=lambda: None)
        self.three_verdicts(lambda: self.try_commit("-a", cwd="src"),
                            add=lambda: None)

    def test_a_commit_of_one_file(self):
        self.three_verdicts(lambda: self.try_commit("src/a.c"),
                            add=lambda: None)
        self.three_verdicts(lambda: self.try_commit("a.c", cwd="src"),
                            add=lambda: None)

    def test_a_commit_of_one_file_has_nothing_else_in_it(self):
        line = self.with_defect("src/b.c")
        self.git("add", "-A")
        self.remark()
        self.assert_passed(self.try_commit(self.source))
        self.assert_rejected(self.try_commit(), "src/b.c", line)
        self.git("reset", "-q", "--hard")
        line = self.with_defect()
        self.write("src/b.c", CLEAN.replace("same", "other"))
        self.git("add", "src/b.c")
        self.assert_rejected(self.try_commit(self.source), self.source, line)
        self.assert_passed(self.try_commit())

    def test_a_commit_that_includes_a_file(self):
        line = self.with_defect("src/b.c")
        self.git("add", "-A")
        self.remark()
        self.assert_rejected(self.try_commit("--include", self.source),
                             "src/b.c", line)

    def test_a_commit_hunk_by_hunk(self):
        middle = "".join(f"int f{at}(void);\n" for at in range(20))
        self.write(self.source, CLEAN + middle)
        self.commit_unasked()
        self.with_defect(text="/* a */\n" + CLEAN + middle)
        self.git("config", "interactive.singleKey", "false")
        script = os.path.join(self.folder, "answers")
        with open(script, "w", encoding="ascii") as file:
            file.write("y\nn\n")
        with open(script, "rb") as file:
            code, out = self.run_in("", "git", "commit", "-p", "-m", "m",
                                    stdin=file)
        self.assertEqual((code, self.word(out)), (0, "passed"), out)

    def test_an_amended_commit_is_held_against_its_parent(self):
        line = self.with_defect("src/b.c")
        self.commit_unasked()
        self.assert_rejected(self.try_commit("--amend"), "src/b.c", line)
        self.write("src/b.c", CLEAN.replace("same", "other"))
        self.git("add", "-A")
        self.assert_passed(self.try_commit("--amend"))
        self.three_verdicts(lambda: self.try_commit("--amend"))

    def test_an_amended_commit_by_the_beginning_of_the_option(self):
        line = self.with_defect("src/b.c")
        self.commit_unasked()
        self.assert_rejected(self.try_commit("--am"), "src/b.c", line)

    def test_the_first_commit_amended(self):
        self.three_verdicts(lambda: self.try_commit("--amend"))

    def test_a_commit_without_a_change(self):
        self.assert_passed(self.try_commit("--allow-empty"))

    def test_the_first_commit_of_a_repository(self):
        shutil.rmtree(self.path(".git"))
        self.git("init", "-q", "-b", "main")
        self.install()
        self.three_verdicts(self.try_commit)

    def test_a_commit_without_the_hook(self):
        self.with_defect()
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", "m")


class Merges(Hooked):
    """Two branches, "main" and "other"; the first is checked out."""

    def branches(self, ours, theirs, name="src/m.c"):
        """Each has its text of a file, which was GUARDED before."""
        self.write(name, GUARDED)
        self.commit_unasked()
        for branch, text in (("other", theirs), ("main", ours)):
            if branch == "other":
                self.git("checkout", "-q", "-b", branch)
            else:
                self.git("checkout", "-q", branch)
            self.write(name, text)
            self.commit_unasked("--allow-empty")

    def merge(self, *others):
        return self.try_commit(command=("git", "merge", "--no-edit",
                                        *(others or ["other"])))

    def line_of(self, text):
        merged = self.read("src/m.c")
        return merged[:merged.index(text)].count("\n") + 1

    def test_of_branches_without_a_defect(self):
        self.branches(GUARDED + CLEAN, "/* a */\n" + GUARDED)
        self.assert_passed(self.merge())

    def test_a_defect_that_the_merge_itself_brings(self):
        self.branches(GUARDED.replace(*LEFT), GUARDED.replace(*RIGHT))
        word, out = self.merge()
        self.assert_rejected((word, out), "src/m.c",
                             self.line_of("return *at"))

    def test_a_defect_that_the_other_branch_has_already(self):
        self.branches(GUARDED + CLEAN,
                      NULL.replace("deref", "theirs") + GUARDED)
        self.assert_passed(self.merge())

    def test_a_defect_that_both_have(self):
        self.branches(GUARDED + CLEAN, "/* a */\n" + GUARDED)
        for branch in ("other", "main"):
            self.git("checkout", "-q", branch)
            self.with_defect("src/both.c")
            self.commit_unasked()
        self.assert_passed(self.merge())

    def test_a_merge_that_does_not_compile(self):
        self.branches(GUARDED.replace("\tsum += n * 3;\n",
                                      "\tsum += n * 3 + other;\n"),
                      GUARDED.replace("\tint other = n;\n", "").replace(
                          "&other", "&n"))
        self.assert_incomplete(self.merge(), "src/m.c")

    def test_three_branches_at_once(self):
        self.branches(GUARDED + CLEAN, "/* a */\n" + GUARDED)
        self.git("checkout", "-q", "-b", "third", "HEAD~1")
        line = self.with_defect("src/third.c")
        self.commit_unasked()
        self.git("checkout", "-q", "main")
        word, out = self.merge("other", "third")
        self.assertEqual(word, "passed", out)
        self.assertNotRegex(out, rf"(?m)^src/third\.c:{line}:")

    def conflict(self):
        self.branches(GUARDED.replace("n * 3", "n * 5"),
                      GUARDED.replace("n * 3", "n * 6"))
        code, out = self.run_in("", "git", "merge", "--no-edit", "other")
        self.assertEqual(code, 1, out)

    def test_a_conflict_resolved(self):
        self.conflict()
        self.assertIn("src/m.c", self.refused())
        line = self.with_defect("src/m.c", text=GUARDED)
        self.git("add", "-A")
        self.assert_rejected(self.try_commit(), "src/m.c", line)
        self.write("src/m.c", GUARDED + BROKEN)
        self.git("add", "-A")
        self.assert_incomplete(self.try_commit(), "src/m.c")
        self.write("src/m.c", GUARDED.replace("n * 3", "n * 7"))
        self.git("add", "-A")
        self.assert_passed(self.try_commit())
        self.assertEqual(len(self.git("log", "-1", "--format=%P").split()), 2)

    def test_a_resolved_conflict_with_a_defect_of_the_other_branch(self):
        theirs = NULL.replace("deref", "theirs")
        self.branches(GUARDED.replace("n * 3", "n * 5"),
                      theirs + GUARDED.replace("n * 3", "n * 6"))
        self.run_in("", "git", "merge", "--no-edit", "other")
        self.write("src/m.c", theirs + GUARDED.replace("n * 3", "n * 7"))
        self.git("add", "-A")
        self.assert_passed(self.try_commit())

    def test_a_squashed_merge_has_one_parent(self):
        self.branches(GUARDED + CLEAN,
                      NULL.replace("deref", "theirs") + GUARDED)
        self.git("merge", "-q", "--squash", "other")
        self.assert_rejected(self.try_commit(), "src/m.c", NULL_LINE)

    def test_a_pull(self):
        self.branches(GUARDED.replace(*LEFT), GUARDED.replace(*RIGHT))
        word, out = self.try_commit(command=(
            "git", "pull", "-q", "--no-rebase", "--no-edit", ".", "other"))
        self.assert_rejected((word, out), "src/m.c",
                             self.line_of("return *at"))

    def test_a_merge_without_a_commit_at_first(self):
        self.branches(GUARDED.replace(*LEFT), GUARDED.replace(*RIGHT))
        self.git("merge", "-q", "--no-commit", "other")
        self.assert_rejected(self.try_commit(), "src/m.c",
                             self.line_of("return *at"))


class Pushes(Hooked):
    def begin(self):
        super().begin()
        self.remote = os.path.join(self.folder, "remote.git")
        self.git("init", "-q", "--bare", "-b", "main", self.remote)
        self.git("remote", "add", "origin", self.remote)
        self.git("push", "-q", "--no-verify", "-u", "origin", "main")

    def push(self, *arguments, cwd=""):
        """The remote has what is pushed if and only if the verdict is
        "passed"."""
        before = self.git("ls-remote", self.remote)
        code, out = self.run_in(cwd, "git", "push", "-q",
                                *(arguments or ("origin", "HEAD")))
        self.assertEqual(code == 0, self.word(out) in ("passed", None), out)
        self.assertEqual(self.git("ls-remote", self.remote) != before,
                         code == 0, out)
        return self.word(out), out

    def test_a_push(self):
        def attempt():
            self.commit_unasked()
            return self.push()
        self.three_verdicts(attempt, add=lambda: None)

    def test_a_push_from_a_subdirectory(self):
        line = self.with_defect()
        self.commit_unasked()
        self.assert_rejected(self.push(cwd="src"), self.source, line)

    def test_a_push_of_a_new_branch(self):
        self.git("checkout", "-q", "-b", "topic")
        line = self.with_defect()
        self.commit_unasked()
        self.assert_rejected(self.push(), self.source, line)
        self.remark()
        self.commit_unasked()
        self.assert_passed(self.push())

    def test_a_push_of_a_branch_that_is_not_checked_out(self):
        self.git("checkout", "-q", "-b", "topic")
        line = self.with_defect()
        self.commit_unasked()
        self.git("checkout", "-q", "main")
        self.assert_rejected(self.push("origin", "topic"), self.source, line)

    def test_what_is_staged_is_not_pushed(self):
        self.remark()
        self.commit_unasked()
        self.with_defect("src/b.c")
        self.git("add", "-A")
        self.assert_passed(self.push())

    def test_a_branch_can_be_deleted(self):
        self.git("push", "-q", "--no-verify", "origin", "main:topic")
        self.with_defect()
        self.commit_unasked()
        self.assertEqual(self.push("origin", ":topic")[0], None)

    def test_a_push_to_an_empty_repository(self):
        shutil.rmtree(self.remote)
        self.git("init", "-q", "--bare", "-b", "main", self.remote)
        self.git("update-ref", "-d", "refs/remotes/origin/main")
        line = self.with_defect()
        self.commit_unasked()
        word, out = self.push()
        self.assert_rejected((word, out), self.source, line)


class Framework(Place):
    """The one of https://pre-commit.com, as Debian has it."""

    def hooks(self):
        return PRE_COMMIT

    def begin(self):
        if not shutil.which("pre-commit"):
            self.skipTest("pre-commit is not here")
        self.environment["PRE_COMMIT_HOME"] = os.path.join(self.folder,
                                                           "pre-commit")
        self.write(".pre-commit-config.yaml", self.hooks())
        super().begin()
        code, out = self.run_in("", "pre-commit", "install")
        self.assertEqual(code, 0, out)


class ByPreCommit(Framework):
    def test_a_commit(self):
        self.three_verdicts(self.try_commit)

    def test_a_commit_from_a_subdirectory(self):
        self.three_verdicts(lambda: self.try_commit("-a", cwd="src"))

    def test_a_commit_while_the_work_tree_differs(self):
        line = self.with_defect()
        self.git("add", "-A")
        self.write(self.source, CLEAN)
        self.assert_rejected(self.try_commit(), self.source, line)
        self.assertEqual(self.read(self.source), CLEAN)
        self.remark()
        self.git("add", "-A")
        self.with_defect()
        text = self.read(self.source)
        self.assert_passed(self.try_commit())
        self.assertEqual(self.read(self.source), text)

    def test_run_by_hand(self):
        line = self.with_defect()
        self.git("add", "-A")
        code, out = self.run_in("", "pre-commit", "run", "--all-files")
        self.assertEqual((code, self.word(out)), (1, "rejected"), out)
        self.assert_new(out, self.source, line)


class ByOurPreCommitHook(Framework):
    """By what this repository offers, taken from a copy of it."""

    def hooks(self):
        ours = os.path.join(self.folder, "ours")
        os.mkdir(ours)
        shutil.copy(os.path.join(ROOT, ".pre-commit-hooks.yaml"), ours)
        self.git("init", "-q", "-b", "main", cwd=ours)
        self.git("add", "-A", cwd=ours)
        self.git("commit", "-q", "-m", "m", cwd=ours)
        return (f"repos:\n  - repo: {ours}\n    rev: {self.head(ours)}"
                "    hooks:\n      - id: scgate\n        verbose: true\n")

    def test_a_commit(self):
        self.three_verdicts(self.try_commit)


if __name__ == "__main__":
    main(ByHook, Merges, Pushes, ByPreCommit, ByOurPreCommitHook)
