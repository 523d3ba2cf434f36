#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The source pcap: formats, damage, interfaces and times."""
import os
import signal
import struct
import unittest

import captures as c
import harness
from capture_test import CaptureTest, ENGINES

UDP = c.ether(c.ipv4(c.udp(b"hello")))
TCP = c.ether(c.ipv4(c.tcp(b"hello", flags=c.SYN | c.ACK), dscp=46))
UDP6 = c.ether(c.ipv6(c.udp(b"hello"), dscp=8))
ARP = c.ether(bytes(46), 0x0806)
UDP_IS = "1 4 17 10.0.0.2 1024 198.51.100.7 53 0 0 14 34"
TCP_IS = "1 4 6 10.0.0.2 1024 198.51.100.7 80 46 0 14 34"
UDP6_IS = "1 6 17 2001:db8::2 1024 2001:db8:1::7 53 8 0 14 54"
ARP_IS = "1 0 0 - 0 - 0 0 0 0 0"
MIXED = [UDP, TCP, UDP6, ARP] * 5
MIXED_IS = [UDP_IS, TCP_IS, UDP6_IS, ARP_IS] * 5
SECOND = 1_000_000_000


def on(nic, wanted):
    return [f"{nic} {row}" for row in wanted]


def times(*values):
    """A packet at each of these times."""
    return [c.Record(UDP, value) for value in values]


