# SPDX-License-Identifier: MIT
"""The same datagrams through the Linux kernel's masquerade and through runpipe:
what comes out is equal, for TCP, UDP, ICMP, its errors, and fragments.

Taken out of the comparison: hardware addresses, the order of what comes out
(the kernel puts fragments together and takes them apart again), and ports where
two inside hosts want the same one, since the kernel may use a port twice for
different servers and we do not.
"""
import os
import random
import struct
import unittest

import captures as c
import network
from harness import RunpipeTest, main

HOSTS = [f"10.0.{at // 200}.{2 + at % 200}" for at in range(12)]
SERVERS = [f"198.51.100.{at}" for at in range(1, 9)]
LAST = b"the last of all"
CROWD = b"a port that two want"
CONFIG = f"""
source = {{ plugin = "pcap"; path = "in.pcapng"; }};
stages = (
  {{ plugin = "nat"; external_nic = "outside";
     external_address = "{network.EXTERNAL}"; }},
  {{ plugin = "route"; routes = ( "10.0.0.0/8 inside",
                                  "0.0.0.0/0 outside" ); }}
);
sink = {{ plugin = "pcap"; path = "out.pcapng"; }};
"""


class Traffic:
    """Sessions, each a list of (link, datagram) in order."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.port = 2000
        self.sessions = []

    def ends(self):
        self.port += 1
        return (self.chance.choice(HOSTS), self.chance.choice(SERVERS),
                self.port, self.chance.choice((53, 80, 443, 5060)))

    def data(self, most=60):
        return self.chance.randbytes(self.chance.randrange(most))

    def out(self, payload, host, server, **how):
        return ("inside", c.ipv4(payload, host, server,
                                 ident=self.chance.randrange(65536),
                                 dscp=self.chance.choice((0, 10, 46)), **how))

    def back(self, payload, server, **how):
        return ("outside", c.ipv4(payload, server, network.EXTERNAL,
                                  ident=self.chance.randrange(65536), **how))

    def udp(self):
        host, server, port, service = self.ends()
        check = self.chance.choice((None, None, 0))
        session = []
        for _ in range(self.chance.randrange(1, 5)):
            session.append(self.out(c.udp(self.data(), port, service,
                                          check=check), host, server,
                                    options=self.chance.choice(
                                        (b"", b"\1\1\1\1"))))
            session.append(self.back(c.udp(self.data(), service, port),
                                     server))
        return session

    def tcp(self):
        host, server, port, service = self.ends()
        ours, theirs = (self.chance.randrange(1 << 31) for _ in range(2))
        mss = b"\2\4\5\xb4"

        def out(flags, data=b"", options=b""):
            nonlocal ours
            made = self.out(c.tcp(data, port, service, ours, theirs, flags,
                                  options=options), host, server)
            ours += len(data) + bool(flags & (c.SYN | c.FIN))
            return made

        def back(flags, data=b"", options=b""):
            nonlocal theirs
            made = self.back(c.tcp(data, service, port, theirs, ours, flags,
                                   options=options), server)
            theirs += len(data) + bool(flags & (c.SYN | c.FIN))
            return made
        kept, theirs = theirs, 0
        session = [out(c.SYN, options=mss)]
        theirs = kept
        session += [back(c.SYN | c.ACK, options=mss), out(c.ACK)]
        for _ in range(self.chance.randrange(4)):
            session += [out(c.ACK | c.PSH, self.data(200)),
                        back(c.ACK | c.PSH, self.data(200))]
        session += self.chance.choice((
            lambda: [out(c.FIN | c.ACK), back(c.FIN | c.ACK), out(c.ACK)],
            lambda: [back(c.FIN | c.ACK), out(c.FIN | c.ACK), back(c.ACK)],
            lambda: [out(c.RST | c.ACK)]))()
        return session

    def ping(self):
        host, server, port, _ = self.ends()
        session = []
        for number in range(self.chance.randrange(1, 4)):
            rest, data = struct.pack("!HH", port, number), self.data()
            session += [self.out(c.icmp(8, 0, rest, data), host, server),
                        self.back(c.icmp(0, 0, rest, data), server)]
        return session

    def refused(self):
        """An error from outside about a datagram that went out."""
        host, server, port, service = self.ends()
        kind = self.chance.randrange(3)
        payload = (c.udp(self.data(), port, service),
                   c.tcp(self.data(), port, service, flags=c.SYN),
                   c.icmp(8, 0, struct.pack("!HH", port, 1), self.data()))[kind]
        ident = self.chance.randrange(65536)
        gone = c.ipv4(payload, host, server, ident=ident)
        seen = c.ipv4(payload, network.EXTERNAL, server, ident=ident, ttl=63)
        return [("inside", gone),
                self.back(c.icmp_error(
                    seen[:self.chance.choice((28, len(seen)))],
                    *self.chance.choice(((3, 1), (3, 3), (11, 0)))),
                    self.chance.choice((server, "192.0.2.77")))]

    def refusing(self):
        """An error from inside about a datagram that came in."""
        host, server, port, service = self.ends()
        seen = c.ipv4(c.udp(self.data(), service, port), server, host, ttl=62,
                      ident=self.chance.randrange(65536))
        gone = c.ipv4(c.udp(seen[28:], service, port), server,
                      network.EXTERNAL, ident=struct.unpack_from(
                          "!H", seen, 4)[0])
        return [self.out(c.udp(self.data(), port, service), host, server),
                ("outside", gone),
                self.out(c.icmp_error(seen, 3, 3), host, server)]

    def fragmented(self):
        host, server, port, service = self.ends()
        out = c.ipv4(c.udp(self.chance.randbytes(
            self.chance.randrange(100, 3000)), port, service), host, server,
            ident=self.port)
        back = c.ipv4(c.udp(self.chance.randbytes(
            self.chance.randrange(100, 3000)), service, port), server,
            network.EXTERNAL, ident=self.port)
        size = 8 * self.chance.randrange(3, 100)
        parts = [c.fragments(each, size) for each in (out, back)]
        for each in parts:
            if self.chance.random() < 0.6:
                self.chance.shuffle(each)
        return ([("inside", part) for part in parts[0]]
                + [("outside", part) for part in parts[1]])

    def crowded(self):
        """Two hosts that want one port; the answers' port is not known."""
        self.port += 1
        one, other = self.chance.sample(HOSTS, 2)
        return [self.out(c.udp(CROWD + self.data(), self.port, 53), host,
                         self.chance.choice(SERVERS))
                for host in (one, other)]

    def make(self, sessions):
        kinds = (self.udp, self.tcp, self.ping, self.refused, self.refusing,
                 self.fragmented, self.crowded)
        waiting = [kinds[at % len(kinds)]() for at in range(sessions)]
        steps = []
        while waiting:
            # A few sessions at a time, so that none gets old.
            session = waiting[self.chance.randrange(min(20, len(waiting)))]
            steps.append(session.pop(0))
            if not session:
                waiting.remove(session)
        return steps


