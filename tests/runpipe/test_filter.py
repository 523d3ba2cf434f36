#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stage filter: what passes, for every link type, and what is refused."""
import json
import unittest

import captures as c
import harness
from capture_test import CHUNKS, ENGINES

CONFIG = '''\
chunk = {chunk};
source = {{ plugin = "pcap"; path = "in.pcap"; }};
stages = (
  {{ plugin = "filter"; expression = "{expression}"; {options} }}
);
sink = {{ plugin = "pcap"; path = "out"; }};
'''

DNS = c.ipv4(c.udp(b"dns", 1024, 53))
WEB = c.ipv4(c.tcp(b"web", 1024, 80), src="10.9.9.9")
DNS6 = c.ipv6(c.udp(b"dns6", 1024, 53))
PING = c.ipv4(c.icmp())
PARTS = c.fragments(c.ipv4(c.udp(bytes(56), 1024, 53)), 32)
TAGGED = c.ether(DNS, tags=((0x8100, 5),))
ARP = c.ether(bytes(46), 0x0806)
FRAMES = [c.ether(one) for one in (DNS, WEB, DNS6, PING, *PARTS)] + [TAGGED,
                                                                     ARP]


class FilterTest(harness.RunpipeTest):
    def configure(self, expression, options="", chunk=1600):
        self.write("pipeline.conf", CONFIG.format(
            chunk=chunk, expression=expression, options=options))

    def check_passes(self, data, expression, wanted, options=""):
        """Every way to run lets the Records with these indices through."""
        records = c.read(data)
        self.write("in.pcap", data)
        for chunk in CHUNKS:
            self.configure(expression, options, chunk)
            for engine in ENGINES:
                with self.subTest(chunk=chunk, engine=engine):
                    result = self.run_pipe("--quiet", "--stats", "-", *engine,
                                           "pipeline.conf")
                    self.assertEqual((result.code, result.err), (0, ""))
                    self.assertEqual(
                        [one.data for one in c.read(self.read("out"))],
                        [records[at].data for at in wanted])
                    self.assertEqual(
                        json.loads(result.out)["stages"][0]["dropped"],
                        {"filtered": len(records) - len(wanted)})


class Expressions(FilterTest):
    def test_a_packet_that_matches_passes(self):
        for expression, wanted in (
                ("udp port 53", [0, 2, 4]), ("ip6", [2]), ("icmp", [3]),
                ("tcp dst port 80 and src host 10.9.9.9", [1]),
                ("ip[6:2] & 0x3fff != 0", [4, 5]), ("arp", [7]),
                ("vlan 5 and udp", [6]), ("greater 66", [2, 4, 5]),
                ("", range(8)),
                ("port 1", [])):
            with self.subTest(expression=expression):
                self.check_passes(c.pcap(FRAMES), expression, list(wanted))

    def test_or_it_is_dropped_and_the_others_pass(self):
        self.check_passes(c.pcap(FRAMES), "udp port 53", [1, 3, 5, 6, 7],
                          'matching = "drop";')

    def test_what_was_cut_off_does_not_match(self):
        made = [c.Record(FRAMES[0][:at], at, len(FRAMES[0]))
                for at in range(len(FRAMES[0]) + 1)]
        self.check_passes(c.pcap(made), "udp dst port 53",
                          list(range(14 + 20 + 4, len(made))))
        self.check_passes(c.pcap(made), f"greater {len(FRAMES[0])}",
                          list(range(len(made))))

    def test_each_link_type_has_its_own_program(self):
        links = ((c.ETHERNET, c.ether), (c.RAW, bytes),
                 (c.LINUX_SLL, c.cooked), (c.LINUX_SLL2, c.cooked2),
                 (c.NULL, c.loopback), (c.IPV4, bytes))
        data = c.section() + b"".join(c.interface(f"n{at}", link, 9)
                                      for at, (link, _) in enumerate(links))
        for at in range(60):
            nic = at * 7 % len(links)
            data += c.packet(links[nic][1](DNS if at % 2 else WEB), at, nic)
        self.check_passes(data, "udp port 53", list(range(1, 60, 2)))


class Refused(FilterTest):
    def test_what_libpcap_refuses_is_an_error_of_the_configuration(self):
        self.write("in.pcap", c.pcap())
        for expression, why in (
                ("udp prot 53", "can't parse filter expression: syntax error"),
                ("port 70000", "illegal port number 70000 > 65535"),
                ("ip[", "can't parse filter expression: syntax error"),
                ("net 10.0.0.1/8", "non-network bits set in \"10.0.0.1/8\"")):
            with self.subTest(expression=expression):
                self.configure(expression)
                for arguments in ((), ("--check",)):
                    result = self.run_pipe("--quiet", *arguments,
                                           "pipeline.conf")
                    self.assertEqual(result.code, 2)
                    self.assertEqual(
                        result.err, 'pipeline.conf:4: stage "filter": option '
                        f'"expression": "{expression}": {why}\n')

    def test_an_expression_that_fits_no_packet_of_a_link_type(self):
        data = (c.section() + c.interface("a", c.ETHERNET, 9)
                + c.interface("b", c.RAW, 9) + c.packet(FRAMES[0], 1, 0) * 30
                + c.packet(DNS, 2, 1) + c.packet(FRAMES[0], 3, 0))
        self.write("in.pcap", data)
        for chunk in CHUNKS:
            self.configure("ether dst 02:00:00:00:00:02", chunk=chunk)
            for engine in ENGINES:
                result = self.run_pipe("--quiet", *engine, "pipeline.conf")
                self.assertEqual(result.code, 1)
                self.assertRegex(
                    result.err, r'\Ain\.pcap: packet 31: stage "filter": the '
                    r"expression does not fit link type 101: .+\n\Z")
                self.assertEqual(len(c.read(self.read("out"))), 30)

    def test_an_expression_for_one_link_type_alone_is_taken(self):
        self.write("in.pcap", c.pcap([c.ether(DNS)]))
        self.configure("ether host 02:00:00:00:00:02")
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)

    def test_a_text_trace_has_no_bytes(self):
        self.write("in.txt", "eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n")
        self.write("pipeline.conf", '''\
source = { plugin = "trace_text"; path = "in.txt"; };
stages = ( { plugin = "filter"; expression = "udp"; } );
sink = { plugin = "discard"; };
''')
        self.check(self.run_pipe("pipeline.conf"), 2, 'pipeline.conf:2: stage '
                   '"filter" reads bytes of its packets, which nothing before '
                   "it provides\n")


if __name__ == "__main__":
    unittest.main()
