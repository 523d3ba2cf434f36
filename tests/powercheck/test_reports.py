#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports: somebody else computes the figures again from the raw samples;
known joules of a recording; estimates; hostile names and trees."""
import math
import os

import harness

Z95 = 1.959963984540054


def t95(degrees):
    """Two-sided 95 % quantile of Student's t, by integration."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
                     ) / math.sqrt(degrees * math.pi)

    def density(x):
        return scale * (1 + x * x / degrees) ** (-(degrees + 1) / 2)

    def inside(limit, steps=2000):
        width = limit / steps
        return width / 3 * sum((1 if at in (0, steps) else 4 if at % 2 else 2)
                               * density(at * width)
                               for at in range(steps + 1))
    low, high = 1.9, 13
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < 0.475 else (low, middle)
    return low


class Again:
    """The figures of a report, from its raw samples alone and what it says of
    the uncertainty of each phase."""

    def __init__(self, report):
        counted = [domain.get("number") for domain in report.iter("domain")
                   if domain.get("in_sum") == "true"]
        self.phases = [self.phase(phase, counted)
                       for phase in report.iter("phase")]

    @staticmethod
    def phase(phase, counted):
        joules = seconds = 0
        for samples in phase.iter("samples"):
            if samples.get("domain") not in counted:
                continue
            first, last = samples[0], samples[-1]
            assert first.get("epoch") == last.get("epoch")
            joules += float(last.get("j")) - float(first.get("j"))
            seconds += (float(last.get("t")) - float(first.get("t"))) \
                / len(counted)
        return {"kind": phase.get("kind"), "repeat": int(phase.get("repeat")),
                "j": joules, "s": seconds, "w": joules / seconds,
                "u": float(phase.find("energy").get("u_j")),
                "sys": float(phase.find("energy").get("systematic_j")),
                "work": float(phase.get("work", "nan"))}

    def find(self, kind, repeat):
        for phase in self.phases:
            if (phase["kind"], phase["repeat"]) == (kind, repeat):
                return phase
        return None

    def runs(self):
        for active in self.phases:
            if active["kind"] != "active":
                continue
            repeat = active["repeat"]
            before = self.find("baseline", repeat) or \
                self.find("idle", repeat - 1)
            after = self.find("idle", repeat)
            seconds = before["s"] + after["s"]
            base_w = (before["j"] + after["j"]) / seconds
            net_u = math.hypot(active["u"],
                               math.hypot(before["u"], after["u"]) / seconds
                               * active["s"])
            net_j = active["j"] - base_w * active["s"]
            yield {"net": net_j, "u": net_u, "s": active["s"],
                   "sys": active["sys"] / active["j"] * abs(net_j),
                   "work": active["work"]}

    @staticmethod
    def interval(values, us, systematics):
        count = len(values)
        mean = sum(values) / count
        u_mean = math.sqrt(sum(u * u for u in us)) / count
        random = 2 * u_mean
        systematic = sum(systematics) / count
        if count == 1:
            return mean, math.hypot(random, systematic)
        squares = sum((value - mean) ** 2 for value in values)
        t = t95(count - 1)
        random = max(u_mean, t * math.sqrt(squares / (count - 1) / count))
        # Welch and Satterthwaite
        random_u = random / t
        u = math.hypot(random_u, systematic / Z95)
        if systematic == 0:
            return mean, random
        effective = int((count - 1) * (u / random_u) ** 4)
        return mean, u * (t95(effective) if effective < 1000 else Z95)


class Recomputed(harness.PowercheckTest):
    def test_from_the_raw_samples(self):
        command = self.script(
            f"echo $(($(cat n 2>/dev/null) + 1)) > n\n"
            "watts $((30 + $(cat n)))\necho ready\nsleep 0.2\n"
            "echo 1000 > work\nsleep 60 & wait $!\n")
        result = self.check("--start-line", "ready", "--work", "file:work",
                            command=command, repeat=3)
        self.assertEqual(result.code, 0, result.err)
        report = self.report()
        again = Again(report)
        for phase, computed in zip(report.iter("phase"), again.phases):
            energy = phase.find("energy")
            for name, key in ("joules", "j"), ("seconds", "s"), ("watts", "w"):
                self.assertAlmostEqual(float(energy.get(name)), computed[key],
                                       places=6)
            self.assertAlmostEqual(float(energy.get("mwh")),
                                   computed["j"] / 3.6, places=6)
        runs = list(again.runs())
        self.assertEqual(len(runs), 3)
        self.compare(report, "net_energy_j", again.interval(
            [run["net"] for run in runs], [run["u"] for run in runs],
            [run["sys"] for run in runs]))
        self.compare(report, "net_power_w", again.interval(
            [run["net"] / run["s"] for run in runs],
            [run["u"] / run["s"] for run in runs],
            [run["sys"] / run["s"] for run in runs]))
        mean, half = again.interval(
            [run["net"] / run["work"] for run in runs],
            [run["u"] / run["work"] for run in runs],
            [run["sys"] / run["work"] for run in runs])
        self.compare(report, "j_per_work", (mean, half))
        efficiency = report.find("result/work_per_j")
        self.assertAlmostEqual(float(efficiency.get("value")), 1 / mean,
                               places=6)
        self.assertAlmostEqual(float(efficiency.get("low")), 1 / (mean + half),
                               delta=0.002 / mean)

    def compare(self, report, name, computed):
        figure = report.find("result/" + name)
        mean, half = computed
        self.assertAlmostEqual(float(figure.get("value")), mean, places=6)
        self.assertAlmostEqual(float(figure.get("high")), mean + half,
                               delta=0.002 * half + 1e-9)
        self.assertAlmostEqual(float(figure.get("low")), mean - half,
                               delta=0.002 * half + 1e-9)


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
