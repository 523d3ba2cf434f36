# SPDX-License-Identifier: MIT
"""Running what is measured, and reading what it says about itself."""
import json
import os
import re
import shutil
import subprocess
import sys
import time


class Failed(Exception):
    """Something did not run, or did not do the work it was given."""


# A child that is started by vfork, as Python and shells do, inherits the peak
# of its parent's memory until it has outgrown it. So the parent is as small a
# process as an interpreter can be, and `floor_mib` says how small that is.
_WEIGH = """
import os, sys, time
begin = time.monotonic()
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, sys.argv[1], os.O_WRONLY | os.O_CREAT, 0o600)])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss, time.monotonic() - begin,
      usage.ru_utime + usage.ru_stime)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""


def finish(process, command):
    """Wait for its end, which must be a good one."""
    _, talk = process.communicate()
    if process.returncode:
        raise Failed(f"{' '.join(command)}: exit {process.returncode}\n"
                     + talk.decode(errors="replace"))


def kill(processes):
    """End what a failure left running."""
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()


class Runpipe:
    """Runs of one runpipe, each with its figures."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.count = 0

    def _command(self, config, arguments, trace, ports):
        self.count += 1
        stats = os.path.join(self.folder, f"stats-{self.count}.json")
        command = [self.program, "--quiet", "--stats", stats,
                   "--set", f"trace_text.path={trace}"]
        if ports:
            command += ["--set", f"nat.ports={ports}"]
        return command + arguments + [config], stats

    @staticmethod
    def read(stats):
        with open(stats, encoding="utf-8") as file:
            figures = json.load(file)
        os.unlink(stats)
        return figures

    def run(self, config, arguments, trace, ports=None, copies=1):
        """As many processes at the same time as `copies` says.
        @return their figures, means if several, `wall_s` added."""
        started, results = [], []
        try:
            for _ in range(copies):
                command, stats = self._command(config, arguments, trace,
                                               ports)
                begin = time.monotonic()
                started.append((command, stats, begin, subprocess.Popen(
                    command, stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)))
            for command, stats, begin, process in started:
                finish(process, command)
                figures = self.read(stats)
                figures["wall_s"] = time.monotonic() - begin
                results.append(figures)
        finally:
            kill(process for _, _, _, process in started)
        for name in ("elapsed_s", "total_s", "cpu_s", "wall_s"):
            results[0][name] = (sum(result[name] for result in results)
                                / copies)
        return results[0]

    def weigh(self, config, arguments, trace, ports, piped):
        """@return the figures of a run, `peak_mib` (VmHWM) added."""
        command, stats = self._command(config, arguments,
                                       "-" if piped else trace, ports)
        feeder = None
        source = subprocess.DEVNULL
        if piped:
            feeder = subprocess.Popen(["cat", trace], stdout=subprocess.PIPE)
            source = feeder.stdout
        try:
            peak = weigh(command, source)
        finally:
            if feeder:
                feeder.stdout.close()
                feeder.wait()
        figures = self.read(stats)
        figures["peak_mib"] = peak
        return figures


def weigh(command, source=subprocess.DEVNULL):
    """@return the peak of the command's resident memory in MiB."""
    return watch(command, source)["peak_mib"]


def watch(command, source=subprocess.DEVNULL, output=os.devnull, folder=None):
    """@return `peak_mib`, and from outside `wall_s` and `cpu_s`, of a command
    that runs in `folder` and whose output goes to the file `output`."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WEIGH, output, *command],
        stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=folder)
    out, talk = process.communicate()
    if process.returncode:
        raise Failed(f"{' '.join(command)} failed\n"
                     + talk.decode(errors="replace"))
    peak, wall, cpu = out.split()
    return {"peak_mib": int(peak) / 1024, "wall_s": float(wall),
            "cpu_s": float(cpu)}


def check_work(figures, lines, whole):
    """Every line became a packet and, if `whole`, none was dropped."""
    packets = figures["packets"]
    if packets["in"] != lines or (whole and packets["out"] != lines):
        raise Failed(f"of {lines} lines {packets['in']} packets came in and "
                     f"{packets['out']} out: not the work that was meant")


class Peer:
    """tbb_router, built for this run. `missing`: why it could not be."""

    def __init__(self, source, folder):
        self.program = os.path.join(folder, "tbb_router")
        self.missing = None
        compiler = shutil.which("g++")
        if not compiler:
            self.missing = "no g++ here"
            return
        probe = subprocess.run(
            [compiler, "-std=c++17", "-E", "-x", "c++", "-"],
            input=b"#include <tbb/parallel_pipeline.h>\n",
            capture_output=True)
        if probe.returncode:
            self.missing = "no oneTBB here (Debian: libtbb-dev)"
            return
        built = subprocess.run(
            [compiler, "-O3", "-march=native", "-std=c++17", source, "-o",
             self.program, "-ltbb", "-lpthread"],
            capture_output=True, text=True)
        if built.returncode:
            raise Failed(f"{source} does not build\n{built.stderr}")

    def run(self, trace, model, lines, queens):
        """@return seconds, as the peer measures them."""
        command = [self.program, trace, model, "tbb", "2", str(queens)]
        done = subprocess.run(command, capture_output=True, text=True)
        said = re.match(r"(\d+) packets ([\d.]+) s", done.stdout)
        if done.returncode or not said:
            raise Failed(f"{' '.join(command)}: exit {done.returncode}\n"
                         f"{done.stdout}{done.stderr}")
        if int(said[1]) != lines:
            raise Failed(f"{' '.join(command)}: {said[1]} packets of {lines}")
        return max(float(said[2]), 5e-5)  # it prints four digits
