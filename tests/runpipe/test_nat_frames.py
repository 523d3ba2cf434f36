#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nat on frames: what comes out, byte by byte, and why the rest does not.

Inside is 10.0.0.0/8 behind eth1; everything else comes in by eth0. Each frame
passes `walk`, which reads it again, before nat and after.
"""
import json
import struct
import unittest

import captures as c
import harness

INSIDE, OTHER_INSIDE = "10.0.0.2", "10.0.0.3"
OUTSIDE, SERVER = "203.0.113.1", "198.51.100.7"
MS = 1_000_000
SECOND = 1000 * MS

CONFIG = '''\
plugin_path = ( "{plugins}" );
chunk = {chunk};
source = {{ plugin = "pcap"; path = "in.pcap";
           nic_by_source = ( "10.0.0.0/8 eth1", "0.0.0.0/0 eth0" ); }};
stages = (
  {{ plugin = "walk"; name = "before"; }},
  {{ plugin = "nat"; external_nic = "eth0"; external_address = "203.0.113.1";
    {options} }},
  {{ plugin = "walk"; name = "after"; }}
);
sink = {{ plugin = "pcap"; path = "out.pcap"; }};
'''


class At:
    """A frame and when it comes."""

    def __init__(self, seconds, frame):
        self.seconds, self.frame = seconds, frame


def timed(frames):
    """Records, a ms apart where nothing else is said."""
    now, records = 1_700_000_000 * SECOND, []
    start = now
    for frame in frames:
        now += MS
        if isinstance(frame, At):
            now, frame = start + round(frame.seconds * SECOND), frame.frame
        if isinstance(frame, c.Record):
            frame.time_ns = now
            records.append(frame)
        else:
            records.append(c.Record(frame, now))
    return records


def udp(src=INSIDE, dst=SERVER, sport=5000, dport=53, data=b"ab", **how):
    check = how.pop("check", None)
    return c.ether(c.ipv4(c.udp(data, sport, dport, check=check), src, dst,
                          proto=c.UDP, **how))


def tcp(src=INSIDE, dst=SERVER, sport=5000, dport=80, flags=c.ACK, data=b"",
        **how):
    return c.ether(c.ipv4(c.tcp(data, sport, dport, flags=flags), src, dst,
                          **how))


def echo(src=INSIDE, dst=SERVER, ident=0x1234, kind=8, data=b"", **how):
    return c.ether(c.ipv4(c.icmp(kind, 0, struct.pack("!HH", ident, 1), data),
                          src, dst, **how))


def error(quoted, src, dst, kind=3, code=1, **how):
    return c.ether(c.ipv4(c.icmp_error(quoted, kind, code), src, dst, **how))


def ip_of(frame):
    return frame[14:]


def parts(frame, size, **how):
    return [c.ether(part) for part in c.fragments(ip_of(frame), size, **how)]


class NatFramesTest(harness.RunpipeTest):
    def run_nat(self, frames, options="", chunk=1600, engine=("--serial",),
                link=c.ETHERNET):
        """The frames that come out, and the drops."""
        self.write("in.pcap", c.pcap(timed(frames), link, nano=True))
        self.write("pipeline.conf", CONFIG.format(
            plugins=harness.TEST_PLUGINS, chunk=chunk, options=options))
        result = self.run_pipe("--quiet", "--stats", "-", *engine,
                               "pipeline.conf")
        self.assertEqual((result.code, result.err), (0, ""))
        stats = json.loads(result.out)
        nat = stats["stages"][1]
        self.assertEqual(nat["packets_in"] + nat["emitted"],
                         nat["packets_out"] + nat["held"]
                         + sum(nat["dropped"].values()))
        drops = {reason: count for reason, count in nat["dropped"].items()
                 if count}
        return [one.data for one in c.read(self.read("out.pcap"))], drops

    def check_nat(self, frames, wanted, drops=None, options="", **how):
        got, dropped = self.run_nat(frames, options, **how)
        self.assertEqual([frame.hex() for frame in got],
                         [frame.hex() for frame in wanted])
        self.assertEqual(dropped, drops or {})

    def check_ip(self, packets, wanted, drops=None, options=""):
        """The same for hex from the IPv4 header on, as raw IP and in every
        link: nothing in front of the header matters."""
        packets = [bytes.fromhex(one) for one in packets]
        wanted = [bytes.fromhex(one) for one in wanted]
        self.check_nat(packets, wanted, drops, options, link=c.RAW)
        for wrap in (c.ether, lambda ip: c.ether(ip, tags=((0x8100, 5),)),
                     lambda ip: c.ether(ip, tags=((0x88a8, 9), (0x8100, 5)))):
            self.check_nat([wrap(one) for one in packets],
                           [wrap(one) for one in wanted], drops, options)


ONE_PORT = 'ports = "1024-1024";'


class ExactCases(NatFramesTest):
    def test_a_udp_checksum_of_zero_stays(self):
        self.check_ip(
            ["4500001e00010000401146920a000002c633640713880035000a00006162"],
            ["4500001e0001000040111492cb007101c633640704000035000a00006162"],
            options=ONE_PORT)

    def test_a_udp_checksum_that_becomes_zero_is_sent_as_ffff(self):
        self.check_ip(
            ["4500001e00010000401146920a000002c633640713880035000a22789568"],
            ["4500001e0001000040111492cb007101c633640704000035000affff9568"],
            options=ONE_PORT)

    def test_options_are_stepped_over(self):
        self.check_ip(
            ["46000022000100004011438d0a000002c6336407010101001388"
             "0035000a567e6162"],
            ["46000022000100004011118dcb007101c6336407010101000400"
             "0035000a34066162"],
            options=ONE_PORT)

    def test_an_orphan_is_held_and_then_dropped_by_name(self):
        orphan = "4500001c000700014011468d0a000002c63364071388003500100000"
        self.check_ip([orphan], [], {"no_first_fragment": 1})

    def test_an_error_that_quotes_an_echo(self):
        request = c.ipv4(c.icmp(8, 0, b"\x12\x34\0\1"), INSIDE,
                         "198.51.100.7", ttl=1).hex()
        asked = c.ipv4(c.icmp(8, 0, b"\x04\0\0\1"), OUTSIDE, "198.51.100.7",
                       ttl=1).hex()
        self.check_ip(
            [request,
             "450000380001000040017cb9c0000209cb0071010b00f4ff00000000"
             "4500001c00000000010153a5cb007101c63364070800f3fe04000001"
             .replace("00000000010153a5", "00010000010153a4")],
            [asked,
             "450000380001000040"
             "01aeb9c00002090a0000020b00f4ff00000000"
             "4500001c00010000010185a40a000002c63364070800e5ca12340001"],
            options=ONE_PORT)

    def test_a_third_flow_waits_for_a_timeout(self):
        two = 'ports = "1024-1025"; timeout = "10 s";'
        flows = [udp(src=f"10.0.0.{host}") for host in (2, 3, 4)]
        self.check_nat(
            flows + [At(9.5, flows[2]), At(11, flows[2])],
            [udp(OUTSIDE, sport=1024), udp(OUTSIDE, sport=1025),
             udp(OUTSIDE, sport=1024)],
            {"out_of_ports": 2}, two)


class Endpoints(NatFramesTest):
    def test_udp_out_and_back(self):
        for size in range(5):
            data = bytes(range(size))
            self.check_nat(
                [udp(data=data), udp(SERVER, OUTSIDE, 53, 5000, data)],
                [udp(OUTSIDE, data=data),
                 udp(SERVER, INSIDE, 53, 5000, data)])

    def test_tcp_out_and_back(self):
        options = bytes.fromhex("020405b4")
        for size in range(5):
            data = bytes(range(size))
            out = c.tcp(data, 5000, 80, flags=c.SYN, options=options)
            back = c.tcp(data, 80, 5000, flags=c.SYN | c.ACK)
            self.check_nat(
                [c.ether(c.ipv4(out, INSIDE, SERVER)),
                 c.ether(c.ipv4(back, SERVER, OUTSIDE))],
                [c.ether(c.ipv4(out, OUTSIDE, SERVER)),
                 c.ether(c.ipv4(back, SERVER, INSIDE))])

    def test_icmp_queries_by_their_identifier(self):
        one = ONE_PORT
        for query, answer in ((8, 0), (13, 14), (15, 16), (17, 18)):
            self.check_nat(
                [echo(kind=query, data=b"abc"),
                 echo(SERVER, OUTSIDE, 1024, answer, b"abc"),
                 echo(SERVER, OUTSIDE, 1025, answer, b"abc")],
                [echo(OUTSIDE, ident=1024, kind=query, data=b"abc"),
                 echo(SERVER, INSIDE, 0x1234, answer, b"abc")],
                {"no_mapping": 1}, one)

    def test_a_wrong_checksum_stays_wrong_or_is_dropped(self):
        good = udp()
        bad = good[:-1] + b"c"
        wanted = udp(OUTSIDE)[:-1] + b"c"
        head = bytearray(good)
        head[24] ^= 1  # the header's checksum
        self.check_nat([bad], [wanted])
        verify = "verify_checksums = true;"
        self.check_nat([bad, good, bytes(head), udp(check=0)],
                       [udp(OUTSIDE), udp(OUTSIDE, check=0)],
                       {"bad_checksum": 2}, verify)
        for whole in (tcp(data=b"abc"), echo(data=b"abc"),
                      udp(data=b"abcde")):
            for at in range(14, len(whole)):
                broken = bytearray(whole)
                broken[at] ^= 0x10
                _, drops = self.run_nat([bytes(broken)], verify)
                self.assertEqual(sum(drops.values()), 1, at)

    def test_padding_behind_the_packet_is_no_part_of_it(self):
        self.check_nat([udp() + b"\xee" * 16, tcp() + b"\xee" * 3],
                       [udp(OUTSIDE) + b"\xee" * 16,
                        tcp(OUTSIDE) + b"\xee" * 3])

    def test_frames_that_the_capture_cut_change_as_far_as_they_reach(self):
        for frame, wanted, ports, checksum in (
                (udp(data=b"abc"), udp(OUTSIDE, sport=1024, data=b"abc"), 38,
                 40),
                (tcp(data=b"abc"), tcp(OUTSIDE, sport=1024, data=b"abc"), 38,
                 50),
                (echo(data=b"abc"), echo(OUTSIDE, ident=1024, data=b"abc"), 42,
                 36)):
            for cut in range(len(frame)):
                record = c.Record(frame[:cut], 0, len(frame))
                got, drops = self.run_nat([record], ONE_PORT)
                if cut < 34:  # the capture ends before the addresses do
                    self.assertEqual(drops, {"non_ip": 1})
                elif cut < ports:
                    self.assertEqual(drops, {"no_ports": 1})
                else:
                    want = bytearray(wanted[:cut])
                    if cut < checksum + 2:
                        want[checksum:] = frame[checksum:cut]
                    self.assertEqual([one.hex() for one in got], [want.hex()])

    def test_ipv6_passes_untouched(self):
        frame = c.ether(c.ipv6(c.udp(b"ab", 5000, 53)))
        self.check_nat([frame], [frame])

    def test_what_is_not_for_us_passes_untouched(self):
        frames = [udp(INSIDE, OTHER_INSIDE), udp(SERVER, "203.0.113.2")]
        self.check_nat(frames, frames)

    def test_odd_ports_stay_odd_while_there_are_odd_ones(self):
        self.check_nat(
            [udp(sport=5003), udp(sport=5005), udp(sport=5007),
             udp(sport=5009)],
            [udp(OUTSIDE, sport=1025), udp(OUTSIDE, sport=1027),
             udp(OUTSIDE, sport=1024), udp(OUTSIDE, sport=1026)],
            options='ports = "1024-1027";')


class WhatCannotBeTranslated(NatFramesTest):
    ARP = c.ether(bytes(28), 0x0806)
    GRE = c.ether(c.ipv4(b"\0\0\x08\0", INSIDE, SERVER, proto=47))
    ESP = c.ether(c.ipv4(bytes(16), SERVER, OUTSIDE, proto=50))
    ROUTER = c.ether(c.ipv4(c.icmp(9), SERVER, OUTSIDE))
    SHORT = c.ether(c.ipv4(b"\x13\x88\0", INSIDE, SERVER, proto=17))
    MALFORMED = udp(ihl=4)

    def test_it_is_dropped_by_name(self):
        self.check_nat(
            [self.ARP, self.GRE, self.ESP, self.ROUTER, self.SHORT,
             self.MALFORMED, b"", bytes(1), bytes(13), bytes(20)], [],
            {"non_ip": 5, "other_protocol": 3, "no_ports": 1, "malformed": 1})

    def test_or_passes_untouched_if_that_is_wished(self):
        passing = [self.ARP, self.GRE, self.ESP, self.ROUTER]
        self.check_nat(passing + [self.SHORT, self.MALFORMED], passing,
                       {"no_ports": 1, "malformed": 1}, 'other = "pass";')

    def test_other_protocols_between_others_pass(self):
        between = c.ether(c.ipv4(b"\0\0\x08\0", INSIDE, OTHER_INSIDE,
                                 proto=47))
        self.check_nat([between], [between])


class Timeouts(NatFramesTest):
    def answered(self, first, back, wanted, at, alive):
        self.check_nat([*first[0], At(at, back)],
                       [*first[1], *([wanted] if alive else [])],
                       {} if alive else {"no_mapping": 1})

    def test_each_protocol_has_its_own(self):
        syn = tcp(flags=c.SYN)
        cases = (
            ([udp()], [udp(OUTSIDE)], udp(SERVER, OUTSIDE, 53, 5000),
             udp(SERVER, INSIDE, 53, 5000), 300),
            ([echo()], [echo(OUTSIDE)], echo(SERVER, OUTSIDE, kind=0),
             echo(SERVER, INSIDE, kind=0), 60),
            ([syn], [tcp(OUTSIDE, flags=c.SYN)],
             tcp(SERVER, OUTSIDE, 80, 5000), tcp(SERVER, INSIDE, 80, 5000),
             240))
        for frames, wanted, back, back_wanted, seconds in cases:
            # the first frame is at 1 ms
            self.answered((frames, wanted), back, back_wanted,
                          seconds + 0.000999, True)
            self.answered((frames, wanted), back, back_wanted,
                          seconds + 0.001, False)

    def test_an_established_connection_lasts(self):
        def out(flags):
            return tcp(flags=flags), tcp(OUTSIDE, flags=flags)

        def back(flags):
            return (tcp(SERVER, OUTSIDE, 80, 5000, flags),
                    tcp(SERVER, INSIDE, 80, 5000, flags))
        opening = [out(c.SYN), back(c.SYN | c.ACK), out(c.ACK)]
        closing = [out(c.FIN | c.ACK), back(c.FIN | c.ACK), out(c.ACK)]
        reset = [back(c.RST)]
        for pairs, seconds in ((opening, 7440), (opening + closing, 240),
                               (opening + reset, 240),
                               (opening + reset + [out(c.ACK)], 7440)):
            first = [list(column) for column in zip(*pairs)]
            last = len(pairs) * 0.001
            probe, translated = back(c.ACK)
            self.answered(first, probe, translated, last + seconds - 0.000001,
                          True)
            # A use counts to the end of its span, here of under 0.27 s.
            self.answered(first, probe, translated, last + seconds + 0.27,
                          False)

    def test_time_does_not_go_back(self):
        self.check_nat(
            [At(100, udp()), At(50, udp(SERVER, OUTSIDE, 53, 5000)),
             At(399.9, udp(SERVER, OUTSIDE, 53, 5000))],
            [udp(OUTSIDE), udp(SERVER, INSIDE, 53, 5000),
             udp(SERVER, INSIDE, 53, 5000)])


class Pool(NatFramesTest):
    POOL = 'external_addresses = ( "203.0.113.0/30", "203.0.113.9" );'
    # 203.0.113.1 is the first; then .0, .2, .3, .9

    def test_hosts_are_paired_with_addresses(self):
        order = ["203.0.113.1", "203.0.113.0", "203.0.113.2", "203.0.113.3",
                 "203.0.113.9"]
        base = 10 << 24
        hosts = [(f"10.0.0.{host}", order[(base + host) % 5])
                 for host in range(1, 12)]
        self.check_nat(
            [udp(host) for host, _ in hosts]
            + [udp(SERVER, address, 53, 5000) for _, address in hosts[:5]],
            [udp(address) if at < 5 else udp(address, sport=got)
             for at, ((_, address), got) in enumerate(zip(
                 hosts, [0] * 5 + [1024] * 5 + [1026]))]
            + [udp(SERVER, host, 53, 5000) for host, _ in hosts[:5]],
            options=self.POOL)

    def test_a_full_address_is_followed_by_the_next(self):
        hosts = [f"10.0.0.{host}" for host in (1, 6, 11, 16, 21, 26)]
        self.check_nat(
            [udp(host) for host in hosts] + [udp(hosts[5])]
            + [udp(SERVER, "203.0.113.9", 53, 1024)],
            [udp(address, sport=1024) for address in
             ("203.0.113.0", "203.0.113.2", "203.0.113.3", "203.0.113.9",
              "203.0.113.1")] + [udp(SERVER, hosts[3], 53, 5000)],
            {"out_of_ports": 2}, ONE_PORT + self.POOL)

    def test_a_forward_may_name_its_address(self):
        options = self.POOL + '''
            forwards = ( "udp 203.0.113.9:53 10.0.0.2:5353",
                         "tcp 80 10.0.0.2:8080" );'''
        self.check_nat(
            [udp(SERVER, "203.0.113.9", 1000, 53), udp(INSIDE, sport=5353),
             tcp(SERVER, OUTSIDE, 1000, 80), tcp(INSIDE, sport=8080),
             udp(SERVER, OUTSIDE, 1000, 53)],
            [udp(SERVER, INSIDE, 1000, 5353), udp("203.0.113.9", sport=53),
             tcp(SERVER, INSIDE, 1000, 8080), tcp(OUTSIDE, sport=80)],
            {"no_mapping": 1}, options)

    def test_what_cannot_be_is_said(self):
        for options, message in (
                ('external_addresses = ( "203.0.112.0/23" );',
                 'option "external_addresses": these are more than 256 '
                 'addresses'),
                ('external_addresses = ( "::1" );',
                 'option "external_addresses": an IPv4 prefix is wanted: IPv6 '
                 'is not translated'),
                ('forwards = ( "udp 203.0.113.2:5 10.0.0.2:5" );',
                 'option "forwards": "udp 203.0.113.2:5 10.0.0.2:5": that is '
                 'no external address of this stage'),
                ('forwards = ( "udp 203.0.113.1:5 10.0.0.2:5", '
                 '"udp 5 10.0.0.2:6" );',
                 'option "forwards": "udp 5 10.0.0.2:6": udp port 5 is '
                 'forwarded already')):
            self.write("pipeline.conf", CONFIG.format(
                plugins=harness.TEST_PLUGINS, chunk=5, options=options))
            result = self.run_pipe("--check", "pipeline.conf")
            self.check(result, 2,
                       f'pipeline.conf:8: stage "nat": {message}\n')


class Hairpins(NatFramesTest):
    def test_both_endpoints_are_translated(self):
        self.check_nat(
            [udp(OTHER_INSIDE, sport=7000),
             udp(INSIDE, OUTSIDE, 5000, 7000),
             udp(OTHER_INSIDE, OUTSIDE, 7000, 5000)],
            [udp(OUTSIDE, sport=7000), udp(OUTSIDE, OTHER_INSIDE, 5000, 7000),
             udp(OUTSIDE, INSIDE, 7000, 5000)])

    def test_to_a_forward(self):
        self.check_nat(
            [tcp(INSIDE, OUTSIDE, 5000, 80)],
            [tcp(OUTSIDE, OTHER_INSIDE, 5000, 8080)],
            options='forwards = ( "tcp 80 10.0.0.3:8080" );')

    def test_to_nobody_it_is_dropped_and_takes_no_port(self):
        self.check_nat([udp(INSIDE, OUTSIDE, 5000, 7000), udp(OTHER_INSIDE)],
                       [udp(OUTSIDE, sport=1024)], {"no_mapping": 1}, ONE_PORT)

    def test_an_error_about_it_goes_both_ways(self):
        arrived = ip_of(udp(OUTSIDE, OTHER_INSIDE, 5000, 7000))
        sent = ip_of(udp(INSIDE, OUTSIDE, 5000, 7000))
        self.check_nat(
            [udp(OTHER_INSIDE, sport=7000), udp(INSIDE, OUTSIDE, 5000, 7000),
             error(arrived, OTHER_INSIDE, OUTSIDE)],
            [udp(OUTSIDE, sport=7000), udp(OUTSIDE, OTHER_INSIDE, 5000, 7000),
             error(sent, OUTSIDE, INSIDE)])


class Errors(NatFramesTest):
    def both_ways(self, out, back, out_wanted, back_wanted, quote=None):
        """An error about each, from a router outside and a host inside."""
        quote = quote or (lambda ip: ip)
        self.check_nat(
            [out, back,
             error(quote(ip_of(out_wanted)), "192.0.2.9", OUTSIDE, 11, 0),
             error(quote(ip_of(back_wanted)), INSIDE, SERVER, 3, 3)],
            [out_wanted, back_wanted,
             error(quote(ip_of(out)), "192.0.2.9", INSIDE, 11, 0),
             error(quote(ip_of(back)), OUTSIDE, SERVER, 3, 3)],
            options=ONE_PORT)

    def test_about_udp(self):
        for check in (None, 0):
            for data in (b"", b"abc", b"x" * 600):
                self.both_ways(
                    udp(data=data, check=check),
                    udp(SERVER, OUTSIDE, 53, 1024, data, check=check),
                    udp(OUTSIDE, sport=1024, data=data, check=check),
                    udp(SERVER, INSIDE, 53, 5000, data, check=check))

    def test_about_tcp(self):
        for data in (b"", b"abc"):
            self.both_ways(tcp(data=data),
                           tcp(SERVER, OUTSIDE, 80, 1024, data=data),
                           tcp(OUTSIDE, sport=1024, data=data),
                           tcp(SERVER, INSIDE, 80, 5000, data=data))

    def test_about_an_echo(self):
        self.both_ways(echo(data=b"abc"),
                       echo(SERVER, OUTSIDE, 1024, 0, b"abc"),
                       echo(OUTSIDE, ident=1024, data=b"abc"),
                       echo(SERVER, INSIDE, kind=0, data=b"abc"))

    def test_that_quote_eight_bytes_and_options(self):
        options = bytes.fromhex("9404000001010100")
        for make, wanted in ((tcp, tcp), (udp, udp)):
            out = make(data=b"abcdef", options=options)
            self.both_ways(
                out, make(SERVER, OUTSIDE, 80, 1024, data=b"abcdef",
                          options=options),
                wanted(OUTSIDE, sport=1024, data=b"abcdef", options=options),
                wanted(SERVER, INSIDE, 80, 5000, data=b"abcdef",
                       options=options), quote=lambda ip: ip[:28 + 8])

    def test_that_cannot_be_translated_are_dropped(self):
        good = ip_of(udp(OUTSIDE))
        later = bytearray(good)
        later[7] = 1
        cases = [good[:20], good[:23], bytes(later), b"", b"\0" * 40,
                 ip_of(udp(OUTSIDE, sport=4999)),
                 ip_of(udp("203.0.113.77")), ip_of(tcp(OUTSIDE)),
                 ip_of(error(good, OUTSIDE, SERVER)),
                 c.ipv4(b"12345678", OUTSIDE, SERVER, proto=47)]
        self.check_nat([udp()] + [error(quoted, SERVER, OUTSIDE)
                                  for quoted in cases],
                       [udp(OUTSIDE)], {"no_mapping": len(cases)})

    def test_from_inside_about_nobody_are_dropped(self):
        self.check_nat(
            [error(ip_of(udp(SERVER, INSIDE, 53, 5000)), INSIDE, SERVER)], [],
            {"no_mapping": 1})

    def test_neither_make_nor_keep_a_mapping(self):
        about = error(ip_of(udp(OUTSIDE)), SERVER, OUTSIDE)
        self.check_nat(
            [udp(), At(299, about), At(301, about)],
            [udp(OUTSIDE), error(ip_of(udp()), SERVER, INSIDE)],
            {"no_mapping": 1})

    def test_cut_by_the_capture_change_as_far_as_they_reach(self):
        whole = error(ip_of(tcp(OUTSIDE, sport=1024)), SERVER, OUTSIDE)
        for cut in range(42, len(whole)):
            got, drops = self.run_nat(
                [tcp(), c.Record(whole[:cut], 0, len(whole))], ONE_PORT)
            if cut < 14 + 20 + 8 + 24:
                self.assertEqual(drops, {"no_mapping": 1}, cut)
                continue
            wanted = error(ip_of(tcp()), SERVER, INSIDE)
            self.assertEqual(got[1][42:66].hex(), wanted[42:66].hex())
            self.assertEqual(len(got[1]), cut)
            if cut >= 42 + 20 + 18:
                self.assertEqual(got[1].hex(), wanted[:cut].hex())


class Fragments(NatFramesTest):
    DATA = bytes(range(256)) * 8

    def in_and_out(self, size=512, **how):
        """Fragments of a datagram each way, and what becomes of them."""
        out = parts(udp(data=self.DATA, ident=7, **how), size)
        back = parts(udp(SERVER, OUTSIDE, 53, 1024, self.DATA, ident=8, **how),
                     size)
        return (out, back,
                parts(udp(OUTSIDE, sport=1024, data=self.DATA, ident=7,
                          **how), size),
                parts(udp(SERVER, INSIDE, 53, 5000, self.DATA, ident=8,
                          **how), size))

    def test_in_order(self):
        for size in (8, 512, 2000):
            out, back, out_wanted, back_wanted = self.in_and_out(size)
            self.check_nat(out + back, out_wanted + back_wanted,
                           options=ONE_PORT)

    def test_later_ones_wait_for_the_first_and_follow_it(self):
        out, back, out_wanted, back_wanted = self.in_and_out()
        for chunk in (1, 3, 1600):
            self.check_nat(
                out[:0:-1] + [out[0]] + back[2:] + [back[0], back[1]],
                [out_wanted[0]] + out_wanted[:0:-1] + [back_wanted[0]]
                + back_wanted[2:] + [back_wanted[1]],
                options=ONE_PORT, chunk=chunk)

    def test_two_datagrams_do_not_mix(self):
        one = parts(udp(data=self.DATA, ident=7), 512)
        two = parts(udp(OTHER_INSIDE, data=self.DATA, ident=7), 512)
        to = [parts(udp(OUTSIDE, sport=port, data=self.DATA, ident=7), 512)
              for port in (1024, 1026)]
        self.check_nat(
            [one[1], two[1], two[0], one[2], one[0], two[2]],
            [to[0][0], to[0][1], to[1][0], to[1][1], to[1][2], to[0][2]],
            options='ports = "1024-1027";')

    def test_tcp_and_icmp(self):
        for make in (tcp, echo):
            whole = make(data=self.DATA)
            wanted = make(OUTSIDE, data=self.DATA)
            for size in (24, 512):
                self.check_nat(parts(whole, size)[::-1],
                               parts(wanted, size)[:1]
                               + parts(wanted, size)[:0:-1])

    def test_a_tcp_checksum_in_a_later_fragment(self):
        whole, wanted = tcp(data=b"abcdef"), tcp(OUTSIDE, sport=1024,
                                                 data=b"abcdef")
        for size in (8, 16):
            got = parts(wanted, size)
            self.check_nat(parts(whole, size), got, options=ONE_PORT)
            self.check_nat(parts(whole, size)[::-1], got[:1] + got[:0:-1],
                           options=ONE_PORT)

    def test_an_error_in_fragments(self):
        quoted = udp(OUTSIDE, data=b"x" * 500)
        whole = error(ip_of(quoted), SERVER, OUTSIDE, ident=9)
        wanted = error(ip_of(udp(data=b"x" * 500)), SERVER, INSIDE, ident=9)
        self.check_nat([udp()] + parts(whole, 200),
                       [udp(OUTSIDE)] + parts(wanted, 200))

    def test_a_first_fragment_that_is_dropped_takes_the_others_along(self):
        out, back, _, _ = self.in_and_out()
        self.check_nat(back[1:3] + [back[0]] + back[3:], [],
                       {"no_mapping": len(back)})
        flow = udp(OTHER_INSIDE)
        self.check_nat([flow] + out, [udp(OUTSIDE, sport=1024)],
                       {"out_of_ports": len(out)}, ONE_PORT)
        short = c.ether(c.ipv4(b"ab", INSIDE, SERVER, proto=17, flags=1))
        rest = c.ether(c.ipv4(b"ab", INSIDE, SERVER, proto=17, offset=1))
        self.check_nat([rest, short, rest], [], {"no_ports": 3})
        first = c.ether(c.ipv4(bytes(c.icmp(9)), INSIDE, SERVER, proto=1,
                               flags=1))
        more = c.ether(c.ipv4(bytes(8), INSIDE, SERVER, proto=1, offset=1))
        self.check_nat([more, first, more], [], {"other_protocol": 3})
        self.check_nat([more, first, more], [first, more, more],
                       options='other = "pass";')

    def test_of_other_protocols(self):
        gre = parts(c.ether(c.ipv4(bytes(64), INSIDE, SERVER, proto=47)), 32)
        self.check_nat(gre, [], {"other_protocol": 2})
        self.check_nat(gre, gre, options='other = "pass";')

    def test_they_wait_no_longer_than_the_timeout(self):
        out, _, wanted, _ = self.in_and_out()
        for seconds, drops in ((29.999, {}), (30, {"no_first_fragment": 1})):
            self.check_nat(
                [At(0, out[1]), At(seconds, out[0])],
                [wanted[0]] + ([] if drops else [wanted[1]]), drops, ONE_PORT)
        # What was decided for the first is forgotten, too.
        self.check_nat([At(0, out[0]), At(30, out[1])], [wanted[0]],
                       {"no_first_fragment": 1}, ONE_PORT)

    def test_the_oldest_is_given_up_when_memory_is_used_up(self):
        out, _, wanted, _ = self.in_and_out()
        flood = [parts(udp(f"10.1.0.{host}", data=self.DATA, ident=host),
                       512)[1] for host in range(100)]
        got, drops = self.run_nat(
            flood + [out[1], out[0]],
            ONE_PORT + 'fragment_memory = "16 KiB";')
        self.assertEqual([one.hex() for one in got],
                         [wanted[0].hex(), wanted[1].hex()])
        self.assertEqual(sum(drops.values()), 100)
        self.assertGreater(drops["fragment_overflow"], 70)
        self.assertGreater(drops["no_first_fragment"], 5)

    def test_an_identification_may_be_used_again(self):
        first = parts(udp(data=self.DATA, ident=7), 512)
        second = parts(udp(sport=6000, data=self.DATA, ident=7), 512)
        self.check_nat(
            first + second,
            parts(udp(OUTSIDE, data=self.DATA, ident=7), 512)
            + parts(udp(OUTSIDE, sport=6000, data=self.DATA, ident=7), 512))

    def test_overlaps_duplicates_and_too_much(self):
        out, _, wanted, _ = self.in_and_out()
        huge = c.ether(c.ipv4(bytes(600), INSIDE, SERVER, proto=17, ident=7,
                              offset=8191))
        translated = c.ether(c.ipv4(bytes(600), OUTSIDE, SERVER, proto=17,
                                    ident=7, offset=8191))
        self.check_nat([out[1], out[1], huge, out[0], out[0], huge],
                       [wanted[0], wanted[1], wanted[1], translated,
                        wanted[0], translated], options=ONE_PORT)

    def test_a_full_chunk_goes_on_in_the_next(self):
        count = 66000
        later = parts(udp(data=self.DATA, ident=7), 8)[1]
        got, drops = self.run_nat(
            [later] * count + [parts(udp(data=self.DATA, ident=7), 8)[0]],
            'fragment_memory = "1 GiB"; fragment_timeout = "1 h";')
        self.assertEqual(drops, {})
        self.assertEqual(len(got), count + 1)
        self.assertEqual(set(got[1:]),
                         {parts(udp(OUTSIDE, data=self.DATA, ident=7), 8)[1]})


def mixed_traffic():
    """Everything at once, with scarce ports and short lives."""
    frames = []
    for at in range(3000):
        host = f"10.0.{at % 3}.{at % 11 + 1}"
        port = 3000 + at % 17
        data = bytes(at % 50)
        outside = f"203.0.113.{at % 3 + 1}"
        external = 1024 + at % 40
        kind = at % 13
        if kind < 4:
            frames.append(udp(host, sport=port, data=data, ident=at))
        elif kind < 6:
            frames.append(tcp(host, sport=port, flags=1 << at % 5, data=data))
        elif kind == 6:
            frames.append(udp(SERVER, outside, 53, external, data))
        elif kind == 7:
            frames.append(tcp(SERVER, outside, 80, external, 1 << at % 5))
        elif kind == 8:
            frames.append(udp(host, outside, port, external, data))
        elif kind == 9:
            frames.append(echo(host, ident=port))
            frames.append(error(ip_of(udp(outside, sport=external)), SERVER,
                                outside))
        elif kind == 10:
            pieces = parts(udp(host, sport=port, data=bytes(300),
                               ident=at % 50), 64)
            frames.extend(pieces[::-1] if at % 2 else pieces)
        elif kind == 11:
            frames.extend(parts(udp(host, sport=port, data=bytes(300),
                                    ident=at % 50), 64)[1:3])
        else:
            frames.append(error(ip_of(udp(SERVER, host, 53, port)), host,
                                SERVER))
    return frames


class SameForAll(NatFramesTest):
    OPTIONS = '''external_addresses = ( "203.0.113.1", "203.0.113.2/31" );
        ports = "1024-1059"; timeout = "300 ms"; icmp_timeout = "50 ms";
        tcp_timeout = "700 ms"; tcp_transitory_timeout = "90 ms";
        fragment_timeout = "200 ms"; fragment_memory = "6 KiB";'''

    def test_engines_and_chunks(self):
        frames = mixed_traffic()
        wanted = self.run_nat(frames, self.OPTIONS)
        for reason in ("no_mapping", "out_of_ports", "no_first_fragment",
                       "fragment_overflow"):
            self.assertGreater(wanted[1].get(reason, 0), 10, wanted[1])
        self.assertGreater(len(wanted[0]), 1000)
        for chunk in (7, 1600):
            for engine in (["--serial"], ["--workers", "1"],
                           ["--workers", "2"], ["--workers", "3"]):
                with self.subTest(chunk=chunk, engine=engine):
                    self.assertEqual(
                        self.run_nat(frames, self.OPTIONS, chunk, engine),
                        wanted)


if __name__ == "__main__":
    unittest.main()
