#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports: somebody else computes the figures again from the raw samples;
known joules of a recording; estimates; hostile names and trees."""
import subprocess
import sys

import again
import harness

class Recomputed(harness.PowercheckTest):
    """Every figure, by somebody else: again.py."""

    def check_again(self, names):
        report = self.report()
        computed = again.Again(report)
        for phase, other in zip(report.iter("phase"), computed.phases):
            energy = phase.find("energy")
            for name, value in (("joules", other.joules),
                                ("seconds", other.seconds),
                                ("watts", other.watts),
                                ("mwh", other.joules / 3.6)):
                self.assertAlmostEqual(float(energy.get(name)), value,
                                       places=6)
        self.assertEqual(set(again.stated(report)), names)
        self.assertEqual(list(again.differences(report)), [])
        # and for people
        done = subprocess.run(
            [sys.executable, "-B", again.__file__, self.path("report.xml")],
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the report states the same", done.stdout)

    def test_of_runs_that_scatter(self):
        command = self.script(
            "echo $(($(cat n 2>/dev/null) + 1)) > n\n"
            "watts $((30 + $(cat n)))\necho ready\nsleep 0.2\n"
            "echo 1000 > work\nsleep 60 & wait $!\n")
        result = self.check("--start-line", "ready", "--work", "file:work",
                            command=command, repeat=3)
        self.assertEqual(result.code, 0, result.err)
        self.check_again({"time_s", "energy_j", "power_w", "net_energy_j",
                          "net_power_w", "idle_power_w", "j_per_work",
                          "work_per_j"})

    def test_of_an_application_that_idles_between_baselines(self):
        go = self.path("go")
        command = self.script(
            f"rm -f {go}\nwatts {harness.ACTIVE_W}\necho ready\n"
            f"while [ ! -e {go} ]; do sleep 0.05; done\nwatts 12\n"
            "while :; do sleep 10 & wait $!; done\n")
        result = self.check("--start-line", "ready", "--idle-command",
                            f"touch {go}", command=command, settle=0.5,
                            repeat=2)
        self.assertEqual(result.code, 0, result.err)
        self.check_again({"time_s", "energy_j", "power_w", "net_energy_j",
                          "net_power_w", "idle_power_w"})

    def test_of_one_refused_run(self):
        result = self.check(command=["sleep", "60"])
        self.assertEqual(result.code, 1)
        self.assertEqual(list(again.differences(self.report())), [])
        self.assertEqual(list(again.Again(self.report()).why_refused()),
                         ["not distinguishable from the baseline"])

    def test_a_report_that_was_changed_is_found_out(self):
        self.check("--start-line", "ready")
        text = self.read("report.xml")
        figure = self.report().find("result/net_energy_j").get("value")
        self.write("report.xml", text.replace(
            f'value="{figure}"', f'value="{float(figure) * 1.001}"', 1))
        wrong = list(again.differences(self.report()))
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn("net_energy_j: stated", wrong[0])


class Replayed(harness.PowercheckTest):
    def replay(self, power):
        rows, joules = ["time_s,watts"], 0
        for step in range(700):
            rows.append(f"{step / 50},{power(step / 50)}")
            joules += power(step / 50) / 50
        return "replay:file=" + self.write("r.csv", "\n".join(rows) + "\n")

    def test_known_joules(self):
        # settle 0.6, baseline 0.7, start 1.2 (up in its middle), active 0.7,
        # settle 0.6 (down in it), idle 0.7
        meter = self.replay(lambda t: 42.5 if 1.9 <= t < 3.5 else 12.5)
        result = self.check("--start-after", "1.2", command=["sleep", "60"],
                            meter=meter, settle=0.6)
        self.assertEqual(result.code, 0, result.out + result.err)
        report = self.report()
        energies = list(report.iter("energy"))
        for energy, watts in zip(energies, (12.5, 42.5, 12.5)):
            self.assertAlmostEqual(float(energy.get("watts")), watts, places=6)
        seconds = float(energies[1].get("seconds"))
        self.assertAlmostEqual(self.figure(report, "net_energy_j"),
                               30 * seconds, places=6)
        self.assertAlmostEqual(self.figure(report, "energy_j"),
                               42.5 * seconds, places=6)

    def test_a_recording_that_ends_has_no_figure_and_says_so(self):
        meter = "replay:file=" + self.write(
            "short.csv", "time_s,watts\n" +
            "".join(f"{step / 50},10\n" for step in range(50)))
        result = self.check(command=["sleep", "60"], meter=meter)
        self.assertEqual(result.code, 1)
        self.assertIn("the recording ended", result.out)


class Estimates(harness.PowercheckTest):
    def test_every_figure_of_a_model_says_estimate(self):
        command = self.script("sleep 60 & wait $!\n")
        result = self.run_tool(
            "--meter", "cpu_model:idle=3.0,busy=20.0", "--settle", "0.1",
            "--window", "2.2", "--repeat", "1", "--quiet-look", "0.1",
            "--anyway", "--xml", "report.xml", "--", "sh", "-c",
            "while :; do :; done")
        del command
        self.assertIn(result.code, (0, 1), result.err)
        report = self.report()
        for energy in report.iter("energy"):
            self.assertEqual(energy.get("estimate"), "true")
        for figure in report.find("result"):
            if figure.tag != "time_s":
                self.assertEqual(figure.get("estimate"), "true", figure.tag)
        for line in result.out.splitlines():
            if " J" in line or " W" in line:
                self.assertIn("(estimate)", line)
        self.assertEqual(report.find("meters/domain").get("quality"),
                         "estimate")
        self.assertEqual(list(again.differences(report)), [])


class Hostile(harness.PowercheckTest):
    def test_names_and_words_that_are_no_xml(self):
        self.tree("proc/cpuinfo", "processor : 0\nmodel name : <&\"\x1b[2J>\n")
        self.tree("proc/sys/kernel/osrelease", "6.1 ]]> &amp; \x01\n")
        command = ["sh", "-c", "sleep 60", b"\xff\xfe <b> & \x02 \xe2\x82"]
        result = self.check(command=command, window=0.3)
        self.assertNotIn("\x1b", result.out)
        report = self.report()
        self.assertEqual(report.find("conditions").get("cpu_model"),
                         '<&"?[2J>')
        self.assertIn("?? <b> & ?", report.find("command").text)
        with open(self.path("report.json"), encoding="utf-8") as file:
            self.assertIn("<b>", file.read())

    def test_trees_of_nonsense(self):
        for name, text in (
                ("proc/stat", ""), ("proc/stat", "cpu0\n"),
                ("proc/stat", "cpu0 99999999999999999999999 x\n"),
                ("proc/stat", "cpu99999999 1 2 3 4 5\n"),
                ("proc/stat", "\0" * 100), ("proc/interrupts", "LOC:"),
                ("proc/interrupts", "LOC: -5 abc\n"),
                ("proc/9/stat", "9 ) S ("), ("proc/9/stat", "9 (x) S"),
                ("proc/8/stat", "(" * 5000), ("proc/cpuinfo", ":" * 100),
                ("sys/devices/system/cpu/cpu0/cpuidle/state0/name",
                 "A" * 200),
                ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                 "x" * 90),
                ("sys/class/power_supply/BAT0/type", "Battery\n"),
                ("sys/class/hwmon/hwmon0/temp1_input", "hot\n")):
            self.tree(name, text)
            result = self.check(command=["sleep", "9"], window=0.1, settle=0)
            self.assertEqual(result.code, 1, (name, text, result.err))
            self.assertEqual(self.report().get("outcome"), "refused")


if __name__ == "__main__":
    harness.main()
