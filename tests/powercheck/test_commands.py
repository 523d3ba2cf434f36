#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""powercheck meters, processes, compare, sweep, calibrate."""
import os
import threading

import harness

PHASE = '''<phase kind="active" repeat="1" started="1" elapsed_s="1"
 whole_run="true">
<energy valid="false" estimate="false"/><system/>
<cpu_use_histogram>0 0 0 0 0 0 0 0 0 0</cpu_use_histogram></phase>'''


def figure(name, value, half=0.0, valid=True):
    return (f'<{name} valid="{str(valid).lower()}" estimate="false" '
            f'value="{value}" low="{value - half}" high="{value + half}" '
            f'random="{half}" systematic="0"/>')


class Compare(harness.PowercheckTest):
    def make(self, name, seconds, watts, half=0.005, governor="performance",
             outcome="done", **settings):
        """A report of a run of so many seconds at so many watts."""
        joules = seconds * watts
        settings = "".join(f' {name}="{value}"' for name, value in {
            "settle_s": 1, "window_s": "run", "baseline_s": 30, "sample_s": 1,
            "repeats": 5, "meters": "rapl", "start": "at once",
            **settings}.items())
        self.write(name, f'''<?xml version="1.0" encoding="UTF-8"?>
<powercheck format="1" version="0" outcome="{outcome}">
<command>x</command><settings{settings}/>
<conditions power_source="mains" cpu_model="C" cpus="4" smt="on"
 governor="{governor}" turbo="on" kernel="6.1"/>
<before quiet="true"><system/></before>
<meters><domain number="0" meter="rapl" id="a" label="p" quality="on-die"
 usable="true" in_sum="true"/></meters>
<phases>{PHASE}</phases>
<result runs="5">
{figure("time_s", seconds, seconds * half)}
{figure("energy_j", joules, joules * half)}
{figure("power_w", watts, watts * half)}
{figure("net_energy_j", joules / 2, joules * half)}
{figure("net_power_w", watts / 2, watts * half)}
{figure("idle_power_w", 0, 0, False)}
{figure("j_per_work", 0, 0, False)}{figure("work_per_j", 0, 0, False)}
</result></powercheck>''')
        self.validate(self.path(name))

    def test_the_articles_own_case(self):
        self.make("a.xml", 11.9, 100)
        self.make("b.xml", 10, 115)
        result = self.run_tool("compare", "a.xml", "b.xml")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("B is 1.19x as fast as A, at 1.15x the power: 0.97 of "
                      "the energy\n", result.out)
        self.assertRegex(result.out, r"energy, B by A +0\.9664, 95 %: 0\.959\d* "
                         r"to 0\.973\d*, distinguishable\n")

    def test_what_cannot_be_told_apart(self):
        self.make("a.xml", 10, 100, 0.1)
        self.make("b.xml", 9.9, 101, 0.1)
        result = self.run_tool("compare", "a.xml", "b.xml")
        self.assertEqual(result.out.count("not distinguishable from 1"), 5)

    def test_different_conditions_are_refused_unless_told_to(self):
        self.make("a.xml", 10, 100)
        self.make("b.xml", 10, 120, governor="powersave")
        result = self.run_tool("compare", "a.xml", "b.xml")
        self.assertEqual(result.code, 1)
        self.assertEqual(result.out, "")
        self.assertIn("the conditions or settings differ (--anyway compares "
                      "all the same): governor: performance, powersave\n",
                      result.err)
        result = self.run_tool("compare", "--anyway", "a.xml", "b.xml")
        self.assertEqual(result.code, 0)
        self.assertIn("the conditions or settings differ: governor",
                      result.err)
        self.assertIn("1.20x the power", result.out)

    def test_different_settings_are_refused_unless_told_to(self):
        self.make("a.xml", 10, 100)
        for change, said in (
                ({"window_s": 30}, "window: run, 30"),
                ({"settle_s": 15}, "settle: 1, 15"),
                ({"baseline_s": 60}, "baseline: 30, 60"),
                ({"repeats": 3}, "repeats: 5, 3"),
                ({"meters": "rapl:domains=psys"},
                 "--meter: rapl, rapl:domains=psys"),
                ({"start": "after 3 s"}, "start: at once, after 3 s"),
                ({"idle_command": "true"}, "idle command: , true"),
                ({"work_unit": "frame"}, "unit of work: , frame")):
            self.make("b.xml", 10, 120, **change)
            result = self.run_tool("compare", "a.xml", "b.xml")
            self.assertEqual((result.code, result.out), (1, ""), change)
            self.assertIn(f"same): {said}\n", result.err)
            result = self.run_tool("compare", "--anyway", "a.xml", "b.xml")
            self.assertEqual(result.code, 0, change)
            self.assertIn("1.20x the power", result.out)

    def test_a_report_that_does_not_say_how_it_was_measured_differs(self):
        self.make("a.xml", 10, 100)
        text = self.read("a.xml").replace(' settle_s="1"', "")
        self.write("b.xml", text.replace(' cpus="4"', ""))
        result = self.run_tool("compare", "a.xml", "b.xml")
        self.assertEqual(result.code, 1)
        self.assertIn("CPUs: 4, unknown; settle: 1, unknown\n", result.err)

    def test_of_two_real_reports(self):
        self.check("--start-line", "ready")
        os.rename(self.path("report.xml"), self.path("a.xml"))
        self.check("--start-line", "ready", command=self.script(
            "watts 20\necho ready\nsleep 60 & wait $!\n"))
        result = self.run_tool("compare", "a.xml", "report.xml")
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.out, r"power, B by A +0\.6667, .* "
                         r"distinguishable\n")
        self.assertRegex(result.out, r"net power +0\.5")
        self.assertIn("windows, not whole runs", result.out)
        self.assertNotIn("as fast", result.out)

    def test_files_that_are_no_reports(self):
        bomb = ('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
            f'<!ENTITY a{n} "{"&a%s;" % (n - 1 or "") * 10}">'
            for n in range(1, 9)) + ']><powercheck format="1" '
            'outcome="&a8;"/>')
        self.make("good.xml", 10, 100)
        for text, message in (
                ("", "empty"), ("joules", "x.xml:1: "),
                ("<other/>", "it is no report of powercheck"),
                ('<powercheck format="9"/>', "its format is not"),
                ('<powercheck format="1" outcome="cancelled"/>',
                 "x.xml has no figures: cancelled"),
                ("<powercheck", "x.xml:1: "),
                (bomb, "x.xml:1: it has a document type, which no report has"),
                ('<?xml version="1.0"?>\n<!DOCTYPE powercheck SYSTEM "x">'
                 '<powercheck format="1"/>', "x.xml:2: it has a document type"),
                ("<powercheck>\n\xe9</powercheck>", "x.xml:2: Input is not "
                 "proper UTF-8")):
            with open(self.path("x.xml"), "wb") as file:
                file.write(text.encode("latin-1"))
            result = self.run_tool("compare", "x.xml", "good.xml")
            self.assertEqual(result.code, 1, text)
            self.assertEqual(result.out, "")
            self.assertRegex(result.err, r"^powercheck: [^\n]*\n$")
            if message != "empty":
                self.assertIn(message, result.err)
        result = self.run_tool("compare", "good.xml", "none.xml")
        self.assertIn("none.xml: No such file or directory", result.err)

    def test_figures_that_are_no_numbers(self):
        self.make("a.xml", 10, 100)
        text = self.read("a.xml").replace('value="100"', 'value="nan"')
        self.write("b.xml", text.replace('value="10"', 'value="-1e999"'))
        result = self.run_tool("compare", "a.xml", "b.xml")
        self.assertEqual(result.code, 1)
        self.assertIn("no figure in one of the two", result.out)

    def test_usage(self):
        for words in ([], ["a"], ["a", "b", "c"], ["--x", "a", "b"]):
            self.assertEqual(self.run_tool("compare", *words).code, 2)