class Formats(CaptureTest):
    def test_pcap_of_either_byte_order_and_resolution_is_read(self):
        for order in "<>":
            for nano in (False, True):
                with self.subTest(order=order, nano=nano):
                    self.check_reads(c.pcap(MIXED, order=order, nano=nano),
                                     on("if0", MIXED_IS))

    def test_pcapng_of_either_byte_order_is_read(self):
        for order in "<>":
            with self.subTest(order=order):
                self.check_reads(c.pcapng(MIXED, "eth7", order=order),
                                 on("eth7", MIXED_IS))

    def test_a_capture_without_packets_gives_none(self):
        for data in (c.pcap(), c.pcapng(), c.section()):
            self.check_reads(data, [])

    def test_sections_have_their_own_byte_order_and_interfaces(self):
        data = b""
        for order, name in ("<", "a"), (">", "b"), (">", "c"), ("<", "d"):
            data += c.section(order) + c.interface(name, resolution=9,
                                                   order=order)
            data += c.packet(UDP, 7, order=order) * 3
        self.check_reads(data, [f"{nic} {UDP_IS}" for nic in "aaabbbcccddd"])

    def test_an_interface_may_be_told_of_between_packets(self):
        data = c.section() + c.interface("a")
        for number in range(1, 12):
            data += c.packet(UDP, 1, number - 1)
            data += c.interface(f"e{number}", resolution=9)
        data += c.packet(UDP, 1, 11)
        self.check_reads(data, [f"{nic} {UDP_IS}" for nic in
                                ["a"] + [f"e{n}" for n in range(1, 12)]])

    def test_interfaces_may_differ_in_their_link_type(self):
        raw = c.ipv4(c.udp(b"hello"))
        data = (c.section() + c.interface("a") + c.interface("b", c.RAW)
                + c.interface("c", c.LINUX_SLL)
                + c.packet(UDP, 1) + c.packet(raw, 1, 1)
                + c.packet(c.cooked(raw), 1, 2))
        self.check_reads(data, [
            "a " + UDP_IS,
            "b 101 4 17 10.0.0.2 1024 198.51.100.7 53 0 0 0 20",
            "c 113 4 17 10.0.0.2 1024 198.51.100.7 53 0 0 16 36"])

    def test_simple_and_obsolete_packets_are_read(self):
        for order in "<>":
            data = (c.section(order) + c.interface("a", order=order)
                    + c.interface("b", order=order)
                    + c.simple(UDP, order=order)
                    + c.obsolete(UDP, 5, 1, drops=3, order=order)
                    + c.packet(UDP, 6, 1, order=order))
            with self.subTest(order=order):
                self.check_reads(data, [f"{nic} {UDP_IS}" for nic in "abb"])

    def test_a_simple_packet_ends_where_its_interface_cuts(self):
        data = (c.section() + c.interface("a", snaplen=40)
                + c.simple(UDP[:40], original=len(UDP)))
        self.check_reads(data, ["a " + UDP_IS])

    def test_other_blocks_and_options_are_passed_over(self):
        other = (c.block(4, bytes(20)) + c.block(5, bytes(16))
                 + c.block(0xbad, b"") + c.block(0x80000001, b"abc"))
        data = (other.join([c.section(options=c.option(4, b"us") + c.option(
            0, b"")), c.interface("a", options=c.option(3, b"about")),
            c.packet(UDP, 1, options=c.option(1, b"why")), c.packet(TCP, 2)])
            + other)
        self.check_reads(data, ["a " + UDP_IS, "a " + TCP_IS])

    def test_a_block_longer_than_a_chunk_is_passed_over(self):
        huge = c.block(10, bytes(3 << 20))
        data = (c.section() + huge + c.interface("a") + c.packet(UDP, 1) + huge
                + huge + c.packet(TCP, 2) + huge)
        self.check_reads(data, ["a " + UDP_IS, "a " + TCP_IS])

    def test_packets_of_any_length_meet_the_end_of_a_chunk_of_1_mib(self):
        frames = [c.ether(c.ipv4(c.udp(bytes(at * 37 % 9000), at % 65536)))
                  for at in range(400)]
        for data in (c.pcap(frames), c.pcapng(frames)):
            self.check_reads(data)

    def test_sections_of_any_length_follow_one_another(self):
        # each begins a chunk, and takes a part of what was read
        data, frames = b"", []
        for number in range(300):
            some = [c.ether(c.ipv4(c.udp(bytes(number * 91 % 9000), at)))
                    for at in range(number % 5 * (number % 7))]
            data += (c.section() * (number % 3 + 1)
                     + c.interface("a", resolution=9) + b"".join(
                         c.packet(frame, 1) for frame in some))
            if number % 40 == 7:
                data += c.block(10, bytes(2 << 20))
            frames += some
        packets = [c.Record(frame, 1) for frame in frames]
        self.check_reads(data, packets=packets)
        self.check_stops(
            data + c.section()[:-1],
            f"PATH: source \"pcap\": the capture ends at byte "
            f"{len(data) + 27}, in what starts at byte {len(data)}",
            packets=packets)

    def test_a_packet_of_262144_bytes_is_the_longest(self):
        frame = UDP + bytes(262144 - len(UDP))
        self.check_reads(c.pcap([UDP, frame, TCP]))
        self.check_reads(c.pcapng([UDP, frame, TCP]))
        self.check_stops(
            c.pcap([UDP, frame + b"x", TCP]),
            'PATH: packet 2: source "pcap": at byte 87: a length of 262145 '
            "bytes, and no packet has more than 262144",
            packets=c.records([UDP]))

    def test_pcap_before_2_3_has_its_lengths_swapped(self):
        cut = c.Record(UDP[:44], SECOND, len(UDP))
        for version, wanted in ((2, 2), True), ((2, 3), True), ((2, 4), False):
            data = bytearray(c.pcap([cut, cut], version=version))
            if wanted:
                for at in (24, 24 + 16 + 44):
                    struct.pack_into("<II", data, at + 8, len(UDP), 44)
            with self.subTest(version=version):
                self.check_reads(bytes(data), ["if0 " + UDP_IS] * 2,
                                 packets=[cut, cut])

    def test_a_packet_longer_than_the_header_allows_is_cut_to_that(self):
        self.check_reads(c.pcap([UDP, TCP], snaplen=44),
                         ["if0 " + UDP_IS, "if0 " + TCP_IS],
                         packets=[c.Record(frame[:44], record.time_ns,
                                           len(frame)) for frame, record in
                                  zip([UDP, TCP], c.records([UDP, TCP]))])

    def test_bits_about_checksums_are_no_part_of_the_link_type(self):
        self.check_reads(c.pcap([UDP], link=1 | 0x30000000 | 0x04000000),
                         ["if0 " + UDP_IS], packets=c.records([UDP]))

    def test_more_bytes_captured_than_there_were_are_read(self):
        self.check_reads(c.pcap([c.Record(UDP, SECOND, 20)]),
                         ["if0 " + UDP_IS])
        self.check_reads(c.pcapng([c.Record(UDP, SECOND, 0)]),
                         ["eth0 " + UDP_IS])


