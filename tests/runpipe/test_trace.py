#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trace_text, source and sink, through runpipe: every line a trace can hold."""
import json
import os
import random
import re
import unittest

import captures as c
import harness
import trace_model

CHUNKS = (1, 7, 1600)
CONFIG = '''\
chunk = {chunk};
source = {{ plugin = "trace_text"; path = "trace.txt";
           on_error = "{on_error}"; fields = "{fields}"; }};
sink = {{ plugin = "trace_text"; path = "out.txt"; }};
'''
GOOD = "eth3 104.44.44.10 10.230.30.03 4003 5003 ftp\n"
RECORD = b"eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n"
MIB = 1 << 20


def line_of_bytes(length, word="x"):
    """A line whose only column is so long."""
    return word * length + "\n"


class TraceTest(harness.RunpipeTest):
    def configure(self, chunk=1600, on_error="stop",
                  fields=trace_model.DEFAULT_FIELDS):
        self.write("pipeline.conf", CONFIG.format(
            chunk=chunk, on_error=on_error, fields=fields))

    def check_reads(self, trace, wanted):
        """A trace without a fault, whatever the engine and the chunks."""
        self.write("trace.txt", trace)
        for chunk in CHUNKS:
            self.configure(chunk)
            for engine in harness.ENGINES:
                with self.subTest(chunk=chunk, engine=engine):
                    result = self.run_pipe("--quiet", *engine,
                                           "pipeline.conf")
                    self.check(result, 0)
                    self.check_lines(self.read("out.txt"), wanted)

    def check_stops(self, bad_line, message, **options):
        """Six good lines, the bad one, and three more that nobody sees."""
        self.write("trace.txt", GOOD * 6 + bad_line + GOOD * 3)
        for chunk in CHUNKS:
            self.configure(chunk, **options)
            for engine in harness.ENGINES:
                with self.subTest(chunk=chunk, engine=engine):
                    result = self.run_pipe("--quiet", *engine,
                                           "pipeline.conf")
                    self.check(result, 1, 'trace.txt:7: source "trace_text": '
                               + message + "\n")
                    self.check_lines(self.read("out.txt"), RECORD * 6)

    def check_skips(self, bad_line):
        """The same trace, but the bad line is only counted."""
        self.write("trace.txt", GOOD * 6 + bad_line + GOOD * 3)
        for chunk in CHUNKS:
            self.configure(chunk, "skip")
            for engine in harness.ENGINES:
                with self.subTest(chunk=chunk, engine=engine):
                    result = self.run_pipe("--stats", "-", *engine,
                                           "pipeline.conf")
                    self.assertEqual(result.code, 0)
                    self.assertIn("  trace_text skipped: 1 bad_line\n",
                                  result.err)
                    stats = json.loads(result.out)
                    self.assertEqual(stats["source"]["skipped"],
                                     {"bad_line": 1})
                    self.assertEqual(stats["packets"],
                                     {"in": 9, "out": 9, "dropped": 0})
                    self.check_lines(self.read("out.txt"), RECORD * 9)

    def check_refused(self, bad_line, message):
        self.check_stops(bad_line, message)
        self.check_skips(bad_line)


