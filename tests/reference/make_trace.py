#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace for the example router, as text: nic dst src dport sport protocol.

    make_trace.py LINES SEED [options] >TRACE

Packets of 600 hosts behind eth1, eth2 and eth3 to servers outside, and about
40 % return traffic on eth0 to the external address, whose destination ports
are chance: some hit a mapping. The same arguments give the same bytes with
every version of Python: chance is SplitMix64, written out below.
"""
import argparse
import sys

PROTOCOLS = ["ftp", "rtp", "sip", "http", "rtp", "http"]
MASK = (1 << 64) - 1


class Chance:
    """SplitMix64 (Steele, Lea, Flood, 2014)."""

    def __init__(self, seed):
        self.state = seed & MASK

    def bits(self):
        self.state = (self.state + 0x9e3779b97f4a7c15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & MASK
        z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        return (self.bits() >> 32) * bound >> 32

    def between(self, first, last):
        return first + self.below(last - first + 1)

    def choice(self, sequence):
        return sequence[self.below(len(sequence))]


def hosts(chance, count):
    """(interface, address) of inside hosts; last octets have two digits at
    least, as the router's trace writes them."""
    return [(f"eth{1 + at % 3}",
             f"10.{231 + at % 3}.{30 + at // 750}.{chance.between(1, 254):02d}")
            for at in range(count)]


def server(chance):
    """An address outside: the first octet is none of 10, 172 and 192."""
    return ".".join(str(octet) for octet in (
        chance.between(20, 169), chance.between(1, 254),
        chance.between(1, 254), chance.between(1, 254)))


def lines(options):
    chance = Chance(options.seed)
    inside = hosts(chance, options.hosts)
    servers = [server(chance) for _ in range(200)]
    first, _, last = options.return_ports.partition("-")
    for _ in range(options.lines):
        outside = chance.choice(servers)
        outside_port = chance.between(1000, 9999)
        protocol = chance.choice(PROTOCOLS)
        if chance.below(1000) < options.return_share * 10:
            port = chance.between(int(first), int(last))
            yield (f"{options.external_nic} {options.external} {outside} "
                   f"{port} {outside_port} {protocol}\n")
        else:
            flow = chance.below(options.flows)
            nic, host = inside[flow % len(inside)]
            port = 2000 + flow // len(inside)
            yield f"{nic} {outside} {host} {outside_port} {port} {protocol}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lines", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--external", default="134.77.77.30",
                        metavar="ADDRESS")
    parser.add_argument("--external-nic", default="eth0", metavar="NIC")
    parser.add_argument("--hosts", type=int, default=600)
    parser.add_argument("--flows", type=int, default=30000,
                        help="inside endpoints, dealt out to the hosts; ports "
                        "from 2000 on")
    parser.add_argument("--return-share", type=int, default=40,
                        metavar="PERCENT")
    parser.add_argument("--return-ports", default="1024-40000",
                        metavar="FIRST-LAST")
    sys.stdout.writelines(lines(parser.parse_args()))


if __name__ == "__main__":
    main()
