#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The phases of an assessment and what each of them says."""
import json
import os
import threading
import time

import harness

W = harness.ACTIVE_W - harness.BASE_W


class Phases(harness.PowercheckTest):
    def test_baseline_active_and_idle_give_the_exact_net_energy(self):
        result = self.check("--start-line", "^ready$")
        self.assertEqual(result.code, 0, result.err)
        report = self.report()
        self.assertEqual(report.get("outcome"), "done")
        self.assertEqual(self.kinds(report), ["baseline", "active", "idle"])
        base, active, idle = report.iter("phase")
        for phase, watts in (base, 10), (active, 30), (idle, 10):
            energy = phase.find("energy")
            self.assertAlmostEqual(float(energy.get("watts")), watts, places=6)
            self.assertAlmostEqual(float(energy.get("joules")),
                                   watts * float(energy.get("seconds")),
                                   places=6)
            self.assertGreaterEqual(float(phase.get("elapsed_s")), 0.69)
        seconds = float(active.find("energy").get("seconds"))
        self.assertAlmostEqual(self.figure(report, "net_energy_j"),
                               W * seconds, places=6)
        self.assertAlmostEqual(self.figure(report, "net_power_w"), W, places=6)
        self.assertIn("net energy", result.out)
        self.assertNotIn("estimate", result.out)

    def test_a_run_shorter_than_its_window_is_measured_whole(self):
        command = self.script(f"watts {harness.ACTIVE_W}\nsleep 0.8\n")
        result = self.check("--sample", "0.02", command=command, window=1.5)
        self.assertEqual(result.code, 0, result.err)
        active = self.report().find("phases/phase[@kind='active']")
        self.assertEqual(active.get("whole_run"), "true")
        self.assertLess(float(active.get("elapsed_s")), 1.4)
        self.assertIn("active 1 of 1: the whole run", result.out)

    def test_a_window_of_the_whole_run(self):
        command = self.script(f"watts {harness.ACTIVE_W}\nsleep 1\n")
        result = self.check("--baseline", "0.7", "--sample", "0.02",
                            command=command, window="run")
        self.assertEqual(result.code, 0, result.err)
        report = self.report()
        self.assertEqual(report.find("settings").get("window_s"), "run")
        base, active, idle = report.iter("phase")
        self.assertGreaterEqual(float(active.get("elapsed_s")), 1)
        self.assertLess(float(idle.get("elapsed_s")), 0.9)
        self.assertIn("and 1 run of the command", result.out)

    def test_repeats_share_their_baselines(self):
        result = self.check("--start-line", "ready", repeat=3)
        self.assertEqual(result.code, 0, result.out)
        report = self.report()
        self.assertEqual(self.kinds(report), ["baseline"] +
                         3 * ["active", "idle"])
        self.assertEqual(report.find("result").get("runs"), "3")

    def test_an_idle_command_gives_idle_figures_of_the_running_app(self):
        go = self.path("go")
        command = self.script(
            f"watts {harness.ACTIVE_W}\necho ready\n"
            f"while [ ! -e {go} ]; do sleep 0.05; done\nwatts 12\n"
            "while :; do sleep 10 & wait $!; done\n")
        result = self.check("--start-line", "ready", "--idle-command",
                            f"touch {go}", command=command, settle=0.5)
        self.assertEqual(result.code, 0, result.err)
        report = self.report()
        self.assertEqual(self.kinds(report),
                         ["baseline", "active", "idle", "baseline"])
        idle = report.find("phases/phase[@kind='idle']")
        self.assertEqual(idle.get("application_runs"), "true")
        self.assertEqual(idle.get("figures_valid"), "true")
        self.assertAlmostEqual(self.figure(report, "idle_power_w"), 2, places=3)

    def test_idle_figures_are_invalid_when_it_looks_active(self):
        result = self.check("--start-line", "ready", "--idle-command", "true")
        report = self.report()
        idle = report.find("phases/phase[@kind='idle']")
        self.assertEqual(idle.get("figures_valid"), "false", result.out)
        self.assertEqual(report.find("result/idle_power_w").get("valid"),
                         "false")
        self.assertIn("invalid: the idle phase looks like the active one",
                      result.out)

    def test_active_begins_some_time_after_the_start(self):
        command = self.script("watts 50\nsleep 0.2\n"
                              f"watts {harness.ACTIVE_W}\nsleep 60 & wait $!\n")
        result = self.check("--start-after", "0.6", command=command)
        self.assertEqual(result.code, 0, result.err)
        self.assertAlmostEqual(self.figure(self.report(), "power_w"),
                               harness.ACTIVE_W, places=6)

    def test_wakeups_of_the_command_are_of_the_phase(self):
        here = os.path.join(self.root, "proc")
        command = self.script(
            f"watts {harness.ACTIVE_W}\nmkdir -p {here}/$$\n"
            f'echo "$$ (app) S 1 $$ $$ 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0" '
            f"> {here}/$$/stat\nprintf 'Name: app\\n"
            f"voluntary_ctxt_switches:\\t70000\\n' > {here}/$$/status\n"
            "sleep 60 & wait $!\n")
        result = self.check(command=command)
        self.assertEqual(result.code, 0, result.err)
        active = self.report().find("phases/phase[@kind='active']")
        # from its start on, not from the machine's
        self.assertAlmostEqual(
            float(active.get("application_wakeups_per_s")) *
            float(active.get("elapsed_s")), 70000, delta=7000)

    def test_the_commands_output_is_talk(self):
        result = self.check("--start-line", "ready")
        self.assertIn("ready\n", result.err)
        self.assertNotIn("ready", result.out)

    def test_conditions_and_environment_are_in_the_report(self):
        result = self.check("--start-line", "ready")
        report = self.report()
        conditions = report.find("conditions")
        self.assertEqual(conditions.get("cpu_model"), "Test CPU")
        self.assertEqual(conditions.get("mhz"), "2500")
        self.assertEqual(conditions.get("kernel"), "6.1.0-test")
        self.assertEqual(conditions.get("power_source"), "unknown")
        sensor = report.find("phases/phase/temperature")
        self.assertEqual(sensor.get("after_c"), "41.5")
        self.assertIn("CPU: Test CPU, 2 CPUs", result.out)
        self.assertIn("time it takes: about 0 min 02 s", result.out)

    def test_what_is_said_before_it_starts(self):
        cpu = "sys/devices/system/cpu/"
        for number in 0, 1:
            self.tree(f"{cpu}cpu{number}/cpufreq/scaling_governor",
                      "powersave\n")
            self.tree(f"{cpu}cpu{number}/cpufreq/scaling_cur_freq",
                      f"{1200000 + 400000 * number}\n")
        self.tree(cpu + "smt/control", "on\n")
        self.tree(cpu + "intel_pstate/no_turbo", "1\n")
        self.tree("sys/class/power_supply/AC/type", "Mains\n")
        self.tree("sys/class/power_supply/AC/online", "1\n")
        result = self.check("--start-line", "ready", repeat=2)
        self.assertIn(
            "CPU: Test CPU, 2 CPUs, SMT on, governor powersave, turbo off, "
            "1400 MHz now\nkernel: 6.1.0-test\npower source: mains\n"
            "meter: hwmon, bench power 1\n"
            "time it takes: about 0 min 03 s, and what the application takes "
            "until it is active\nbefore it starts\n", result.out)
        conditions = self.report().find("conditions")
        self.assertEqual([conditions.get(name) for name in
                          ("smt", "turbo", "governor", "power_source", "mhz")],
                         ["on", "off", "powersave", "mains", "1400"])

    def test_json_says_the_same_as_xml(self):
        self.check("--start-line", "ready")
        report = self.report()
        with open(self.path("report.json"), encoding="utf-8") as file:
            said = json.load(file)
        self.assertEqual(said["outcome"], "done")
        self.assertAlmostEqual(said["result"]["net_energy_j"]["value"],
                               self.figure(report, "net_energy_j"), places=5)
        self.assertEqual([phase["kind"] for phase in said["phases"]],
                         self.kinds(report))
        # nothing that XML tells is missing
        phase = said["phases"][1]
        for path, there in (
                ("settings", said["settings"]),
                ("conditions", said["conditions"]),
                ("before", said["before"]), ("before/system", said["before"]),
                ("meters/domain", said["meters"][0]),
                ("phases/phase[2]/energy", phase["energy"]),
                ("phases/phase[2]/domain_energy",
                 {"domain": 0, **phase["domains"][0]}),
                ("phases/phase[2]/system", phase),
                ("phases/phase[2]/temperature", phase["temperatures"][0]),
                ("phases/phase[2]/samples", phase["samples"][0]),
                ("phases/phase[2]/samples/s", phase["samples"][0]),
                ("result", said["result"]),
                ("result/net_energy_j", said["result"]["net_energy_j"])):
            for name, value in report.find(path).items():
                self.assertIn(name, there, path)
                if isinstance(there[name], float):
                    self.assertAlmostEqual(there[name], float(value),
                                           delta=1e-7 * abs(float(value)))
        self.assertEqual(len(phase["samples"]), len(report.findall(
            "phases/phase[2]/samples/s")))

    def test_what_cannot_be_known_is_left_out(self):
        self.check("--start-line", "ready")
        for system in self.report().iter("system"):
            self.assertIsNone(system.get("low_power_percent"))
            self.assertIn("sys/devices", system.get("low_power_unknown"))
            self.assertIsNone(system.get("wakeups_per_s"))