class GoodTraces(TraceTest):
    def test_an_empty_trace_gives_an_empty_output(self):
        self.check_reads("", b"")

    def test_a_trace_of_one_newline_gives_an_empty_output(self):
        self.check_reads("\n", b"")

    def test_the_last_line_needs_no_newline(self):
        self.check_reads(GOOD * 8 + GOOD[:-1], RECORD * 9)

    def test_one_line_without_a_newline_is_a_trace(self):
        self.check_reads(GOOD[:-1], RECORD)

    def test_lines_may_end_in_crlf(self):
        self.check_reads(GOOD.replace("\n", "\r\n") * 9, RECORD * 9)

    def test_the_last_crlf_may_lack_its_newline(self):
        self.check_reads((GOOD.replace("\n", "\r\n") * 9)[:-1], RECORD * 9)

    def test_blank_lines_are_no_packets(self):
        self.check_reads("\n" + GOOD * 8 + "\n\r\n \n\t\n  \t \r\n" + GOOD,
                         RECORD * 9)

    def test_columns_may_be_separated_by_tabs_and_many_blanks(self):
        self.check_reads((GOOD + GOOD.replace(" ", "\t")
                          + GOOD.replace(" ", " \t ")) * 4, RECORD * 12)

    def test_blanks_may_stand_before_and_behind_a_line(self):
        self.check_reads((GOOD + " " + GOOD + "\t" + GOOD[:-1] + " \n"
                          + GOOD[:-1] + "\t\n" + GOOD[:-1] + " \r\n") * 3,
                         RECORD * 15)

    def test_leading_zeros_are_decimal(self):
        self.check_reads(
            "eth1 010.000.08.099 1.2.3.255 00080 0000000080 http\n" * 9,
            b"eth1 10.0.8.99 1.2.3.255 80 80 http\n" * 9)

    def test_the_bounds_of_octets_and_ports_are_fine(self):
        self.check_reads(
            "lo 0.0.0.0 255.255.255.255 0 65535 udp\n" * 9,
            b"lo 0.0.0.0 255.255.255.255 0 65535 udp\n" * 9)

    def test_ipv6_lines_may_stand_among_ipv4_ones(self):
        self.check_reads(
            (GOOD + "eth1 2001:DB8::0001 fe80:0:0:0:0:0:0:1 80 1024 http\n")
            * 9,
            (RECORD + b"eth1 2001:db8::1 fe80::1 80 1024 http\n") * 9)

    def test_a_name_has_any_bytes_but_blanks(self):
        line = b"eth0.100 1.2.3.4 5.6.7.8 1 2 \xe9t\xe9-7.\n"
        self.check_reads(line * 9, line * 9)

    def test_a_name_of_15_bytes_is_the_longest(self):
        line = b"interface123456 1.2.3.4 5.6.7.8 1 2 protocol1234567\n"
        self.check_reads(line * 9, line * 9)

    def test_a_line_of_exactly_1048575_bytes_is_read(self):
        line = GOOD[:-1] + " " * (MIB - len(GOOD)) + "\n"
        self.assertEqual(len(line), MIB)
        self.check_reads(GOOD + line + line + GOOD + line[:-1], RECORD * 5)

    def test_lines_of_any_length_meet_the_end_of_a_chunk_of_1_mib(self):
        # 25,000 lines of 42 to 52 bytes: the 1 MiB of a chunk ends in lines.
        lines = [f"eth{at % 4} 10.0.{at % 256}.{at % 199} 1.2.3.4 {at % 65536} "
                 f"{at * 7 % 65536} http\n" for at in range(60000)]
        self.write("trace.txt", "".join(lines))
        self.write("pipeline.conf", CONFIG.format(
            chunk=65535, on_error="stop", fields=trace_model.DEFAULT_FIELDS))
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                result = self.run_pipe("--quiet", *engine, "pipeline.conf")
                self.check(result, 0)
                self.check_lines(self.read("out.txt"),
                                 "".join(lines).encode())

    def test_a_dash_column_is_skipped_and_one_of_the_sink_is_a_dash(self):
        self.write("trace.txt", "a b eth1 1.2.3.4 5.6.7.8 1 2 http c\n" * 3)
        self.write("pipeline.conf", '''\
source = { plugin = "trace_text"; path = "trace.txt";
           fields = "- - nic src dst sport dport protocol -"; };
sink = { plugin = "trace_text"; path = "-";
         fields = "protocol - sport dport src dst - nic"; };
''')
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0, "",
                   b"http - 1 2 1.2.3.4 5.6.7.8 - eth1\n" * 3)

    def test_the_sink_shows_a_capture_where_it_leaves_out_the_protocol(self):
        self.write("in.pcap", c.pcap([
            c.ether(c.ipv4(c.udp(b"", 5004, 5060), "10.0.0.2", "10.1.0.3")),
            c.ether(c.ipv6(c.tcp(b"", 1024, 443), "2001:db8::2",
                           "2001:db8:1::7")),
            c.ether(bytes(28), kind=0x0806)]))
        config = '''\
source = { plugin = "pcap"; path = "in.pcap"; nic = "lan"; };
sink = { plugin = "trace_text"; path = "-"; %s };
'''
        self.write("pipeline.conf", config %
                   'fields = "src sport dst dport - nic";')
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0, "",
                   b"10.0.0.2 5004 10.1.0.3 5060 - lan\n"
                   b"2001:db8::2 1024 2001:db8:1::7 443 - lan\n"
                   b"- 0 - 0 - lan\n")
        self.write("pipeline.conf", config % "")
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 2,
                   'pipeline.conf:2: sink "trace_text" reads the application '
                   "of its packets, which nothing before it provides\n")

    def test_the_sink_wants_a_column_and_no_field_twice(self):
        for fields, message in ("", "no column is named"), (
                "src dst src", '"src" is there twice'):
            self.write("trace.txt", GOOD)
            self.write("pipeline.conf", '''\
source = { plugin = "trace_text"; path = "trace.txt"; };
sink = { plugin = "trace_text"; path = "-"; fields = "%s"; };
''' % fields)
            self.check(self.run_pipe("pipeline.conf"), 2, "pipeline.conf:2: "
                       f'sink "trace_text": option "fields": {message}\n')

    def test_what_was_written_reads_as_the_same(self):
        trace = b"".join(b"e%d 1.2.3.%d 4.5.6.7 %d %d rtp\n"
                         % (at % 5, at % 256, at, 65535 - at)
                         for at in range(2000))
        self.check_reads(trace, trace)