class Times(CaptureTest):
    def check_ticks(self, resolution, offset, rows):
        data = c.section() + c.interface("a", resolution=resolution,
                                         offset=offset)
        data += b"".join(c.packet(UDP, ticks) for ticks, _ in rows)
        self.check_reads(data, packets=times(*[ns for _, ns in rows]))

    def test_powers_of_ten_from_seconds_to_nothing(self):
        self.check_ticks(0, None, [(0, 0), (3, 3 * SECOND)])
        self.check_ticks(3, None, [(1, 1_000_000), (1500, 1_500_000_000)])
        self.check_ticks(None, None, [(1, 1000)])
        self.check_ticks(9, None, [(1, 1), (1 << 62, 1 << 62)])
        self.check_ticks(12, None, [(999, 0), (1000, 1), (1999, 1)])
        self.check_ticks(19, None, [(10 ** 19, SECOND), (10 ** 10 - 1, 0)])
        self.check_ticks(20, None, [((1 << 64) - 1, 184467440)])
        self.check_ticks(28, None, [((1 << 64) - 1, 1)])
        self.check_ticks(127, None, [((1 << 64) - 1, 0)])

    def test_powers_of_two_are_rounded_down(self):
        self.check_ticks(0x80, None, [(2, 2 * SECOND)])
        self.check_ticks(0x81, None, [(3, 1_500_000_000)])
        self.check_ticks(0x80 | 10, None, [(1, 976562), (1025, 1000976562)])
        self.check_ticks(0x80 | 32, None, [(1 << 32, SECOND), (5, 1)])
        self.check_ticks(0x80 | 63, None, [((1 << 64) - 1, 1_999_999_999)])
        self.check_ticks(0x80 | 64, None, [((1 << 64) - 1, 999_999_999)])
        self.check_ticks(0x80 | 94, None, [((1 << 64) - 1, 0)])
        self.check_ticks(0xff, None, [((1 << 64) - 1, 0)])

    def test_an_offset_is_added(self):
        self.check_ticks(6, 1_700_000_000, [(0, 1_700_000_000 * SECOND),
                                            (1, 1_700_000_000 * SECOND + 1000)])
        self.check_ticks(9, -5, [(1, 1 - 5 * SECOND), (6 * SECOND, SECOND)])
        self.check_ticks(0x81, 5, [(1, 5_500_000_000)])

    def test_a_time_that_does_not_fit_is_the_nearest_that_does(self):
        most, least = (1 << 63) - 1, -(1 << 63)
        self.check_ticks(9, None, [(1 << 63, most), ((1 << 64) - 1, most)])
        self.check_ticks(6, None, [((1 << 64) - 1, most)])
        self.check_ticks(0, None, [((1 << 64) - 1, most)])
        self.check_ticks(0, most, [((1 << 64) - 1, most)])
        self.check_ticks(9, least, [(5, least)])

    def test_time_may_go_back(self):
        self.check_reads(c.pcap(times(5000, 1000, 9000, 0)))

    def test_seconds_have_no_sign_and_a_fraction_may_be_above_one(self):
        data = c.pcap(times(0))[:24] + struct.pack(
            "<IIII", 0xffffffff, 0xffffffff, len(UDP), len(UDP)) + UDP
        self.check_reads(data, packets=times(
            0xffffffff * SECOND + 0xffffffff * 1000))