class Sweep(harness.PowercheckTest):
    def test_a_table_of_threads(self):
        command = self.script('test "$OMP_NUM_THREADS" = "$1" || exit 1\n'
                              "watts $((20 + 5 * $1))\necho ready\n"
                              "sleep 60 & wait $!\n")
        result = self.run_tool("sweep", *self.options(), "--threads", "1,4",
                               "--start-line", "ready", "--xml",
                               self.path("r{threads}.xml"), "--json", "/dev/null",
                               "--", *command, "{threads}")
        # two reports in one file
        self.assertEqual(result.code, 2)
        self.assertIn("{threads} must be in the file's name", result.err)
        result = self.run_tool("sweep", *self.options(), "--threads", "1,4",
                               "--start-line", "ready", "--xml",
                               self.path("r{threads}.xml"), "--json",
                               self.path("r{threads}.json"), "--", *command,
                               "{threads}")
        self.assertEqual(result.code, 0, result.err)
        self.assertAlmostEqual(self.figure(self.report("r1.xml"), "power_w"),
                               25, places=5)
        self.assertAlmostEqual(self.figure(self.report("r4.xml"), "power_w"),
                               40, places=5)
        rows = [line.split() for line in result.out.splitlines()]
        self.assertIn(["25", "40"], [[rows[at][2], rows[at + 1][2]]
                                     for at in range(len(rows) - 1)
                                     if rows[at][:1] == ["1"] and
                                     rows[at + 1][:1] == ["4"]])
        self.assertIn("least energy: 1 thread\n", result.out)

    def test_usage(self):
        for threads in "", "0", "1,", "a", "1,-2", "1;2":
            result = self.run_tool("sweep", "--threads", threads, "--", "true")
            self.assertEqual(result.code, 2, threads)
        self.assertEqual(self.run_tool("sweep", "--", "true").code, 2)
        self.assertEqual(self.run_tool("sweep", "--threads", "1").code, 2)


