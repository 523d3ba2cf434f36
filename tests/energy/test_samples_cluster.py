#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy/cluster.py: work and joules of several hosts, and none that
is taken for 0."""
import json
import os
import shutil
import struct
import sys
import unittest

import samples

RUN = {"program": "runpipe", "process": 7, "state": "live"}


def host(work, joules, unit="packet", estimate=None, **changes):
    """What `runpipe counters --json` prints on a host."""
    rows = [{"name": "packets_out", "unit": unit, "value": work},
            {"name": "energy", "unit": "J", "value": joules}]
    if estimate is not None:
        rows.append({"name": "estimate", "unit": "", "value": estimate})
    return "".join(json.dumps({**RUN, **row, **changes}) + "\n"
                   for row in rows)


class Cluster(samples.SampleTest):
    def hosts(self, folder="now", **texts):
        for name, text in texts.items():
            self.write(f"{folder}/{name}.json", text)

    def cluster(self, *arguments, code=0):
        done = self.run_sample(
            sys.executable, "-B",
            os.path.join(samples.SOURCES, "cluster.py"), *arguments)
        self.assertEqual((done.returncode, done.stderr), (code, ""),
                         done.stdout)
        return done.stdout

    def test_work_and_joules_are_added_up_and_divided(self):
        self.hosts(a=host(1000, 10), b=host(500, 20))
        report = self.cluster("--calibration", "2", "now", "a", "b")
        self.assertEqual(report, """\
