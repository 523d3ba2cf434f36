#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate suppress: what is written, what counts then, and what is refused."""
import datetime
import json
import os
import resource
import stat
import subprocess
import threading
import unittest

from repository import GIT, SCGATE, Repository, finding

SOURCE = ("int f(int *p)\n{\n\tint x = 0;\n\tif (!p)\n\t\treturn *p;\n"
          "\treturn 0;\n}\n")
POINTER = finding("nullPointer", "Null pointer dereference: p", "src/a.c", 5,
                  11, "error", cwe=476)
UNREAD = finding("unreadVariable", "x is never read", "src/a.c", 3, 8, "style")
FILE = ".scgate-suppressions"


def day(after):
    """So many days after today, in UTC."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(days=after)).strftime("%Y-%m-%d")


class Case(Repository):
    def setUp(self):
        super().setUp()
        self.write("src/a.c", SOURCE)
        self.commit()
        self.add(POINTER, UNREAD)

    def suppress(self, *arguments, **more):
        return self.scgate("suppress", *arguments, **more)

    def refuse(self, code, message, *arguments, **more):
        self.assertEqual(self.suppress(*arguments, **more),
                         (code, "", f"scgate suppress: {message}\n"))

    def misuse(self, message, *arguments):
        self.assertEqual(self.suppress(*arguments), (
            2, "", f"scgate suppress: {message}\n"
            "try scgate suppress --help\n"))

    def entries(self):
        return [json.loads(line) for line in self.read().splitlines()
                if line and not line.startswith("#")]


class WriteTest(Case):
    def test_an_entry_is_written_and_counts(self):
        self.assertEqual(
            self.suppress("2", "--reason", "kept for the debugger",
                          "--until", day(1)),
            (0, "finding 2 is suppressed\n"
             "  src/a.c:3: x is never read [unreadVariable]\n"
             "  reason: kept for the debugger\n"
             f"  until: {day(1)}\n"
             f"FOLDER/tree/{FILE} is written; commit it by itself, and "
             "the next check or import counts it\n", ""))
        entry, = self.entries()
        code = entry.pop("code")
        self.assertRegex(code, "^1:[0-9a-f]{32}:[0-9a-f]{32}$")
        self.assertEqual(list(entry.items()), [
            ("path", "src/a.c"), ("line", 3), ("tool", "cppcheck"),
            ("rule", "unreadVariable"), ("function", "f"),
            ("message", "x is never read"),
            ("reason", "kept for the debugger"), ("until", day(1))])
        self.add(POINTER, UNREAD)
        self.assertEqual(self.rows(
            "SELECT run, state, finding, position FROM v_suppressions"),
            [(2, "active", 2, 1)])
        self.assertEqual(self.rows(
            "SELECT run, suppressed FROM v_runs"), [(1, 0), (2, 1)])

    def test_it_follows_its_finding_through_edits(self):
        self.suppress("2", "--reason", "kept")
        self.write("src/a.c", "/* more\n * lines\n */\n" + SOURCE)
        self.commit()
        self.add(finding("unreadVariable", "x is never read", "src/a.c", 6, 8,
                         "style"))
        self.assertEqual(self.rows(
            "SELECT run, state, finding, line FROM v_suppressions"),
            [(2, "active", 2, 3)])

    def test_entries_are_sorted_and_what_stands_there_stays(self):
        own = ('  {"reason":"own", "tool":"t","rule":"r","message":"m",'
               '"path":"src/b.c"}\n')
        self.write(FILE, "# top\n" + own)
        os.chmod(self.path(FILE), 0o640)
        self.suppress("2", "--reason", "two")
        self.suppress("1", "--reason", "one")
        lines = self.read().splitlines(True)
        self.assertEqual([lines[0], lines[3]], ["# top\n", own])
        self.assertEqual([entry["reason"] for entry in self.entries()],
                         ["one", "two", "own"])
        self.assertEqual(stat.S_IMODE(os.stat(self.path(FILE)).st_mode),
                         0o640)
        self.assertEqual(os.listdir(self.tree).count(FILE), 1)
        self.assertEqual(sorted(os.listdir(self.tree)), [
            ".git", FILE, "src"])

    def test_the_file_is_that_of_the_root_wherever_one_is(self):
        self.suppress("2", "--reason", "kept", db="../../db",
                      cwd=self.path("src"))
        self.assertEqual(len(self.entries()), 1)

    def test_another_file_can_be_named(self):
        self.assertEqual(self.suppress("2", "--reason", "kept", "--file",
                                       "other")[0], 0)
        self.assertIn("x is never read", self.read("other"))
        self.assertFalse(os.path.exists(self.path(FILE)))

    def test_a_symlink_stays_one(self):
        os.symlink("../elsewhere", self.path(FILE))
        self.assertEqual(self.suppress("2", "--reason", "kept")[0], 0)
        self.assertTrue(os.path.islink(self.path(FILE)))
        self.assertIn("x is never read", self.read("../elsewhere"))

    def test_again_with_another_reason_or_day_replaces_it(self):
        self.suppress("2", "--reason", "kept")
        for arguments in (("--reason", "other"),
                          ("--reason", "other", "--until", day(3)),
                          ("--reason", "other", "--until", day(0)),
                          ("--reason", "other")):
            with self.subTest(arguments=arguments):
                code, out, err = self.suppress("2", *arguments)
                self.assertEqual((code, err), (0, ""))
                self.assertTrue(out.startswith(
                    "finding 2 is suppressed anew\n"), out)
                entry, = self.entries()
                self.assertEqual(entry["reason"], "other")
                self.assertEqual(entry.get("until"), (arguments + (
                    None, None))[3])

    def test_again_after_edits_replaces_it_too(self):
        self.suppress("2", "--reason", "kept")
        self.write("src/a.c", "\n\n" + SOURCE)
        self.commit()
        self.add(finding("unreadVariable", "x is never read", "src/a.c", 5, 8,
                         "style"))
        self.assertEqual(self.suppress("2", "--reason", "other")[0], 0)
        self.assertEqual([(entry["line"], entry["reason"])
                          for entry in self.entries()], [(5, "other")])

    def test_of_two_with_the_same_words_each_has_its_entry(self):
        four = [finding("magic", "4 is magic", "src/b.c", 7, column)
                for column in (3, 6)]
        self.add(*four)  # findings 3 and 4
        self.assertEqual(self.suppress("3", "--reason", "kept")[0], 0)
        # Which of the two it is about, no run has said yet.
        self.refuse(2, "finding 4 is one of 2 equal ones, and there are "
                    "entries for 1: import a run first, to see which they are "
                    "about", "4", "--reason", "kept too")
        self.add(*four)
        held, = self.rows("SELECT finding FROM v_suppressions WHERE run = 3")
        other = 7 - held[0]
        self.assertEqual(self.suppress(str(other), "--reason", "kept too")[0],
                         0)
        self.assertEqual(len(self.entries()), 2)
        self.add(*four)
        self.assertEqual(self.rows(
            "SELECT state, finding FROM v_suppressions WHERE run = 4 "
            "ORDER BY finding"), [("active", 3), ("active", 4)])
        self.assertEqual(self.suppress(str(other), "--remove")[0], 0)
        self.assertEqual([entry["reason"] for entry in self.entries()],
                         ["kept"])

    def test_a_finding_without_a_place_has_null_for_a_path(self):
        self.scgate("import", "-", stdin=b'<?xml version="1.0"?>\n'
                    b'<results version="2"><cppcheck version="2.10"/><errors>'
                    b'<error id="missingInclude" severity="information" '
                    b'msg="Include files are missing" verbose="m"/></errors>'
                    b'</results>')
        code, out, err = self.suppress("3", "--reason", "kept")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\n  Include files are missing [missingInclude]\n", out)
        entry, = self.entries()
        self.assertEqual((entry["path"], "line" in entry), (None, False))

    def test_many_at_a_time_lose_nothing(self):
        count = 12
        self.add(*(finding("r", f"message {chr(97 + at)}", "src/a.c", 1)
                   for at in range(count)))
        results = []
        threads = [threading.Thread(target=lambda at=at: results.append(
            self.suppress(str(at), "--reason", f"reason {at}")[0]))
            for at in range(3, 3 + count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [0] * count)
        self.assertEqual(len(self.entries()), count)

    def test_what_others_wrote_cannot_steer_the_terminal(self):
        evil = "\x1b[31mred\x07 \u202egnp.exe\n'); DROP TABLE runs; --"
        self.scgate("import", "-", stdin=json.dumps({
            "version": "2.1.0", "runs": [{
                "tool": {"driver": {"name": "t"}},
                "results": [{"ruleId": evil, "message": {"text": evil},
                             "locations": [{"physicalLocation": {
                                 "artifactLocation": {"uri": "e%1B.c"},
                                 "region": {"startLine": 1}}}]}]}],
        }).encode())
        number = self.rows("SELECT max(id) FROM findings")[0][0]
        code, out, err = self.suppress(str(number), "--reason", evil)
        self.assertEqual((code, err), (0, ""))
        self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
        self.assertEqual(len(out.splitlines()), 4)
        entry, = self.entries()
        self.assertEqual(entry["reason"], evil)
        code, out, err = self.suppress("--list")
        self.assertEqual((code, err), (0, ""))
        self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
        self.assertEqual(len(out.splitlines()), 2)


class RemoveTest(Case):
    def test_the_entry_goes(self):
        self.suppress("1", "--reason", "one")
        self.suppress("2", "--reason", "two")
        self.assertEqual(self.suppress("2", "--remove"), (
            0, "finding 2 is no longer suppressed\n"
            "  src/a.c:3: x is never read [unreadVariable]\n"
            f"FOLDER/tree/{FILE} is written; commit it by itself, and "
            "the next check or import counts it\n", ""))
        self.assertEqual([entry["reason"] for entry in self.entries()],
                         ["one"])

    def test_also_of_one_that_is_fixed(self):
        self.suppress("2", "--reason", "two")
        self.add(POINTER, UNREAD)
        self.add(POINTER)
        self.assertEqual(self.suppress("2", "--remove")[0], 0)
        self.assertEqual(self.entries(), [])

    def test_without_an_entry_there_is_nothing_to_remove(self):
        self.refuse(2, f"no entry of FOLDER/tree/{FILE} is about finding 2",
                    "2", "--remove")
        self.assertFalse(os.path.exists(self.path(FILE)))

    def test_it_takes_no_reason(self):
        self.misuse("--remove takes neither --reason nor --until", "2",
                    "--remove", "--reason", "x")


class ListTest(Case):
    def test_as_json(self):
        self.suppress("2", "--reason", "two", "--until", day(0))
        self.write(FILE, "# top\n" + self.read() + json.dumps({
            "path": None, "tool": "t", "rule": "", "message": "m",
            "reason": "old", "until": "2020-02-29"}) + "\n")
        code, out, err = self.suppress("--list", "--output", "json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(json.loads(out), [
            {"entry": 2, "state": "active", "until": day(0),
             "tool": "cppcheck", "rule": "unreadVariable", "path": "src/a.c",
             "line": 3, "reason": "two", "message": "x is never read"},
            {"entry": 3, "state": "expired", "until": "2020-02-29",
             "tool": "t", "rule": "", "path": None, "line": None,
             "reason": "old", "message": "m"}])

    def test_as_a_table(self):
        self.write(FILE, '{"path":"a","tool":"t","rule":"r","message":"m",'
                   '"reason":"x y"}\n')
        self.assertEqual(self.suppress("--list"), (
            0, "entry  state   until  tool  rule  path  line  reason  "
            "message\n"
            "    1  active  -      t     r     a     -     x y     m\n", ""))

    def test_without_a_file_there_are_no_entries(self):
        code, out, err = self.suppress("--list", "--output", "json")
        self.assertEqual((code, json.loads(out), err), (0, [], ""))


class RefusalTest(Case):
    def test_what_is_suppressed_already(self):
        self.suppress("2", "--reason", "kept", "--until", day(1))
        before = self.read()
        for _ in range(2):
            self.refuse(2, "it is suppressed already, for this reason, by "
                        "line 1 of the file", "2", "--reason", "kept",
                        "--until", day(1))
            self.add(POINTER, UNREAD)
        self.assertEqual(self.read(), before)

    def test_what_is_not_open(self):
        self.add(POINTER)
        self.refuse(2, "finding 2 is fixed in run 2; the last run that has it "
                    "is --run 1", "2", "--reason", "kept")
        self.add(POINTER)
        self.refuse(2, "run 3 does not have finding 2; the last that has it "
                    "is run 1", "2", "--reason", "kept", "--run", "last")
        self.refuse(2, "there is no finding 77", "77", "--reason", "kept")
        self.assertFalse(os.path.exists(self.path(FILE)))

    def test_what_is_unknown_is_open(self):
        self.add(POINTER, arguments=("--status", "1"))
        self.assertEqual(self.suppress("2", "--reason", "kept")[0], 0)

    def test_a_run_that_is_not_there(self):
        code, out, err = self.suppress("2", "--reason", "kept", "--run",
                                       "nightly")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("nightly", err)

    def test_usage(self):
        self.misuse("the number of a finding is wanted")
        self.misuse("no number of a finding: -1", "--reason", "x", "--", "-1")
        self.misuse("no number of a finding: 0", "0", "--reason", "x")
        self.misuse("no number of a finding: 2x", "2x", "--reason", "x")
        self.misuse("no number of a finding: 99999999999999999999",
                    "99999999999999999999", "--reason", "x")
        self.misuse("no number of a finding: ?[31m", "\x1b[31m", "--reason",
                    "x")
        self.misuse("not wanted: 3", "2", "3", "--reason", "x")
        self.misuse("--reason TEXT is wanted", "2")
        self.misuse("the reason is empty; say why it is kept", "2", "--reason",
                    " \t")
        self.misuse("no day, which is written as 2027-03-31: 2027-02-29", "2",
                    "--reason", "x", "--until", "2027-02-29")
        self.misuse(f"that day is over: {day(-1)}", "2", "--reason", "x",
                    "--until", day(-1))
        self.misuse("not wanted beside --list: 2", "--list", "2")
        for more in (("--reason", "x"), ("--until", day(1)), ("--run", "1"),
                     ("--remove",)):
            self.misuse("--list takes neither --reason, --until, --run nor "
                        "--remove", "--list", *more)
        self.misuse("unknown output: xml; known are table, csv and json",
                    "--list", "--output", "xml")
        self.assertFalse(os.path.exists(self.path(FILE)))

    def test_a_reason_that_is_no_utf_8(self):
        self.refuse(2, '"reason" is no UTF-8', "2", "--reason", b"\xff")
        self.assertFalse(os.path.exists(self.path(FILE)))

    def test_a_file_that_is_not_understood(self):
        for text, why in (
                ("x\n", "no JSON at byte"),
                ('#\n{"path":"a"}\n', '"tool" is missing'),
                ("<<<<<<< HEAD\n", "a merge was not finished"),
                ("\x00", "byte 1 is a NUL"),
                (b"\xe9\n", "byte 1 is no UTF-8")):
            for arguments in (("2", "--reason", "x"), ("--list",),
                              ("2", "--remove")):
                with self.subTest(text=text, arguments=arguments):
                    self.write(FILE, text)
                    code, out, err = self.suppress(*arguments)
                    line = 2 if str(text).startswith("#") else 1
                    self.assertEqual((code, out), (2, ""))
                    self.assertTrue(err.startswith(
                        f"FOLDER/tree/{FILE}:{line}: {why}"),
                        err)
                    with open(self.path(FILE), "rb") as file:
                        self.assertEqual(file.read(), text if isinstance(
                            text, bytes) else text.encode())

    def test_outside_of_a_work_tree_a_file_is_wanted(self):
        outside = os.path.join(self.folder, "outside")
        os.mkdir(outside)
        self.refuse(2, "this is no git work tree, so name a file with --file",
                    "2", "--reason", "x", cwd=outside)
        self.assertEqual(self.suppress("2", "--reason", "x", "--file", "f",
                                       cwd=outside)[0], 0)

    def test_a_database_that_is_not_there_is_not_made(self):
        code, out, err = self.suppress("2", "--reason", "x", db="none")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("none", err)
        self.assertFalse(os.path.exists(self.path("none")))

    def test_a_pipe_is_not_waited_for(self):
        os.mkfifo(self.path("fifo"))
        self.refuse(3, "cannot open fifo: it is no regular file", "2",
                    "--reason", "x", "--file", "fifo")

    def test_a_file_that_cannot_be_written(self):
        self.refuse(3, "cannot write none/f: No such file or directory", "2",
                    "--reason", "x", "--file", "none/f")
        os.mkdir(self.path("folder"))
        self.refuse(3, "cannot open folder: Is a directory", "2", "--reason",
                    "x", "--file", "folder")
        self.refuse(3, "cannot open /dev/null: it is no regular file", "2",
                    "--reason", "x", "--file", "/dev/null")

    def test_a_full_disk_leaves_the_file_as_it_was(self):
        text = "# top\n" * 20000
        self.write(FILE, text)
        code, out, err = self.suppress(
            "2", "--reason", "x",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                  (65536, 65536)))
        self.assertEqual((code, out), (3, ""), err)
        self.assertIn("cannot write", err)
        self.assertEqual(self.read(), text)
        self.assertEqual(sorted(os.listdir(self.tree)), [".git", FILE, "src"])

    def test_a_full_output_is_no_success(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run(
                [SCGATE, "suppress", "--db", "../db", "--list"], stdout=full,
                stderr=subprocess.PIPE, cwd=self.tree, timeout=60,
                env={**os.environ, **GIT})
        self.assertEqual((run.returncode, run.stderr.decode()), (
            3, "scgate suppress: cannot write: No space left on device\n"))


if __name__ == "__main__":
    unittest.main()
