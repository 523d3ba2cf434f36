# SPDX-License-Identifier: MIT
"""Captures for tests: frames with right checksums, and files of them.

A layer is a function that takes its payload and gives bytes:

    ether(ipv4(udp(b"hello", 1024, 53), "10.0.0.2", "198.51.100.7"))

ipv4() and ipv6() fill in the checksum of a payload that tcp(), udp() or icmp()
made, which depends on the addresses. Whatever a header says can be given by
name, right or wrong: ipv4(..., ihl=4, total=20, checksum=0).

Files: pcap() and read_pcap(); for pcapng the blocks section(), interface(),
packet(), simple(), obsolete() and block(), which are joined by `+`; and
read_pcapng(). read() takes either.
"""
import ipaddress
import struct

ETHERNET, NULL, RAW, LOOP, LINUX_SLL = 1, 0, 101, 108, 113
IPV4, IPV6, LINUX_SLL2 = 228, 229, 276
ICMP, TCP, UDP, ICMPV6 = 1, 6, 17, 58
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16

SOURCE_MAC = bytes.fromhex("020000000001")
DESTINATION_MAC = bytes.fromhex("020000000002")


def checksum(data):
    """RFC 1071's, of data in which the field itself is zero."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


# ---- transports -----------------------------------------------------------

class Transport(bytes):
    """A transport's header and payload, whose checksum is still to be filled
    in at `at`; `number` is its protocol's."""

    def __new__(cls, data, number, at, pseudo=True):
        self = super().__new__(cls, data)
        self.number, self.at, self.pseudo = number, at, pseudo
        return self

    def sealed(self, pseudo_header):
        """With its checksum; UDP's zero is sent as ffff (RFC 768)."""
        covered = (pseudo_header if self.pseudo else b"") + self
        value = checksum(covered)
        if not value and self.number == UDP:
            value = 0xffff
        return self[:self.at] + struct.pack("!H", value) + self[self.at + 2:]


def tcp(payload=b"", sport=1024, dport=80, seq=1, ack=0, flags=ACK,
        window=65535, offset=None, options=b"", check=None):
    """`check` is a checksum of one's own."""
    options += bytes(-len(options) % 4)
    if offset is None:
        offset = 5 + len(options) // 4
    data = struct.pack("!HHIIBBHHH", sport, dport, seq, ack, offset << 4,
                       flags, window, check or 0, 0) + options + payload
    return Transport(data, TCP, 16) if check is None else data


def udp(payload=b"", sport=1024, dport=53, length=None, check=None):
    """check=0: without one."""
    if length is None:
        length = 8 + len(payload)
    data = struct.pack("!HHHH", sport, dport, length & 0xffff,
                       check or 0) + payload
    return Transport(data, UDP, 6) if check is None else data


def icmp(kind=8, code=0, rest=b"\x12\x34\0\1", payload=b"", check=None):
    """`rest` are the header's last four bytes: identifier and number of a
    query."""
    data = struct.pack("!BBH", kind, code, check or 0) + rest + payload
    return Transport(data, ICMP, 2, False) if check is None else data


def icmp_error(quoted, kind=3, code=1, rest=bytes(4), check=None):
    """An ICMP message about the datagram `quoted`, from its IP header on."""
    return icmp(kind, code, rest, quoted, check)


def icmpv6(kind=128, code=0, rest=b"\x12\x34\0\1", payload=b"", check=None):
    data = struct.pack("!BBH", kind, code, check or 0) + rest + payload
    return Transport(data, ICMPV6, 2) if check is None else data


# ---- IP -------------------------------------------------------------------

def ipv4(payload=b"", src="10.0.0.2", dst="198.51.100.7", proto=None, ttl=64,
         dscp=0, ecn=0, ident=1, flags=0, offset=0, options=b"", ihl=None,
         total=None, version=4, check=None):
    """`flags` has DF (2) and MF (1), `offset` counts eight bytes; a part of a
    datagram is given as plain bytes, see fragments()."""
    source = ipaddress.IPv4Address(src).packed
    destination = ipaddress.IPv4Address(dst).packed
    if isinstance(payload, Transport):
        proto = payload.number if proto is None else proto
        payload = payload.sealed(
            source + destination
            + struct.pack("!BBH", 0, payload.number, len(payload) & 0xffff))
    options += bytes(-len(options) % 4)
    if ihl is None:
        ihl = 5 + len(options) // 4
    if total is None:
        total = 20 + len(options) + len(payload)

    def header(value):
        return struct.pack(
            "!BBHHHBBH", version << 4 | ihl, dscp << 2 | ecn, total & 0xffff,
            ident, flags << 13 | offset, ttl, UDP if proto is None else proto,
            value) + source + destination + options
    return header(checksum(header(0)) if check is None else check) + payload


