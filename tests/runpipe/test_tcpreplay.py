# SPDX-License-Identifier: MIT
"""Rewritten captures against those that tcprewrite made, which other people
keep as what is right: stateless NAT, ports, TTL, VLAN tags."""
import os
import unittest

import captures as c
from harness import TEST_PLUGINS, RunpipeTest, main

CORPUS = os.environ.get("SLUICE_CORPUS", "")
FOLDER = os.path.join(CORPUS, "appneta-tcpreplay/test")
TAG = bytes.fromhex("8100b02d")  # what rewrite_config adds: tag 45, CFI, class 5
ANYWHERE = 'routes = ( "0.0.0.0/0 eth0", "::/0 eth0" );'


def is_ipv4(frame):
    return frame[12:14] == b"\x08\0"


def header_is_right(frame):
    return c.checksum(frame[14:14 + (frame[14] & 15) * 4]) == 0


def load(name):
    with open(os.path.join(FOLDER, name), "rb") as file:
        return file.read()


@unittest.skipUnless(CORPUS, "SLUICE_CORPUS is not set")
class TcpreplayTest(RunpipeTest):

    def rewritten(self, capture, stages):
        self.write("in.pcap", capture)
        self.write("test.conf", f"""
plugin_path = "{TEST_PLUGINS}";
source = {{ plugin = "pcap"; path = "in.pcap"; }};
stages = ( {stages}, {{ plugin = "walk"; }} );
sink = {{ plugin = "pcap"; path = "out.pcap"; format = "pcap"; }};
""")
        self.check(self.run_pipe("--quiet", "test.conf"), 0)
        return c.read(self.read("out.pcap"))

    def check_frames(self, got, wanted, ours=lambda frame: True):
        """`ours`: of which frames we say anything."""
        self.assertEqual(len(got), len(wanted))
        for at, (left, right) in enumerate(zip(got, wanted)):
            if ours(left.data):
                self.assertEqual(left.data.hex(), right.data.hex(),
                                 f"frame {at + 1}")

    def changed(self, wanted):
        """How many frames the others changed."""
        return sum(left.data != right.data for left, right
                   in zip(c.read(load("test.pcap")), wanted))

    def test_a_prefix_is_translated_as_pnat_does(self):
        wanted = c.read(load("test.rewrite_pnat"))
        self.assertEqual(self.changed(wanted), 43)
        self.check_frames(self.rewritten(
            load("test.pcap"), '{ plugin = "pnat"; from = "96.17.211.0/24"; '
            'to = "172.16.0.0/24"; }'), wanted)

    def test_ports_are_translated_as_portmap_does(self):
        wanted = c.read(load("test.rewrite_portmap"))
        self.assertGreater(self.changed(wanted), 40)
        self.check_frames(self.rewritten(
            load("test.pcap"), '{ plugin = "pnat"; from = "0.0.0.0/32"; '
            'to = "0.0.0.0/32"; from_port = 80; to_port = 8080; }'), wanted,
            is_ipv4)  # IPv6 is never translated

    def test_58_hops_are_a_ttl_of_58_less(self):
        """Frames that expire on the way are not in ours. tcprewrite makes
        another wrong checksum of a wrong one, and touches checksums behind the
        IP header: neither is compared."""
        hops = ", ".join(f'{{ plugin = "route"; name = "hop{at}"; {ANYWHERE} }}'
                         for at in range(58))
        wanted = [theirs.data[:34].hex() + before.data[34:].hex()
                  for before, theirs in zip(c.read(load("test.pcap")),
                                            c.read(load("test.rewrite_3ttl")))
                  if is_ipv4(before.data) and before.data[22] > 58
                  and header_is_right(before.data)]
        self.assertGreater(len(wanted), 80)
        self.assertEqual(
            [record.data.hex()
             for record in self.rewritten(load("test.pcap"), hops)
             if is_ipv4(record.data) and header_is_right(record.data)], wanted)

    def test_a_vlan_tag_changes_nothing_else(self):
        stages = ('{ plugin = "pnat"; from = "96.17.211.0/24"; '
                  'to = "172.16.0.0/24"; }, '
                  f'{{ plugin = "route"; {ANYWHERE} }}')
        bare = self.rewritten(load("test.pcap"), stages)
        tagged = self.rewritten(load("test.rewrite_config"), stages)
        self.assertGreater(len(bare), 100)
        self.assertEqual([record.data.hex() for record in tagged],
                         [(record.data[:12] + TAG + record.data[12:]).hex()
                          for record in bare])


if __name__ == "__main__":
    main()
