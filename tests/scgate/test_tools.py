#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tools themselves, run on sources with a planted defect each: what they
write is read, and the defect is at its line."""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

SCGATE = os.environ["SLUICE_SCGATE"]

NULL_DEREFERENCE = """\
int length(int n)
{
    int *p = 0;
    if (n)
        n++;
    return *p;
}
int main(void) { return length(1); }
"""

LEAK = """\
#include <stdlib.h>
int main(void)
{
    volatile char *p = malloc(16);
    return p[16];
}
"""

class ToolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_tool(self, *command, source):
        """The tool's standard output and standard error, on a.c."""
        if not shutil.which(command[0]):
            self.skipTest(f"{command[0]} is not here")
        with open(os.path.join(self.folder, "a.c"), "w") as file:
            file.write(source)
        run = subprocess.run(command, cwd=self.folder, capture_output=True,
                             timeout=120)
        return run.stdout, run.stderr

    def check(self, report, form, *defects):
        """What is stored at a.c's lines has the defects (rule, line)."""
        with open(os.path.join(self.folder, "report"), "wb") as file:
            file.write(report)
        run = subprocess.run(
            [SCGATE, "import", "--db", "findings.db", "--status", "0",
             "report"], cwd=self.folder, capture_output=True, text=True,
            timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"({form})", run.stderr)
        self.assertIn("; complete\n", run.stdout)
        connection = sqlite3.connect(os.path.join(self.folder, "findings.db"))
        stored = connection.execute(
            "SELECT rule, path, line FROM v_findings WHERE run = 1").fetchall()
        connection.close()
        for rule, line in defects:
            self.assertEqual(
                [(os.path.basename(path), at) for name, path, at in stored
                 if name == rule], [("a.c", line)], stored)

    def test_cppcheck(self):
        _, report = self.run_tool("cppcheck", "--xml", "a.c",
                                  source=NULL_DEREFERENCE)
        self.check(report, "cppcheck-xml", ("nullPointer", 6))

    def test_gcc(self):
        _, report = self.run_tool(
            "gcc", "-fanalyzer", "-fdiagnostics-format=json", "-c", "-o",
            os.devnull, "a.c", source=NULL_DEREFERENCE)
        self.check(report, "gcc-json", ("-Wanalyzer-null-dereference", 6))

    def test_gcc_as_text(self):
        _, report = self.run_tool("gcc", "-Wall", "-Wextra", "-Wunused", "-c",
                                  "-o", os.devnull, "a.c",
                                  source="int f(void)\n{\n    int unused;\n"
                                  "    return 0;\n}\n")
        self.check(report, "gcc", ("-Wunused-variable", 3))

    def test_clang_analyze(self):
        self.run_tool("clang", "--analyze", "-o", "report.plist", "a.c",
                      source=NULL_DEREFERENCE)
        with open(os.path.join(self.folder, "report.plist"), "rb") as file:
            self.check(file.read(), "plist", ("core.NullDereference", 6))

    def test_clang_tidy(self):
        report, _ = self.run_tool(
            "clang-tidy", "--checks=-*,bugprone-macro-parentheses", "a.c",
            "--", source="#define TWICE(x) (x) + x\n"
            "int four(void) { return TWICE(2) * 1; }\n")
        self.check(report, "clang-tidy", ("bugprone-macro-parentheses", 1))

    def test_valgrind(self):
        if not shutil.which("valgrind"):
            self.skipTest("valgrind is not here")
        self.run_tool("gcc", "-g", "-O0", "-o", "a", "a.c", source=LEAK)
        subprocess.run(["valgrind", "--xml=yes", "--xml-file=report.xml",
                        "--leak-check=full", "./a"], cwd=self.folder,
                       capture_output=True, timeout=120)
        with open(os.path.join(self.folder, "report.xml"), "rb") as file:
            report = file.read()
        if b"<error>" not in report:
            self.skipTest("valgrind did not run the program here")
        self.check(report, "valgrind-xml", ("InvalidRead", 5),
                   ("Leak_DefinitelyLost", 4))


if __name__ == "__main__":
    # with nothing but skips nothing was shown: ctest is to say so
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(ToolsTest)
    result = unittest.TextTestRunner().run(suite)
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if len(result.skipped) == result.testsRun else 0)
