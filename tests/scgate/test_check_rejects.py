#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commits that scgate check rejects, and the finding that it names."""
import os
import unittest

import defects
from gate import Gate

SILENCED = "inline-suppression"  # the rule of scgate's own findings


class Planted(Gate):
    """A defect that was not there."""

    def test_a_null_dereference_is_seen_by_each_analyzer(self):
        self.configure("cppcheck", "gcc", "clang", "clang-tidy")
        self.base({"a.c": defects.NULL_FIXED})
        self.change({"a.c": defects.NULL})
        self.rejected_for(
            self.check(), ("a.c", 7, "cppcheck", "nullPointer"),
            ("a.c", 7, "gcc", "-Wanalyzer-null-dereference"),
            ("a.c", 7, "clang", "core.NullDereference"),
            ("a.c", 7, "clang-tidy", "clang-analyzer-core.NullDereference"))

    def test_a_leak(self):
        self.configure("cppcheck", "gcc")
        self.base({"a.c": defects.LEAK_FIXED})
        self.change({"a.c": defects.LEAK})
        self.rejected_for(self.check(),
                          ("a.c", 10, "cppcheck", "memleak"),
                          ("a.c", 10, "gcc", "-Wanalyzer-malloc-leak"))

    def test_an_uninitialised_read(self):
        self.configure("gcc", "clang")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.CLEAN + defects.UNINIT})
        self.rejected_for(
            self.check(),
            ("a.c", 12, "clang", "core.uninitialized.UndefReturn"),
            ("a.c", 12, "gcc", "-Wanalyzer-use-of-uninitialized-value"),
            ("a.c", 12, "gcc", "-Wmaybe-uninitialized"))

    def test_a_wrong_format_string(self):
        self.configure("cppcheck", "gcc", "clang-tidy")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.FORMAT})
        self.rejected_for(
            self.check(),
            ("a.c", 5, "clang-tidy", "clang-diagnostic-format"),
            ("a.c", 5, "cppcheck", "invalidPrintfArgType_s"),
            ("a.c", 5, "gcc", "-Wformat="))

    def test_in_a_new_file(self):
        self.base({"a.c": defects.CLEAN})
        self.change({"src/new.c": defects.NULL})
        self.rejected_for(self.check(),
                          ("src/new.c", 7, "cppcheck", "nullPointer"))

    def test_in_c_plus_plus(self):
        self.configure("cppcheck", "clang", compiler="g++")
        self.base({"a.cc": defects.CLEAN})
        self.change({"a.cc": defects.NULL.replace("= 0", "= nullptr")})
        self.rejected_for(self.check(),
                          ("a.cc", 7, "clang", "core.NullDereference"),
                          ("a.cc", 7, "cppcheck", "nullPointer"))

    def test_in_a_repository_with_a_database(self):
        self.configure("cppcheck", "gcc", build="build")
        self.database("src/a.c", "src/b.c")
        self.base({"src/a.c": defects.CLEAN, "src/b.c": defects.NULL})
        self.change({"src/a.c": defects.NULL.replace("deref", "deref2")})
        self.rejected_for(
            self.check(),
            ("src/a.c", 7, "cppcheck", "nullPointer"),
            ("src/a.c", 7, "gcc", "-Wanalyzer-null-dereference"))

    def test_its_source_line_and_a_caret_stand_below(self):
        self.base({"a.c": defects.NULL_FIXED})
        self.change({"a.c": defects.NULL})
        self.assertRegex(
            self.check().text,
            r"(?m)^a\.c:7:11: error: Null pointer dereference: p "
            r"\[cppcheck nullPointer\]\n.*return \*p;\n +\S* *\^$")


