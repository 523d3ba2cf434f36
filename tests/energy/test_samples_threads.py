#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy/threads: no count is lost, whoever counts."""
import re
import unittest

import samples

REPORT = re.compile(r"^one counter for all: (\d+) of (\d+) counted, [\d.]+ ns "
                    r"each\na counter a thread: (\d+) of (\d+) counted, "
                    r"[\d.]+ ns each\n")


class Threads(samples.SampleTest):
    def test_the_sums_of_many_threads_are_exact(self):
        done = self.run_sample(self.sample("threads"), "8", "1000000",
                               samples.RUNPIPE, "counters", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = REPORT.match(done.stdout)
        self.assertTrue(report, done.stdout)
        self.assertEqual(report.groups(), ("8000000",) * 4)
        seen = done.stdout[report.end():].splitlines()
        self.assertEqual(len(seen), 9)
        self.assertIn('"name":"all","unit":"count","value":8000000', seen[0])
        for thread, row in enumerate(seen[1:]):
            self.assertIn(f'"name":"thread.{thread}","unit":"count",'
                          '"value":1000000', row)
        self.assertEqual(self.counter_files(), [])

    def test_what_cannot_be(self):
        for arguments in (), ("0", "1"), ("65", "1"), ("1", "0"), ("2", "x"):
            done = self.run_sample(self.sample("threads"), *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: threads THREADS COUNTS", done.stderr)
        done = self.run_sample(self.sample("threads"), "1", "1",
                               "/nonexistent/x")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nonexistent/x: No such file", done.stderr)

    def test_a_folder_that_cannot_be_made(self):
        done = self.run_sample(
            self.sample("threads"), "1", "1",
            env=self.environment(XDG_RUNTIME_DIR="/nonexistent"))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "threads: cannot make "
                         "/nonexistent/sluice: No such file or directory\n")


if __name__ == "__main__":
    unittest.main()
