#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What all commands say alike: help, misuse, databases, broken pipes."""
import os
import subprocess
import unittest

from support import SCGATE, THREE, Case, cppcheck

COMMANDS = ("read", "import", "runs", "query", "sql", "show", "diff",
            "suppress", "prune")


class HelpTest(Case):
    def test_help_is_there_in_two_ways(self):
        self.assertEqual(self.run_scgate("help"), self.run_scgate("--help"))
        for name in COMMANDS:
            with self.subTest(name=name):
                code, out, err = self.run_scgate("help", name)
                self.assertEqual((code, err), (0, ""))
                self.assertTrue(out.startswith(f"usage: scgate {name} "), out)
                self.assertEqual(self.run_scgate(name, "--help")[1], out)

    def test_a_command_that_is_not_there(self):
        for name, said in (
                ("querry", 'no command "querry", did you mean "query"?'),
                ("\x1b[31m", 'no command "?[31m"'),
                ("--none", 'no command "--none"')):
            for arguments in ((name,), ("help", name)):
                with self.subTest(arguments=arguments):
                    self.assertEqual(self.run_scgate(*arguments), (
                        2, "", f"scgate: {said}\ntry scgate --help\n"))


class MisuseTest(Case):
    def test_options_that_are_none_end_with_where_help_is(self):
        for name in COMMANDS:
            for arguments, said in (
                    (("--none",), "unrecognized option '--none'"),
                    (("-x",), "invalid option -- 'x'"),
                    (("--none", "--help"), "unrecognized option '--none'")):
                with self.subTest(name=name, arguments=arguments):
                    self.assertEqual(self.run_scgate(name, *arguments), (
                        2, "", f"scgate {name}: {said}\n"
                        f"try scgate {name} --help\n"))
        self.assertEqual(self.run_scgate("runs", "--db"), (
            2, "", "scgate runs: option '--db' requires an argument\n"
            "try scgate runs --help\n"))

    def test_an_output_that_is_none_is_told_which_there_are(self):
        for arguments, known in (
                (("read", "x"), "classic, table, jsonl and sarif"),
                (("runs",), "table, csv and json"),
                (("show", "1"), "text and json")):
            with self.subTest(arguments=arguments):
                self.assertEqual(
                    self.run_scgate(*arguments, "--output", "xml"),
                    (2, "", f"scgate {arguments[0]}: unknown output: xml; "
                     f"known are {known}\ntry scgate {arguments[0]} --help\n"))

    def test_a_format_that_is_none_is_told_where_they_are(self):
        for name in "read", "import":
            self.assertEqual(
                self.run_scgate(name, "--format", "lint", "x"),
                (2, "", f"scgate {name}: unknown format: lint; scgate read "
                 "--format help lists them\n"))


class DatabaseTest(Case):
    READERS = (("runs",), ("query", "new"), ("sql", "SELECT 1"), ("show", "1"),
               ("diff", "1", "2"), ("prune", "--keep", "1"))

    def refuse(self, message, db, commands=READERS):
        for command in commands:
            with self.subTest(command=command):
                self.assertEqual(
                    self.run_scgate(*command, "--db", db),
                    (2, "", f"scgate {command[0]}: {message}\n"))

    def test_one_that_is_not_there(self):
        self.refuse("cannot open none: No such file or directory; scgate "
                    "import makes it", "none")
        self.refuse("cannot open none/db: No such file or directory",
                    "none/db")
        self.assertEqual(os.listdir(self.folder), [])

    def test_one_that_is_something_else(self):
        self.write("report", cppcheck(THREE))
        commands = self.READERS + (("import", "report"),)
        for length in (3, 16, 99, 100, 300, 512, 4096, 100000):
            self.write("README", "# A page\n" * (length // 9 + 1))
            self.refuse("README is no SQLite database", "README", commands)
        os.mkdir(self.path("folder"))
        self.refuse("folder is a folder, and no database", "folder", commands)


class FolderTest(Case):
    def test_a_folder_is_no_report(self):
        os.mkdir(self.path("src"))
        said = ("src is a folder; reports are files, or rNsc folders of "
                "Intel's analyzer\n")
        for name in ("src", "src/"):
            self.assertEqual(self.run_scgate("read", name), (
                2, "", "scgate read: " + said.replace("src", name, 1)))
        self.assertEqual(self.run_scgate("import", "--db", "db", "src"), (
            2, "", f"scgate import: {said}scgate import: nothing was "
            "imported\n"))

    def test_a_folder_of_intels_is_told_what_it_lacks(self):
        os.mkdir(self.path("r000sc"))
        self.assertEqual(self.run_scgate("read", "r000sc"), (
            2, "", "scgate read: r000sc is a folder without data.N/r000sc.pdr"
            "\n"))


class PipeTest(Case):
    def test_who_reads_no_more_is_told_nothing(self):
        self.add(THREE)
        self.add(THREE[1:])
        self.write("report", cppcheck(THREE))
        for command in (("runs", "--db", "db"), ("read", "--format", "help"),
                        ("query", "new", "--db", "db", "--output", "csv"),
                        ("show", "1", "--db", "db"), ("query", "--list"),
                        ("help", "runs"), ("read", "--output", "jsonl",
                                           "report")):
            with self.subTest(command=command):
                read, write = os.pipe()
                os.close(read)
                # Python ignores the signal, and its children may not.
                run = subprocess.run([SCGATE, *command], stdout=write,
                                     stderr=subprocess.PIPE, timeout=60,
                                     cwd=self.folder)
                os.close(write)
                self.assertIn(run.returncode, (3, -13))
                said = run.stderr.decode().splitlines(True)
                self.assertEqual([line for line in said
                                  if not line.startswith("report: ")], [])


if __name__ == "__main__":
    unittest.main()
