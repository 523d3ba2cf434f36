#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The sink pcap: what it writes, read back by other code, and what it cannot
write."""
import os
import random
import resource
import signal
import subprocess
import unittest

import captures as c
import harness
from capture_test import CHUNKS, ENGINES, fnv

PCAP_DUMP = os.environ["SLUICE_PCAP_DUMP"]

CONFIG = '''\
plugin_path = ( "{plugins}" );
chunk = {chunk};
source = {{ plugin = "pcap"; path = "in.pcap"; {source} }};
stages = ( {stages} );
sink = {{ plugin = "pcap"; path = "out"; {sink} }};
'''
UDP = c.ether(c.ipv4(c.udp(b"hello")))
SHORT = c.ether(c.ipv4(c.udp(b"x")))
RAW = c.ipv4(c.udp(b"raw"))
SECOND = 1_000_000_000


def blocks(data):
    """The kinds of a pcapng's blocks."""
    kinds, at = [], 0
    while at < len(data):
        kinds.append(int.from_bytes(data[at:at + 4], "little"))
        at += int.from_bytes(data[at + 4:at + 8], "little")
    return kinds


def sizes_of_all_kinds(seed=1, count=3000):
    """Records of 0 to 9,000 bytes, of which some were cut."""
    chance = random.Random(seed)
    made = []
    for at in range(count):
        size = chance.choice((0, 1, 13, 60, 61, 62, 63, 64, 590, 1023, 1024,
                              1025, 1514, 9000))
        made.append(c.Record(chance.randbytes(size), 5 * SECOND + at * 7,
                             size + chance.choice((0, 0, 4, 1500))))
    return made


class SinkTest(harness.RunpipeTest):
    def configure(self, chunk=1600, stages="", source="", sink=""):
        self.write("pipeline.conf", CONFIG.format(
            plugins=harness.TEST_PLUGINS, chunk=chunk, stages=stages,
            source=source, sink=sink))

    def for_every_run(self, data, check, chunks=CHUNKS, **options):
        """Call check(result, output) for every way to run."""
        self.write("in.pcap", data)
        for chunk in chunks:
            self.configure(chunk=chunk, **options)
            for engine in ENGINES:
                with self.subTest(chunk=chunk, engine=engine):
                    result = self.run_pipe("--quiet", *engine, "pipeline.conf")
                    check(result, self.read("out"))

    def check_output(self, data, wanted, **options):
        """Every run writes the Records `wanted`, and the same bytes, which are
        returned."""
        def check(result, output):
            self.check(result, 0)
            self.assertEqual(c.read(output), wanted)
            self.assertEqual(output, outputs.setdefault("first", output))

        outputs = {}
        self.for_every_run(data, check, **options)
        return outputs["first"]

    def check_stops(self, data, packet, message, wanted, **options):
        """Every run ends with the message at that packet, from 1, behind the
        Records `wanted`."""
        def check(result, output):
            self.check(result, 1, f'runpipe: sink "pcap": {message} '
                       f"(at in.pcap: packet {packet})\n")
            self.assertEqual(c.read(output), wanted)

        self.for_every_run(data, check, **options)


def on(nic, records):
    return [c.Record(record.data, record.time_ns, record.original, record.link,
                     nic) for record in records]


