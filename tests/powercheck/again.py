#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes every figure of a report of powercheck again, from the raw samples
in its XML, and knows nothing of the program that wrote it: only what
docs/powercheck.md says. What a single sample is worth (u_j of a phase) is the
report's word.

    again.py report.xml     what is stated and what is computed; 1: they differ
"""
import math
import sys
import xml.etree.ElementTree as ElementTree

Z95 = 1.959963984540054


def t95(degrees):
    """Two-sided 95 % quantile of Student's t, by integration."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
                     ) / math.sqrt(degrees * math.pi)

    def density(x):
        return scale * (1 + x * x / degrees) ** (-(degrees + 1) / 2)

    def inside(limit, steps=2000):
        width = limit / steps
        return width / 3 * sum((1 if at in (0, steps) else 4 if at % 2 else 2)
                               * density(at * width)
                               for at in range(steps + 1))
    low, high = 1.9, 13
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < 0.475 else (low, middle)
    return low


def interval(rows):
    """Mean and half of its interval, of rows of a value, its standard
    uncertainty and half of its interval by calibration."""
    values, us, systematics = zip(*rows)
    count = len(values)
    mean = sum(values) / count
    u_mean = math.sqrt(sum(u * u for u in us)) / count
    systematic = sum(systematics) / count
    if count == 1:
        return mean, math.hypot(2 * u_mean, systematic)
    squares = sum((value - mean) ** 2 for value in values)
    t = t95(count - 1)
    random = max(u_mean, t * math.sqrt(squares / (count - 1) / count))
    if systematic == 0 or random == 0:
        return mean, random + systematic
    # Welch and Satterthwaite
    u = math.hypot(random / t, systematic / Z95)
    degrees = int((count - 1) * (u / (random / t)) ** 4)
    return mean, u * (t95(degrees) if degrees < 1000 else Z95)


class Domain:
    def __init__(self, domain):
        self.meter = domain.get("meter")
        self.relative = float(domain.get("relative", "0"))
        self.update_s = float(domain.get("update_s", "0"))
        self.is_model = domain.get("quality") == "estimate"


class Phase:
    """@counted: the domains that are added, by number."""

    def __init__(self, phase, counted):
        self.kind = phase.get("kind")
        self.repeat = int(phase.get("repeat"))
        self.runs = phase.get("application_runs") == "true"
        self.valid = phase.get("figures_valid") != "false"
        self.work = float(phase.get("work", "nan"))
        self.joules = self.seconds = 0
        by_meter = {}  # its domains err alike, those of another apart
        for samples in phase.iter("samples"):
            if samples.get("domain") not in counted:
                continue
            first, last = samples[0], samples[-1]
            if first.get("epoch") != last.get("epoch"):
                raise ValueError("the epoch changed")
            joules = float(last.get("j")) - float(first.get("j"))
            domain = counted[samples.get("domain")]
            by_meter[domain.meter] = by_meter.get(domain.meter, 0) + \
                joules * domain.relative
            self.joules += joules
            self.seconds += (float(last.get("t")) - float(first.get("t"))) \
                / len(counted)
        self.watts = self.joules / self.seconds
        self.systematic_j = math.hypot(*by_meter.values())
        self.u_j = float(phase.find("energy").get("u_j"))