class Interfaces(CaptureTest):
    FRAMES = [c.ether(c.ipv4(c.udp(), src)) for src in
              ("10.0.0.1", "10.1.0.1", "10.1.2.3", "10.1.2.4", "192.0.2.1",
               "0.0.0.0", "255.255.255.255")] + [
        c.ether(c.ipv6(c.udp(), src)) for src in
        ("::", "2001:db8::1", "2001:db8:0:0:ffff::", "2001:db9::",
         "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")] + [ARP]

    def check_nics(self, options, wanted, data=None):
        def check(result, lines, _):
            self.check(result, 0)
            self.assertEqual([line.split()[5] for line in lines],
                             wanted.split())

        data = c.pcap(self.FRAMES) if data is None else data
        self.for_every_run(data, options, check)

    def test_without_options_pcap_comes_in_on_if0(self):
        self.check_nics("", " ".join(["if0"] * 13))

    def test_nic_is_every_packets(self):
        self.check_nics('nic = "eth5";', " ".join(["eth5"] * 13))
        self.check_nics('nic = "eth5";', "eth5 eth5", c.pcapng([UDP, TCP]))

    def test_the_longest_prefix_tells_the_interface(self):
        self.check_nics(
            'nic_by_source = ( "10.0.0.0/8 a", "10.1.0.0/16 b", '
            '"10.1.2.3 c", "0.0.0.0/0 d", "2001:db8::/32 e", '
            '"2001:db8::/64 f", "::/0 g" );',
            "a b c b d d d g f f g g if0")

    def test_a_packet_that_no_prefix_holds_comes_in_on_nic(self):
        self.check_nics(
            'nic = "rest"; nic_by_source = ( "10.1.0.0/16 b", '
            '"255.255.255.255 x", "2001:db8:0:0:ffff::/80 y", '
            '"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff z" );',
            "rest b b b rest rest x rest rest y rest z rest")

    def test_or_on_the_interface_that_the_capture_names(self):
        self.check_nics('nic_by_source = ( "10.0.0.2 me" );', "me eth9 eth9",
                        c.pcapng([UDP, UDP6, ARP], "eth9"))

    def test_every_prefix_length_is_told_apart(self):
        prefixes = ", ".join(f'"128.0.0.0/{length} n{length}"'
                             for length in range(1, 33))
        frames, wanted = [], []
        for length in range(1, 33):
            # the last address of 128.0.0.0/length
            last = 0x80000000 | (1 << 32 - length) - 1
            frames.append(c.ether(c.ipv4(c.udp(), last)))
            wanted.append(f"n{length}")
        self.check_nics(f"nic_by_source = ( {prefixes} );", " ".join(wanted),
                        c.pcap(frames))

    def test_what_is_no_name_here_is_ifN(self):
        names = [None, "", "sixteen-bytes-xx", "a b", "-", "caf\u00e9", "ok",
                 b"nul\0\0", "fifteen-bytes-x", "\x1b[m"]
        data = c.section() + b"".join(c.interface(name) for name in names)
        data += b"".join(c.packet(UDP, 1, nic) for nic in range(len(names)))
        self.check_nics("", "if0 if1 if2 if3 if4 if5 ok nul fifteen-bytes-x "
                        "if9", data)

    def test_a_name_may_be_that_of_several_interfaces(self):
        data = (c.section() + c.interface("a") + c.interface("b")
                + c.interface("a")
                + b"".join(c.packet(UDP, 1, nic) for nic in (2, 0, 1)))
        self.check_nics("", "a a b", data)

    def test_bad_prefixes_are_all_reported(self):
        self.configure(options='nic_by_source = ( "10.0.0.0/8", "x eth0", '
                       '"10.0.0.1/8 eth0", "", "::/0 eth0 eth1", '
                       '"::/0 sixteen-bytes-xx", "1.0.0.0/8 a", '
                       '"1.0.0.0/8 b" );')
        where = 'pipeline.conf:3: source "pcap": option "nic_by_source": '
        result = self.run_pipe("--check", "pipeline.conf")
        self.assertEqual(result.code, 2)
        self.assertEqual(sorted(result.err.splitlines()), sorted(
            where + text for text in (
                '"10.0.0.0/8": the interface is missing (PREFIX NIC)',
                '"x eth0": no IP address or prefix',
                '"10.0.0.1/8 eth0": host bits are set (10.0.0.0/8?)',
                '"": PREFIX NIC is wanted',
                '"::/0 eth0 eth1": there is more behind the interface '
                "(PREFIX NIC)",
                '"::/0 sixteen-bytes-xx": an interface\'s name has at most 15 '
                "characters",
                '"1.0.0.0/8 b": the prefix is there twice')))

    def test_names_are_as_many_as_fit_a_table(self):
        sections = []
        for number in range(0, 65600, 16):
            sections.append(c.section() + b"".join(
                c.interface(f"n{number + at}") for at in range(16)))
            sections.append(b"".join(c.packet(ARP, 1, at)
                                     for at in range(16)))
        self.write("in.pcap", b"".join(sections))
        for engine in (["--serial"], ["--workers", "3"]):
            with self.subTest(engine=engine):
                result = self.run_file(1600, engine, "")
                self.check(result, 1, 'in.pcap: packet 65535: source "pcap": '
                           "\"n65534\" is one name too many: 65534 are there\n")
                self.assertEqual(len(self.lines()), 65534)


