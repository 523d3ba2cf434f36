# SPDX-License-Identifier: MIT
"""What the tests of runpipe share: a folder of their own, the program, and
checks of all that it leaves behind.

The places come from the environment: SLUICE_RUNPIPE (the program),
SLUICE_TEST_PLUGINS (what plugins/ here was built to),
SLUICE_SOURCE_DIR (the top folder).
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

RUNPIPE = os.environ["SLUICE_RUNPIPE"]
TEST_PLUGINS = os.environ["SLUICE_TEST_PLUGINS"]
SOURCE_DIR = os.environ["SLUICE_SOURCE_DIR"]
# Where plugins are looked for after all other places.
PLUGINS = os.path.realpath(
    os.path.join(os.path.dirname(RUNPIPE), "..", "lib", "sluice"))
TIMEOUT_S = 120  # a hang is a failure

# Every way to run that must make no difference.
ENGINES = (["--serial"], ["--workers", "1"], ["--workers", "2"],
           ["--workers", "8"])

TRACE_TO_TRACE = '''\
source = { plugin = "trace_text"; path = "trace.txt"; };
stages = ();
sink = { plugin = "trace_text"; path = "out.txt"; };
'''


class Result:
    """How a run of the program ended."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


class RunpipeTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="runpipe-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    # ---- files --------------------------------------------------------

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """Make a file; text is encoded as Latin-1, so that a byte is a
        character."""
        if isinstance(content, str):
            content = content.encode("latin-1")
        with open(self.path(name), "wb") as file:
            file.write(content)

    def read(self, name):
        """A file's bytes; those of a folder are its names."""
        if os.path.isdir(self.path(name)):
            return repr(sorted(os.listdir(self.path(name)))).encode()
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.folder))

    # ---- the program --------------------------------------------------

    def environment(self, **changes):
        environment = {name: value for name, value in os.environ.items()
                       if name != "SLUICE_PLUGIN_PATH"}
        environment["LC_ALL"] = "C"
        environment.update(changes)
        return environment

    def start(self, *arguments, env=None, **options):
        """The program, running in the test's folder."""
        for stream in ("stdin", "stdout", "stderr"):
            options.setdefault(stream, subprocess.PIPE)
        process = subprocess.Popen([RUNPIPE, *arguments], cwd=self.folder,
                                   env=self.environment(**(env or {})),
                                   **options)
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def finish(self, process, stdin=None):
        out, err = process.communicate(stdin, timeout=TIMEOUT_S)
        return Result(process.returncode, out, (err or b"").decode("latin-1"))

    def run_pipe(self, *arguments, stdin=b"", **options):
        """Run it to its end; stdin is bytes, or a file."""
        if not isinstance(stdin, bytes):
            options["stdin"], stdin = stdin, None
        return self.finish(self.start(*arguments, **options), stdin)

    # ---- checks -------------------------------------------------------

    def check(self, result, code, err="", out=b""):
        """All three things that a run leaves behind."""
        self.assertEqual((result.code, result.err), (code, err))
        self.assertEqual(result.out, out)

    def check_lines(self, got, wanted, message=""):
        """Compare outputs; a difference shows its line, not all of them."""
        if got == wanted:
            return
        got_lines, wanted_lines = got.split(b"\n"), wanted.split(b"\n")
        for at, (left, right) in enumerate(zip(got_lines, wanted_lines)):
            if left != right:
                self.fail(f"{message}: line {at + 1} is {left[:300]!r}, "
                          f"not {right[:300]!r}")
        self.fail(f"{message}: {len(got_lines) - 1} lines, not "
                  f"{len(wanted_lines) - 1}")


def main():
    """Run the file's tests. All of them skipped is not passed: ctest knows 77."""
    result = unittest.main(verbosity=2 if sys.stdout.isatty() else 1,
                           exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    if result.skipped and len(result.skipped) >= result.testsRun:
        sys.exit(77)
