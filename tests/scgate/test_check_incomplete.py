#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that cannot tell: whatever breaks, scgate check says so and lets
nothing pass. All that breaks is real: processes that are killed, limits of the
system, disks that are full."""
import os
import resource
import subprocess
import unittest

import defects
import gate
from gate import COMPILE, SCGATE, Gate

# Where a limit ends a write, most tools die of SIGXFSZ; one that is started
# with it ignored carries on and exits as if all were well.
CUT = ["prlimit", "--fsize=8192"]
CUT_UNNOTICED = ["env", "--ignore-signal=XFSZ", *CUT]
CPPCHECK = ["cppcheck", "--xml", "--enable=style", "{defines}", "{file}"]
GCC = ["gcc", "{flags}", "-Wall", "-fdiagnostics-format=json", "-c", "{file}",
       "-o", "/dev/null"]


def limited(which, value):
    """What a child does before it becomes scgate."""
    def limit():
        hard = resource.getrlimit(which)[1]
        resource.setrlimit(which, (value, hard))
    return {"preexec_fn": limit}


class DoesNotCompile(Gate):
    """cppcheck exits with 0 for each of them."""

    def setUp(self):
        super().setUp()
        self.base({"a.c": defects.CLEAN, "b.c": defects.CLEAN})

    def test_a_syntax_error(self):
        self.change({"a.c": defects.CLEAN.replace("return n;", "return n")})
        self.incomplete_for(self.check(), r"expected .;", "a.c", COMPILE)

    def test_an_error_directive(self):
        self.change({"a.c": "#error not for this machine\n" + defects.CLEAN})
        self.incomplete_for(self.check(), "not for this machine", "a.c",
                            COMPILE)

    def test_an_include_that_is_missing(self):
        self.change({"a.c": '#include "gone.h"\n' + defects.CLEAN})
        self.incomplete_for(self.check(), r"gone\.h: No such file", "a.c",
                            COMPILE)

    def test_a_header_is_removed_that_a_unit_wants(self):
        self.base({"a.h": "int a;\n", "a.c": '#include "a.h"\n'})
        self.change({"a.h": None})
        self.incomplete_for(self.check(), r"a\.h: No such file", "a.c",
                            COMPILE)

    def test_a_header_that_is_read_past_the_tree(self):
        """The exported trees would both have it as it is now."""
        self.base({"a.h": "int a;\n", "a.c":
                   f'#include "{self.path("a.h")}"\n'})
        self.change({"a.h": "int b;\n"})
        self.incomplete_for(self.check(), "by an absolute path", "a.c",
                            COMPILE)

    def test_a_header_that_the_environment_led_to(self):
        far = os.path.join(self.folder, "far")
        os.mkdir(far)
        with open(os.path.join(far, "far.h"), "w", encoding="ascii"):
            pass
        self.change({"a.c": "#include <far.h>\n" + defects.CLEAN})
        self.passed(self.check(env={"C_INCLUDE_PATH": far}))
        self.incomplete_for(self.check(), "far.h", "a.c", COMPILE)

    def test_a_syntax_error_hides_no_finding(self):
        """Incomplete is what it is, but what was found is named."""
        self.change({"a.c": defects.NULL, "b.c": "int b(\n"})
        verdict = self.check()
        self.incomplete_for(verdict, r"a\.c:7:", "b.c", COMPILE)
        self.assertEqual(self.found(verdict, "new"),
                         [("a.c", 7, "cppcheck", "nullPointer")])

    def test_it_is_not_remembered(self):
        self.change({"a.c": "int a(\n"})
        self.incomplete_for(self.check(), "a.c", "a.c", COMPILE)
        self.incomplete_for(self.check(), "a.c", "a.c", COMPILE)
        self.change({"a.c": defects.CLEAN})
        self.passed(self.check())

    def test_a_source_that_has_never_compiled_excuses_nothing(self):
        """What is found where it is mended may have been there: who knows?"""
        self.base({"c.c": defects.NULL + "#error broken\n"})
        self.change({"c.c": defects.NULL})
        self.incomplete_for(self.check(), r"in the base", "c.c", COMPILE)


class Killed(Gate):
    def kill(self, tool, fits, **more):
        self.configure(tool)
        self.base({"a.c": defects.CLEAN})
        self.change({"b.c": gate.slow()})
        return self.check_meanwhile(
            lambda pid: gate.kill_analyzer(pid, fits, **more))

    @staticmethod
    def program(name, word="b.c"):
        return lambda words: (os.path.basename(words[0]) == name
                              and any(word in one for one in words[1:]))

    def test_cppcheck(self):
        verdict = self.kill("cppcheck", self.program("cppcheck"))
        self.incomplete_for(verdict, "(?i)kill|signal", "b.c", "cppcheck")

    def test_the_compiler_under_gcc(self):
        verdict = self.kill("gcc", lambda words: (
            os.path.basename(words[0]) == "cc1" and "-fanalyzer" in words))
        self.incomplete_for(verdict, "Killed signal terminated program cc1",
                            "b.c", "gcc")

    def test_gcc_itself(self):
        verdict = self.kill("gcc", lambda words: (
            os.path.basename(words[0]) == "gcc" and "-fanalyzer" in words))
        self.incomplete_for(verdict, "(?i)kill|signal", "b.c", "gcc")

    def test_clang_tidy(self):
        verdict = self.kill("clang-tidy", self.program("clang-tidy"))
        self.incomplete_for(verdict, "(?i)kill|signal", "b.c", "clang-tidy")

    def test_one_of_the_processes_of_cppcheck(self):
        """It closes its report and exits with 0."""
        self.configure({"name": "all", "command": [
            "cppcheck", "--xml", "-j2", "--enable=warning,style", "{files}"],
            "format": "cppcheck-xml", "output": "stderr", "once": True})
        self.base({"a.c": defects.CLEAN})
        self.change({"b.c": gate.slow(150), "c.c": gate.slow(150).replace(
            "f(", "g(")})
        verdict = self.check_meanwhile(lambda pid: gate.kill_analyzer(
            pid, self.program("cppcheck"), child=True))
        self.incomplete_for(verdict, "cppcheckError|signal 9|(?i:crash)",
                            tool="all")

    def test_nothing_of_it_is_kept(self):
        self.configure({"name": "cppcheck", "timeout": "1 s"})
        self.base({"a.c": defects.CLEAN})
        self.change({"b.c": gate.slow()})
        self.incomplete_for(self.check(), "1 s", "b.c", "cppcheck")
        self.incomplete_for(self.check(), "1 s", "b.c", "cppcheck")


class Limits(Gate):
    """Of the system, of time, and of space."""

    def setUp(self):
        super().setUp()
        self.tmp = os.path.join(self.folder, "disk")

    def check_limited(self, which, value):
        """Under a limit that scgate itself can live with."""
        if subprocess.run([SCGATE, "--version"], capture_output=True,
                          check=False, **limited(which, value)).returncode:
            self.skipTest("scgate itself cannot live with it (sanitizers)")
        return self.check(**limited(which, value))

    def test_too_little_memory_to_start(self):
        self.configure("clang-tidy")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.NULL})
        self.incomplete_for(
            self.check_limited(resource.RLIMIT_AS, 150 << 20),
            "error while loading shared libraries", "a.c", "clang-tidy")

    def test_too_little_memory_to_end(self):
        self.configure("gcc")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": gate.slow()})
        self.incomplete_for(
            self.check_limited(resource.RLIMIT_AS, 100 << 20),
            "out of memory", "a.c", "gcc")

    def test_too_little_processor_time(self):
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": gate.slow()})
        self.incomplete_for(self.check(**limited(resource.RLIMIT_CPU, 1)),
                            "(?i)signal|killed|CPU", "a.c", "cppcheck")

    def test_reports_larger_than_files_may_be(self):
        self.configure("gcc")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.unused(3000)})
        self.incomplete_for(self.check(**limited(resource.RLIMIT_FSIZE,
                                                 1 << 20)),
                            "a.c", "a.c", "gcc")

    def test_timed_out(self):
        self.configure({"name": "cppcheck", "timeout": "1 s"})
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": gate.slow(), "b.c": defects.NULL})
        verdict = self.check()
        self.incomplete_for(verdict, "timed out after 1 s", "a.c", "cppcheck")
        self.assertEqual(self.found(verdict, "new"),
                         [("b.c", 7, "cppcheck", "nullPointer")])

    def test_timed_out_by_the_limit_of_all(self):
        self.configure("clang", timeout="1 s")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": gate.slow()})
        self.incomplete_for(self.check(), "timed out after 1 s", "a.c",
                            "clang")

    def test_beyond_what_a_hook_may_take(self):
        self.configure(hook_budget="1 s")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": gate.slow()})
        verdict = self.check()
        self.incomplete_for(verdict, "(?i)budget")
        self.assertRegex(verdict.text, "scgate check.*--no-budget")

    def full(self, size):
        command = gate.mounted(self.tmp, size, ())
        if not command:
            self.skipTest("no disk can be mounted here")
        return self.check(prefix=command, env={"TMPDIR": self.tmp})

    def test_the_tree_does_not_fit_on_the_disk(self):
        os.mkdir(self.tmp)
        self.base({"a.c": defects.CLEAN, "data.txt": "x" * 300_000})
        self.change({"a.c": defects.NULL})
        verdict = self.full("128k")
        self.assertEqual((verdict.code, verdict.text), (3, ""))
        self.assertIn("the disk is full", verdict.talk)

    def test_a_report_does_not_fit_on_the_disk(self):
        os.mkdir(self.tmp)
        self.configure("gcc")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.unused(300)})
        self.incomplete_for(self.full("64k"), "a.c", "a.c", "gcc")


class HalfAReport(Gate):
    def cut(self, command, form, words):
        self.configure({"name": "cut", "command": command, "format": form,
                        "output": "stderr"})
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.unused(300)})
        self.incomplete_for(self.check(), words, "a.c", "cut")

    def test_of_cppcheck(self):
        self.cut(CUT + CPPCHECK, "cppcheck-xml", "(?i)signal|kill")

    def test_of_cppcheck_which_exits_with_0(self):
        self.cut(CUT_UNNOTICED + CPPCHECK, "cppcheck-xml", "(?i)broke|ends")

    def test_of_gcc(self):
        self.cut(CUT + GCC, "gcc-json", r"(?i)signal|kill|exited")

    def test_of_gcc_which_exits_with_0(self):
        self.cut(CUT_UNNOTICED + GCC, "gcc-json", "(?i)broke|ends")


class Absent(Gate):
    def without(self, *programs):
        return self.check(env={"PATH": gate.path_without(
            os.path.join(self.folder, "bin"), *programs)})

    def test_an_analyzer(self):
        self.configure("cppcheck", "gcc")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.NULL})
        verdict = self.without("cppcheck")
        self.incomplete_for(verdict, "(?i)cppcheck.*(PATH|not found|no such)",
                            tool="cppcheck")
        self.assertEqual(self.found(verdict, "new"), [
            ("a.c", 7, "gcc", "-Wanalyzer-null-dereference")])

    def test_an_analyzer_whose_results_are_known(self):
        """Of which version would it be today? Nobody knows."""
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.CLEAN + "\n"})
        self.passed(self.check())
        self.incomplete_for(self.without("cppcheck"), "(?i)cppcheck",
                            tool="cppcheck")

    def test_the_compiler(self):
        self.configure("cppcheck", compiler="gcc-12")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.NULL})
        self.incomplete_for(self.without("gcc-12"), "gcc-12", tool=COMPILE)

    def test_a_word_that_the_analyzer_does_not_know(self):
        self.configure({"name": "cppcheck", "add": ["--no-such-word"]})
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.NULL})
        self.incomplete_for(self.check(), "no-such-word", "a.c", "cppcheck")

    def test_a_new_source_that_the_database_lacks(self):
        self.configure(build="build")
        self.database("a.c")
        self.base({"a.c": defects.CLEAN})
        self.change({"b.c": defects.NULL})
        self.incomplete_for(self.check(), "compile_commands.json", "b.c")

    def test_a_renamed_source_that_the_database_lacks(self):
        self.configure(build="build")
        self.database("a.c")
        self.base({"a.c": defects.NULL})
        self.git("mv", "a.c", "z.c")
        self.incomplete_for(self.check(), "compile_commands.json", "z.c")

    def test_a_changed_source_that_the_database_lacks(self):
        self.configure(build="build")
        self.database("a.c")
        self.base({"a.c": defects.CLEAN, "b.c": defects.CLEAN})
        self.change({"b.c": defects.NULL})
        self.incomplete_for(self.check(), "compile_commands.json", "b.c")

    def test_the_database(self):
        """Nothing can be asked without it."""
        self.configure(build="build")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.NULL})
        verdict = self.check()
        self.assertEqual((verdict.code, verdict.text), (2, ""))
        self.assertIn("compile_commands.json", verdict.talk)

    def test_half_of_the_database(self):
        self.configure(build="build")
        self.database("a.c")
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.NULL})
        whole = self.read("build/compile_commands.json")
        self.write("build/compile_commands.json", whole[:len(whole) // 2])
        verdict = self.check()
        self.assertEqual((verdict.code, verdict.text), (2, ""))
        self.assertIn("compile_commands.json", verdict.talk)


class Stores(Gate):
    """Where results are kept."""

    def setUp(self):
        super().setUp()
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.NULL})

    def test_the_disk_of_the_store_is_full(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        command = gate.mounted(disk, "64k", ())
        if not command:
            self.skipTest("no disk can be mounted here")
        run = self.run_check("--db", os.path.join(disk, "db"), prefix=command)
        self.assertEqual(run.returncode, 3, run.stdout.decode())
        self.assertIn("full", run.stderr.decode())

    def test_files_may_not_be_as_large_as_the_store(self):
        verdict = self.check(**limited(resource.RLIMIT_FSIZE, 60_000))
        self.assertEqual((verdict.code, verdict.text), (3, ""))
        self.assertIn("cannot write", verdict.talk)

    def test_the_store_is_something_else(self):
        with open(os.path.join(self.folder, "db"), "w",
                  encoding="utf-8") as file:
            file.write("no database\n" * 1000)
        verdict = self.check()
        self.assertIn(verdict.code, (2, 3), str(verdict))
        self.assertIn("db", verdict.talk)

    def test_nobody_can_read_the_verdict(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run(
                self.command(), cwd=self.tree, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                timeout=300, check=False)
        self.assertEqual(run.returncode, 3, run.stderr.decode())


if __name__ == "__main__":
    unittest.main()
