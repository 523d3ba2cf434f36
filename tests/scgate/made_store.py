# SPDX-License-Identifier: MIT
"""Stores made by hand, row by row, after analysis/store/schema.sql.

A history is known to the last finding this way, and a large one is there in
seconds: "made_store.py DB RUNS FINDINGS CHANGED" writes RUNS runs of FINDINGS
findings, of which CHANGED are other ones from run to run.
"""
import hashlib
import os
import sqlite3
import sys

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "../../analysis/store/schema.sql")
DAY = 86400
START = 1700000000  # 2023-11-14T22:13:20Z


def digest(*parts):
    return hashlib.md5(repr(parts).encode()).digest()


class Made:
    """Ids are given from 1, in the order of calls."""

    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        with open(SCHEMA, encoding="utf-8") as file:
            self.connection.executescript(
                "PRAGMA application_id = 0x53474154; PRAGMA user_version = 1;"
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
                + file.read())
        self.known = {}

    def close(self):
        """Count, as an import does at its end."""
        self.connection.execute(
            "INSERT INTO counts SELECT l.run_id, o.rule_id, o.severity,"
            " sum(l.verdict IN ('same', 'new')), sum(l.verdict = 'new'),"
            " sum(l.verdict = 'fixed'), sum(l.verdict = 'unknown'),"
            " sum(l.verdict IN ('same', 'new') AND (o.suppressed OR EXISTS"
            " (SELECT 1 FROM suppressions AS s WHERE s.run_id = l.run_id AND"
            " s.finding_id = l.finding_id AND s.state = 'active')))"
            " FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id"
            " GROUP BY l.run_id, o.rule_id, o.severity")
        self.connection.commit()
        self.connection.close()

    def insert(self, table, **values):
        return self.connection.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES "
            f"({', '.join('?' * len(values))})",
            tuple(values.values())).lastrowid

    def once(self, table, **values):
        key = (table, *values.values())
        if key not in self.known:
            self.known[key] = self.insert(table, **values)
        return self.known[key]

    def tool(self, name):
        return self.once("tools", name=name)

    def rule(self, tool, name, gives_up=0):
        return self.once("rules", tool_id=self.tool(tool), name=name,
                         gives_up=gives_up)

    def file(self, path):
        return None if path is None else self.once("files", path=path)

    def run(self, base=None, results=(), day=0, **more):
        """A run of results, at a day of the history."""
        values = {"state": "complete", "formats": "cppcheck-xml",
                  "reports": 1, **more}
        run = self.insert("runs", time=START + day * DAY, base_id=base,
                          sources=1,
                          **values)
        for result in results:
            self.insert("run_results", run_id=run, result_id=result)
        return run

    def result(self, key, tools=(("cppcheck", "2.10"),), units=(), sizes=None,
               state="complete", note=None):
        result = self.insert("results", cache_key=digest(key), state=state,
                             note=note)
        for name, version in tools:
            self.insert("result_tools", result_id=result,
                        tool_id=self.tool(name), version=version)
        for path in units:
            self.insert("units", result_id=result, file_id=self.file(path))
        for path, lines in (sizes or {}).items():
            self.insert("sizes", result_id=result, file_id=self.file(path),
                        lines=lines)
        return result

    def finding(self, rule, day=0):
        return self.insert("findings", rule_id=rule,
                           first_time=START + day * DAY)

    def occurrence(self, result, rule, path, line, message, severity=4,
                   function=None, code=None, suppressed=0):
        """`code`: of the line; None: the source was not at hand."""
        at = self.insert("occurrences", result_id=result, rule_id=rule,
                         file_id=self.file(path), line=line,
                         function=function, severity=severity,
                         message=message, inconclusive=0,
                         suppressed=suppressed, repeats=1)
        self.insert("fingerprints", occurrence_id=at, version=1,
                    bare=code is None, message=digest(rule, message),
                    function=digest(rule, message, function),
                    line=code and digest(rule, message, function, code),
                    window=code and digest(rule, code),
                    unmasked=digest(message))
        return at

    def link(self, run, verdict, finding, occurrence):
        self.insert("links", run_id=run, finding_id=finding, verdict=verdict,
                    step=0, occurrence_id=occurrence)


def make_many(path, runs, findings, changed):
    made = Made(path)
    rules = [made.rule("cppcheck", f"rule{at}") for at in range(40)]
    paths = [f"part{at % 12}/file{at}.c" for at in range(500)]
    alive = []
    base = None
    for day in range(runs):
        result = made.result(day, units=paths,
                             sizes={name: 300 for name in paths})
        run = made.run(base=base, results=[result], day=day)
        gone, alive = alive[:changed], alive[changed:]
        fresh = findings - len(alive)
        for finding, _, occurrence in gone:
            made.link(run, "fixed", finding, occurrence)
        kept = [(finding, about, "same") for finding, about, _ in alive]
        for at in range(fresh):
            # Every fourth is one that there was before.
            about = day * findings + at if at % 4 else at
            kept.append((made.finding(rules[about % 40], day), about, "new"))
        alive = []
        for finding, about, verdict in kept:
            occurrence = made.occurrence(
                result, rules[about % 40], paths[about % 500], about % 300 + 1,
                f"the value of \"name{about}\" is never used after that line",
                severity=about % 6, function=f"function_{about % 50}",
                code=about)
            made.link(run, verdict, finding, occurrence)
            alive.append((finding, about, occurrence))
        base = run
    made.close()


if __name__ == "__main__":
    make_many(sys.argv[1], *(int(word) for word in sys.argv[2:5]))
