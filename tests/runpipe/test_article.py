#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The article's four packets on their way through its router, step by step.

    eth3 ---- 10.230/16 (inside)     eth0 ---- the Internet, 134.77.77.30

A line is: interface, destination, source, destination port, source port,
protocol. sip and rtp are UDP, http and ftp TCP.
"""
import json
import unittest

import harness

TRACE = b"""\
eth3 104.44.44.10 10.230.30.03 4003 5003 ftp
eth3 104.44.44.10 10.230.30.03 4003 5003 rtp
eth0 134.77.77.30 104.44.44.10 2004 4003 sip
eth3 104.44.44.10 10.230.30.03 4003 5003 http
"""

PRIORITIZE = ('{ plugin = "prioritize"; '
              'classes = ( ["sip", "rtp"], ["http"], ["ftp"] ); }')
NAT = ('{ plugin = "nat"; external_nic = "eth0"; '
       'external_address = "134.77.77.30"; %s }')
ROUTE = ('{ plugin = "route"; '
         'routes = ( "10.230.0.0/16 eth3", "0.0.0.0/0 eth0" ); }')


class Article(harness.RunpipeTest):
    def check_router(self, stages, output, dropped):
        """The output, line by line, and the drops of each stage, under every
        engine."""
        self.write("trace.txt", TRACE)
        self.write("router.conf", f'''
source = {{ plugin = "trace_text"; path = "trace.txt"; }};
stages = ( {", ".join(stages)} );
sink = {{ plugin = "trace_text"; path = "out.txt"; }};
''')
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                result = self.run_pipe("--quiet", "--stats", "-", *engine,
                                       "router.conf")
                self.assertEqual((result.code, result.err), (0, ""))
                self.check_lines(self.read("out.txt"), output)
                stats = json.loads(result.out)
                self.assertEqual(
                    {stage["name"]: {reason: count for reason, count
                                     in stage["dropped"].items() if count}
                     for stage in stats["stages"]}, dropped)

    def test_prioritize_takes_real_time_first_then_http_then_ftp(self):
        # Priorities: ftp 2, rtp 0, sip 0, http 1. rtp stays before sip.
        # No stage has routed them, so they keep their interface.
        self.check_router([PRIORITIZE], b"""\
eth3 104.44.44.10 10.230.30.3 4003 5003 rtp
eth0 134.77.77.30 104.44.44.10 2004 4003 sip
eth3 104.44.44.10 10.230.30.3 4003 5003 http
eth3 104.44.44.10 10.230.30.3 4003 5003 ftp
""", {"prioritize": {}})

    def test_nat_opens_a_port_for_each_transport_and_keeps_the_inside_port(
            self):
        # ftp:  TCP 10.230.30.3:5003 -> 134.77.77.30:5003, as TCP 5003 is free
        # rtp:  UDP 10.230.30.3:5003 -> 134.77.77.30:5003, as UDP 5003 is free
        # sip:  to UDP port 2004 of 134.77.77.30, which stands for nobody
        # http: TCP 10.230.30.3:5003 has the mapping of ftp
        self.check_router([NAT % ""], b"""\
eth3 104.44.44.10 134.77.77.30 4003 5003 ftp
eth3 104.44.44.10 134.77.77.30 4003 5003 rtp
eth3 104.44.44.10 134.77.77.30 4003 5003 http
""", {"nat": {"no_mapping": 1}})

    def test_route_sends_inside_destinations_to_eth3_and_the_rest_to_eth0(
            self):
        # None of the four goes to 10.230/16 before nat has been at them.
        self.check_router([ROUTE], b"""\
eth0 104.44.44.10 10.230.30.3 4003 5003 ftp
eth0 104.44.44.10 10.230.30.3 4003 5003 rtp
eth0 134.77.77.30 104.44.44.10 2004 4003 sip
eth0 104.44.44.10 10.230.30.3 4003 5003 http
""", {"route": {}})

    def test_the_router_sorts_translates_and_routes(self):
        # 1. rtp:  UDP 10.230.30.3:5003 -> 134.77.77.30:5003, out by eth0
        # 2. sip:  no mapping for UDP 2004: dropped
        # 3. http: TCP 10.230.30.3:5003 -> 134.77.77.30:5003, out by eth0
        # 4. ftp:  the mapping of http
        self.check_router([PRIORITIZE, NAT % "", ROUTE], b"""\
eth0 104.44.44.10 134.77.77.30 4003 5003 rtp
eth0 104.44.44.10 134.77.77.30 4003 5003 http
eth0 104.44.44.10 134.77.77.30 4003 5003 ftp
""", {"prioritize": {}, "nat": {"no_mapping": 1}, "route": {}})

    def test_with_a_forward_the_call_from_outside_reaches_its_host(self):
        # The forward is UDP 2004 -> 10.230.30.3:5003, in both directions:
        # 1. rtp:  leaves from the forward's port 2004
        # 2. sip:  arrives for it: to 10.230.30.3:5003, out by eth3
        # 3. http: TCP has no forward: keeps 5003
        # 4. ftp:  the mapping of http
        forward = 'forwards = ( "udp 2004 10.230.30.3:5003" );'
        self.check_router([PRIORITIZE, NAT % forward, ROUTE], b"""\
eth0 104.44.44.10 134.77.77.30 4003 2004 rtp
eth3 10.230.30.3 104.44.44.10 5003 4003 sip
eth0 104.44.44.10 134.77.77.30 4003 5003 http
eth0 104.44.44.10 134.77.77.30 4003 5003 ftp
""", {"prioritize": {}, "nat": {}, "route": {}})

    def test_outside_the_range_ports_come_from_the_cursor(self):
        # 5003 is not in 2004-2005, so the first of UDP is 2004 ...
        # 1. rtp:  UDP 10.230.30.3:5003 -> 134.77.77.30:2004, cursor at 2005
        # 2. sip:  arrives for UDP 2004: to 10.230.30.3:5003, out by eth3
        # 3. http: ... and so is that of TCP, which has a cursor of its own
        # 4. ftp:  the mapping of http
        self.check_router(
            [PRIORITIZE, NAT % 'ports = "2004-2005";', ROUTE], b"""\
eth0 104.44.44.10 134.77.77.30 4003 2004 rtp
eth3 10.230.30.3 104.44.44.10 5003 4003 sip
eth0 104.44.44.10 134.77.77.30 4003 2004 http
eth0 104.44.44.10 134.77.77.30 4003 2004 ftp
""", {"prioritize": {}, "nat": {}, "route": {}})


if __name__ == "__main__":
    unittest.main()
