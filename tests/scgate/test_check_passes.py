#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commits that scgate check passes: what only moves code, and what mends it.
Most move a finding that was there, which must be the same one afterwards."""
import contextlib
import os
import sqlite3
import unittest

import defects
from gate import Gate

NULL = ("cppcheck", "nullPointer")
GCC_NULL = ("gcc", "-Wanalyzer-null-dereference")


class Moved(Gate):
    """gcc and cppcheck each tell of one finding in a.c, at line 7."""

    analyzers = ("cppcheck", "gcc")

    def setUp(self):
        super().setUp()
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})

    def still(self, path, line):
        self.unchanged(self.check(), (path, line, *NULL),
                       (path, line, *GCC_NULL))

    def test_lines_shift(self):
        self.change({"a.c": "\n\nint more(void);\n" + defects.NULL})
        self.still("a.c", 10)

    def test_lines_go_above_it(self):
        self.change({"a.c": defects.NULL.replace("\n\n", "\n").replace(
            "int deref(int n);\nint deref", "int deref")})
        self.still("a.c", 5)

    def test_reindented(self):
        self.change({"a.c": defects.NULL.replace("\t", "    ")})
        self.still("a.c", 7)

    def test_braces_and_a_line_broken(self):
        self.change({"a.c": defects.NULL.replace("\n{", " {").replace(
            "if (n > 1)\n\t\treturn *p;",
            "if (n > 1) {\n\t\treturn\n\t\t\t*p;\n\t}")})
        verdict = self.check()
        self.begins(verdict, 0, "passed")
        self.assertEqual(self.found(verdict, "new"), [], str(verdict))
        self.assertEqual(len(self.found(verdict, "same")), 2, str(verdict))

    def test_line_ends_of_windows(self):
        self.change({"a.c": defects.NULL.replace("\n", "\r\n")})
        self.still("a.c", 7)

    def test_renamed(self):
        os.mkdir(self.path("src"))
        self.git("mv", "a.c", "src/z.c")
        self.still("src/z.c", 7)

    def test_renamed_and_edited(self):
        self.git("mv", "a.c", "z.c")
        self.change({"z.c": "/* One more line. */\n" + defects.NULL})
        self.still("z.c", 8)

    def test_renamed_to_a_name_with_spaces_and_more(self):
        self.git("mv", "a.c", "ein Maß.c")
        self.still("ein Maß.c", 7)

    def test_the_function_is_renamed(self):
        self.change({"a.c": defects.NULL.replace("deref", "fetch")})
        self.still("a.c", 7)

    def test_the_function_moves_within_the_file(self):
        above = "".join(
            f"int no{at}(void);\nint no{at}(void)\n{{\n\treturn {at};\n}}\n"
            for at in range(3))
        self.base({"a.c": above + defects.NULL})
        self.change({"a.c": defects.NULL + above})
        self.still("a.c", 7)

    def test_the_function_moves_to_another_file(self):
        self.base({"a.c": defects.CLEAN.replace("same", "other")
                   + defects.NULL})
        self.change({"a.c": defects.CLEAN.replace("same", "other"),
                     "b.c": defects.CLEAN + defects.NULL})
        self.still("b.c", 12)

    def test_the_function_moves_to_a_new_file(self):
        self.base({"a.c": defects.CLEAN.replace("same", "other")
                   + defects.NULL})
        self.change({"a.c": defects.CLEAN.replace("same", "other"),
                     "src/c.c": "/* Moved. */\n" + defects.NULL})
        self.still("src/c.c", 8)

    def test_two_functions_change_places(self):
        other = defects.NULL.replace("deref", "other")
        self.base({"a.c": defects.NULL + other})
        self.change({"a.c": other + defects.NULL})
        self.unchanged(self.check(), ("a.c", 7, *NULL), ("a.c", 16, *NULL),
                       ("a.c", 7, *GCC_NULL), ("a.c", 16, *GCC_NULL))

    def test_its_body_becomes_a_function_of_its_own(self):
        self.change({"a.c": defects.NULL.replace(
            "int deref(int n)\n{", "static int inner(int n)\n{")
            + "int deref(int n)\n{\n\treturn inner(n);\n}\n"})
        self.still("a.c", 7)

    def test_a_comment_on_its_line(self):
        self.change({"a.c": defects.NULL.replace(
            "*p;", "*p; /* what if? */")})
        self.still("a.c", 7)

    def test_a_comment_above_it(self):
        self.change({"a.c": "/* Why. */\n" + defects.NULL})
        self.still("a.c", 8)

    def test_a_file_becomes_executable(self):
        os.chmod(self.path("a.c"), 0o755)
        self.stage()
        self.begins(self.check(), 0, "passed")

    def test_nothing_that_a_unit_reads(self):
        self.change({"note.txt": "nothing\n"})
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual((verdict.json["affected"],
                          verdict.json["analysed"]), (0, 0), str(verdict))

    def test_nothing_at_all(self):
        self.passed(self.check())


class Numbers(Gate):
    def test_another_number_in_its_message(self):
        self.configure("cppcheck", "clang-tidy")
        self.base({"a.c": defects.BOUNDS})
        self.change({"a.c": defects.BOUNDS.replace("b[3]", "b[4]")})
        self.unchanged(
            self.check(), ("a.c", 6, "cppcheck", "arrayIndexOutOfBounds"),
            ("a.c", 6, "clang-tidy",
             "clang-analyzer-core.uninitialized.UndefReturn"),
            ("a.c", 6, "clang-tidy", "clang-diagnostic-array-bounds"))


class Mended(Gate):
    def test_a_fix_is_named(self):
        self.configure("cppcheck", "gcc")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": defects.NULL_FIXED})
        self.passed(self.check(), fixed=[("a.c", 7, *NULL),
                                         ("a.c", 7, *GCC_NULL)])

    def test_one_of_two_copies(self):
        self.configure("gcc")
        self.base({"a.c": defects.NULL_TWICE})
        self.change({"a.c": defects.NULL})
        verdict = self.check()
        self.passed(verdict, fixed=[("a.c", 9, *GCC_NULL)])
        self.assertEqual(self.found(verdict, "same"), [("a.c", 7, *GCC_NULL)])

    def test_a_dead_file_is_removed(self):
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})
        self.change({"a.c": None})
        self.passed(self.check(), fixed=[("a.c", 7, *NULL)])

    def test_the_last_file_is_removed(self):
        self.base({"a.c": defects.NULL})
        self.change({"a.c": None})
        self.passed(self.check(), fixed=[("a.c", 7, *NULL)])

    def test_a_staged_fix_while_the_work_tree_has_the_defect(self):
        self.base({"a.c": defects.NULL})
        self.change({"a.c": defects.NULL_FIXED})
        self.write("a.c", defects.NULL)
        self.passed(self.check(), fixed=[("a.c", 7, *NULL)])

    def test_a_fix_in_a_header_that_two_units_see(self):
        self.configure("cppcheck", "gcc")
        self.base({"first.h": defects.HEADER,
                   "a.c": defects.user("a", "first.h"),
                   "b.c": defects.user("b", "first.h")})
        self.change({"first.h": defects.HEADER_FIXED})
        self.passed(self.check(), fixed=[("first.h", 6, *NULL),
                                         ("first.h", 6, *GCC_NULL)])

    def test_what_did_not_compile_does_again(self):
        """Else nobody could mend it."""
        self.base({"a.c": defects.CLEAN + "#error broken\n"})
        self.change({"a.c": defects.CLEAN})
        self.passed(self.check())


class New(Gate):
    def test_a_new_file_without_a_finding(self):
        self.base({"a.c": defects.NULL})
        self.change({"src/b.c": defects.CLEAN})
        self.passed(self.check())

    def test_a_new_unit_that_the_database_has(self):
        self.configure("cppcheck", build="build")
        self.database("a.c", "b.c")
        self.base({"a.c": defects.NULL})
        self.change({"b.c": defects.CLEAN})
        self.passed(self.check())

    def test_a_new_source_in_an_excluded_folder(self):
        self.configure("cppcheck", build="build", exclude=["third_party/"])
        self.database("a.c")
        self.base({"a.c": defects.CLEAN})
        self.change({"third_party/b.c": defects.NULL})
        self.passed(self.check())

    def test_a_swap_within_a_rule_is_shown(self):
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})
        self.change({"a.c": defects.NULL_FIXED,
                     "b.c": defects.NULL.replace("*p", "*q").replace(
                         "deref", "other")})
        verdict = self.check()
        self.passed(verdict, fixed=[("a.c", 7, *NULL)],
                    new=[("b.c", 7, *NULL)])
        self.names(verdict, r"swap +b\.c:7\b.*\ba\.c:7\b.*")

    def test_nolint_where_it_is_allowed(self):
        self.configure("clang-tidy")
        self.base({"a.c": defects.NULL_FIXED})
        self.change({"a.c": defects.NULL.replace("*p;", "*p; // NOLINT")})
        self.passed(self.check())


    def test_an_old_nolint_where_none_may_be(self):
        self.configure("clang-tidy", inline_suppressions="forbid")
        silent = defects.NULL.replace("*p;", "*p; // NOLINT")
        self.base({"a.c": silent})
        self.change({"a.c": "\n\n" + silent})
        self.unchanged(self.check(), ("a.c", 9, "scgate",
                                      "inline-suppression"))

    def test_in_a_header_that_is_excluded(self):
        self.configure(exclude=["third_party/"])
        self.base({"third_party/first.h": defects.HEADER_FIXED,
                   "a.c": defects.user("a", "third_party/first.h")})
        self.change({"third_party/first.h": defects.HEADER})
        self.passed(self.check())

    def test_in_a_header_that_no_unit_reads(self):
        self.base({"a.c": defects.CLEAN})
        self.change({"first.h": defects.HEADER})
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(verdict.json["affected"], 0)

    def test_what_no_analyzer_reads(self):
        self.configure("cppcheck", build="build")
        self.database("a.c")
        self.base({"a.c": defects.CLEAN})
        self.change({"start.S": "\t.globl start\nstart:\n\tret\n",
                     "tool.py": "print(1)\n"})
        self.passed(self.check())


    def test_a_submodule_that_moves_is_told(self):
        self.configure()
        self.base({"a.c": defects.CLEAN})
        head = self.git("rev-parse", "HEAD")
        self.git("update-index", "--add", "--cacheinfo",
                 f"160000,{head},sub")
        verdict = self.check()
        self.passed(verdict)
        self.names(verdict, "note: this change moves the submodule sub; what "
                   "is new in there was not judged", 1)


class Again(Gate):
    def test_the_second_time_nothing_is_run(self):
        self.configure("cppcheck", "gcc")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": "\n" + defects.NULL})
        first, second = self.check(), self.check()
        self.assertGreater(first.json["analysed"], 0)
        self.assertEqual(second.json["analysed"], 0)
        for verdict in (first, second):
            self.unchanged(verdict, ("a.c", 8, *NULL), ("a.c", 8, *GCC_NULL))

    def test_without_what_was_kept(self):
        self.base({"a.c": defects.NULL})
        self.change({"a.c": "\n" + defects.NULL})
        first, second = self.check(), self.check("--no-cache")
        self.unchanged(second, ("a.c", 8, *NULL))
        self.assertEqual(second.json["analysed"], first.json["analysed"])

    def test_after_the_commit_its_results_are_the_base(self):
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})
        self.change({"a.c": "\n" + defects.NULL})
        self.passed(self.check())
        self.commit()
        self.change({"a.c": "\n\n" + defects.NULL})
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(verdict.json["analysed"], 1, str(verdict))

    def test_held_against_a_baseline(self):
        self.configure("cppcheck", baseline=".scgate-baseline")
        self.base({"a.c": defects.NULL})
        self.assertEqual(self.scgate("baseline write")[0], 0)
        self.commit()
        self.change({"a.c": "\n" + defects.NULL})
        self.unchanged(self.check(), ("a.c", 8, *NULL))


class Headers(Gate):
    def setUp(self):
        super().setUp()
        self.configure("cppcheck", "gcc", flags=["-Iinclude", "-Ilib"])
        self.base({"include/first.h": defects.HEADER,
                   "a.c": defects.user("a", "first.h"),
                   "b.c": defects.user("b", "first.h")})

    def test_a_header_moves(self):
        os.mkdir(self.path("lib"))
        self.git("mv", "include/first.h", "lib/first.h")
        self.unchanged(self.check(), ("lib/first.h", 6, *NULL),
                       ("lib/first.h", 6, *GCC_NULL))

    def test_its_text_moves_into_another_header(self):
        self.change({"include/first.h": '#include "text.h"\n',
                     "lib/text.h": defects.HEADER})
        self.unchanged(self.check(), ("lib/text.h", 6, *NULL),
                       ("lib/text.h", 6, *GCC_NULL))

    def test_its_text_moves_into_a_source(self):
        self.change({"include/first.h": "int first(void);\n", "c.c":
                     '#include "first.h"\n'
                     + defects.HEADER.replace("static inline ", "")})
        self.unchanged(self.check(), ("c.c", 7, *NULL),
                       ("c.c", 7, *GCC_NULL))

    def test_a_macro_in_a_header(self):
        self.change({"include/first.h": defects.HEADER.replace(
            "DEREF_H\nstatic", "DEREF_H\n#define FIRST 1\nstatic")})
        self.unchanged(self.check(), ("include/first.h", 7, *NULL),
                       ("include/first.h", 7, *GCC_NULL))

    def test_a_comment_in_a_header(self):
        self.change({"include/first.h": defects.HEADER.replace(
            "return *p;", "return *p; /* the first */")})
        verdict = self.check()
        self.unchanged(verdict, ("include/first.h", 6, *NULL),
                       ("include/first.h", 6, *GCC_NULL))
        self.assertEqual(verdict.json["affected"], 2)

    def test_a_new_unit_sees_one_that_flags_name(self):
        self.configure("cppcheck", flags=["-include", "first.h"])
        self.base({"first.h": defects.HEADER, "a.c": defects.CLEAN})
        self.change({"b.c": defects.CLEAN.replace("same", "other")})
        self.unchanged(self.check("--no-cache"), ("first.h", 6, *NULL))

    def test_a_new_unit_sees_one_that_was_generated(self):
        self.write(".git/info/exclude", "build/\n")
        self.write("build/made.h", defects.HEADER)
        self.configure("cppcheck", flags=["-Ibuild", "-Iinclude"])
        self.base({"c.c": defects.user("c", "made.h")})
        self.change({"d.c": defects.user("d", "made.h")})
        self.unchanged(self.check("--no-cache"), ("build/made.h", 6, *NULL),
                       ("include/first.h", 6, *NULL))

    def test_one_unit_fewer_sees_it(self):
        self.change({"b.c": defects.CLEAN})
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(self.found(verdict, "new"), [])


class Database(Gate):
    """A database that is not tracked is that of today, for both trees."""

    def setUp(self):
        super().setUp()
        self.configure("cppcheck", build="build")
        self.database("a.c", "b.c")
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})

    def test_a_renamed_source(self):
        self.git("mv", "a.c", "c.c")
        self.database("b.c", "c.c")
        self.unchanged(self.check(), ("c.c", 7, *NULL))

    def test_a_source_that_is_removed(self):
        self.change({"a.c": None})
        self.database("b.c")
        self.passed(self.check(), fixed=[("a.c", 7, *NULL)])

    def test_a_function_that_moves_out_of_a_source_that_goes(self):
        self.change({"a.c": None, "b.c": defects.CLEAN + defects.NULL})
        self.database("b.c")
        self.unchanged(self.check(), ("b.c", 12, *NULL))


class Kept(Gate):
    """What was analysed is not analysed again."""

    def test_until_it_is_forgotten(self):
        self.configure("cppcheck")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": "\n" + defects.NULL})
        self.assertEqual(self.check().json["analysed"], 2)
        self.assertEqual(self.check().json["analysed"], 0)
        self.prune("0 kept results removed\n")
        self.assertEqual(self.check().json["analysed"], 0)
        with contextlib.closing(sqlite3.connect(
                os.path.join(self.folder, "db"))) as store:
            store.execute("UPDATE kept_results SET used = used - 31")
            store.commit()
        self.prune("2 kept results removed\n")
        self.assertEqual(self.check().json["analysed"], 2)

    def test_what_both_sides_have_alike_is_analysed_once(self):
        self.configure("cppcheck")
        self.base({"a.c": defects.CLEAN, "b.c": defects.NULL})
        self.assertEqual(self.check("--all").json["analysed"], 2)

    def prune(self, said):
        code, _, err = self.scgate("prune", "--db", "../db", "--kept", "30")
        self.assertEqual((code, err), (0, said))


class TooComplex(Gate):
    """A function in which gcc's analyzer gives up: what it saw there before
    is not fixed."""

    def test_an_old_finding_is_unknown_and_counts(self):
        self.configure("gcc")
        self.base({"a.c": defects.busy(2, leaks=True)})
        self.change({"a.c": defects.busy(12, leaks=True)})
        verdict = self.check()
        self.passed(verdict)
        self.assertEqual(self.found(verdict, "unknown"),
                         [("a.c", 18, "gcc", "-Wanalyzer-malloc-leak")])
        self.names(verdict, r"unknown +a\.c:18: .+ "
                   r"\[gcc -Wanalyzer-malloc-leak\]", 1)
        self.names(verdict, r"limited +a\.c: gcc: \S.*")

    def test_it_does_not_make_room_for_another(self):
        self.configure("gcc", "cppcheck")
        self.base({"a.c": defects.busy(2, leaks=True),
                   "b.c": defects.CLEAN})
        self.change({"a.c": defects.busy(12, leaks=True),
                     "b.c": defects.LEAK})
        verdict = self.check()
        self.rejected_for(verdict,
                          ("b.c", 10, "cppcheck", "memleak"),
                          ("b.c", 10, "gcc", "-Wanalyzer-malloc-leak"))


class Remarks(Gate):
    """What an analyzer says of itself, not of the code."""

    def test_an_option_that_clang_tidy_does_not_understand(self):
        self.configure("clang-tidy")
        self.base({"a.c": defects.CLEAN, ".clang-tidy":
                   "Checks: 'bugprone-*'\nCheckOptions:\n  - { key: bugprone-"
                   "argument-comment.StrictMode, value: perhaps }\n"})
        self.change({"a.c": defects.CLEAN + "\n"})
        self.unchanged(self.check())


if __name__ == "__main__":
    unittest.main()
