#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How runs are named: what a name may be, and what git knows."""
import os
import unittest

from repository import Repository, finding, report

FINDING = finding("unread", "x is never read", "src/a.c", 1)


class Case(Repository):
    def setUp(self):
        super().setUp()
        self.write("src/a.c", "int x;\n")


class ImportTest(Case):
    def test_a_name_that_could_not_be_named_is_refused(self):
        for name, why in (
                ("last", "no name for a run, as it means the last: last"),
                ("3", "no name for a run, as it means a number: 3"),
                ("007", "no name for a run, as it means a number: 007"),
                ("", "a run's name is empty")):
            with self.subTest(name=name):
                self.assertEqual(
                    self.scgate("import", "--run", name, "-",
                                stdin=report(FINDING).encode()),
                    (2, "", f"scgate import: {why}\n"
                     "try scgate import --help\n"))
        self.assertFalse(os.path.exists(self.folder + "/db"))

    def test_a_name_may_have_digits(self):
        self.commit()
        self.add(FINDING, arguments=("--run", "3rd"))
        self.assertEqual(self.scgate("show", "1", "--run", "3rd")[0], 0)


class GitTest(Case):
    """Run 1 is of commit 1, whose tag is v1; run 2 of commit 2, the HEAD of
    main."""

    def setUp(self):
        super().setUp()
        self.commit()
        self.git("tag", "-a", "-m", "m", "v1")
        self.add(FINDING)
        self.commit()
        self.add()

    def test_every_command_takes_what_git_knows(self):
        for arguments, run in (
                (("query", "trend", "--run", "v1", "--output", "json"), 1),
                (("query", "trend", "--run", "HEAD~1", "--output", "json"), 1),
                (("query", "trend", "--run", "main", "--output", "json"), 2),
                (("show", "1", "--run", "HEAD^", "--output", "json"), 1),
                (("suppress", "1", "--reason", "r", "--run", "v1"), 1)):
            with self.subTest(arguments=arguments):
                code, out, err = self.scgate(*arguments)
                self.assertEqual((code, err), (0, ""))
                if arguments[0] != "suppress":
                    self.assertRegex(out, f'"run": ?{run},')
        code, out, err = self.scgate("diff", "v1", "HEAD", "--output", "json")
        self.assertEqual(code, 0)
        self.assertRegex(err, "^run 2 .*against run 1")
        code, out, err = self.scgate("query", "new", "--run", "v1", "--base",
                                     "main", "--output", "csv")
        self.assertEqual((code, len(out.splitlines()), err), (0, 2, ""))

    def test_names_of_runs_come_first(self):
        self.add(FINDING, arguments=("--run", "v1"))
        code, out, err = self.scgate("query", "trend", "--run", "v1",
                                     "--output", "json")
        self.assertIn('"run":3', out)

    def test_of_several_runs_of_a_commit_the_last_is_told(self):
        self.add(FINDING)
        for word in ("HEAD", self.commits[1], self.commits[1][:7]):
            with self.subTest(word=word):
                code, out, err = self.scgate("query", "trend", "--run", word,
                                             "--output", "json")
                self.assertEqual((code, err), (
                    0, "scgate query: commit COMMIT2 has 2 runs; this is run "
                    "3 (cppcheck-xml)\n"))
                self.assertIn('"run":3', out)

    def test_numbers_and_the_last_run_are_told_of_nothing(self):
        self.add(FINDING)
        for word in ("3", "last", "003"):
            self.assertEqual(self.scgate("query", "trend", "--run", word,
                                         "--output", "json")[2], "")

    def test_what_nobody_knows(self):
        self.commit()
        for word, more in (("HEAD", ", which git knows as commit COMMIT3"),
                           ("nightly", ""), ("--all", ""), ("99", ""),
                           ("HEAD:src", ""), ("", "")):
            with self.subTest(word=word):
                self.assertEqual(
                    self.scgate("query", "new", f"--run={word}"),
                    (2, "", f'scgate query: ../db has no run "{word}"{more}'
                     "\n"))

    def test_without_git_only_the_store_is_asked(self):
        os.rename(self.path(".git"), self.path("git"))
        self.assertEqual(self.scgate("query", "new", "--run", "v1"),
                         (2, "", 'scgate query: ../db has no run "v1"\n'))


if __name__ == "__main__":
    unittest.main()
