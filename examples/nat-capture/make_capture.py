#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_capture.py FILE: an office behind a router, as pcapng with an interface
for each side. Three hosts ask for names, fetch a page each from one server, and
ping it; two of them use the same source port. The answers are addressed to the
router's external address, as they come in from the Internet.
"""
import struct
import sys

EXTERNAL = "203.0.113.1"
NAMES, WEB = "198.51.100.53", "198.51.100.80"
LAN, WAN = 0, 1
SYN, PSH, ACK, FIN = 2, 8, 16, 1


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def address(text):
    return bytes(map(int, text.split(".")))


class Capture:
    def __init__(self):
        self.blocks = [self.block(0x0a0d0d0a, struct.pack(
            "<IHHq", 0x1a2b3c4d, 1, 0, -1))]
        for name in ("lan", "wan"):
            self.blocks.append(self.block(1, struct.pack("<HHI", 1, 0, 0) + (
                struct.pack("<HH", 2, 3) + name.encode() + b"\0"
                + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0))))
        self.time_ns = 1_700_000_000_000_000_000
        self.number = 0

    @staticmethod
    def block(kind, body):
        body += bytes(-len(body) % 4)
        size = struct.pack("<I", 12 + len(body))
        return struct.pack("<I", kind) + size + body + size

    def put(self, nic, source, target, protocol, segment, at):
        """`at`: where the segment's checksum belongs."""
        self.number += 1
        self.time_ns += 1_500_000
        ends = address(source) + address(target)
        pseudo = b"" if protocol == 1 else ends + struct.pack(
            "!HH", protocol, len(segment))
        segment = (segment[:at] + struct.pack("!H", checksum(pseudo + segment))
                   + segment[at + 2:])

        def header(value):
            return struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(segment),
                               self.number, 0x4000, 64, protocol, value) + ends
        frame = (b"\2\0\0\0\0\1" + b"\2\0\0\0\0\2" + b"\x08\0"
                 + header(checksum(header(0))) + segment)
        self.blocks.append(self.block(6, struct.pack(
            "<IIIII", nic, self.time_ns >> 32, self.time_ns & 0xffffffff,
            len(frame), len(frame)) + frame))

    def udp(self, nic, source, sport, target, dport, data):
        self.put(nic, source, target, 17, struct.pack(
            "!HHHH", sport, dport, 8 + len(data), 0) + data, 6)

    def tcp(self, nic, source, sport, target, dport, seq, ack, flags, data=b""):
        self.put(nic, source, target, 6, struct.pack(
            "!HHIIBBHHH", sport, dport, seq, ack, 0x50, flags, 64240, 0, 0)
            + data, 16)

    def ping(self, nic, source, target, kind, ident):
        self.put(nic, source, target, 1, struct.pack(
            "!BBHHH", kind, 0, 0, ident, 1) + b"sluice" * 4, 2)


def name_query(ident, answer):
    name = b"\3www\7example\3com\0" + struct.pack("!HH", 1, 1)
    head = struct.pack("!HHHHHH", ident, 0x8180 if answer else 0x0100, 1,
                       int(answer), 0, 0)
    tail = struct.pack("!HHHIH", 0xc00c, 1, 1, 300, 4) + address(WEB)
    return head + name + (tail if answer else b"")


def page(capture, host, port, outside_port):
    request = b"GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
    body = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello\n"
    ours, theirs = 1000, 9000

    def out(flags, data=b""):
        capture.tcp(LAN, host, port, WEB, 80, ours,
                    theirs if flags & ACK else 0, flags, data)

    def back(flags, data=b""):
        capture.tcp(WAN, WEB, 80, EXTERNAL, outside_port, theirs, ours, flags,
                    data)
    out(SYN)
    ours += 1
    back(SYN | ACK)
    theirs += 1
    out(ACK)
    out(PSH | ACK, request)
    ours += len(request)
    back(PSH | ACK, body)
    theirs += len(body)
    out(ACK)
    out(FIN | ACK)
    ours += 1
    back(FIN | ACK)
    theirs += 1
    out(ACK)


def main():
    capture = Capture()
    # Where two hosts use one port, the second gets the first free one.
    for host, port, outside in (("10.0.0.2", 40001, 40001),
                                ("10.0.0.3", 40002, 40002),
                                ("10.0.0.4", 40002, FIRST_FREE)):
        ident = int(host[-1])
        capture.udp(LAN, host, 50000 + ident, NAMES, 53,
                    name_query(ident, False))
        capture.udp(WAN, NAMES, 53, EXTERNAL, 50000 + ident,
                    name_query(ident, True))
        page(capture, host, port, outside)
        capture.ping(LAN, host, WEB, 8, 7000 + ident)
        capture.ping(WAN, WEB, EXTERNAL, 0, 7000 + ident)
    with open(sys.argv[1], "wb") as file:
        file.write(b"".join(capture.blocks))


FIRST_FREE = 1024  # of nat's default range, of the same parity

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
