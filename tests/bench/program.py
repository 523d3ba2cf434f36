# SPDX-License-Identifier: MIT
"""What the benches share: options, rounds, and a run from its start to the exit
code."""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

import report
import runs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CODES = """\
exit codes:
  0    every bound is met (--small: everything ran)
  1    a bound is missed
  2    usage
  3    something did not run, or not with the work it was given
  77   no bound is missed, but a row is void (the machine cannot tell) or
       skipped (what it is about is not there)
"""
OWN_LOAD = 0.5  # what one process at a time may make of it


class Bench:
    """The part that --only calls x is the method part_x."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.report = report.Report(judging=not options.small)

    def facts(self):
        """@return what --json says besides."""
        return {}

    def say(self, text):
        if sys.stderr.isatty():
            print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    def clock_row(self, name, times, bound):
        """A time that others prolong, if they run too."""
        void = None
        load, cpus = os.getloadavg()[0], len(os.sched_getaffinity(0))
        if statistics.median(times) > bound and load > cpus + OWN_LOAD:
            void = f"a load of {load:.1f} on {cpus} CPUs"
        self.report.row(name, times, "<=", bound, "s", void)

    def interleave(self, part, commands):
        """Round after round, each command once.
        @return {name: [what it returned, round by round]}."""
        results = {name: [] for name in commands}
        rounds = self.options.rounds
        for at in range(0 if self.options.small else -1, rounds):
            for name, command in commands.items():
                self.say(f"{part}: round {at + 1} of {rounds}: {name}")
                result = command()
                if at >= 0:
                    results[name].append(result)
        self.say("")
        return results


def ratios(above, below):
    return [a / b for a, b in zip(above, below)]


def figures(results, name):
    return [result[name] for result in results]


# ---- options ---------------------------------------------------------------

def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return number


class Options:
    """The options that all benches have, and their own."""

    def __init__(self, description, parts, program, build="build/release"):
        self.name = program
        self.amounts = []
        self.parser = argparse.ArgumentParser(
            description=description, epilog=CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        self.amount("rounds", "N", "rounds that count", 5, 1)
        add = self.parser.add_argument
        add("--small", action="store_true", help="little work, one round, no "
            "bounds: does the bench run?")
        add("--only", type=lambda text: self._parts(text, parts),
            default=parts, metavar="PART,...", help=", ".join(parts))
        add(f"--{program}", metavar="PROGRAM",
            default=str(ROOT / build / "bin" / program),
            help=f"({build}/bin/{program})")
        add("--work", metavar="DIR", help="where what is generated goes; "
            "without it a temporary folder in $TMPDIR")
        add("--json", action="store_true",
            help="print JSON instead of the table")

    @staticmethod
    def _parts(text, parts):
        chosen = text.split(",")
        for part in chosen:
            if part not in parts:
                raise argparse.ArgumentTypeError(
                    f"{part} is none of {', '.join(parts)}")
        return chosen

    def amount(self, name, unit, meaning, usual, small):
        """An option that is a number, another one with --small."""
        self.amounts.append((name, usual, small))
        self.parser.add_argument(f"--{name}", type=positive, metavar=unit,
                                 help=f"{meaning} ({usual})")

    def parse(self):
        options = self.parser.parse_args()
        for name, usual, small in self.amounts:
            if getattr(options, name) is None:
                setattr(options, name, small if options.small else usual)
        path = os.path.abspath(getattr(options, self.name))
        setattr(options, self.name, path)
        if not os.access(path, os.X_OK):
            self.parser.error(f"{path} is no program: build it, or name "
                              f"another with --{self.name}")
        return options


# ---- main ------------------------------------------------------------------

def machine():
    model = "model unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {"cpus": len(os.sched_getaffinity(0)), "model": model,
            "load_before": os.getloadavg()[0]}


def measure(bench_class, options, folder):
    facts = {"rounds": options.rounds, **machine()}
    bench = bench_class(options, folder)
    for part in options.only:
        getattr(bench, f"part_{part}")()
    facts["load_after"] = os.getloadavg()[0]
    code = bench.report.code()
    if options.json:
        print(json.dumps({"machine": facts, "exit": code, **bench.facts(),
                          "sections": bench.report.sections}, indent=2))
    else:
        report.print_table(bench.report, facts)
    return code


def main(bench_class, options):
    name = pathlib.Path(sys.argv[0]).name
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if options.work:
            os.makedirs(options.work, exist_ok=True)
            return measure(bench_class, options,
                           os.path.abspath(options.work))
        with tempfile.TemporaryDirectory(prefix="sluice-bench-") as folder:
            return measure(bench_class, options, folder)
    except (runs.Failed, OSError) as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return report.FAILED
    except subprocess.CalledProcessError as failure:
        print(f"{name}: {failure}\n{failure.stderr or ''}", file=sys.stderr)
        return report.FAILED
    except KeyboardInterrupt:
        return 130
