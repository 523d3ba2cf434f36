# SPDX-License-Identifier: MIT
"""examples/nat-capture as its README says, judged by tshark: nothing that an
expert would remark on, unless the input had it."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

import captures as c
from harness import SOURCE_DIR, RunpipeTest, main

EXAMPLE = os.path.join(SOURCE_DIR, "examples/nat-capture")


class NatExampleTest(RunpipeTest):

    def setUp(self):
        super().setUp()
        subprocess.run([sys.executable, "-B",
                        os.path.join(EXAMPLE, "make_capture.py"),
                        self.path("office.pcapng")], check=True)
        shutil.copy(os.path.join(EXAMPLE, "nat.conf"), self.folder)
        self.check(self.run_pipe("--quiet", "nat.conf"), 0)

    def test_every_packet_leaves_by_the_right_interface_with_the_right_ends(
            self):
        before = c.read(self.read("office.pcapng"))
        after = c.read(self.read("translated.pcapng"))
        self.assertEqual(len(before), 39)
        self.assertEqual(len(after), 39)
        for left, right in zip(before, after):
            self.assertEqual((left.nic, right.nic),
                             ("lan", "wan") if left.nic == "lan"
                             else ("wan", "lan"))
            ip = right.data[14:34]
            self.assertEqual(c.checksum(ip), 0)
            self.assertEqual(ip[8], 63)
            if right.nic == "wan":
                self.assertEqual(ip[12:16], bytes((203, 0, 113, 1)))
            else:
                self.assertEqual(ip[16:19], bytes((10, 0, 0)))

    def test_a_capture_of_ones_own_goes_through_as_the_readme_says(self):
        with open(os.path.join(EXAMPLE, "README.md")) as readme:
            commands = re.findall(r"^    (runpipe --set (?:.*\\\n)*.*)",
                                  readme.read(), re.M)
        shutil.copy(self.path("office.pcapng"), self.path("mine.pcap"))
        self.assertEqual(len(commands), 2)
        for command in commands:
            arguments = shlex.split(command.replace("\\\n", " "))[1:]
            with self.subTest(arguments=arguments):
                self.check(self.run_pipe("--quiet", *arguments), 0)
                ends = {record.nic: record.data[26:30]
                        for record in c.read(self.read("translated.pcapng"))}
                self.assertEqual(ends["wan"], bytes((203, 0, 113, 1)))

    def expert(self, name):
        """tshark's remarks as (severity, text), without how often."""
        done = subprocess.run(
            ["tshark", "-n", "-r", self.path(name), "-q", "-z", "expert",
             "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE",
             "-o", "udp.check_checksum:TRUE"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        severity, found = None, set()
        for line in done.stdout.splitlines():
            head = re.match(r"(Errors|Warns|Notes|Chats) \(", line)
            if head:
                severity = head[1]
            elif severity in ("Errors", "Warns") and re.match(r"\s+\d+ ", line):
                found.add((severity, line.split(None, 1)[1]))
        return found

    @unittest.skipUnless(shutil.which("tshark"), "no tshark here")
    def test_an_expert_has_no_new_remark(self):
        self.assertEqual(self.expert("translated.pcapng")
                         - self.expert("office.pcapng"), set())


if __name__ == "__main__":
    main()
