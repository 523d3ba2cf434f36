#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate check gives the same verdicts wherever a repository is and however
its files came there."""
import os
import shutil
import unittest

from defects import CLEAN, NULL
from places import NULL_LINE, Place, main

HEADER = """\
#ifndef WIDTH
#define WIDTH 3
#endif
"""
USES = CLEAN.replace("return n", "return n + WIDTH")
USES_HEADER = '#include "width.h"\n' + USES


class InPlaces(Place):
    def test_the_staged_changes(self):
        self.three_verdicts(self.ask)

    def test_the_work_tree(self):
        self.three_verdicts(lambda: self.ask("--worktree"),
                            add=lambda: None)

    def test_from_a_subdirectory(self):
        self.three_verdicts(lambda: self.ask(cwd="src"))

    def test_from_a_folder_without_sources(self):
        os.makedirs(self.path("doc/deep"))
        self.three_verdicts(lambda: self.ask(cwd="doc/deep"))

    def test_a_linked_work_tree(self):
        linked = os.path.join(self.folder, "linked")
        self.git("worktree", "add", "-q", linked)
        self.with_defect(name="of_the_main_one")
        status = self.git("status", "--porcelain")
        main, self.tree = self.tree, linked
        self.three_verdicts(self.ask)
        self.git("worktree", "add", "-q", "--detach", "../other")
        self.three_verdicts(lambda: self.ask(cwd="src"))
        self.tree = main
        self.assertEqual(self.git("status", "--porcelain"), status)

    def test_a_linked_work_tree_below_the_main_one(self):
        self.write(".git/info/exclude", "/trees/\n")
        self.git("worktree", "add", "-q", "trees/linked")
        self.with_defect("trees/linked/src/a.c")
        self.three_verdicts(self.ask)
        self.three_verdicts(lambda: self.ask("--worktree"))

    def test_a_linked_work_tree_of_a_bare_repository(self):
        bare = os.path.join(self.folder, "bare.git")
        self.git("clone", "-q", "--bare", self.tree, bare)
        self.tree = os.path.join(self.folder, "linked")
        self.git("worktree", "add", "-q", self.tree, "main", cwd=bare)
        self.three_verdicts(self.ask)

    def test_a_submodule_s_own_tree(self):
        above = os.path.join(self.folder, "above")
        self.git("init", "-q", "-b", "main", above)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet",
                 "add", "../tree", "sub", cwd=above)
        self.tree = os.path.join(above, "sub")
        self.three_verdicts(self.ask)

    def test_a_repository_below_that_is_none_of_ours(self):
        self.git("init", "-q", "nested")
        self.with_defect("nested/src/a.c")
        self.three_verdicts(lambda: self.ask("--worktree"),
                            add=lambda: None)

    def test_ids_of_another_length(self):
        shutil.rmtree(self.path(".git"))
        self.git("init", "-q", "-b", "main", "--object-format=sha256")
        self.commit()
        self.three_verdicts(self.ask)
        self.three_verdicts(lambda: self.ask("--worktree"))

    def test_a_repository_that_the_environment_names(self):
        elsewhere = os.path.join(self.folder, "elsewhere")
        os.mkdir(elsewhere)
        names = {"GIT_DIR": self.path(".git"), "GIT_WORK_TREE": self.tree}
        self.three_verdicts(lambda: self.ask(cwd=elsewhere, env=names))

    def test_a_temporary_folder_in_the_tree(self):
        self.environment["TMPDIR"] = self.path("tmp")
        os.mkdir(self.path("tmp"))
        self.write(".git/info/exclude", "/tmp/\n")
        self.write("include/generated.h", "#define WIDTH 4\n")
        self.three_verdicts(self.ask)
        self.three_verdicts(lambda: self.ask("--worktree"))

    def test_below_a_symbolic_link(self):
        os.symlink(self.tree, os.path.join(self.folder, "link"))
        self.tree = os.path.join(self.folder, "link")
        self.environment["PWD"] = self.tree
        self.three_verdicts(self.ask)

    def test_git_s_folder_elsewhere(self):
        os.rename(self.path(".git"), os.path.join(self.folder, "kept"))
        self.write(".git", f"gitdir: {self.folder}/kept\n")
        self.three_verdicts(self.ask)

    def test_a_user_s_settings_of_git_change_nothing(self):
        for name, value in (
                ("color.ui", "always"), ("color.diff", "always"),
                ("diff.external", "false"), ("diff.noprefix", "true"),
                ("diff.mnemonicPrefix", "true"), ("diff.renames", "false"),
                ("diff.context", "0"), ("diff.algorithm", "patience"),
                ("diff.ignoreSubmodules", "all"), ("core.quotePath", "false"),
                ("core.pager", "false"), ("core.untrackedCache", "true"),
                ("core.abbrev", "4"), ("status.showUntrackedFiles", "no"),
                ("log.showSignature", "true"), ("diff.orderFile", "nothing")):
            self.git("config", name, value)
        self.write(".git/info/attributes", "*.c diff=own -text\n")
        self.git("config", "diff.own.textconv", "false")
        self.three_verdicts(self.ask)
        self.three_verdicts(lambda: self.ask("--worktree"))

    def test_a_first_commit_has_no_parent(self):
        self.git("checkout", "-q", "--orphan", "fresh")
        self.three_verdicts(self.ask)
        self.three_verdicts(lambda: self.ask("--worktree"))

    def test_line_ends_that_git_converts(self):
        self.git("config", "core.autocrlf", "true")
        os.unlink(self.path(self.source))
        self.git("checkout", "-q", ".")
        self.assertIn("\r\n", self.read(self.source))
        for arguments in ((), ("--worktree",)):
            line = self.with_defect()
            self.write(self.source,
                       self.read(self.source).replace("\n", "\r\n"))
            self.git("add", "-A")
            self.assert_rejected(self.ask(*arguments), self.source, line)
            self.write(self.source, ("/* a */\n" + CLEAN).replace(
                "\n", "\r\n"))
            self.git("add", "-A")
            self.assert_passed(self.ask(*arguments))

    def test_a_file_whose_time_alone_changed_is_no_change(self):
        line = self.with_defect()
        self.commit()
        os.utime(self.path(self.source), (1, 1))
        word, out = self.ask("--worktree")
        self.assertEqual(word, "passed", out)
        self.assertNotIn(f":{line}:", out)

    def test_no_repository(self):
        shutil.rmtree(self.path(".git"))
        self.assertIn("repository", self.refused(
            env={"GIT_CEILING_DIRECTORIES": self.folder}))

    def test_a_bare_repository(self):
        bare = os.path.join(self.folder, "bare.git")
        self.git("clone", "-q", "--bare", self.tree, bare)
        self.refused(cwd=bare)


class OddNames(Place):
    """Spaces, quotes, letters that are not ASCII."""

    name = "a tree's größe $HOME"
    source = "src/an über file/a 'b' ☃.c"
    settings = {"flags": ["-Ithe include/ü"]}
    analyzers = ("gcc", "cppcheck")

    def begin(self):
        self.environment["TMPDIR"] = os.path.join(self.folder, "tmp für 'x'")
        os.mkdir(self.environment["TMPDIR"])
        super().begin()

    def test_names_that_commands_and_patterns_could_take_for_more(self):
        names = ("-c.c", "--x=*.c", "src/[ab]?.c", "src/#.c", "src/%s.c",
                 "src/:(top).c", "src/{file}.c", "src/@x.c")
        for name in names:
            line = self.with_defect(name)
        self.git("add", "-A")
        verdict = self.ask()
        for name in names:
            with self.subTest(name):
                self.assert_rejected(verdict, name, line)

    def test_names_of_files_and_folders(self):
        self.three_verdicts(self.ask)

    def test_from_such_a_folder(self):
        folder = os.path.dirname(self.source)
        self.three_verdicts(lambda: self.ask("--worktree", cwd=folder))

    def test_a_header_of_such_a_name(self):
        header = "the include/ü/wïde header.h"
        self.write(header, HEADER)
        self.write(self.source, '#include "wïde header.h"\n'
                   + CLEAN.replace("return n", "return n + WIDTH"))
        self.commit()
        text = "#pragma once\n" + HEADER
        line = self.with_defect(header, text=text)
        self.write(header, self.read(header).replace("int deref",
                                                     "static int deref"))
        self.write(self.source, self.read(self.source)
                   + "int more(int n) { return deref(n); }\n")
        self.git("add", "-A")
        self.assert_rejected(self.ask(), header, line)
        self.write(header, text)
        self.write(self.source, self.read(self.source).replace(
            "deref(n)", "n"))
        self.git("add", "-A")
        self.assert_passed(self.ask())

    def test_a_name_that_is_no_utf_8(self):
        name = os.fsdecode(b"src/latin \xfc.c")
        line = self.with_defect(name)
        self.git("add", "-A")
        word, out = self.ask()
        self.assertEqual(word, "rejected", out)
        self.assertRegex(out, rf"(?m)^src/latin .*\.c:{line}:\d+: ")

    def test_a_linked_work_tree_of_such_a_name(self):
        linked = os.path.join(self.folder, "ein anderer für 'x'")
        self.git("worktree", "add", "-q", "-b", "other", linked)
        self.tree = linked
        self.three_verdicts(self.ask)


class PartOfTheTree(Place):
    def begin(self):
        super().begin()
        self.write("include/width.h", HEADER)
        self.write("lib/b.c", USES_HEADER)
        self.commit()

    def test_a_sparse_checkout(self):
        self.git("sparse-checkout", "set", "--no-cone", "/src/",
                 "/.scgate.conf")
        self.assertFalse(os.path.exists(self.path("include")))
        self.write(self.source, USES_HEADER)
        self.git("add", "--sparse", "-A")
        self.assert_passed(self.ask())
        self.assert_passed(self.ask("--worktree"))
        self.three_verdicts(self.ask)
        self.three_verdicts(lambda: self.ask("--worktree"))

    def test_a_sparse_checkout_without_the_configuration(self):
        self.git("sparse-checkout", "set", "--no-cone", "/src/")
        self.three_verdicts(self.ask)

    def test_a_sparse_checkout_with_cones(self):
        self.git("sparse-checkout", "set", "--cone", "src")
        self.assertFalse(os.path.exists(self.path("lib")))
        self.three_verdicts(self.ask)

    def test_a_submodule(self):
        other = os.path.join(self.folder, "other")
        self.git("init", "-q", "-b", "main", other)
        with open(os.path.join(other, "wide.h"), "w",
                  encoding="utf-8") as file:
            file.write(HEADER)
        self.git("add", "-A", cwd=other)
        self.git("commit", "-q", "-m", "m", cwd=other)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet",
                 "add", "../other", "sub")
        self.write(self.source, '#include "../sub/wide.h"\n' + CLEAN)
        self.commit()
        for arguments in ((), ("--worktree",)):
            line = self.with_defect(
                text='#include "../sub/wide.h"\n' + CLEAN)
            self.git("add", "-A")
            self.assert_rejected(self.ask(*arguments), self.source, line)
            self.write(self.source, '#include "../sub/wide.h"\n'
                       + USES)
            self.git("add", "-A")
            self.assert_passed(self.ask(*arguments))
        self.assert_passed(self.ask(cwd="src"))

    def test_a_file_that_became_a_symbolic_link(self):
        os.unlink(self.path("lib/b.c"))
        os.symlink("../src/a.c", self.path("lib/b.c"))
        self.git("add", "-A")
        self.assert_passed(self.ask())
        line = self.with_defect()
        self.git("add", "-A")
        word, out = self.ask()
        self.assertEqual(word, "rejected", out)
        self.assertRegex(out, rf"(?m)^(src/a|lib/b)\.c:{line}:\d+: ")


class PartlyStaged(Place):
    """The index is one thing, the work tree another."""

    def test_a_defect_that_is_staged_alone(self):
        line = self.with_defect()
        self.git("add", "-A")
        self.write(self.source, CLEAN)
        self.assert_rejected(self.ask(), self.source, line)
        self.assert_passed(self.ask("--worktree"))

    def test_a_defect_that_is_not_staged(self):
        self.remark()
        self.git("add", "-A")
        line = self.with_defect()
        self.assert_passed(self.ask())
        self.assert_rejected(self.ask("--worktree"), self.source, line)

    def test_hunk_by_hunk(self):
        middle = "".join(f"int f{at}(void);\n" for at in range(20))
        self.write(self.source, CLEAN + middle)
        self.commit()
        top = NULL.replace("deref", "top")
        self.write(self.source, top + CLEAN + middle + NULL.replace(
            "deref", "bottom"))
        self.run_in("", "git", "add", "-p", input=b"n\ny\n")
        word, out = self.ask()
        self.assert_rejected((word, out), self.source,
                             (CLEAN + middle).count("\n") + NULL_LINE)
        self.assertNotRegex(out, rf"(?m)^src/a\.c:{NULL_LINE}:")
        word, out = self.ask("--worktree")
        self.assert_rejected((word, out), self.source, NULL_LINE)
        self.assert_new(out, self.source,
                        (top + CLEAN + middle).count("\n") + NULL_LINE)

    def test_a_header_that_is_not_staged(self):
        self.write("include/width.h", HEADER)
        self.write(self.source, USES_HEADER)
        self.commit()
        self.write("include/width.h", HEADER.replace("3", "broken("))
        self.write(self.source, USES_HEADER + "/* a */\n")
        self.git("add", self.source)
        self.assert_passed(self.ask())
        self.assert_incomplete(self.ask("--worktree"), self.source)

    def test_a_file_that_is_only_meant_to_be_added(self):
        line = self.with_defect("src/later.c")
        self.git("add", "-N", "src/later.c")
        self.assert_passed(self.ask())
        self.assert_rejected(self.ask("--worktree"), "src/later.c", line)

    def test_a_file_removed_from_the_index_alone(self):
        line = self.with_defect("src/b.c")
        self.commit()
        self.git("rm", "-q", "--cached", "src/b.c")
        word, out = self.ask()
        self.assertEqual(word, "passed", out)
        self.assertRegex(out, rf"(?m)^fixed  src/b\.c:{line}: ")

    def test_an_index_of_a_relative_name(self):
        line = self.with_defect()
        shutil.copy(self.path(".git/index"), self.path(".git/other"))
        self.git("add", "-A", env={"GIT_INDEX_FILE": ".git/other"})
        self.assert_passed(self.ask())
        self.assert_rejected(
            self.ask(env={"GIT_INDEX_FILE": ".git/other"}), self.source,
            line)
        self.assert_rejected(self.ask(
            env={"GIT_INDEX_FILE": self.path(".git/other")}, cwd="src"),
            self.source, line)

    def test_an_index_with_conflicts_is_refused(self):
        self.git("checkout", "-q", "-b", "other")
        self.write(self.source, CLEAN.replace("return n", "return 2 * n"))
        self.commit()
        self.git("checkout", "-q", "main")
        self.write(self.source, CLEAN.replace("return n", "return n * 2"))
        self.commit()
        self.assertEqual(self.run_in("", "git", "merge", "other")[0], 1)
        self.assertIn(self.source, self.refused())


if __name__ == "__main__":
    main(InPlaces, OddNames, PartOfTheTree, PartlyStaged)
