#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where text and reports go, and what happens when they cannot go there."""
import json
import os
import resource
import signal
import stat
import subprocess
import xml.etree.ElementTree as ElementTree

import harness


def small_files():
    """No file of this process may grow beyond 1,000 bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


class Output(harness.PowercheckTest):
    def quick(self, *arguments, **how):
        """A short assessment; where its reports go is up to the test."""
        options = self.options(settle=0, window=0.3)
        options = options[:options.index("--xml")]
        return subprocess.run(
            [harness.POWERCHECK, *options, *arguments, "--", "sleep", "9"],
            cwd=self.folder, env=self.environment(), text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=harness.TIMEOUT_S,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how})

    def check_text(self, text):
        for part in ("CPU: Test CPU", "before it starts", "baseline 1 of 1",
                     "result of 1 run", "net energy"):
            self.assertIn(part, text)

    def test_without_a_report_the_text_is_all_of_the_output(self):
        done = self.quick()
        self.check_text(done.stdout)
        for line in done.stderr.splitlines():
            self.assertRegex(line, "^powercheck: whether the system is quiet "
                             "is not known: ") # the tree's time stands still

    def test_xml_alone_is_the_output_and_the_text_is_talk(self):
        done = self.quick("--xml", "-")
        self.write("out.xml", done.stdout)
        self.validate(self.path("out.xml"))
        self.assertEqual(ElementTree.fromstring(
            done.stdout.encode()).get("outcome"), "refused")
        self.check_text(done.stderr)

    def test_json_alone_is_the_output_and_xml_has_its_file(self):
        done = self.quick("--json", "-", "--xml", "a.xml")
        self.assertEqual(json.loads(done.stdout)["outcome"], "refused")
        self.validate(self.path("a.xml"))
        self.check_text(done.stderr)

    def test_both_cannot_be_one_output(self):
        done = self.quick("--json", "-", "--xml", "-")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--xml and --json name one file", done.stderr)

    def test_a_link_is_followed_and_stays(self):
        self.write("target.xml", "old")
        os.symlink("target.xml", self.path("link.xml"))
        self.quick("--xml", "link.xml")
        self.assertTrue(os.path.islink(self.path("link.xml")))
        self.validate(self.path("target.xml"))

    def test_a_device_that_is_full(self):
        os.symlink("/dev/full", self.path("full.xml"))
        done = self.quick("--xml", "full.xml", "--json", "a.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("powercheck: cannot write full.xml: No space left on "
                      "device\n", done.stderr)
        self.assertTrue(stat.S_ISCHR(os.stat(self.path("full.xml")).st_mode))
        # the other report is no worse for it
        self.assertEqual(json.loads(self.read("a.json"))["outcome"], "refused")

    def test_a_disk_that_is_full_leaves_the_old_report(self):
        self.write("a.xml", "old")
        done = self.quick("--xml", "a.xml", preexec_fn=small_files)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write a.xml: File too large\n", done.stderr)
        self.assertEqual(self.read("a.xml"), "old")
        self.assertEqual([name for name in os.listdir(self.folder)
                          if name.startswith("a.xml")], ["a.xml"])

    def test_what_cannot_be_written_is_said_before_anything_is_measured(self):
        for option in "--xml", "--json":
            done = self.quick(option, "/nonexistent/x")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr, "powercheck: cannot write "
                             "/nonexistent/x: No such file or directory\n")
        os.mkdir(self.path("folder"))
        done = self.quick("--xml", "folder")
        self.assertEqual((done.returncode, done.stderr), (
            1, "powercheck: cannot write folder: Is a directory\n"))

    def test_output_that_nobody_reads(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.quick("--xml", "a.xml", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write", done.stderr)
        self.validate(self.path("a.xml"))

    def test_no_line_of_progress_without_a_terminal(self):
        done = self.quick()
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertNotIn("left", done.stdout + done.stderr)

    def test_the_time_of_one_run_has_no_interval(self):
        result = self.check("--start-line", "ready")
        self.assertRegex(result.out, r"\n  time +0\.7\d* s\n")
        self.assertRegex(result.out, r"\n  energy +\d[\d.]* J, 95 %: ")


class Unknown(harness.PowercheckTest):
    def test_that_it_is_not_known_whether_the_system_is_quiet_is_said(self):
        os.remove(os.path.join(self.root, "proc/interrupts"))
        result = self.check("--start-line", "ready")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("powercheck: whether the system is quiet is not known: "
                      "proc/stat: no time passed in it; proc/interrupts: No "
                      "such file or directory\n", result.err)
        self.assertRegex(result.out, r"timer period +unknown: proc/interrupts")

    def test_a_number_of_cpus_that_is_not_known_is_not_nought(self):
        self.tree("proc/cpuinfo", "nothing\n")
        result = self.check("--start-line", "ready")
        self.assertIn("CPU: unknown, number of CPUs unknown, ", result.out)
        self.assertIsNone(self.report().find("conditions").get("cpus"))
        with open(self.path("report.json"), encoding="utf-8") as file:
            self.assertIsNone(json.load(file)["conditions"]["cpus"])

    def test_a_tree_far_down_is_used_and_not_the_machines(self):
        deep = os.path.join(self.folder, *(30 * ["deep-folder"]))
        os.makedirs(deep)
        os.rename(self.root, os.path.join(deep, "root"))
        result = self.run_tool("meters", "--root", os.path.join(deep, "root"))
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("hwmon0/power1", result.out)
        result = self.run_tool("meters", "--root", "/x" * 4000)
        self.assertEqual(result.code, 1)
        self.assertIn("the path of --root is too long", result.out)


if __name__ == "__main__":
    harness.main()
