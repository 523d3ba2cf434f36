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


class Language(Gate):
    """gcc's analyzer is for C alone."""

    def setUp(self):
        super().setUp()
        self.configure("gcc")
        self.base({"a.c": defects.LEAK.replace("= malloc", "= (char *)malloc")})
        self.git("mv", "a.c", "a.cc")

    def test_a_leak_that_nobody_looks_for_any_more(self):
        verdict = self.check()
        self.passed(verdict)
        self.assertIn(("a.c", 10, "gcc", "-Wanalyzer-malloc-leak"),
                      self.found(verdict, "unknown"))

    def test_it_pays_for_no_other(self):
        """It is not fixed, so the count would rise."""
        self.change({"b.c": defects.LEAK.replace("keep", "hold")})
        self.begins(self.check(), 1, "rejected")


class FewerFlags(Flags):
    """The database is tracked: the base has its own."""

    def compiled(self, *words, sources=("a.c",)):
        self.write("compile_commands.json", json.dumps([
            {"directory": self.path(""), "file": source,
             "arguments": ["gcc", *words, "-c", source]}
            for source in sources]))
        self.configure("gcc", build=".")

    SIGN = "int f(unsigned n);\nint f(unsigned n)\n{\n\treturn n;\n}\n"

    def test_what_a_flag_found_is_not_fixed_without_it(self):
        self.compiled("-Wsign-conversion", "-Wshadow")
        self.base({"a.c": self.SIGN})
        self.compiled("-Wshadow")
        self.stage()
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(self.found(verdict, "unknown"),
                         [("a.c", 4, "gcc", "-Wsign-conversion")])
        self.names(verdict, "note: less is looked for: 1 unit, a.c, loses "
                   "-Wsign-conversion", 1)

    def test_a_flag_that_hushes_all_units(self):
        sources = ("a.c", "b.c", "c.c")
        self.compiled("-Wall", sources=sources)
        self.base({source: defects.CLEAN for source in sources})
        self.compiled("-Wall", "-Wno-format", "-isystem", "x",
                      sources=sources)
        self.stage()
        verdict = self.check()
        self.passed(verdict)
        self.names(verdict, "note: less is looked for: each of 3 units, a.c "
                   "and others, gains -Wno-format -isystem x", 1)

    def test_a_fix_beside_another_flag_is_one(self):
        self.compiled("-Wall", "-Wextra")
        self.base({"a.c": defects.UNINIT})
        self.compiled("-Wall", "-Wextra", "-Wno-format")
        self.change({"a.c": defects.UNINIT.replace("int x;", "int x = 1;")})
        verdict = self.check()
        self.begins(verdict, 0, "passed")
        self.assertEqual(self.found(verdict, "unknown"), [])
        self.assertTrue(self.found(verdict, "fixed"))

    def test_more_flags_are_nothing_to_tell_of(self):
        self.compiled("-O1")
        self.base({"a.c": defects.CLEAN})
        self.compiled("-O2", "-Wall", "-Werror")
        self.stage()
        self.assertNotIn("less is looked for", self.check().text)


class BuildFiles(Flags):
    def test_a_flag_that_a_cmakelists_takes_away(self):
        self.compiled()
        self.base({"a.c": defects.CLEAN, "CMakeLists.txt":
                   "add_compile_options(-Wall -Wshadow)\n"})
        self.change({"CMakeLists.txt":
                     "add_compile_options(-Wall -Wno-unused)\n"})
        verdict = self.check()
        self.passed(verdict)
        self.names(verdict, "note: CMakeLists.txt gains -Wno-unused and loses "
                   "-Wshadow: not judged, .*", 1)


if __name__ == "__main__":
    unittest.main()
