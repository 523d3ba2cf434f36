#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""When there is no figure, and what is said instead. The raw data stays."""
import os
import threading
import time

import harness

RANGE = 262143328850
RAPL = "sys/class/powercap/intel-rapl:0/"


class Refusals(harness.PowercheckTest):
    def refused(self, result, reason):
        self.assertEqual(result.code, 1, result.out + result.err)
        report = self.report()
        self.assertEqual(report.get("outcome"), "refused")
        self.assertIn(reason, report.get("reason"))
        self.assertIn("refused", result.out)
        self.assertIn(reason, result.out)
        self.assertEqual(report.find("result/net_energy_j").get("valid"),
                         "false")
        self.assertEqual(self.kinds(report)[:3],
                         ["baseline", "active", "idle"])
        for samples in report.iter("samples"):
            self.assertGreater(len(samples), 10)
        return report

    def test_a_run_that_cannot_be_told_from_the_baseline(self):
        result = self.check(command=["sleep", "60"])
        report = self.refused(result, "not distinguishable from the baseline")
        self.assertAlmostEqual(self.figure(report, "net_energy_j"), 0,
                               places=6)

    def test_a_run_that_takes_less_keeps_its_sign(self):
        command = self.script("watts 8\necho ready\n"
                              "while :; do sleep 10 & wait $!; done\n")
        result = self.check("--start-line", "ready", command=command)
        report = self.refused(result, "not distinguishable from the baseline")
        self.assertAlmostEqual(self.figure(report, "net_power_w"), -2,
                               places=5)

    def test_zero_work_leaves_the_energy_and_no_efficiency(self):
        command = self.script(f"watts {harness.ACTIVE_W}\necho 0 > work.txt\n"
                              "echo ready\nsleep 60 & wait $!\n")
        result = self.check("--start-line", "ready", "--work",
                            "file:work.txt", command=command)
        self.assertEqual(result.code, 1)
        report = self.report()
        self.assertIn("no work was done", report.get("reason"))
        self.assertEqual(report.find("result/net_energy_j").get("valid"),
                         "true")
        self.assertEqual(report.find("result/work_per_j").get("valid"),
                         "false")
        self.assertNotIn("energy efficiency", result.out)

    def test_a_phase_of_few_update_periods(self):
        self.tree("sys/class/hwmon/hwmon0/update_interval", "100\n")
        result = self.check("--start-line", "ready")
        self.refused(result, "shorter than 20 update periods")

    def test_a_run_shorter_than_its_window_that_is_too_short_for_the_meter(
            self):
        command = self.script(f"watts {harness.ACTIVE_W}\nsleep 0.1\n")
        result = self.check("--sample", "0.02", command=command, window=0.9)
        report = self.refused_whole(result)
        self.assertIn("shorter than 20 update periods", report.get("reason"))
        active = report.find("phases/phase[@kind='active']")
        self.assertEqual(active.get("whole_run"), "true")
        self.assertGreater(len(active.find("samples")), 1)

    def refused_whole(self, result):
        self.assertEqual(result.code, 1, result.out)
        self.assertIn(": the whole run", result.out)
        self.assertNotIn("net energy  ", result.out)
        report = self.report()
        self.assertEqual(report.get("outcome"), "refused")
        return report

    def test_baselines_that_differ(self):
        command = self.script(f"trap 'watts 14' EXIT\n"
                              f"watts {harness.ACTIVE_W}\necho ready\n"
                              "while :; do sleep 10 & wait $!; done\n")
        result = self.check("--start-line", "ready", command=command,
                            settle=0.5)
        self.refused(result, "the two baselines differ")

    def test_an_instrument_that_cannot_be_read_any_more(self):
        path = os.path.join(self.root, self.power)
        command = ["sh", "-c", f"sleep 0.3; echo garbage > {path}; sleep 60"]
        result = self.check(command=command)
        report = self.refused(result, "a phase has no energy")
        active = report.find("phases/phase[@kind='active']/energy")
        self.assertEqual(active.get("valid"), "false")
        self.assertIn("garbage", active.get("reason"))
        self.assertIsNone(active.get("joules"))