a            1000 packet, 10 J
b            500 packet, 20 J
efficiency of 2 of 2 hosts: 50 packet/J, 95 %: 49.0196 to 51.0204
""")

    def test_without_calibration_the_interval_is_unknown(self):
        self.hosts(a=host(1000, 10))
        self.assertIn("100 packet/J, interval unknown: say --calibration\n",
                      self.cluster("now", "a"))

    def test_a_models_figure_is_an_estimate(self):
        self.hosts(a=host(900, 10, estimate=1), b=host(100, 10, estimate=0))
        report = self.cluster("--calibration", "0", "now", "a", "b")
        self.assertIn("a            900 packet, 10 J (estimate)\n", report)
        self.assertIn("b            100 packet, 10 J\n", report)
        # 1000 by 20 J +- 3 J
        self.assertIn("50 packet/J, 95 %: 43.4783 to 58.8235 (estimate)\n",
                      report)

    def test_a_missing_host_is_named_and_not_0(self):
        self.hosts(a=host(1000, 10))
        report = self.cluster("now", "a", "b", code=1)
        self.assertIn("b            missing: no now/b.json\n", report)
        self.assertIn("no figure for the cluster: 1 of 2 hosts lack one\n",
                      report)
        self.assertIn("efficiency of 1 of 2 hosts: 100 packet/J",
                      self.cluster("--partial", "now", "a", "b"))

    def trouble(self, *texts, options=()):
        """Why hosts that say this have no figure."""
        self.hosts(good=host(1000, 10))
        names = [f"bad{at}" for at in range(len(texts))]
        self.hosts(**dict(zip(names, texts)))
        report = json.loads(self.cluster("--json", *options, "now", "good",
                                         *names, code=1))
        self.assertNotIn("trouble", report["hosts"]["good"])
        self.assertNotIn("efficiency", report["cluster"])
        return [report["hosts"][name]["trouble"] for name in names]

    def test_a_host_without_a_figure_is_named(self):
        unreadable = r"unreadable: now/bad\d+.json: "
        cases = (
            ("", "no counters in now/bad0.json"),
            (host(1, 1, state="dead"), "dead: process 7 of runpipe, at 1"),
            (host(1, None), "no figure in energy"),
            (host(None, 1), "no figure in packets_out"),
            (host(1, 0), "no joules in energy: 0 J"),
            (host(1, -5), "no joules in energy: -5 J"),
            (host(1, 1) + host(1, 1, process=8),
             r"energy of 2 processes; which\?"),
            (host(1, 1).splitlines()[0], "no counter energy"),
            (host(1, 1).splitlines()[1], "no counter packets_out"),
            (host(1, 1)[:-30], unreadable),
            ("[1]\n", unreadable),
            (host(1, 1, program="\x1b[2J"), unreadable + r"'\\x1b\[2J'"),
            (host(1, 1, state=None), unreadable),
            (host("many", 1), unreadable))
        troubles = self.trouble(*(text for text, _ in cases))
        for trouble, (text, why) in zip(troubles, cases):
            self.assertRegex(trouble, "^" + why, text)

    def test_a_stale_host_is_named(self):
        self.hosts(bad=host(1, 1))
        now = os.stat(self.path("now/bad.json")).st_mtime
        self.hosts(good=host(1, 1), bad=host(1, 1))
        os.utime(self.path("now/bad.json"), (now - 60, now - 60))
        os.utime(self.path("now/good.json"), (now, now))
        report = self.cluster("now", "good", "bad", code=1)
        self.assertIn("bad          stale: 60 s older than the newest\n",
                      report)
        self.cluster("--max-age", "61", "now", "good", "bad")

    def test_work_of_several_processes_of_a_host_is_one(self):
        encoder = {**RUN, "program": "encoder", "name": "frames",
                   "unit": "frame"}
        rows = [{**encoder, "process": process, "value": process}
                for process in (10, 20)]
        self.hosts(a=host(1, 10) + "".join(json.dumps(row) + "\n"
                                           for row in rows))
        self.assertIn("30 frame, 10 J",
                      self.cluster("--work", "encoder/frames", "now", "a"))

    def test_what_came_since_counts(self):
        self.hosts("before", a=host(1000, 10), b=host(100, 1000))
        self.hosts(a=host(1600, 30), b=host(500, 1020))
        report = self.cluster("--since", "before", "now", "a", "b")
        self.assertIn("a            600 packet, 20 J\n", report)
        self.assertIn("b            400 packet, 20 J\n", report)
        self.assertIn(": 25 packet/J", report)

    def test_a_program_that_began_again_in_between(self):
        self.hosts("before", good=host(0, 1), bad0=host(1000, 10),
                   bad1=host(1000, 10), bad2=host(1000, None))
        since = "--since", "before"
        self.assertEqual(
            self.trouble(host(500, 20), host(1500, 20, process=8),
                         host(2000, 20), options=since),
            ["packets_out of process 7 fell, or had no figure",
             "process 7 of runpipe ended in between: what it did is not known",
             "energy of process 7 fell, or had no figure"])

    def test_what_is_undefined(self):
        self.hosts(a=host(0, 10), b=host(1, 10, unit="frame"))
        self.assertIn("no work: the efficiency is undefined",
                      self.cluster("now", "a", code=1))
        self.assertIn("units of work differ: frame, packet",
                      self.cluster("now", "a", "b", code=1))

    # ---- folders of counter files ---------------------------------------

    def meter(self):
        """A program of this machine that has counted 2 x 500 in `all`, and
        whose second counter is made one of joules."""
        program = self.start(self.sample("threads"), "2", "500", "cat")
        self.until(lambda: self.rows() and
                   self.values("threads")["thread.1"] == 500)
        name, = self.counter_files()
        path = os.path.join(self.path("sluice"), name)
        with open(path, "r+b") as file:
            file.seek(2 * 128)
            file.write(struct.pack("=d", 12.5))
            file.seek(2 * 128 + 64)
            file.write(struct.pack("=I", 1))
            file.seek(2 * 128 + 80)
            file.write(b"J".ljust(16, b"\0"))
        return program, path

    def judge_folder(self, *arguments, code=0):
        return self.cluster("--work", "all", "--energy", "threads/thread.0",
                            *arguments, ".", "sluice", code=code)

    def test_a_folder_of_counter_files(self):
        program, path = self.meter()
        shutil.copy(path, self.path("copy"))
        self.assertIn("sluice       1000 count, 12.5 J\n", self.judge_folder())
        program.communicate(timeout=samples.TIMEOUT_S)
        self.assertIn("no counters in ./sluice", self.judge_folder(code=1))
        os.rename(self.path("copy"), path)
        self.assertIn(f"dead: process {program.pid} of threads, at",
                      self.judge_folder(code=1))
        with open(path, "r+b") as file:
            file.seek(40)  # of another machine: who knows
            file.write(b"?" * 16)
        self.assertIn("sluice       1000 count, 12.5 J\n", self.judge_folder())

    def test_a_file_that_is_no_counter_file(self):
        _, path = self.meter()
        with open(path, "rb") as file:
            good = file.read()
        for bad in (b"", good[:127], good[:-1], b"X" + good[1:],
                    good[:12] + b"\xff\xff\0\0" + good[16:]):
            with open(path, "wb") as file:
                file.write(bad)
            self.assertIn("unreadable: ./sluice: ", self.judge_folder(code=1))


if __name__ == "__main__":
    unittest.main()