class Headers(Gate):
    def users(self, *names, header="first.h"):
        return {f"{name}.c": defects.user(name, header) for name in names}

    def test_one_in_a_header_that_three_units_see_is_named_once(self):
        self.configure("cppcheck", "gcc")
        self.base({"first.h": defects.HEADER_FIXED,
                   **self.users("a", "b", "c")})
        self.change({"first.h": defects.HEADER})
        verdict = self.check()
        self.rejected_for(
            verdict, ("first.h", 6, "cppcheck", "nullPointer"),
            ("first.h", 6, "gcc", "-Wanalyzer-null-dereference"))
        self.assertEqual(verdict.json["affected"], 3)

    def test_a_macro_in_a_header_wakes_one_in_a_source(self):
        source = ('#include "config.h"\n#if FAST\n' + defects.NULL
                  + "#else\nint deref(int n);\n#endif\n")
        self.base({"config.h": "#define FAST 0\n", "a.c": source})
        self.change({"config.h": "#define FAST 1\n"})
        self.rejected_for(self.check(), ("a.c", 9, "cppcheck", "nullPointer"))

    def test_a_new_header_stands_before_the_one_that_was_meant(self):
        self.configure("gcc", flags=["-Inew", "-Iold"])
        self.base({"old/first.h": defects.HEADER_FIXED, **self.users("a"),
                   "new/other.h": "\n"})
        self.change({"new/first.h": defects.HEADER})
        self.rejected_for(self.check(), (
            "new/first.h", 6, "gcc", "-Wanalyzer-null-dereference"))

    def test_a_header_that_goes_uncovers_a_worse_one(self):
        self.configure("gcc", flags=["-Inew", "-Iold"])
        self.base({"old/first.h": defects.HEADER,
                   "new/first.h": defects.HEADER_FIXED, **self.users("a")})
        self.change({"new/first.h": None})
        self.rejected_for(self.check(), (
            "old/first.h", 6, "gcc", "-Wanalyzer-null-dereference"))


    def test_a_header_that_only_flags_name(self):
        for flags in (["-include", "first.h"], ["-Wp,-include,first.h"],
                      ["@flags"]):
            with self.subTest(flags=flags):
                self.configure("gcc", flags=flags)
                self.base({"first.h": defects.HEADER_FIXED,
                           "flags": "-include first.h\n",
                           "a.c": defects.user("a", "stddef.h")})
                self.change({"first.h": defects.HEADER})
                self.rejected_for(self.check(), (
                    "first.h", 6, "gcc", "-Wanalyzer-null-dereference"))


    def test_a_header_that_an_analyzer_is_told_to_include(self):
        self.configure({"name": "gcc", "add": ["-include", "first.h"]})
        self.base({"first.h": defects.HEADER_FIXED,
                   "a.c": '#ifdef DEREF_H\n' + defects.user("a", "stddef.h")
                   + "#endif\n"})
        self.change({"first.h": defects.HEADER})
        self.rejected_for(self.check(), (
            "first.h", 6, "gcc", "-Wanalyzer-null-dereference"))


class Known(Gate):
    """Beside findings that were there."""

    def test_a_second_copy_in_the_same_function(self):
        self.configure("gcc", "clang")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": defects.NULL_TWICE})
        verdict = self.check()
        self.rejected_for(verdict,
                          ("a.c", 9, "clang", "core.NullDereference"),
                          ("a.c", 9, "gcc", "-Wanalyzer-null-dereference"))
        self.assertEqual(self.found(verdict, "same"), [
            ("a.c", 7, "clang", "core.NullDereference"),
            ("a.c", 7, "gcc", "-Wanalyzer-null-dereference")])

    def test_a_second_copy_above_the_known_one(self):
        """The count is what matters, whichever of the two is called new."""
        self.configure("clang")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": defects.NULL.replace(
            "\tif", "\tif (n < -1)\n\t\treturn *p;\n\tif")})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.assertEqual(len(self.found(verdict, "new")), 1, str(verdict))

    def test_one_of_a_rule_for_one_of_another(self):
        """No more in all, but more of a rule."""
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})
        self.change({"a.c": defects.NULL_FIXED, "b.c": defects.LEAK})
        verdict = self.check()
        self.rejected_for(verdict, ("b.c", 10, "cppcheck", "memleak"))
        self.assertEqual(self.found(verdict, "fixed"),
                         [("a.c", 7, "cppcheck", "nullPointer")])
        self.assertIn("memleak", " ".join(verdict.json["objections"]))

    def test_one_in_a_file_that_is_renamed(self):
        self.base({"old.c": defects.NULL + defects.CLEAN})
        self.git("mv", "old.c", "new.c")
        self.change({"new.c": defects.NULL + defects.CLEAN
                     + defects.BOUNDS})
        verdict = self.check()
        self.rejected_for(verdict, (
            "new.c", 20, "cppcheck", "arrayIndexOutOfBounds"))
        self.assertEqual(self.found(verdict, "same"),
                         [("new.c", 7, "cppcheck", "nullPointer")])

    def test_a_copy_of_a_file(self):
        self.base({"a.c": defects.NULL})
        self.change({"b.c": defects.NULL})
        self.rejected_for(self.check(), ("b.c", 7, "cppcheck", "nullPointer"))

    def test_a_copy_of_a_file_that_is_renamed(self):
        self.base({"a.c": defects.NULL})
        self.git("mv", "a.c", "b.c")
        self.change({"c.c": defects.NULL.replace("deref", "other")})
        verdict = self.check()
        self.rejected_for(verdict, ("c.c", 7, "cppcheck", "nullPointer"))
        self.assertEqual(self.found(verdict, "same"),
                         [("b.c", 7, "cppcheck", "nullPointer")])

    def test_out_of_a_folder_that_is_excluded(self):
        self.configure("cppcheck", exclude=["third_party/"])
        self.base({"third_party/a.c": defects.NULL, "b.c": defects.CLEAN})
        os.mkdir(self.path("src"))
        self.git("mv", "third_party/a.c", "src/a.c")
        self.rejected_for(self.check(),
                          ("src/a.c", 7, "cppcheck", "nullPointer"))

    def test_a_leak_where_the_commit_blinds_one_analyzer(self):
        """gcc gives up on the function: others see what it does not."""
        self.configure("gcc", "clang", "cppcheck")
        self.base({"a.c": defects.busy(2, leaks=False)})
        self.change({"a.c": defects.busy(12, leaks=True)})
        verdict = self.check()
        self.rejected_for(verdict, ("a.c", 38, "clang", "unix.Malloc"),
                          ("a.c", 38, "cppcheck", "memleak"))
        self.names(verdict, r"limited +a\.c: gcc: \S.*")


