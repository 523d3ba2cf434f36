# SPDX-License-Identifier: MIT
"""What the tests of powercheck share: the program, a tree that stands in for
/sys and /proc and that a test or the command under test changes as it goes,
and a check of every report against the schema.

SLUICE_POWERCHECK names the program, SLUICE_SOURCE_DIR the top folder.
"""
import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as ElementTree

POWERCHECK = os.environ["SLUICE_POWERCHECK"]
SOURCE_DIR = os.environ["SLUICE_SOURCE_DIR"]
SCHEMA = os.path.join(SOURCE_DIR, "docs/powercheck.xsd")
TIMEOUT_S = 60  # a hang is a failure

# Powers that the tree's instrument shows; the command under test sets them.
BASE_W, ACTIVE_W = 10, 30


class Result:
    """How a run of the program ended."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


class PowercheckTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="powercheck-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root = os.path.join(self.folder, "root")
        self.tree("proc/stat", "cpu0 100 0 0 900 0 0 0 0 0 0\n"
                  "cpu1 100 0 0 900 0 0 0 0 0 0\n")
        self.tree("proc/interrupts", "  CPU0 CPU1\nLOC: 1000 1000 timer\n")
        self.tree("proc/cpuinfo", "processor : 0\nmodel name : Test CPU\n"
                  "cpu MHz : 2000.0\n\nprocessor : 1\n"
                  "model name : Test CPU\ncpu MHz : 3000.0\n")
        self.tree("proc/sys/kernel/osrelease", "6.1.0-test\n")
        chip = "sys/class/hwmon/hwmon0/"
        self.tree(chip + "name", "bench\n")
        self.tree(chip + "update_interval", "10\n")
        self.tree(chip + "temp1_input", "41500\n")
        self.power = chip + "power1_input"
        self.set_power(BASE_W)

    # ---- files --------------------------------------------------------

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def tree(self, name, text):
        """Change a file of the tree at once, as the kernel does."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        new = f"{path}.new{threading.get_ident()}"  # of this thread alone
        with open(new, "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(new, path)

    def set_power(self, watts):
        self.tree(self.power, f"{round(watts * 1e6)}\n")

    def powers(self):
        """Shell functions: `watts N` sets the instrument, and the base power
        comes back however the script ends."""
        path = os.path.join(self.root, self.power)
        return (f"watts() {{ echo $(($1 * 1000000)) > {path}.sh; "
                f"mv {path}.sh {path}; }}\n"
                f"trap 'watts {BASE_W}' EXIT\n"
                "trap 'exit 0' TERM\n")

    def script(self, text, name="app.sh"):
        return ["sh", self.write(name, self.powers() + text)]

    def busy(self, seconds=None):
        """A command that takes ACTIVE_W, says so, and works so long; without a
        time until it is told to end."""
        wait = (f"sleep {seconds}" if seconds else
                "while :; do sleep 10 & wait $!; done")
        return self.script(f"watts {ACTIVE_W}\necho ready\n{wait}\n")

    # ---- the program --------------------------------------------------

    def environment(self, **changes):
        environment = {name: value for name, value in os.environ.items()
                       if name != "SLUICE_PLUGIN_PATH"}
        environment.update(LC_ALL="C", HOME=self.folder,
                           XDG_RUNTIME_DIR=self.folder)
        environment.pop("XDG_CONFIG_HOME", None)
        environment.update(changes)
        return environment

    def start(self, *arguments, env=None):
        process = subprocess.Popen([POWERCHECK, *arguments], cwd=self.folder,
                                   env=self.environment(**(env or {})),
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def finish(self, process):
        out, err = process.communicate(timeout=TIMEOUT_S)
        return Result(process.returncode, out, err)

    def run_tool(self, *arguments, **options):
        return self.finish(self.start(*arguments, **options))

    def options(self, settle=0.1, window=0.7, repeat=1, meter="hwmon"):
        return ["--root", self.root, "--meter", meter, "--settle",
                str(settle), "--window", str(window), "--repeat", str(repeat),
                "--quiet-look", "0.1", "--xml", self.path("report.xml"),
                "--json", self.path("report.json")]

    def check(self, *arguments, command=None, env=None, **options):
        """An assessment by the tree's instrument; its report is valid. Where
        the machine stood still for seconds it is rightly refused, and then
        made again."""
        for _ in range(3):
            self.set_power(BASE_W)
            result = self.run_tool(*self.options(**options), *arguments, "--",
                                   *(command or self.busy()), env=env)
            if "was not read for too long" not in result.out:
                break
        if os.path.exists(self.path("report.xml")):
            self.report()
        return result

    # ---- reports ------------------------------------------------------

    def validate(self, path):
        lint = subprocess.run(["xmllint", "--noout", "--nonet", "--schema",
                               SCHEMA, path], capture_output=True, text=True)
        self.assertEqual(lint.returncode, 0, lint.stderr)

    def report(self, name="report.xml"):
        self.validate(self.path(name))
        return ElementTree.parse(self.path(name)).getroot()

    @staticmethod
    def kinds(report):
        return [phase.get("kind") for phase in report.iter("phase")]

    @staticmethod
    def figure(report, name):
        return float(report.find("result/" + name).get("value"))

    # ---- processes ----------------------------------------------------

    def await_file(self, name, timeout_s=20):
        """Until the command under test has got so far."""
        for _ in range(timeout_s * 100):
            if os.path.exists(self.path(name)):
                return
            time.sleep(0.01)
        self.fail(f"{name} did not appear")

    def await_line(self, process, word):
        """Read the program's output up to a line with that word."""
        for line in process.stdout:
            if word in line:
                return
        self.fail(f"no line with {word}")

    def check_nobody_left(self, word):
        """No process whose command line holds that word."""
        left = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if word.encode() in file.read():
                        left.append(pid)
            except OSError:
                pass
        self.assertEqual(left, [])

    SIGNALS = ((signal.SIGINT, 130), (signal.SIGTERM, 143))


def main():
    """Run a module's tests, some at once: they sleep most of the time."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(
        sys.modules["__main__"])
    chosen = sys.argv[1:]
    tests = [test for group in suite for test in group
             if not chosen or any(word in test.id() for word in chosen)]

    def run(test):
        result = unittest.TestResult()
        test.run(result)
        return test, result
    failed = False
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for test, result in pool.map(run, tests):
            for _, text in result.failures + result.errors:
                print(f"FAIL: {test.id()}\n{text}", file=sys.stderr)
                failed = True
            for _, reason in result.skipped:
                print(f"skipped: {test.id()}: {reason}", file=sys.stderr)
    print(f"{len(tests)} tests", file=sys.stderr)
    sys.exit(failed)
