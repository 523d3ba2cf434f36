#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate import and scgate runs: what is stored, and what no accident loses."""
import csv
import hashlib
import io
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest
from xml.sax.saxutils import quoteattr

SCGATE = os.environ["SLUICE_SCGATE"]
NOBODY = 65534


def cppcheck(findings):
    """A report of findings (rule, message, path, line)."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<results version="2">\n'
            ' <cppcheck version="2.10"/>\n <errors>\n' + "".join(
                f'  <error id={quoteattr(rule)} severity="warning" '
                f'msg={quoteattr(message)} verbose={quoteattr(message)} '
                f'file0={quoteattr(path)}>\n   <location file='
                f'{quoteattr(path)} line="{line}" column="1"/>\n  </error>\n'
                for rule, message, path, line in findings)
            + " </errors>\n</results>\n")


def many(count):
    return [(f"rule{at % 7}", f"value is never read {at}", f"{at % 9}.c",
             at + 1) for at in range(count)]


THREE = [("nullPointer", "Null pointer dereference: p", "a.c", 7),
         ("nullPointer", "Null pointer dereference: p", "a.c", 9),
         ("unreadVariable", "x is never read", "b.c", 3)]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return name

    def run_scgate(self, *arguments, stdin=b"", cwd=None, **more):
        run = subprocess.run([SCGATE, *arguments], input=stdin,
                             cwd=cwd or self.folder, capture_output=True,
                             timeout=120, **more)
        return run.returncode, run.stdout.decode(), run.stderr.decode()

    def add(self, findings, *arguments):
        """Import a report; standard error is of no interest."""
        return self.run_scgate("import", "--db", "db", *arguments, "-",
                               stdin=cppcheck(findings).encode())[:2]

    def rows(self, query):
        connection = sqlite3.connect(self.path("db"))
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def check_whole(self):
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.rows("PRAGMA foreign_key_check"), [])


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


class RefusalTest(Case):
    def refuse(self, message, *arguments, **more):
        code, out, err = self.run_scgate("import", *arguments,
                                         stdin=cppcheck(THREE).encode(),
                                         **more)
        self.assertEqual((code, out, err),
                         (2, "", f"scgate import: {message}\n"))

    def digest(self, name):
        with open(self.path(name), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

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

    def test_a_report_that_is_not_there(self):
        self.assertEqual(self.run_scgate("import", "--db", "db", "none.xml"), (
            2, "", "scgate import: cannot open none.xml: No such file or "
            "directory\nscgate import: nothing was imported\n"))

    def test_a_database_of_another_program_is_not_touched(self):
        connection = sqlite3.connect(self.path("db"))
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
        connection.commit()
        connection.close()
        before = self.digest("db")
        self.refuse("db is a database of another program", "--db", "db", "-")
        self.assertEqual(self.digest("db"), before)
        self.assertEqual(os.listdir(self.folder), ["db"])

    def test_a_newer_schema_is_not_touched(self):
        self.add(THREE)
        connection = sqlite3.connect(self.path("db"))
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        before = self.digest("db")
        self.refuse("db has schema 99, of a newer scgate; this one knows 1",
                    "--db", "db", "-")
        self.assertEqual(self.digest("db"), before)

    def test_a_file_that_is_no_database(self):
        self.write("db", "Dear all,\n" * 1000)
        before = self.digest("db")
        self.refuse("db is no SQLite database", "--db", "db", "-")
        self.assertEqual(self.digest("db"), before)

    def test_a_folder_that_is_not_there(self):
        self.refuse("cannot open none/db: No such file or directory",
                    "--db", "none/db", "-")

    def as_nobody(self):
        if os.getuid():
            return {}
        try:
            subprocess.run([SCGATE, "--version"], user=NOBODY, check=True,
                           capture_output=True)
        except PermissionError:
            self.skipTest("nobody may not run scgate")
        return {"user": NOBODY, "group": NOBODY}

    def test_a_read_only_folder(self):
        who = self.as_nobody()
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        self.refuse("cannot make files in the folder of db: Permission denied",
                    "--db", "db", "-", **who)

    def test_a_read_only_database(self):
        who = self.as_nobody()
        self.add(THREE)
        os.chmod(self.path("db"), 0o444)
        os.chmod(self.folder, 0o755)
        self.refuse("cannot write db: it is read-only", "--db", "db", "-",
                    **who)

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


class AccidentTest(Case):
    def start(self, *arguments):
        return subprocess.Popen([SCGATE, "import", "--db", "db", *arguments],
                                cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def kill_after(self, seconds, report):
        """Whether an import lived to its end."""
        process = self.start(report)
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        return process.returncode == 0

    def time_of(self, report):
        began = time.monotonic()
        self.start(report).communicate()
        return time.monotonic() - began

    def test_a_killed_import_leaves_the_store_as_it_was(self):
        self.write("a.xml", cppcheck(many(4000)))
        self.add(THREE)
        whole = self.time_of("a.xml")
        runs = 2
        for moment in range(30):
            finished = self.kill_after(whole * moment / 30, "a.xml")
            self.check_whole()
            [(now,)] = self.rows("SELECT count(*) FROM runs")
            # the kill may come between the end of the import and the exit
            self.assertIn(now, (runs + 1,) if finished else (runs, runs + 1))
            for query in ("SELECT count(*) FROM run_results AS x "
                          "JOIN occurrences USING (result_id)",
                          "SELECT sum(found) FROM counts"):
                self.assertEqual(self.rows(query), [(3 + 4000 * (now - 1),)])
            runs = now
        self.assertIn("4000 found, 0 new, 4000 known",
                      self.add(many(4000))[1])

    def test_killed_while_the_store_is_made_another_can_make_it(self):
        self.write("a.xml", cppcheck(THREE))
        whole = self.time_of("a.xml")
        for moment in range(30):
            for name in os.listdir(self.folder):
                if name.startswith("db"):
                    os.unlink(self.path(name))
            self.kill_after(whole * moment / 30, "a.xml")
            code, out = self.add(THREE)
            self.assertEqual(code, 0, out)
            self.assertIn("3 found", out)
            self.check_whole()

    def test_ten_concurrent_imports_lose_nothing(self):
        for number in range(10):
            self.write(f"{number}.xml", cppcheck(many(100 + number)))
        # the store is not there yet: its making is part of the race
        processes = [self.start("--run", str(number), f"{number}.xml")
                     for number in range(10)]
        for process in processes:
            out, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, (out, err))
        self.assertEqual(self.rows(
            "SELECT n.name, count(*) FROM runs AS n JOIN run_results AS x ON "
            "x.run_id = n.id JOIN occurrences USING (result_id) "
            "GROUP BY n.id ORDER BY n.name"),
            [(str(number), 100 + number) for number in range(10)])
        self.check_whole()

    def check_full(self, code, out, err):
        self.assertEqual((code, out), (3, ""))
        self.assertRegex(err, "cannot write db: the disk is full( or broken)?"
                         "\n(scgate import: nothing was imported\n)?$")
        self.check_whole()
        self.assertEqual(self.rows("SELECT count(*) FROM runs"), [(1,)])

    def test_a_file_that_may_not_grow_leaves_the_store_as_it_was(self):
        self.write("a.xml", cppcheck(many(6000)))
        self.add(THREE)
        self.check_full(*self.run_scgate(
            "import", "--db", "db", "a.xml", preexec_fn=lambda:
            resource.setrlimit(resource.RLIMIT_FSIZE, (400000, 400000))))
        self.assertIn("6000 found, 6000 new", self.add(many(6000))[1])

    def test_a_full_disk_leaves_the_store_as_it_was(self):
        report = self.write("a.xml", cppcheck(many(6000)))
        report = self.path(report)
        self.folder = self.path("disk")
        os.mkdir(self.folder)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs",
                           self.folder], capture_output=True).returncode:
            self.skipTest("no right to mount")
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)
        self.add(THREE)
        self.check_full(*self.run_scgate("import", "--db", "db", report))

    def test_a_full_disk_before_there_is_a_store(self):
        code, out, err = self.run_scgate(
            "import", "--db", "db", "-", stdin=cppcheck(THREE).encode(),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                  (8192, 8192)))
        self.assertEqual((code, out, err), (
            2, "", "scgate import: cannot write db: the disk is full\n"))
        self.assertEqual(self.add(THREE)[0], 0)


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

    def test_how_many_is_wanted(self):
        for arguments, why in (
                ((), "--keep N is wanted"),
                (("--keep", "0"), "--keep takes a number from 1"),
                (("--keep", "2x"), "--keep takes a number from 1"),
                (("--keep", "2", "x"), "nothing but options is wanted")):
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
                         "unknown commit name".split())
        words = lines[1].split()
        self.assertEqual(words[:1] + words[2:],
                         ["1", "complete", "3", "3", "0", "0", "c0ffee",
                          'be"fore,'])
        words = lines[2].split()
        self.assertEqual(words[:1] + words[2:],
                         ["2", "complete", "1", "0", "2", "0", "-", "after"])

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