def plain(datagram):
    """A datagram without what may differ."""
    data = bytearray(datagram)
    if data[28:28 + len(CROWD)] == CROWD:
        struct.pack_into("!H", data, 20, 0)
        struct.pack_into("!H", data, 26, 0)
    return bytes(data)


class KernelTest(RunpipeTest):

    def setUp(self):
        super().setUp()
        why = network.why_not()
        if why and os.geteuid() == 0 and "namespaces" not in why:
            self.fail(why)
        if why:
            self.skipTest(why)

    def through_kernel(self, steps):
        router = network.Router()
        try:
            for host in HOSTS:
                router.knows(host)
            for link, datagram in steps:
                router.send(link, datagram)
            router.until("inside", c.ipv4(c.udp(LAST, 1999, 9), HOSTS[0],
                                          SERVERS[0]),
                         lambda datagram: datagram.endswith(LAST))
            return router.taken
        finally:
            router.close()

    def through_runpipe(self, steps):
        nics = ["inside", "outside"]
        self.write("in.pcapng", c.section()
                   + b"".join(c.interface(nic, resolution=9) for nic in nics)
                   + b"".join(c.packet(c.ether(datagram), at * 1_000_000,
                                       nics.index(link))
                              for at, (link, datagram) in enumerate(steps)))
        self.write("router.conf", CONFIG)
        self.check(self.run_pipe("--quiet", "router.conf"), 0)
        taken = {nic: [] for nic in nics}
        for record in c.read(self.read("out.pcapng")):
            taken[record.nic].append(record.data[14:])
        return taken

    def test_what_comes_out_is_what_the_kernel_makes_of_it(self):
        for seed in range(3):
            steps = Traffic(seed).make(210)
            kernel = self.through_kernel(steps)
            kernel["outside"] = [datagram for datagram in kernel["outside"]
                                 if not datagram.endswith(LAST)]
            ours = self.through_runpipe(steps)
            for link in ("inside", "outside"):
                with self.subTest(seed=seed, link=link):
                    self.assertGreater(len(ours[link]), 200)
                    self.assertEqual(
                        *(sorted(plain(datagram).hex()
                                 for datagram in each[link])
                          for each in (ours, kernel)))


if __name__ == "__main__":
    main()