def fragments(datagram, size, ident=None):
    """An IPv4 datagram in parts with `size` bytes of payload each, a multiple
    of 8."""
    header = (datagram[0] & 15) * 4
    payload = datagram[header:]
    parts = []
    for at in range(0, len(payload), size):
        part = payload[at:at + size]
        more = 1 if at + size < len(payload) else 0
        head = bytearray(datagram[:header])
        struct.pack_into("!H", head, 2, header + len(part))
        if ident is not None:
            struct.pack_into("!H", head, 4, ident)
        struct.pack_into("!HBBH", head, 6, more << 13 | at // 8, head[8],
                         head[9], 0)
        struct.pack_into("!H", head, 10, checksum(bytes(head)))
        parts.append(bytes(head) + part)
    return parts


def ipv6(payload=b"", src="2001:db8::2", dst="2001:db8:1::7", next_header=None,
         extensions=(), hop_limit=64, dscp=0, ecn=0, flow=0, length=None,
         version=6):
    """`extensions`: what extension() and fragment_header() give, in order."""
    source = ipaddress.IPv6Address(src).packed
    destination = ipaddress.IPv6Address(dst).packed
    if isinstance(payload, Transport):
        next_header = payload.number if next_header is None else next_header
        payload = payload.sealed(
            source + destination
            + struct.pack("!IHBB", len(payload), 0, 0, payload.number))
    following = UDP if next_header is None else next_header
    for kind, data in reversed(extensions):
        payload = bytes([following]) + data[1:] + payload
        following = kind
    if length is None:
        length = len(payload)
    return struct.pack("!IHBB", version << 28 | dscp << 22 | ecn << 20 | flow,
                       length & 0xffff, following,
                       hop_limit) + source + destination + payload


def extension(kind=0, size=8, length=None):
    """Hop-by-hop (0), routing (43) or destination options (60) of `size`
    bytes, padded; `length` is what it says of itself."""
    if length is None:
        length = size // 8 - 1
    return kind, bytes([0, length]) + bytes(size - 2)


def fragment_header(offset=0, more=0, ident=1):
    """IPv6's, number 44; `offset` counts eight bytes."""
    return 44, struct.pack("!BBHI", 0, 0, offset << 3 | more, ident)


# ---- links ----------------------------------------------------------------

def ether_type(payload):
    return 0x86dd if payload[:1] and payload[0] >> 4 == 6 else 0x0800


def ether(payload, kind=None, src=SOURCE_MAC, dst=DESTINATION_MAC, tags=()):
    """`tags`: (0x8100, 5) is VLAN 5; the outermost first."""
    kind = ether_type(payload) if kind is None else kind
    middle = b"".join(struct.pack("!HH", tag, value) for tag, value in tags)
    return dst + src + middle + struct.pack("!H", kind) + payload


def cooked(payload, kind=None):
    """Linux's "any" device, LINKTYPE_LINUX_SLL."""
    kind = ether_type(payload) if kind is None else kind
    return struct.pack("!HHH8sH", 0, 1, 6, SOURCE_MAC + b"\0\0", kind) + payload


def cooked2(payload, kind=None):
    """LINKTYPE_LINUX_SLL2."""
    kind = ether_type(payload) if kind is None else kind
    return struct.pack("!HHIHBB8s", kind, 0, 2, 1, 0, 6,
                       SOURCE_MAC + b"\0\0") + payload


def loopback(payload, family=None, order="<"):
    """LINKTYPE_NULL; with order=">" LINKTYPE_LOOP."""
    if family is None:
        family = 30 if ether_type(payload) == 0x86dd else 2
    return struct.pack(order + "I", family) + payload


# ---- pcap -----------------------------------------------------------------

class Record:
    """A packet of a capture: its time in ns, bytes, length on the wire, link
    type, and the interface's name (pcapng) or None."""

    def __init__(self, data, time_ns=0, original=None, link=ETHERNET, nic=None):
        self.data, self.time_ns, self.link, self.nic = data, time_ns, link, nic
        self.original = len(data) if original is None else original

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __repr__(self):
        return (f"Record({self.data.hex()}, {self.time_ns}, {self.original}, "
                f"{self.link}, {self.nic!r})")


def records(frames, start_ns=1_700_000_000_000_000_000, step_ns=1_000_000):
    """Frames, or records that are as they should be, in steps of a ms."""
    return [frame if isinstance(frame, Record)
            else Record(frame, start_ns + at * step_ns)
            for at, frame in enumerate(frames)]


def pcap(frames=(), link=ETHERNET, order="<", nano=False, snaplen=262144,
         version=(2, 4)):
    """A capture file of frames or Records."""
    unit = 1 if nano else 1000
    parts = [struct.pack(order + "IHHiIII", 0xa1b23c4d if nano else 0xa1b2c3d4,
                         *version, 0, 0, snaplen, link)]
    for record in records(frames):
        seconds, ns = divmod(record.time_ns, 1_000_000_000)
        parts.append(struct.pack(order + "IIII", seconds, ns // unit,
                                 len(record.data), record.original))
        parts.append(record.data)
    return b"".join(parts)


