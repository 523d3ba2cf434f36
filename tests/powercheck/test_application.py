#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The application under test: how it starts, ends and fails, and that
nothing is left of it."""
import os
import pty
import signal
import subprocess

import harness


class Failures(harness.PowercheckTest):
    def test_a_program_that_is_missing(self):
        result = self.check(command=["no-such-program-77"])
        self.assertEqual(result.code, 1)
        self.assertEqual(result.err, "powercheck: no-such-program-77: command "
                         "not found\n")
        result = self.check(command=["./nothing/here"])
        self.assertEqual(result.err, "powercheck: ./nothing/here: No such "
                         "file or directory\n")

    def test_a_file_that_is_no_program(self):
        path = self.write("program", "#!/no/interpreter\n")
        os.chmod(path, 0o755)
        result = self.check(command=[path])
        self.assertEqual(result.code, 1)
        self.assertIn(f"powercheck: {path}: No such file or directory",
                      result.err)
        self.assertEqual(self.kinds(self.report()), ["baseline"])

    def test_a_command_that_fails_while_it_is_measured(self):
        result = self.check(command=["sh", "-c", "sleep 0.2; exit 3"])
        self.assertEqual(result.code, 1)
        self.assertIn("the command ended while it was measured, with exit "
                      "code 3", result.err)
        report = self.report()
        self.assertEqual(report.get("outcome"), "failed")
        self.assertEqual(self.kinds(report), ["baseline"])
        self.assertIsNone(report.find("result"))

    def test_a_command_that_dies_of_a_signal(self):
        result = self.check(command=["sh", "-c", "kill -SEGV $$"])
        self.assertIn("with signal 11", result.err)

    def test_a_command_that_ends_before_it_was_active(self):
        for start, words in ((["--start-after", "5"], "while it was to settle"),
                             (["--start-line", "never"],
                              "before its line came"),
                             (["--start-counter", "frames"],
                              "before its counter rose")):
            result = self.check(*start, command=["sh", "-c", "echo no; exit"])
            self.assertEqual(result.code, 1)
            self.assertIn("the command ended " + words +
                          ", with exit code 0", result.err)

    def test_a_command_that_ends_before_it_was_idle(self):
        result = self.check("--idle-command", "true", "--sample", "0.02",
                            command=["sleep", "0.5"])
        self.assertEqual(result.code, 1)
        self.assertIn("the command ended before it was idle", result.err)
        self.assertEqual(self.kinds(self.report()), ["baseline", "active"])

    def test_an_idle_command_that_fails(self):
        result = self.check("--start-line", "ready", "--idle-command",
                            "exit 4")
        self.assertEqual(result.code, 1)
        self.assertIn("the idle command ended with exit code 4", result.err)

    def test_nothing_of_the_command_is_left(self):
        word = "4711.4711"
        command = ["sh", "-c", f"setsid -f sleep {word}; sleep {word} & "
                   f"trap '' TERM; (setsid sh -c 'sleep {word} & sleep "
                   f"{word}' &); exec sleep 0.5"]
        result = self.check("--sample", "0.02", command=command)
        self.assertIn(result.code, (0, 1))
        self.check_nobody_left(word)


class Terminal(harness.PowercheckTest):
    def test_a_line_of_what_is_left_is_for_terminals_alone(self):
        above, below = pty.openpty()
        self.addCleanup(os.close, above)
        with subprocess.Popen(
                [harness.POWERCHECK, *self.options(settle=1), "--start-line",
                 "ready", "--", *self.busy()], cwd=self.folder,
                env=self.environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=below) as process:
            os.close(below)
            said = b""
            try:
                while chunk := os.read(above, 4096):
                    said += chunk
            except OSError:
                pass # nobody has it open any more
        self.assertEqual(process.returncode, 0, said)
        for part in b"settle: ", b"baseline: ", b"active: ", b"idle: ":
            self.assertRegex(said, rb"\r\x1b\[K" + part + rb"\d s left")


class Watched(harness.PowercheckTest):
    """A process that is not powercheck's."""

    def run_app(self, text):
        app = subprocess.Popen(self.script(text), cwd=self.folder,
                               start_new_session=True)
        self.addCleanup(app.wait)
        self.addCleanup(os.killpg, app.pid, signal.SIGKILL)
        return app

    def test_by_its_id(self):
        app = self.run_app("sleep 1.2\n" f"watts {harness.ACTIVE_W}\n"
                           "sleep 60 & wait $!\n")
        result = self.run_tool(*self.options(), "--pid", str(app.pid),
                               "--start-after", "0.8")
        self.assertIsNone(app.poll())
        report = self.report()
        self.assertEqual(self.kinds(report), ["baseline", "active", "idle"])
        self.assertEqual(result.code, 0, result.out + result.err)
        self.assertAlmostEqual(self.figure(report, "power_w"),
                               harness.ACTIVE_W, places=6)
        # it goes on working: nobody told it to be idle
        self.assertIn("invalid: the idle phase looks like the active one",
                      result.out)

    def test_by_a_name_that_appears_later(self):
        app = self.run_app(f"sleep 1.4\nwatts {harness.ACTIVE_W}\n"
                           "sleep 60 & wait $!\n")

        process = self.start(*self.options(), "--name", "the-app")
        self.await_line(process, "baseline")
        self.assertIsNone(process.poll())
        self.set_power(harness.ACTIVE_W)
        self.tree(f"proc/{app.pid}/stat", f"{app.pid} (the-app) S 1 1 1 0 0 0 "
                  "0 0 0 0 1 0 0 0 20 0 1 0 5 0 0\n")
        result = self.finish(process)
        self.assertEqual(result.code, 0, result.out + result.err)

    def test_what_does_not_fit_together(self):
        for words, message in (
                (["--pid", "1"], "--pid needs --start-after or"),
                (["--pid", "1", "--name", "x"], "exclude each other"),
                (["--name", "x", "--start-line", "y"],
                 "--start-line needs a command"),
                (["--name", "x", "--repeat", "2"], "can be measured once"),
                (["--pid", "x"], "--pid takes a number"),
                ([], "there is no command"),
                (["--start-after", "1", "--start-line", "x", "--", "true"],
                 "exclude each other"),
                (["--window", "0", "--", "true"], "--window takes a number"),
                (["--repeat", "1.5", "--", "true"], "takes a whole number"),
                (["--start-line", "(", "--", "true"],
                 "is no regular expression"),
                (["--work", "a/b/c", "--", "true"],
                 "neither a file nor a counter"),
                (["--meter", "nothing", "--", "true"], 'no plugin "nothing"'),
                (["--threads", "1", "--", "true"], "--threads is sweep's")):
            result = self.run_tool(*words)
            self.assertEqual(result.code, 2, words)
            self.assertIn(message, result.err)
            self.assertEqual(result.out, "")

    def test_a_process_that_is_not_there(self):
        result = self.run_tool(*self.options(), "--pid", "4194303",
                               "--start-after", "1")
        self.assertEqual(result.code, 1)
        self.assertIn("process 4194303: No such process", result.err)


if __name__ == "__main__":
    harness.main()
