#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Read the corpus's text logs in pieces.

    SLUICE_CORPUS=... corpus_text.py DUMP_TEXT

Every log is read whole, in pieces of 7 bytes and byte by byte, with every text
format: no crash, no difference. What is found in them is compared by
corpus_census.py. Without SLUICE_CORPUS it is skipped."""
import csv
import os
import subprocess
import sys

FORMATS = ["gcc", "clang", "clang-tidy", "msvc", "sanitizer", "flawfinder",
           "flawfinder-csv"]
KINDS = {"compiler-log", "clang-tidy", "msvc-log", "sanitizer-log",
         "flawfinder", "cppcheck-text", "errorformat-case", "encoding",
         "csgrep-case"}


def dump(tool, form, path, piece=None):
    command = [tool, form, path] + ([str(piece)] if piece else [])
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)
    if done.returncode not in (0, 1) or done.stderr:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode,
                                      done.stderr.decode(errors="replace")))
    return done.stdout


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
    print("%d logs read" % read_all(sys.argv[1], corpus))
    return 0


if __name__ == "__main__":
    sys.exit(main())
