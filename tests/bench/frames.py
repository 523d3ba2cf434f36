# SPDX-License-Identifier: MIT
"""The captures and routes that `captures` runs on.

W1 is frames of 64 bytes, W2 of 1,400 (without the frame check sequence):
Ethernet, IPv4, UDP, right checksums, from inside endpoints in 10/8 to 10,000
networks of /24. Each frame is of a flow chosen at random; with `every`, all
flows come once before that.

Inside endpoints are spread evenly over addresses, so that every address of a
pool gets its share.

Routes: the 10,000 networks, then prefixes at random with lengths as they are in
the default-free zone, then the default route; in runpipe's form (PREFIX NIC)
and in the peer's (PREFIX INDEX).
"""
import os
import random
import struct
import sys

NETWORKS = 10_000
NICS = 16
SEED = 20240607
SERVER_PORTS = (53, 80, 123, 443, 5003)
ETHERNET = bytes.fromhex("0200000000020200000000010800")
# Prefix lengths 8 to 28, and how often they are met.
LENGTHS = list(range(8, 29))
WEIGHTS = [1, 1, 1, 2, 3, 5, 8, 10, 40, 20, 30, 60, 80, 80, 180, 160, 560, 20,
           20, 20, 20]


def _public(chance):
    while True:
        address = chance.randrange(1 << 24, 223 << 24)
        if address >> 24 not in (10, 127):
            return address


def _networks():
    chance = random.Random(SEED)
    found = set()
    while len(found) < NETWORKS:
        found.add(_public(chance) & 0xffffff00)
    return sorted(found)


def _sum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total


def _checksum(total):
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def _words(address):
    return (address >> 16) + (address & 0xffff)


class _Frames:
    """Frames of one size: everything that does not change is summed once."""

    def __init__(self, size):
        self.ip_length = size - 14
        self.udp_length = size - 34
        self.payload = bytes((at * 7 + 3) & 0xff for at in range(size - 42))
        self.ip = struct.Struct("!BBHHHBBHII")
        self.udp = struct.Struct("!HHHH")
        self.ip_sum = 0x4500 + self.ip_length + 0x4000 + 0x4011
        self.udp_sum = 17 + 2 * self.udp_length + _sum(self.payload)

    def make(self, number, source, target, sport, dport):
        ends = _words(source) + _words(target)
        ident = number & 0xffff
        ip = self.ip.pack(0x45, 0, self.ip_length, ident, 0x4000, 64, 17,
                          _checksum(self.ip_sum + ident + ends), source,
                          target)
        udp = self.udp.pack(sport, dport, self.udp_length, _checksum(
            self.udp_sum + ends + sport + dport) or 0xffff)
        return ETHERNET + ip + udp + self.payload


def _flows(count):
    chance = random.Random(SEED + 1)
    networks = _networks()
    hosts = min(count, 50_000)
    for number in range(count):
        source = 10 << 24 | (number % hosts) + 1
        target = chance.choice(networks) | chance.randrange(1, 255)
        yield (source, target, 1024 + (number * 7 + number // hosts) % 64_000,
               chance.choice(SERVER_PORTS))


def write_capture(path, packets, size, flows, every):
    kind = _Frames(size)
    frames = [kind.make(number, *flow)
              for number, flow in enumerate(_flows(flows))]
    chance = random.Random(SEED + 2)
    record = struct.Struct("<IIII")
    first = min(flows, packets) if every else 0
    with open(path, "wb", 1 << 22) as file:
        file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        for number in range(packets):
            frame = (frames[number] if number < first else
                     frames[int(chance.random() * flows)])
            file.write(record.pack(1_700_000_000 + number // 1_000_000,
                                   number % 1_000_000, size, size) + frame)


def _dotted(address):
    return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))


def write_routes(ours, theirs, count):
    chance = random.Random(SEED + 3)
    routes = {(network, 24): chance.randrange(NICS)
              for network in _networks()[:count - 1]}
    while len(routes) < count - 1:
        length = chance.choices(LENGTHS, WEIGHTS)[0]
        address = _public(chance) & 0xffffffff << 32 - length & 0xffffffff
        if address >> 24 not in (0, 10, 127):
            routes.setdefault((address, length), chance.randrange(NICS))
    rows = list(routes.items())
    chance.shuffle(rows)
    rows.append(((0, 0), 0))
    with open(ours, "w", encoding="ascii") as file:
        file.writelines(f"{_dotted(address)}/{length} eth{nic}\n"
                        for (address, length), nic in rows)
    with open(theirs, "w", encoding="ascii") as file:
        file.writelines(f"{_dotted(address)}/{length} {nic}\n"
                        for (address, length), nic in rows)


if __name__ == "__main__":
    # A process of its own, so that what the bench weighs does not inherit the
    # generator's memory.
    if sys.argv[1] == "routes":
        write_routes(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        write_capture(sys.argv[2], *map(int, sys.argv[3:6]),
                      sys.argv[6:] == ["every"])
