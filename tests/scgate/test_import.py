#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate import and scgate runs: what is stored, and what no accident loses."""
import csv
import io
import json
import os
import shutil
import sqlite3
import subprocess
import unittest

from support import SCGATE, THREE, Case, cppcheck, many


class ImportTest(Case):
    def test_imported_again_all_is_known(self):
        self.assertEqual(self.add(THREE), (
            0, "run 1: 3 found, 3 new, 0 known; complete\n"))
        self.assertEqual(self.add(THREE), (
            0, "run 2: 3 found, 0 new, 3 known, 0 fixed, 0 unknown since run "
            "1; complete\n"))
        self.assertEqual(self.rows("SELECT count(*) FROM findings"), [(3,)])
        self.check_whole()

    def test_findings_are_known_on_other_lines(self):
        self.add(THREE)
        moved = [(rule, message, path, line + 40)
                 for rule, message, path, line in THREE]
        self.assertEqual(self.add(moved), (
            0, "run 2: 3 found, 0 new, 3 known, 0 fixed, 0 unknown since run "
            "1; complete\n"))

    def test_a_third_equal_finding_is_new(self):
        self.add(THREE)
        third = THREE + [("nullPointer", "Null pointer dereference: p", "a.c",
                          11)]
        self.assertEqual(self.add(third), (
            0, "run 2: 4 found, 1 new, 3 known, 0 fixed, 0 unknown since run "
            "1; complete\n"))
        self.assertEqual(self.rows(
            "SELECT o.line FROM links AS l JOIN occurrences AS o ON o.id = "
            "l.occurrence_id WHERE l.run_id = 2 AND l.verdict = 'new'"),
            [(11,)])

    def test_what_is_gone_is_fixed(self):
        self.add(THREE)
        self.assertEqual(self.add([]), (
            0, "run 2: 0 found, 0 new, 0 known, 3 fixed, 0 unknown since run "
            "1; complete\n"))
        self.assertEqual(self.add(THREE), (
            0, "run 3: 3 found, 3 new, 0 known, 0 fixed, 0 unknown since run "
            "2; complete\n"))

    def test_what_a_failed_run_does_not_see_is_not_fixed(self):
        self.add(THREE)
        self.assertEqual(self.add(THREE[:1], "--status", "1"), (
            3, "run 2: 1 found, 0 new, 1 known, 0 fixed, 2 unknown since run "
            "1; incomplete: the tool exited with 1\n"))
        self.assertEqual(self.add(THREE), (
            0, "run 3: 3 found, 0 new, 3 known, 0 fixed, 0 unknown since run "
            "1; complete\n"))

    def test_what_a_limited_run_does_not_see_counts_on(self):
        self.add(THREE)
        limit = ("toomanyconfigs", "Too many #ifdef configurations", "a.c", 1)
        # the one in b.c, where the tool did not give up, is gone
        self.assertEqual(self.add([limit]), (
            0, "run 2: 1 found, 1 new, 0 known, 1 fixed, 2 unknown since run "
            "1; limited: toomanyconfigs\n"))
        self.assertEqual(self.add(THREE[:2]), (
            0, "run 3: 2 found, 0 new, 2 known, 1 fixed, 0 unknown since run "
            "2; complete\n"))

    def test_who_gave_up_on_a_unit_does_not_tell_of_its_headers(self):
        finding = ("nullPointer", "Null pointer dereference: p", "a.h", 7)
        limit = ("toomanyconfigs", "Too many #ifdef configurations", "a.c", 1)
        for db, units in (("seen in a.c", 'file0="a.c"'),
                          ("seen in who knows what", "")):
            report = cppcheck([finding]).replace('file0="a.h"', units)
            self.run_scgate("import", "--db", db, "-", stdin=report.encode())
            self.assertIn("0 fixed, 1 unknown", self.run_scgate(
                "import", "--db", db, "-",
                stdin=cppcheck([limit]).encode())[1])

    def test_fewer_reports_do_not_tell_what_is_fixed(self):
        for name, finding in (("a.xml", THREE[0]), ("b.xml", THREE[2])):
            self.write(name, cppcheck([finding]))
        both = ("import", "--db", "db", "a.xml", "b.xml")
        one = ("import", "--db", "db", "a.xml")
        self.assertEqual(self.run_scgate(*both)[0], 0)
        self.assertIn("0 fixed, 1 unknown", self.run_scgate(*one)[1])
        self.assertIn("1 fixed, 0 unknown", self.run_scgate(*one)[1])

    def test_another_version_of_the_tool_does_not_tell_what_is_fixed(self):
        self.add(THREE)
        newer = cppcheck(THREE[:1]).replace('"2.10"', '"2.11"').encode()
        for verdict in "0 fixed, 2 unknown", "2 fixed, 0 unknown":
            self.assertIn(verdict, self.run_scgate(
                "import", "--db", "db", "-", stdin=newer)[1])

    def test_what_is_imported_again_is_kept_once(self):
        self.add(THREE)
        self.add(many(50))
        self.add(THREE)
        self.assertEqual(self.rows("SELECT count(*) FROM occurrences"),
                         [(53,)])
        self.assertEqual(self.rows(
            "SELECT run_id, result_id FROM run_results ORDER BY run_id"),
            [(1, 1), (2, 2), (3, 1)])
        self.check_whole()

    def test_equal_reports_are_one_finding(self):
        self.assertEqual(self.add(THREE + THREE)[1],
                         "run 1: 3 found, 3 new, 0 known; complete\n")
        self.assertEqual(self.rows("SELECT repeats FROM occurrences"),
                         [(2,), (2,), (2,)])

    def test_a_report_that_breaks_off_is_stored_as_incomplete(self):
        text = cppcheck(THREE)
        self.write("a.xml", text[:text.index(" </errors>")])
        code, out, err = self.run_scgate("import", "--db", "db", "a.xml")
        self.assertEqual(code, 3)
        self.assertRegex(out, "^run 1: 3 found, 3 new, 0 known; incomplete: "
                         "broken off")
        self.assertIn("a.xml", err)

    def test_a_log_is_unverified_without_the_tools_exit_status(self):
        log = b"a.c:3:5: warning: unused variable 'x' [-Wunused-variable]\n"
        for number, arguments, state in (
                (1, (), "unverified: nothing proves that the log is whole"),
                (2, ("--status", "0"), "complete")):
            with self.subTest(arguments=arguments):
                code, out, _ = self.run_scgate("import", "--db", "db",
                                               *arguments, "-", stdin=log)
                self.assertEqual(code, 0)
                self.assertTrue(out.startswith(f"run {number}: 1 found"), out)
                self.assertTrue(out.endswith(f"; {state}\n"), out)

    def test_runs_of_other_tools_are_not_held_against_each_other(self):
        self.add(THREE)
        log = b"a.c:3:5: warning: unused variable 'x' [-Wunused-variable]\n"
        self.assertEqual(self.run_scgate(
            "import", "--db", "db", "--status", "0", "-", stdin=log)[1],
            "run 2: 1 found, 1 new, 0 known; complete\n")
        self.assertIn("3 known, 0 fixed, 0 unknown since run 1",
                      self.add(THREE)[1])

    def test_several_reports_are_one_run(self):
        self.write("a.xml", cppcheck(THREE[:2]))
        self.write("b.xml", cppcheck(THREE[2:]))
        code, out, err = self.run_scgate("import", "--db", "db", "a.xml",
                                         "b.xml")
        self.assertEqual((code, out, err), (
            0, "run 1: 3 found, 3 new, 0 known; complete\n",
            "a.xml: complete, 2 findings (cppcheck-xml)\n"
            "b.xml: complete, 1 finding (cppcheck-xml)\n"))

    def test_paths_are_stored_relative_to_the_root(self):
        os.mkdir(self.path("tree"))
        self.write("tree/a.c", "")
        finding = [("r", "m", self.path("tree/a.c"), 1)]
        self.assertEqual(self.add(finding, "--root", "tree")[0], 0)
        self.assertEqual(self.rows("SELECT path FROM files WHERE id IN "
                                   "(SELECT file_id FROM occurrences)"),
                         [("a.c",)])

    def test_counts_are_stored_by_rule_and_severity(self):
        self.add(THREE)
        self.assertEqual(self.rows(
            "SELECT r.name, t.name, c.severity, c.found, c.new FROM counts AS "
            "c JOIN rules AS r ON r.id = c.rule_id JOIN tools AS t ON t.id = "
            "r.tool_id ORDER BY r.name"),
            [("nullPointer", "cppcheck", 4, 2, 2),
             ("unreadVariable", "cppcheck", 4, 1, 1)])

    def test_every_field_is_text_and_never_sql(self):
        evil = "x'); DROP TABLE runs; --\" <script>alert(1)</script> %s ?1"
        self.assertEqual(self.add([(evil, evil, evil, 1)], "--run", evil,
                                  "--commit", evil)[0], 0)
        self.assertEqual(self.rows(
            "SELECT n.name, n.commit_id, r.name, o.message, f.path FROM runs "
            "AS n, rules AS r, occurrences AS o, files AS f"), [(evil,) * 5])
        self.check_whole()

    def test_a_path_of_64_kb_and_a_message_of_10_mb(self):
        code, out = self.add([("r", "m" * 10000000, "p" * 65536, 1)])
        self.assertEqual(code, 0, out)
        self.check_whole()


