#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other people's XML reports, read by us and by Python.

    SLUICE_CORPUS=DIR corpus_xml.py DUMP_XML [-v]

Every file of the corpus's XML kinds is read whole, in pieces of 7 and byte by
byte: no crash, the same each time. Each finding's path, line, rule and message
is compared with what ElementTree and plistlib see, and with the conversions
that the corpus has (SARIF of plist and cppcheck, csgrep's of Valgrind).
Exit: 0 agreed, 1 not, 77 no corpus.
"""
import csv
import json
import os
import plistlib
import subprocess
import sys
import xml.etree.ElementTree as ET

SHARE_WANTED = 0.97
KINDS = {"cppcheck-xml", "valgrind-xml", "plist", "cppcheck-plist"}


def read(dump, path, piece):
    done = subprocess.run([dump, path, str(piece)], capture_output=True,
                          check=False, timeout=300)
    if done.returncode or done.stderr:
        return None, None
    rows = [json.loads(line) for line in
            done.stdout.decode("utf-8").splitlines() if line]
    return rows[:-1], rows[-1]


def number(text):
    return int(text) if text and text.strip().isdigit() else 0


def cppcheck(root):
    for error in root.iter("error"):
        place = error.find("location")
        place = error if place is None else place
        yield (place.get("file", ""), number(place.get("line")),
               error.get("id", ""), error.get("msg", ""))


def users_frame(error):
    """The innermost frame that is neither a system's nor valgrind's."""
    stack = error.find("stack")
    ranked = []
    for frame in stack.findall("frame") if stack is not None else []:
        def get(name):
            return frame.findtext(name, "")
        system = get("obj").startswith(("/usr/lib", "/lib")) or \
            "/vgpreload_" in get("obj")
        path = get("file")
        if path and get("dir"):
            path = get("dir") + "/" + path
        rank = (1 if path else 0) if system else \
            3 if path else 2 if get("obj") else 0
        ranked.append((rank, path or get("obj"), number(get("line"))))
    best = max((rank for rank, _, _ in ranked), default=0)
    return next(((path, line) for rank, path, line in ranked
                 if rank == best and rank), ("", 0))


def valgrind(root):
    for error in root.findall("error"):
        path, line = users_frame(error)
        what = error.findtext("what") or error.findtext("xwhat/text") or ""
        yield path, line, error.findtext("kind", ""), what


def plist(path):
    with open(path, "rb") as file:
        text = file.read()
    # what follows the document is none of its findings
    end = text.find(b"</plist>")
    root = plistlib.loads(text[:end + 8])
    files = root.get("files", [])
    for diagnostic in root.get("diagnostics", []):
        place = diagnostic["location"]
        yield (files[place["file"]], place["line"],
               diagnostic.get("check_name") or diagnostic.get("type", ""),
               diagnostic.get("description", ""))


def sarif(path):
    with open(path, encoding="utf-8-sig") as file:
        log = json.load(file)
    for result in log["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        yield (place["artifactLocation"]["uri"],
               place.get("region", {}).get("startLine", 0))


def csgrep(path):
    with open(path, encoding="utf-8") as file:
        for defect in json.load(file)["defects"]:
            key = defect["events"][defect["key_event_idx"]]
            yield (key["file_name"], key["line"],
                   key["event"].partition("[")[2].rstrip("]"), key["message"])


def expected(kind, path):
    if kind == "plist":
        return list(plist(path))
    root = ET.parse(path).getroot()
    return list(cppcheck(root) if kind == "cppcheck-xml" else valgrind(root))


class Tally:
    def __init__(self, verbose):
        self.verbose = verbose
        self.seen = self.agreed = self.files = self.failed = 0

    def compare(self, name, ours, theirs):
        left = list(ours)
        for row in theirs:
            self.seen += 1
            if row in left:
                left.remove(row)
                self.agreed += 1
            elif self.verbose:
                print(f"{name}: not found: {row}")
        if left:
            self.seen += len(left)
            if self.verbose:
                print(f"{name}: not theirs: {left[:3]}")

    def fail(self, name, why):
        self.failed += 1
        print(f"{name}: {why}")


def one_file(tally, dump, corpus, name):
    path = os.path.join(corpus, name)
    reads = [read(dump, path, piece) for piece in (65536, 7, 1)]
    tally.files += 1
    if any(ending is None for _, ending in reads):
        tally.fail(name, "crashed")
        return []
    if reads[1] != reads[0] or reads[2] != reads[0]:
        tally.fail(name, "reads otherwise in pieces")
    rows, ending = reads[0]
    ours = [(row[0], row[1], row[3], row[4]) for row in rows]
    if ending[0] == "none" or ending[1] in ("malformed", "no report"):
        print(f"{name}: {ending[0]} {ending[1]}")
        return ours
    tally.compare(name, ours, expected(ending[0], path))
    if os.path.exists(path + ".sarif"):
        tally.compare(name + ".sarif",
                      [(p.replace("\\", "/"), line) for p, line, _, _ in ours],
                      list(sarif(path + ".sarif")))
    return ours


def main():
    corpus = os.environ.get("SLUICE_CORPUS")
    if not corpus:
        print("SLUICE_CORPUS is not set: skipped")
        return 77
    tally = Tally("-v" in sys.argv)
    linked = []
    with open(os.path.join(corpus, "MANIFEST.tsv"), encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t",
                                  quoting=csv.QUOTE_NONE):
            name = row["path"]
            if row["kind"] not in KINDS and \
                    not name.endswith((".xml", ".plist")):
                continue
            ours = one_file(tally, sys.argv[1], corpus, name)
            if "/cslinker/0002-xml-parser/raw-results/" in name:
                linked += ours
    scan = os.path.join(corpus, "csutils-csdiff/tests/cslinker/"
                        "0002-xml-parser/scan-results.json")
    if os.path.exists(scan):
        tally.compare("csgrep", linked, list(csgrep(scan)))
    share = tally.agreed / max(tally.seen, 1)
    print(f"{tally.files} files, {tally.failed} failed; {tally.agreed} of "
          f"{tally.seen} findings agree ({share:.1%})")
    return 0 if not tally.failed and share >= SHARE_WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
