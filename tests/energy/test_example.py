#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy/meter, which SLUICE_METER names."""
import os
import re
import subprocess
import tempfile
import unittest

METER = os.environ["SLUICE_METER"]
FIGURE = re.compile(r"^([\d.]+) s, ([\d.]+) J \+- ([\d.]+) J, "
                    r"([\d.]+) W( \(estimate\))?\n$")


class Meter(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_meter(self, *arguments):
        return subprocess.run([METER, *arguments], capture_output=True,
                              text=True, timeout=120)

    def constant_power(self):
        return "replay:file=" + self.write("w.csv",
                                           "time_s,watts\n0,10\n9000,10\n")

    def test_the_joules_of_a_command(self):
        run = self.run_meter(self.constant_power(), "true")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, "replay: watts: counted\n")
        figure = FIGURE.match(run.stdout)
        self.assertTrue(figure, run.stdout)
        self.assertAlmostEqual(float(figure[4]), 10, places=2)
        self.assertAlmostEqual(float(figure[2]), 10 * float(figure[1]),
                               delta=0.02)
        self.assertIsNone(figure[5])

    def test_a_second_without_a_command(self):
        run = self.run_meter(self.constant_power())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(float(FIGURE.match(run.stdout)[1]), 0.999)

    def test_a_models_figure_is_an_estimate(self):
        self.write("proc/stat", "cpu0 100 0 0 100\n")
        stat = os.path.join(self.folder, "proc/stat")
        run = self.run_meter(
            f"cpu_model:root={self.folder},idle=3.0,busy=9.0", "sh", "-c",
            f"echo cpu0 150 0 0 150 > {stat}")
        self.assertEqual(run.returncode, 0, run.stderr)
        figure = FIGURE.match(run.stdout)
        self.assertEqual(figure[5], " (estimate)")
        self.assertAlmostEqual(float(figure[4]), 6, places=2)

    def test_the_commands_exit_code_is_the_programs(self):
        run = self.run_meter(self.constant_power(), "sh", "-c", "exit 7")
        self.assertEqual(run.returncode, 7)
        run = self.run_meter(self.constant_power(), "/nonexistent/x")
        self.assertEqual(run.returncode, 127)
        self.assertIn("meter: /nonexistent/x: No such file", run.stderr)

    def test_no_figure_has_a_reason(self):
        path = self.write("w.csv", "time_s,watts\n0,\n9000,10\n")
        run = self.run_meter("replay:file=" + path, "true")
        self.assertEqual(run.stdout, "")
        self.assertIn("no figure: watts: nothing was recorded at 0 s\n",
                      run.stderr)

    def test_a_meter_that_cannot_be_used(self):
        run = self.run_meter("rapl:root=" + self.folder, "true")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr,
                         'meter: meter "rapl": sys/class/powercap: '
                         "No such file or directory\n")
        self.assertEqual(self.run_meter().returncode, 2)


if __name__ == "__main__":
    unittest.main()