class TalkTest(Case):
    SILENT = ("scgate import: run {} is held against no run: none before it of "
              "the same formats, tools and configuration can be compared with; "
              "incomplete ones never are\n")

    def test_what_is_suppressed_is_told(self):
        self.write("entries", json.dumps({
            "path": "b.c", "tool": "cppcheck", "rule": "unreadVariable",
            "message": "x is never read", "reason": "kept"}) + "\n")
        more = ("--suppressions", "entries")
        self.assertEqual(self.add(THREE, *more)[1], "run 1: 3 found, 3 new, 0 "
                         "known, 1 suppressed; complete\n")
        self.assertEqual(self.add(THREE, *more)[1], "run 2: 3 found, 0 new, 3 "
                         "known, 1 suppressed, 0 fixed, 0 unknown since run 1; "
                         "complete\n")

    def test_why_it_is_held_against_no_run(self):
        def said(*arguments, text=cppcheck(THREE)):
            return self.run_scgate("import", "--db", "db", *arguments, "-",
                                   stdin=text.encode())[2].split("\n", 1)[1]
        self.assertEqual(said("--status", "1"), "")
        self.assertEqual(said(), self.SILENT.format(2))
        self.assertEqual(said(), "")
        log = "a.c:3:5: warning: unused variable 'x' [-Wunused-variable]\n"
        self.assertEqual(said(text=log), self.SILENT.format(4))

    def test_a_broken_pipe_is_no_success_and_silent(self):
        self.write("a.xml", cppcheck(THREE))
        read, write = os.pipe()
        os.close(read)
        run = subprocess.run([SCGATE, "import", "--db", "db", "a.xml"],
                             stdout=write, stderr=subprocess.PIPE,
                             cwd=self.folder, timeout=60)
        os.close(write)
        self.assertEqual((run.returncode, run.stderr.decode()), (
            3, "a.xml: complete, 3 findings (cppcheck-xml)\n"))


