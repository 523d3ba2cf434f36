#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every report of the corpus to SARIF and back.

    SLUICE_CORPUS=DIR corpus_sarif.py SCGATE

What `scgate read --output jsonl` tells of a report must be what it tells of the
SARIF log that `--output sarif` writes of it, findings of a tool in the same
order; but for the backslashes of a path with a drive, which become slashes,
because a URI has no others. Where jsonschema is installed, each log is held
against the published schema. Exit: 0 equal, 1 not, 77 no corpus."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import corpus_census
import corpus_expected

SCHEMA = "oasis-tcs-sarif-spec/sarif-2.1/schema/sarif-schema-2.1.0.json"


def run(scgate, output, path, text=None):
    done = subprocess.run([scgate, "read", "--output", output, path],
                          input=text, capture_output=True, check=False,
                          timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def slashed(place):
    if re.match(r"[A-Za-z]:[\\\\/]", place["path"] or ""):
        place["path"] = place["path"].replace("\\", "/")


def findings(text):
    """By tool, because a SARIF log has a run a tool."""
    tools = {}
    for line in text.decode("utf-8").splitlines():
        found = json.loads(line)
        for place in [found] + found["events"]:
            slashed(place)
        tools.setdefault(found["tool"], []).append(found)
    return tools


def difference(ours, again):
    """@return the first that differs, member by member; None: all are equal."""
    for tool in sorted(set(ours) | set(again)):
        before, after = ours.get(tool, []), again.get(tool, [])
        if len(before) != len(after):
            return "%s: %d findings, %d again" % (tool, len(before),
                                                  len(after))
        for one, other in zip(before, after):
            for key in one:
                if one[key] != other[key]:
                    return "%s: %s %.300s, again %.300s" % (
                        tool, key, one[key], other[key])
    return None


def invalid(corpus, logs):
    """@return what is wrong with the logs, "" if nothing is; None: unknown.
    The module may belong to another Python than this one."""
    path = os.path.join(corpus, SCHEMA)
    try:
        import jsonschema
    except ImportError:
        return invalid_by_command(path, logs)
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.validators.validator_for(schema)(schema)
    return "\n".join(fault.message[:200] for log in logs
                     for fault in validator.iter_errors(json.loads(log)))


def invalid_by_command(schema, logs):
    command = shutil.which("jsonschema")
    if not command:
        return None
    with tempfile.TemporaryDirectory() as folder:
        instances = []
        for at, log in enumerate(logs):
            instances += ["-i", os.path.join(folder, "%d.sarif" % at)]
            with open(instances[-1], "wb") as file:
                file.write(log)
        done = subprocess.run([command] + instances + [schema],
                              capture_output=True, check=False, timeout=600)
    return "" if done.returncode == 0 else \
        (done.stdout + done.stderr).decode(errors="replace")[:2000]


def round_trip(scgate, path):
    """@return the log, and what differs; None, None: it is no report."""
    code, first, _ = run(scgate, "jsonl", path)
    if code == 2:
        return None, None
    _, log, _ = run(scgate, "sarif", path)
    again, second, talk = run(scgate, "jsonl", "-", log)
    why = difference(findings(first), findings(second))
    # a log can tell that it is incomplete, but not why
    if (code == 3) != (again == 3):
        why = why or "exit %d, again %d: %s" % (code, again, talk)
    return log, why


def main():
    corpus = os.environ.get("SLUICE_CORPUS")
    if not corpus or not os.path.exists(corpus + "/MANIFEST.tsv"):
        print("SLUICE_CORPUS is not set: skipped")
        return 77
    logs, bad = [], 0
    for row in corpus_expected.manifest(corpus):
        if row["role"] != "input" or row["kind"] in corpus_census.NOT_OURS:
            continue
        log, why = round_trip(sys.argv[1], os.path.join(corpus, row["path"]))
        if log is not None:
            logs.append(log)
        if why:
            bad += 1
            print("%s: %s" % (row["path"], why))
    print("%d of %d reports are the same again" % (len(logs) - bad,
                                                   len(logs)))
    faults = invalid(corpus, logs)
    print("jsonschema is not installed" if faults is None else
          faults or "each log is valid SARIF 2.1.0")
    return 1 if bad or faults or not logs else 0


if __name__ == "__main__":
    sys.exit(main())
