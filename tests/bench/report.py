# SPDX-License-Identifier: MIT
"""What was measured, what is judged, and the table that says so."""
import statistics

DONE, MISSED, USAGE, FAILED, VOID = 0, 1, 2, 3, 77


class Report:
    """What was measured, by section: series of figures, and rows judged."""

    def __init__(self, judging):
        self.judging = judging
        self.sections = []

    def section(self, title):
        self.sections.append({"title": title, "series": [], "rows": []})

    def series(self, name, values, unit):
        self.sections[-1]["series"].append(
            {"name": name, "unit": unit, "median": statistics.median(values),
             "min": min(values), "max": max(values), "values": values})

    def row(self, name, values, relation, bound, unit="", void=None):
        """`void`: why a figure here says nothing; it is shown all the same."""
        figure = statistics.median(values)
        met = figure >= bound if relation == ">=" else figure <= bound
        verdict = ("void" if void else "met" if met else "missed")
        self.sections[-1]["rows"].append(
            {"name": name, "unit": unit, "figure": figure, "min": min(values),
             "max": max(values), "relation": relation, "bound": bound,
             "verdict": verdict if self.judging else "not judged",
             "why": void})

    def skipped(self, name, relation, bound, why):
        self.sections[-1]["rows"].append(
            {"name": name, "unit": "", "figure": None, "min": None,
             "max": None, "relation": relation, "bound": bound,
             "verdict": "skipped", "why": why})

    def code(self):
        verdicts = [row["verdict"] for section in self.sections
                    for row in section["rows"]]
        if not self.judging:
            return DONE
        if "missed" in verdicts:
            return MISSED
        return VOID if {"void", "skipped"} & set(verdicts) else DONE


def print_table(report, facts):
    print(f"{facts['cpus']} CPUs ({facts['model']}), load "
          f"{facts['load_before']:.2f} before and {facts['load_after']:.2f} "
          f"after; medians of {facts['rounds']} (least ... most)")
    for section in report.sections:
        print(f"\n{section['title']}")
        for each in section["series"]:
            print(f"  {each['name']:<47}{each['median']:>9.3f} "
                  f"{each['unit']:<11}{spread(each)}")
        for row in section["rows"]:
            figure = "-" if row["figure"] is None else f"{row['figure']:.3f}"
            bound = f"{row['relation']} {row['bound']:g} {row['unit']}"
            why = f": {row['why']}" if row["why"] else ""
            print(f"> {row['name']:<47}{figure:>9} {bound:<11}{spread(row)} "
                  f"{row['verdict']}{why}")


def spread(values):
    if values["min"] is None:
        return ""
    return f"({values['min']:.3f} ... {values['max']:.3f})"