class RefusalTest(Case):
    def refuse(self, message, *arguments, **more):
        code, out, err = self.run_scgate("import", *arguments,
                                         stdin=cppcheck(THREE).encode(),
                                         **more)
        self.assertEqual((code, out, err),
                         (2, "", f"scgate import: {message}\n"))

    def test_what_is_no_report_is_not_imported(self):
        self.add(THREE)
        self.write("a.xml", cppcheck(THREE))
        for name, text in (("empty", ""), ("letter", "Dear all,\nbye.\n")):
            self.write(name, text)
            code, out, err = self.run_scgate("import", "--db", "db", "a.xml",
                                             name)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(f"{name}: no report", err)
            self.assertTrue(
                err.endswith("scgate import: nothing was imported\n"), err)
        self.assertEqual(self.rows("SELECT count(*) FROM runs"), [(1,)])

    def test_suppressions_that_are_named_must_be_there(self):
        self.refuse("cannot open none: No such file or directory", "--db",
                    "db", "--suppressions", "none", "-")

    def test_a_report_that_is_not_there(self):
        self.assertEqual(self.run_scgate("import", "--db", "db", "none.xml"), (
            2, "", "scgate import: cannot open none.xml: No such file or "
            "directory\nscgate import: nothing was imported\n"))

    def test_outside_of_repositories_a_database_must_be_named(self):
        self.refuse("this is no git repository, so name a database with --db",
                    "-", env={**os.environ,
                              "GIT_CEILING_DIRECTORIES": self.folder,
                              "GIT_DIR": self.path("none")})

    def test_usage(self):
        for arguments in ((), ("--format", "none", "x"), ("--none", "x"),
                          ("--status", "x", "y"), ("--status", "-1", "y")):
            with self.subTest(arguments=arguments):
                code, out, err = self.run_scgate("import", *arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(err.startswith("scgate import: "), err)


@unittest.skipUnless(shutil.which("git"), "no git here")
class DefaultDatabaseTest(Case):
    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y",
                        *arguments], cwd=self.folder, check=True,
                       capture_output=True)

    def test_worktrees_share_a_database(self):
        self.git("init", "-q", "tree")
        self.git("-C", "tree", "commit", "-q", "--allow-empty", "-m", "x")
        self.git("-C", "tree", "worktree", "add", "-q", "../other")
        text = cppcheck(THREE).encode()
        self.assertIn("3 new", self.run_scgate(
            "import", "-", stdin=text, cwd=self.path("tree"))[1])
        self.assertIn("3 known", self.run_scgate(
            "import", "-", stdin=text, cwd=self.path("other"))[1])
        self.assertTrue(os.path.exists(self.path(
            "tree/.git/scgate/findings.db")))


