# SPDX-License-Identifier: MIT
"""What the tests of scgate share: its runs, reports, and looks at a store."""
import os
import sqlite3
import subprocess
import tempfile
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

    def as_nobody(self):
        if os.getuid():
            return {}
        try:
            subprocess.run([SCGATE, "--version"], user=NOBODY, check=True,
                           capture_output=True)
        except PermissionError:
            self.skipTest("nobody may not run scgate")
        return {"user": NOBODY, "group": NOBODY}
