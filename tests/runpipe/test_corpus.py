#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every capture of the corpus, through the source pcap and through libpcap: the
same packets, times, lengths and bytes. The corpus is a folder with a list,
MANIFEST.tsv, whose columns are path, kind and format; SLUICE_CORPUS says
where."""
import os
import re
import subprocess
import unittest

import capture_test
import harness

CORPUS = os.environ.get("SLUICE_CORPUS")
PCAP_DUMP = os.environ["SLUICE_PCAP_DUMP"]

# What libpcap refuses and we read, and why it is right.
LIBPCAP_REFUSES = (
    # Its users want one link type and one snapshot length; a packet of ours
    # has its own.
    r"an interface has a type \d+ different from the type of the first "
    r"interface",
    r"an interface has a snapshot length \d+ different from the snapshot "
    r"length of the first interface",
    # A capture without packets.
    r"the capture file has no Interface Description Blocks",
)
# What we refuse and libpcap reads: frames that we do not understand.
WE_REFUSE = r"frames of link type \d+( \([A-Z0-9_]+\))? cannot be read\n"


def captures():
    found = []
    with open(os.path.join(CORPUS, "MANIFEST.tsv"), encoding="utf-8") as file:
        for line in file:
            path, kind, form = line.rstrip("\n").split("\t")[:3]
            if kind == "pcap" and form in ("pcap", "pcapng"):
                found.append(os.path.join(CORPUS, path))
    return found


@unittest.skipUnless(CORPUS, "SLUICE_CORPUS is not set: no corpus to read")
class Corpus(capture_test.CaptureTest):
    def read_by_libpcap(self, path):
        result = subprocess.run([PCAP_DUMP, path], capture_output=True,
                                timeout=harness.TIMEOUT_S, check=False)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return (result.returncode, result.stdout.decode().splitlines(),
                result.stderr.decode("latin-1"))

    def read_by_us(self, path, engine, chunk):
        self.configure(path, chunk)
        if os.path.exists(self.path("out.txt")):
            os.unlink(self.path("out.txt"))
        result = self.run_pipe("--quiet", *engine, "pipeline.conf")
        self.assertIn(result.code, (0, 1), result.err)
        return result, self.lines()

    def compare(self, path):
        """@return the kind of outcome."""
        result, lines = self.read_by_us(path, ["--serial"], 1600)
        refused, wanted, why = self.read_by_libpcap(path)
        ours = [" ".join(line.split()[:5]) for line in lines]
        if result.code and not refused:
            self.assertRegex(result.err, WE_REFUSE)
            self.assertEqual(ours, wanted[:len(ours)])
            return "we refuse"
        if refused and not result.code:
            self.assertTrue(any(re.fullmatch(reason, why.rstrip("\n"))
                                for reason in LIBPCAP_REFUSES), why)
            self.assertEqual(ours[:len(wanted)], wanted)
            return "libpcap refuses"
        self.assertEqual(ours, wanted)
        return "both refuse" if refused else "same"

    def test_libpcap_reads_the_same(self):
        outcomes = {}
        for path in captures():
            with self.subTest(path=path):
                outcome = self.compare(path)
                outcomes[outcome] = outcomes.get(outcome, 0) + 1
        self.assertGreater(outcomes.get("same", 0), 300, outcomes)

    def test_every_engine_reads_the_same(self):
        for path in captures():
            with self.subTest(path=path):
                serial, lines = self.read_by_us(path, ["--serial"], 7)
                other, again = self.read_by_us(path, ["--workers", "3"], 5)
                self.assertEqual((other.code, other.err),
                                 (serial.code, serial.err))
                self.assertEqual(again, lines)


if __name__ == "__main__":
    harness.main()