class ConcurrencyTest(Case):
    def start(self, *arguments):
        return subprocess.Popen([SCGATE, "import", "--db", "db", *arguments],
                                cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def test_ten_concurrent_imports_lose_nothing(self):
        for number in range(10):
            self.write(f"{number}.xml", cppcheck(many(100 + number)))
        # the store is not there yet: its making is part of the race
        processes = [self.start("--run", f"n{number}", f"{number}.xml")
                     for number in range(10)]
        for process in processes:
            out, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, (out, err))
        self.assertEqual(self.rows(
            "SELECT n.name, count(*) FROM runs AS n JOIN run_results AS x ON "
            "x.run_id = n.id JOIN occurrences USING (result_id) "
            "GROUP BY n.id ORDER BY n.name"),
            [(f"n{number}", 100 + number) for number in range(10)])
        self.check_whole()

class PruneTest(Case):
    def prune(self, *arguments):
        return self.run_scgate("prune", "--db", "db", *arguments)

    def test_the_last_runs_stay(self):
        for _ in range(5):
            self.add(THREE)
        self.assertEqual(self.prune("--keep", "2"),
                         (0, "", "3 runs removed\n"))
        self.assertEqual(self.rows("SELECT id FROM runs ORDER BY id"),
                         [(4,), (5,)])
        self.check_whole()
        self.assertIn("3 found, 0 new, 3 known", self.add(THREE)[1])

    def test_a_wrong_run_goes_as_if_it_had_not_been(self):
        self.add(THREE)
        self.add(THREE[:1], "--run", "wrong")
        self.assertEqual(self.prune("--run", "wrong"),
                         (0, "", "run 2 removed\n"))
        self.assertEqual(self.rows("SELECT id FROM runs"), [(1,)])
        self.check_whole()
        self.assertIn("0 new, 3 known, 0 fixed, 0 unknown since run 1",
                      self.add(THREE)[1])
        self.assertEqual(self.prune("--run", "last")[0], 0)
        self.assertEqual(self.prune("--run", "1")[0], 0)
        self.assertEqual(self.run_scgate("runs", "--db", "db")[2],
                         "runs: none\n")

    def test_a_run_that_is_not_there_does_not_go(self):
        self.add(THREE)
        self.assertEqual(self.prune("--run", "7"), (
            2, "", 'scgate prune: db has no run "7"\n'))
        self.assertEqual(self.rows("SELECT id FROM runs"), [(1,)])

    def test_how_many_is_wanted(self):
        for arguments, why in (
                ((), "one of --keep N, --run R and --kept DAYS is wanted"),
                (("--keep", "2", "--run", "1"),
                 "one of --keep N, --run R and --kept DAYS is wanted"),
                (("--keep", "0"), "--keep takes a number from 1"),
                (("--keep", "2x"), "--keep takes a number"),
                (("--keep", "-1"), "--keep takes a number"),
                (("--keep", "2", "x"), "not wanted: x")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.prune(*arguments), (
                    2, "", f"scgate prune: {why}\ntry scgate prune --help\n"))


