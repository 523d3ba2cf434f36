#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate show: all of one finding, and its lines of source."""
import json
import os
import pty
import subprocess
import unittest

from repository import GIT, SCGATE, Repository, finding

SOURCE = ("int f(int *p)\n{\n\tint x = 0;\n\tif (!p)\n\t\treturn *p;\n"
          "\treturn 0;\n}\n")
POINTER = finding("nullPointer", "Null pointer dereference: p", "src/a.c", 5,
                  11, "error", verbose="Longer\nwords", cwe=476,
                  events=[("src/a.c", 4, 6, "Assuming that p is NULL"),
                          ("src/b.h", 1, 1, "Calling function f")])
UNREAD = finding("unreadVariable", "x is never read", "src/a.c", 3, 6, "style")
STEERS = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]"


class Case(Repository):
    def setUp(self):
        super().setUp()
        self.write("src/a.c", SOURCE)
        self.write("src/b.h", "f(0);\n")
        self.commit()

    def show(self, *arguments, **more):
        return self.scgate("show", *arguments, **more)

    def shown(self, *arguments, **more):
        code, out, err = self.show(*arguments, **more)
        self.assertEqual((code, err), (0, ""))
        return out


class TextTest(Case):
    def test_all_that_is_known(self):
        self.add(POINTER, UNREAD)
        self.assertEqual(self.shown("1"), """\
finding 1, new in run 1 of commit COMMIT1
  place      src/a.c:5:11, in f
  message    Null pointer dereference: p
  longer     Longer
             words
  rule       nullPointer, CWE-476
  severity   error
  tool       cppcheck 2.10
  units      src/a.c
  first seen TIME, run 1, commit COMMIT1
  runs       new in 1

    2 | {
    3 |         int x = 0;
    4 |         if (!p)
  > 5 |                 return *p;
      |                         ^
    6 |         return 0;
    7 | }

the way there:
  1. src/a.c:4:6: Assuming that p is NULL
  > 4 |         if (!p)
      |             ^
  2. src/b.h:1:1: Calling function f
  > 1 | f(0);
      | ^
""")

    def test_what_became_of_it(self):
        self.add(UNREAD, POINTER)
        for _ in range(3):
            self.add(UNREAD, POINTER)
        self.add(POINTER, arguments=("--status", "1"))
        self.add(POINTER)
        self.add(POINTER)
        out = self.shown("1")
        self.assertIn("finding 1, fixed in run 6 of commit COMMIT1\n", out)
        self.assertIn("  runs       new in 1, same in 2 to 4, unknown in 5, "
                      "fixed in 6\n", out)
        self.assertIn("finding 1, unknown in run 5 of commit COMMIT1\n",
                      self.shown("1", "--run", "5"))
        self.assertIn("  runs       new in 1, same in 2 to 7\n",
                      self.shown("2"))

    def test_the_source_of_a_fixed_one_is_that_of_when_it_was_seen(self):
        self.add(UNREAD)
        self.write("src/a.c", "int innocent;\n" * 9)
        self.commit()
        self.add()
        out = self.shown("1")
        self.assertIn("finding 1, fixed in run 2 of commit COMMIT2\n", out)
        self.assertNotIn("innocent", out)
        self.assertIn("  > 3 | \tint x = 0;\n".replace("\t", "        "), out)

    def test_a_fixed_one_has_no_source_if_its_run_names_no_commit(self):
        self.write("src/a.c", "1\n2\nthree\n")  # is not committed
        self.commits = []
        self.add(UNREAD)
        self.add()
        self.assertIn("\n\nthe source is not at hand: the run that saw it "
                      "names no commit\n", self.shown("1"))

    def test_a_run_that_is_left_out_is_told(self):
        self.add(UNREAD)
        for _ in range(2):
            self.add(UNREAD)
            self.scgate("import", "--status", "0", "-",
                        stdin=b"a.c:3:5: warning: unused [-Wunused]\n")
        self.add(UNREAD)
        self.assertIn("  runs       new in 1, same in 2 to 6 (3 runs)\n",
                      self.shown("1"))

    def test_the_source_is_that_of_the_commit(self):
        self.add(UNREAD)
        self.write("src/a.c", "all new\n")
        self.commit()
        self.assertIn("  > 3 |         int x = 0;\n", self.shown("1"))

    def test_without_a_commit_it_is_the_source_as_it_is_now(self):
        self.write("src/a.c", "1\n2\nthree\n")  # is not committed
        self.commits = []
        self.add(UNREAD)
        self.assertTrue(self.shown("1").endswith(
            "\n\nas the file is now (the run names no commit):\n"
            "    1 | 1\n    2 | 2\n  > 3 | three\n      |      ^\n"), self.shown("1"))

    def test_a_commit_that_is_gone_is_told(self):
        self.add(UNREAD)
        self.change("UPDATE runs SET commit_id = 'c0ffee1'")
        out = self.shown("1")
        self.assertIn("\n\nthe source is not at hand: ", out)
        self.assertIn("c0ffee1", out.splitlines()[-1])
        self.assertNotIn(" | ", out)

    def test_a_file_that_is_not_there_is_told(self):
        self.add(finding("r", "m", "src/none.c", 1))
        self.assertTrue(self.shown("1").endswith(
            "\n\nthe source is not at hand: src/none.c is no file of the "
            "commit\n"), self.shown("1"))

    def test_a_line_that_is_not_there_is_told(self):
        self.add(finding("r", "m", "src/a.c", 8))
        self.assertTrue(self.shown("1").endswith(
            "\n\nline 8 is not in src/a.c, which has 7\n"), self.shown("1"))

    def test_a_column_that_is_not_there_has_no_caret(self):
        self.add(finding("r", "m", "src/a.c", 7, 99))
        self.assertTrue(self.shown("1").endswith("  > 7 | }\n"))

    def test_columns_of_gcc_count_tabs_as_they_are_shown(self):
        self.scgate("import", "--commit", self.commits[0], "--status", "0",
                    "-", stdin=b"src/a.c:3:13: warning: unused variable 'x' "
                    b"[-Wunused-variable]\n")
        self.assertIn("  > 3 |         int x = 0;\n"
                      "      |             ^\n", self.shown("1"))

    def test_units_and_repeats(self):
        self.add(UNREAD, UNREAD, UNREAD)
        out = self.shown("1")
        self.assertIn("  units      src/a.c\n  reported   3 times\n", out)

    def test_a_suppression_with_its_reason(self):
        self.add(UNREAD)
        self.write(".scgate-suppressions", '# top\n{"path":"src/a.c","line":3,'
                   '"tool":"cppcheck","rule":"unreadVariable","message":'
                   '"x is never read","reason":"kept","until":"9999-12-31"}\n')
        self.add(UNREAD)
        self.assertIn("  suppressed kept (until 9999-12-31; line 2 of "
                      ".scgate-suppressions)\n", self.shown("1"))
        self.write(".scgate-suppressions", self.read().replace("9999", "2020"))
        self.add(UNREAD)
        self.assertIn("  expired    kept (until 2020-12-31; line 2 of "
                      ".scgate-suppressions)\n", self.shown("1"))
        self.assertNotIn("kept", self.shown("1", "--run", "1"))

    def test_what_others_wrote_cannot_steer_the_terminal(self):
        evil = "\x1b[31mred\x07\x9b2J \u202egnp.exe \u2028"
        self.write("src/e.c", b"\x1b]0;title\x07\x00 \xff\xfe int \xc2\x9b x;"
                   b"\xe2\x80\xae\n")
        self.commit()
        self.scgate("import", "--commit", self.commits[-1], "-",
                    stdin=json.dumps({"version": "2.1.0", "runs": [{
                        "tool": {"driver": {"name": "t\x1b"}},
                        "results": [{
                            "ruleId": evil, "message": {"text": evil},
                            "locations": [place("src/e.c", evil)],
                            "relatedLocations": [
                                {**place("src/e.c", evil), "message": {
                                    "text": evil}}]}]}]}).encode())
        for arguments in ((), ("--root", evil)):
            out = self.shown("1", *arguments)
            self.assertNotRegex(out, STEERS)
        out = self.shown("1")
        self.assertIn("  > 1 | ?]0;title?? ?? int ? x;?\n", out)

    def test_a_pruned_run_is_told(self):
        self.add(UNREAD)
        self.add(UNREAD)
        self.scgate("prune", "--keep", "1")
        self.assertIn("  first seen TIME, by a run that was pruned, commit "
                      "COMMIT1\n  runs       same in 2\n", self.shown("1"))


