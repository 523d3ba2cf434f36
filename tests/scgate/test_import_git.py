#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate import in a git repository: sources, moved lines, suppressions."""
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

SCGATE = os.environ["SLUICE_SCGATE"]

SOURCE = """\
int first(int *p)
{
\treturn *p;
}

int second(int *q)
{
\tint unused;
\treturn *q;
}
"""


def cppcheck(findings):
    """A report of findings (rule, message, path, line)."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<results version="2">\n'
            ' <cppcheck version="2.10"/>\n <errors>\n' + "".join(
                f'  <error id="{rule}" severity="warning" msg="{message}" '
                f'verbose="{message}"><location file="{path}" line="{line}" '
                f'column="1"/></error>\n'
                for rule, message, path, line in findings)
            + " </errors>\n</results>\n")


FIRST = ("nullPointer", "Null pointer dereference: p", "a.c", 3)
SECOND = ("unusedVariable", "Unused variable: unused", "a.c", 8)


@unittest.skipUnless(shutil.which("git"), "needs git")
class GitCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith("GIT_")}
        self.env.update(GIT_CONFIG_GLOBAL="/dev/null",
                        GIT_CONFIG_SYSTEM="/dev/null")
        self.git("init", "-q", ".")
        self.git("config", "user.name", "T")
        self.git("config", "user.email", "t@example.invalid")
        self.write("a.c", SOURCE)
        self.commit()

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.folder, check=True,
                              capture_output=True, text=True,
                              env=self.env).stdout.strip()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "x")
        return self.git("rev-parse", "HEAD")

    def add(self, findings, *arguments, cwd=""):
        run = subprocess.run(
            [SCGATE, "import", *arguments, "-"],
            input=cppcheck(findings), text=True, capture_output=True,
            timeout=120, env=self.env, cwd=os.path.join(self.folder, cwd))
        return run.returncode, run.stdout, run.stderr

    def rows(self, query):
        connection = sqlite3.connect(os.path.join(
            self.folder, ".git/scgate/findings.db"))
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def steps(self, run):
        """How the run's findings were recognised, by their rules."""
        return dict(self.rows(
            "SELECT u.name, l.verdict || ' ' || l.step FROM links AS l JOIN "
            "occurrences AS o ON o.id = l.occurrence_id JOIN rules AS u ON "
            f"u.id = o.rule_id WHERE l.run_id = {run}"))


class SourceTest(GitCase):
    def test_a_clean_tree_has_heads_commit_and_no_finding_is_bare(self):
        head = self.git("rev-parse", "HEAD")
        self.assertEqual(self.add([FIRST, SECOND])[0], 0)
        self.assertEqual(self.rows("SELECT commit_id, root FROM runs"),
                         [(head, os.path.realpath(self.folder))])
        self.assertEqual(self.rows(
            "SELECT o.function, f.bare FROM occurrences AS o JOIN "
            "fingerprints AS f ON f.occurrence_id = o.id ORDER BY o.id"),
            [("first", 0), ("second", 0)])
        self.assertEqual(self.rows("SELECT lines FROM sizes"), [(10,)])

    def test_a_changed_tree_has_no_commit(self):
        self.write("a.c", SOURCE + "\n")
        self.add([FIRST])
        self.assertEqual(self.rows("SELECT commit_id FROM runs"), [(None,)])

    def test_lines_above_and_a_rename_leave_it_at_its_line(self):
        self.add([FIRST, SECOND])
        self.git("mv", "a.c", "b.c")
        self.write("b.c", "/* new */\n\n" + SOURCE)
        self.commit()
        code, out, _ = self.add([
            (rule, message, "b.c", line + 2)
            for rule, message, _, line in (FIRST, SECOND)])
        self.assertEqual((code, out), (
            0, "run 2: 2 found, 0 new, 2 known, 0 fixed, 0 unknown since run "
            "1; complete\n"))
        self.assertEqual(self.steps(2), {"nullPointer": "same 1",
                                         "unusedVariable": "same 1"})

    def test_lines_of_a_tree_that_is_not_committed_are_mapped(self):
        self.add([FIRST, SECOND])
        self.write("a.c", "\n\n" + SOURCE.replace("*p", "*p + 1"))
        self.add([(*FIRST[:3], 5), (*SECOND[:3], 10)])
        self.assertEqual(self.steps(2), {"nullPointer": "same 4",
                                         "unusedVariable": "same 1"})

    def test_a_function_that_moved_to_another_file_is_known(self):
        self.add([FIRST, SECOND])
        first, second = SOURCE.split("\n\n")
        self.write("a.c", first + "\n")
        self.write("z.c", second)
        self.commit()
        self.add([FIRST, (*SECOND[:2], "z.c", 3)])
        self.assertEqual(self.steps(2), {"nullPointer": "same 1",
                                         "unusedVariable": "same 5"})

    def test_a_revision_that_is_not_checked_out(self):
        old = self.git("rev-parse", "HEAD")
        self.write("a.c", "int nothing;\n")
        self.commit()
        self.add([FIRST], "--commit", old[:10])
        self.assertEqual(self.rows("SELECT commit_id FROM runs"), [(old,)])
        self.assertEqual(self.rows("SELECT function FROM occurrences"),
                         [("first",)])

    def test_a_revision_that_is_not_there_is_refused(self):
        code, out, err = self.add([FIRST], "--commit", "v9")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, '^scgate import: the repository of /.* has no '
                              'commit "v9"\n$')
        self.assertFalse(os.path.exists(os.path.join(
            self.folder, ".git/scgate/findings.db")))

    def test_without_sources_on_one_side_nothing_is_fixed(self):
        self.add([FIRST, SECOND])
        self.env["GIT_DIR"] = "/nowhere"
        db = os.path.join(self.folder, ".git/scgate/findings.db")
        for verdict in "0 fixed, 2 unknown", "2 fixed, 0 unknown":
            self.assertIn(verdict, self.add([], "--db", db)[1])

    def test_runs_of_one_configuration_are_held_against_each_other(self):
        self.add([FIRST], "--configuration", "all")
        self.add([SECOND], "--configuration", "few")
        self.assertIn("1 found, 0 new, 1 known, 0 fixed, 0 unknown since run "
                      "1;", self.add([FIRST], "--configuration", "all")[1])
        self.assertIn("since run 2;",
                      self.add([SECOND], "--configuration", "few")[1])

    def test_the_analysis_of_a_part_does_not_tell_what_is_fixed(self):
        whole = [(*FIRST[:2], f"{name}.c", 3) for name in "abcd"]
        self.add(whole)
        self.assertIn("0 fixed, 3 unknown", self.add(whole[:1])[1])
        self.assertIn("0 fixed, 0 unknown", self.add(whole)[1])
        # half of them may be fixed at once
        self.assertIn("2 fixed, 0 unknown", self.add(whole[:2])[1])

    def test_from_a_folder_of_the_tree_paths_are_the_trees(self):
        self.write("sub/c.c", SOURCE)
        self.commit()
        self.add([("r", "m", "c.c", 3), ("r", "m", "a.c", 3)], cwd="sub")
        self.assertEqual(self.rows("SELECT path FROM files ORDER BY path"),
                         [("a.c",), ("sub/c.c",)])

    def test_nothing_of_the_repository_changes(self):
        index = os.path.join(self.folder, ".git/index")
        before = self.git("for-each-ref"), os.stat(index).st_mtime_ns
        # git would refresh the index for a file with a new time
        os.utime(os.path.join(self.folder, "a.c"))
        self.add([FIRST])
        self.assertEqual(before, (self.git("for-each-ref"),
                                  os.stat(index).st_mtime_ns))
        self.assertEqual(self.git("status", "--porcelain"), "")


