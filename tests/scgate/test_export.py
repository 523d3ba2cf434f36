#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate export: a run of the store for other programs."""
import json
import os
import subprocess
import sys
import unittest

from made_store import Made
from repository import SCGATE, Repository, finding, report
from support import Case, many

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../analysis"))
import corpus_sarif  # noqa: E402

SOURCE = "".join(f"int v{at} = {at};\n" for at in range(20))


def at(line, name=None, rule="unread", **more):
    """Of a variable that is called after its line, unless it moved."""
    name = name or "abcdefghijklmnopqrstuvwxyz"[line]
    return finding(rule, f"v{name} is never read", "src/a.c", line, **more)


def results(log):
    return [result for run in json.loads(log)["runs"]
            for result in run["results"]]


def line_of(result):
    return result["locations"][0]["physicalLocation"]["region"]["startLine"]


def states(log):
    return [(result["baselineState"], line_of(result),
             result["properties"]["scgate"]["verdict"])
            for result in results(log)]


def prints(log):
    return [result["partialFingerprints"]["scgate/v1"]
            for result in results(log)]


class History(Repository):
    def setUp(self):
        super().setUp()
        self.write("src/a.c", SOURCE)
        self.commit()

    def export(self, *arguments):
        code, out, self.talk = self.scgate("export", *arguments)
        self.assertEqual(code, 0, self.talk)
        return out

    def export_json(self, output):
        return json.loads(self.export("--output", output))


class SarifTest(History):
    def test_without_a_base_all_is_new(self):
        self.add(at(1), at(2))
        self.assertEqual(states(self.export()),
                         [("new", 1, "new"), ("new", 2, "new")])
        self.assertEqual(self.talk, "")

    def test_each_result_has_its_state_against_the_base(self):
        self.add(at(1), at(5), at(7))
        lines = SOURCE.splitlines(keepends=True)
        self.write("src/a.c", "".join(lines[:3] + ["\n"] + lines[3:]))
        self.commit()
        self.add(at(1), at(6, "f"), at(9))
        self.assertEqual(states(self.export()), [
            ("unchanged", 1, "same"), ("updated", 6, "same"),
            ("absent", 7, "fixed"), ("new", 9, "new")])
        self.assertEqual(states(self.export("1")), [
            ("new", 1, "new"), ("new", 5, "new"), ("new", 7, "new")])

    def test_an_incomplete_run_did_not_succeed(self):
        self.add(at(1), at(2))
        self.add(at(2), arguments=("--status", "1"))
        log = self.export()
        self.assertEqual(states(log), [("unchanged", 1, "unknown"),
                                       ("unchanged", 2, "same")])
        self.assertEqual(
            self.talk,
            "scgate export: run 2 is incomplete: the tool exited with 1\n")
        self.assertEqual(
            [run["invocations"] for run in json.loads(log)["runs"]
             if "results" in run and run["results"]],
            [[{"executionSuccessful": False}]])
        self.assertIn({"level": "error",
                       "message": {"text": "the tool exited with 1"}},
                      json.loads(log)["runs"][1]["invocations"][0]
                      ["toolExecutionNotifications"])

    def test_what_is_accepted_has_its_reason(self):
        self.add(at(1), at(2))
        self.write(".scgate-suppressions", json.dumps({
            "path": "src/a.c", "line": 2, "tool": "cppcheck",
            "rule": "unread", "message": "vc is never read",
            "reason": "kept for the debugger"}) + "\n")
        self.add(at(1), at(2))
        self.assertEqual(
            [result.get("suppressions") for result in results(self.export())],
            [None, [{"kind": "external",
                     "justification": "kept for the debugger"}]])
        # it was not in the run before
        self.assertEqual(
            [result.get("suppressions")
             for result in results(self.export("1"))], [None, None])
        self.assertEqual([found["location"]["lines"]["begin"]
                          for found in self.export_json("gitlab")], [1])

    def test_the_log_is_valid(self):
        corpus = os.environ.get("SLUICE_CORPUS")
        if not corpus:
            self.skipTest("SLUICE_CORPUS is not set")
        self.write("src/a, ö.c", SOURCE)
        self.add(at(1), at(2, cwe=476, severity="error",
                           events=[("src/a, ö.c", 3, 1, "here"),
                                   ("src/a.c", 4, 2, "there")]))
        logs = [self.export()]
        self.write(".scgate-suppressions", json.dumps({
            "path": "src/a.c", "line": 2, "tool": "cppcheck",
            "rule": "unread", "message": "vc is never read",
            "reason": "so"}) + "\n")
        self.add(at(2), at(3), arguments=("--status", "1"))
        logs.append(self.export())
        self.add()
        logs.append(self.export())
        faults = corpus_sarif.invalid(corpus,
                                      [log.encode() for log in logs])
        if faults is None:
            self.skipTest("jsonschema is not installed")
        self.assertEqual(faults, "")

    def test_what_is_exported_can_be_read_again(self):
        found = [at(1, severity="style", verbose="and longer"), at(1, "b"),
                 at(2, cwe=476, severity="error",
                    events=[("src/b.c", 3, 1, "here"),
                            ("src/a.c", 4, 2, "there")]),
                 finding("odd", "50% \"of\" it\nand more", "src/ö, :x.c", 9)]
        self.add(*found)
        self.add(*found[1:])

        def read(text):
            run = subprocess.run([SCGATE, "read", "--output", "jsonl", "-"],
                                 input=text.encode(), capture_output=True,
                                 check=True, timeout=60)
            return sorted(run.stdout.decode().splitlines())
        self.assertEqual(read(self.export()), read(report(*found[1:])))
        log = self.export()
        code, out, err = self.scgate("import", "-", stdin=log.encode(),
                                     db="../again")
        self.assertEqual((code, out), (
            0, "run 1: 3 found, 3 new, 0 known; complete\n"), err)
        # all but what was fixed, and now it is new
        code, again, err = self.scgate("export", db="../again")
        self.assertEqual(
            sorted(prints(again)),
            sorted(result["partialFingerprints"]["scgate/v1"]
                   for result in results(log)
                   if result["baselineState"] != "absent"), err)


