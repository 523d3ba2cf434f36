# SPDX-License-Identifier: MIT
"""What tests of captures share: a pipeline from the source `pcap` through the
stage `walk`, which judges each packet, into the sink `dump`."""
import captures
import harness

CHUNKS = (1, 7, 1600)
ENGINES = (["--serial"], ["--workers", "1"], ["--workers", "2"],
           ["--workers", "3"])
# How each capture is read: every size of chunk and every number of workers once.
# (All pairs are test_order's, and the corpus' captures see others.)
RUNS = ((1600, ["--serial"]), (7, ["--workers", "1"]), (7, ["--workers", "2"]),
        (1, ["--workers", "3"]))
PIPED = (7, ["--workers", "3"])
# From a pipe it comes in such pieces, again and again.
PIECES = (1, 15, 3, 64, 1, 1000, 24, 7)

CONFIG = '''\
plugin_path = ( "{plugins}" );
chunk = {chunk};
source = {{ plugin = "pcap"; path = "{path}"; {options} }};
stages = ( {{ plugin = "walk"; }} );
sink = {{ plugin = "dump"; path = "out.txt"; }};
'''

FRAGMENT, LATER, ICMP_ERROR, MALFORMED = 1, 2, 4, 8


def fnv(data):
    """The dump's hash."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return value


class CaptureTest(harness.RunpipeTest):
    def configure(self, path="in.pcap", chunk=1600, options=""):
        self.write("pipeline.conf", CONFIG.format(
            plugins=harness.TEST_PLUGINS, chunk=chunk, path=path,
            options=options))

    def run_file(self, chunk, engine, options):
        self.configure(chunk=chunk, options=options)
        return self.run_pipe("--quiet", *engine, "pipeline.conf")

    def run_piped(self, data, chunk, engine, options):
        """The capture on standard input, in pieces."""
        self.configure("-", chunk, options)
        process = self.start("--quiet", *engine, "pipeline.conf")
        # the first bytes are the interesting ones
        at = turn = 0
        try:
            while at < len(data):
                piece = PIECES[turn % len(PIECES)] << turn // 1000
                process.stdin.write(data[at:at + piece])
                process.stdin.flush()
                at += piece
                turn += 1
        except BrokenPipeError:
            pass  # it has seen enough
        return self.finish(process)

    def for_every_run(self, data, options, check):
        """Call check(result, lines, path) for each of RUNS, and from a pipe;
        `lines` are the dump's, and `path` is the capture in messages."""
        self.write("in.pcap", data)
        for chunk, engine in RUNS:
            with self.subTest(chunk=chunk, engine=engine):
                result = self.run_file(chunk, engine, options)
                check(result, self.lines(), "in.pcap")
        with self.subTest(piped=True):
            check(self.run_piped(data, *PIPED, options), self.lines(), "-")

    def lines(self):
        return self.read("out.txt").decode().splitlines()

    def check_reads(self, data, wanted=None, options="", packets=None):
        """A capture without a fault. `wanted` are the packets' metadata,
        "NIC LINK VERSION TRANSPORT SRC SPORT DST DPORT DSCP FLAGS L3 L4";
        `packets`, or what captures.read() says, the Records."""
        self.check_stops(data, None, wanted, options, packets or
                         captures.read(data))

    def check_stops(self, data, message, wanted=None, options="", packets=()):
        """It ends with `message`, in which PATH is the capture, behind
        `packets`."""
        def check(result, lines, path):
            self.check(result, 1 if message else 0,
                       (message or "").replace("PATH", path)
                       + ("\n" if message else ""))
            self.assertEqual([line.split()[:5] for line in lines], records)
            if wanted is not None:
                self.assertEqual([" ".join(line.split()[5:6]
                                           + line.split()[7:])
                                  for line in lines], wanted)

        records = [[str(index), str(packet.time_ns), str(len(packet.data)),
                    str(packet.original), f"{fnv(packet.data):016x}"]
                   for index, packet in enumerate(packets)]
        self.for_every_run(data, options, check)

    def check_frame(self, frame, wanted, link=captures.ETHERNET,
                    original=None):
        """What one frame is: "VERSION TRANSPORT SRC SPORT DST DPORT DSCP FLAGS
        L3 L4"."""
        record = captures.Record(frame, 1_000_000_000, original)
        self.write("in.pcap", captures.pcap([record], link))
        result = self.run_file(1600, ["--serial"], "")
        self.check(result, 0)
        self.assertEqual([" ".join(line.split()[8:]) for line in self.lines()],
                         [wanted])
