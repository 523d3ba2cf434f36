# SPDX-License-Identifier: MIT
"""A git repository with sources, reports about them, and scgate in it."""
import os
import re
import sqlite3
import subprocess
import tempfile
import unittest
from xml.sax.saxutils import quoteattr

SCGATE = os.environ["SLUICE_SCGATE"]
# Nothing of the machine's or its user's git counts.
GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
       "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.org",
       "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.org"}


def location(path, line, column=1, info=None):
    words = f" info={quoteattr(info)}" if info else ""
    return (f"   <location file={quoteattr(path)} line=\"{line}\" "
            f"column=\"{column}\"{words}/>\n")


def finding(rule, message, path, line, column=1, severity="warning",
            verbose=None, cwe=None, events=()):
    """An error of cppcheck's XML; events: (path, line, column, info)."""
    number = f' cwe="{cwe}"' if cwe else ""
    return (f'  <error id={quoteattr(rule)} severity="{severity}" '
            f'msg={quoteattr(message)} verbose={quoteattr(verbose or message)}'
            f'{number} file0={quoteattr(path)}>\n'
            + location(path, line, column)
            + "".join(location(*event) for event in events) + "  </error>\n")


def report(*findings):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<results version="2">\n'
            ' <cppcheck version="2.10"/>\n <errors>\n' + "".join(findings)
            + " </errors>\n</results>\n")


class Repository(unittest.TestCase):
    """The database is "db", beside the repository "tree" that commands are
    given in."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.tree = os.path.join(self.folder, "tree")
        self.commits = []
        os.mkdir(self.tree)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.tree, check=True,
                              env={**os.environ, **GIT}, stdin=subprocess.PIPE,
                              capture_output=True).stdout.decode().strip()

    def path(self, name):
        return os.path.join(self.tree, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def read(self, name=".scgate-suppressions"):
        with open(self.path(name), "rb") as file:
            return file.read().decode()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "m")
        self.commits.append(self.git("rev-parse", "HEAD"))
        return self.commits[-1]

    def scgate(self, command, *arguments, cwd=None, stdin=b"", db="../db",
               **more):
        """Exit code, standard output, standard error; what changes from run
        to run has names."""
        run = subprocess.run(
            [SCGATE, command, "--db", db, *arguments], input=stdin,
            cwd=cwd or self.tree, env={**os.environ, **GIT},
            capture_output=True, timeout=120, **more)
        return (run.returncode, self.named(run.stdout.decode()),
                self.named(run.stderr.decode()))

    def named(self, text):
        for number, commit in enumerate(self.commits, 1):
            text = text.replace(commit, f"COMMIT{number}")
        text = text.replace(self.folder, "FOLDER")
        return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)

    def add(self, *findings, arguments=()):
        """Import a report of the last commit."""
        commit = ("--commit", self.commits[-1]) if self.commits else ()
        code, out, err = self.scgate("import", *commit, *arguments, "-",
                                     stdin=report(*findings).encode())
        self.assertIn(code, (0, 3), err)
        return out

    def rows(self, query):
        connection = sqlite3.connect(os.path.join(self.folder, "db"))
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def change(self, statement):
        connection = sqlite3.connect(os.path.join(self.folder, "db"))
        with connection:
            connection.execute(statement)
        connection.close()
