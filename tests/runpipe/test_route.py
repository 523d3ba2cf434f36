#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stage route on frames: both versions of IP, and the hop limit."""
import json
import unittest

import captures as c
import harness
from capture_test import CHUNKS, ENGINES

CONFIG = '''\
plugin_path = ( "{plugins}" );
chunk = {chunk};
source = {{ plugin = "pcap"; path = "in.pcap"; }};
stages = ( {{ plugin = "walk"; name = "before"; }},
           {{ plugin = "route"; {options} }},
           {{ plugin = "walk"; name = "after"; }} );
sink = {{ plugin = "pcap"; path = "out"; }};
'''
ROUTES = ('routes = ( "0.0.0.0/0 eth0", "198.51.100.0/24 eth1", '
          '"2001:db8::/32 six", "2001:db8:1::/48 seven" );')
NOTHING = {"no_route": 0, "ttl_expired": 0, "malformed": 0}


class RouteTest(harness.RunpipeTest):
    def check_frames(self, frames, wanted, dropped, options=ROUTES,
                     link=c.RAW):
        """In every way to run: what comes out, as pairs of bytes and an
        interface, and what was dropped. `walk` sees that metadata and bytes
        are at one before and after."""
        self.write("in.pcap", c.pcap(frames, link))
        for chunk in CHUNKS:
            self.write("pipeline.conf", CONFIG.format(
                plugins=harness.TEST_PLUGINS, chunk=chunk, options=options))
            for engine in ENGINES:
                with self.subTest(chunk=chunk, engine=engine):
                    result = self.run_pipe("--quiet", "--stats", "-", *engine,
                                           "pipeline.conf")
                    self.assertEqual((result.code, result.err), (0, ""))
                    self.assertEqual(
                        [(one.data.hex(), one.nic)
                         for one in c.read(self.read("out"))],
                        [(data.hex(), nic) for data, nic in wanted])
                    stage = json.loads(result.out)["stages"][1]
                    self.assertEqual(stage["dropped"], NOTHING | dropped)


class HopLimit(RouteTest):
    FRAME = bytes.fromhex(
        "4500001e479300004011feff0a000002c633640713880035000a567e6162")

    def test_a_checksum_that_becomes_0_is_0_and_not_ffff(self):
        self.check_frames([self.FRAME], [(bytes.fromhex(
            "4500001e47930000"
            "3f1100000a000002c633640713880035000a567e6162"), "eth1")], {})

    def test_a_ttl_of_1_or_0_expires(self):
        frames = [c.ipv4(c.udp(b"x"), ttl=ttl) for ttl in (1, 0, 2, 255)]
        self.check_frames(
            frames, [(c.ipv4(c.udp(b"x"), ttl=1), "eth1"),
                     (c.ipv4(c.udp(b"x"), ttl=254), "eth1")],
            {"ttl_expired": 2})

    def test_every_ttl_keeps_its_checksum_right(self):
        frames = [c.ipv4(c.tcp(b"x"), ttl=ttl, ident=ttl * 257)
                  for ttl in range(2, 256)]
        wanted = [(c.ipv4(c.tcp(b"x"), ttl=ttl - 1, ident=ttl * 257), "eth1")
                  for ttl in range(2, 256)]
        self.check_frames(frames, wanted, {})

    def test_a_wrong_checksum_stays_wrong_by_as_much(self):
        frame = c.ipv4(c.udp(b"x"), ttl=9, check=0x1234)
        self.check_frames([frame], [(frame[:8] + b"\x08" + frame[9:10]
                                     + b"\x13\x34" + frame[12:], "eth1")], {})

    def test_a_hop_limit_of_version_6(self):
        frames = [c.ipv6(c.udp(b"x"), hop_limit=hops)
                  for hops in (0, 1, 2, 255)]
        self.check_frames(
            frames, [(c.ipv6(c.udp(b"x"), hop_limit=1), "seven"),
                     (c.ipv6(c.udp(b"x"), hop_limit=254), "seven")],
            {"ttl_expired": 2})

    def test_it_stays_where_it_is_told_to(self):
        frames = [c.ipv4(c.udp(b"x"), ttl=ttl) for ttl in (0, 1, 64)]
        frames += [c.ipv6(c.udp(b"x"), hop_limit=hops) for hops in (0, 1, 64)]
        self.check_frames(
            frames, [(frame, "eth1" if at < 3 else "seven")
                     for at, frame in enumerate(frames)], {},
            ROUTES + " decrement_ttl = false;")

    def test_behind_tags_and_options_too(self):
        inner = c.ipv4(c.udp(b"x"), ttl=64, options=bytes(8))
        after = c.ipv4(c.udp(b"x"), ttl=63, options=bytes(8))
        self.check_frames(
            [c.ether(inner, tags=((0x88a8, 5), (0x8100, 6)))],
            [(c.ether(after, tags=((0x88a8, 5), (0x8100, 6))), "eth1")], {},
            link=c.ETHERNET)