class Changing(harness.PowercheckTest):
    """A tree whose counters go on while it is measured."""

    def run_tree(self, states):
        """Tell the time in the tree: CPU 0 busy, CPU 1 asleep in C6."""
        stop = threading.Event()

        def tick():
            began = time.monotonic()
            while not stop.wait(0.02):
                at = round(100 * (time.monotonic() - began))
                self.tree("proc/stat",
                          f"cpu0 {100 + at} 0 0 900 0 0 0 0 0 0\n"
                          f"cpu1 100 0 0 {900 + at} 0 0 0 0 0 0\n")
                self.tree("proc/interrupts",
                          f"CPU0 CPU1\nLOC: {1000 + at} {1000 + at} x\n")
                for cpu, name, time_us, usage in states(at):
                    base = f"sys/devices/system/cpu/cpu{cpu}/cpuidle/"
                    self.tree(f"{base}state{name[1]}/name", name + "\n")
                    self.tree(f"{base}state{name[1]}/time", f"{time_us}\n")
                    self.tree(f"{base}state{name[1]}/usage", f"{usage}\n")
        thread = threading.Thread(target=tick)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(stop.set)

    def test_residency_timer_wakeups_and_histogram(self):
        self.run_tree(lambda at: [(0, "C1", 500 * at, at),
                                  (0, "C6", 0, 0),
                                  (1, "C1", 500 * at, at),
                                  (1, "C6", 10000 * at, at)])
        for cpu in 0, 1:
            for name in "C1", "C6":
                base = f"sys/devices/system/cpu/cpu{cpu}/cpuidle/"
                self.tree(f"{base}state{name[1]}/name", name + "\n")
                self.tree(f"{base}state{name[1]}/time", "0\n")
                self.tree(f"{base}state{name[1]}/usage", "0\n")
        result = self.check("--anyway", "--start-line", "ready")
        self.assertEqual(result.code, 0, result.err)
        phase = self.report().find("phases/phase")
        system = phase.find("system")
        self.assertAlmostEqual(float(system.get("busy_percent")), 50, delta=2)
        self.assertEqual(system.get("low_power_states"), "C6")
        # one CPU of two, but for the ticker's own delays
        low = float(system.get("low_power_percent"))
        self.assertTrue(20 < low < 80, low)
        # two timers and three idle entries a tick of the tree
        timer = float(system.get("timer_period_ms"))
        wakeups = float(system.get("wakeups_per_s"))
        self.assertAlmostEqual(wakeups * timer / 1000, 3, delta=1)
        counts = [int(n) for n in phase.find("cpu_use_histogram").text.split()]
        self.assertEqual(sum(counts[1:-1]), 0)
        self.assertEqual(counts[0], counts[-1])
        self.assertGreater(counts[0], 3)


if __name__ == "__main__":
    harness.main()