class FingerprintTest(History):
    def test_equal_ones_have_fingerprints_of_their_own(self):
        self.add(*(at(1, column=column) for column in (1, 2, 3)))
        first = prints(self.export())
        self.assertEqual(len(set(first)), 3)
        # of what is left none changes, but one is gone
        self.add(*(at(1, column=column) for column in (1, 2)))
        kept = [result["partialFingerprints"]["scgate/v1"]
                for result in results(self.export())
                if result["baselineState"] != "absent"]
        self.assertEqual(kept, first[:2])
        self.assertEqual(len(set(prints(self.export()))), 3)

    def test_they_stay_as_the_code_moves(self):
        self.add(at(5), at(6))
        before = prints(self.export())
        self.write("src/a.c", "\n\n" + SOURCE.replace("int ", "int\t"))
        self.commit()
        self.add(at(7, "f"), at(8, "g"))
        self.assertEqual(prints(self.export()), before)

    def test_they_are_those_of_gitlab(self):
        self.add(at(1), at(2), at(1, column=2))
        self.assertEqual([found["fingerprint"]
                          for found in self.export_json("gitlab")],
                         prints(self.export()))


class OthersTest(History):
    def test_gitlab_gets_what_is_open(self):
        self.add(at(1), at(2, severity="error"))
        self.add(at(2, severity="error"), at(3, severity="style"))
        found = self.export_json("gitlab")
        for one in found:
            self.assertRegex(one.pop("fingerprint"), "^[0-9a-f]{32}$")
        self.assertEqual(found, [
            {"description": "vc is never read",
             "check_name": "cppcheck unread", "severity": "critical",
             "location": {"path": "src/a.c", "lines": {"begin": 2}}},
            {"description": "vd is never read",
             "check_name": "cppcheck unread", "severity": "info",
             "location": {"path": "src/a.c", "lines": {"begin": 3}}}])

    def test_github_gets_what_is_new(self):
        self.add(at(1), at(2))
        self.add(at(2), at(3), finding("x:y", "50% of\n::error::it",
                                       "src/b,c.c", 7, 2))
        self.assertEqual(
            self.export("--output", "github"),
            "::warning file=src/a.c,line=3,col=1,title=cppcheck unread::"
            "vd is never read\n"
            "::warning file=src/b%2Cc.c,line=7,col=2,title=cppcheck x%3Ay::"
            "50%25 of%0A::error::it\n")

    def test_runs_have_names(self):
        self.add(at(1), arguments=("--run", "nightly"))
        self.add(at(2))
        for name in ("nightly", "1"):
            self.assertEqual(states(self.export(name)), [("new", 1, "new")])
        self.assertEqual(len(results(self.export("last"))), 2)


