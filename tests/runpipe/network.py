# SPDX-License-Identifier: MIT
"""The kernel's own NAT, in network namespaces of this process: a router with
masquerade between two links, on whose far ends frames are put and taken.

    inside == veth == router (nft masquerade) == veth == outside

The far ends have no addresses, so nothing but this program ever speaks there.
Namespaces live as long as their holders, which end with their standard input;
nothing is named, so nothing can be left behind.
"""
import ctypes
import os
import select
import shutil
import socket
import struct
import subprocess
import time

EXTERNAL = "203.0.113.1"
GATEWAY = "203.0.113.254"  # the next router of the outside
INSIDE = "10.0.0.1"
CLONE_NEWNET = 0x40000000
PACKET_OUTGOING = 4
RULES = f"""
table ip nat {{
  chain postrouting {{
    type nat hook postrouting priority 100;
    oifname "outside" masquerade
  }}
}}
"""


def why_not():
    """@return why there can be no namespaces here, or None."""
    for tool in ("ip", "nft", "nsenter", "unshare", "sysctl"):
        if not shutil.which(tool):
            return f"no {tool} here"
    done = subprocess.run(["unshare", "--net", "true"], capture_output=True,
                          text=True)
    if done.returncode:
        return f"no network namespaces here: {done.stderr.strip()}"
    return None


class Namespace:
    """A network namespace, held by a process that waits."""

    def __init__(self):
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo ready; read line"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "ready\n":
            raise OSError("no namespace was made")

    def close(self):
        self.holder.stdin.close()
        self.holder.stdout.close()
        self.holder.wait()

    def run(self, *command, text=None):
        done = subprocess.run(
            ["nsenter", "-t", str(self.holder.pid), "-n", *command],
            input=text, capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def socket(self, nic):
        """A raw socket on one of its interfaces."""
        libc = ctypes.CDLL(None, use_errno=True)
        home = os.open("/proc/self/ns/net", os.O_RDONLY)
        there = os.open(f"/proc/{self.holder.pid}/ns/net", os.O_RDONLY)
        try:
            if libc.setns(there, CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                                 socket.htons(3))
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
            made.bind((nic, 0))
            return made
        finally:
            libc.setns(home, CLONE_NEWNET)
            os.close(home)
            os.close(there)


class Router:
    """The kernel as a NAT router. `send()` puts a datagram on a link's far
    end; `taken` has what came out, by link."""

    def __init__(self):
        self.namespaces, self.sockets, self.macs = [], {}, {}
        self.taken = {"inside": [], "outside": []}
        try:
            self._build()
        except BaseException:
            self.close()
            raise

    def close(self):
        for each in self.sockets.values():
            each.close()
        for namespace in self.namespaces:
            namespace.close()

    def _namespace(self):
        self.namespaces.append(Namespace())
        return self.namespaces[-1]

    def _build(self):
        router, ends = self._namespace(), self._namespace()
        for link, address in (("inside", f"{INSIDE}/8"),
                              ("outside", f"{EXTERNAL}/24")):
            router.run("ip", "link", "add", link, "type", "veth", "peer",
                       "name", link, "netns", str(ends.holder.pid))
            for namespace in (router, ends):
                namespace.run("sysctl", "-qw",
                              f"net.ipv6.conf.{link}.disable_ipv6=1")
                namespace.run("ip", "link", "set", link, "up")
            router.run("ip", "address", "add", address, "dev", link)
            router.run("sysctl", "-qw", f"net.ipv4.conf.{link}.rp_filter=0")
            self.macs[link] = self._mac(router, link)
            self.sockets[link] = ends.socket(link)
        router.run("sysctl", "-qw", "net.ipv4.ip_forward=1",
                   "net.ipv4.conf.all.rp_filter=0",
                   "net.ipv4.icmp_ratelimit=0")
        router.run("ip", "neigh", "add", GATEWAY, "lladdr",
                   "02:00:00:00:00:fe", "dev", "outside")
        router.run("ip", "route", "add", "default", "via", GATEWAY)
        router.run("nft", "-f", "-", text=RULES)
        self.router = router

    @staticmethod
    def _mac(router, link):
        words = router.run("ip", "-o", "link", "show", link).split()
        return bytes.fromhex(
            words[words.index("link/ether") + 1].replace(":", ""))

    def knows(self, host):
        """Let the router know an inside host's hardware address."""
        self.router.run("ip", "neigh", "replace", host, "lladdr",
                        "02:00:00:00:00:01", "dev", "inside")

    def send(self, link, datagram):
        self.sockets[link].send(self.macs[link] + b"\2\0\0\0\0\1\x08\0"
                                + datagram)
        self._take(0)

    def _take(self, seconds):
        ready, _, _ = select.select(list(self.sockets.values()), [], [],
                                    seconds)
        for link, each in self.sockets.items():
            while each in ready:
                try:
                    frame, where = each.recvfrom(65535, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    break
                if where[2] != PACKET_OUTGOING and frame[12:14] == b"\x08\0":
                    total, = struct.unpack_from("!H", frame, 16)
                    self.taken[link].append(frame[14:14 + total])

    def until(self, link, datagram, arrived, seconds=20):
        """Send a last datagram on one link; what was sent before it has come
        out when `arrived` says so of what came out."""
        self.send(link, datagram)
        end = time.monotonic() + seconds
        while not any(map(arrived, self.taken["outside"])):
            if time.monotonic() > end:
                raise TimeoutError("the last datagram did not come out")
            self._take(0.2)