class Staged(Gate):
    """What is staged counts, not what lies there."""

    def test_the_work_tree_is_clean_of_it(self):
        self.base({"a.c": defects.NULL_FIXED})
        self.change({"a.c": defects.NULL})
        self.write("a.c", defects.NULL_FIXED)
        self.rejected_for(self.check(), ("a.c", 7, "cppcheck", "nullPointer"))
        self.passed(self.check("--worktree"))

    def test_the_file_is_gone_from_the_work_tree(self):
        self.base({"a.c": defects.CLEAN})
        self.change({"b.c": defects.NULL})
        os.unlink(self.path("b.c"))
        self.rejected_for(self.check(), ("b.c", 7, "cppcheck", "nullPointer"))

    def test_part_of_a_file_is_staged(self):
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.CLEAN + defects.NULL})
        self.write("a.c", "\n\n\n" + defects.CLEAN + defects.LEAK)
        self.rejected_for(self.check(),
                          ("a.c", 12, "cppcheck", "nullPointer"))

    def test_the_work_tree(self):
        self.base({"a.c": defects.CLEAN})
        self.write("new.c", defects.NULL)
        self.rejected_for(self.check("--worktree"),
                          ("new.c", 7, "cppcheck", "nullPointer"))
        self.passed(self.check("--staged"))

    def test_the_commits_since_a_branch(self):
        self.base({"a.c": defects.CLEAN})
        self.git("switch", "-q", "-c", "topic")
        self.base({"a.c": defects.NULL})
        self.base({"note.txt": "the last commit is harmless\n"})
        self.rejected_for(self.check("--base", "main"),
                          ("a.c", 7, "cppcheck", "nullPointer"))