class Formats(SinkTest):
    def test_pcapng_has_every_packet_as_it_was(self):
        made = sizes_of_all_kinds()
        self.check_output(c.pcap(made, nano=True), on("if0", made),
                          chunks=(7, 1600))

    def test_pcap_has_every_packet_as_it_was(self):
        made = sizes_of_all_kinds(2)
        output = self.check_output(c.pcap(made, nano=True), made,
                                   sink='format = "pcap";', chunks=(7, 1600))
        self.assertEqual(output, c.pcap(made, nano=True))

    def test_libpcap_reads_the_same_packets(self):
        made = sizes_of_all_kinds(3)
        wanted = [f"{at} {one.time_ns} {len(one.data)} {one.original} "
                  f"{fnv(one.data):016x}" for at, one in enumerate(made)]
        self.write("in.pcap", c.pcap(made, nano=True))
        for kind in "pcapng", "pcap":
            self.configure(sink=f'format = "{kind}";')
            self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
            dump = subprocess.run([PCAP_DUMP, self.path("out")],
                                  stdout=subprocess.PIPE, check=True)
            self.assertEqual(dump.stdout.decode().splitlines(), wanted)

    def test_the_source_reads_what_was_written(self):
        made = sizes_of_all_kinds(4)
        self.write("in.pcap", c.pcap(made, nano=True))
        self.configure(source='nic = "eth5";')
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        once = self.read("out")
        self.write("in.pcap", once)
        self.configure()
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        self.assertEqual(self.read("out"), once)
        self.assertEqual(c.read(once), on("eth5", made))

    def test_a_file_without_packets_is_one_of_its_format(self):
        self.assertEqual(self.check_output(c.pcap(), []),
                         c.section())
        self.assertEqual(self.check_output(c.pcap(), [],
                                           sink='format = "pcap";'),
                         c.pcap(nano=True))

    def test_pcap_keeps_the_link_type(self):
        made = [c.Record(RAW, SECOND, link=c.RAW)]
        self.check_output(c.pcap(made, c.RAW), made, sink='format = "pcap";')

    def test_the_last_second_of_pcap(self):
        made = [c.Record(UDP, (1 << 32) * SECOND - 1)]
        self.check_output(c.pcapng(made), made, sink='format = "pcap";')

    def test_standard_output(self):
        made = [c.Record(UDP, at * SECOND) for at in range(5000)]
        self.write("in.pcap", c.pcap(made))
        self.configure()
        result = self.run_pipe("--quiet", "--set", "sink.path=-",
                               "pipeline.conf")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertEqual(c.read(result.out), on("if0", made))


class Interfaces(SinkTest):
    """An interface for each pair of a name and a link type."""

    def test_they_come_in_the_order_of_the_packets_that_use_them(self):
        data = c.section() + b"".join(
            c.interface(name, link, 9) for name, link in
            (("unused", 1), ("b", 1), ("a", c.RAW), ("a", 1)))
        made = []
        for at, (number, nic, frame, link) in enumerate(
                ((1, "b", UDP, 1), (3, "a", SHORT, 1), (1, "b", SHORT, 1),
                 (2, "a", RAW, c.RAW), (3, "a", UDP, 1)) * 7):
            data += c.packet(frame, at, number)
            made.append(c.Record(frame, at, None, link, nic))
        output = self.check_output(data, made)
        self.assertEqual(blocks(output)[:8],
                         [0x0a0d0d0a, 1, 6, 1, 6, 6, 1, 6])
        self.assertEqual(blocks(output)[8:], [6] * 31)
        described = c.section() + c.interface("b", 1, 9) + c.packet(UDP, 0)
        self.assertEqual(output[:len(described)], described)

    def test_it_is_the_outgoing_one_behind_a_route(self):
        made = [c.Record(c.ether(c.ipv4(c.udp(b"x"), dst=dst)), at)
                for at, dst in enumerate(("10.1.0.1", "10.2.0.1", "10.1.0.2")
                                         * 9)]
        wanted = [c.Record(one.data, one.time_ns, None, 1,
                           ("one", "two", "one")[at % 3])
                  for at, one in enumerate(made)]
        self.check_output(
            c.pcap(made, nano=True), wanted,
            stages='{ plugin = "route"; decrement_ttl = false; '
            'routes = ( "10.1.0.0/16 one", "10.2.0.0/16 two" ); }')

    def test_a_thousand_of_them(self):
        data = c.section() + b"".join(
            c.interface(f"n{at}", 1, 9) for at in range(1000))
        made = []
        for at in range(3000):
            number = at * 7 % 1000
            data += c.packet(SHORT, at, number)
            made.append(c.Record(SHORT, at, None, 1, f"n{number}"))
        self.check_output(data, made, chunks=(1, 100))
        self.check_output(data, made, chunks=(7,),
                          stages='{ plugin = "delay"; max = "200 us"; }')