class Counters(harness.PowercheckTest):
    """A processor's counter, which a thread of the test moves on."""

    def count(self, start_uj, watts=20):
        self.tree(RAPL + "name", "package-0\n")
        self.tree(RAPL + "max_energy_range_uj", f"{RANGE}\n")
        self.energy_uj = start_uj
        stop = threading.Event()


        def tick():
            while True:
                self.tree(RAPL + "energy_uj",
                          f"{self.energy_uj % (RANGE + 61)}\n")
                if stop.wait(0.001):
                    return
                self.energy_uj += round(watts * 1000)
        thread = threading.Thread(target=tick)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(stop.set)

    def epochs_of_a_counter_that_starts_again(self):
        if os.path.exists(self.path("started")):
            os.unlink(self.path("started"))
        process = self.start(*self.options(meter="rapl"), "--", "sh", "-c",
                             "touch started; sleep 60")
        self.await_file("started")
        self.energy_uj = 5
        result = self.finish(process)
        self.assertEqual(result.code, 1)
        report = self.report()
        self.assertIn("a phase has no energy", report.get("reason"))
        active = report.find("phases/phase[@kind='active']")
        return {sample.get("epoch") for sample in active.iter("s")}

    def test_a_counter_that_starts_again_breaks_the_epoch(self):
        self.count(10 ** 9)
        # Where the machine stood still the start fell into no phase, or the
        # phase has no samples: then it is done again.
        for _ in range(3):
            epochs = self.epochs_of_a_counter_that_starts_again()
            if len(epochs) > 1:
                break
            self.energy_uj = 10 ** 9
        self.assertGreater(len(epochs), 1)

    def test_a_counter_that_wraps_does_not(self):
        self.count(RANGE - 20 * 10 ** 6)
        self.check(command=["sleep", "60"], meter="rapl", window=1)
        for phase in self.report().iter("phase"):
            energy = phase.find("energy")
            self.assertEqual(energy.get("valid"), "true",
                             energy.get("reason"))
            self.assertLess(float(energy.get("watts")), 60)


class Quiet(harness.PowercheckTest):
    def disturb(self, ticks=100, timers=3000, wakeups=5000, own=1):
        """A process that takes a CPU, in the tree; so many a second."""
        stop = threading.Event()

        def write(at_s):
            at, idle = (round(rate * at_s)
                        for rate in (ticks, 100 - ticks))
            self.tree("proc/stat",
                      f"cpu0 {100 + at} 0 0 {900 + idle} 0 0 0 0 0 0\n"
                      f"cpu1 100 0 0 {900 + at + idle} 0 0 0 0 0 0\n")
            self.tree("proc/77/stat",
                      f"77 (noisy \x1b one) R 1 77 77 0 0 0 0 0 0 0 "
                      f"{at * own} 0 0 0 20 0 1 0 5 0 0\n")
            self.tree("proc/interrupts",
                      f"CPU0 CPU1\nLOC: {round(timers * at_s)} "
                      f"{round(timers * at_s)} x\n")
            self.tree("proc/77/status", "Name: noisy\n"
                      f"voluntary_ctxt_switches:\t"
                      f"{round(wakeups * at_s)}\n")

        def tick():
            began = time.monotonic()
            while not stop.wait(0.01):
                write(time.monotonic() - began)

        write(0)  # whoever looks first sees the process
        thread = threading.Thread(target=tick)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(stop.set)

    def check_not_quiet(self, why):
        result = self.check("--quiet-look", "0.5")
        self.assertEqual(result.code, 1)
        self.assertRegex(
            result.err, r"^powercheck: the system is not quiet \(--anyway "
            r"measures all the same\): " + why + r"\n$")

    def test_a_system_that_is_not_quiet_is_refused_with_names(self):
        self.disturb()
        result = self.check("--quiet-look", "0.5")
        self.assertEqual(result.code, 1)
        self.assertIn("the system is not quiet (--anyway measures all the "
                      "same): the CPUs are ", result.err)
        self.assertIn("noisy ? one (77)", result.err)
        self.assertIn("the timer rings every ", result.err)
        self.assertIn("wakeups/s", result.err)
        report = self.report()
        self.assertEqual(self.kinds(report), [])
        self.assertEqual(report.find("before").get("quiet"), "false")
        self.assertEqual(report.find("before/busy_process").get("pid"), "77")

    def test_whoever_did_nothing_is_not_named(self):
        self.disturb(timers=100, own=0)
        self.check_not_quiet(
            r"the CPUs are [0-9.]+ % busy, [0-9.]+ % are allowed, none by a "
            r"process that is there now")

    def test_a_timer_alone_that_rings_too_often_is_refused_with_names(self):
        self.disturb(ticks=1, timers=20000)
        self.check_not_quiet(
            r"the timer rings every [01]\.\d\d ms, not under 1\.50 ms is "
            r"normal: noisy \? one \(77\) \d+ wakeups/s")
        report = self.report()
        self.assertEqual(report.find("before/waking_process").get("pid"), "77")
        self.assertIn("timer rings", report.find("before").get("reason"))

    def test_what_is_quiet_may_be_told(self):
        self.disturb(ticks=10, timers=3000)
        result = self.check("--quiet-look", "0.5", "--quiet-cpu", "50",
                            "--quiet-timer", "0.01", "--start-line", "ready")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(self.report().find("before").get("quiet"), "true")

    def test_anyway_measures_and_remembers(self):
        self.disturb()
        result = self.check("--quiet-look", "0.5", "--anyway", "--start-line",
                            "ready")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("the system is not quiet: ", result.err)
        self.assertEqual(self.report().find("before").get("quiet"), "false")


if __name__ == "__main__":
    harness.main()