class Silenced(Gate):
    """Inline suppressions, where they are forbidden."""

    def forbid(self, analyzer):
        self.configure(analyzer, inline_suppressions="forbid")
        self.base({"a.c": defects.NULL_FIXED})

    def test_nolint(self):
        """clang-tidy obeys it: what it hides is found by its comment."""
        self.forbid("clang-tidy")
        self.change({"a.c": defects.NULL.replace("*p;", "*p; // NOLINT")})
        self.rejected_for(self.check(), ("a.c", 7, "scgate", SILENCED))

    def test_cppcheck_suppress(self):
        """cppcheck is not told to obey it."""
        self.forbid("cppcheck")
        self.change({"a.c": defects.NULL.replace(
            "\t\treturn *p", "\t\t// cppcheck-suppress nullPointer\n"
            "\t\treturn *p")})
        self.rejected_for(self.check(), ("a.c", 7, "scgate", SILENCED),
                          ("a.c", 8, "cppcheck", "nullPointer"))

    def test_a_pragma(self):
        self.forbid("gcc")
        self.change({"a.c": '#pragma GCC diagnostic ignored "-Wanalyzer-null-'
                     'dereference"\n' + defects.NULL})
        self.rejected_for(self.check(), ("a.c", 1, "scgate", SILENCED))

    def test_a_pragma_that_hushes_a_header(self):
        self.configure("gcc", inline_suppressions="forbid")
        self.base({"first.h": defects.HEADER_FIXED,
                   "a.c": defects.user("a", "first.h")})
        self.change({"first.h": "#pragma GCC system_header\n"
                     + defects.HEADER})
        self.rejected_for(self.check(), ("first.h", 1, "scgate", SILENCED))

    def test_in_a_header(self):
        self.forbid("cppcheck")
        self.change({"a.h": "int a; /* NOLINT(misc-definitions-in-headers) */"
                     "\n", "a.c": '#include "a.h"\n' + defects.NULL_FIXED})
        self.rejected_for(self.check(), ("a.h", 1, "scgate", SILENCED))

    def silenced(self, path, line):
        self.rejected_for(self.check(), (path, line, "scgate", SILENCED))

    def test_a_pragma_that_a_macro_makes(self):
        self.configure("gcc", inline_suppressions="forbid")
        self.base({"a.c": "#define DO(x) _Pragma(#x)\n"
                   + defects.NULL_FIXED})
        self.change({"a.c": "#define DO(x) _Pragma(#x)\nDO(GCC diagnostic "
                     'ignored "-Wanalyzer-null-dereference")\n'
                     + defects.NULL})
        self.silenced("a.c", 2)

    def test_a_line_marker_of_a_system_header(self):
        self.forbid("gcc")
        self.change({"a.c": '# 1 "a.c" 3\nstatic int unused;\n'})
        self.silenced("a.c", 1)

    def test_a_line_in_what_is_excluded(self):
        self.configure("cppcheck", inline_suppressions="forbid",
                       exclude=["other/"])
        self.base({"a.c": defects.NULL_FIXED, "other/b.h": "int b;\n"})
        self.change({"a.c": '#line 1 "other/b.h"\n' + defects.NULL})
        self.silenced("a.c", 1)

    def test_a_line_of_a_generator_is_none(self):
        self.configure("cppcheck", inline_suppressions="forbid")
        self.base({"p/a.y": "code\n", "p/a.c": defects.NULL_FIXED})
        self.change({"p/a.c": '#line 1 "a.y"\n' + defects.NULL_FIXED
                     + '#line 8 "p/a.c"\n'})
        self.unchanged(self.check())

    def test_in_a_file_that_is_called_no_header(self):
        for name in ("calm", "calm.txt", "calm.x"):
            with self.subTest(name):
                self.configure("gcc", inline_suppressions="forbid")
                self.base({"a.c": defects.NULL_FIXED, name: "int calm;\n"})
                self.change({name: '#pragma GCC diagnostic ignored '
                             '"-Wanalyzer-null-dereference"\n',
                             "a.c": f'#include "{name}"\n' + defects.NULL})
                self.silenced(name, 1)
                self.git("reset", "-q", "--hard")

    def test_in_a_file_that_was_there_and_is_included_now(self):
        self.configure("gcc", inline_suppressions="forbid")
        self.base({"a.c": defects.NULL_FIXED, "calm": '#pragma GCC diagnostic '
                   'ignored "-Wanalyzer-null-dereference"\n'})
        self.change({"a.c": '#include "calm"\n' + defects.NULL})
        self.silenced("calm", 1)

    def test_code_that_is_hidden_from_an_analyzer(self):
        self.forbid("clang")
        self.change({"a.c": "#ifndef __clang_analyzer__\n" + defects.NULL
                     + "#endif\n"})
        self.silenced("a.c", 1)


