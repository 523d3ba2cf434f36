#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy: shout in Python, Java, C# and Objective-C. Each counts
exactly what it has done, tells an error by an exception, and leaves no file."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import samples

JNA = "/usr/share/java/jna.jar"


def source(name):
    return os.path.join(samples.SOURCES, name)


class Language:
    """Tests that each language inherits; `command` is its program."""
    needs = ()  # programs and files

    @classmethod
    def setUpClass(cls):
        for need in cls.needs:
            if not shutil.which(need) and not os.path.exists(need):
                raise unittest.SkipTest(f"no {need} here")
        folder = tempfile.TemporaryDirectory(prefix="samples-")
        cls.addClassCleanup(folder.cleanup)
        cls.command = cls.make(folder.name)

    @staticmethod
    def compile(*command):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr

    def test_its_counters_are_exact_while_it_runs(self):
        shout = self.start(*self.command)
        for line in "one", "three", "eleven":
            shout.stdin.write(line + "\n")
            shout.stdin.flush()
            self.assertEqual(shout.stdout.readline(), line.upper() + "\n")
        row = {"program": "shout", "process": shout.pid, "state": "live"}
        self.assertEqual(self.rows(), [
            {**row, "name": "lines", "unit": "line", "value": 3, "count": 3},
            {**row, "name": "bytes", "unit": "B", "value": 17, "count": 17},
            {**row, "name": "mean_line", "unit": "B", "value": 17 / 3},
        ])
        self.assertEqual(len(self.counter_files()), 1)
        out, err = shout.communicate(timeout=samples.TIMEOUT_S)
        self.assertEqual((shout.returncode, out, err), (0, "", ""))
        self.assertEqual(self.counter_files(), [])

    def test_an_error_is_an_exception_with_the_librarys_words(self):
        os.mkdir(self.path("sluice"))
        os.chmod(self.path("sluice"), 0o777)
        done = self.run_sample(*self.command)
        self.assertEqual(done.stderr, f"shout: {self.path('sluice')} is not a "
                         "folder that only this user may write\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))


class Python(Language, samples.SampleTest):
    @classmethod
    def make(cls, folder):
        return [sys.executable, "-B", source("shout.py")]


class Java(Language, samples.SampleTest):
    needs = "javac", JNA

    @classmethod
    def make(cls, folder):
        cls.compile("javac", "-Xlint:all", "-Werror", "-cp", JNA, "-d", folder,
                    source("Shout.java"))
        return ["java", "-cp", f"{JNA}:{folder}", "Shout"]


class CSharp(Language, samples.SampleTest):
    needs = "mcs", "mono"

    @classmethod
    def make(cls, folder):
        program = os.path.join(folder, "shout.exe")
        cls.compile("mcs", "-warnaserror", "-out:" + program,
                    source("shout.cs"))
        return ["mono", program]


class ObjectiveC(Language, samples.SampleTest):
    needs = "gcc",

    @classmethod
    def make(cls, folder):
        probe = subprocess.run(
            ["gcc", "-x", "objective-c", "-fsyntax-only", "-"],
            input="#include <objc/objc.h>\n", capture_output=True, text=True)
        if probe.returncode:
            raise unittest.SkipTest("no Objective-C here: "
                                    + probe.stderr.splitlines()[0])
        program = os.path.join(folder, "shout")
        cls.compile("gcc", "-std=gnu17", "-Wall", "-Wextra",
                    "-fobjc-exceptions", "-I",
                    os.path.join(samples.SOURCE_DIR, "core/include"),
                    "-o", program, source("shout.m"), samples.LIBRARY,
                    "-lobjc")
        return [program]


if __name__ == "__main__":
    unittest.main(verbosity=2)  # says why a language is skipped