class UsageTest(Case):
    def export(self, *arguments):
        return self.run_scgate("export", "--db", "db", *arguments)

    def test_what_cannot_be_is_refused(self):
        self.add([("r", "m", "a.c", 1)])
        for arguments, words in (
                (("--output", "sari"), 'unknown output: sari; known are '),
                (("--output", "text"), 'unknown output: text'),
                (("1", "2"), "not wanted"), (("7",), "no run"),
                (("--nonsense",), "try scgate export --help")):
            with self.subTest(arguments=arguments):
                code, out, err = self.export(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertIn(words, err)

    def test_a_store_that_is_not_there_is_not_made(self):
        code, out, err = self.export()
        self.assertEqual((code, out), (2, ""))
        self.assertIn("cannot open db", err)
        self.assertFalse(os.path.exists(self.path("db")))

    def test_help_is_on_standard_output(self):
        code, out, err = self.run_scgate("export", "--help")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(out.startswith("usage: scgate export [RUN]"))

    def test_a_full_disk_is_no_success(self):
        self.add(many(50))
        with open("/dev/full", "wb") as full:
            run = subprocess.run([SCGATE, "export", "--db", "db"], stdout=full,
                                 stderr=subprocess.PIPE, cwd=self.folder,
                                 check=False)
        self.assertEqual(run.returncode, 3)
        self.assertIn(b"cannot write", run.stderr)

    def test_an_empty_run_is_a_log_too(self):
        self.add([])
        self.assertEqual(results(self.export()[1]), [])
        self.assertEqual(self.export("--output", "gitlab")[1].split(),
                         ["[", "]"])
        self.assertEqual(self.export("--output", "github")[1], "")

    def test_thousands_have_fingerprints_of_their_own(self):
        self.add(many(5000))
        code, out, err = self.export()
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(len(set(prints(out))), 5000)

    def test_a_finding_may_have_neither_place_nor_rule(self):
        made = Made(self.path("db"))
        result = made.result(1)
        run = made.run(results=[result])
        for verdict in ("new", "same"):
            rule = made.rule("tool", "")
            made.link(run, verdict, made.finding(rule),
                      made.occurrence(result, rule, None, None, "m"))
        # who made it left these out
        made.connection.execute("DELETE FROM fingerprints")
        made.close()
        code, out, err = self.export()
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(len(set(prints(out))), 2)
        for found in results(out):
            self.assertEqual(found["message"], {"text": "m"})
            self.assertNotIn("locations", found)
            self.assertNotIn("ruleId", found)
        self.assertEqual(
            [(one["location"], one["check_name"])
             for one in json.loads(self.export("--output", "gitlab")[1])],
            [({"path": ".", "lines": {"begin": 1}}, "tool")] * 2)
        self.assertEqual(self.export("--output", "github")[1],
                         "::warning title=tool::m\n")


if __name__ == "__main__":
    unittest.main()
