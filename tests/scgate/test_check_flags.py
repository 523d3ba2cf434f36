#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flags that do not stand in the database itself, and flags that a change
takes away: what a unit is compiled with is what it was judged with."""
import json
import unittest

import defects
from gate import COMPILE, Gate

NULL = ("a.c", 7, "cppcheck", "nullPointer")
HIDDEN = ("int first(int n);\nint first(int n)\n{\n\treturn n;\n}\n"
          "#ifdef DEFECT\n" + defects.NULL + "#endif\n")
FOUND = ("a.c", HIDDEN[:HIDDEN.index("return *")].count("\n") + 1, "cppcheck",
         "nullPointer")


class Flags(Gate):
    def compiled(self, *words, source="a.c", folder=""):
        """Write a database whose only unit has these words."""
        self.write(".git/info/exclude", "build/\n")
        self.write("build/compile_commands.json", json.dumps([
            {"directory": self.path(folder), "file": self.path(source),
             "arguments": ["gcc", "-DPLAIN", *words, "-c", self.path(source)]}]))
        self.configure("cppcheck", build="build")


class ResponseFiles(Flags):
    def test_a_tracked_one_is_that_of_the_commit(self):
        """What is staged defines DEFECT, the work tree does not."""
        self.compiled("@all.rsp")
        self.base({"all.rsp": "-Wall\n", "a.c": HIDDEN})
        self.change({"all.rsp": "-Wall -DDEFECT\n"})
        self.write("all.rsp", "-Wall\n")
        self.rejected_for(self.check(), FOUND)

    def test_a_base_has_its_own(self):
        self.compiled("@all.rsp")
        self.base({"all.rsp": "-Wall -DDEFECT\n", "a.c": HIDDEN})
        self.change({"all.rsp": "-Wall\n"})
        self.passed(self.check(), fixed=[FOUND])

    def test_one_that_names_another(self):
        self.compiled("@all.rsp")
        self.base({"all.rsp": "-Wall @more.rsp\n", "more.rsp": "-O2\n",
                   "a.c": HIDDEN})
        self.change({"more.rsp": "-O2 '-DDEFECT'"})
        self.rejected_for(self.check(), FOUND)

    def test_one_of_the_build_is_part_of_what_is_kept(self):
        """It is not tracked, so both trees have it as it is now."""
        self.compiled("@all.rsp", folder="build")
        self.write("build/all.rsp", "-Wall\n")
        self.base({"a.c": HIDDEN})
        self.change({"a.c": HIDDEN + "\n"})
        self.unchanged(self.check())
        self.write("build/all.rsp", "-Wall\n-DDEFECT\n")
        self.unchanged(self.check(), FOUND)

    def test_its_folders_are_those_of_the_exported_tree(self):
        """An absolute path in it leads to the header of the commit."""
        self.compiled("@all.rsp", folder="build")
        self.write("build/all.rsp", f'-I"{self.path("include")}"\n')
        self.base({"a.c": '#include "a.h"\n' + HIDDEN,
                   "include/a.h": "#define CALM 1\n"})
        self.change({"include/a.h": "#define DEFECT 1\n"})
        self.write("include/a.h", "#define CALM 1\n")
        path, line, *rest = FOUND
        self.rejected_for(self.check(), (path, line + 1, *rest))

    def test_sources_without_a_database(self):
        self.configure("cppcheck", flags=["-DPLAIN", "@all.rsp"])
        self.base({"all.rsp": "-O2\n", "a.c": HIDDEN})
        self.change({"all.rsp": "-O2 -D DEFECT\n"})
        self.rejected_for(self.check(), FOUND)

    def test_one_that_is_missing(self):
        self.compiled("@none.rsp")
        self.base({"a.c": HIDDEN})
        self.change({"a.c": HIDDEN + "\n"})
        self.incomplete_for(self.check(), r"none\.rsp", "a.c", COMPILE)

    def test_one_that_names_itself(self):
        self.compiled("@all.rsp")
        self.base({"all.rsp": "-O2\n", "a.c": HIDDEN})
        self.change({"all.rsp": "@all.rsp\n"})
        self.incomplete_for(self.check(), r"@|recurs", "a.c", COMPILE)


if __name__ == "__main__":
    unittest.main()