class Places(CaptureTest):
    def test_a_stage_that_fails_at_a_packet_names_it(self):
        self.write("in.pcap", c.pcapng(MIXED))
        for step in ("prepare", "commit", "finish"):
            self.configure()
            config = self.read("pipeline.conf").decode().replace(
                '{ plugin = "walk"; }', '{ plugin = "walk"; }, '
                '{ plugin = "stumble"; at = ( 7, 3 ); '
                f'step = "{step}"; }}')
            self.write("pipeline.conf", config)
            for engine in ENGINES:
                with self.subTest(step=step, engine=engine):
                    self.check(self.run_pipe("--quiet", *engine,
                                             "pipeline.conf"), 1,
                               'in.pcap: packet 4: stage "stumble": '
                               "it stumbles\n")
                    self.assertEqual(len(self.lines()), 3)

    def test_a_stop_ends_a_capture_from_a_pipe_between_packets(self):
        self.configure("-", chunk=1)
        self.write("pipeline.conf", self.read("pipeline.conf").replace(
            b"out.txt", b"-"))
        for data in (c.pcap([UDP, TCP]), c.pcapng([UDP, TCP])):
            process = self.start("pipeline.conf")
            process.stdin.write(data[:-1])
            process.stdin.flush()
            first = process.stdout.readline()
            self.assertEqual(first.split()[0], b"0")
            process.send_signal(signal.SIGINT)
            stdin, process.stdin = process.stdin, None
            self.addCleanup(stdin.close)
            result = self.finish(process)
            self.assertEqual((result.code, result.out), (130, b""))
            self.assertTrue(result.err.startswith(
                "STOPPED before the end of the input:\npackets: 1 in, 1 out"),
                result.err)


