#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other people's SARIF logs and gcc JSON, read by us and by Python.

    SLUICE_CORPUS=DIR corpus_json.py DUMP_JSON

DIR has a MANIFEST.tsv. Exit: 0 agreed, 1 not, 77 no corpus. What is compared:
each result's line, column, rule and message with json.load()'s, and csgrep's
converted outputs where the corpus has them.
"""
import csv
import json
import os
import subprocess
import sys

SHARE_WANTED = 0.97


def read(dump, kind, path, piece=65536):
    done = subprocess.run([dump, kind, path, str(piece)], capture_output=True,
                          check=False, timeout=120)
    if done.returncode != 0:
        return None, done.stderr.decode("utf-8", "replace")
    rows = [line.split("\t") for line in
            done.stdout.decode("utf-8", "replace").split("\n")
            if line and not line.startswith("  ")]
    return rows, done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]


def flat(text):
    return text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def first(items):
    return items[0] if items else {}


def rule_of(run, result):
    if result.get("ruleId"):
        return result["ruleId"]
    if result.get("rule", {}).get("id"):
        return result["rule"]["id"]
    index = result.get("ruleIndex", result.get("rule", {}).get("index", -1))
    component = result.get("rule", {}).get("toolComponent", {}).get("index")
    tool = run.get("tool") or {}
    owner = (tool.get("driver") or {}) if component is None else \
        tool["extensions"][component]
    rules = owner.get("rules") or []
    return rules[index].get("id", "") if 0 <= index < len(rules) else ""


def expected_sarif(log):
    """(line, column, rule, message or None if it is composed) a result."""
    rows = []
    for run in log.get("runs") or []:
        for result in run.get("results") or []:
            if result.get("baselineState") == "absent" or \
                    result.get("kind") in ("pass", "notApplicable"):
                continue
            region = first(result.get("locations")).get(
                "physicalLocation", {}).get("region", {})
            message = result.get("message", {})
            text = message.get("text")
            if message.get("arguments") or text is None:
                text = None
            rule = rule_of(run, result)
            rows.append((region.get("startLine", 0),
                         region.get("startColumn", 0), rule, text))
    return rows


def expected_gcc(log):
    rows = []
    for item in log:
        caret = first(item.get("locations")).get("caret", {})
        rows.append((caret.get("line", 0), caret.get("column", 0),
                     item.get("option", ""), item["message"]))
    return rows


def expected_csgrep(golden):
    rows = []
    for defect in golden["defects"]:
        event = defect["events"][defect["key_event_idx"]]
        rows.append((event["line"], event.get("column", 0),
                     event["file_name"], event["message"],
                     defect.get("cwe", 0)))
    return rows


def agree(got, wanted):
    """Number of wanted rows that are among the read ones, in order."""
    hits = 0
    for have, want in zip(got, wanted):
        hits += int(have[1]) == want[0] and int(have[2]) == want[1] and \
            have[5] == want[2] and \
            (want[3] is None or have[11] == flat(want[3]))
    return hits


def agree_csgrep(got, wanted):
    hits = 0
    for have, want in zip(got, wanted):
        first_line = want[3].split("\n")[0]
        hits += (int(have[1]), int(have[2])) == (want[0], want[1]) and \
            have[0].endswith(want[2]) and \
            have[11].startswith(flat(first_line)) and \
            (not want[4] or int(have[7]) == want[4])
    return hits


def main():
    corpus = os.environ.get("SLUICE_CORPUS")
    if not corpus or not os.path.exists(corpus + "/MANIFEST.tsv"):
        print("no corpus: skipped")
        return 77
    dump = sys.argv[1]
    files = total = agreed = goldens = golden_total = golden_agreed = 0
    bad = []
    with open(corpus + "/MANIFEST.tsv", encoding="utf-8") as manifest:
        entries = list(csv.DictReader(manifest, delimiter="\t",
                                      quoting=csv.QUOTE_NONE))
    for entry in entries:
        path = os.path.join(corpus, entry["path"])
        facts = entry["facts_by_independent_parser"] or ""
        kind = "gcc-json" if entry["format"] == "gcc-json" else "sarif"
        if not (entry["format"] in ("sarif", "gcc-json", "json",
                                    "csdiff-json", "coverity-json") or
                "sarif=" in facts):
            continue
        got, ending = read(dump, kind, path)
        files += 1
        if got is None:
            bad.append((entry["path"], "failed: " + ending))
            continue
        try:
            with open(path, "rb") as file:
                log = json.loads(file.read().decode("utf-8-sig"))
        except ValueError as why:
            print(f"{entry['path']}: Python says {why}; {ending}")
            continue
        if kind == "sarif" and not (isinstance(log, dict) and "runs" in log):
            if got:
                bad.append((entry["path"], "findings of no report"))
            continue
        wanted = expected_gcc(log) if kind == "gcc-json" else \
            expected_sarif(log)
        hits = agree(got, wanted)
        total += len(wanted)
        agreed += hits
        if hits != len(wanted) or len(got) != len(wanted):
            bad.append((entry["path"],
                        f"{len(got)} read, {len(wanted)} wanted, "
                        f"{hits} agree; {ending}"))
        for piece in (1, 7):
            if os.path.getsize(path) < 300000 and \
                    read(dump, kind, path, piece)[0] != got:
                bad.append((entry["path"], f"differs in pieces of {piece}"))
        golden = path.replace("-stdin.txt", "-stdout.txt")
        if golden != path and os.path.exists(golden):
            try:
                with open(golden, encoding="utf-8") as file:
                    wanted = expected_csgrep(json.load(file))
            except (ValueError, KeyError):
                continue
            hits = agree_csgrep(got, wanted)
            goldens += 1
            golden_total += len(wanted)
            golden_agreed += hits
            if hits != len(wanted):
                bad.append((golden, f"{hits} of {len(wanted)} agree"))
    for path, why in bad:
        print(f"{path}: {why}")
    print(f"{files} files; {agreed} of {total} results agree; "
          f"{golden_agreed} of {golden_total} with csgrep in {goldens} files")
    share = (agreed + golden_agreed) / max(total + golden_total, 1)
    crashed = any("failed" in why or "differs" in why for _, why in bad)
    return 0 if share >= SHARE_WANTED and not crashed else 1


if __name__ == "__main__":
    sys.exit(main())