class Ways(RouteTest):
    def test_the_longest_prefix_of_each_version(self):
        rows = (("9.9.9.9", "eth0"), ("198.51.100.255", "eth1"),
                ("2001:db8:1::9", "seven"), ("2001:db8:2::9", "six"),
                ("198.51.101.0", "eth0"), ("2001:db9::", None))
        frames, wanted = [], []
        for dst, nic in rows * 50:
            make = c.ipv6 if ":" in dst else c.ipv4
            hops = "hop_limit" if ":" in dst else "ttl"
            frames.append(make(c.udp(b"x"), dst=dst, **{hops: 64}))
            if nic:
                wanted.append((make(c.udp(b"x"), dst=dst, **{hops: 63}), nic))
        self.check_frames(frames, wanted, {"no_route": 50})

    def test_what_is_no_ip_has_no_route(self):
        self.check_frames([c.ether(bytes(46), 0x0806)], [], {"no_route": 1},
                          link=c.ETHERNET)

    def test_what_is_no_proper_ip_is_malformed(self):
        self.check_frames(
            [c.ether(c.ipv4(c.udp(b"x"), ihl=4)),
             c.ether(c.ipv4(c.udp(b"x"), total=19)),
             c.ether(c.ipv4(c.udp(b"x"), total=2000))], [],
            {"malformed": 3}, link=c.ETHERNET)

    def test_without_routes_of_a_version_it_has_no_way(self):
        frames = [c.ipv4(c.udp(b"x"), ttl=64),
                  c.ipv6(c.udp(b"x"), hop_limit=64)]
        self.check_frames(frames, [(c.ipv4(c.udp(b"x"), ttl=63), "a")],
                          {"no_route": 1}, 'routes = ( "0.0.0.0/0 a" );')
        self.check_frames(frames, [(c.ipv6(c.udp(b"x"), hop_limit=63), "b")],
                          {"no_route": 1}, 'routes = ( "::/0 b" );')

    def test_both_versions_may_stand_in_one_file(self):
        self.write("routes.txt", "::/0 b # all\n\n0.0.0.0/0 a\n::/0 b\n")
        self.check_frames(
            [c.ipv4(c.udp(b"x"), ttl=64), c.ipv6(c.udp(b"x"), hop_limit=64)],
            [(c.ipv4(c.udp(b"x"), ttl=63), "a"),
             (c.ipv6(c.udp(b"x"), hop_limit=63), "b")], {},
            'routes_file = "routes.txt";')

    def test_a_bad_file_says_the_line_whatever_the_version(self):
        self.write("in.pcap", c.pcap())
        self.write("routes.txt", "::/0 b\n2001:db8::1/32 a\n10.0.0.0/8 a\n"
                   "2001:db8::/129 a\n::/0 c\n10.0.0.0/8 d\n10.0.0.0/33 a\n")
        self.write("pipeline.conf", CONFIG.format(
            plugins=harness.TEST_PLUGINS, chunk=7, options='routes = '
            '( "10.0.0.0/8 e" ); routes_file = "routes.txt";'))
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 2, '''\
routes.txt:2: stage "route": "2001:db8::1/32 a": host bits are set \
(2001:db8::/32?)
routes.txt:3: stage "route": 10.0.0.0/8 leads to "a" here, to "e" in \
pipeline.conf:5
routes.txt:4: stage "route": "2001:db8::/129 a": the length is not 0 to 128
routes.txt:5: stage "route": ::/0 leads to "c" here, to "b" in routes.txt:1
routes.txt:6: stage "route": 10.0.0.0/8 leads to "d" here, to "e" in \
pipeline.conf:5
routes.txt:7: stage "route": "10.0.0.0/33 a": the length is not 0 to 32
''')


if __name__ == "__main__":
    unittest.main()