class Damage(CaptureTest):
    def check_bad(self, data, message, packets=(), packet=None):
        """`message` stands behind the packet's number, if it is about one."""
        place = f"PATH: packet {packet}" if packet else "PATH"
        self.check_stops(data, f'{place}: source "pcap": {message}',
                         packets=packets)

    def check_start(self, data, message):
        self.check_bad(data, message)

    def test_what_is_no_capture_is_named(self):
        self.check_start(b"", "it is empty, and no capture")
        self.check_start(b"a", "no capture: it has 1 bytes")
        self.check_start(b"eth3 104.44.44.10 10.230.30.03 4003 5003 ftp\n",
                         "no capture: it starts with the bytes 65 74 68 33")
        self.check_start(bytes(100),
                         "no capture: it starts with the bytes 00 00 00 00")
        self.check_start(bytes.fromhex("34cdb2a1") + bytes(40),
                         "no capture: it starts with the bytes 34 cd b2 a1")

    def test_a_compressed_capture_is_named(self):
        for start, name in ("1f8b0800", "gzip"), ("28b52ffd", "zstd"), (
                "fd377a585a00", "xz"), ("425a6839", "bzip2"), (
                "04224d18", "lz4"):
            with self.subTest(name=name):
                self.check_start(
                    bytes.fromhex(start) + bytes(30),
                    f"it is compressed ({name}): decompress it first")

    def test_another_version_is_refused(self):
        self.check_start(c.pcap([UDP], version=(3, 4)),
                         "version 3.4 of pcap; up to 2.4 is read")
        self.check_start(c.pcap([UDP], version=(2, 5)),
                         "version 2.5 of pcap; up to 2.4 is read")
        self.check_start(c.section(version=(2, 0)), "at byte 0: "
                         "version 2.0 of pcapng; 1.0 is read")

    def test_an_unknown_link_type_is_refused_with_its_name(self):
        self.check_start(c.pcap([UDP], link=105), "frames of link type 105 "
                         "(IEEE802_11) cannot be read")
        self.check_start(c.pcap([UDP], link=105, order=">"),
                         "frames of link type 105 (IEEE802_11) cannot be read")
        self.check_start(c.pcap([UDP], link=60000),
                         "frames of link type 60000 cannot be read")
        # in pcapng with the first packet, not with the interface
        data = (c.section() + c.interface("a") + c.interface("b", 105)
                + c.packet(UDP, 1))
        self.check_reads(data)
        self.check_bad(data + c.packet(UDP, 1, 1), f"at byte {len(data)}: "
                       "frames of link type 105 (IEEE802_11) cannot be read",
                       times(1000), 2)

    def test_pcap_may_end_at_every_byte_of_a_packet(self):
        data = c.pcap([TCP, UDP])
        start = len(data) - 16 - len(UDP)
        for end in range(start + 1, len(data)):
            if end - start in (1, 8, 15, 16, 17, 40) or end + 1 == len(data):
                self.check_bad(data[:end], f"the capture ends at byte {end}, "
                               f"in what starts at byte {start}",
                               c.records([TCP]), 2)

    def test_pcap_may_end_in_its_header(self):
        for end in (4, 23):
            self.check_start(c.pcap([UDP])[:end],
                             f"it ends at byte {end}, in its header")

    def test_pcapng_may_end_at_every_byte_of_a_block(self):
        head = c.section() + c.interface("a")
        data = head + c.packet(UDP, 5)
        for end in (len(head) + 4, len(head) + 12, len(head) + 28,
                    len(data) - 4, len(data) - 1):
            self.check_bad(data[:end], f"the capture ends at byte {end}, in "
                           f"what starts at byte {len(head)}", (), 1)
        self.check_bad(head + b"\6", f"the capture ends at byte "
                       f"{len(head) + 1}, in what starts at byte {len(head)}")
        self.check_bad(head[:-4], f"the capture ends at byte {len(head) - 4}, "
                       "in what starts at byte 28")
        self.check_bad(head[:11], "the capture ends at byte 11, in what "
                       "starts at byte 0")

    def test_pcapng_may_end_in_a_block_that_is_passed_over(self):
        head = c.section() + c.interface("a") + c.packet(UDP, 5)
        huge = c.block(10, bytes(2 << 20))
        for cut in (1, 4, 5, 1 << 20):
            self.check_bad(head + huge[:-cut], "the capture ends at byte "
                           f"{len(head) + len(huge) - cut}, in what starts at "
                           f"byte {len(head)}", times(5000))

    def test_an_impossible_length_of_a_packet_is_refused(self):
        data = c.pcap([UDP, TCP])
        for order in "<>":
            bad = c.pcap([TCP] * 3, order=order) + struct.pack(
                order + "IIII", 1, 1, 0xffffffff, 60) + bytes(100)
            self.check_bad(bad, "at byte 249: a length of 4294967295 bytes, "
                           "and no packet has more than 262144",
                           c.records([TCP] * 3), 4)
        self.assertEqual(len(data), 24 + 32 + len(UDP) + len(TCP))

    def test_an_impossible_length_of_a_block_is_refused(self):
        head = c.section() + c.interface("a") + c.packet(UDP, 5)
        for length in (0, 4, 8, 13, 0xffffffff, 0xfffffffc, 17 << 20):
            message = (f"at byte {len(head)}: a block of {length} bytes; a "
                       "multiple of 4 from 12 to 16777216 is possible")
            self.check_bad(head + c.block(10, bytes(20), length=length),
                           message, times(5000))
            self.check_bad(head + c.block(6, bytes(20), length=length),
                           message, times(5000), 2)

    def test_a_block_must_end_with_its_length(self):
        head = c.section() + c.interface("a") + c.packet(UDP, 5)
        self.check_bad(head + c.block(10, bytes(20), trailer=36),
                       f"at byte {len(head)}: a block of 32 bytes that ends "
                       "as one of 36", times(5000))
        self.check_bad(head + c.block(10, bytes(2 << 20), trailer=0),
                       f"at byte {len(head)}: a block of 2097164 bytes that "
                       "ends as one of 0", times(5000))

    def test_a_block_that_is_too_short_for_its_type_is_refused(self):
        head = c.section() + c.interface("a")
        self.check_bad(head + c.block(6, bytes(16)), f"at byte {len(head)}: a "
                       "packet's block of 28 bytes; it has at least 32",
                       packet=1)
        self.check_bad(head + c.block(3, b""), f"at byte {len(head)}: a "
                       "packet's block of 12 bytes; it has at least 16",
                       packet=1)
        self.check_bad(head + c.block(1, bytes(4)), f"at byte {len(head)}: an "
                       "interface of 16 bytes; it has at least 20")
        self.check_bad(c.block(0x0a0d0d0a, struct.pack("<I", 0x1a2b3c4d)),
                       "at byte 0: a section header of 16 bytes; it has at "
                       "least 28")

    def test_a_packet_longer_than_its_block_is_refused(self):
        head = c.section() + c.interface("a")
        self.check_bad(head + c.packet(UDP[:40], captured=41), f"at byte "
                       f"{len(head)}: a packet of 41 bytes in a block of 72",
                       packet=1)
        self.check_bad(head + c.packet(UDP[:40], captured=0xffffffff),
                       f"at byte {len(head)}: a length of 4294967295 bytes, "
                       "and no packet has more than 262144", packet=1)
        self.check_bad(head + c.simple(UDP[:40], original=41), f"at byte "
                       f"{len(head)}: a packet of 41 bytes in a block of 56",
                       packet=1)

    def test_an_interface_that_was_not_told_of_is_refused(self):
        head = c.section() + c.interface("a") + c.packet(UDP, 5)
        for data in (c.packet(UDP, 1, 1), c.obsolete(UDP, 1, 1)):
            self.check_bad(head + data, f"at byte {len(head)}: interface 1, "
                           "and the section has 1 so far", times(5000), 2)
        self.check_bad(head + c.packet(UDP, 1, 0xffffffff) + c.interface("b"),
                       f"at byte {len(head)}: interface 4294967295, and the "
                       "section has 1 so far", times(5000), 2)
        for data in (c.packet(UDP), c.simple(UDP), c.obsolete(UDP)):
            self.check_bad(head + c.section() + data, f"at byte "
                           f"{len(head) + 28}: interface 0, and the section "
                           "has 0 so far", times(5000), 2)

    def test_a_section_without_a_byte_order_is_refused(self):
        head = c.section() + c.interface("a") + c.packet(UDP, 5)
        self.check_bad(head + c.block(0x0a0d0d0a, bytes(20)), f"at byte "
                       f"{len(head)}: a section without its byte order",
                       times(5000))

    def test_bad_options_of_an_interface_are_refused(self):
        for options, message in (
                (c.option(9, b"\6\0"),
                 "a resolution (if_tsresol) of other than 1 byte"),
                (c.option(14, bytes(4)),
                 "an offset (if_tsoffset) of other than 8 bytes"),
                (struct.pack("<HH", 2, 100),
                 "an option that is longer than its block")):
            self.check_bad(c.section() + c.interface("a", options=options),
                           f"at byte 28: {message}")

    def test_a_block_of_a_known_type_may_not_exceed_a_chunk(self):
        head = c.section() + c.interface("a") + c.packet(UDP, 5)
        self.check_bad(
            head + c.packet(UDP, 5, options=c.option(1, b"x" * 60000) * 20),
            f"at byte {len(head)}: a block of 1200160 bytes; one of its type "
            "may have 1048576", times(5000), 2)

    def test_a_folder_and_a_missing_file_are_refused(self):
        os.mkdir(self.path("in.pcap"))
        self.configure()
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 1,
                   'runpipe: source "pcap": cannot read in.pcap: '
                   "Is a directory\n")
        os.rmdir(self.path("in.pcap"))
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 1,
                   'runpipe: source "pcap": cannot open in.pcap: '
                   "No such file or directory\n")


if __name__ == "__main__":
    harness.main()
