# SPDX-License-Identifier: MIT
"""A repository under a gate, in whatever place: three changes whose verdicts
are known, and ways to have them judged."""
import os
import re
import subprocess

from defects import CLEAN, NULL
from gate import Gate
from repository import GIT, SCGATE

NULL_LINE = 7
NULL_RULE = {"cppcheck": "nullPointer", "gcc": "-Wanalyzer-null-dereference"}
BROKEN = """\
int broken(int n)
{
	return n +;
}
"""
CODES = {"passed": 0, "rejected": 1, "incomplete": 3}


class Place(Gate):
    """The repository `name` has a configuration and `source`, committed;
    scgate is on PATH and keeps its store where it usually does; what it leaves
    in $TMPDIR is found in the end."""

    name = "tree"
    source = "src/a.c"
    analyzers = ("gcc",)
    settings = {"flags": ["-Iinclude"]}
    environment = {**os.environ, **GIT}

    def setUp(self):
        super().setUp()
        self.environment["PATH"] = os.pathsep.join(
            (os.path.dirname(SCGATE), os.environ["PATH"]))
        self.remarks = 0
        if self.name != "tree":
            named = os.path.join(self.folder, self.name)
            os.rename(self.tree, named)
            self.tree = named
        self.addCleanup(lambda: self.assertEqual(
            os.listdir(self.environment["TMPDIR"]), [], "left in $TMPDIR"))
        self.begin()

    def begin(self):
        self.configure(**self.settings)
        self.write(self.source, CLEAN)
        self.commit()

    # ---- running -----------------------------------------------------------

    def run_in(self, folder, *command, env=None, **more):
        """Exit code, and standard output and error as one text."""
        if "input" not in more:
            more.setdefault("stdin", subprocess.DEVNULL)
        run = subprocess.run(command, cwd=os.path.join(self.tree, folder),
                             env={**self.environment, **(env or {})},
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=120, **more)
        return run.returncode, run.stdout.decode(errors="surrogateescape")

    def git(self, *arguments, cwd="", env=None):
        code, out = self.run_in(cwd, "git", *arguments, env=env)
        self.assertEqual(code, 0, f"git {' '.join(arguments)}: {out}")
        return out.strip()

    def head(self, cwd=""):
        return self.run_in(cwd, "git", "rev-parse", "-q", "--verify",
                           "HEAD")[1]

    def ask(self, *arguments, cwd="", env=None):
        """@return the verdict's word, which the exit code agrees with, and
        all that was written."""
        code, out = self.run_in(cwd, SCGATE, "check", *arguments, env=env)
        word = self.word(out)
        self.assertEqual(code, CODES.get(word), out)
        return word, out

    def refused(self, *arguments, cwd="", env=None):
        """@return what it says when it does not judge."""
        code, out = self.run_in(cwd, SCGATE, "check", *arguments, env=env)
        self.assertEqual((code, self.word(out)), (2, None), out)
        return out

    def word(self, out):
        found = re.findall(r"^scgate check: (\w+): ", out, re.M)
        words = [word for word in found if word in CODES]
        self.assertLessEqual(len(words), 1, out)
        return words[0] if words else None

    def try_commit(self, *arguments, cwd="", env=None,
                   command=("git", "commit", "-q", "-m", "m")):
        """git commit, through hooks: there is a commit if and only if the
        verdict is "passed"."""
        before = self.head(cwd)
        code, out = self.run_in(cwd, *command, *arguments, env=env)
        word = self.word(out)
        self.assertIsNotNone(word, out)
        self.assertEqual(code == 0, word == "passed", f"git: {code}\n{out}")
        self.assertEqual(self.head(cwd) != before, word == "passed", out)
        return word, out

    # ---- what is changed ---------------------------------------------------

    def with_defect(self, path=None, name="deref", text=CLEAN):
        """Give a file a null dereference. @return its line."""
        self.write(path or self.source, text + NULL.replace("deref", name))
        return text.count("\n") + NULL_LINE

    def remark(self, path=None):
        """Give a file a comment that it never had, and no defect."""
        self.remarks += 1
        self.write(path or self.source, f"/* {self.remarks} */\n" + CLEAN)

    def assert_new(self, out, path, line, tool="gcc"):
        rule = re.escape(f"{tool} {NULL_RULE[tool]}")
        self.assertRegex(out, rf"(?m)^{re.escape(path)}:{line}:\d+: \w+: .+ "
                         rf"\[{rule}\]$")

    def assert_rejected(self, attempt, path, line, tool="gcc"):
        word, out = attempt
        self.assertEqual(word, "rejected", out)
        self.assert_new(out, path, line, tool)

    def assert_passed(self, attempt):
        self.assertEqual(attempt[0], "passed", attempt[1])

    def assert_incomplete(self, attempt, unit, why="compile"):
        word, out = attempt
        self.assertEqual(word, "incomplete", out)
        self.assertRegex(
            out, rf"(?m)^incomplete  {re.escape(unit)}: {re.escape(why)}")

    def three_verdicts(self, attempt, path=None, add=None):
        """One change of each kind to one file, each added and attempted; the
        one that passes comes last."""
        path = path or self.source
        add = add or (lambda: self.git("add", "-A"))
        line = self.with_defect(path)
        add()
        self.assert_rejected(attempt(), path, line)
        self.write(path, CLEAN + BROKEN)
        add()
        self.assert_incomplete(attempt(), path)
        self.remark(path)
        add()
        self.assert_passed(attempt())


def main(*cases):
    """Run the cases; ctest is told if they were all skipped."""
    import sys
    import unittest
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    suite = unittest.TestSuite(load(case) for case in cases)
    result = unittest.TextTestRunner().run(suite)
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if len(result.skipped) == result.testsRun else 0)
