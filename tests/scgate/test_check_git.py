#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Settings of git that make a commit look like another: what is judged is what
the commit holds, and what git would check out of it."""
import unittest

import defects
from gate import COMPILE, Gate

NULL = ("a.c", 7, "cppcheck", "nullPointer")


class Replaced(Gate):
    def test_a_parent_that_another_commit_stands_in_for(self):
        self.base({"a.c": defects.CLEAN})
        self.base({"a.c": defects.NULL})
        bad = self.commits[-1]
        self.git("reset", "-q", "--hard", self.commits[0])
        self.git("replace", self.commits[0], bad)
        self.git("read-tree", "--empty")
        self.change({"a.c": defects.NULL})
        self.rejected_for(self.check(), NULL)


class Attributes(Gate):
    def test_a_filter_that_comes_with_the_change(self):
        self.git("config", "filter.bad.smudge", "sed 's/&n/0/'")
        self.git("config", "filter.bad.clean", "cat")
        self.base({"a.c": defects.NULL_FIXED})
        self.change({".gitattributes": "*.c filter=bad\n"})
        self.incomplete_for(self.check(), "a.c goes through a filter", "a.c")

    def test_a_filter_of_a_macro_in_a_header(self):
        self.git("config", "filter.bad.smudge", "cat")
        self.base({"a.c": '#include "h/a.h"\n', "h/a.h": "int a;\n",
                   ".gitattributes": "[attr]odd filter=bad\n",
                   "h/.gitattributes": "a.h odd\n"})
        self.change({"h/a.h": "int b;\n"})
        self.incomplete_for(self.check(), "h/a.h goes through", "a.c")

    def test_a_filter_of_other_files(self):
        self.git("config", "filter.large.smudge", "cat")
        self.base({"a.c": defects.NULL_FIXED, "a.png": "x",
                   ".gitattributes": "*.png filter=large\n"})
        self.change({"a.c": defects.NULL, "a.png": "y"})
        self.rejected_for(self.check(), NULL)

    def test_a_filter_that_is_not_set_up_does_nothing(self):
        self.base({"a.c": defects.NULL_FIXED,
                   ".gitattributes": "*.c filter=none\n"})
        self.change({"a.c": defects.NULL})
        self.rejected_for(self.check(), NULL)

    def test_an_encoding_that_comes_with_the_change(self):
        """The blob is the same; no compiler reads what git checks out."""
        self.base({"a.c": defects.NULL_FIXED})
        self.change({".gitattributes":
                     "a.c text working-tree-encoding=UTF-16\n",
                     "a.c": defects.NULL_FIXED.encode("utf-16")})
        self.incomplete_for(self.check(), ".", "a.c", COMPILE)

    def test_ends_of_lines(self):
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})
        self.change({".gitattributes": "a.c text eol=crlf\n"})
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(verdict.json["affected"], 1)


if __name__ == "__main__":
    unittest.main()