class Refused(SinkTest):
    """Packets that a file cannot hold: what came before is there."""

    def test_another_link_type_in_pcap(self):
        data = (c.section() + c.interface("a", 1, 9)
                + c.interface("b", c.RAW, 9))
        before = [c.Record(UDP, at) for at in range(20)]
        for record in before:
            data += c.packet(UDP, record.time_ns, 0)
        data += c.packet(RAW, 20, 1) + c.packet(UDP, 21, 0)
        self.check_stops(
            data, 21, 'its link type is 101, and '
            'a pcap file has one, here 1; format "pcapng" takes both', before,
            sink='format = "pcap";')

    def test_a_time_before_1970(self):
        data = (c.section() + c.interface("a", 1, 9)
                + c.interface("b", 1, 9, offset=-10)
                + c.packet(UDP, 1, 0) * 3 + c.packet(UDP, 1, 1))
        for kind in "pcap", "pcapng":
            self.check_stops(
                data, 4, 'its time is before '
                "1970, which a capture cannot say",
                [c.Record(UDP, 1, None, 1, "a" if kind == "pcapng" else None)]
                * 3, sink=f'format = "{kind}";')

    def test_a_time_beyond_32_bits_of_seconds_in_pcap(self):
        made = [c.Record(UDP, 7), c.Record(UDP, (1 << 32) * SECOND)]
        self.check_stops(
            c.pcapng(made), 2, 'its time is '
            "beyond 32 bits of seconds, which pcap cannot say; format "
            '"pcapng" can', made[:1], sink='format = "pcap";')

    def test_what_was_sorted_behind_it_is_not_written(self):
        # The class of tcp/80 comes first, so the packet that is refused is
        # written before others that came in before it.
        urgent = c.ether(c.ipv4(c.tcp(b"", dport=80)))
        made = [c.Record(UDP, 1), c.Record(urgent, -1), c.Record(UDP, 3),
                c.Record(urgent, 4)]
        data = (c.section() + c.interface("a", 1, 9)
                + c.interface("b", 1, 9, offset=-10)
                + c.packet(UDP, 1, 0) + c.packet(urgent, 1, 1)
                + c.packet(UDP, 3, 0) + c.packet(urgent, 4, 0))
        self.check_stops(
            data, 2, 'its time is before 1970, '
            "which a capture cannot say", on("a", made[:1]),
            stages='{ plugin = "prioritize"; classes = ( ["tcp/80"] ); }')

    def test_a_text_trace_has_no_frames(self):
        self.write("in.pcap", "eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n")
        self.write("pipeline.conf", '''\
source = { plugin = "trace_text"; path = "in.pcap"; };
stages = ();
sink = { plugin = "pcap"; path = "out"; };
''')
        result = self.run_pipe("--quiet", "pipeline.conf")
        self.assertEqual(result.code, 2)
        self.assertIn('sink "pcap" reads', result.err)
        self.assertNotIn("out", self.files())


class Places(SinkTest):
    def limit_files(self):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16390, 16390))

    def test_a_file_that_cannot_grow_keeps_whole_packets(self):
        big = [c.Record(bytes([at % 256]) * (2000 if at % 3 else 50), at)
               for at in range(600)]
        self.write("in.pcap", c.pcap(big, nano=True))
        for kind in "pcapng", "pcap":
            self.configure(sink=f'format = "{kind}";')
            result = self.run_pipe("--quiet", "pipeline.conf",
                                   preexec_fn=self.limit_files)
            self.assertEqual(result.code, 1, result.err)
            self.assertRegex(result.err, "cannot write out: File too large")
            read = c.read(self.read("out"))
            self.assertEqual([one.data for one in read],
                             [one.data for one in big[:len(read)]])
            self.assertGreater(len(self.read("out")), 16390 - 2100)

    def test_a_full_disk_is_named(self):
        self.write("in.pcap", c.pcap([UDP] * 5))
        for kind in "pcapng", "pcap":
            self.configure(sink=f'format = "{kind}";')
            result = self.run_pipe("--quiet", "--set", "sink.path=/dev/full",
                                   "pipeline.conf")
            self.assertEqual(result.code, 1)
            self.assertIn('sink "pcap": cannot write /dev/full: No space left '
                          "on device", result.err)

    def test_a_reader_that_left(self):
        self.write("in.pcap", c.pcap([UDP] * 5000))
        self.configure()
        reader, writer = os.pipe()
        os.close(reader)
        result = self.run_pipe("--quiet", "--set", "sink.path=-",
                               "pipeline.conf", stdout=writer)
        os.close(writer)
        self.assertEqual(result.code, 1)
        self.assertIn("cannot write -: Broken pipe", result.err)

    def test_the_output_equal_to_the_input(self):
        data = c.pcap([UDP] * 5)
        self.write("in.pcap", data)
        self.configure()
        self.check(self.run_pipe("--quiet", "--set", "sink.path=in.pcap",
                                 "pipeline.conf"), 2,
                   'runpipe: sink "pcap": output equal to input: source '
                   '"pcap" reads in.pcap\n')
        self.assertEqual(self.read("in.pcap"), data)


if __name__ == "__main__":
    unittest.main()
