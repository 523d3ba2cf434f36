#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One input, one output: for every number of workers and tokens, whatever
overtakes what.

SLUICE_REPEATS (2) runs of each combination; 20 for a thorough look.
"""
import itertools
import json
import os
import subprocess
import sys
import unittest

import harness

REPEATS = int(os.environ.get("SLUICE_REPEATS", 2))
LINES = 12000
MAKE_TRACE = os.path.join(harness.SOURCE_DIR, "tests", "reference",
                          "make_trace.py")
ENGINES = [["--serial"]] + [["--workers", str(workers)]
                            for workers in (1, 2, 3, 8, 24)]
TOKENS = (2, 24)
CHUNKS = (7, 1600)

# 200 ports a transport, and mappings that live for 1,200 packets: ports run
# out, and come back. Chunks wait for some microseconds, enough to overtake.
CONFIG = '''\
tokens = {tokens};
chunk = {chunk};
plugin_path = ( "{plugins}" );
source = {{ plugin = "trace_text"; path = "trace.txt"; {source}
           packet_interval = "1ms"; }};
stages = (
  {prioritize}
  {{ plugin = "delay"; name = "delay1"; max = "{delay}"; seed = 1; }},
  {{ plugin = "nat"; external_nic = "eth0"; external_address = "134.77.77.30";
    ports = "2000-2199"; timeout = "1200 ms";
    forwards = ( "udp 2004 10.231.30.3:5003" ); }},
  {{ plugin = "delay"; name = "delay2"; max = "{delay}"; seed = 2; }},
  {{ plugin = "route"; routes = ( "10.231.0.0/16 eth1", "10.232.0.0/16 eth2",
    "0.0.0.0/1 eth0", "128.0.0.0/3 eth0" ); }},
  {stage}
  {{ plugin = "delay"; name = "delay3"; max = "{delay}"; seed = 3; }}
);
sink = {{ plugin = "trace_text"; path = "out.txt"; }};
'''
PRIORITIZE = ('{ plugin = "prioritize"; '
              'classes = ( ["sip", "rtp"], ["http"], ["ftp"] ); },')
DELAYS = {7: "20 us", 1600: "2 ms"}


def make_trace():
    return subprocess.run(
        [sys.executable, "-B", MAKE_TRACE, str(LINES), "3", "--flows", "2500",
         "--return-ports", "1990-2209"],
        check=True, stdout=subprocess.PIPE).stdout


class OrderTest(harness.RunpipeTest):
    @classmethod
    def setUpClass(cls):
        cls.trace = make_trace()

    def run_once(self, engine, tokens, chunk, prioritize=True, source="",
                 stage=""):
        """What a run leaves: its code, messages, output, and all counts."""
        self.write("pipeline.conf", CONFIG.format(
            tokens=tokens, chunk=chunk, delay=DELAYS[chunk], source=source,
            prioritize=PRIORITIZE if prioritize else "", stage=stage,
            plugins=harness.TEST_PLUGINS))
        result = self.run_pipe("--quiet", "--stats", "-", *engine,
                               "pipeline.conf")
        stats = json.loads(result.out)
        return (result.code, result.err, self.read("out.txt"),
                stats["outcome"], stats["packets"],
                stats["source"]["skipped"], stats["source"]["packets_out"],
                {one["name"]: one["dropped"] for one in stats["stages"]},
                stats["sink"]["packets_in"])

    def check_same(self, got, wanted, what):
        self.check_lines(got[2], wanted[2], what)
        self.assertEqual(got[:2] + got[3:], wanted[:2] + wanted[3:], what)

    def check_all(self, repeats=REPEATS, **options):
        """Every combination against the serial run of its chunk size.
        @return those, by chunk size."""
        serial = {chunk: self.run_once(["--serial"], 24, chunk, **options)
                  for chunk in CHUNKS}
        for chunk, tokens, engine in itertools.product(CHUNKS, TOKENS,
                                                       ENGINES):
            for repeat in range(repeats):
                with self.subTest(engine=engine, tokens=tokens, chunk=chunk,
                                  repeat=repeat):
                    self.check_same(
                        self.run_once(engine, tokens, chunk, **options),
                        serial[chunk], f"{engine} {tokens} {chunk}")
        return serial


class WholeTrace(OrderTest):
    def test_the_output_is_the_same_for_all_workers_and_tokens(self):
        self.write("trace.txt", self.trace)
        serial = self.check_all()
        for chunk in CHUNKS:
            code, err, out, outcome, packets, _, _, drops, _ = serial[chunk]
            self.assertEqual((code, err, outcome), (0, "", "done"))
            self.assertEqual(packets["in"], LINES)
            self.assertEqual(out.count(b"\n"), packets["out"])
            # The trace does what it is for: each way to be dropped occurs.
            for stage, reason in (("nat", "no_mapping"),
                                  ("nat", "out_of_ports"),
                                  ("route", "no_route")):
                self.assertGreater(drops[stage][reason], 50, reason)

    def test_without_sorting_the_output_is_the_same_for_all_chunk_sizes(self):
        self.write("trace.txt", self.trace)
        serial = self.check_all(prioritize=False)
        self.check_same(serial[7], serial[1600], "chunk 7 and 1600")


class BrokenTrace(OrderTest):
    BAD_LINE = 7003

    def setUp(self):
        super().setUp()
        lines = self.trace.splitlines(keepends=True)
        lines[self.BAD_LINE - 1] = b"eth1 1.2.3.4 10.231.1.1 1 70000 rtp\n"
        lines[9000] = b"\0\n"
        self.whole = b"".join(lines[:self.BAD_LINE - 1])
        self.write("trace.txt", b"".join(lines))

    def test_all_before_a_bad_line_comes_out_and_nothing_behind_it(self):
        serial = self.check_all()
        without = self.check_all(prioritize=False)
        self.check_same(without[7], without[1600], "chunk 7 and 1600")
        self.write("trace.txt", self.whole)
        for results, options in ((serial, {}),
                                 (without, {"prioritize": False})):
            for chunk in CHUNKS:
                code, err, out = results[chunk][:3]
                self.assertEqual((code, err), (
                    1, f'trace.txt:{self.BAD_LINE}: source "trace_text": '
                    'source port "70000" is out of range 0 to 65535\n'))
                # As if the trace ended there.
                whole = self.run_once(["--serial"], 24, chunk, **options)
                self.assertEqual(whole[0], 0)
                self.check_lines(out, whole[2], f"chunk {chunk}")

    def test_bad_lines_that_are_skipped_are_counted_alike(self):
        serial = self.check_all(source='on_error = "skip";')
        for chunk in CHUNKS:
            self.assertEqual(serial[chunk][0], 0)
            self.assertEqual(serial[chunk][5], {"bad_line": 2})


class StumblingStage(OrderTest):
    """A stage that fails at a packet: the first in input order is reported, and
    only what stands before it in the input comes out, sorted or not."""

    def check_stumbles(self, step, prioritize):
        self.write("trace.txt", self.trace)
        stage = ('{ plugin = "stumble"; at = ( 11000, 6100, 6000, 6001 ); '
                 f'step = "{step}"; }},')
        serial = self.check_all((REPEATS + 1) // 2, prioritize=prioritize,
                                stage=stage)
        lines = self.trace.splitlines(keepends=True)
        for chunk in CHUNKS:
            code, err, out = serial[chunk][:3]
            at = next(at for at in (6000, 6001, 6100, 11000)
                      if f"trace.txt:{at + 1}:" in err)
            self.assertEqual((code, err), (
                1, f'trace.txt:{at + 1}: stage "stumble": it stumbles\n'))
            if prioritize:
                continue
            self.write("trace.txt", b"".join(lines[:at]))
            whole = self.run_once(["--serial"], 24, chunk,
                                  prioritize=prioritize)
            self.check_lines(out, whole[2], f"chunk {chunk}")
            self.write("trace.txt", self.trace)

    def test_in_prepare(self):
        self.check_stumbles("prepare", False)

    def test_in_commit(self):
        self.check_stumbles("commit", False)

    def test_in_finish(self):
        self.check_stumbles("finish", False)

    def test_in_commit_behind_prioritize(self):
        self.check_stumbles("commit", True)


if __name__ == "__main__":
    unittest.main()
