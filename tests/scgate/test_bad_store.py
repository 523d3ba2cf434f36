#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate import on databases, folders and disks that are not as they should
be, and killed in the middle."""
import hashlib
import os
import resource
import shutil
import sqlite3
import subprocess
import time
import unittest

from support import NOBODY, SCGATE, THREE, Case, cppcheck, many


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

    @unittest.skipUnless(shutil.which("strace"), "no strace here")
    def test_a_network_file_system(self):
        for magic, name in (("6969", "NFS"), ("424d53fe", "SMB")):
            with self.subTest(name=name):
                run = subprocess.run(
                    ["strace", "-qq", "-o", os.devnull, "-e", "inject=statfs:"
                     f"poke_exit=@arg2={magic.ljust(16, '0')}", SCGATE,
                     "import", "--db", "db", "-"], cwd=self.folder,
                    input=cppcheck(THREE).encode(), capture_output=True,
                    env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
                    timeout=60)
                err = run.stderr.decode()
                if "strace:" in err or "poke_exit" in err:
                    self.skipTest("strace may not trace, or is too old")
                self.assertEqual((run.returncode, run.stdout, err), (
                    2, b"", "scgate import: db is on a network file system "
                    f"({name}), where a store cannot be\n"))
                self.assertEqual(os.listdir(self.folder), [])


class DamageTest(Case):
    """A database that is broken. What import says first depends on where."""

    def setUp(self):
        super().setUp()
        self.write("a.xml", cppcheck(many(400)))
        self.add(many(400))
        with open(self.path("db"), "rb") as file:
            self.good = file.read()

    def bring(self, text):
        for name in os.listdir(self.folder):
            if name.startswith("db"):
                os.unlink(self.path(name))
        self.write("db", text)
        return self.run_scgate("import", "--db", "db", "a.xml")

    DAMAGED = ("scgate import: db is damaged: database disk image is "
               "malformed\n")

    def test_a_database_that_is_cut_off(self):
        size = len(self.good)
        for length in (2, 15, 50):
            self.assertEqual(self.bring(self.good[:length])[:2], (2, ""))
        for length in (100, 512, 4095, 4096, 8192, size // 2, size // 2 + 1,
                       size - 4096):
            with self.subTest(length=length):
                self.assertEqual(self.bring(self.good[:length]),
                                 (2, "", self.DAMAGED))
                self.assertEqual(os.path.getsize(self.path("db")), length)
                code, out, err = self.run_scgate("runs", "--db", "db")
                self.assertEqual((code, out, err), (
                    2, "", self.DAMAGED.replace("import", "runs")))

    def test_a_database_with_other_bytes_in_the_middle(self):
        page = 4096
        seen = set()
        for start in range(0, len(self.good), page):
            text = bytearray(self.good)
            at = start + (100 if start == 0 else 0)
            text[at:at + 64] = bytes(byte ^ 0xff for byte in text[at:at + 64])
            code, out, err = self.bring(bytes(text))
            seen.add(code)
            with self.subTest(page=start // page):
                if code == 0:  # texts of another run, or a page that is free
                    self.assertTrue(out.startswith("run 2: 400 found"), out)
                    continue
                self.assertEqual(out, "")
                self.assertIn(code, (2, 3))
                self.assertIn(self.DAMAGED, err)
        self.assertLessEqual({2, 3}, seen)

    # SQLite takes a file of one byte for an empty one, and so it is written
    # over, whatever it was.
    def test_a_file_of_one_byte_is_no_database(self):
        code, out, err = self.bring(b"x")
        self.assertEqual((code, out, err), (
            2, "", "scgate import: db is no SQLite database\n"))

    def test_whoever_cannot_write_hears_that_nothing_was_imported(self):
        page = 4096
        for start in range(page, len(self.good), page):
            text = bytearray(self.good)
            text[start:start + 64] = b"\xff" * 64
            code, _, err = self.bring(bytes(text))
            if code == 3:
                self.assertTrue(err.endswith(
                    "scgate import: nothing was imported\n"), err)


class ReadOnlyTest(Case):
    @unittest.skipUnless(os.geteuid() == 0, "needs root, to become another")
    def test_who_may_not_write_can_read(self):
        self.add(THREE)
        os.chmod(self.folder, 0o755)
        run = self.run_scgate("runs", "--db", "db", "--output", "csv",
                              user=NOBODY, group=NOBODY)
        self.assertEqual((run[0], run[2]), (0, ""))
        self.assertEqual(len(run[1].splitlines()), 2)
        run = self.run_scgate("prune", "--db", "db", "--keep", "1",
                              user=NOBODY, group=NOBODY)
        self.assertEqual(run[0], 2)


class MadeUpTest(Case):
    """Stores that somebody made to deceive."""

    def change(self, statement):
        connection = sqlite3.connect(self.path("db"))
        with connection:
            connection.execute(statement)
        connection.close()

    def test_a_file_that_is_not_there_is_damage(self):
        for number in (999999999, -5):
            self.add(THREE)
            self.change(f"UPDATE occurrences SET file_id = {number}")
            code, out, err = self.run_scgate(
                "import", "--db", "db", "-", stdin=cppcheck(THREE[:1]).encode())
            self.assertEqual((code, out), (3, ""))
            self.assertIn("db is damaged: an occurrence has no file\n", err)
            os.unlink(self.path("db"))

    def test_a_number_beyond_all_files_is_damage(self):
        self.add(THREE)
        self.change("INSERT INTO files VALUES (9223372036854775807, 'x')")
        code, out, err = self.run_scgate(
            "import", "--db", "db", "-", stdin=cppcheck(THREE).encode())
        self.assertEqual((code, out), (3, ""))
        self.assertIn("db is damaged: a file has the number", err)

    def test_triggers_do_not_make_a_run_look_clean(self):
        self.add(THREE)
        self.change("CREATE TRIGGER y AFTER INSERT ON counts BEGIN UPDATE "
                    "counts SET found = 0, new = 0; END")
        self.assertIn("3 found", self.add(THREE)[1])

    def test_views_do_not_stand_for_tables(self):
        self.add(THREE)
        self.change("ALTER TABLE files RENAME TO f2")
        self.change("CREATE VIEW files AS WITH RECURSIVE c (x) AS (SELECT 1 "
                    "UNION ALL SELECT x + 1 FROM c) SELECT x AS id, 'p' AS "
                    "path FROM c")
        self.assertEqual(self.run_scgate("query", "new", "--db", "db")[:2],
                         (3, ""))


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


if __name__ == "__main__":
    unittest.main()
