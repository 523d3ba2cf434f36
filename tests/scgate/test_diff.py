#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate diff: what one run has against another, whichever they are."""
import csv
import io
import json
import os
import subprocess
import unittest

from repository import GIT, SCGATE, Repository, finding

SOURCE = "".join(f"int v{at} = {at};\n" for at in range(20))


def at(line, rule="unread", severity="style", path="src/a.c"):
    return finding(rule, f"v{'abcdefghijklmnopqrstuvwxyz'[line]} is never "
                   "read", path, line, severity=severity)


class Case(Repository):
    def setUp(self):
        super().setUp()
        self.write("src/a.c", SOURCE)
        self.commit()

    def diff(self, *arguments, **more):
        return self.scgate("diff", *arguments, **more)

    def verdicts(self, *arguments):
        """(verdict, finding) of each row, and the summary."""
        code, out, err = self.diff(*arguments, "--output", "json")
        self.assertEqual(code, 0, err)
        return [(row["verdict"], row["finding"])
                for row in json.loads(out)], err


class DiffTest(Case):
    def test_new_fixed_and_unknown_ones_are_told(self):
        self.add(at(1), at(2, severity="error"), at(3))
        self.add(at(3), at(4), at(5, severity="error"))
        self.assertEqual(self.diff("1", "2"), (0, """\
verdict  finding  severity  tool      rule    path     line  message
new            5  error     cppcheck  unread  src/a.c     5  vf is never read
new            4  style     cppcheck  unread  src/a.c     4  ve is never read
fixed          2  error     cppcheck  unread  src/a.c     2  vc is never read
fixed          1  style     cppcheck  unread  src/a.c     1  vb is never read
""", "run 2 (cppcheck-xml, complete) against run 1: 2 new, 2 fixed, "
            "0 unknown, 1 same\n"))

    def test_what_an_incomplete_run_does_not_have_is_unknown(self):
        self.add(at(1), at(2))
        self.add(at(2), arguments=("--status", "1"))
        self.assertEqual(self.verdicts("1", "2"), (
            [("unknown", 1)],
            "scgate diff: run 2 is incomplete: the tool exited with 1\n"
            "run 2 (cppcheck-xml, incomplete) against run 1 (cppcheck-xml, "
            "complete): 0 new, 0 fixed, 1 unknown, 1 same\n"))

    def test_the_order_of_runs_turns_it_round(self):
        self.add(at(1), at(2))
        self.add(at(2), at(3))
        self.assertEqual(self.verdicts("1", "2")[0],
                         [("new", 3), ("fixed", 1)])
        self.assertEqual(self.verdicts("2", "1")[0],
                         [("new", 1), ("fixed", 3)])

    def test_a_run_does_not_differ_from_itself(self):
        self.add(at(1), at(2))
        self.assertEqual(self.verdicts("last", "1"), (
            [], "run 1 (cppcheck-xml, complete) against run 1: 0 new, 0 fixed, "
            "0 unknown, 2 same\n"))

    def test_over_several_runs_only_the_ends_count(self):
        self.add(at(1))
        self.add(at(1), at(2))
        self.add(at(3))
        self.assertEqual(self.verdicts("1", "3")[0],
                         [("new", 3), ("fixed", 1)])

    def test_runs_are_named_as_elsewhere(self):
        self.add(at(1), arguments=("--run", "before"))
        self.write("src/a.c", "\n" + SOURCE)
        self.commit()
        self.add(at(2), arguments=("--run", "after"))
        for one, other in (("before", "after"), ("1", "last"),
                           (self.commits[0][:7], self.commits[1])):
            with self.subTest(one=one, other=other):
                self.assertIn("run 2 (cppcheck-xml, complete) against run 1: ",
                              self.diff(one, other)[2])

    def test_runs_that_were_not_matched_are_matched_by_their_trees(self):
        """Of two equal lines, the first one's finding stays: only git's diff
        tells that it is the first, when ten lines come in above."""
        said = {"ruleId": "r", "message": {"text": "never read"}}
        self.write("src/a.c", "int a;\n" * 3)
        self.commit()
        self.add(finding("r", "never read", "src/a.c", 1),
                 finding("r", "never read", "src/a.c", 3))
        self.write("src/a.c", "int z;\n" * 10 + "int a;\n" * 3)
        self.commit()
        # A report of another format: its run is held against no other.
        self.scgate("import", "--commit", self.commits[-1], "-",
                    stdin=json.dumps({"version": "2.1.0", "runs": [{
                        "tool": {"driver": {"name": "cppcheck"}},
                        "results": [{**said, "locations": [
                            {"physicalLocation": {
                                "artifactLocation": {"uri": "src/a.c"},
                                "region": {"startLine": 11}}}]}]}]}).encode())
        self.assertEqual(self.rows("SELECT base FROM v_runs"),
                         [(None,), (None,)])
        (row,), _ = self.verdicts("1", "2")
        self.assertEqual(row[1], 2)
        os.rename(self.path(".git"), self.path("git"))
        (row,), _ = self.verdicts("1", "2")
        self.assertEqual(row[1], 1)

    def test_as_csv(self):
        self.add(at(1))
        self.add(finding("r", 'evil,"\n\x1f=1+1', "e,.c", 7))
        code, out, err = self.diff("1", "2", "--output", "csv")
        self.assertEqual(code, 0)
        rows = list(csv.reader(io.StringIO(out, newline="")))
        self.assertEqual(rows[0], ["verdict", "finding", "severity", "tool",
                                   "rule", "path", "line", "message"])
        self.assertEqual([(row[0], row[5], row[6]) for row in rows[1:]],
                         [("new", "e,.c", "7"), ("fixed", "src/a.c", "1")])

    def test_what_others_wrote_cannot_steer_the_terminal(self):
        self.add(at(1))
        evil = "\x1b[31m\u202e\x07"
        self.scgate("import", "-", stdin=json.dumps({
            "version": "2.1.0", "runs": [{
                "tool": {"driver": {"name": evil}}, "results": [{
                    "ruleId": evil, "message": {"text": evil}}]}]}).encode())
        code, out, err = self.diff("1", "2")
        self.assertEqual(code, 0, err)
        self.assertNotRegex(out + err, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
        self.assertEqual(len(out.splitlines()), 3)

    def test_without_git_it_compares_without_a_map(self):
        self.add(at(1), at(2))
        self.add(at(2))
        outside = os.path.join(self.folder, "outside")
        os.mkdir(outside)
        os.rename(self.tree, os.path.join(self.folder, "gone"))
        code, out, err = self.diff("1", "2", cwd=outside)
        self.assertEqual((code, err), (
            0, "run 2 (cppcheck-xml, complete) against run 1: 0 new, 1 fixed, "
            "0 unknown, 1 same\n"))


class RefusalTest(Case):
    def refuse(self, message, *arguments):
        self.assertEqual(self.diff(*arguments), (
            2, "", f"scgate diff: {message}\ntry scgate diff --help\n"))

    def test_usage(self):
        self.refuse("two runs are wanted")
        self.refuse("two runs are wanted", "1")
        self.refuse("not wanted: 3", "1", "2", "3")
        self.refuse("unknown output: xml; known are table, csv and json", "1", "2", "--output", "xml")

    def test_runs_that_are_not_there(self):
        self.add(at(1))
        for arguments in (("1", "2"), ("nightly", "1"), ("1", "c0ffee1")):
            with self.subTest(arguments=arguments):
                code, out, err = self.diff(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(err.startswith("scgate diff: "), err)

    def test_a_database_that_is_not_there_is_not_made(self):
        code, out, err = self.diff("1", "2", db="none")
        self.assertEqual((code, out), (2, ""))
        self.assertFalse(os.path.exists(self.path("none")))

    def test_a_full_output_is_no_success(self):
        self.add(at(1))
        self.add(at(2))
        with open("/dev/full", "wb") as full:
            run = subprocess.run(
                [SCGATE, "diff", "1", "2", "--db", "../db"], stdout=full,
                stderr=subprocess.PIPE, cwd=self.tree, timeout=60,
                env={**os.environ, **GIT})
        self.assertEqual((run.returncode, run.stderr.decode()), (
            3, "scgate diff: cannot write: No space left on device\n"))


if __name__ == "__main__":
    unittest.main()