def report_of(*findings):
    return ('<?xml version="1.0"?>\n<results version="2"><cppcheck version='
            '"2.10"/><errors>' + "".join(findings)
            + "</errors></results>\n").encode()


def place(uri, function):
    return {"physicalLocation": {"artifactLocation": {"uri": uri},
                                 "region": {"startLine": 1}},
            "logicalLocations": [{"name": function,
                                  "kind": "function"}]}


class JsonTest(Case):
    def test_all_that_is_known(self):
        self.add(POINTER)
        shown = json.loads(self.shown("1", "--output", "json"))
        self.assertEqual(shown, {
            "finding": 1, "run": 1, "run_time": "TIME",
            "run_commit": "COMMIT1", "verdict": "new", "tool": "cppcheck",
            "tool_version": "2.10", "rule": "nullPointer",
            "severity": "error", "severity_word": "error",
            "message": "Null pointer dereference: p",
            "verbose": "Longer\nwords", "path": "src/a.c", "line": 5,
            "column": 11, "end_line": None, "end_column": None,
            "function": "f", "cwe": 476, "inconclusive": False, "repeats": 1,
            "units": ["src/a.c"], "first_time": "TIME", "first_run": 1,
            "first_commit": "COMMIT1",
            "runs": [{"run": 1, "verdict": "new"}],
            "suppressed_by_report": False, "suppression": None,
            "source": {"commit": "COMMIT1", "first_line": 2,
                       "lines": SOURCE.splitlines()[1:]},
            "source_missing": None,
            "events": [
                {"path": "src/a.c", "line": 4, "column": 6,
                 "message": "Assuming that p is NULL", "function": None,
                 "source": "\tif (!p)"},
                {"path": "src/b.h", "line": 1, "column": 1,
                 "message": "Calling function f", "function": None,
                 "source": "f(0);"}]})

    def test_source_that_is_not_at_hand_is_null(self):
        self.add(UNREAD)
        self.change("UPDATE runs SET commit_id = 'c0ffee1'")
        shown = json.loads(self.shown("1", "--output", "json"))
        self.assertEqual(shown["source"], None)
        self.assertIn("c0ffee1", shown["source_missing"])


