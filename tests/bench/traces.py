# SPDX-License-Identifier: MIT
"""The traces that the bench runs on.

`example` is as tests/reference/make_trace.py makes it: return packets whose
port stands for nobody are dropped by our nat, while the peer computes for them
too. `equal` has none of those, so that both do the same work:

- It starts with one packet of each inside endpoint and transport, so that all
  mappings stand before the first packet comes back.
- The ports of packets that come back are those that nat, told to use PORTS,
  and the peer both hand out: 10000 and on, one an endpoint. The endpoints' own
  ports are below, so nobody keeps his.
- The first packets are of the class that nat sees first of their transport, so
  sorting inside a chunk does not put a packet that comes back before them.

Long traces repeat a block: no branch predictor learns half a million lines.
"""
import os
import random
import subprocess
import sys

PORTS = "10000-59999"
FIRST_PORT = 10000
BLOCK_LINES = 500_000
HOSTS = 600
FLOWS = 30_000
PROTOCOLS = ("ftp", "rtp", "sip", "http", "rtp", "http")
FIRST_PROTOCOLS = ("rtp", "http")  # of UDP, of TCP
EXTERNAL = "134.77.77.30"


def _endpoint(flow):
    host = flow % HOSTS
    return (f"eth{1 + host % 3}", f"10.{231 + host % 3}.30.{1 + host // 3}",
            2000 + flow // HOSTS)


def _server(chance):
    return ".".join(str(chance.randrange(20, 170)) for _ in range(4))


def _equal_lines(lines, seed):
    """Two lists of lines: how the trace begins, and a block to repeat."""
    chance = random.Random(seed)
    flows = max(1, min(FLOWS, lines // 10))
    endpoints = [_endpoint(flow) for flow in range(flows)]
    servers = [_server(chance) for _ in range(200)]

    def outbound(endpoint, protocol):
        nic, host, port = endpoint
        return (f"{nic} {chance.choice(servers)} {host} "
                f"{chance.randrange(1000, 10000)} {port} {protocol}\n")

    def inbound(protocol):
        return (f"eth0 {EXTERNAL} {chance.choice(servers)} "
                f"{FIRST_PORT + chance.randrange(flows)} "
                f"{chance.randrange(1000, 10000)} {protocol}\n")

    first = [outbound(endpoint, protocol) for endpoint in endpoints
             for protocol in FIRST_PROTOCOLS]
    block = []
    for _ in range(min(BLOCK_LINES, lines)):
        protocol = chance.choice(PROTOCOLS)
        block.append(inbound(protocol) if chance.random() < 0.4 else
                     outbound(chance.choice(endpoints), protocol))
    return first, block


def write_equal(path, lines, seed):
    first, block = _equal_lines(lines, seed)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(first[:lines])
        left = lines - len(first)
        while left > 0:
            file.writelines(block[:left])
            left -= len(block)


def write_long(path, size, seed):
    """At least `size` bytes, without drops.
    @return the number of lines."""
    lines = min(BLOCK_LINES, max(10, size // 40))
    first, block = (text for text in _equal_lines(lines, seed))
    count = len(first)
    whole = "".join(block).encode("ascii")
    with open(path, "wb") as file:
        file.write("".join(first).encode("ascii"))
        while file.tell() < size:
            file.write(whole)
            count += len(block)
    return count


def write_example(path, lines, seed, make_trace):
    """As make_trace.py makes it; beyond a block, the block again and again."""
    block = path + ".block"
    left = lines
    with open(block, "w+b") as part:
        subprocess.run([sys.executable, "-B", make_trace,
                        str(min(lines, BLOCK_LINES)), str(seed)],
                       stdout=part, check=True)
        part.seek(0)
        text = part.readlines()
    os.unlink(block)
    with open(path, "wb") as file:
        while left > 0:
            file.writelines(text[:left])
            left -= len(text)


if __name__ == "__main__":
    # A process of its own, so that what the bench weighs does not inherit the
    # generator's memory.
    kind, target, amount, chosen, *script = sys.argv[1:]
    if kind == "equal":
        write_equal(target, int(amount), int(chosen))
    elif kind == "long":
        print(write_long(target, int(amount), int(chosen)))
    else:
        write_example(target, int(amount), int(chosen), *script)
