# SPDX-License-Identifier: MIT
"""Prometheus' text format, version 0.0.4, and its conventions for names: what
is read strictly, and what promtool says where there is one."""
import math
import re
import shutil
import subprocess

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
HELP = re.compile(rf"# HELP ({NAME}) ((?:[^\\\n]|\\[\\n])+)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge|histogram|summary)")
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")
OTHER_UNITS = ("milliseconds", "nanoseconds", "_ms", "_ns", "_us", "minutes",
               "kilowatts", "wh", "percent")


def read(data):
    """{(name, labels as a frozenset): value} of an exposition; ValueError where
    it breaks the grammar."""
    text = data.decode("utf-8")
    if not text.endswith("\n"):
        raise ValueError("the last line has no end")
    samples, seen, now, kind, helped = {}, set(), None, None, None
    for number, line in enumerate(text[:-1].split("\n"), 1):
        def wrong(what, number=number, line=line):
            return ValueError(f"line {number}: {what}: {line!r}")
        if line.startswith("#"):
            is_help = HELP.fullmatch(line)
            is_type = TYPE.fullmatch(line)
            if is_help:
                if is_help[1] in seen:
                    raise wrong("a metric twice, or its samples apart")
                helped = is_help[1]
            elif is_type and helped == is_type[1]:
                now, kind, helped = is_type[1], is_type[2], None
                seen.add(now)
            else:
                raise wrong("no HELP, or a TYPE without one")
            continue
        sample = SAMPLE.fullmatch(line)
        if not sample:
            raise wrong("no sample")
        if sample[1] != now:
            raise wrong("a sample that is not of the metric above")
        labels = frozenset(re.findall(LABEL, sample[2] or ""))
        if (now, labels) in samples:
            raise wrong("a sample twice")
        value = float(sample[3])
        if kind == "counter" and not (value >= 0 and math.isfinite(value)):
            raise wrong("a counter that cannot be")
        samples[now, labels] = value
        if (kind == "counter") != now.endswith("_total"):
            raise wrong("only counters end in _total")
        if any(now.removesuffix("_total").endswith(unit)
               for unit in OTHER_UNITS):
            raise wrong("no base unit")
    return samples


def complaints(data):
    """What promtool finds wrong, or None where there is no promtool."""
    if not shutil.which("promtool"):
        return None
    result = subprocess.run(["promtool", "check", "metrics"], input=data,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            check=False, timeout=120)
    return result.stdout.decode() or ("" if result.returncode == 0
                                      else f"exit {result.returncode}")


def labels(**wanted):
    """Of read()'s keys; a label is called as it is, but for a '_' at its end
    where Python wants one."""
    return frozenset(f'{name.rstrip("_")}="{value}"'
                     for name, value in wanted.items())