class BadLines(TraceTest):
    def test_too_few_fields_stop_the_run_or_are_skipped(self):
        self.check_refused("eth3 104.44.44.10 10.230.30.03 4003 5003\n",
                           "too few fields: 5, 6 wanted")

    def test_one_field_is_too_few(self):
        self.check_refused("x\n", "too few fields: 1, 6 wanted")

    def test_a_blank_for_the_last_field_is_too_few(self):
        self.check_refused("eth3 104.44.44.10 10.230.30.03 4003 5003 \n",
                           "too few fields: 5, 6 wanted")

    def test_a_carriage_return_for_the_last_field_is_too_few(self):
        self.check_refused("eth3 104.44.44.10 10.230.30.03 4003 5003 \r\n",
                           "too few fields: 5, 6 wanted")

    def test_too_many_fields_stop_the_run_or_are_skipped(self):
        self.check_refused(GOOD[:-1] + " 7\n", "too many fields: 7, 6 wanted")

    def test_a_hundred_fields_are_too_many(self):
        self.check_refused("1 " * 99 + "1\n", "too many fields: 100, 6 wanted")

    def test_two_lines_in_one_are_too_many_fields(self):
        self.check_refused(GOOD[:-1] + " " + GOOD,
                           "too many fields: 12, 6 wanted")

    def test_port_70000_is_refused(self):
        self.check_refused("eth3 104.44.44.10 10.230.30.03 70000 5003 ftp\n",
                           'destination port "70000" is out of range '
                           "0 to 65535")

    def test_port_65536_is_refused(self):
        self.check_refused("eth3 104.44.44.10 10.230.30.03 4003 65536 ftp\n",
                           'source port "65536" is out of range 0 to 65535')

    def test_a_port_beyond_64_bits_is_refused(self):
        self.check_refused(
            "eth3 104.44.44.10 10.230.30.03 18446744073709551617 5003 ftp\n",
            'destination port "18446744073709551617" is out of range '
            "0 to 65535")

    def test_a_negative_port_is_refused(self):
        self.check_refused("eth3 104.44.44.10 10.230.30.03 4003 -1 ftp\n",
                           'source port "-1" is no number')

    def test_a_port_of_letters_is_refused(self):
        self.check_refused("eth3 104.44.44.10 10.230.30.03 4003 80a ftp\n",
                           'source port "80a" is no number')

    def test_octet_300_is_refused(self):
        self.check_refused("eth3 104.44.44.300 10.230.30.03 4003 5003 ftp\n",
                           'destination address "104.44.44.300" is no IP '
                           "address")

    def test_octet_256_is_refused(self):
        self.check_refused("eth3 104.44.44.10 256.230.30.03 4003 5003 ftp\n",
                           'source address "256.230.30.03" is no IP address')

    def test_an_octet_of_four_digits_is_refused(self):
        self.check_refused("eth3 104.44.44.10 10.230.0030.3 4003 5003 ftp\n",
                           'source address "10.230.0030.3" is no IP address')

    def test_three_octets_are_refused(self):
        self.check_refused("eth3 104.44.44.10 10.230.30 4003 5003 ftp\n",
                           'source address "10.230.30" is no IP address')

    def test_five_octets_are_refused(self):
        for address in ("1.2.3.0.5", "1.2.3.44.5", "1.2.3.4.5.6",
                        "1.2.3.4.255", "1.2.3.4.5.6.7.8"):
            with self.subTest(address=address):
                self.check_refused(
                    f"eth3 104.44.44.10 {address} 4003 5003 ftp\n",
                    f'source address "{address}" is no IP address')
                self.check_refused(
                    f"eth3 {address} 104.44.44.10 4003 5003 ftp\n",
                    f'destination address "{address}" is no IP address')

    def test_an_empty_octet_is_refused(self):
        for address in (".2.3.4", "1..3.4", "1.2..4", "1.2.3."):
            with self.subTest(address=address):
                self.check_stops(
                    f"eth3 104.44.44.10 {address} 4003 5003 ftp\n",
                    f'source address "{address}" is no IP address')

    def test_a_nul_byte_is_refused_wherever_it_stands(self):
        for column in (1, 3, 5, 6, 14, 33, 34, 43, 44, 45):
            with self.subTest(column=column):
                line = GOOD[:column - 1] + "\0" + GOOD[column - 1:]
                self.check_refused(line, f"a NUL byte in column {column}")

    def test_a_nul_byte_in_place_of_a_byte_is_refused(self):
        for column in range(1, len(GOOD)):
            with self.subTest(column=column):
                line = GOOD[:column - 1] + "\0" + GOOD[column:]
                self.check_skips(line)

    def test_a_nul_byte_in_a_dash_column_is_refused(self):
        fields = trace_model.DEFAULT_FIELDS + " -"
        good = GOOD[:-1] + " x\n"
        self.write("trace.txt", good * 3 + GOOD[:-1] + " x\0x\n" + good)
        for chunk in CHUNKS:
            self.configure(chunk, fields=fields)
            with self.subTest(chunk=chunk):
                result = self.run_pipe("--quiet", "pipeline.conf")
                self.check(result, 1, 'trace.txt:4: source "trace_text": '
                           "a NUL byte in column 47\n")
                self.check_lines(self.read("out.txt"), RECORD * 3)

    def test_a_line_of_1_mb_is_refused(self):
        self.check_refused(line_of_bytes(1000000),
                           "too few fields: 1, 6 wanted")

    def test_a_line_of_1_mb_is_quoted_in_part(self):
        self.check_refused(
            GOOD.replace("eth3", "y" * 1000000),
            'interface "' + "y" * 40 + '..." is longer than 15 bytes')

    def test_a_line_of_1_mib_is_too_long(self):
        self.check_refused(line_of_bytes(MIB),
                           "the line is longer than 1048575 bytes")

    def test_a_line_of_3_mb_is_too_long(self):
        self.check_refused(line_of_bytes(3000000),
                           "the line is longer than 1048575 bytes")

    def test_a_line_of_3_mb_may_be_the_last_without_a_newline(self):
        self.write("trace.txt", GOOD * 6 + line_of_bytes(3000000)[:-1])
        for chunk in CHUNKS:
            self.configure(chunk, "skip")
            self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
            self.check_lines(self.read("out.txt"), RECORD * 6)

    def test_the_line_behind_one_of_3_mb_has_its_own_number(self):
        self.write("trace.txt", GOOD + line_of_bytes(3000000) + "x\n" + GOOD)
        for chunk in CHUNKS:
            self.configure(chunk, "skip")
            result = self.run_pipe("--stats", "-", "pipeline.conf")
            self.assertEqual(json.loads(result.out)["source"]["skipped"],
                             {"bad_line": 2})
            self.check_lines(self.read("out.txt"), RECORD * 2)

    def test_a_line_of_both_versions_is_refused(self):
        self.check_refused("eth3 104.44.44.10 2001:db8::1 4003 5003 ftp\n",
                           "an IPv6 source and an IPv4 destination")
        self.check_refused("eth3 2001:db8::1 104.44.44.10 4003 5003 ftp\n",
                           "an IPv4 source and an IPv6 destination")

    def test_a_name_of_16_bytes_is_refused(self):
        self.check_refused(
            "interface1234567 104.44.44.10 10.230.30.03 4003 5003 ftp\n",
            'interface "interface1234567" is longer than 15 bytes')
        self.check_refused(
            "eth3 104.44.44.10 10.230.30.03 4003 5003 protocol12345678\n",
            'protocol "protocol12345678" is longer than 15 bytes')

    def test_bytes_that_do_not_print_are_shown_as_question_marks(self):
        self.check_refused(
            "eth3 104.44.44.10 10\x1b[31m\xff.3 4003 5003 ftp\n",
            'source address "10?[31m?.3" is no IP address')

    def test_a_binary_file_is_refused_at_its_first_line(self):
        self.write("trace.txt", bytes(range(256)) * 5000)
        for engine in harness.ENGINES:
            self.configure()
            result = self.run_pipe("--quiet", *engine, "pipeline.conf")
            self.check(result, 1, 'trace.txt:1: source "trace_text": '
                       "a NUL byte in column 1\n")
            self.assertEqual(self.read("out.txt"), b"")

    def test_only_the_first_bad_line_is_reported(self):
        self.write("trace.txt", (GOOD * 50 + "first\n" + GOOD * 50
                                 + "second too\n") * 100)
        for chunk in CHUNKS:
            self.configure(chunk)
            for engine in harness.ENGINES:
                result = self.run_pipe("--quiet", *engine, "pipeline.conf")
                self.check(result, 1, 'trace.txt:51: source "trace_text": '
                           "too few fields: 1, 6 wanted\n")
                self.check_lines(self.read("out.txt"), RECORD * 50)

    def test_the_summary_and_the_report_say_that_a_run_failed(self):
        self.write("trace.txt", GOOD * 6 + "x\n" + GOOD)
        self.configure()
        result = self.run_pipe("--stats", "-", "pipeline.conf")
        message = ('trace.txt:7: source "trace_text": '
                   "too few fields: 1, 6 wanted")
        self.assertEqual(result.code, 1)
        self.assertTrue(result.err.startswith(
            "FAILED; the figures are of what came before:\n"
            "packets: 6 in, 6 out, 0 dropped\n"), result.err)
        self.assertTrue(result.err.endswith("\n" + message + "\n"))
        stats = json.loads(result.out)
        self.assertEqual((stats["outcome"], stats["error"]),
                         ("failed", message))

    def test_the_65535th_interface_is_one_too_many(self):
        lines = [f"n{at} 1.2.3.4 5.6.7.8 1 2 http\n" for at in range(65600)]
        self.write("trace.txt", "".join(lines))
        for chunk in (7, 1600):
            self.configure(chunk)
            for engine in harness.ENGINES:
                with self.subTest(chunk=chunk, engine=engine):
                    result = self.run_pipe("--quiet", *engine,
                                           "pipeline.conf")
                    self.check(result, 1, 'trace.txt:65535: source '
                               '"trace_text": "n65534" is one name too many: '
                               "65534 are there\n")
                    self.check_lines(self.read("out.txt"),
                                     "".join(lines[:65534]).encode())