class RunsTest(Case):
    def runs(self, *arguments):
        return self.run_scgate("runs", "--db", "db", *arguments)

    def setUp(self):
        super().setUp()
        self.add(THREE, "--run", 'be"fore,', "--commit", "c0ffee")
        self.add(THREE[:1], "--run", "after")

    def test_as_a_table(self):
        code, out, err = self.runs()
        lines = out.splitlines()
        self.assertEqual((code, err, len(lines)), (0, "", 3))
        self.assertEqual(lines[0].split(), "run time state found new fixed "
                         "unkn\u2026 base formats name commit".split())
        self.assertRegex(lines[1], r"^  1 +\d\d-\d\d \d\d:\d\d +complete ")
        self.assertEqual(lines[1].split()[3:], [
            "complete", "3", "3", "0", "0", "-", "cppcheck-xml", 'be"fore,',
            "c0ffee"])
        self.assertEqual(lines[2].split()[3:], [
            "complete", "1", "0", "2", "0", "1", "cppcheck-xml", "after", "-"])
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_names_that_nobody_gave_take_no_room(self):
        self.run_scgate("import", "--db", "other", "-",
                        stdin=cppcheck(THREE).encode())
        out = self.run_scgate("runs", "--db", "other")[1]
        self.assertNotIn("name", out)
        self.assertNotIn("conf", out)
        self.run_scgate("import", "--db", "other", "--configuration", "debug",
                        "-", stdin=cppcheck(THREE).encode())
        self.assertRegex(self.run_scgate("runs", "--db", "other")[1],
                         "(?m)^  2 .* cppcheck-xml +debug ")
        self.assertIn("cppcheck-xml", out)

    def test_times_of_other_years_are_days(self):
        connection = sqlite3.connect(self.path("db"))
        connection.execute("UPDATE runs SET time = 1000000000 WHERE id = 1")
        connection.commit()
        connection.close()
        lines = self.runs()[1].splitlines()
        self.assertRegex(lines[1], "^  1 +2001-09-09 +complete")
        self.assertRegex(lines[2], "^  2 +..-.. ..:.. +complete")

    def test_as_csv(self):
        code, out, err = self.runs("--output", "csv")
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([(row["run"], row["name"], row["found"], row["base"])
                          for row in rows],
                         [("1", 'be"fore,', "3", ""), ("2", "after", "1", "1")])

    def test_as_json(self):
        code, out, err = self.runs("--output", "json")
        rows = json.loads(out)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([(row["run"], row["name"], row["commit"],
                           row["fixed"], row["base"]) for row in rows],
                         [(1, 'be"fore,', "c0ffee", 0, None),
                          (2, "after", None, 2, 1)])

    def test_a_full_disk_is_no_success(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([SCGATE, "runs", "--db", "db"], stdout=full,
                                 stderr=subprocess.PIPE, cwd=self.folder,
                                 timeout=60)
        self.assertEqual((run.returncode, run.stderr.decode()), (
            3, "scgate runs: cannot write: No space left on device\n"))

    def test_usage(self):
        for arguments in (("--output", "none"), ("--none",), ("x",)):
            with self.subTest(arguments=arguments):
                code, out, err = self.run_scgate("runs", *arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(err.startswith("scgate runs: "), err)


if __name__ == "__main__":
    unittest.main()
