# SPDX-License-Identifier: MIT
"""Runs over captures: runpipe by a generated configuration, and its peers."""
import os
import re
import shutil
import subprocess
import time

import runs
from runs import Failed

POOL = 16
EXTERNAL = "203.0.113.1"


class Setup:
    """A capture, the routes for it, and how many external addresses."""

    def __init__(self, name, capture, packets, routes, pool=1):
        self.name = name
        self.capture = capture
        self.packets = packets
        self.routes = routes
        self.pool = pool

    def config(self, output):
        addresses = f'external_address = "{EXTERNAL}";'
        if self.pool > 1:
            addresses += " external_addresses = ( " + ", ".join(
                f'"203.0.113.{at}"' for at in range(1, self.pool + 1)) + " );"
        sink = (f'{{ plugin = "pcap"; path = "{output}"; format = "pcap"; }}'
                if output else '{ plugin = "discard"; }')
        return f"""\
source = {{ plugin = "pcap"; path = "{self.capture}"; nic = "lan"; }};
stages = (
  {{ plugin = "nat"; external_nic = "eth0"; {addresses} }},
  {{ plugin = "route"; routes_file = "{self.routes}"; }}
);
sink = {sink};
"""


class Runpipe(runs.Runpipe):
    """runpipe over a setup; the configuration stands in the work folder."""

    def command(self, setup, arguments, output, copy):
        config = os.path.join(self.folder, f"{setup.name}-{copy}.conf")
        stats = config + ".json"
        with open(config, "w", encoding="utf-8") as file:
            file.write(setup.config(output))
        return ([self.program, "--quiet", "--stats", stats] + arguments
                + [config], stats)

    def over(self, setup, arguments, output=None, copies=1):
        """@return the figures, `wall_s` added: of several runs at the same
        time the mean."""
        started, results = [], []
        try:
            for copy in range(copies):
                if output:
                    _remove(output)
                command, stats = self.command(setup, arguments, output, copy)
                begin = time.monotonic()
                started.append((command, stats, begin, subprocess.Popen(
                    command, stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)))
            for command, stats, begin, process in started:
                runs.finish(process, command)
                figures = self.read(stats)
                figures["wall_s"] = time.monotonic() - begin
                runs.check_work(figures, setup.packets, True)
                results.append(figures)
        finally:
            runs.kill(process for _, _, _, process in started)
        for name in ("elapsed_s", "total_s", "cpu_s", "wall_s"):
            results[0][name] = (sum(result[name] for result in results)
                                / copies)
        return results[0]

    def peak_mib(self, setup, arguments):
        command, stats = self.command(setup, arguments, None, 0)
        peak = runs.weigh(command)
        runs.check_work(self.read(stats), setup.packets, True)
        return peak


class Lines:
    """How long a cache line takes from one CPU to another."""

    def __init__(self, source, folder):
        self.program = os.path.join(folder, "lines")
        built = subprocess.run(
            [os.environ.get("CC", "cc"), "-O2", "-pthread", source, "-o",
             self.program], capture_output=True, text=True)
        if built.returncode:
            raise Failed(f"{source} does not build\n{built.stderr}")

    def run(self):
        """@return ns; 0 where there is one CPU alone."""
        if len(os.sched_getaffinity(0)) < 2:
            return 0
        done = subprocess.run([self.program], capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"{self.program}: exit {done.returncode}")
        return int(done.stdout)


def _remove(path):
    if os.path.exists(path):
        os.unlink(path)


class Dpdk:
    """dpdk_router on DPDK's pcap device. `missing`: why it could not be."""

    def __init__(self, source, folder):
        self.program = os.path.join(folder, "dpdk_router")
        self.missing = None
        flags = [self._flags(what) for what in ("--cflags", "--libs")]
        if None in flags or not shutil.which("gcc"):
            self.missing = "no gcc or no DPDK here (Debian: libdpdk-dev)"
            return
        built = subprocess.run(
            ["gcc", "-O3", "-march=native", *flags[0], source, "-o",
             self.program, *flags[1]], capture_output=True, text=True)
        if built.returncode:
            raise Failed(f"{source} does not build\n{built.stderr}")

    @staticmethod
    def _flags(what):
        if not shutil.which("pkg-config"):
            return None
        done = subprocess.run(["pkg-config", what, "libdpdk"],
                              capture_output=True, text=True)
        return None if done.returncode else done.stdout.split()

    def run(self, setup, routes, output=None, in_memory=False):
        """@return seconds as it measures them, without its start."""
        device = f"net_pcap0,rx_pcap={setup.capture}"
        words = ["1", "1" if output else "0"]
        if output:
            _remove(output)
            device += f",tx_pcap={output}"
        if in_memory:
            device += ",infinite_rx=1"
            words += ["1", str(setup.packets)]
        command = [self.program, "-l", "0", "--no-huge", "--no-pci", "-m",
                   "1024", "--log-level=4", "--vdev", device, "--", *words]
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**os.environ, "ROUTES": routes})
        said = re.search(r"RESULT (\d+) pkts ([\d.]+) s", done.stdout)
        if done.returncode or not said:
            raise Failed(f"{' '.join(command)}: exit {done.returncode}\n"
                         f"{done.stdout}{done.stderr}")
        packets = int(said[1])
        if packets < setup.packets or not (in_memory or
                                           packets == setup.packets):
            raise Failed(f"{' '.join(command)}: {packets} packets of "
                         f"{setup.packets}")
        return float(said[2]) * setup.packets / packets


class Tcprewrite:
    """tcprewrite --pnat, which has no table: it changes addresses alone."""

    def __init__(self):
        self.program = shutil.which("tcprewrite")
        self.missing = (None if self.program else
                        "no tcprewrite here (Debian: tcpreplay)")

    def run(self, setup, output):
        """@return seconds from its start to its end."""
        _remove(output)
        command = [self.program, f"--infile={setup.capture}",
                   f"--outfile={output}", f"--pnat=10.0.0.0/8:{EXTERNAL}/32",
                   "-C"]
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"{' '.join(command)}: exit {done.returncode}\n"
                         f"{done.stdout}{done.stderr}")
        return time.monotonic() - begin
