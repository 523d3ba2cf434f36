#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stage prioritize on frames: ports, DSCP, and fragments."""
import unittest

import captures as c
import harness
from capture_test import ENGINES

CONFIG = '''\
plugin_path = ( "{plugins}" );
chunk = {chunk};
source = {{ plugin = "pcap"; path = "in.pcap"; }};
stages = ( {{ plugin = "prioritize"; classes = ( {classes} ); }},
           {{ plugin = "walk"; }} );
sink = {{ plugin = "pcap"; path = "out"; }};
'''


class Frames(harness.RunpipeTest):
    def check_order(self, frames, classes, wanted, chunk=1600):
        """The frames come out in the order of the indices `wanted`."""
        self.write("in.pcap", c.pcap(frames))
        self.write("pipeline.conf", CONFIG.format(
            plugins=harness.TEST_PLUGINS, chunk=chunk, classes=classes))
        for engine in ENGINES:
            with self.subTest(engine=engine):
                self.check(self.run_pipe("--quiet", *engine, "pipeline.conf"),
                           0)
                self.assertEqual(
                    [one.data for one in c.read(self.read("out"))],
                    [frames[at] for at in wanted])

    def test_ports_of_either_side_count_for_their_transport(self):
        frames = [c.ether(c.ipv4(layer)) for layer in (
            c.udp(b"", 9, 80), c.tcp(b"", 80, 9), c.udp(b"", 5060, 9),
            c.tcp(b"", 9, 5060), c.tcp(b"", 9, 80))]
        self.check_order(frames, '["udp/5060"], ["tcp/80"]', [2, 1, 4, 0, 3])

    def test_dscp_counts_for_both_versions(self):
        frames = [c.ether(make(c.udp(b""), dscp=dscp))
                  for make in (c.ipv4, c.ipv6) for dscp in (0, 46, 8)]
        self.check_order(frames, '["dscp/46"], ["dscp/8"]',
                         [1, 4, 2, 5, 0, 3])

    def test_what_has_no_ports_comes_last(self):
        frames = [c.ether(bytes(46), 0x0806), c.ether(c.ipv4(c.icmp())),
                  c.ether(c.ipv4(c.udp(b"", 53, 53)))]
        self.check_order(frames, '["udp/53"]', [2, 0, 1])

    def test_the_parts_of_a_datagram_stay_in_one_class_and_in_order(self):
        # All between packets of the class that its first part would be in.
        parts = c.fragments(c.ipv4(c.udp(bytes(100), 5060, 5060)), 32)
        self.assertEqual(len(parts), 4)
        urgent = c.ether(c.ipv4(c.udp(b"", 5060, 5060)))
        other = c.ether(c.ipv4(c.udp(b"", 9, 9)))
        frames = [other]
        for part in parts:
            frames += [c.ether(part), urgent]
        self.check_order(frames * 2, '["udp/5060"]',
                         [2, 4, 6, 8, 11, 13, 15, 17,
                          0, 1, 3, 5, 7, 9, 10, 12, 14, 16])

    def test_the_parts_follow_their_dscp(self):
        parts = [c.ether(part) for part in c.fragments(
            c.ipv4(c.udp(bytes(100), 5060, 5060), dscp=46), 48)]
        self.assertEqual(len(parts), 3)
        other = c.ether(c.ipv4(c.udp(b"", 5060, 5060)))
        self.check_order([parts[0], other, parts[1], other, parts[2]],
                         '["dscp/46"], ["udp/5060"]', [0, 2, 4, 1, 3])
        self.check_order([parts[0], other, parts[1], other, parts[2]],
                         '["udp/5060"], ["dscp/46"]', [1, 3, 0, 2, 4])

    def test_the_parts_of_version_6_too(self):
        whole = c.udp(bytes(24), 5060, 5060)
        parts = [c.ether(c.ipv6(bytes(whole[at:at + 16]), next_header=c.UDP,
                                extensions=[c.fragment_header(
                                    at // 8, at + 16 < len(whole))]))
                 for at in range(0, len(whole), 16)]
        urgent = c.ether(c.ipv6(c.udp(b"", 5060, 5060)))
        self.check_order([parts[0], urgent, parts[1], urgent], '["udp/5060"]',
                         [1, 3, 0, 2])


if __name__ == "__main__":
    unittest.main()
