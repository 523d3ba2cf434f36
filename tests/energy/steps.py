# SPDX-License-Identifier: MIT
"""A meter in a program of its own, driven step by step: see steps.c, which
SLUICE_STEPS names."""
import collections
import os
import subprocess

STEPS = os.environ["SLUICE_STEPS"]

Domain = collections.namedtuple(
    "Domain", "id label quality update_s resolution_j use why")
Mark = collections.namedtuple("Mark", "raw epoch reason")
Span = collections.namedtuple("Span", "energy_j reason")


def number(text):
    return None if text == "-" else float(text)


class Refused(Exception):
    """The meter does not open."""


class Steps:
    def __init__(self, meter, **environment):
        self.process = subprocess.Popen(
            [STEPS, meter], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=dict(os.environ, LC_ALL="C", **environment))
        self.domains, self.marks, self.spans = {}, {}, {}
        self.read()

    def read(self):
        for line in self.process.stdout:
            kind, _, rest = line.rstrip("\n").partition("\t")
            fields = rest.split("\t")
            if kind == "end":
                return
            if kind == "domain":
                self.domains[fields[0]] = Domain(
                    *fields[:3], float(fields[3]), float(fields[4]),
                    *fields[5:])
            elif kind == "mark":
                self.marks[fields[0]] = Mark(number(fields[1]),
                                             int(fields[2]), fields[3])
            elif kind == "span":
                self.spans[fields[0]] = Span(number(fields[1]), fields[2])
            else:
                self.end()
                raise Refused(kind.removeprefix("refused: "))
        self.end()
        raise Refused(f"it ended with {self.process.returncode}")

    def mark(self):
        """A mark, and what flowed since the one before."""
        self.marks, self.spans = {}, {}
        self.process.stdin.write("mark\n")
        self.process.stdin.flush()
        self.read()
        return self

    def end(self):
        """@return its exit status; the meter is closed."""
        if self.process.returncode is None:
            self.process.stdin.close()
            self.process.wait(60)
            self.process.stdout.close()
        return self.process.returncode