class SuppressionTest(GitCase):
    def suppress(self, *entries):
        self.write(".scgate-suppressions", "".join(
            json.dumps({"path": "a.c", "tool": "cppcheck", **entry}) + "\n"
            for entry in entries))

    def entries(self, run=1):
        return self.rows(
            "SELECT position, state, finding_id FROM suppressions WHERE "
            f"run_id = {run} ORDER BY position")

    def test_an_entry_is_not_counted(self):
        self.suppress({"rule": FIRST[0], "message": FIRST[1], "line": 3,
                       "reason": "p is never null"})
        self.assertEqual(self.add([FIRST, SECOND])[0], 0)
        self.assertEqual(self.entries(), [(1, "active", 1)])
        self.assertEqual(self.rows(
            "SELECT rule, suppressed FROM v_findings ORDER BY line"),
            [("nullPointer", 1), ("unusedVariable", 0)])
        self.assertEqual(self.rows("SELECT found, suppressed FROM v_runs"),
                         [(2, 1)])

    def test_it_survives_the_edits_that_findings_survive(self):
        self.suppress({"rule": SECOND[0], "message": SECOND[1], "line": 8,
                       "function": "second", "reason": "kept"})
        self.add([SECOND])
        self.write("a.c", "\n\n\n" + SOURCE)
        self.add([(*SECOND[:3], 11)])
        self.assertEqual(self.entries(2), [(1, "active", 1)])

    def test_a_second_equal_finding_is_not_excused(self):
        self.suppress({"rule": FIRST[0], "message": FIRST[1], "line": 3,
                       "function": "first", "reason": "one"})
        self.add([FIRST, (*FIRST[:3], 2)])
        self.assertEqual(self.rows(
            "SELECT line, suppressed FROM v_findings ORDER BY line"),
            [(2, 0), (3, 1)])

    def test_what_has_expired_or_excuses_nothing_counts(self):
        self.suppress(
            {"rule": FIRST[0], "message": FIRST[1], "function": "first",
             "reason": "soon", "until": "2001-01-31"},
            {"rule": SECOND[0], "message": SECOND[1], "function": "second",
             "reason": "later", "until": "9999-12-31"},
            {"rule": "gone", "message": "is no more", "reason": "stale"})
        self.add([FIRST, SECOND])
        self.assertEqual(self.entries(), [(1, "expired", 1), (2, "active", 2),
                                          (3, "unused", None)])
        self.assertEqual(self.rows("SELECT suppressed FROM v_runs"), [(1,)])

    def test_an_entry_written_by_hand_needs_no_function(self):
        self.suppress({"rule": FIRST[0], "message": FIRST[1],
                       "reason": "by hand"})
        self.add([FIRST, SECOND])
        self.assertEqual(self.entries(), [(1, "active", 1)])

    def test_an_entry_of_a_tool_that_did_not_run_is_not_judged(self):
        self.suppress({"tool": "memcheck", "rule": "Leak", "message": "x",
                       "reason": "x"})
        self.add([FIRST])
        self.assertEqual(self.entries(), [(1, "unchecked", None)])

    def test_a_line_that_is_no_entry_stops_the_import(self):
        self.write(".scgate-suppressions", "# ours\n{]\n")
        code, out, err = self.add([FIRST])
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"^/.*/\.scgate-suppressions:2: no JSON at byte 2: ")

    def test_another_file_can_be_named(self):
        self.suppress({"rule": "x", "message": "x", "reason": "x"})
        self.write("other", "# none\n")
        self.assertEqual(self.add([FIRST], "--suppressions", "other")[0], 0)
        self.assertEqual(self.entries(), [])


if __name__ == "__main__":
    unittest.main()
