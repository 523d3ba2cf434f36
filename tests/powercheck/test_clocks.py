#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clocks that jump while it is measured, and a machine that sleeps."""
import os

import harness

CLOCKS = os.environ["SLUICE_CLOCKS"]


class Clocks(harness.PowercheckTest):
    def jump(self, wall_s, ahead_s):
        """Measure while the clocks jump in the active phase."""
        file = self.path("clocks")
        command = self.script(
            f"watts {harness.ACTIVE_W}\necho ready\nsleep 0.3\n"
            f"echo {wall_s} {ahead_s} > {file}.new\nmv {file}.new {file}\n"
            "sleep 60 & wait $!\n")
        result = self.check("--start-line", "ready", command=command, env={
            "LD_PRELOAD": CLOCKS, "SLUICE_CLOCKS_FILE": file,
            "ASAN_OPTIONS": "verify_asan_link_order=0"})
        self.assertTrue(os.path.exists(file))
        return result

    def test_a_wall_clock_that_is_set_changes_nothing(self):
        for wall_s in 86400, -86400:
            result = self.jump(wall_s, 0)
            self.assertEqual(result.code, 0, result.out + result.err)
            report = self.report()
            self.assertAlmostEqual(self.figure(report, "net_power_w"),
                                   harness.ACTIVE_W - harness.BASE_W,
                                   places=6)
            base, active, idle = report.iter("phase")
            # it did jump
            self.assertGreater(abs(float(idle.get("started")) -
                                   float(base.get("started"))), 80000)
            self.assertLess(float(active.get("elapsed_s")), 30)
            os.remove(self.path("clocks"))

    def test_a_machine_that_slept_has_no_figure(self):
        result = self.jump(0, 30)
        self.assertEqual(result.code, 1)
        report = self.report()
        active = report.find("phases/phase[@kind='active']/energy")
        self.assertEqual(active.get("valid"), "false")
        self.assertIn("suspended for 30.0 s", active.get("reason"))
        self.assertIn("suspended for 30.0 s", result.out)
        self.assertEqual(report.find("result/net_energy_j").get("valid"),
                         "false")


if __name__ == "__main__":
    harness.main()