class Again:
    """The figures of a report."""

    def __init__(self, report):
        counted = {domain.get("number"): Domain(domain)
                   for domain in report.iter("domain")
                   if domain.get("in_sum") == "true"}
        self.is_model = any(domain.is_model for domain in counted.values())
        self.update_s = max(domain.update_s for domain in counted.values())
        self.phases = [Phase(phase, counted)
                       for phase in report.iter("phase")]

    def find(self, kind, repeat):
        for phase in self.phases:
            if (phase.kind, phase.repeat) == (kind, repeat):
                return phase
        return None

    def before(self, repeat):
        return self.find("baseline", repeat) or self.find("idle", repeat - 1)

    def after(self, repeat):
        idle = self.find("idle", repeat)
        return idle if idle and not idle.runs else \
            self.find("baseline", repeat + 1)

    def active(self):
        return [phase for phase in self.phases if phase.kind == "active"]

    def net(self, active):
        """Net energy of a run, its uncertainty, its calibration's."""
        bases = [phase for phase in (self.before(active.repeat),
                                     self.after(active.repeat)) if phase]
        seconds = sum(phase.seconds for phase in bases)
        base_w = sum(phase.joules for phase in bases) / seconds
        base_u_w = math.hypot(*(phase.u_j for phase in bases)) / seconds
        joules = active.joules - base_w * active.seconds
        return (joules, math.hypot(active.u_j, base_u_w * active.seconds),
                self.systematic(active, bases[0], joules / active.seconds) *
                active.seconds)

    def systematic(self, phase, base, watts):
        """What calibration does to the watts of a phase beyond a baseline. A
        meter errs by a factor; a model errs otherwise when all is idle."""
        of_phase = phase.systematic_j / phase.seconds
        if self.is_model:
            return math.hypot(of_phase, base.systematic_j / base.seconds)
        return of_phase / phase.watts * abs(watts)

    def why_refused(self):
        """The rules by which there is no net energy, as words."""
        if any(phase.seconds < 20 * self.update_s for phase in self.phases):
            yield "20 update periods"
        for active in self.active():
            before, after = self.before(active.repeat), \
                self.after(active.repeat)
            if not after:
                continue
            mean = (before.joules + after.joules) / \
                (before.seconds + after.seconds)
            differ = abs(before.watts - after.watts)
            if differ > 0.02 * mean and differ > 2 * math.hypot(
                    before.u_j / before.seconds, after.u_j / after.seconds):
                yield "the two baselines differ"
                break
        if any(active.work == 0 for active in self.active()):
            yield "no work was done"
        rows = [self.net(active) for active in self.active()]
        mean, half = interval([(net, u, 0) for net, u, _ in rows])
        if mean <= half:
            yield "not distinguishable from the baseline"

    def idle(self):
        """Power beyond the baseline, of each idle phase that is one."""
        for phase in self.phases:
            base = self.before(phase.repeat)
            if phase.kind != "idle" or not phase.valid or not base:
                continue
            watts = phase.watts - base.watts
            yield (watts, math.hypot(phase.u_j / phase.seconds,
                                     base.u_j / base.seconds),
                   self.systematic(phase, base, watts))

    def figures(self):
        """By name: value, low, high."""
        runs = self.active()
        nets = [self.net(run) for run in runs]

        def per(quantity):
            return [tuple(part / quantity(run) for part in net)
                    for run, net in zip(runs, nets)]
        rows = {
            "time_s": [(run.seconds, 0, 0) for run in runs],
            "energy_j": [(run.joules, run.u_j, run.systematic_j)
                         for run in runs],
            "power_w": [(run.watts, run.u_j / run.seconds,
                         run.systematic_j / run.seconds) for run in runs],
            "net_energy_j": nets,
            "net_power_w": per(lambda run: run.seconds),
            "idle_power_w": list(self.idle()),
        }
        if all(run.work > 0 for run in runs):
            rows["j_per_work"] = per(lambda run: run.work)
        found = {}
        for name, row in rows.items():
            if row:
                mean, half = interval(row)
                found[name] = mean, mean - half, mean + half
        if "j_per_work" in found and found["j_per_work"][1] > 0:
            mean, low, high = found["j_per_work"]
            found["work_per_j"] = 1 / mean, 1 / high, 1 / low
        return found


def stated(report):
    """The figures that a report states, valid or not: value, low, high."""
    return {figure.tag: tuple(float(figure.get(name))
                              for name in ("value", "low", "high"))
            for figure in report.find("result")
            if (figure.get("low"), figure.get("high")) != ("0", "0")}


def differences(report):
    """What does not agree, as lines."""
    again = Again(report)
    computed, said = again.figures(), stated(report)
    for why in again.why_refused():
        if why not in report.get("reason", ""):
            yield f"it was to be refused: {why}"
    if report.get("outcome") == "refused" and not list(again.why_refused()):
        yield "it was not to be refused"
    for name in sorted(computed.keys() | said.keys()):
        if name not in computed or name not in said:
            yield f"{name}: stated {said.get(name)}, " \
                f"computed {computed.get(name)}"
            continue
        half = (computed[name][2] - computed[name][1]) / 2
        room = [1e-9 * abs(computed[name][0]) + 1e-9] + \
            2 * [0.002 * half + 1e-9 * abs(computed[name][0]) + 1e-9]
        for one, other, allowed in zip(said[name], computed[name], room):
            if not abs(one - other) <= allowed:
                yield f"{name}: stated {said[name]}, computed {computed[name]}"
                break


def main():
    report = ElementTree.parse(sys.argv[1]).getroot()
    if report.find("result") is None:
        sys.exit("it has no result")
    for name, figure in Again(report).figures().items():
        print(f"{name:13} {figure[0]:.6g}, 95 %: {figure[1]:.6g} to "
              f"{figure[2]:.6g}")
    wrong = list(differences(report))
    print("\n".join(wrong) if wrong else "the report states the same")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
