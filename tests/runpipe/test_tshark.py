# SPDX-License-Identifier: MIT
"""tshark finds the same checksums wrong before and after nat: what was right is
right, and what was wrong is still wrong."""
import os
import shutil
import subprocess
import unittest

import captures as c
from harness import TEST_PLUGINS, RunpipeTest, main

CORPUS = os.environ.get("SLUICE_CORPUS", "")
LINKS = (c.ETHERNET, c.RAW, c.LINUX_SLL)
WRONG = " || ".join(f"{name}.checksum.status == 0"
                    for name in ("ip", "tcp", "udp", "icmp"))
# Fragments by themselves: putting them together would judge the last one by
# what became of the others.
SWITCHES = [word for name in ("ip.check_checksum:TRUE",
                              "tcp.check_checksum:TRUE",
                              "udp.check_checksum:TRUE", "ip.defragment:FALSE")
            for word in ("-o", name)]
CONFIG = """
plugin_path = "{plugins}";
source = {{ plugin = "pcap"; path = "in.pcapng"; nic = "lan"; }};
stages = (
  {{ plugin = "nat"; external_nic = "wan"; external_address = "203.0.113.1";
     inside = ( "203.0.113.1/32" ); other = "pass"; }},
  {{ plugin = "walk"; }}
);
sink = {sink};
"""


def corpus_records(most=3000):
    """The frames of the corpus' captures, of each one at most so many."""
    with open(os.path.join(CORPUS, "MANIFEST.tsv"), encoding="utf-8") as file:
        rows = [line.split("\t") for line in file]
    for row in rows:
        path = os.path.join(CORPUS, row[0])
        if row[1] != "pcap" or row[2] not in ("pcap", "pcapng"):
            continue
        with open(path, "rb") as file:
            data = file.read()
        try:
            records = c.read(data)
        except Exception:  # damaged on purpose
            continue
        yield from records[:most]


@unittest.skipUnless(CORPUS, "SLUICE_CORPUS is not set")
@unittest.skipUnless(shutil.which("tshark"), "no tshark here")
class TsharkTest(RunpipeTest):

    def wrong_frames(self, name):
        """@return {number of the frame, from 1}."""
        done = subprocess.run(
            ["tshark", "-n", "-r", self.path(name), *SWITCHES, "-Y", WRONG,
             "-T", "fields", "-e", "frame.number"], capture_output=True,
            text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {int(line) for line in done.stdout.split()}

    def run_nat(self, sink):
        self.write("test.conf", CONFIG.format(plugins=TEST_PLUGINS, sink=sink))
        result = self.run_pipe("--quiet", "test.conf")
        self.check(result, 0, out=result.out)
        return result.out

    def test_the_same_checksums_are_wrong_before_and_after(self):
        records = [record for record in corpus_records()
                   if record.link in LINKS]
        self.assertGreater(len(records), 5000)
        self.write("in.pcapng", c.section() + b"".join(
            c.interface(f"link{link}", link, 9) for link in LINKS) + b"".join(
                c.packet(record.data, at * 1000, LINKS.index(record.link),
                         record.original)
                for at, record in enumerate(records)))
        self.run_nat('{ plugin = "pcap"; path = "out.pcapng"; }')
        numbers = [int(line.split()[0]) + 1 for line in self.run_nat(
            '{ plugin = "dump"; path = "-"; }').decode().splitlines()]
        after = c.read(self.read("out.pcapng"))
        self.assertEqual(len(after), len(numbers))
        translated = sum(record.data != records[number - 1].data
                         for number, record in zip(numbers, after))
        self.assertGreater(translated, 100)
        before = self.wrong_frames("in.pcapng")
        self.assertGreater(len(before), 100)
        self.assertEqual(
            sorted(numbers[at - 1] for at in self.wrong_frames("out.pcapng")),
            sorted(before & set(numbers)))


if __name__ == "__main__":
    main()
