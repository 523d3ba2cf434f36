#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The router emulator once more, slow and plain: what runpipe must answer.

    router.py [options] TRACE >OUTPUT

It shares no code with Sluice and is written from the description alone: each
chunk of a text trace passes prioritize, nat and route. A stage takes part only
if one of its options is given. Output lines are `nic dst src dport sport
protocol` with nic the outgoing interface; counts of drops go to stderr as
`nat.no_mapping N`, or to --counts FILE as JSON.
"""
import argparse
import decimal
import ipaddress
import json
import sys

UDP_WORDS = {"udp", "sip", "rtp", "rtcp", "dns", "dhcp", "ntp", "snmp", "tftp",
             "syslog", "quic"}
TCP_WORDS = {"tcp", "http", "https", "ftp", "ssh", "smtp", "telnet", "imap",
             "pop3", "rtsp"}
UDP, TCP, ICMP, UNKNOWN = 17, 6, 1, 0


def transport_of(word):
    if word in UDP_WORDS:
        return UDP
    if word in TCP_WORDS:
        return TCP
    return ICMP if word == "icmp" else UNKNOWN


def address(text):
    """An IPv4 address as a number; octets are decimal, zeros may lead."""
    octets = [int(octet, 10) for octet in text.split(".")]
    assert len(octets) == 4 and all(0 <= octet <= 255 for octet in octets), text
    number = 0
    for octet in octets:
        number = number * 256 + octet
    return number


def nanoseconds(seconds):
    return int(decimal.Decimal(seconds) * 1_000_000_000)


class Packet:
    def __init__(self, line, time):
        nic, dst, src, dport, sport, self.protocol = line.split()
        self.nic = nic
        self.dst, self.src = address(dst), address(src)
        self.dport, self.sport = int(dport), int(sport)
        self.transport = transport_of(self.protocol)
        self.time = time

    def __str__(self):
        return (f"{self.nic} {ipaddress.IPv4Address(self.dst)} "
                f"{ipaddress.IPv4Address(self.src)} {self.dport} {self.sport} "
                f"{self.protocol}")


class Prioritize:
    """Sort by the index of the first class with a match; the rest is last."""

    def __init__(self, classes):
        self.classes = [words.split() for words in classes]

    def matches(self, packet, word):
        kind, slash, number = word.partition("/")
        if not slash:
            return packet.protocol == word
        if kind == "dscp":
            return False  # a text trace has none
        return (packet.transport == {"udp": UDP, "tcp": TCP}[kind]
                and int(number) in (packet.sport, packet.dport))

    def priority(self, packet):
        for index, words in enumerate(self.classes):
            if any(self.matches(packet, word) for word in words):
                return index
        return len(self.classes)

    def sort(self, chunk):
        return sorted(chunk, key=self.priority)  # sorted() is stable


class Mapping:
    def __init__(self, inside, port, used):
        self.inside, self.port, self.used = inside, port, used


class Nat:
    def __init__(self, options):
        self.nic = options.external_nic
        self.address = address(options.external_address)
        first, _, last = options.ports.partition("-")
        self.first, self.last = int(first), int(last)
        self.inside = [ipaddress.IPv4Network(text) for text in options.inside]
        self.timeout = nanoseconds(options.timeout)
        # Uses are known to the end of a span of so many ns: 2^k, at most a
        # 1024th of the timeout, at most 2^28.
        self.span = 1
        while self.span * 2 <= min(self.timeout / 1024, 2 ** 28):
            self.span *= 2
        self.now = 0
        self.cursor = {}      # transport -> port
        self.by_inside = {}   # (transport, address, port) -> Mapping
        self.by_port = {}     # (transport, external port) -> Mapping
        self.forwards = {}    # (transport, external port) -> (address, port)
        self.drops = {"no_mapping": 0, "out_of_ports": 0}
        for text in options.forward:
            word, port, endpoint = text.split()
            host, _, inside_port = endpoint.partition(":")
            transport = {"udp": UDP, "tcp": TCP}[word]
            self.forwards[transport, int(port)] = (address(host),
                                                   int(inside_port))

    def live(self, mapping):
        """The mapping, unless it is gone."""
        if mapping and self.now - mapping.used < self.timeout:
            return mapping
        return None

    def use(self, mapping):
        """Again, after that which made it."""
        mapping.used = ((self.now + 1) // self.span + 1) * self.span - 2

    def free(self, transport, port):
        return (self.first <= port <= self.last
                and (transport, port) not in self.forwards
                and not self.live(self.by_port.get((transport, port))))

    def choose(self, transport, own):
        if self.free(transport, own):
            return own
        port = self.cursor.get(transport, self.first)
        for _ in range(self.first, self.last + 1):
            after = port + 1 if port < self.last else self.first
            if self.free(transport, port):
                self.cursor[transport] = after
                return port
            port = after
        return None

    def outbound(self, packet):
        inside = packet.src, packet.sport
        for (transport, port), target in self.forwards.items():
            if (transport, target) == (packet.transport, inside):
                packet.src, packet.sport = self.address, port
                return packet
        mapping = self.live(self.by_inside.get((packet.transport, *inside)))
        if mapping:
            self.use(mapping)
        else:
            port = self.choose(packet.transport, packet.sport)
            if port is None:
                self.drops["out_of_ports"] += 1
                return None
            mapping = Mapping(inside, port, self.now)
            self.by_inside[packet.transport, packet.src,
                           packet.sport] = mapping
            self.by_port[packet.transport, port] = mapping
        packet.src, packet.sport = self.address, mapping.port
        return packet

    def inbound(self, packet):
        key = packet.transport, packet.dport
        if key in self.forwards:
            packet.dst, packet.dport = self.forwards[key]
            return packet
        mapping = self.live(self.by_port.get(key))
        if not mapping:
            self.drops["no_mapping"] += 1
            return None
        self.use(mapping)
        packet.dst, packet.dport = mapping.inside
        return packet

    def hairpin(self, packet):
        """From inside to an external port that leads inside: both endpoints
        are translated, and nothing is allotted if it leads nowhere."""
        key = packet.transport, packet.dport
        if key not in self.forwards and not self.live(self.by_port.get(key)):
            self.drops["no_mapping"] += 1
            return None
        return self.outbound(packet) and self.inbound(packet)

    def translate(self, packet):
        """The packet, rewritten or as it was, or None if it is dropped."""
        self.now = max(self.now, packet.time)
        if packet.nic == self.nic:
            return self.inbound(packet) if packet.dst == self.address \
                else packet
        if packet.dst == self.address:
            return self.hairpin(packet)
        if any(ipaddress.IPv4Address(packet.dst) in network
               for network in self.inside):
            return packet
        return self.outbound(packet)


class Route:
    def __init__(self, routes):
        self.routes = []
        for text in routes:
            prefix, nic = text.split()
            self.routes.append((ipaddress.IPv4Network(prefix), nic))
        # A trace has neither TTLs nor headers.
        self.drops = {"no_route": 0, "ttl_expired": 0, "malformed": 0}

    def route(self, packet):
        fitting = [(network.prefixlen, nic) for network, nic in self.routes
                   if ipaddress.IPv4Address(packet.dst) in network]
        if not fitting:
            self.drops["no_route"] += 1
            return None
        packet.nic = max(fitting)[1]
        return packet


def chunks(trace, size, interval):
    """Lists of the packets of `size` lines each; blank lines count."""
    chunk = []
    for index, line in enumerate(trace):
        if index % size == 0 and index > 0:
            yield chunk
            chunk = []
        if line.strip():
            chunk.append(Packet(line, index * interval))
    yield chunk


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", help="a text trace; - is stdin")
    parser.add_argument("--chunk", type=int, default=1600, metavar="LINES")
    parser.add_argument("--packet-interval", default="0", metavar="SECONDS")
    parser.add_argument("--class", dest="classes", action="append", default=[],
                        metavar="WORDS", help="one class; repeat")
    parser.add_argument("--external-nic")
    parser.add_argument("--external-address")
    parser.add_argument("--ports", default="1024-65535")
    parser.add_argument("--inside", action="append", metavar="PREFIX")
    parser.add_argument("--timeout", default="300", metavar="SECONDS")
    parser.add_argument("--forward", action="append", default=[],
                        metavar="'udp PORT ADDRESS:PORT'")
    parser.add_argument("--route", action="append", default=[],
                        metavar="'PREFIX NIC'")
    parser.add_argument("--counts", metavar="FILE")
    options = parser.parse_args(arguments)
    if options.inside is None:
        options.inside = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]
    return options


def main(arguments):
    options = parse(arguments)
    prioritize = Prioritize(options.classes)
    nat = Nat(options) if options.external_nic else None
    route = Route(options.route) if options.route else None
    trace = sys.stdin if options.trace == "-" else open(options.trace)
    with trace:
        for chunk in chunks(trace, options.chunk,
                            nanoseconds(options.packet_interval)):
            for packet in prioritize.sort(chunk):
                if nat and not nat.translate(packet):
                    continue
                if route and not route.route(packet):
                    continue
                print(packet)
    counts = {}
    if nat:
        counts["nat"] = nat.drops
    if route:
        counts["route"] = route.drops
    if options.counts:
        with open(options.counts, "w") as file:
            json.dump(counts, file)
    else:
        for stage, drops in counts.items():
            for reason, count in drops.items():
                print(f"{stage}.{reason} {count}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
