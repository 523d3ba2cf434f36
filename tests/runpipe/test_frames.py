#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the source pcap says of a frame, whatever its bytes; the stage `walk`
agrees, or the run fails."""
import random
import struct

import captures as c
import harness
from capture_test import (CaptureTest, FRAGMENT, ICMP_ERROR, LATER, MALFORMED)

NOTHING = "0 0 - 0 - 0 0 0 0 0"
LIES = f"0 0 - 0 - 0 0 {MALFORMED} 0 0"
V4 = "10.0.0.2", "198.51.100.7"
V6 = "2001:db8::2", "2001:db8:1::7"


def v4(transport=17, sport=1024, dport=53, l3=14, l4=34, flags=0, dscp=0):
    return (f"4 {transport} {V4[0]} {sport} {V4[1]} {dport} {dscp} {flags} "
            f"{l3} {l4}")


def v6(transport=17, sport=1024, dport=53, l3=14, l4=54, flags=0, dscp=0):
    return (f"6 {transport} {V6[0]} {sport} {V6[1]} {dport} {dscp} {flags} "
            f"{l3} {l4}")


class Links(CaptureTest):
    IP = c.ipv4(c.udp(b"x"))
    IP6 = c.ipv6(c.udp(b"x"))

    def test_ethernet(self):
        self.check_frame(c.ether(self.IP), v4())
        self.check_frame(c.ether(self.IP6), v6())

    def test_ethernet_without_ip_is_nothing(self):
        for kind in (0x0806, 0x0000, 46, 0x8847, 0x8864, 0xffff):
            self.check_frame(c.ether(self.IP, kind), NOTHING)

    def test_up_to_four_tags_are_looked_through(self):
        for tags in range(1, 5):
            for kind in (0x8100, 0x88a8, 0x9100):
                frame = c.ether(self.IP, tags=[(kind, 5)] * tags)
                self.check_frame(frame, v4(l3=14 + 4 * tags,
                                           l4=34 + 4 * tags))
        self.check_frame(c.ether(self.IP6, tags=[(0x88a8, 5), (0x8100, 6)]),
                         v6(l3=22, l4=62))
        self.check_frame(c.ether(self.IP, tags=[(0x8100, 5)] * 5), NOTHING)

    def test_a_tag_that_is_cut_is_nothing(self):
        frame = c.ether(self.IP, tags=[(0x8100, 5), (0x8100, 6)])
        for length in range(12, 22):
            self.check_frame(frame[:length], NOTHING)
        self.check_frame(frame[:22], LIES)

    def test_raw_ip_in_all_its_numbers(self):
        for link in (12, 14, 101):
            self.check_frame(self.IP, v4(l3=0, l4=20), link)
            self.check_frame(self.IP6, v6(l3=0, l4=40), link)
            self.check_frame(b"\x50" + self.IP[1:], LIES, link)
        self.check_frame(self.IP, v4(l3=0, l4=20), c.IPV4)
        self.check_frame(self.IP6, LIES, c.IPV4)
        self.check_frame(self.IP6, v6(l3=0, l4=40), c.IPV6)
        self.check_frame(self.IP, LIES, c.IPV6)

    def test_linux_cooked(self):
        self.check_frame(c.cooked(self.IP), v4(l3=16, l4=36), c.LINUX_SLL)
        self.check_frame(c.cooked(self.IP6), v6(l3=16, l4=56), c.LINUX_SLL)
        self.check_frame(c.cooked(struct.pack("!HH", 5, 0x0800) + self.IP,
                                  0x8100), v4(l3=20, l4=40), c.LINUX_SLL)
        self.check_frame(c.cooked(self.IP, 4), NOTHING, c.LINUX_SLL)
        self.check_frame(c.cooked2(self.IP), v4(l3=20, l4=40), c.LINUX_SLL2)
        self.check_frame(c.cooked2(self.IP6), v6(l3=20, l4=60), c.LINUX_SLL2)
        for length in range(16):
            self.check_frame(c.cooked(self.IP)[:length], NOTHING, c.LINUX_SLL)

    def test_loopback_in_either_order(self):
        for link in (c.NULL, c.LOOP):
            for order in "<>":
                self.check_frame(c.loopback(self.IP, order=order),
                                 v4(l3=4, l4=24), link)
                for family in (10, 24, 28, 30):
                    self.check_frame(c.loopback(self.IP6, family, order),
                                     v6(l3=4, l4=44), link)
            self.check_frame(c.loopback(self.IP, 7), NOTHING, link)
            self.check_frame(c.loopback(self.IP, 0x02000002), NOTHING, link)
            self.check_frame(c.loopback(self.IP)[:3], NOTHING, link)

    def test_frames_of_any_length_on_any_link(self):
        frames = [bytes([seed]) * length for length in (0, 1, 2, 4, 13, 14, 16,
                                                        20, 33, 40, 60)
                  for seed in (0, 8, 0x45, 0x60, 0x81, 0xff)]
        for link in (0, 1, 101, 108, 113, 228, 229, 276):
            self.check_reads(c.pcap(frames, link))


class Ipv4(CaptureTest):
    def check_ip(self, packet, wanted, original=None):
        self.check_frame(c.ether(packet, 0x0800), wanted, original=original)

    def test_frames_of_0_1_13_and_20_bytes(self):
        frame = c.ether(c.ipv4(c.udp(b"x")))
        for length in (0, 1, 13):
            self.check_frame(frame[:length], NOTHING)
        for length in (14, 15, 20, 33):
            # so short on the wire, or cut so short by the capture
            self.check_frame(frame[:length], LIES)
            self.check_frame(frame[:length], NOTHING, original=len(frame))

    def test_a_header_length_below_20_is_malformed(self):
        for ihl in range(5):
            self.check_ip(c.ipv4(c.udp(b"x" * 40), ihl=ihl), LIES)

    def test_options_are_stepped_over(self):
        for words in range(1, 11):
            self.check_ip(c.ipv4(c.udp(b"x"), options=bytes(4 * words)),
                          v4(l4=34 + 4 * words))

    def test_a_header_longer_than_the_packet_is_malformed(self):
        self.check_ip(c.ipv4(b"x" * 8, ihl=15), LIES)
        self.check_ip(c.ipv4(b"x" * 40, ihl=6, total=23), LIES)
        self.check_ip(c.ipv4(b"x" * 40, ihl=6, total=24), v4(17, 0, 0, l4=0))

    def test_another_version_is_malformed(self):
        for version in (0, 3, 5, 6, 15):
            self.check_ip(c.ipv4(c.udp(b"x" * 30), version=version), LIES)

    def test_a_total_length_below_the_header_is_malformed(self):
        for total in (0, 1, 19):
            self.check_ip(c.ipv4(c.udp(b"x"), total=total), LIES)
        self.check_ip(c.ipv4(c.udp(b"x"), total=20), v4(17, 0, 0, l4=0))

    def test_a_total_length_beyond_the_frame_is_malformed_unless_it_was_cut(self):
        packet = c.ipv4(c.udp(b"x" * 10))
        for total in (39, 1500, 65535):
            longer = c.ipv4(c.udp(b"x" * 10), total=total)
            self.check_ip(longer, LIES)
            self.check_ip(longer, v4(), original=14 + total)
            self.check_ip(longer, LIES, original=13 + total)
        self.check_ip(packet, v4())

    def test_padding_behind_the_packet_is_none_of_it(self):
        self.check_ip(c.ipv4(c.udp(b"")) + bytes(18), v4())
        # ports that are padding
        self.check_ip(c.ipv4(b"\x11\x22\x33", proto=17) + b"\x44" + bytes(22),
                      v4(17, 0, 0, l4=0))
        self.check_ip(c.ipv4(b"", proto=6) + bytes(26), v4(6, 0, 0, l4=0))

    def test_a_capture_may_cut_anywhere(self):
        frame = c.ether(c.ipv4(c.udp(b"x" * 20)))
        for length in range(34, len(frame)):
            whole = length >= 38
            self.check_frame(frame[:length], v4() if whole else
                             v4(17, 0, 0, l4=0), original=len(frame))

    def test_the_first_fragment_has_ports_and_later_ones_have_not(self):
        parts = c.fragments(c.ipv4(c.udp(b"x" * 40)), 16)
        self.check_ip(parts[0], v4(flags=FRAGMENT))
        self.check_ip(parts[1], v4(17, 0, 0, l4=0, flags=FRAGMENT | LATER))
        self.check_ip(parts[-1], v4(17, 0, 0, l4=0, flags=FRAGMENT | LATER))

    def test_dont_fragment_and_the_reserved_bit_make_no_fragment(self):
        for flags in (2, 4, 6):
            self.check_ip(c.ipv4(c.udp(b"x"), flags=flags), v4())

    def test_a_fragment_beyond_65535_is_one_all_the_same(self):
        self.check_ip(c.ipv4(b"x" * 100, offset=8191),
                      v4(17, 0, 0, l4=0, flags=FRAGMENT | LATER))

    def test_dscp_is_the_upper_six_bits(self):
        for dscp in (0, 1, 46, 63):
            self.check_ip(c.ipv4(c.udp(b"x"), dscp=dscp, ecn=3), v4(dscp=dscp))
            self.check_ip(c.ipv4(c.udp(b"x"), dscp=dscp, options=bytes(4)),
                          v4(dscp=dscp, l4=38))

    def test_a_data_offset_of_tcp_does_not_matter(self):
        for offset in (0, 4, 15):
            self.check_ip(c.ipv4(c.tcp(b"x", offset=offset)),
                          v4(6, 1024, 80))

    def test_transports_without_ports(self):
        for proto in (2, 41, 47, 50, 89, 132, 255):
            self.check_ip(c.ipv4(b"x" * 8, proto=proto), v4(proto, 0, 0))
            self.check_ip(c.ipv4(b"", proto=proto), v4(proto, 0, 0, l4=0))

    def test_icmp_queries_have_their_identifier_for_ports(self):
        for kind in (0, 8, 13, 14, 15, 16, 17, 18):
            self.check_ip(c.ipv4(c.icmp(kind)), v4(1, 0x1234, 0x1234))
        for kind in (1, 2, 6, 7, 9, 10, 19, 40, 255):
            self.check_ip(c.ipv4(c.icmp(kind)), v4(1, 0, 0))

    def test_icmp_errors_are_marked(self):
        for kind in (3, 4, 5, 11, 12):
            self.check_ip(c.ipv4(c.icmp_error(c.ipv4(c.udp()), kind)),
                          v4(1, 0, 0, flags=ICMP_ERROR))

    def test_icmp_of_less_than_8_bytes_is_no_header(self):
        for length in range(8):
            self.check_ip(c.ipv4(bytes([8]) * length, proto=1),
                          v4(1, 0, 0, l4=0))

    def test_a_fragment_of_icmp(self):
        parts = c.fragments(c.ipv4(c.icmp(payload=bytes(40))), 8)
        self.check_ip(parts[0], v4(1, 0x1234, 0x1234, flags=FRAGMENT))
        self.check_ip(parts[1], v4(1, 0, 0, l4=0, flags=FRAGMENT | LATER))


class Ipv6(CaptureTest):
    def check_ip(self, packet, wanted, original=None):
        self.check_frame(c.ether(packet, 0x86dd), wanted, original=original)

    def chain(self, *extensions, payload=None, **options):
        return c.ipv6(c.udp(b"x") if payload is None else payload,
                      extensions=extensions, **options)

    def test_a_frame_too_short_for_the_header(self):
        frame = c.ether(c.ipv6(c.udp(b"x")))
        for length in (14, 15, 53):
            self.check_frame(frame[:length], LIES)
            self.check_frame(frame[:length], NOTHING, original=len(frame))

    def test_another_version_is_malformed(self):
        for version in (0, 4, 5, 7):
            self.check_ip(c.ipv6(c.udp(b"x"), version=version), LIES)

    def test_a_length_beyond_the_frame_is_malformed_unless_it_was_cut(self):
        self.check_ip(c.ipv6(c.udp(b"x"), length=10), LIES)
        self.check_ip(c.ipv6(c.udp(b"x"), length=10), v6(), original=64)
        self.check_ip(c.ipv6(c.udp(b"x"), length=0), v6(17, 0, 0, l4=0))

    def test_extension_headers_are_stepped_over(self):
        self.check_ip(self.chain(c.extension(0)), v6(l4=62))
        self.check_ip(self.chain(c.extension(0), c.extension(43, 24),
                                 c.extension(60, 16)), v6(l4=102))
        self.check_ip(self.chain(*[c.extension(60)] * 100), v6(l4=854))

    def test_a_chain_that_goes_on_beyond_the_packet_is_malformed(self):
        self.check_ip(self.chain(c.extension(60, length=10)), LIES)
        self.check_ip(self.chain(c.extension(60), length=7), LIES)
        self.check_ip(c.ipv6(b"", next_header=60), LIES)
        self.check_ip(c.ipv6(b"\x3c" * 8, next_header=60), LIES)

    def test_a_chain_that_the_capture_cut_has_no_transport(self):
        packet = self.chain(c.extension(0), c.extension(60))
        for length in range(40, 56):
            self.check_ip(packet[:length], v6(0, 0, 0, l4=0),
                          original=14 + len(packet))
        for length in range(56, 60):
            self.check_ip(packet[:length], v6(17, 0, 0, l4=0),
                          original=14 + len(packet))
        self.check_ip(packet[:60], v6(l4=70), original=14 + len(packet))

    def test_fragments(self):
        self.check_ip(self.chain(c.fragment_header(0, 1)),
                      v6(l4=62, flags=FRAGMENT))
        self.check_ip(self.chain(c.fragment_header(5, 1)),
                      v6(17, 0, 0, l4=0, flags=FRAGMENT | LATER))
        self.check_ip(self.chain(c.fragment_header(5, 0)),
                      v6(17, 0, 0, l4=0, flags=FRAGMENT | LATER))
        self.check_ip(self.chain(c.extension(0), c.fragment_header(0, 1),
                                 c.extension(60)), v6(l4=78, flags=FRAGMENT))
        self.check_ip(self.chain(c.fragment_header(5, 1), c.extension(60)),
                      v6(60, 0, 0, l4=0, flags=FRAGMENT | LATER))

    def test_a_fragment_that_is_the_whole_is_none(self):
        self.check_ip(self.chain(c.fragment_header(0, 0)), v6(l4=62))

    def test_a_jumbogram_has_its_length_in_an_option(self):
        def jumbo(said, carried=70000, kind=0xc2):
            option = struct.pack("!BBI", kind, 4, said)
            return self.chain((0, b"\0\0" + option),
                              payload=c.udp(bytes(carried - 16), length=0,
                                            check=0), length=0)
        self.check_ip(jumbo(70000), v6(l4=62))
        self.check_ip(jumbo(70001), LIES)
        self.check_ip(jumbo(65535), LIES)
        self.check_ip(jumbo(70000, kind=5), LIES)
        # cut within the option: it may say anything
        self.check_ip(jumbo(70000)[:46], v6(0, 0, 0, l4=0), original=70054)

    def test_ports_beyond_64_kib_of_headers_are_not_seen(self):
        extensions = [c.extension(60, 2048)] * 31
        self.check_ip(self.chain(*extensions), v6(l4=54 + 31 * 2048))
        said = struct.pack("!BBI", 0xc2, 4, 8 + 33 * 2048 + 9)
        packet = self.chain((0, b"\0\0" + said),
                            *[c.extension(60, 2048)] * 33, length=0)
        self.check_ip(packet, v6(17, 0, 0, l4=0))

    def test_icmpv6_errors_are_marked_and_queries_have_no_ports(self):
        for kind in (1, 2, 3, 4):
            self.check_ip(c.ipv6(c.icmpv6(kind)),
                          v6(58, 0, 0, flags=ICMP_ERROR))
        for kind in (0, 5, 127, 128, 129, 135):
            self.check_ip(c.ipv6(c.icmpv6(kind)), v6(58, 0, 0))
        # each in the other's IP is just a number
        self.check_ip(c.ipv6(c.icmp(8), next_header=1), v6(1, 0, 0))
        self.check_frame(c.ether(c.ipv4(c.icmpv6(1), proto=58)), v4(58, 0, 0))

    def test_dscp_is_the_upper_six_bits_of_the_class(self):
        for dscp in (1, 46, 63):
            self.check_ip(c.ipv6(c.udp(b"x"), dscp=dscp, ecn=3, flow=0xfffff),
                          v6(dscp=dscp))


class Together(CaptureTest):
    """Many frames at once: the quick way and the slow one, side by side."""

    def test_damaged_frames_are_what_their_bytes_say(self):
        good = [c.ether(c.ipv4(c.udp(b"hello"))),
                c.ether(c.ipv4(c.tcp(b"hello"), options=bytes(8))),
                c.ether(c.ipv4(c.icmp(payload=b"hello"))),
                c.ether(c.ipv6(c.tcp(b"hello"), extensions=[
                    c.extension(0), c.fragment_header(0, 1)])),
                c.ether(c.ipv4(c.udp(b"x")), tags=[(0x8100, 3)]),
                *[c.ether(part) for part in c.fragments(
                    c.ipv4(c.udp(bytes(30))), 8)]]
        chance = random.Random(5)
        frames = []
        for _ in range(20000):
            frame = bytearray(chance.choice(good))
            for _ in range(chance.choice((0, 1, 1, 2, 5))):
                # the headers' bytes are the interesting ones
                at = min(int(chance.expovariate(1 / 20)), len(frame) - 1)
                frame[at] = chance.choice((0, 1, 4, 0x45, 0x60, 0xff,
                                           chance.randrange(256)))
            length = len(frame) if chance.random() < .7 else chance.randrange(
                len(frame) + 1)
            frames.append(c.Record(bytes(frame[:length]), len(frames),
                                   chance.choice((length, len(frame)))))
        self.write("in.pcap", c.pcap(frames, nano=True))
        outputs = set()
        for engine in (["--serial"], ["--workers", "3"]):
            self.check(self.run_file(1600, engine, ""), 0)
            outputs.add(self.read("out.txt"))
        self.assertEqual(len(outputs), 1)
        self.assertEqual(outputs.pop().count(b"\n"), 20000)


if __name__ == "__main__":
    harness.main()
