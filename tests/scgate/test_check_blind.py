# SPDX-License-Identifier: MIT
"""Parents that do not tell all of a unit: what was known before is known."""
import unittest

import defects
from gate import COMPILE, Gate

NULL = ("a.c", 7, "cppcheck", "nullPointer")
LEAK = ("a.c", 18, "gcc", "-Wanalyzer-malloc-leak")


class Broken(Gate):
    """The parent does not compile."""

    def begin(self, text):
        self.configure("cppcheck")
        self.base({"a.c": text})
        self.base({"a.c": text + "#error broken\n"})

    def test_it_is_mended(self):
        self.begin(defects.NULL)
        self.change({"a.c": defects.NULL})
        verdict = self.check()
        self.unchanged(verdict, NULL)
        self.assertRegex(verdict.text, r"note: HEAD .+ does not tell all of "
                         r"a\.c, so it is held against commit ")

    def test_it_is_mended_and_made_worse(self):
        self.begin(defects.CLEAN)
        self.change({"a.c": defects.NULL})
        self.rejected_for(self.check(), NULL)

    def test_it_is_broken_for_more_than_one_commit(self):
        self.begin(defects.NULL)
        for at in range(3):
            self.base({"a.c": "\n" * at + defects.NULL + "#error still\n"})
        self.change({"a.c": defects.NULL})
        self.unchanged(self.check(), NULL)

    def test_it_stays_broken(self):
        self.begin(defects.NULL)
        self.change({"a.c": "\n" + defects.NULL + "#error broken\n"})
        self.incomplete_for(self.check(), "broken", "a.c", COMPILE)


class Limited(Gate):
    """In the parent gcc's analyzer gave up on a function."""

    def test_it_is_made_simple_again(self):
        self.configure("gcc")
        self.base({"a.c": defects.busy(2, leaks=True)})
        self.base({"a.c": defects.busy(12, leaks=True)})
        self.change({"a.c": defects.busy(2, leaks=True)})
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(self.found(verdict, "new"), [])
        self.assertIn(LEAK, self.found(verdict, "same"))

    def test_a_leak_that_came_under_cover(self):
        self.configure("gcc")
        self.base({"a.c": defects.busy(2, leaks=False)})
        self.base({"a.c": defects.busy(12, leaks=True)})
        self.change({"a.c": defects.busy(2, leaks=True)})
        self.rejected_for(self.check(), LEAK)


if __name__ == "__main__":
    unittest.main()
