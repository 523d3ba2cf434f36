#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cluster: the energy efficiency of several hosts together, by the counters of
their programs.

    mkdir now
    for host in a b c; do
            ssh $host runpipe counters --json > now/$host.json
    done
    ./cluster.py --work packets_out now a b c
    ./cluster.py --since before --work encoder/frames now a b c

DIR holds for each HOST what its `runpipe counters --json` printed, HOST.json,
or a copy of its folder of counter files, HOST/. The time of a file is that of
its figures: do not keep the original's when copying. Work and joules are added
up and divided. A host that is missing, whose program died, whose figures are
older than the others' or that has no joules is named, and then there is no
figure for the cluster; --partial gives that of the others. Nothing counts as 0
because it could not be read.

With --since, an earlier DIR, what was done in between counts; without it, all
since the programs started. The interval is that of the meters' calibration:
meters of one kind err together, so it is added up, not averaged away.

In Python, for it is run where the files were gathered, by whoever looks after
the hosts: it needs nothing installed.
"""
import argparse
import json
import math
import os
import struct
import sys

ESTIMATE = 0.30  # how far a model may err, of its figure

HEAD = struct.Struct("=8sIIIIQq16s8x64s")  # as sluice/counter.h says
RECORD = struct.Struct("=8s56xIId16s32s")
IS_DOUBLE = 1


class Trouble(Exception):
    """Why a host has no figure."""


# ---- reading a host's counters ---------------------------------------------

def text(field):
    return field.partition(b"\0")[0].decode("ascii")


def read_proc(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def is_dead(process, started, boot):
    """Whether a process of this machine is gone. Of another machine's, a copied
    file cannot tell."""
    own = read_proc("/proc/sys/kernel/random/boot_id")
    if own.strip().replace("-", "") != boot.hex():
        return False
    try:
        stat = read_proc(f"/proc/{process}/stat")
    except FileNotFoundError:
        return True
    return int(stat.rpartition(")")[2].split()[19]) != started


def counter_file(path):
    """The rows that `runpipe counters --json` would print of one file."""
    with open(path, "rb") as file:
        data = file.read(HEAD.size + 1024 * RECORD.size)
    magic, order, count, process, state, started, _, boot, program = (
        HEAD.unpack_from(data))
    if (magic, order) != (b"SLCOUNT1", 0x01020304):
        raise ValueError("not a counter file of a machine like this one")
    word = ("ended" if state == 2 else
            "dead" if is_dead(process, started, boot) else "live")
    for at in range(count):
        value, flags, _, scale, unit, name = RECORD.unpack_from(
            data, HEAD.size + at * RECORD.size)
        number = (struct.unpack("=d", value)[0] if flags & IS_DOUBLE else
                  struct.unpack("=Q", value)[0] * scale)
        yield {"program": text(program), "process": process, "state": word,
               "name": text(name), "unit": text(unit),
               "value": number if math.isfinite(number) else None}


def load(folder, host):
    """A host's rows, and the time that they are of, s since 1970."""
    path = os.path.join(folder, host)
    try:
        if os.path.isdir(path):
            names = [os.path.join(path, name) for name in sorted(
                os.listdir(path)) if name.endswith(".counters")]
            rows = [row for name in names for row in counter_file(name)]
            when = max(map(os.path.getmtime, names), default=0)
        else:
            path += ".json"
            with open(path, encoding="utf-8") as file:
                rows = [json.loads(line) for line in file if line.strip()]
            when = os.path.getmtime(path)
        for row in rows:
            row["key"] = row["program"], row["process"], row["name"]
            row["value"] = (math.nan if row["value"] is None
                            else float(row["value"]))
            for word in ("program", "name", "unit", "state"):
                if not row[word].isprintable():
                    raise ValueError(f"{row[word]!r}")
    except FileNotFoundError:
        raise Trouble(f"missing: no {path}") from None
    except OSError as error:
        raise Trouble(f"missing: {error}") from None
    except (ValueError, TypeError, KeyError, AttributeError,
            struct.error) as error:
        raise Trouble(f"unreadable: {path}: {error}") from None
    if not rows:
        raise Trouble(f"no counters in {path}")
    return rows, when


# ---- a host's figures ------------------------------------------------------

def select(rows, counter):
    """The rows of NAME or PROGRAM/NAME."""
    program, _, name = counter.rpartition("/")
    return [row for row in rows
            if row["name"] == name and program in ("", row["program"])]


def pick(rows, counter):
    found = select(rows, counter)
    if not found:
        raise Trouble(f"no counter {counter}")
    for row in found:
        if row["state"] == "dead":
            raise Trouble("dead: process {process} of {program}, at {value:g} "
                          "{unit}".format(**row))
        if math.isnan(row["value"]):
            raise Trouble(f"no figure in {counter}")
    return found


