#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Read the corpus's text logs, and compare with what their makers expect.

    SLUICE_CORPUS=... corpus_text.py DUMP_TEXT [-v] [-q]

Every log is read whole, in pieces of 7 bytes and byte by byte, with every text
format: no crash, no difference. Then the findings that upstream expects (file,
line, message) are looked for among ours and their events; at least SHARE of
them must be there. Without SLUICE_CORPUS it is skipped."""
import collections
import csv
import html
import json
import os
import plistlib
import re
import subprocess
import sys

SHARE = 0.97
FORMATS = ["gcc", "clang", "clang-tidy", "msvc", "sanitizer", "flawfinder"]
KINDS = {"compiler-log", "clang-tidy", "msvc-log", "sanitizer-log",
         "flawfinder", "cppcheck-text", "errorformat-case", "encoding",
         "csgrep-case"}
MODEL = "jenkinsci-analysis-model/src/test/resources/edu/hm/hafner/analysis"
STEPS = ("jenkinsci-warnings-ng-plugin/plugin/src/test/resources/io/jenkins/"
         "plugins/analysis/warnings/steps")
# tests of the analysis model whose format is one of ours
PARSERS = {"GccParserTest": "gcc", "Gcc4CompilerParserTest": "gcc",
           "Gcc4CommonParserTest": "gcc", "Gcc4CC1ParserTest": "gcc",
           "Gcc4Cc1ParserTest": "gcc", "Gcc4LinkerParserTest": "gcc",
           "GnuFortranParserTest": "gcc", "GnatParserTest": "gcc",
           "ClangParserTest": "clang", "ClangTidyParserTest": "clang-tidy",
           "MsBuildParserTest": "msvc", "CodeAnalysisParserTest": "msvc",
           "IntelParserTest": "msvc"}
ERRORFORMATS = {"clippy": "gcc", "scalac": "gcc", "tsc": "msvc"}
Place = collections.namedtuple("Place", "path line message")


def dump(tool, form, path, piece=None):
    command = [tool, form, path] + ([str(piece)] if piece else [])
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)
    if done.returncode not in (0, 1) or done.stderr:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode,
                                      done.stderr.decode(errors="replace")))
    return done.stdout


def has(path, message):
    """Some upstream tests are of text that is in no file."""
    if not os.path.exists(path):
        return False
    text = open(path, "rb").read().decode(errors="replace")
    return plain(message)[:12] in re.sub(r"[\W_]+", "", text).lower()


def places(output):
    found = []
    for row in output.decode().splitlines()[:-1]:
        row = json.loads(row)
        found.append(Place(row[4], row[5], row[7]))
        found += [Place(event[0], event[1], event[3]) for event in row[10]]
    return found


def plain(message):
    """What is said, without rules, quotes and blanks, which writers vary."""
    message = html.unescape(message or "").strip('"')
    message = message.replace("\\n", "\n").strip().split("\n")[0]
    message = re.sub(r"(\s*\[[-\w.,=#+/: ]+\])+$", "", message)
    # gfortran's marks, smatch's function
    message = re.sub(r" at \(1\)|^\S+\(\): ", "", message)
    message = re.sub(r"\s*<--\[[\w-]+\]$", "", message)
    return re.sub(r"[\W_]+", "", message).lower()


def name(path):
    return re.split(r"[/\\]", path or "")[-1].lower()


def agrees(wanted, found):
    for place in found:
        if wanted.line and place.line != wanted.line:
            continue
        # a linker's path is what upstream lifts from the words
        if place.path and wanted.path not in (None, "-", "") and \
                name(place.path) != name(wanted.path):
            continue
        ours, theirs = plain(place.message), plain(wanted.message)
        if theirs in ours or (ours and ours in theirs):
            return True
    return False


def model(corpus):
    rows = csv.DictReader(open(corpus + "/EXPECTED/analysis-model.tsv"),
                          delimiter="\t", quoting=csv.QUOTE_NONE)
    for row in rows:
        form = PARSERS.get(row["test"].split(".")[0])
        if not form or not row["line"].isdigit() or not row["message"]:
            continue
        path = corpus + "/" + row["path"]
        if not os.path.exists(path):
            path = os.path.join(corpus, STEPS, os.path.basename(path))
        yield form, path, Place(
            row["file"], int(row["line"]), row["message"])


def errorformat(corpus):
    base = corpus + "/reviewdog-errorformat/fmts/testdata/"
    for case, form in ERRORFORMATS.items():
        for line in open(base + case + ".ok"):
            wanted = re.match(r"(.+)\|(\d+)[^|]*\| (.*)", line)
            if wanted:
                yield form, base + case + ".in", Place(
                    wanted[1], int(wanted[2]), wanted[3])


def csgrep(corpus):
    """Cases whose input is a compiler's text; the events of their output."""
    base = corpus + "/csutils-csdiff/tests/csgrep/"
    cases = ("0006", "0016", "0018", "0025", "0032", "0042", "0043", "0051",
             "0052", "0057", "0060", "0063", "0097")
    for case in sorted(os.listdir(base)):
        if not case.startswith(cases) or not case.endswith("-stdout.txt"):
            continue
        source = base + case.replace("-stdout", "-stdin")
        text = open(base + case, errors="replace").read()
        if text.startswith("{"):
            report = json.loads(text)
            if "defects" not in report:
                continue
            for defect in report["defects"]:
                event = defect["events"][defect["key_event_idx"]]
                yield "gcc", source, Place(event["file_name"], event["line"],
                                           event["message"])
            continue
        head = False
        for line in text.splitlines():
            event = re.match(r"([^:#]+):(\d+)(?::\d+)?: [^:]+?: (.*)", line)
            if head and event:
                yield "gcc", source, Place(event[1], int(event[2]), event[3])
            head = (line.startswith("Error: ") or
                    (head and not event))


