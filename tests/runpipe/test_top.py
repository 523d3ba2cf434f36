# SPDX-License-Identifier: MIT
"""runpipe top in a terminal that tmux plays: what it shows, its keys, its ways
out. The model and the layout are tested in tests/watch."""
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import time
import unittest

import harness
from harness import RUNPIPE
from publisher import Publisher, pipeline

WAIT_S = 60


@unittest.skipUnless(shutil.which("tmux"), "there is no tmux")
class TopTest(harness.RunpipeTest):

    def setUp(self):
        super().setUp()
        self.counters = self.path("run/sluice")
        self.terminals = 0

    # ---- the terminal -------------------------------------------------

    def tmux(self, *arguments, check=True, **changes):
        changes.setdefault("LC_ALL", "C.UTF-8")
        # A terminal that goes kills the thread by which LeakSanitizer looks,
        # and it would wait for that for ever.
        changes.setdefault("ASAN_OPTIONS", os.environ.get("ASAN_OPTIONS", "")
                           + ":detect_leaks=0")
        result = subprocess.run(
            ["tmux", "-S", self.path(f"tmux{self.terminals}"),
             "-f", "/dev/null", *arguments],
            env=self.environment(TERM="xterm-256color",
                                 XDG_RUNTIME_DIR=self.path("run"), **changes),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
            timeout=WAIT_S)
        if check and result.returncode:
            self.fail(result.stderr.decode())
        return result.stdout.decode()

    def top(self, *arguments, columns=80, rows=24, **environment):
        """Start it in a shell, which tells how it ended and whether the
        terminal's modes are as before. One terminal at a time."""
        if self.terminals:
            self.tmux("kill-server")
        self.terminals += 1
        command = " ".join(shlex.quote(word) for word in (
            RUNPIPE, "top", "--interval", "0.1", *arguments))
        environment.setdefault("LC_ALL", "C.UTF-8")
        words = " ".join(f"{name}={shlex.quote(value)}"
                         for name, value in environment.items())
        self.write("shell", f"before=$(stty -g)\n"
                   f"env {words} {command}\n"
                   f"echo \"exit $?\"\n"
                   f"[ \"$before\" = \"$(stty -g)\" ] && echo restored\n"
                   f"exec cat\n")
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows),
                  "sh", self.path("shell"))
        self.addCleanup(self.tmux, "kill-server", check=False)

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def until(self, pattern, *options):
        """The first screen in which the pattern is found."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            screen = self.screen(*options)
            if re.search(pattern, screen, re.M):
                return screen
            time.sleep(0.02)
        self.fail(f"no {pattern!r} came:\n{screen}")

    def process(self):
        """Of the program, which the terminal's shell waits for."""
        shell = self.tmux("list-panes", "-F", "#{pane_pid}").strip()
        with open(f"/proc/{shell}/task/{shell}/children",
                  encoding="ascii") as file:
            return int(file.read().split()[0])

    def gone(self, code):
        screen = self.until(r"^exit \d+$")
        self.assertIn(f"exit {code}\n", screen)
        self.until("^restored$")
        # Whatever it showed is gone with it, and the cursor is back.
        self.assertNotIn("packets/s", screen)
        self.assertEqual(
            self.tmux("display-message", "-p",
                      "#{alternate_on} #{cursor_flag}"), "0 1\n")

    def published(self, **options):
        counters = options.pop("counters", None) or pipeline()
        publisher = Publisher(self.counters, counters, **options)
        self.addCleanup(publisher.file.close)
        return publisher

    def moving(self):
        """A pipeline whose figures have risen, seen twice by now."""
        publisher = self.published()
        self.top()
        self.until("^runpipe .* running")
        publisher.set("packets_in", 1234567)
        publisher.set("packets.nat", 1234567)
        publisher.set("busy.nat", 1234567 * 300)
        publisher.set("power", 31.5)
        publisher.set("energy", 1234.5)
        self.until("1,234,567")
        return publisher

    # ---- what it shows ------------------------------------------------

    def test_a_pipeline_at_80x24_and_200x50_and_back(self):
        self.moving()
        screen = self.until("^sum .* 31.50 W +1.234 kJ")
        self.assertRegex(screen, r"(?m)^runpipe \d+  running  \d+:\d+  "
                         r"4 workers +every 0.1 s$")
        self.assertRegex(screen, r"(?m)^in +\S+ .* 1,234,567")
        self.assertEqual(len(screen.splitlines()), 24)
        self.assertRegex(screen, r"\? help  q quit\n$")
        self.tmux("resize-window", "-x", "200", "-y", "50")
        screen = self.until("packets/J, 0 to")
        lines = screen.splitlines()
        self.assertEqual(len(lines), 50)
        self.assertRegex(lines[49], r"^p pause .* \? help  q quit$")
        self.assertEqual(len(lines[49]), 200)
        self.assertIn("load, 0 to 100 %", screen)
        self.assertIn("power, 0 to 31.50 W", screen)
        self.tmux("resize-window", "-x", "80", "-y", "24")
        screen = self.until(r"\? help  q quit\n$")
        self.assertEqual(len(screen.splitlines()), 24)
        self.assertLessEqual(max(map(len, screen.splitlines())), 80)
        self.keys("q")
        self.gone(0)

    def test_a_rate_takes_an_interval(self):
        self.published()
        self.top("--interval", "60")
        self.assertRegex(self.until(r"\? help  q quit\n$"),
                         r"(?m)^in +- +0$")
        self.keys("q")
        self.gone(0)

    def test_a_terminal_that_is_too_small_says_so(self):
        self.published()
        self.top(columns=60, rows=20)
        self.assertEqual(self.until("too small"), "too small: 60x20\n"
                         "80x24 wanted\nq quit\n" + 17 * "\n")
        self.tmux("resize-window", "-x", "100", "-y", "24")
        self.until("^runpipe .* running")
        self.tmux("resize-window", "-x", "3", "-y", "2")
        self.until("^too$")
        self.keys("q")
        self.tmux("resize-window", "-x", "80", "-y", "24")
        self.gone(0)

    def test_where_the_locale_has_no_blocks_there_are_none(self):
        publisher = self.published()
        self.top(LC_ALL="C")
        self.until("^in")
        publisher.set("packets_in", 1000)
        screen = self.until("^in .* 1,000 .*#")
        self.assertTrue(screen.isascii(), screen)

    def test_with_a_utf8_locale_there_are_blocks(self):
        self.moving()
        self.until("█")

    def test_no_color_means_none(self):
        for no_color, colours in ("", True), ("1", False):
            with self.subTest(NO_COLOR=no_color):
                self.published(number=int(colours))
                self.top(NO_COLOR=no_color)
                screen = self.until("running", "-e")
                found = re.findall("\033\\[[0-9;]*m", screen)
                self.assertTrue(found)
                self.assertEqual(
                    any(re.search(r"[\[;][34][0-7][;m]", code)
                        for code in found), colours, found)

    def test_any_program_s_counters_are_a_table(self):
        self.published(program="encoder", counters=[
            ("frames", "frame", 1, 7), ("quality", "", 1, float("nan"))])
        self.top("encoder")
        screen = self.until("^frames +7  frame")
        self.assertRegex(screen, r"(?m)^encoder \d+  running")
        self.assertRegex(screen, r"(?m)^quality +no figure")

    def test_without_programs_it_waits_for_one(self):
        self.top()
        self.until("No program publishes counters. Waiting for one.")
        self.published()
        self.until("^runpipe .* running")

    # ---- ends ---------------------------------------------------------

    def test_a_pipeline_that_ends_keeps_its_last_figures(self):
        publisher = self.moving()
        publisher.set("packets_in", 2000000)
        publisher.end()
        screen = self.until("it has ended; these are its last figures")
        self.assertRegex(screen, r"(?m)^in +- +2,000,000 ")
        self.assertRegex(screen, "(?m)^runpipe .*  ended")
        self.keys("q")
        self.gone(0)

    def test_a_pipeline_that_died_is_dead(self):
        victim = subprocess.Popen(["sleep", "600"])
        self.addCleanup(victim.wait)
        self.addCleanup(victim.kill)
        self.published(process=victim.pid)
        self.top(str(victim.pid))
        self.until(f"^runpipe {victim.pid}  running")
        victim.kill()
        victim.wait()
        self.until("it died; these are its last figures")

    def test_a_file_that_turns_hostile_breaks_nothing(self):
        publisher = self.moving()
        for name in publisher.names:
            publisher.set(name, 0xffffffffffffffff)
        self.until("^in .* 18.45 E")
        for name in publisher.names:
            publisher.set(name, 0)
        self.until("^in +.* 0 ")
        publisher.write(128 + 96, b"\033[2Jx\0")
        self.until("cannot be read: byte 224: a name that cannot be")
        publisher.write(128 + 96, b"packets_in\0")
        self.until("^runpipe .* running")
        os.truncate(publisher.path, 100)
        self.until("cannot be read: byte 100: the file ends")
        self.keys("q")
        self.gone(0)

    def test_a_file_that_is_none_is_named(self):
        self.published()
        with open(os.path.join(self.counters, "x\033[2J.counters"),
                  "wb"):
            pass
        self.top()
        self.until(r"not readable: x\?\[2J.counters: byte 0: the file ends")

    # ---- keys and signals ---------------------------------------------

    def test_keys(self):
        self.moving()
        self.keys("?")
        self.until("^  q +quit")
        self.keys("?")
        self.until("^sum")
        self.keys("p")
        self.until("PAUSED$")
        self.keys("p")
        self.until("every 0.1 s$")
        self.keys("+", "+", "+")
        self.until("every 1 s$")
        self.keys("-")
        self.until("every 0.5 s$")
        self.keys("t")
        self.until(r"^packets\.nat +1,234,567  packet")
        self.keys("Down")
        self.until(r"^counter .*\n^packets_out")
        self.keys("Up")
        self.until(r"^counter .*\n^packets_in")
        self.keys("t")
        self.until("^sum")
        self.keys("Q")
        self.gone(0)

    def test_what_is_paused_stands_still(self):
        publisher = self.moving()
        self.keys("p")
        self.until("PAUSED$")
        publisher.set("packets_in", 7654321)
        self.tmux("resize-window", "-x", "90", "-y", "30")
        self.until(r"\? help  q quit\n$")
        self.assertRegex(self.until("PAUSED$"), "(?m)^in .* 1,234,567")
        self.keys("p")
        self.until("^in .* 7,654,321")

    def test_another_pipeline_is_chosen_by_tab_and_arrows(self):
        self.published(number=0, created=1).set("packets_in", 111)
        self.published(number=1, created=2).set("packets_in", 222)
        self.top()
        screen = self.until("^in .* 222 ")
        self.assertRegex(screen, r"(?m)^ runpipe \d+  \[runpipe \d+\]$")
        for key, figure in (("Tab", 111), ("Right", 222), ("Left", 111),
                            ("BTab", 222)):
            self.keys(key)
            self.until(f"^in .* {figure} ")

    def test_signals_restore_the_terminal(self):
        self.published()
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            with self.subTest(signal=number.name):
                self.top()
                self.until("^runpipe .* running")
                os.kill(self.process(), number)
                self.gone(128 + number)

    def test_a_folder_that_cannot_be_read_restores_it_too(self):
        self.write("file", "")
        os.mkdir(self.path("folder"))
        self.top("--folder", self.path("folder"))
        self.until("No program publishes")
        os.rmdir(self.path("folder"))
        os.symlink("file", self.path("folder"))
        self.gone(1)
        self.assertIn("runpipe top: cannot read", self.screen())

    def switches(self):
        """How often it has gone to sleep by now."""
        with open(f"/proc/{self.process()}/status", encoding="ascii") as file:
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)",
                                 file.read(), re.M)[1])

    def test_it_sleeps_between_readings(self):
        self.published()
        self.top("--interval", "60")
        self.until("every 60 s$")
        before = self.switches()
        for _ in range(50):  # for as long as this takes
            self.screen()
        # It may have been on its way to sleep, or be woken by chance.
        self.assertLess(self.switches() - before, 5)

    # ---- without a terminal -------------------------------------------

    def test_no_terminal(self):
        self.check(self.run_pipe("top"), 2,
                   "runpipe top: this is no terminal; without one: runpipe "
                   "counters --watch\ntry runpipe top --help\n")

    def test_a_kind_of_terminal_that_is_not_known(self):
        main, other = pty.openpty()
        self.addCleanup(os.close, main)
        self.addCleanup(os.close, other)
        self.published()
        result = self.run_pipe("top", "--folder", self.counters, stdin=other,
                               stdout=other,
                               env={"TERM": "none-of-this-world"})
        self.assertEqual(
            (result.code, result.err),
            (2, "runpipe top: this kind of terminal is not known (TERM); "
             "without one: runpipe counters --watch\n"
             "try runpipe top --help\n"))

    def test_a_terminal_that_hangs_up_ends_it(self):
        main, other = pty.openpty()
        self.published()
        process = self.start("top", "--folder", self.counters, stdin=other,
                             stdout=other, env={"TERM": "xterm"})
        os.close(other)
        self.assertIn(b"\033", os.read(main, 4096))
        os.close(main)
        self.assertEqual(self.finish(process).code, 129)

    def test_mistakes_of_usage(self):
        for arguments, message in (
                (["--interval", "0"],
                 "--interval takes seconds, from 0.1 to 60"),
                (["--interval", "nan"],
                 "--interval takes seconds, from 0.1 to 60"),
                (["a", "b"], "one program's number or name at most"),
                (["12x"], "a process is a number")):
            with self.subTest(arguments=arguments):
                self.check(self.run_pipe("top", *arguments), 2,
                           f"runpipe top: {message}\n"
                           "try runpipe top --help\n")

    def test_a_program_that_is_not_there_is_named(self):
        self.top("encoder")
        self.gone(1)
        self.assertIn("runpipe top: no counters of a program encoder\n",
                      self.screen())


if __name__ == "__main__":
    harness.main()