class NamesOfLinesBefore(TraceTest):
    """What a line means does not depend on the lines that a worker has seen."""

    def test_a_crlf_after_names_that_end_in_cr_is_still_a_crlf(self):
        line = "eth3 1.1.1.1 1.2.3.4 1 2 ftp"
        self.check_reads((line + "\r\r\n") * 9 + (line + "\r\n") * 9,
                         (line + "\r\n").encode() * 9
                         + (line + "\n").encode() * 9)

    def test_a_name_that_starts_like_another_is_its_own(self):
        trace = "".join(f"{'abcdefghijklmno'[:1 + at % 15]} 1.1.1.1 2.2.2.2 1 "
                        f"2 {'abcdefghijklmno'[:1 + at * 7 % 15]}\n"
                        for at in range(300)).encode()
        self.check_reads(trace, trace)

    def test_sixty_five_names_need_more_room_than_a_cache_has(self):
        trace = "".join(f"nic{at % 200} 1.1.1.1 2.2.2.2 1 2 p{at % 67}\n"
                        for at in range(2000)).encode()
        self.check_reads(trace, trace)


class RandomLines(TraceTest):
    """Against trace_model.py: good lines, and lines damaged in all ways."""

    LINES = 2500
    NICS = [b"eth0", b"eth1", b"lo", b"e", b"7", b"eth0.1", b"wlan0.7", b"...",
            b"enp0s31f", b"interface123456", b"1.2.3.4", b"abcdefg"]
    PROTOCOLS = [b"ftp", b"http", b"rtp", b"sip", b"a", b"h.", b"1", b"x-y",
                 b"255", b"abcdefg", b"abcdefgh", b"\xe9t\xe9", b"udp.5060",
                 b"pppppp", b"ftp\r"]
    STRANGE = (b" \t.\r\0-:0123456789abcdefx/+\x7f\x80\xff\xa0\xae\xb0\x10\x1e"
               b"\x0b\x0c\n")
    ORDERS = (
        trace_model.DEFAULT_FIELDS,
        "protocol sport dport src dst nic",
        "nic dst src sport protocol dport",
        "nic dport sport protocol dst src",
        "nic sport dst dport src protocol",
        "dport nic protocol dst src sport",
        trace_model.DEFAULT_FIELDS + " -",
        "- " + trace_model.DEFAULT_FIELDS + " -",
        "- - nic dst src dport sport protocol - - -",
        "src - dst - sport dport - nic protocol",
    )

    def setUp(self):
        super().setUp()
        self.chance = random.Random()

    def number(self, highest):
        if self.chance.random() < .1:
            return self.chance.choice((0, 9, 10, 99, 100, highest))
        return self.chance.randint(0, highest)

    def padded(self, number, width):
        text = b"%d" % number
        if self.chance.random() < .15:
            text = text.rjust(self.chance.randint(1, width), b"0")
        return text

    def address(self):
        if self.chance.random() < .05:
            return self.chance.choice((b"::", b"2001:db8::1", b"fe80::a:0:b"))
        return b".".join(self.padded(self.number(255), 3) for _ in range(4))

    def word(self):
        length = self.chance.choice((1, 1, 2, 5, 17, 30, 40, 80))
        return bytes(self.chance.choice(b"abcz0129.:-_\xe9")
                     for _ in range(length))

    def line(self, order):
        make = {"nic": lambda: self.chance.choice(self.NICS),
                "protocol": lambda: self.chance.choice(self.PROTOCOLS),
                "dst": self.address, "src": self.address,
                "dport": lambda: self.padded(self.number(65535), 7),
                "sport": lambda: self.padded(self.number(65535), 7),
                "-": self.word}
        words = [make[field]() for field in order]
        if "-" in order and self.chance.random() < .3:
            # Ends at and around the 64 bytes that are looked at at once.
            short = self.chance.randint(61, 67) - len(b" ".join(words))
            if short > 0:
                words[order.index("-")] += b"x" * short
        return words

    def break_word(self, word, field):
        """A word that is no longer what its column wants, or only nearly."""
        if field in ("dst", "src"):
            return self.chance.choice((
                word + b".1", word + b".23", b"1." + word, word + b".",
                b"." + word, word.replace(b".", b"..", 1),
                word.replace(b".", b"", 1), word.replace(b".", b"0", 1),
                b"1.2.3.%d" % self.chance.randint(256, 999),
                b"%d.2.3.4" % self.chance.randint(256, 999),
                b"1.2.0003.4", b"1.2.3.0.5", b"1.2.3.44.5", b"1234.1.1.1",
                b"::ffff:1.2.3.4:1", b"1.2.3.4/8", b""))
        if field in ("dport", "sport"):
            return self.chance.choice((
                b"%d" % self.chance.randint(65536, 99999),
                b"%d" % self.chance.randint(100000, 999999), b"0" + word,
                b"00000" + word, b"-1", b"+1", b"1.0", b"4294967296",
                b"18446744073709551616", word + b":", b"\xb1", b""))
        return self.chance.choice((
            b"", word + b"\0", b"\0" + word, word + b"\r", b"\r",
            word + b"\t", word + b"\tx", word * 3, b"1" * 16))

    def damage(self, words, order):
        kind = self.chance.randrange(8)
        if kind < 3:
            at = self.chance.randrange(len(words))
            words[at] = self.break_word(words[at], order[at])
            return b" ".join(words)
        if kind == 3:
            del words[self.chance.randrange(len(words))]
            return b" ".join(words) + self.chance.choice((b"", b" ", b"\t"))
        if kind == 4:
            words.insert(self.chance.randrange(len(words) + 1), self.word())
            return b" ".join(words)
        if kind == 5:
            return b" ".join(words)[:self.chance.randrange(40)]
        line = bytearray(b" ".join(words))
        for _ in range(self.chance.choice((1, 1, 1, 2, 4))):
            at = self.chance.randrange(len(line))
            if kind == 6:
                line[at] = self.chance.choice(self.STRANGE)
            else:
                line.insert(at, self.chance.choice(self.STRANGE))
        return bytes(line)

    def trace(self, order):
        lines = []
        for _ in range(self.LINES):
            words = self.line(order)
            if self.chance.random() < .3:
                lines.append(self.damage(words, order))
            else:
                lines.append(b" ".join(words))
            if self.chance.random() < .05:
                lines[-1] += b"\r"
            if self.chance.random() < .01:
                lines.append(b"")
        return b"\n".join(lines) + self.chance.choice((b"", b"\n", b"\r\n"))

    def explain(self, trace, answers, message):
        """Which line was taken for what, by the first difference."""
        got = self.read("out.txt").split(b"\n")
        wanted = [(line, record) for line, (record, _) in
                  zip(trace.split(b"\n"), answers) if record is not None]
        lines = trace.split(b"\n")
        at = next((at for at, (_, record) in enumerate(wanted)
                   if at >= len(got) or got[at] != record), len(wanted))
        if at < len(wanted):
            where = next(number for number, (line, record) in
                         enumerate(zip(lines, (a[0] for a in answers)))
                         if record is not None
                         and sum(a[0] is not None
                                 for a in answers[:number]) == at)
        else:
            where = len(lines) - 1
        before = next((number for number in range(where - 1, -1, -1)
                       if answers[number][0] is not None), -1)
        self.fail(f"{message}: at record {at + 1} it says "
                  f"{got[at] if at < len(got) else None!r}; the lines from "
                  f"{before + 2} on are {lines[before + 1:where + 1]!r}")

    def check_against_model(self, fields, seed):
        order = fields.split()
        self.chance.seed(f"{seed} {fields}")
        trace = self.trace(order)
        answers = trace_model.read_trace(trace, fields)
        wanted = b"".join(record + b"\n" for record, _ in answers
                          if record is not None)
        skipped = sum(message is not None for _, message in answers)
        self.write("trace.txt", trace)
        for chunk in CHUNKS:
            self.configure(chunk, "skip", fields)
            for engine in (["--serial"], ["--workers", "3"]):
                result = self.run_pipe("--quiet", "--stats", "-", *engine,
                                       "pipeline.conf")
                self.assertEqual((result.code, result.err), (0, ""))
                where = f"seed {seed}, chunk {chunk}, {engine[0]}"
                if self.read("out.txt") != wanted:
                    self.explain(trace, answers, where)
                self.assertEqual(json.loads(result.out)["source"]["skipped"],
                                 {"bad_line": skipped}, where)
        return trace, answers

    def test_every_line_is_read_as_the_model_reads_it(self):
        for fields in self.ORDERS:
            for seed in range(int(os.environ.get("SLUICE_REPEATS", 2))):
                with self.subTest(fields=fields, seed=seed):
                    self.check_against_model(fields, seed)

    def test_every_message_is_what_the_model_says(self):
        """Each bad line alone, behind good ones."""
        order = trace_model.DEFAULT_FIELDS.split()
        good = b"eth1 1.2.3.4 5.6.7.8 9 10 http\n"
        self.chance.seed(7)
        for _ in range(150):
            line = self.damage(self.line(order), order).replace(b"\n", b"?")
            _, message = trace_model.read_trace(line + b"\n")[0]
            if message is None:
                continue
            with self.subTest(line=line):
                self.write("trace.txt", good * 3 + line + b"\n" + good)
                self.configure(self.chance.choice(CHUNKS))
                result = self.run_pipe("--quiet", "pipeline.conf")
                self.check(result, 1, 'trace.txt:4: source "trace_text": '
                           + message + "\n")
                self.check_lines(self.read("out.txt"), good * 3)

    def test_every_end_of_a_line_around_64_bytes_is_found(self):
        """Two dash columns pad lines to 55 ... 75 bytes; the last column is
        there, empty, or not there at all."""
        fields = "- " + trace_model.DEFAULT_FIELDS + " -"
        core = b" eth1 1.2.3.4 5.6.7.8 1 2 http"
        lines = [b"x" + core + b" x"] * 20
        for length in range(50, 80):
            for tail in (b" y", b" ", b"", b" .", b" 1.2.3.4", b"\r", b" \r"):
                fill = length - len(core) - len(tail)
                lines += [b"z" * fill + core + tail, b"x" + core + b" x",
                          b"z" * fill + core + tail,
                          b"abcdefg" + core + b" abcdefg"]
        trace = b"\n".join(lines) + b"\n"
        answers = trace_model.read_trace(trace, fields)
        wanted = b"".join(record + b"\n" for record, _ in answers
                          if record is not None)
        self.write("trace.txt", trace)
        for chunk in CHUNKS:
            self.configure(chunk, "skip", fields)
            with self.subTest(chunk=chunk):
                self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
                if self.read("out.txt") != wanted:
                    self.explain(trace, answers, f"chunk {chunk}")

    def test_a_column_lost_at_the_64th_byte_is_not_found_in_the_next_line(
            self):
        fields = "nic dst src dport sport - protocol"
        good = b"eth1 1.2.3.4 5.6.7.8 1 2 x abcdefg\n"
        start = b"eth1 1.2.3.4 5.6.7.8 1 2 "
        self.write("trace.txt", good * 5
                   + start + b"x" * (63 - len(start)) + b"\n"
                   + b"abcdefg 1.2.3.4 5.6.7.8 1 2 x abcdefg\n")
        for chunk in CHUNKS:
            self.configure(chunk, fields=fields)
            with self.subTest(chunk=chunk):
                result = self.run_pipe("--quiet", "--serial", "pipeline.conf")
                self.check(result, 1, 'trace.txt:6: source "trace_text": '
                           "too few fields: 6, 7 wanted\n")

    def test_an_address_that_ends_at_the_64th_byte_has_four_octets(self):
        fields = "- nic dport sport protocol src dst"
        start = b" eth1 1 2 http 5.6.7.8 "
        good = b"x" + start + b"1.2.3.4\n"
        bad = [b"x" * (63 - len(start) - len(tail)) + start + tail + b"\n"
               for tail in (b"1.2.003", b"1.2", b"1", b"001", b"1.2.3.", b"",
                            b"1.2.3.4.5", b"1.2.3.000.5", b"1.2.", b"000")]
        self.write("trace.txt", good * 5 + b"".join(bad) + good)
        for chunk in CHUNKS:
            self.configure(chunk, "skip", fields=fields)
            with self.subTest(chunk=chunk):
                result = self.run_pipe("--quiet", "--stats", "-",
                                       "pipeline.conf")
                self.assertEqual(self.read("out.txt"),
                                 b"eth1 1.2.3.4 5.6.7.8 1 2 http\n" * 6)
                self.assertEqual(json.loads(result.out)["source"]["skipped"],
                                 {"bad_line": len(bad)})


