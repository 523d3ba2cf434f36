# SPDX-License-Identifier: MIT
"""What a line of a text trace means, written down once more and plainly.

Nothing here knows how plugins/trace_text reads lines, only what it promises.
"""
import ipaddress
import re
import socket

DEFAULT_FIELDS = "nic dst src dport sport protocol"
TITLES = {"nic": "interface", "dst": "destination address",
          "src": "source address", "dport": "destination port",
          "sport": "source port", "protocol": "protocol"}
OCTET = re.compile(rb"[0-9]{1,3}")
LONGEST_LINE = (1 << 20) - 1


class BadLine(Exception):
    """A line that is no packet; its text is the message."""


def quoted(word):
    text = "".join(chr(byte) if 0x20 <= byte <= 0x7e else "?"
                   for byte in word[:40])
    return '"' + text + ("..." if len(word) > 40 else "") + '"'


def read_address(word, field):
    """The canonical text, and the version."""
    octets = word.split(b".")
    if (len(octets) == 4 and all(OCTET.fullmatch(octet) for octet in octets)
            and all(int(octet) <= 255 for octet in octets)):
        return ".".join(str(int(octet)) for octet in octets), 4
    try:
        packed = socket.inet_pton(socket.AF_INET6, word.decode("ascii"))
        return str(ipaddress.IPv6Address(packed)), 6
    except (OSError, ValueError):
        raise BadLine(f"{TITLES[field]} {quoted(word)} is no IP address")


def read_port(word, field):
    value = 0
    for byte in word:
        if not 0x30 <= byte <= 0x39:
            raise BadLine(f"{TITLES[field]} {quoted(word)} is no number")
        value = value * 10 + byte - 0x30
        if value > 65535:
            raise BadLine(f"{TITLES[field]} {quoted(word)} is out of range "
                          "0 to 65535")
    return value


def read_line(line, fields=DEFAULT_FIELDS):
    """A line without its newline: the record that a sink with the default
    fields writes for it, None if it is blank. Raises BadLine."""
    nul = line.find(b"\0")
    if nul >= 0:
        raise BadLine(f"a NUL byte in column {nul + 1}")
    if line.endswith(b"\r"):
        line = line[:-1]
    words = [word for word in re.split(rb"[ \t]", line) if word]
    order = fields.split()
    if not words:
        return None
    if len(words) != len(order):
        few = "few" if len(words) < len(order) else "many"
        raise BadLine(f"too {few} fields: {len(words)}, {len(order)} wanted")
    record, versions = {}, {}
    for field, word in zip(order, words):
        if field in ("nic", "protocol"):
            if len(word) > 15:
                raise BadLine(f"{TITLES[field]} {quoted(word)} is longer "
                              "than 15 bytes")
            record[field] = word
        elif field in ("dst", "src"):
            text, versions[field] = read_address(word, field)
            record[field] = text.encode()
        elif field in ("dport", "sport"):
            record[field] = str(read_port(word, field)).encode()
    if versions["src"] != versions["dst"]:
        raise BadLine(f"an IPv{versions['src']} source and an "
                      f"IPv{versions['dst']} destination")
    return b" ".join(record[field] for field in DEFAULT_FIELDS.split())


def read_trace(trace, fields=DEFAULT_FIELDS):
    """For each line: (record, None), (None, None) or (None, message)."""
    lines = trace.split(b"\n")
    if not lines[-1]:
        lines.pop()
    answers = []
    for line in lines:
        try:
            if len(line) > LONGEST_LINE:
                raise BadLine("the line is longer than "
                              f"{LONGEST_LINE} bytes")
            answers.append((read_line(line, fields), None))
        except BadLine as bad:
            answers.append((None, str(bad)))
    return answers
