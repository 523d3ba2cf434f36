#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cancelled in each phase: what was finished stays, what was broken off leaves
nothing, and neither does the application."""
import os
import signal
import subprocess

import harness


class Cancelled(harness.PowercheckTest):
    def cancel(self, prepare, kinds, *arguments, number=signal.SIGINT,
               command=None, repeat=1):
        """Send the signal when @prepare returns; of the phases only those that
        were finished are in the report, and no process is left: no child, no
        grandchild that made a session of its own."""
        word = f"4711.{id(self)}"
        command = command or self.script(
            f"watts {harness.ACTIVE_W}\nsetsid -f sleep {word}\n"
            f"(setsid sh -c 'sleep {word} & sleep {word}' &)\n"
            "echo ready\ntouch started\n"
            f"while :; do sleep {word} & wait $!; done\n")
        process = self.start(*self.options(repeat=repeat), *arguments, "--",
                             *command)
        prepare(process)
        process.send_signal(number)
        result = self.finish(process)
        self.assertEqual(result.code, 128 + number, result.err)
        self.assertIn("powercheck: cancelled", result.err)
        self.assertNotIn("result", result.out)
        self.assertNotIn("net energy", result.out)
        report = self.report()
        self.assertEqual(report.get("outcome"), "cancelled")
        self.assertEqual(self.kinds(report), kinds)
        self.assertIsNone(report.find("result"))
        self.check_nobody_left(word)
        self.check_nobody_left(self.path("app.sh"))

    def test_while_it_looks_whether_all_is_quiet(self):
        self.cancel(lambda process: self.await_line(process, "time it takes"),
                    [], "--quiet-look", "20")

    def test_in_the_baseline(self):
        self.cancel(lambda process: self.await_line(process, "time it takes"),
                    [], "--baseline", "20", "--settle", "0",
                    number=signal.SIGTERM)

    def test_while_it_settles(self):
        self.cancel(lambda process: self.await_line(process, "time it takes"),
                    [], "--settle", "20")

    def test_in_the_active_phase(self):
        self.cancel(lambda process: self.await_file("started"), ["baseline"],
                    "--window", "20", "--baseline", "0.3",
                    number=signal.SIGTERM)

    def test_while_it_waits_for_the_start(self):
        self.cancel(lambda process: self.await_file("started"), ["baseline"],
                    "--start-line", "never")

    def test_after_the_active_phase(self):
        self.cancel(lambda process: self.await_line(process, "active 1"),
                    ["baseline", "active"], "--start-line", "ready",
                    "--settle", "3", "--baseline", "0.3")

    def test_in_the_idle_phase(self):
        def prepare(process):
            self.await_line(process, "active 1")
            self.await_file("idle")
        self.cancel(prepare, ["baseline", "active"], "--start-line", "ready",
                    "--settle", "0", "--baseline", "0.5", "--idle-command",
                    "touch idle; sleep 0.1; exec sleep 4711.7")
        self.check_nobody_left("4711.7")

    def test_while_it_waits_for_some_seconds_to_pass(self):
        self.cancel(lambda process: self.await_file("started"), ["baseline"],
                    "--start-after", "20", number=signal.SIGHUP)

    def test_while_it_waits_for_the_counter(self):
        self.cancel(lambda process: self.await_file("started"), ["baseline"],
                    "--start-counter", "frames")

    def test_while_the_idle_command_runs(self):
        self.cancel(lambda process: self.await_file("idle"),
                    ["baseline", "active"], "--start-line", "ready",
                    "--settle", "0", "--idle-command",
                    "touch idle; exec sleep 4711.8")
        self.check_nobody_left("4711.8")

    def test_in_the_last_baseline(self):
        self.cancel(lambda process: self.await_line(process, "idle 1"),
                    ["baseline", "active", "idle"], "--start-line", "ready",
                    "--settle", "3", "--baseline", "0.5", "--idle-command",
                    "true")

    def test_in_the_second_run(self):
        def prepare(process):
            self.await_line(process, "idle 1")
            os.remove(self.path("started"))
            self.await_file("started")
        self.cancel(prepare, ["baseline", "active", "idle"], "--start-line",
                    "ready", repeat=3, number=signal.SIGTERM)

    def test_while_it_waits_for_a_process(self):
        process = self.start(*self.options(settle=0), "--name", "no-such-app")
        self.await_line(process, "baseline 1")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, 130, result.err)
        self.assertEqual(self.kinds(self.report()), ["baseline"])

    def test_a_process_that_is_not_powerchecks_lives_on(self):
        app = subprocess.Popen(["sleep", "4711.9"])
        self.addCleanup(app.wait)
        self.addCleanup(app.kill)
        process = self.start(*self.options(settle=0, window=20), "--pid",
                             str(app.pid), "--start-after", "0.1",
                             "--baseline", "0.3")
        self.await_line(process, "baseline 1")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        self.assertIsNone(app.poll())

    def test_no_sweep_goes_on_after_it(self):
        process = self.start("sweep", *self.options()[:-4], "--threads", "1,2",
                             "--settle", "20", "--", "sleep", "4711.6")
        self.await_line(process, "time it takes")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, 130)
        self.assertNotIn("2 threads", result.out)
        self.assertNotIn("least energy", result.out)

    def test_a_child_does_not_outlive_a_killed_powercheck(self):
        process = self.start(*self.options(window=20), "--baseline", "0.3",
                             "--", "sh", "-c", "touch started; exec sleep "
                             "4712.12")
        self.await_file("started")
        process.kill()
        process.wait()
        for _ in range(100):
            left = subprocess.run(["pgrep", "-f", "sleep 4712.12"],
                                  capture_output=True, check=False)
            if left.returncode:
                return
            signal.sigtimedwait([], 0.05)
        self.fail("it lives")


if __name__ == "__main__":
    harness.main()
