#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy/sysinfo: the system's counts, from trees that stand in for
/proc."""
import os
import unittest

import samples

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
STAT = "cpu  {} 20 300 4000 {} 6 7 8 0 0\ncpu0 1 1 1 1\nintr {} 1 2\nctxt {}\n"
MEMORY = "MemTotal: 2048 kB\nMemFree:  1024 kB\nMemAvailable: {} kB\n"
NETWORK = """Inter-|   Receive            |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes
    lo: {} 1 0 0 0 0 0 0 {} 1 0 0 0 0 0 0
  we,rd:9 1 0 0 0 0 0 0 10 1 0 0 0 0 0 0
"""


class Sysinfo(samples.SampleTest):
    def stat(self, user=100, iowait=50, interrupts=600, switches=700):
        self.write("root/proc/stat",
                   STAT.format(user, iowait, interrupts, switches))

    def memory(self, available):
        self.write("root/proc/meminfo", MEMORY.format(available))

    def network(self, received, sent):
        self.write("root/proc/net/dev", NETWORK.format(received, sent))

    def tree(self):
        self.stat()
        self.memory(1536)
        self.network(1000, 2000)

    def sysinfo(self, root=None):
        program = self.start(self.sample("sysinfo"), "-p", "0.02", "-r",
                             root or self.path("root"))
        self.until(lambda: self.rows("sysinfo"))
        return program

    def until_value(self, name, value):
        def reached():
            now = self.values("sysinfo")[name]
            return now is not None and abs(now - value) < 1e-6
        try:
            self.until(reached)
        except AssertionError:
            self.assertEqual(self.values("sysinfo")[name], value)

    def test_what_a_tree_says(self):
        self.tree()
        program = self.sysinfo()
        self.assertEqual(
            [(row["name"], row["unit"], row["value"])
             for row in self.rows("sysinfo")],
            [("cpu.user", "s", 100 * TICK_S), ("cpu.nice", "s", 20 * TICK_S),
             ("cpu.system", "s", 300 * TICK_S),
             ("cpu.idle", "s", 4000 * TICK_S),
             ("cpu.iowait", "s", 50 * TICK_S), ("cpu.irq", "s", 6 * TICK_S),
             ("cpu.softirq", "s", 7 * TICK_S), ("cpu.steal", "s", 8 * TICK_S),
             ("context_switches", "", 700), ("interrupts", "", 600),
             ("memory.total", "B", 2 << 20), ("memory.free", "B", 1 << 20),
             ("memory.available", "B", 1536 << 10),
             ("net.lo.received", "B", 1000), ("net.lo.sent", "B", 2000),
             ("net.we_rd.received", "B", 9), ("net.we_rd.sent", "B", 10)])
        self.assertEqual(self.finish(program), ("", ""))
        self.assertEqual(self.counter_files(), [])

    def test_it_follows_the_system(self):
        self.tree()
        self.sysinfo()
        self.stat(user=150, switches=1700)
        self.memory(512)
        self.network(1500, 2000)
        self.until_value("cpu.user", 150 * TICK_S)
        self.until_value("context_switches", 1700)
        self.until_value("memory.available", 512 << 10)
        self.until_value("net.lo.received", 1500)

    def test_a_32_bit_count_that_wraps(self):
        self.stat(interrupts=2**32 - 100)
        self.network(2**32 - 1, 5)
        self.sysinfo()
        self.stat(interrupts=200)
        self.network(9, 5)
        self.until_value("interrupts", 2**32 + 200)
        self.until_value("net.lo.received", 2**32 + 9)

    def test_iowait_that_falls_a_little(self):
        self.tree()
        self.sysinfo()
        # The user time tells that the line was read.
        for iowait, user, seen in (45, 101, 50), (49, 102, 50), (53, 103, 53):
            self.stat(iowait=iowait, user=user)
            self.until_value("cpu.user", user * TICK_S)
            self.until_value("cpu.iowait", seen * TICK_S)

    def test_an_interface_that_began_again(self):
        self.tree()
        self.sysinfo()
        self.network(30, 2000)
        self.until_value("net.lo.received", 1030)
        self.network(40, 2000)
        self.until_value("net.lo.received", 1040)

    def test_what_is_missing_is_named(self):
        self.stat()
        self.write("root/proc/net/dev", "nothing\n")
        program = self.sysinfo()
        self.assertNotIn("memory.free", self.values("sysinfo"))
        self.assertEqual(self.finish(program)[1], (
            "sysinfo: not published: proc/meminfo: No such file or directory\n"
            "sysinfo: not published: proc/net/dev: nothing known in it\n"))

    def test_what_vanishes_is_named_once_and_is_not_0(self):
        self.tree()
        program = self.sysinfo()
        os.remove(self.path("root/proc/meminfo"))
        os.remove(self.path("root/proc/net/dev"))
        self.until(lambda: self.values("sysinfo")["memory.free"] is None)
        self.stat(switches=800)
        self.until_value("context_switches", 800)
        self.assertEqual(self.values("sysinfo")["net.lo.received"], 1000)
        self.memory(1536)
        self.until_value("memory.free", 1 << 20)
        err = self.finish(program)[1]
        self.assertEqual(err.count("sysinfo: memory.free is gone\n"), 1)
        self.assertEqual(err.count("sysinfo: net.lo.sent is gone\n"), 1)
        self.assertEqual(len(err.splitlines()), 7)

    def test_a_tree_with_nothing(self):
        done = self.run_sample(self.sample("sysinfo"), "-r", self.path("none"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("sysinfo: 0 counters: 1 to 1024 are possible\n",
                      done.stderr)
        self.assertEqual(
            self.run_sample(self.sample("sysinfo"), "-p", "0").returncode, 2)

    def test_this_machine(self):
        program = self.sysinfo("/")
        values = self.values("sysinfo")
        with open("/proc/stat", encoding="utf-8") as file:
            user = int(file.readline().split()[1]) * TICK_S
        self.assertTrue(user - 60 < values["cpu.user"] <= user)
        self.finish(program)

    @unittest.skipUnless(os.environ.get("SLUICE_CORPUS"), "no SLUICE_CORPUS")
    def test_a_recorded_tree(self):
        root = os.path.join(os.environ["SLUICE_CORPUS"],
                            "prometheus-procfs/unpacked/fixtures")
        program = self.sysinfo(root)
        values = self.values("sysinfo")
        # 301854, 8979004 and 3552 hundredths of a second; 15666184 kB.
        for name, value in (("cpu.user", 301854 * TICK_S),
                            ("cpu.idle", 8979004 * TICK_S),
                            ("cpu.iowait", 3552 * TICK_S),
                            ("context_switches", 38014093),
                            ("interrupts", 73777505),
                            ("memory.total", 15666184 << 10)):
            self.assertAlmostEqual(values[name], value, places=6)
        self.assertIn("not published: proc/net/dev", self.finish(program)[1])


if __name__ == "__main__":
    unittest.main()