def grown(rows, earlier, counter):
    """The value of a counter, added up over a host's processes; `earlier` taken
    off."""
    found = pick(rows, counter)
    before = {row["key"]: row["value"] for row in select(earlier, counter)}
    total = 0
    for row in found:
        known = row["key"] in before
        start = before.pop(row["key"], 0)
        if known and not row["value"] >= start:
            raise Trouble(f"{counter} of process {row['process']} fell, or "
                          "had no figure")
        total += row["value"] - start
    if before:
        (program, process, _), *_ = before
        raise Trouble(f"process {process} of {program} ended in between: what "
                      "it did is not known")
    return total, found[0]["unit"]


def judge(rows, earlier, options):
    """Work, its unit, joules, and how far these may err (None: unknown)."""
    meters = pick(rows, options.energy)
    if len(meters) > 1:
        # Two that measure one machine: their sum would count it twice.
        raise Trouble(f"{options.energy} of {len(meters)} processes; which?")
    meter = meters[0]
    joules, unit = grown(rows, earlier, options.energy)
    if unit != "J" or not joules > 0:
        raise Trouble(f"no joules in {options.energy}: {joules:g} {unit}")
    work, unit = grown(rows, earlier, options.work)
    estimate = any(row["name"] == "estimate" and row["value"] and
                   row["key"][:2] == meter["key"][:2] for row in rows)
    relative = ESTIMATE if estimate else options.calibration
    return {"work": work, "unit": unit, "joules": joules, "estimate": estimate,
            "half": None if relative is None else relative * joules}


def look_at(options):
    """What each host has to say: its figures, or {"trouble": why}."""
    hosts, times = {}, {}
    for host in options.hosts:
        try:
            rows, times[host] = load(options.folder, host)
            earlier = load(options.since, host)[0] if options.since else []
            hosts[host] = judge(rows, earlier, options)
        except Trouble as trouble:
            hosts[host] = {"trouble": str(trouble)}
    newest = max(times.values(), default=0)
    for host, when in times.items():
        if newest - when > options.max_age and "trouble" not in hosts[host]:
            hosts[host] = {"trouble": f"stale: {newest - when:.0f} s older "
                                      "than the newest"}
    return hosts


# ---- the cluster -----------------------------------------------------------

def add_up(hosts, partial):
    """The cluster's figure, or {"trouble": why there is none}."""
    good = [host for host in hosts.values() if "trouble" not in host]
    units = {host["unit"] for host in good}
    total = {"hosts": len(hosts), "counted": len(good),
             "estimate": any(host["estimate"] for host in good)}
    lacking = len(hosts) - len(good)
    if not good or lacking and not partial:
        return dict(total, trouble=f"{lacking} of {len(hosts)} hosts lack one")
    if len(units) > 1:
        return dict(total, trouble="units of work differ: " +
                    ", ".join(sorted(units)))
    work = sum(host["work"] for host in good)
    joules = sum(host["joules"] for host in good)
    total.update(work=work, unit=units.pop(), joules=joules)
    if not work > 0:
        return dict(total, trouble="no work: the efficiency is undefined")
    halves = [host["half"] for host in good]
    total.update(efficiency=work / joules, low=None, high=None)
    if None not in halves:
        half = sum(halves)
        total.update(low=work / (joules + half),
                     high=work / (joules - half) if joules > half else None)
    return total


def print_text(hosts, total):
    for host, figures in hosts.items():
        if "trouble" in figures:
            print(f"{host:<12} {figures['trouble']}")
        else:
            print("{:<12} {work:.10g} {unit}, {joules:.6g} J{}".format(
                host, " (estimate)" * figures["estimate"], **figures))
    if "trouble" in total:
        print(f"no figure for the cluster: {total['trouble']}")
        return
    interval = ("95 %: {low:.6g} to {high:.6g}".format(**total)
                if total["high"] else "interval unknown: say --calibration")
    print("efficiency of {counted} of {hosts} hosts: {efficiency:.6g} {unit}/J"
          ", {}{}".format(interval, " (estimate)" * total["estimate"],
                          **total))


def fraction(percent):
    value = float(percent) / 100
    if not 0 <= value < 1:
        raise ValueError
    return value


def main():
    parser = argparse.ArgumentParser(
        description="The energy efficiency of several hosts together.")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("hosts", metavar="HOST", nargs="+")
    parser.add_argument("--since", metavar="DIR",
                        help="what it was before: count what came after")
    parser.add_argument("--work", metavar="COUNTER", default="packets_out",
                        help="NAME or PROGRAM/NAME; packets_out")
    parser.add_argument("--energy", metavar="COUNTER", default="energy",
                        help="the host's joules; energy")
    parser.add_argument("--calibration", metavar="PERCENT", type=fraction,
                        help="how far the meters may err; a model's 30 are "
                             "known")
    parser.add_argument("--max-age", metavar="SECONDS", type=float,
                        default=10, help="how much older than the newest "
                        "host's figures another's may be; 10")
    parser.add_argument("--partial", action="store_true",
                        help="a figure for the hosts that have one")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    hosts = look_at(options)
    total = add_up(hosts, options.partial)
    if options.json:
        print(json.dumps({"hosts": hosts, "cluster": total}))
    else:
        print_text(hosts, total)
    sys.exit("trouble" in total)


if __name__ == "__main__":
    main()