class TerminalTest(Case):
    def look(self, **environment):
        """What a terminal of 80 columns is sent."""
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [SCGATE, "show", "1", "--db", "../db"], cwd=self.tree,
            stdin=follower, stdout=follower, stderr=follower,
            env={**os.environ, **GIT, **environment})
        os.close(follower)
        text = b""
        try:
            while True:
                piece = os.read(leader, 4096)
                if not piece:
                    break
                text += piece
        except OSError:
            pass  # Linux: nobody has the other end open
        os.close(leader)
        self.assertEqual(process.wait(60), 0)
        return text.decode()

    def test_colours_unless_they_are_not_wanted(self):
        self.add(UNREAD)
        self.assertIn("\x1b[1m> 3\x1b[0m | ", self.look(NO_COLOR=""))
        self.assertNotIn("\x1b", self.look(NO_COLOR="1"))


class RefusalTest(Case):
    def refuse(self, code, message, *arguments, **more):
        self.assertEqual(self.show(*arguments, **more),
                         (code, "", f"scgate show: {message}\n"))

    def test_what_is_not_there(self):
        self.add(UNREAD)
        self.add()
        self.add()
        self.refuse(2, "there is no finding 2", "2")
        self.refuse(2, "run 3 does not have finding 1; the last that has it "
                    "is run 1", "1", "--run", "last")
        code, out, err = self.show("1", "--run", "nightly")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("nightly", err)

    def test_a_database_that_is_not_there_is_not_made(self):
        code, out, err = self.show("1", db="none")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("none", err)
        self.assertFalse(os.path.exists(self.path("none")))

    def test_usage(self):
        for message, arguments in (
                ("the number of a finding is wanted", ()),
                ("no number of a finding: x", ("x",)),
                ("no number of a finding: 0", ("0",)),
                ("not wanted: 2", ("1", "2")),
                ("unknown output: xml; known are text and json", ("1", "--output", "xml"))):
            with self.subTest(arguments=arguments):
                self.refuse(2, f"{message}\ntry scgate show --help",
                            *arguments)

    def test_a_full_output_is_no_success(self):
        self.add(UNREAD)
        with open("/dev/full", "wb") as full:
            run = subprocess.run(
                [SCGATE, "show", "1", "--db", "../db"], stdout=full,
                stderr=subprocess.PIPE, cwd=self.tree, timeout=60,
                env={**os.environ, **GIT})
        self.assertEqual((run.returncode, run.stderr.decode()), (
            3, "scgate show: cannot write: No space left on device\n"))


if __name__ == "__main__":
    unittest.main()
