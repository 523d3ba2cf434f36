#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy/rates: another program's counters, over its end, its death
and its next life."""
import os
import re
import struct
import unittest

import samples

VALUE = re.compile(r"^  (\S+) +(\S+) \w*(?:  (\S+) \w*/s)?$")


class Rates(samples.SampleTest):
    def rates(self, program="threads", period="0.05"):
        return self.start(self.sample("rates"), program, period)

    def counting(self, counts=10):
        """A program that has counted and holds still until its input ends."""
        return self.start(self.sample("threads"), "2", str(counts), "cat")

    def started(self):
        program = self.counting()
        self.until(lambda: f"threads.{program.pid}.0.counters"
                   in self.counter_files())
        return program

    def line(self, program, *expected):
        """Read up to one of these lines; @return it and those before it."""
        lines = []
        while True:
            line = program.stdout.readline()
            self.assertTrue(line, lines)
            if line.rstrip("\n") in expected:
                return lines
            lines.append(line.rstrip("\n"))

    def test_it_waits_and_survives_end_death_and_restart(self):
        rates = self.rates()
        first = self.counting()
        self.assertEqual(self.line(rates, f"threads {first.pid}: found"), [])
        first.stdin.close()
        seen = self.line(rates, f"threads {first.pid}: ended")
        self.assertEqual(first.wait(samples.TIMEOUT_S), 0)
        self.assertRegex("\n".join(seen), r"(?m)^  all +20 count")
        second = self.counting(30)
        self.assertEqual(self.line(rates, f"threads {second.pid}: found"), [])
        second.kill()
        second.wait()
        second.stdin.close()
        self.line(rates, f"threads {second.pid}: died")
        third = self.counting(40)
        self.assertEqual(self.line(rates, f"threads {third.pid}: found"), [])
        out, _ = self.finish(rates)
        self.assertTrue(out.endswith(f"threads {third.pid}: left\n"), out)

    def test_the_youngest_that_lives_is_followed(self):
        first, second, third = (self.started() for _ in range(3))
        third.kill()
        third.wait()
        self.assertEqual(len(self.counter_files()), 3)
        self.assertEqual(self.line(self.rates(),
                                   f"threads {second.pid}: found"), [])
        second.kill()
        second.wait()
        self.assertEqual(self.line(self.rates(),
                                   f"threads {first.pid}: found"), [])

    def test_rates_are_differences_by_time(self):
        def tree(switches):
            self.write("root/proc/stat", f"ctxt {switches}\n")
            self.write("root/proc/meminfo", "MemFree: 8 kB\n")
        tree(1000)
        rates = self.rates("sysinfo", "0.02")
        counted = self.start(self.sample("sysinfo"), "-p", "0.01", "-r",
                             self.path("root"))
        self.line(rates, f"sysinfo {counted.pid}: found")
        for step in range(1, 6):
            tree(1000 + 300 * step)
            self.until(lambda: self.values("sysinfo")["context_switches"]
                       == 1000 + 300 * step)
        counted.terminate()
        lines = self.line(rates, f"sysinfo {counted.pid}: ended")
        before, grown = {}, 0
        for line in lines:
            if line.startswith("after "):
                elapsed = float(line.split()[1])
                continue
            name, value, rate = VALUE.match(line).groups()
            # A gauge has no rate, and the first values have none.
            self.assertEqual(rate is None, name not in before
                             or name == "memory.free", line)
            if rate:
                more = float(value) - before[name]
                self.assertAlmostEqual(float(rate) * elapsed, more,
                                       delta=1e-3 * more)
                grown += more
            before[name] = float(value)
        self.assertEqual(before["context_switches"], 2500)
        self.assertTrue(0 < grown <= 1500, grown)
        self.assertEqual(before["memory.free"], 8192)

    def change(self, value):
        """Set the first counter of the only file, as its program might."""
        name, = self.counter_files()
        with open(os.path.join(self.path("sluice"), name), "r+b") as file:
            file.seek(128)
            file.write(struct.pack("=Q", value))

    def test_a_counter_that_wraps_and_one_that_is_set_back(self):
        self.counting()
        self.until(self.counter_files)
        self.until(lambda: self.values("threads").get("thread.1") == 10)
        self.change(2**64 - 5)
        rates = self.rates()
        self.until(lambda: "after" in rates.stdout.readline()
                   and "1.8446744" in rates.stdout.readline())
        self.change(5)
        rate = self.until(lambda: re.match(r"  all +5 count  (\S+) count/s",
                                           rates.stdout.readline()))
        self.assertTrue(0 < float(rate[1]) <= 10 / 0.05)
        self.change(3)
        self.until(lambda: re.match(r"  all +3 count  set back$",
                                    rates.stdout.readline()))

    def test_a_file_that_turns_into_garbage(self):
        program = self.counting()
        rates = self.rates()
        self.line(rates, f"threads {program.pid}: found")
        name, = self.counter_files()
        with open(os.path.join(self.path("sluice"), name), "r+b") as file:
            file.write(b"garbage!")
        self.line(rates, f"threads {program.pid}: byte 0: not a counter file")
        self.assertEqual(self.finish(rates)[0], "")

    def test_a_folder_that_cannot_be_read(self):
        self.write("sluice", "a file")
        rates = self.rates()
        self.assertEqual(rates.stderr.readline(), "rates: cannot read "
                         f"{self.path('sluice')}: Not a directory\n")
        rates.kill()

    def test_usage(self):
        for arguments in (), ("a", "0"), ("a", "x"), ("a", "1", "b"):
            done = self.run_sample(self.sample("rates"), *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: rates PROGRAM [SECONDS]", done.stderr)


if __name__ == "__main__":
    unittest.main()
