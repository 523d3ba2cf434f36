#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machines that misbehave while they are measured, and those with more meters
than may be added."""
import os
import pwd
import subprocess
import unittest

import harness

RANGE = 262143328850
POWERCAP = "sys/class/powercap/"
BATTERY = "sys/class/power_supply/BAT0/"


class Failing(harness.PowercheckTest):
    """A file that goes bad in the active phase: a figure would be a lie."""

    def refused(self, result, reason):
        self.assertEqual(result.code, 1, result.out + result.err)
        report = self.report()
        self.assertEqual(report.get("outcome"), "refused")
        active = report.find("phases/phase[@kind='active']/energy")
        self.assertEqual(active.get("valid"), "false")
        self.assertIn(reason, active.get("reason"))
        self.assertIn(reason, result.out)
        self.assertIsNone(active.get("joules"))
        self.assertFalse([figure.tag for figure in report.find("result")
                          if figure.get("valid") == "true" and
                          figure.tag not in ("time_s", "idle_power_w")])

    def spoil(self, command, meter="hwmon"):
        return self.check(command=["sh", "-c", f"sleep 0.3; {command}; "
                                   "exec sleep 60"], meter=meter)

    def test_a_file_that_vanishes(self):
        path = os.path.join(self.root, self.power)
        self.refused(self.spoil(f"mv {path} {path}.gone"),
                     "power1_input: No such file or directory")

    def test_a_file_that_turns_unreadable(self):
        path = os.path.join(self.root, self.power)
        self.refused(self.spoil(f"rm {path}; mkdir {path}"),
                     "power1_input: Is a directory")

    def test_a_file_that_is_empty_or_garbage_or_too_much(self):
        path = os.path.join(self.root, self.power)
        for text, reason in (("", "empty"), ("garbage", "is no number"),
                             ("99999999999999999999", "is no number")):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.refused(self.spoil(f"printf '%s' '{text}' > {path}"), reason)

    def test_a_battery_that_starts_charging(self):
        for name, text in (("type", "Battery"), ("status", "Discharging"),
                           ("power_now", "12000000"),
                           ("energy_now", "40000000"), ("present", "1")):
            self.tree(BATTERY + name, text + "\n")
        path = os.path.join(self.root, BATTERY)
        self.refused(self.spoil(f"echo Charging > {path}status",
                                meter="battery"), "Charging")


class Several(harness.PowercheckTest):
    """Package, core, memory, platform and a twin of the package side by side:
    no joule is counted twice, and none is hidden."""

    def setUp(self):
        super().setUp()
        for zone, name in (("intel-rapl:0", "package-0"),
                           ("intel-rapl:0:0", "core"),
                           ("intel-rapl:0:1", "uncore"),
                           ("intel-rapl:0:2", "dram"),
                           ("intel-rapl:1", "psys"),
                           ("intel-rapl-mmio:0", "package-0"),
                           ("intel-rapl:a", "package-10")):
            self.zone(zone, name)

    def zone(self, zone, name):
        self.tree(f"{POWERCAP}{zone}/name", name + "\n")
        self.tree(f"{POWERCAP}{zone}/energy_uj", "1000000\n")
        self.tree(f"{POWERCAP}{zone}/max_energy_range_uj", f"{RANGE}\n")

    def test_the_list_of_meters(self):
        result = self.run_tool("meters", "--root", self.root, "--meter",
                               "rapl")
        self.assertEqual(result.code, 0, result.err)
        use = {line.split()[1]: line for line in result.out.splitlines()[1:]
               if line.startswith("rapl")}
        for zone in "intel-rapl:0", "intel-rapl:0:2", "intel-rapl:a":
            self.assertTrue(use[zone].endswith(" counted"), use[zone])
        for zone in ("intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1",
                     "intel-rapl-mmio:0"):
            self.assertIn(" aside: ", use[zone])
        self.assertIn("package-10", use["intel-rapl:a"])

    def test_the_sum_of_a_phase(self):
        steps = {"intel-rapl:0": 40, "intel-rapl:0:0": 25,
                 "intel-rapl:0:1": 5, "intel-rapl:0:2": 7,
                 "intel-rapl:1": 90, "intel-rapl-mmio:0": 40,
                 "intel-rapl:a": 30}  # hundredths of a joule
        command = ["sh", "-c", f"sleep 0.2; cd {self.root}/{POWERCAP}\n" +
                   "".join(f"echo {1000000 + 10000 * step} > new; "
                           f"mv new {zone}/energy_uj\n"
                           for zone, step in steps.items()) +
                   "exec sleep 60"]
        self.check(command=command, meter="rapl")
        report = self.report()
        number = {domain.get("id"): domain.get("number")
                  for domain in report.iter("domain")}
        active = report.find("phases/phase[@kind='active']")
        joules = {domain.get("domain"): float(domain.get("joules"))
                  for domain in active.iter("domain_energy")
                  if domain.get("joules")}
        for zone, step in steps.items():
            self.assertAlmostEqual(joules[number[zone]], step / 100, places=6)
        self.assertAlmostEqual(float(active.find("energy").get("joules")),
                               0.40 + 0.07 + 0.30, places=6)


class Listed(harness.PowercheckTest):
    def test_a_channel_that_is_switched_off(self):
        chip = os.path.dirname(self.power)
        self.tree(chip + "/power1_enable", "0\n")
        result = self.run_tool("meters", "--root", self.root, "--meter",
                               "hwmon")
        self.assertEqual(result.code, 1)
        self.assertIn("switched off: power1_enable is 0", result.out)
        result = self.check()
        self.assertEqual(result.code, 1)
        self.assertEqual(self.report().get("outcome"), "refused")
        self.assertNotIn(" J, 95 %", result.out)

    @unittest.skipIf(os.getuid(), "only root can become somebody else")
    def test_a_counter_that_only_root_may_read(self):
        zone = POWERCAP + "intel-rapl:0/"
        self.tree(zone + "name", "package-0\n")
        self.tree(zone + "max_energy_range_uj", f"{RANGE}\n")
        self.tree(zone + "energy_uj", "5\n")
        os.chmod(os.path.join(self.root, zone + "energy_uj"), 0o400)
        os.chmod(self.folder, 0o755)
        nobody = pwd.getpwnam("nobody").pw_uid
        done = subprocess.run(
            [harness.POWERCHECK, "meters", "--root", self.root, "--meter",
             "rapl"], env=self.environment(), cwd="/", capture_output=True,
            text=True, check=False, preexec_fn=lambda: os.setuid(nobody))
        self.assertEqual(done.returncode, 1)
        self.assertIn("intel-rapl:0/energy_uj: Permission denied",
                      done.stdout)


if __name__ == "__main__":
    harness.main()