class Inputs(TraceTest):
    def test_a_trace_may_come_from_standard_input(self):
        self.configure()
        result = self.run_pipe("--quiet", "--set", "source.path=-",
                               "pipeline.conf", stdin=GOOD.encode() * 9)
        self.check(result, 0)
        self.check_lines(self.read("out.txt"), RECORD * 9)

    def test_messages_about_standard_input_call_it_a_dash(self):
        self.configure()
        result = self.run_pipe("--quiet", "--set", "source.path=-",
                               "pipeline.conf", stdin=GOOD.encode() + b"x\n")
        self.check(result, 1, '-:2: source "trace_text": '
                   "too few fields: 1, 6 wanted\n")

    def test_a_pipe_cut_into_single_bytes_gives_the_same_chunks(self):
        self.configure(7)
        trace = (GOOD * 3 + "\n" + GOOD.replace("\n", "\r\n")) * 5
        process = self.start("--quiet", "--set", "source.path=-",
                             "--set", "sink.path=-", "pipeline.conf")
        for byte in trace.encode():
            os.write(process.stdin.fileno(), bytes((byte,)))
        self.check(self.finish(process), 0, "", RECORD * 20)

    def test_a_missing_trace_is_named(self):
        self.configure()
        self.write("out.txt", "old\n")
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 1,
                   'runpipe: source "trace_text": cannot open trace.txt: '
                   "No such file or directory\n")
        self.assertEqual(self.read("out.txt"), b"old\n")

    def test_a_folder_is_no_trace(self):
        os.mkdir(self.path("trace.txt"))
        self.configure()
        self.write("out.txt", "old\n")
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 1,
                   'runpipe: source "trace_text": cannot read trace.txt: '
                   "Is a directory\n")
        self.assertEqual(self.read("out.txt"), b"old\n")

    def test_the_summary_counts_all_that_was_skipped(self):
        self.write("trace.txt", (GOOD + "x\n") * 1234)
        self.configure(on_error="skip")
        result = self.run_pipe("pipeline.conf")
        self.assertEqual((result.code, result.out), (0, b""))
        self.assertTrue(re.search(
            r"^packets: 1,234 in, 1,234 out, 0 dropped$", result.err, re.M))
        self.assertTrue(re.search(
            r"^  trace_text skipped: 1,234 bad_line$", result.err, re.M))


if __name__ == "__main__":
    unittest.main()
