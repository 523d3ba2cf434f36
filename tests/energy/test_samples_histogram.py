#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy/histogram: how busy CPUs are, from a tree that changes and
from this machine."""
import json
import unittest

import samples

# user nice system idle iowait irq softirq steal guest guest_nice: all that cpu0
# does, it does for guests.
STAT = ("cpu  1 1 1 1 1\ncpu0 {0} 0 0 {1} {2} 0 0 {3} {0} 7\n"
        "cpu7 {4} 0 0 {5} 0 0 0 0\n")
# It starts after the first look at the clocks, and lives until it is told.
WAIT = "sh", "-c", "echo ready; read line; exit 3"


class Histogram(samples.SampleTest):
    def setUp(self):
        super().setUp()
        self.clocks = [0] * 6
        self.advance()

    def advance(self, *ticks):
        """Let the CPUs' fields grow: busy, idle, iowait and steal of cpu0, busy
        and idle of cpu7."""
        for at, more in enumerate(ticks):
            self.clocks[at] += more
        self.write("root/proc/stat", STAT.format(*self.clocks))

    def histogram(self, *options, periods=()):
        """Run it over these periods; each is seen before the next begins."""
        program = self.start(self.sample("histogram"), "-r", self.path("root"),
                             "-p", "0.05", "-v", *options, *WAIT)
        self.assertEqual(program.stderr.readline(), "ready\n")
        for number, (busy, ticks) in enumerate(periods, 1):
            self.advance(*ticks)
            self.assertEqual(program.stderr.readline(),
                             f"period {number}: {busy:.1f} % busy\n")
        out, err = program.communicate("go\n", timeout=samples.TIMEOUT_S)
        self.assertEqual((program.returncode, err), (3, ""))
        return out

    def rows(self, **options):
        out = self.histogram("-j", **options)
        return {row["name"]: row for row in map(json.loads, out.splitlines())}

    # cpu0: 100 ticks at 5 %, 100 idle, 200 busy. cpu7: 300 idle, 100 at 55 %.
    PERIODS = ((2.5, (5, 75, 15, 5, 0, 100)), (27.5, (0, 100, 0, 0, 55, 45)),
               (50, (200, 0, 0, 0, 0, 200)))

    def test_shares_of_time(self):
        rows = self.rows(periods=self.PERIODS)
        self.assertEqual(list(rows), ["cpu0", "cpu7", "machine"])
        self.assertEqual(rows["cpu0"]["share"], [.5] + [0] * 8 + [.5])
        self.assertEqual(rows["cpu7"]["share"],
                         [.75, 0, 0, 0, 0, .25, 0, 0, 0, 0])
        # Of the machine's 800 ticks 200 at 2.5 %, 200 at 27.5 %, 400 at 50 %.
        self.assertEqual(rows["machine"]["share"],
                         [.25, 0, .25, 0, 0, .5, 0, 0, 0, 0])
        self.assertEqual([row["busy"] for row in rows.values()],
                         [.5125, .1375, .325])

    def test_the_table(self):
        self.assertEqual(self.histogram(periods=self.PERIODS), """\
from %       0    10    20    30    40    50    60    70    80    90     mean
cpu0      50.0   0.0   0.0   0.0   0.0   0.0   0.0   0.0   0.0  50.0     51.2
cpu7      75.0   0.0   0.0   0.0   0.0  25.0   0.0   0.0   0.0   0.0     13.8
machine   25.0   0.0  25.0   0.0   0.0  50.0   0.0   0.0   0.0   0.0     32.5
""")

    def test_a_cpu_whose_clock_stands_has_no_share(self):
        rows = self.rows(periods=[(100, (0, 0, 0, 0, 50, 0))])
        self.assertEqual((rows["cpu0"]["busy"], rows["cpu0"]["share"]),
                         (None, []))
        self.assertEqual(rows["cpu7"]["busy"], 1)
        out = self.histogram(periods=[(100, (0, 0, 0, 0, 50, 0))])
        self.assertIn("cpu0    " + "     -" * 10 + "        -\n", out)

    def test_fields_that_fall_are_no_time(self):
        rows = self.rows(periods=[
            (50, (50, 0, 50, 0, 0, 0)),
            # iowait falls by 20; of the 30 that follow 10 are new
            (100, (10, 0, -20, 0, 0, 0)),
            (50, (10, 0, 30, 0, 0, 0))])
        self.assertAlmostEqual(rows["cpu0"]["share"][9], 10 / 130, places=5)
        self.assertAlmostEqual(rows["cpu0"]["share"][5], 120 / 130, places=5)

    def test_a_file_that_vanishes_is_named(self):
        self.write("root/proc/stat", "cpu0 1 1\n")
        done = self.run_sample(
            self.sample("histogram"), "-r", self.path("root"), "rm",
            self.path("root/proc/stat"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "histogram: proc/stat: No such file or "
                         "directory\n")
        self.assertIn("machine      -", done.stdout)

    def test_a_tree_without_it(self):
        done = self.run_sample(self.sample("histogram"), "-r",
                               self.path("none"), "true")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "histogram: proc/stat: No such file or "
                         "directory\n")

    def test_the_commands_end_and_output(self):
        done = self.run_sample(self.sample("histogram"), "sh", "-c",
                               "echo talk; exit 7")
        self.assertEqual((done.returncode, done.stderr), (7, "talk\n"))
        self.assertTrue(done.stdout.startswith("from %"))
        done = self.run_sample(self.sample("histogram"), "/nonexistent/x")
        self.assertEqual((done.returncode, done.stdout), (127, ""))
        self.assertIn("histogram: /nonexistent/x: No such file", done.stderr)
        done = self.run_sample(self.sample("histogram"), "-p", "0", "true")
        self.assertEqual(done.returncode, 2)

    def test_this_machines_shares_add_up(self):
        done = self.run_sample(
            self.sample("histogram"), "-j", "-p", "0.05", "sh", "-c",
            "timeout 0.3 sh -c 'while :; do :; done'; true")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(rows[-1]["name"], "machine")
        self.assertAlmostEqual(sum(rows[-1]["share"]), 1, places=4)
        self.assertTrue(0 < rows[-1]["busy"] <= 1)
        self.assertAlmostEqual(sum(row["seconds"] for row in rows[:-1]),
                               rows[-1]["seconds"], places=2)


if __name__ == "__main__":
    unittest.main()
