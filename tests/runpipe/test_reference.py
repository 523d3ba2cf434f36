#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""runpipe against tests/reference/router.py, which shares no code with it:
every line of the output and every count of drops."""
import json
import os
import subprocess
import sys
import unittest

import harness

REFERENCE = os.path.join(harness.SOURCE_DIR, "tests", "reference")
ROUTES = ("10.230.0.0/16 eth3", "10.231.0.0/16 eth1", "10.232.0.0/16 eth2",
          "10.233.0.0/16 eth3", "0.0.0.0/0 eth0")
CLASSES = ("sip rtp", "http", "ftp")

# examples/router.conf without its computations.
EXAMPLE = '''
source = { plugin = "trace_text"; path = "trace.txt"; };
stages = (
  { plugin = "prioritize"; classes = ( ["sip", "rtp"], ["http"], ["ftp"] ); },
  { plugin = "nat"; external_nic = "eth0"; external_address = "134.77.77.30"; },
  { plugin = "route"; routes = ( "10.230.0.0/16 eth3", "10.231.0.0/16 eth1",
    "10.232.0.0/16 eth2", "10.233.0.0/16 eth3", "0.0.0.0/0 eth0" ); }
);
sink = { plugin = "trace_text"; path = "out.txt"; };
'''
EXAMPLE_FOR_REFERENCE = ["--external-nic", "eth0", "--external-address",
                         "134.77.77.30"]

# Few ports, short lives, forwards, two inside prefixes, a hole in the routes.
SCARCE = '''
chunk = 100;
source = { plugin = "trace_text"; path = "trace.txt";
           packet_interval = "1ms"; };
stages = (
  { plugin = "prioritize";
    classes = ( ["udp/2005", "tcp/2007"], ["sip", "udp/2010"], ["http"] ); },
  { plugin = "nat"; external_nic = "eth0"; external_address = "134.77.77.30";
    ports = "2000-2249"; timeout = "1500 ms";
    inside = ( "10.0.0.0/8", "20.0.0.0/7" );
    forwards = ( "udp 2004 10.231.30.40:2000", "tcp 2100 10.232.30.9:2001",
                 "udp 9999 10.231.30.77:2002" ); },
  { plugin = "route"; routes = ( "10.231.0.0/16 eth1", "10.231.30.0/25 eth4",
    "10.232.0.0/16 eth2", "0.0.0.0/1 eth0", "128.0.0.0/3 eth0",
    "140.0.0.0/8 eth5" ); }
);
sink = { plugin = "trace_text"; path = "out.txt"; };
'''
SCARCE_CLASSES = ("udp/2005 tcp/2007", "sip udp/2010", "http")
SCARCE_ROUTES = ("10.231.0.0/16 eth1", "10.231.30.0/25 eth4",
                 "10.232.0.0/16 eth2", "0.0.0.0/1 eth0", "128.0.0.0/3 eth0",
                 "140.0.0.0/8 eth5")
SCARCE_FOR_REFERENCE = [
    "--chunk", "100", "--packet-interval", "0.001", "--external-nic", "eth0",
    "--external-address", "134.77.77.30", "--ports", "2000-2249", "--timeout",
    "1.5", "--inside", "10.0.0.0/8", "--inside", "20.0.0.0/7",
    "--forward", "udp 2004 10.231.30.40:2000",
    "--forward", "tcp 2100 10.232.30.9:2001",
    "--forward", "udp 9999 10.231.30.77:2002"]


def each(option, values):
    return [word for value in values for word in (option, value)]


class Reference(harness.RunpipeTest):
    def make_trace(self, *arguments):
        trace = subprocess.run(
            [sys.executable, "-B", os.path.join(REFERENCE, "make_trace.py"),
             *arguments], check=True, stdout=subprocess.PIPE).stdout
        self.write("trace.txt", trace)
        return trace

    def ask_reference(self, *arguments):
        """Its output, and its counts by stage and reason."""
        done = subprocess.run(
            [sys.executable, "-B", os.path.join(REFERENCE, "router.py"),
             "--counts", self.path("counts.json"), *arguments,
             self.path("trace.txt")],
            check=True, stdout=subprocess.PIPE)
        return done.stdout, json.loads(self.read("counts.json"))

    @staticmethod
    def of_note(counts):
        """Without the reasons for which nothing was dropped."""
        return {(stage, reason): count for stage, reasons in counts.items()
                for reason, count in reasons.items() if count}

    def check_router(self, config, wanted, counts, lines):
        self.write("router.conf", config)
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                result = self.run_pipe("--quiet", "--stats", "-", *engine,
                                       "router.conf")
                self.assertEqual((result.code, result.err), (0, ""))
                self.check_lines(self.read("out.txt"), wanted)
                stats = json.loads(result.out)
                self.assertEqual(self.of_note(
                    {stage["name"]: stage["dropped"]
                     for stage in stats["stages"]}), self.of_note(counts))
                dropped = sum(sum(reasons.values())
                              for reasons in counts.values())
                self.assertEqual(stats["packets"], {
                    "in": lines, "out": lines - dropped, "dropped": dropped})

    def test_the_example_trace(self):
        self.make_trace("113405", "1")
        wanted, counts = self.ask_reference(
            *EXAMPLE_FOR_REFERENCE, *each("--class", CLASSES),
            *each("--route", ROUTES))
        self.assertGreater(counts["nat"]["no_mapping"], 1000)
        self.check_router(EXAMPLE, wanted, counts, 113405)

    def test_the_example_s_configuration_is_the_one_tested_here(self):
        with open(os.path.join(harness.SOURCE_DIR, "examples",
                               "router.conf"), encoding="utf-8") as file:
            shipped = " ".join(
                line for line in file.read().splitlines()
                if '"compute"' not in line and not line.lstrip().startswith(
                    "#")).split()
        here = EXAMPLE.replace('"trace.txt"', '"router-trace.txt"').replace(
            '{ plugin = "trace_text"; path = "out.txt"; }',
            '{ plugin = "discard"; }').split()
        self.assertEqual([word.rstrip(",") for word in shipped],
                         [word.rstrip(",") for word in here])

    def turn_some_round(self):
        """Let some packets from inside go to an external port."""
        lines = self.read("trace.txt").splitlines()
        for at in range(0, len(lines), 7):
            nic, _, src, _, sport, word = lines[at].split()
            if nic != b"eth0":
                lines[at] = b" ".join([nic, b"134.77.77.30", src,
                                       b"%d" % (1995 + at % 260), sport, word])
        self.write("trace.txt", b"\n".join(lines) + b"\n")

    def test_a_trace_with_hairpins_expiry_and_too_few_ports(self):
        self.make_trace("30000", "2", "--flows", "3000", "--return-ports",
                        "1995-2255", "--return-share", "45")
        self.turn_some_round()
        wanted, counts = self.ask_reference(
            *SCARCE_FOR_REFERENCE, *each("--class", SCARCE_CLASSES),
            *each("--route", SCARCE_ROUTES))
        for stage, reason in (("nat", "no_mapping"), ("nat", "out_of_ports"),
                              ("route", "no_route")):
            self.assertGreater(counts[stage][reason], 100, reason)
        # Ports come back: without a timeout more packets find none.
        _, without = self.ask_reference(
            *SCARCE_FOR_REFERENCE, "--timeout", "1000000",
            *each("--class", SCARCE_CLASSES), *each("--route", SCARCE_ROUTES))
        self.assertGreater(without["nat"]["out_of_ports"],
                           counts["nat"]["out_of_ports"] + 100)
        self.check_router(SCARCE, wanted, counts, 30000)


if __name__ == "__main__":
    unittest.main()
