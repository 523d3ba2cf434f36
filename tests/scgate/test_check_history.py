#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fifty commits with known truth: scgate check calls new what a commit adds,
fixed what it takes away, and nothing else."""
import contextlib
import os
import unittest

import history
from gate import Gate
from history_commits import COMMITS, first


def places(marks):
    return sorted((path, line, mark.tool, mark.rule)
                  for mark, (path, line) in marks.items())


def without(marks, others):
    return {mark: at for mark, at in marks.items() if mark not in others}


class HistoryTest(Gate):
    analyzers = ("cppcheck", "gcc")

    def setUp(self):
        super().setUp()
        self.configure(policy="no-new")
        self.project = history.Project()
        first(self.project)
        self.texts = {}
        self.write_project()
        self.commit()
        self.before = self.project.findings()

    def write_project(self):
        texts = self.project.texts()
        for path in self.texts.keys() - texts.keys():
            os.unlink(self.path(path))
        for path, text in texts.items():
            if self.texts.get(path) != text:
                self.write(path, text)
        self.texts = texts
        self.stage()

    def judge(self, now, *arguments):
        """A check says what the difference of the marks is."""
        verdict = self.check(*arguments)
        new = places(without(now, self.before))
        fixed = places(without(self.before, now))
        self.begins(verdict, *((1, "rejected") if new else (0, "passed")))
        for status, expected in (("new", new), ("fixed", fixed),
                                 ("unknown", [])):
            self.assertEqual(self.found(verdict, status), expected,
                             f"{status}:\n{verdict}")
        known = places({mark: at for mark, at in now.items()
                        if mark in self.before})
        for one in self.found(verdict, "same"):
            self.assertIn(one, known, str(verdict))
        for path, line, _, rule in new:
            self.names(verdict, rf"{path}:{line}:\d+: \w+: .+ \[\S+ {rule}\]",
                       1)
        for path, line, _, rule in fixed:
            self.names(verdict, rf"fixed +{path}:{line}: .+ \[\S+ {rule}\]",
                       1)

    def test_every_commit_is_told_for_what_it_is(self):
        self.assertEqual(len(COMMITS), 50)
        for title, change in COMMITS:
            with self.subTest(title):
                change(self.project)
                self.write_project()
                now = self.project.findings()
                with contextlib.ExitStack() as always:
                    always.callback(setattr, self, "before", now)
                    with contextlib.ExitStack() as committed:
                        committed.callback(self.commit)
                        self.judge(now)
                    self.judge(now, "--base", "HEAD~1")

    def test_what_is_known_of_the_last_commit_is_the_truth(self):
        """No base but an empty one: all that the marks tell is found."""
        for _, change in COMMITS:
            change(self.project)
        self.write_project()
        self.git("checkout", "-q", "--orphan", "apart")
        verdict = self.check("--policy", "zero")
        self.begins(verdict, 1, "rejected")
        self.assertEqual(self.found(verdict, "new"),
                         places(self.project.findings()))


if __name__ == "__main__":
    unittest.main()