class Lists(harness.PowercheckTest):
    def test_the_meters_of_a_tree(self):
        self.tree("sys/class/powercap/intel-rapl:0/name", "package-0\n")
        self.tree("sys/class/powercap/intel-rapl:0/energy_uj", "junk\n")
        self.tree("sys/class/powercap/intel-rapl:0/max_energy_range_uj",
                  "262143328850\n")
        result = self.run_tool("meters", "--root", self.root)
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.out, r"hwmon +hwmon0/power1 .* integrated .* "
                         r"counted\n|hwmon .*integrated.*counted\n")
        self.assertRegex(result.out, r"rapl +intel-rapl:0 .*unusable: .*junk")
        self.assertIn('unusable: meter "battery"', result.out)
        self.assertIn('unusable: meter "cpu_model": no power is known',
                      result.out)

    def test_a_machine_without_meters(self):
        result = self.run_tool("meters", "--root", self.path("nothing"))
        self.assertEqual(result.code, 1)
        result = self.run_tool("--root", self.path("nothing"), "--", "true")
        self.assertEqual(result.code, 1)
        self.assertIn("no meter can be used (an estimate can be had by "
                      "--meter cpu_model:idle=W,busy=W): ", result.err)

    def test_processes_by_name(self):
        self.tree("proc/71/stat", "71 (encoder) S 1 71 71 0 0 0 0 0 0 0 50 0 "
                  "0 0 20 0 1 0 5 0 0\n")
        self.tree("proc/72/stat", "72 (other\x1b[m) S 1 71 71 0 0 0 0 0 0 0 50 "
                  "0 0 0 20 0 1 0 5 0 0\n")
        look = ["processes", "--root", self.root, "--look", "0.02"]
        result = self.run_tool(*look)
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("encoder", result.out)
        self.assertIn("other?[m", result.out)
        self.assertRegex(result.out, r" 71 +0.0% +unknown S encoder\n")
        self.tree("proc/71/status", "x\nvoluntary_ctxt_switches:\t7\n")
        self.assertRegex(self.run_tool(*look).out,
                         r" 71 +0.0% +0.0 S encoder\n")
        result = self.run_tool(*look, "enc")
        self.assertNotIn("other", result.out)
        self.assertEqual(self.run_tool(*look, "72").code, 0)
        self.assertEqual(self.run_tool(*look, "none").code, 1)
        self.assertEqual(self.run_tool("processes", "--look", "x").code, 2)

    def test_help_and_version(self):
        for words in (["--help"], ["meters", "--help"], ["sweep", "--help"],
                      ["processes", "-h"], ["compare", "-h"],
                      ["calibrate", "--help"]):
            result = self.run_tool(*words)
            self.assertEqual((result.code, result.err), (0, ""))
            self.assertIn("usage: powercheck", result.out)
        self.assertRegex(self.run_tool("--version").out, r"^powercheck \d")
        self.assertEqual(self.run_tool().code, 2)
        result = self.run_tool("metres")
        self.assertEqual(result.code, 2)
        self.assertIn('no command "metres", did you mean "meters"?', result.err)
        self.assertEqual(self.run_tool("no-such-program").code, 1)
        self.assertIn("powercheck: sweep needs a command\n",
                      self.run_tool("sweep", "--threads", "1").err)