def codechecker(corpus):
    base = (corpus + "/Ericsson-codechecker/tools/report-converter/tests/unit/"
            "analyzers/")
    for folder, form in (("tidy", "clang-tidy"), ("tsan", "sanitizer"),
                         ("ubsan", "sanitizer")):
        where = base + folder + "_output_test_files/"
        for case in sorted(os.listdir(where)):
            source = where + re.sub(r"(_cpp|_hh)?\.plist$", ".out", case)
            if not case.endswith(".plist") or not os.path.exists(source):
                continue
            report = plistlib.load(open(where + case, "rb"))
            for one in report["diagnostics"]:
                place = one["location"]
                path = report["files"][place["file"]]
                yield form, source, Place(path, place["line"],
                                          one["description"])


def read_all(tool, corpus):
    """Every log, with every format, cut in three ways."""
    inputs = 0
    for row in csv.DictReader(open(corpus + "/MANIFEST.tsv"), delimiter="\t",
                              quoting=csv.QUOTE_NONE):
        path = corpus + "/" + row["path"]
        if row["kind"] not in KINDS or row["role"] != "input":
            continue
        inputs += 1
        small = os.path.getsize(path) < 65536
        for form in FORMATS:
            whole = dump(tool, form, path)
            for piece in (7, 1) if small else (4093,):
                if dump(tool, form, path, piece) != whole:
                    sys.exit("%s as %s: pieces of %d differ"
                             % (path, form, piece))
        dump(tool, "?", path)
    return inputs


def main():
    corpus = os.environ.get("SLUICE_CORPUS")
    if not corpus:
        print("SLUICE_CORPUS is not set: skipped")
        return 77
    tool, verbose = sys.argv[1], "-v" in sys.argv
    if "-q" not in sys.argv:
        print("%d logs read" % read_all(tool, corpus))
    same = total = 0
    cache = {}
    for source in (model, errorformat, csgrep, codechecker):
        good = count = apart = 0
        for form, path, wanted in source(corpus):
            if not has(path, wanted.message):
                apart += 1
                continue
            if (form, path) not in cache:
                cache[form, path] = places(dump(tool, form, path))
            count += 1
            if agrees(wanted, cache[form, path]):
                good += 1
            elif verbose:
                print("  -", form, path[len(corpus) + 1:], wanted)
        print("%s: %d of %d agree; %d are of texts that are not here"
              % (source.__name__, good, count, apart))
        same, total = same + good, total + count
    print("all: %d of %d agree, %.1f %%" % (same, total, 100 * same / total))
    return 0 if same >= SHARE * total else 1


if __name__ == "__main__":
    sys.exit(main())
