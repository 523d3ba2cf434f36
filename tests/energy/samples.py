# SPDX-License-Identifier: MIT
"""What the tests of examples/energy share: a user's folder of counters, the
samples, and what runpipe sees of them.

SLUICE_SAMPLES names the folder of the C samples, SLUICE_RUNPIPE the program,
SLUICE_LIBRARY the library, SLUICE_SOURCE_DIR the top folder.
"""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

SAMPLES = os.environ["SLUICE_SAMPLES"]
RUNPIPE = os.environ["SLUICE_RUNPIPE"]
# The build's names are relative to the folder of the programs.
LIBRARY = os.path.realpath(os.path.join(os.path.dirname(RUNPIPE),
                                        os.environ["SLUICE_LIBRARY"]))
SOURCE_DIR = os.environ["SLUICE_SOURCE_DIR"]
SOURCES = os.path.join(SOURCE_DIR, "examples/energy")
TIMEOUT_S = 30  # a hang is a failure


class SampleTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="samples-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    # ---- files --------------------------------------------------------

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """A file that changes at once, as the kernel's do."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(path + ".new", path)
        return path

    def counter_files(self):
        folder = self.path("sluice")
        return os.listdir(folder) if os.path.isdir(folder) else []

    # ---- programs -----------------------------------------------------

    def environment(self, **changes):
        return {**os.environ, "LC_ALL": "C", "XDG_RUNTIME_DIR": self.folder,
                "LD_LIBRARY_PATH": os.path.dirname(LIBRARY), **changes}

    @staticmethod
    def sample(name):
        return os.path.join(SAMPLES, name)

    def start(self, *command, **options):
        """A program with a pipe to and from it, line by line. It is killed if
        it hangs, so that a line that never comes is a failure."""
        process = subprocess.Popen(
            command, **{"env": self.environment(), "cwd": self.folder,
                        "stdin": subprocess.PIPE, "stdout": subprocess.PIPE,
                        "stderr": subprocess.PIPE, "text": True, "bufsize": 1,
                        **options})
        self.addCleanup(self.end, process)
        watchdog = threading.Timer(TIMEOUT_S, process.kill)
        watchdog.daemon = True
        watchdog.start()
        self.addCleanup(watchdog.cancel)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in process.stdin, process.stdout, process.stderr:
            if stream:
                stream.close()

    def run_sample(self, *command, **options):
        return subprocess.run(
            command, **{"env": self.environment(), "cwd": self.folder,
                        "stdin": subprocess.DEVNULL, "capture_output": True,
                        "text": True, "timeout": TIMEOUT_S, **options})

    def finish(self, process, number=signal.SIGTERM):
        """End a program that runs until it is told. @return its last words."""
        process.send_signal(number)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 0, err)
        return out, err

    # ---- what others see ----------------------------------------------

    def rows(self, program=None):
        done = self.run_sample(RUNPIPE, "counters", "--json",
                               *([program] if program else []))
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def values(self, program):
        return {row["name"]: row["value"] for row in self.rows(program)}

    def until(self, condition):
        """What `condition` says once it says something."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            result = condition()
            if result:
                return result
            time.sleep(0.01)
        self.fail("it never came")
