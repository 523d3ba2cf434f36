#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every report of the corpus, and what became of it.

    SLUICE_CORPUS=DIR corpus_census.py SCGATE [-v] [--write docs/readers.md]

Each input of an analysis kind is read by `scgate read`, and belongs to one
class: compared finding by finding with what upstream expects, compared by
count, of a format that is not read, no report at all, or read without anything
to hold it against. One in no class fails, as does a crash, a hang, or less than
SHARE of the findings agreeing. --write puts the tables into the page, between
its marks. Exit: 0, 1, or 77 without a corpus."""
import argparse
import collections
import contextlib
import io
import json
import os
import re
import subprocess
import sys

import corpus_compare
import corpus_expected

SHARE = 0.97
# what the corpus has for the other half of the project
NOT_OURS = {"pcap", "sysfs", "sysfs-trace", "procfs", "energy-log"}

# Formats that are not read, by kind, format and path of an input.
FOREIGN = [
    ("csdiff's text", r"^\S+ csdiff-err (?!.*0118-|.*GnuFortran)"),
    ("csdiff's text", r"^csgrep-case text .*/00(89|90)-"),
    ("csdiff's JSON", r"^\S+ csdiff-json "),
    ("Coverity's JSON", r"^\S+ coverity-json "),
    ("infer's JSON", r"^infer-json "),
    ("ShellCheck's and ZAP's JSON", r"^csgrep-case json "),
    ("clang-tidy's YAML", r"^clang-tidy-yaml "),
    ("PREfast's XML", r"^\S+ xml:DEFECTS "),
    ("Qt's translations", r"/qttranslation/"),
    ("csmock's log", r"/scan\.log$"),
    ("other languages' linters",
     r"^errorformat-case (?!.*/(clippy|scalac|tsc)\.in$)"),
    ("prospector's text", r"/0030-prospector-raw"),
    ("cpplint's text", r"/cpplint_output_test_files/|/cpplint\.txt$"
     r"|/issue18290\.txt$"),
    ("smatch's text", r"/smatch_output_test_files/"),
    ("splint's text", r"/splint/"),
    ("other tools' logs",
     r"/parser/(cmake|doxygen|ea|hpi|kotlin-cmake|maven-ansi|oelint-adv|cces|"
     r"pylint-absolute-paths|issue7178|issue11675|issue76141|kernel|"
     r"violations/xmllint)\.(txt|log)$"),
]
# Inputs that hold nothing of any report.
NOTHING = [
    ("empty, or blanks", None),
    ("a source file", r"/scans/(cppcheck|flawfinder)/\w+\.c$"),
    ("prose", r"/Readme\.txt$|/README\.txt$|/FileEncoding/Utf8\.txt$"),
    ("some other JSON", r"/pull_request\.json$|/JsonMapBuilder/"),
    ("csmock's scan.ini", r"/scan\.ini$"),
    ("a build without a diagnostic",
     r"/msbuild/(ParallelBuildLog|msbuild-detailed-en|platformToolsetv14\w+)"
     r"\.txt$|/parser/issue(36817|57365|66950|5445|5870)\.txt$"
     r"|MSBuildConverter/Inputs/InvalidResult\.ERR$"),
    ("damaged on purpose, from its first byte on",
     r"/(unparsable|wrongformat)\.(plist|xml)$|-malformed\.xml$"
     r"|/clang-analyzer-bad\.txt$|/InvalidHeader\.csv$"),
]


class Read:
    """What `scgate read` makes of a report."""

    def __init__(self, scgate, path, form):
        command = [scgate, "read", "--output", "jsonl"]
        command += ["--format", form] if form else []
        done = subprocess.run(command + [path], capture_output=True,
                              check=False, timeout=120)
        self.code = done.returncode
        self.talk = done.stderr.decode("utf-8", "replace").strip()
        told = re.search(r", (\d+) findings?\b", self.talk)
        # how many were read: one of Valgrind's may have come many times
        self.count = int(told[1]) if told else 0
        self.places = []  # findings, each as often as it was reported
        self.events = []
        if self.code in (0, 2, 3):
            for line in done.stdout.decode("utf-8").splitlines():
                self.take(json.loads(line))

    def take(self, found):
        self.places += [corpus_expected.Row(
            found["path"], found["line"], found["rule"],
            found["message"])] * min(found["repeats"], 1000)
        self.events += [corpus_expected.Row(
            event["path"], event["line"], found["rule"], event["message"])
            for event in found["events"]]

    def crashed(self):
        return self.code not in (0, 2, 3) or "Sanitizer" in self.talk or \
            "runtime error" in self.talk


def compare(expectation, got):
    """@return the rows that are not among what was read."""
    left, missing = list(got.places), []
    for row in expectation.rows:
        hit = next((one for one in left
                    if corpus_compare.agrees(row, one)), None)
        if hit:
            left.remove(hit)
        elif not any(corpus_compare.agrees(row, one)
                     for one in got.places + got.events):
            missing.append(row)
    return missing


def cells(*columns):
    print("| %s |" % " | ".join(str(column) for column in columns))


def heading(*columns):
    cells(*columns)
    print("|" + "---|" * len(columns))


def first_match(rules, row):
    if not row:
        return None
    text = "%s %s %s" % (row["kind"], row["format"], row["path"])
    return next((name for name, pattern in rules
                 if pattern and re.search(pattern, text)), None)


def is_blank(path):
    with open(path, "rb") as file:
        return not file.read(4096).lstrip(b"\xef\xbb\xbf").strip()


class Census:
    def __init__(self, scgate, corpus, verbose):
        self.scgate, self.corpus, self.verbose = scgate, corpus, verbose
        self.classes = collections.Counter()
        self.refused = collections.Counter()
        self.taken = collections.Counter()  # foreign, but read as text
        self.same = collections.Counter()
        self.total = collections.Counter()
        self.files = collections.Counter()
        self.counted = collections.Counter()
        self.counted_same = collections.Counter()
        self.differences, self.count_differences = [], []
        self.faults = []
        self.cache = {}
        self.inputs = {row["path"]: row
                       for row in corpus_expected.manifest(corpus)
                       if row["role"] == "input" and
                       row["kind"] not in NOT_OURS}

    def read(self, path, form=None):
        if (path, form) not in self.cache:
            got = Read(self.scgate, os.path.join(self.corpus, path), form)
            if got.crashed():
                self.faults.append("%s: exit %d: %s" % (path, got.code,
                                                        got.talk))
            self.cache[path, form] = got
        return self.cache[path, form]

    def read_as(self, path, form):
        """As it is sniffed; as upstream's parser says if that is refused."""
        got = self.read(path)
        return self.read(path, form) if got.code == 2 and form else got

    def compare_all(self):
        compared = set()
        for wanted in corpus_expected.rows(self.corpus):
            missing = compare(wanted, self.read(wanted.path, wanted.form))
            compared.add(wanted.path)
            self.files[wanted.by] += 1
            self.total[wanted.by] += len(wanted.rows)
            self.same[wanted.by] += len(wanted.rows) - len(missing)
            self.differences += [(wanted, row) for row in missing]
        return compared

    def count_all(self):
        counted = set()
        for wanted in corpus_expected.counts(self.corpus):
            if first_match(FOREIGN, self.inputs.get(wanted.path)):
                continue
            got = self.read_as(wanted.path, wanted.form)
            counted.add(wanted.path)
            self.counted[wanted.by] += 1
            if got.count == wanted.count:
                self.counted_same[wanted.by] += 1
            else:
                self.count_differences.append((wanted, got.count))
        return counted

    def classify(self, row, compared, counted):
        path = row["path"]
        got = self.read(path)
        foreign = first_match(FOREIGN, row)
        if foreign:
            (self.refused if got.code == 2 else self.taken)[foreign] += 1
            return "another format, refused" if got.code == 2 else \
                "another format, some lines read as a compiler's"
        if path in compared:
            return "findings compared"
        if path in counted:
            return "counted; findings compared with an independent parser's" \
                if row["facts_by_independent_parser"] else "counted"
        if got.code != 2:
            return "read, nothing to compare with"
        if is_blank(os.path.join(self.corpus, path)):
            self.refused["empty, or blanks"] += 1
            return "no report"
        nothing = first_match(NOTHING, row)
        if nothing:
            self.refused[nothing] += 1
            return "no report"
        self.faults.append("%s: in no class (%s)" % (path, got.talk))
        return "in no class"

    def run(self):
        compared, counted = self.compare_all(), self.count_all()
        for row in self.inputs.values():
            place = self.classify(row, compared, counted)
            self.classes[place] += 1
            if self.verbose:
                print("%-40s %s" % (place, row["path"]))

    def reasons(self):
        """@return (reports, findings, reason), and (reports, reason)."""
        rows, counts = {}, {}
        for wanted, _ in self.differences:
            why = corpus_expected.reason(corpus_expected.REASONS, wanted.path)
            paths = rows.setdefault(why, [])
            paths.append(os.path.basename(wanted.path))
        for wanted, ours in self.count_differences:
            why = corpus_expected.reason(corpus_expected.COUNT_REASONS,
                                         wanted.path)
            counts.setdefault(why, []).append(
                "`%s` %d, %d" % (os.path.basename(wanted.path), wanted.count,
                                 ours))
        return rows, counts

    def tables(self):
        """Of docs/readers.md."""
        same, total = sum(self.same.values()), sum(self.total.values())
        heading("inputs", "what became of them")
        for name, count in self.classes.most_common():
            cells(count, name)
        cells(sum(self.classes.values()), "all")
        print("\n### Findings\n")
        heading("held against", "reports", "findings", "agree")
        for by, count in self.total.items():
            cells(by, self.files[by], count, self.same[by])
        cells("all", sum(self.files.values()), total,
              "%d, %.1f %%" % (same, 100 * same / max(total, 1)))
        rows, counts = self.reasons()
        print("\nWhat differs, and why:\n")
        heading("report (findings)", "difference")
        for why, paths in rows.items():
            cells(", ".join("`%s` (%d)" % pair for pair in
                            collections.Counter(paths).items()), why)
        print("\n### Counts, apart\n")
        heading("held against", "reports", "agree")
        for by, count in self.counted.items():
            cells(by, count, self.counted_same[by])
        print("\nWhat differs, and why:\n")
        heading("report: theirs, ours", "difference")
        for why, what in counts.items():
            cells("; ".join(what), why)
        print("\n### Other formats, and what is no report\n")
        heading("not read", "refused", "some lines read")
        for name in sorted(set(self.refused) | set(self.taken)):
            cells(name, self.refused[name], self.taken[name])

    def report(self, page):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            self.tables()
        print(text.getvalue())
        if page:
            write(page, text.getvalue())
        if self.verbose:
            for wanted, row in self.differences:
                print("differs: %s: %s" % (wanted.path, tuple(row)))
        same, total = sum(self.same.values()), sum(self.total.values())
        for fault in self.faults:
            print("FAULT %s" % fault)
        return 0 if same >= SHARE * total and not self.faults else 1


def write(page, tables):
    with open(page, encoding="utf-8") as file:
        before, _, rest = file.read().partition("<!-- census -->\n")
    after = rest.partition("<!-- end of census -->\n")[2]
    with open(page, "w", encoding="utf-8") as file:
        file.write(before + "<!-- census -->\n" + tables +
                   "<!-- end of census -->\n" + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scgate")
    parser.add_argument("-v", action="store_true")
    parser.add_argument("--write", metavar="PAGE")
    options = parser.parse_args()
    corpus = os.environ.get("SLUICE_CORPUS")
    if not corpus or not os.path.exists(corpus + "/MANIFEST.tsv"):
        print("SLUICE_CORPUS is not set: skipped")
        return 77
    census = Census(options.scgate, corpus, options.v)
    census.run()
    return census.report(options.write)


if __name__ == "__main__":
    sys.exit(main())