class Excuses(Gate):
    """A commit that brings the rules by which it would pass."""

    def setUp(self):
        super().setUp()
        self.base({"a.c": defects.NULL_FIXED})

    def judged_by_the_parent(self, name, *places):
        verdict = self.check()
        self.rejected_for(verdict, *places)
        self.names(verdict, f"note: this change edits {name}; it is judged by "
                   "that of HEAD [0-9a-f]{8}", 1)

    def test_a_weaker_policy(self):
        self.configure("cppcheck", policy="no-new")
        self.commit()
        self.configure("cppcheck", policy="no-raise", lowest="error", paths=[
            {"path": "*.c", "policy": "must-reduce", "lowest": "error"}])
        self.change({"a.c": defects.FORMAT})
        self.judged_by_the_parent(
            ".scgate.conf", ("a.c", 5, "cppcheck", "invalidPrintfArgType_s"))

    def test_an_analyzer_fewer(self):
        self.configure("cppcheck", "gcc")
        self.commit()
        self.configure("cppcheck")
        self.change({"a.c": defects.NULL_TWICE})
        self.judged_by_the_parent(
            ".scgate.conf", ("a.c", 7, "cppcheck", "nullPointer"),
            ("a.c", 7, "gcc", "-Wanalyzer-null-dereference"),
            ("a.c", 9, "gcc", "-Wanalyzer-null-dereference"))

    def test_a_path_that_is_excluded(self):
        self.configure("cppcheck", exclude=["a.c"])
        self.change({"a.c": defects.NULL})
        self.judged_by_the_parent(
            ".scgate.conf", ("a.c", 7, "cppcheck", "nullPointer"))

    def test_no_configuration_any_longer(self):
        self.change({"a.c": defects.NULL, ".scgate.conf": None})
        self.judged_by_the_parent(
            ".scgate.conf", ("a.c", 7, "cppcheck", "nullPointer"))

    def test_a_configuration_that_cannot_be_read(self):
        self.change({"a.c": defects.NULL, ".scgate.conf": "policy = ;\n"})
        self.judged_by_the_parent(
            ".scgate.conf", ("a.c", 7, "cppcheck", "nullPointer"))

    def test_an_entry_among_the_suppressions(self):
        self.change({"a.c": defects.NULL, ".scgate-suppressions":
                     '{"path":"a.c","line":7,"tool":"cppcheck",'
                     '"rule":"nullPointer","function":"deref",'
                     '"message":"Null pointer dereference: p",'
                     '"reason":"the tests need it"}\n'})
        self.judged_by_the_parent(
            ".scgate-suppressions", ("a.c", 7, "cppcheck", "nullPointer"))

    def test_what_a_command_names(self):
        """Suppressions of cppcheck's own, named in all ways."""
        for word in ("list.txt", "./list.txt", "{root}/list.txt"):
            with self.subTest(word=word):
                self.configure({"name": "cppcheck", "add": [
                    f"--suppressions-list={word}"]})
                self.base({"a.c": defects.NULL_FIXED, "list.txt": "none\n"})
                self.change({"a.c": defects.NULL, "list.txt": "*\n"})
                self.judged_by_the_parent(
                    "list.txt", ("a.c", 7, "cppcheck", "nullPointer"))

    def test_what_a_command_names_for_one_language(self):
        self.configure({
            "name": "mine", "format": "cppcheck-xml", "output": "stderr",
            "command": ["cppcheck", "--xml", "{c:--suppressions-list=l.txt}",
                        "{file}"]})
        self.base({"l.txt": "none\n"})
        self.change({"a.c": defects.NULL, "l.txt": "*\n"})
        self.judged_by_the_parent(
            "l.txt", ("a.c", 7, "mine", "nullPointer"))

    def test_a_configuration_behind_a_symlink(self):
        os.rename(self.path(".scgate.conf"), self.path("real.conf"))
        os.symlink("real.conf", self.path(".scgate.conf"))
        self.commit()
        with open(self.path("real.conf"), "a", encoding="ascii") as file:
            file.write('exclude = [ "a.c" ];\n')
        self.change({"a.c": defects.NULL})
        self.judged_by_the_parent(
            ".scgate.conf", ("a.c", 7, "cppcheck", "nullPointer"))

    def test_checks_behind_a_symlink(self):
        self.configure("clang-tidy")
        self.write("ci/tidy", "Checks: '-*,readability-else-after-return'\n")
        os.symlink("ci/tidy", self.path(".clang-tidy"))
        self.commit()
        self.change({"a.c": defects.NULL_FIXED.replace(
            "\treturn n;", "\telse\n\t\treturn n;"),
            "ci/tidy": "Checks: '-*,misc-*'\n"})
        self.judged_by_the_parent(
            ".clang-tidy",
            ("a.c", 8, "clang-tidy", "readability-else-after-return"))

    def test_a_line_in_the_baseline(self):
        self.configure("cppcheck", baseline=".scgate-baseline")
        self.stage()
        self.assertEqual(self.scgate("baseline write")[0], 0)
        self.commit()
        self.change({"a.c": defects.NULL})
        self.assertEqual(self.scgate("baseline write")[0], 0)
        self.stage()
        self.assertIn(".scgate-baseline",
                      self.git("diff", "--cached", "--name-only"))
        self.judged_by_the_parent(
            ".scgate-baseline", ("a.c", 7, "cppcheck", "nullPointer"))


if __name__ == "__main__":
    unittest.main()
