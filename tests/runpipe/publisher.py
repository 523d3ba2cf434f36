# SPDX-License-Identifier: MIT
"""A program that publishes counters, of whose figures a test is the master: it
writes the file that sluice/counter.h describes. By itself it publishes a
pipeline of four instances with a meter, whose figures rise until it is ended."""
import os
import struct
import sys
import time

LIVE, ENDED = 1, 2
HEAD = struct.Struct("=8sIIIIQq16s8x64s")

INSTANCES = ("trace_text", "nat", "route", "discard")


def pipeline(instances=INSTANCES, domains=("rapl.intel-rapl_0",
                                           "rapl.intel-rapl_0_0")):
    """What runpipe publishes: (name, unit, scale, value)."""
    counters = [("packets_in", "packet", 1, 0), ("packets_out", "packet", 1, 0),
                ("packets_dropped", "packet", 1, 0), ("workers", "", 1, 4)]
    for name in instances:
        counters += [("packets." + name, "packet", 1, 0),
                     ("dropped." + name, "packet", 1, 0),
                     ("busy." + name, "s", 1e-9, 0)]
    if domains:
        counters += [("energy", "J", 1, 0.0), ("power", "W", 1, float("nan")),
                     ("estimate", "", 1, 0.0)]
        counters += [("energy." + name, "J", 1, 0.0) for name in domains]
    return counters


def started(process):
    with open(f"/proc/{process}/stat", encoding="latin-1") as file:
        return int(file.read().rpartition(")")[2].split()[19])


def boot():
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return bytes.fromhex(file.read().strip().replace("-", ""))
    except OSError:
        return bytes(16)


class Publisher:
    """A counter file. Values that are floats are gauges."""

    def __init__(self, folder, counters, program="runpipe", process=None,
                 number=0, created=None):
        process = process or os.getpid()
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.path = os.path.join(
            folder, f"{program}.{process}.{number}.counters")
        self.names = [counter[0] for counter in counters]
        created = time.time_ns() if created is None else created
        image = HEAD.pack(b"SLCOUNT1", 0x01020304, len(counters), process,
                          LIVE, started(process), created, boot(),
                          program.encode())
        for name, unit, scale, value in counters:
            image += self.record(name, unit, scale, value)
        with open(self.path + ".new", "wb") as file:
            file.write(image)
        os.rename(self.path + ".new", self.path)
        self.file = open(self.path, "r+b", buffering=0)

    @staticmethod
    def value(value):
        return (struct.pack("=d", value) if isinstance(value, float)
                else struct.pack("=Q", value))

    @classmethod
    def record(cls, name, unit, scale, value):
        return (cls.value(value) + bytes(56)
                + struct.pack("=IId", isinstance(value, float), 0, scale)
                + unit.encode().ljust(16, b"\0")
                + name.encode().ljust(32, b"\0"))

    def set(self, name, value):
        self.write(128 + 128 * self.names.index(name), self.value(value))

    def write(self, offset, data):
        os.pwrite(self.file.fileno(), data, offset)

    def end(self):
        """As sl_counters_destroy() does."""
        self.write(20, struct.pack("=I", ENDED))
        os.unlink(self.path)
        self.file.close()


def run(folder):
    """Publish until it is ended, ten times a second."""
    published = Publisher(folder, pipeline())
    packets, begun = 0, time.monotonic()
    rates = {"trace_text": 110, "nat": 310, "route": 120, "discard": 20}
    while True:
        seconds = time.monotonic() - begun
        packets = int(seconds * 1_200_000)
        dropped = packets // 50
        for name, value in (("packets_in", packets),
                            ("packets_out", packets - dropped),
                            ("packets_dropped", dropped)):
            published.set(name, value)
        for name, ns in rates.items():
            published.set("packets." + name, packets)
            published.set("busy." + name, packets * ns)
        published.set("dropped.nat", dropped)
        published.set("power", 31.5)
        published.set("energy", 31.5 * seconds)
        published.set("energy.rapl.intel-rapl_0", 31.5 * seconds)
        published.set("energy.rapl.intel-rapl_0_0", 20.1 * seconds)
        time.sleep(0.1)


if __name__ == "__main__":
    run(sys.argv[1])