def read_pcap(data):
    magic = data[:4]
    order = "<" if magic in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    number, = struct.unpack_from(order + "I", data)
    unit = {0xa1b2c3d4: 1000, 0xa1b23c4d: 1}[number]
    link, = struct.unpack_from(order + "I", data, 20)
    found, at = [], 24
    while at < len(data):
        seconds, fraction, captured, original = struct.unpack_from(
            order + "IIII", data, at)
        at += 16
        if at + captured > len(data):
            raise ValueError(f"a record of {captured} bytes at {at - 16}")
        found.append(Record(data[at:at + captured],
                            seconds * 1_000_000_000 + fraction * unit,
                            original, link & 0xffff))
        at += captured
    return found


# ---- pcapng ---------------------------------------------------------------

def padded(data):
    return data + bytes(-len(data) % 4)


def option(code, value, order="<"):
    return struct.pack(order + "HH", code, len(value)) + padded(value)


def block(kind, body, order="<", length=None, trailer=None):
    """Any block; `length` and `trailer` are what it says of itself."""
    body = padded(body)
    if length is None:
        length = 12 + len(body)
    return struct.pack(order + "II", kind, length) + body + struct.pack(
        order + "I", length if trailer is None else trailer)


def section(order="<", options=b"", length=-1, version=(1, 0)):
    return block(0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, *version,
                                         length) + options, order)


def interface(name=None, link=ETHERNET, resolution=None, offset=None, order="<",
              snaplen=0, options=b""):
    """`resolution`: if_tsresol's byte; `offset`: if_tsoffset, in s."""
    if name is not None:
        name = name.encode() if isinstance(name, str) else name
        options += option(2, name, order)
    if resolution is not None:
        options += option(9, bytes([resolution]), order)
    if offset is not None:
        options += option(14, struct.pack(order + "q", offset), order)
    if options:
        options += option(0, b"", order)
    return block(1, struct.pack(order + "HHI", link, 0, snaplen) + options,
                 order)


def packet(data, ticks=0, nic=0, original=None, order="<", options=b"",
           captured=None):
    """An enhanced packet block; `ticks` in the interface's resolution."""
    original = len(data) if original is None else original
    captured = len(data) if captured is None else captured
    return block(6, struct.pack(order + "IIIII", nic, ticks >> 32,
                                ticks & 0xffffffff, captured, original)
                 + padded(data) + options, order)


def simple(data, original=None, order="<"):
    original = len(data) if original is None else original
    return block(3, struct.pack(order + "I", original) + data, order)


def obsolete(data, ticks=0, nic=0, drops=0, original=None, order="<"):
    """The packet block that the enhanced one replaced."""
    original = len(data) if original is None else original
    return block(2, struct.pack(order + "HHIIII", nic, drops, ticks >> 32,
                                ticks & 0xffffffff, len(data), original)
                 + padded(data), order)


def pcapng(frames=(), name="eth0", link=ETHERNET, order="<"):
    """One section, one interface with a resolution of ns."""
    return section(order) + interface(name, link, 9, order=order) + b"".join(
        packet(record.data, record.time_ns, original=record.original,
               order=order) for record in records(frames))


def read_options(data, order):
    found, at = {}, 0
    while at + 4 <= len(data):
        code, length = struct.unpack_from(order + "HH", data, at)
        if not code:
            break
        found.setdefault(code, data[at + 4:at + 4 + length])
        at += 4 + length + -length % 4
    return found


def ticks_to_ns(ticks, resolution, offset):
    scale = (1 << (resolution & 127) if resolution & 128
             else 10 ** (resolution & 127))
    return offset * 1_000_000_000 + ticks * 1_000_000_000 // scale


def read_interface(body, order):
    link, _, snaplen = struct.unpack_from(order + "HHI", body)
    options = read_options(body[8:], order)
    offset = options.get(14)
    return (link, options[2].rstrip(b"\0").decode() if 2 in options else None,
            options.get(9, b"\6")[0],
            struct.unpack(order + "q", offset)[0] if offset else 0, snaplen)


def read_pcapng(data):
    found, nics, order, at = [], [], "<", 0
    while at < len(data):
        if data[at:at + 4] == b"\x0a\x0d\x0d\x0a":
            order = "<" if data[at + 8:at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
            nics = []
        kind, length = struct.unpack_from(order + "II", data, at)
        trailer, = struct.unpack_from(order + "I", data, at + length - 4)
        if length != trailer or length % 4:
            raise ValueError(f"a block of {length} and {trailer} bytes at {at}")
        body = data[at + 8:at + length - 4]
        at += length
        if kind == 1:
            nics.append(read_interface(body, order))
            continue
        if kind == 3:
            original, = struct.unpack_from(order + "I", body)
            link, name, _, _, snaplen = nics[0]
            captured = min(original, snaplen or original)
            found.append(Record(body[4:4 + captured], 0, original, link, name))
        elif kind in (2, 6):
            nic, high, low, captured, original = struct.unpack_from(
                order + ("HxxIIII" if kind == 2 else "IIIII"), body)
            link, name, resolution, offset, _ = nics[nic]
            found.append(Record(
                body[20:20 + captured],
                ticks_to_ns(high << 32 | low, resolution, offset), original,
                link, name))
    return found


def read(data):
    """The Records of a capture of either kind."""
    return (read_pcapng if data[:4] == b"\x0a\x0d\x0d\x0a"
            else read_pcap)(data)
