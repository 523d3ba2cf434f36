#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SIGINT and SIGTERM end the input: what is in flight drains, is reported, and
the exit code says which it was. Nothing here sleeps: a test waits for output
that shows that a run has come so far."""
import json
import os
import signal
import unittest

import harness

RECORD = b"eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n"
SIGNALS = ((signal.SIGINT, 130), (signal.SIGTERM, 143))
CONFIG = '''\
chunk = {chunk};
tokens = 24;
source = {{ plugin = "trace_text"; path = "{source}"; }};
stages = ( {{ plugin = "delay"; max = "{delay}"; }},
  {{ plugin = "nat"; external_nic = "eth0";
    external_address = "134.77.77.30"; }} );
sink = {{ plugin = "trace_text"; path = "{sink}"; }};
'''
TRANSLATED = b"eth3 104.44.44.10 134.77.77.30 4003 5003 ftp\n"


class SignalTest(harness.RunpipeTest):
    def start_pipe(self, *arguments, source="-", sink="-", chunk=1, delay="0 s",
                   **options):
        self.write("pipeline.conf", CONFIG.format(
            chunk=chunk, source=source, sink=sink, delay=delay))
        return self.start("--stats", "report.json", *arguments,
                          "pipeline.conf", **options)

    @staticmethod
    def read_bytes(process, count):
        """So many bytes of its output, waited for."""
        got = b""
        while len(got) < count:
            more = os.read(process.stdout.fileno(), count - len(got))
            if not more:
                break
            got += more
        return got

    def check_stopped(self, process, code, records_before, whole=None):
        """It ends by itself, says that it was stopped, and what it wrote is
        the beginning of what it would have written."""
        out, err = process.communicate(timeout=harness.TIMEOUT_S)
        out = records_before + out
        self.assertEqual(process.returncode, code)
        lines = err.decode().splitlines()
        self.assertEqual(lines[0], "STOPPED before the end of the input:")
        stats = json.loads(self.read("report.json"))
        self.assertEqual((stats["outcome"], stats["error"]),
                         ("stopped", None))
        packets = stats["packets"]
        self.assertEqual(lines[1], f"packets: {packets['in']:,} in, "
                         f"{packets['out']:,} out, 0 dropped")
        self.assertEqual(packets["in"], packets["out"])
        self.assertEqual(out.count(b"\n"), packets["out"])
        self.assertTrue(not out or out.endswith(b"\n"), out[-100:])
        if whole is not None:
            self.assertTrue(whole.startswith(out), out[-300:])
        return out


class OpenPipe(SignalTest):
    """Standard input is a pipe whose writer stays."""

    def test_a_signal_ends_the_wait_for_input(self):
        for number, code in SIGNALS:
            for engine in harness.ENGINES:
                with self.subTest(number=number, engine=engine):
                    process = self.start_pipe(*engine)
                    os.write(process.stdin.fileno(), RECORD * 5)
                    before = self.read_bytes(process, 5 * len(TRANSLATED))
                    process.send_signal(number)
                    stdin, process.stdin = process.stdin, None
                    self.addCleanup(stdin.close)
                    out = self.check_stopped(process, code, before)
                    self.assertEqual(out, TRANSLATED * 5)

    def test_a_chunk_that_is_not_full_comes_out_whole_or_was_never_cut(self):
        # The second chunk of five waits for two more lines.
        for number, code in SIGNALS:
            with self.subTest(number=number):
                process = self.start_pipe("--workers", "2", chunk=5)
                os.write(process.stdin.fileno(), RECORD * 8)
                before = self.read_bytes(process, 5 * len(TRANSLATED))
                process.send_signal(number)
                stdin, process.stdin = process.stdin, None
                self.addCleanup(stdin.close)
                out = self.check_stopped(process, code, before)
                self.assertIn(out, (TRANSLATED * 5, TRANSLATED * 8))

    def test_half_a_line_is_no_record(self):
        for half in (b"eth3 104.44.44.10 10.230.30.3 4003 5003 ft",
                     b"eth3 104.44.44.10 10.230.30.3 4003 500",
                     b"eth3 104.44.44.10 10.23", b"e"):
            for number, code in SIGNALS:
                for engine in harness.ENGINES:
                    with self.subTest(half=half, number=number, engine=engine):
                        process = self.start_pipe(*engine)
                        os.write(process.stdin.fileno(), RECORD * 3 + half)
                        before = self.read_bytes(process, 3 * len(TRANSLATED))
                        process.send_signal(number)
                        stdin, process.stdin = process.stdin, None
                        self.addCleanup(stdin.close)
                        out = self.check_stopped(process, code, before)
                        self.assertEqual(out, TRANSLATED * 3)

    def test_a_pipe_that_ends_is_no_stop(self):
        process = self.start_pipe("--quiet")
        result = self.finish(process, RECORD * 5)
        self.check(result, 0, "", TRANSLATED * 5)
        self.assertEqual(json.loads(self.read("report.json"))["outcome"],
                         "done")


class LongRun(SignalTest):
    LINES = 300000

    def setUp(self):
        super().setUp()
        line = "eth1 1.2.3.4 10.1.{0}.{1} {2} {3} rtp\n"
        self.write("trace.txt", "".join(
            line.format(at >> 8 & 15, at & 255, at % 65536, 2000)
            for at in range(self.LINES)))

    def test_a_run_in_its_middle_drains_to_whole_records(self):
        self.write("pipeline.conf", CONFIG.format(
            chunk=100, source="trace.txt", sink="-", delay="0 s"))
        whole = self.run_pipe("--quiet", "pipeline.conf").out
        self.assertEqual(whole.count(b"\n"), self.LINES)
        for number, code in SIGNALS:
            for engine in harness.ENGINES:
                with self.subTest(number=number, engine=engine):
                    # Nobody reads on, so the run cannot come to its end.
                    process = self.start_pipe(*engine, source="trace.txt",
                                              chunk=100, delay="20 us")
                    before = self.read_bytes(process, 100000)
                    process.send_signal(number)
                    out = self.check_stopped(process, code, before, whole)
                    self.assertLess(len(out), len(whole))
                    self.assertGreaterEqual(len(out), 100000)

    def test_into_a_file(self):
        whole = None
        for number, code in SIGNALS:
            with self.subTest(number=number):
                fifo = self.path(f"fifo{code}")
                os.mkfifo(fifo)
                process = self.start_pipe("--workers", "2",
                                          source=fifo, sink="out.txt",
                                          chunk=100)
                with open(fifo, "wb", buffering=0) as pipe, \
                        open(self.path("trace.txt"), "rb") as trace:
                    # More than a pipe holds: some of it has been read.
                    pipe.write(trace.read(3000000))
                    process.send_signal(number)
                    process.wait(timeout=harness.TIMEOUT_S)
                self.assertEqual(process.returncode, code)
                out = self.read("out.txt")
                if whole is None:
                    self.write("pipeline.conf", CONFIG.format(
                        chunk=100, source="trace.txt", sink="-", delay="0 s"))
                    whole = self.run_pipe("--quiet", "pipeline.conf").out
                self.assertTrue(out.endswith(b"\n"))
                self.assertTrue(whole.startswith(out))
                stats = json.loads(self.read("report.json"))
                self.assertEqual(stats["outcome"], "stopped")
                self.assertEqual(stats["packets"]["out"], out.count(b"\n"))

    def test_a_stopped_run_may_be_quiet(self):
        process = self.start_pipe("--quiet", source="trace.txt", chunk=100)
        self.read_bytes(process, 10000)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual((process.returncode, err), (130, b""))

    def test_a_second_signal_kills_a_run_that_cannot_drain(self):
        for second in signal.SIGINT, signal.SIGTERM:
            with self.subTest(second=second):
                process = self.start_pipe(source="trace.txt", chunk=3000)
                self.read_bytes(process, 10000)
                # Nobody reads and a chunk is more than a pipe holds, so it
                # stays until the second signal, whichever.
                process.send_signal(signal.SIGINT)
                while process.poll() is None:
                    process.send_signal(second)
                self.assertIn(process.returncode,
                              (-signal.SIGINT, -signal.SIGTERM))

    def test_a_failure_while_it_drains_is_a_failure(self):
        # The bad line is in the pipe already when the signal comes, or it is
        # not read at all: either way no half of a record comes out.
        process = self.start_pipe(chunk=10)
        os.write(process.stdin.fileno(), RECORD * 10 + b"bad\n" + RECORD)
        before = self.read_bytes(process, 10 * len(TRANSLATED))
        process.send_signal(signal.SIGINT)
        stdin, process.stdin = process.stdin, None
        self.addCleanup(stdin.close)
        out, err = process.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual(before + out, TRANSLATED * 10)
        if process.returncode == 1:
            self.assertTrue(err.endswith(
                b'\n-:11: source "trace_text": too few fields: 1, 6 wanted\n'))
        else:
            self.assertEqual(process.returncode, 130)


if __name__ == "__main__":
    unittest.main()