class Calibrate(harness.PowercheckTest):
    def test_a_calibration_of_the_model(self):
        """The tree's load and power rise when the threads spin."""
        stop = threading.Event()

        def tick():
            busy, idle = 0, 0
            while not stop.wait(0.01):
                with open("/proc/self/stat", encoding="ascii"):
                    pass
                load = self.load
                busy += load
                idle += 4 - load
                self.tree("proc/stat", "".join(
                    f"cpu{n} {busy if n == 0 else 0} 0 0 "
                    f"{idle if n == 0 else 0} 0 0 0 0\n" for n in range(2)))
                self.set_power(10 + 5 * load)
        self.load = 0
        thread = threading.Thread(target=tick)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(stop.set)
        process = self.start("calibrate", "--root", self.root, "--meter",
                             "hwmon", "--settle", "0.3", "--window", "0.5")
        for line in process.stdout:
            if "busy threads" in line:
                self.load = min(self.load + 2, 4)
        result = self.finish(process)
        self.assertEqual(result.code, 0, result.err)
        text = self.read(".config/sluice/cpu_model.conf")
        values = dict(line.split(" = ") for line in text.splitlines()
                      if not line.startswith("#"))
        # load and power are written apart, by a thread that may be late; the
        # fit itself is test_curve's matter
        self.assertAlmostEqual(float(values["idle"]), 10, delta=4)
        self.assertAlmostEqual(float(values["busy"]), 30, delta=4)
        # and there it is found
        result = self.run_tool("meters", "--root", self.root, "--meter",
                               "cpu_model")
        self.assertEqual(result.code, 0, result.out)
        self.assertIn("estimate", result.out)

    def test_a_model_does_not_calibrate_a_model(self):
        result = self.run_tool("calibrate", "--meter",
                               "cpu_model:idle=3.0,busy=9.0", "--settle", "0",
                               "--window", "0.3", "x.conf")
        self.assertEqual(result.code, 1)
        self.assertIn("a model cannot be calibrated by a model", result.err)
        self.assertFalse(os.path.exists(self.path("x.conf")))

    def test_usage(self):
        self.assertEqual(self.run_tool("calibrate").code, 2)
        self.assertEqual(self.run_tool("calibrate", "--window", "x").code, 2)


if __name__ == "__main__":
    harness.main()
