#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a change has and no unit reads, and what units read that it lacks."""
import unittest

import defects
from gate import Gate

NULL = ("a.c", 7, "cppcheck", "nullPointer")
USER = '#include "new.h"\n' + defects.CLEAN


class Unread(Gate):
    def test_a_header_that_no_unit_reads(self):
        self.base({"a.c": defects.CLEAN, "lone.h": "int lone;\n"})
        self.change({"lone.h": "int lonely;\n", "first.hpp": "int first;\n"})
        verdict = self.check()
        self.passed(verdict)
        for name in ("lone.h", "first.hpp"):
            self.names(verdict, f"note: not judged: {name} is read by no unit",
                       1)

    def test_a_header_that_one_reads(self):
        self.base({"a.c": '#include "a.h"\n', "a.h": "int a;\n"})
        self.change({"a.h": "int b;\n"})
        self.assertNotIn("not judged", self.check().text)

    def test_headers_that_are_excluded_or_do_not_change(self):
        self.configure(exclude=["other/"])
        self.base({"a.c": defects.CLEAN, "lone.h": "int lone;\n"})
        self.change({"other/a.h": "int a;\n", "a.c": defects.NULL})
        verdict = self.check()
        self.rejected_for(verdict, NULL)
        self.assertNotIn("not judged", verdict.text)

    def test_a_source_of_the_build_that_is_not_tracked(self):
        self.configure(build="build")
        self.database("a.c", "b.c", "ignored.c", "gone.c")
        self.write(".gitignore", "ignored.c\n")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.CLEAN + "\n"})
        self.write("b.c", defects.NULL)
        self.write("ignored.c", defects.NULL)
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(verdict.text.count("not judged"), 1)
        self.names(verdict, "note: not judged: b.c, which "
                   "compile_commands.json names, is not tracked", 1)


class Forgotten(Gate):
    def setUp(self):
        super().setUp()
        self.base({"a.c": defects.CLEAN})

    def stage_alone(self):
        self.write("a.c", USER)
        self.git("add", "a.c")
        self.write("new.h", "int new;\n")

    def test_a_header_that_was_not_added(self):
        self.stage_alone()
        self.incomplete_for(self.check(), "it reads new.h, which is not "
                            "tracked: git add it", "a.c")
        self.git("add", "new.h")
        self.passed(self.check())

    def test_nor_was_it_when_that_was_known(self):
        self.stage_alone()
        self.check()
        self.incomplete_for(self.check(), "it reads new.h", "a.c")

    def test_a_commit_that_lacks_it(self):
        self.stage_alone()
        self.git("commit", "-q", "-m", "m")
        self.incomplete_for(self.check("--base", "HEAD^"), "it reads new.h",
                            "a.c")

    def test_the_work_tree_has_it(self):
        self.stage_alone()
        self.passed(self.check("--worktree"))

    def test_a_header_that_a_build_makes(self):
        self.base({".gitignore": "/new.h\n"})
        self.stage_alone()
        self.passed(self.check())

    def test_a_header_that_was_read_before(self):
        self.stage_alone()
        self.git("commit", "-q", "-m", "m")
        self.write("a.c", USER + "\n")
        self.git("add", "a.c")
        self.passed(self.check())


if __name__ == "__main__":
    unittest.main()
