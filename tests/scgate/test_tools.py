#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tools themselves, run on sources with a planted defect each: what they
write is read, and the defect is at its line."""
import json
import os
import shutil
import subprocess
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

PARENTHESES = """\
#define TWICE(x) x + x
int four(void) { return TWICE(2) * 1; }
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

    def read(self, report):
        """(how it was read, [finding, ...])"""
        path = os.path.join(self.folder, "report")
        with open(path, "wb") as file:
            file.write(report)
        run = subprocess.run([SCGATE, "read", "--output", "jsonl", "report"],
                             cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        return (run.stderr.decode(),
                [json.loads(line) for line in run.stdout.splitlines()])

    def check(self, report, form, rule, line):
        ending, findings = self.read(report)
        self.assertIn(f"({form})", ending)
        found = [one for one in findings if one["rule"] == rule]
        self.assertEqual([(os.path.basename(one["path"]), one["line"])
                          for one in found], [("a.c", line)], findings)
        self.check_stored(rule, len(findings))

    def check_stored(self, rule, count):
        run = subprocess.run(
            [SCGATE, "import", "--db", "findings.db", "--status", "0",
             "report"], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"run 1: {count} found, {count} new, 0 known; complete",
                      run.stdout.decode())

    def test_cppcheck(self):
        _, report = self.run_tool("cppcheck", "--xml", "a.c",
                                  source=NULL_DEREFERENCE)
        self.check(report, "cppcheck-xml", "nullPointer", 6)

    def test_gcc(self):
        _, report = self.run_tool(
            "gcc", "-fanalyzer", "-fdiagnostics-format=json", "-c", "-o",
            os.devnull, "a.c", source=NULL_DEREFERENCE)
        self.check(report, "gcc-json", "-Wanalyzer-null-dereference", 6)

    def test_gcc_as_text(self):
        _, report = self.run_tool("gcc", "-Wall", "-Wextra", "-Wunused", "-c",
                                  "-o", os.devnull, "a.c",
                                  source="int f(void)\n{\n    int unused;\n"
                                  "    return 0;\n}\n")
        self.check(report, "gcc", "-Wunused-variable", 3)

    def test_clang_analyze(self):
        self.run_tool("clang", "--analyze", "-o", "report", "a.c",
                      source=NULL_DEREFERENCE)
        with open(os.path.join(self.folder, "report"), "rb") as file:
            self.check(file.read(), "plist", "core.NullDereference", 6)

    def test_clang_tidy(self):
        report, _ = self.run_tool(
            "clang-tidy", "--checks=-*,bugprone-macro-parentheses", "a.c",
            "--", source=PARENTHESES)
        ending, findings = self.read(report)
        self.assertIn("(clang-tidy)", ending)
        self.assertEqual({(one["rule"], one["line"]) for one in findings},
                         {("bugprone-macro-parentheses", 1)})

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
        ending, findings = self.read(report)
        self.assertIn("complete", ending)
        self.assertEqual({one["rule"]: one["line"] for one in findings},
                         {"InvalidRead": 5, "Leak_DefinitelyLost": 4})


if __name__ == "__main__":
    unittest.main()
