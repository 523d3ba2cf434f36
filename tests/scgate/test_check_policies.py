#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scgate check objects to under each policy, what is accepted, and the
forms in which it says so."""
import datetime
import json
import os
import sys
import unittest

import defects
import gate
from gate import Gate

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "analysis"))
import corpus_sarif  # noqa: E402

NULL = ("cppcheck", "nullPointer")
OTHER = defects.NULL.replace("*p", "*q").replace("deref", "other")
OTHER_FIXED = defects.NULL_FIXED.replace("*p", "*q").replace("deref", "other")


def days(after):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(days=after)).strftime("%Y-%m-%d")


class Policies(Gate):
    def swap(self, **settings):
        """One of a rule for another of it."""
        self.configure(**settings)
        self.base({"src/a.c": defects.NULL, "src/new/b.c": OTHER_FIXED})
        self.change({"src/a.c": defects.NULL_FIXED, "src/new/b.c": OTHER})

    def test_no_raise_is_what_holds_by_itself(self):
        self.swap()
        self.passed(self.check(), fixed=[("src/a.c", 7, *NULL)],
                    new=[("src/new/b.c", 7, *NULL)])

    def test_no_new_takes_no_swap(self):
        self.swap(policy="no-new")
        verdict = self.check()
        self.rejected_for(verdict, ("src/new/b.c", 7, *NULL))
        self.assertIn("no-new", " ".join(verdict.json["objections"]))

    def test_a_policy_on_the_command_line(self):
        self.swap()
        self.rejected_for(self.check("--policy", "no-new"),
                          ("src/new/b.c", 7, *NULL))
        self.passed(self.check("--policy", "no-raise"),
                    fixed=[("src/a.c", 7, *NULL)],
                    new=[("src/new/b.c", 7, *NULL)])

    def test_objections_beyond_the_first_ones_are_counted(self):
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.CLEAN, "b.c": defects.NULL,
                     "c.c": defects.LEAK, "d.c": defects.FORMAT,
                     "e.c": "int e(int n);\nint e(int n)\n{\n\treturn n / 0;"
                     "\n}\n"})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.assertEqual(len(verdict.json["objections"]), 5)
        self.names(verdict, "  and 1 more objection", 1)

    def test_the_next_step_is_to_fix_what_is_new(self):
        self.swap(policy="no-new")
        self.assertEqual(self.check().json["next"], [
            "fix what is new",
            "or, if it is a false positive: scgate suppress src/new/b.c:7 "
            "--reason TEXT, commit .scgate-suppressions by itself, then this "
            "change"])

    def test_the_next_step_names_the_rule_where_two_are_in_a_line(self):
        self.configure("cppcheck", "gcc", policy="no-new",
                       new_suppressions=True)
        self.base({"a.c": defects.NULL_FIXED})
        self.change({"a.c": defects.NULL})
        self.assertIn(
            "scgate suppress a.c:7:nullPointer --reason TEXT, and commit "
            ".scgate-suppressions with it", self.check().json["next"][1])

    def test_the_next_step_where_nothing_is_new(self):
        self.configure(policy="zero")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": defects.NULL + "/* more */\n"})
        self.assertEqual(self.check().json["next"][0], "fix what is open")

    def test_that_nothing_is_staged_is_said(self):
        self.base({"a.c": defects.CLEAN})
        note = ("nothing is staged: git add stages, and --worktree checks "
                "the files as they are")
        self.assertIn(note, self.check().json["notes"])
        self.change({"a.c": defects.CLEAN + "/* more */\n"})
        self.assertNotIn(note, self.check().json["notes"])

    def test_a_path_has_a_policy_of_its_own(self):
        self.swap(paths=[{"path": "src/", "policy": "no-raise"},
                         {"path": "src/new/", "policy": "zero"}])
        verdict = self.check()
        self.rejected_for(verdict, ("src/new/b.c", 7, *NULL))
        self.assertIn("zero", " ".join(verdict.json["objections"]))

    def test_of_two_paths_that_fit_the_last_holds(self):
        self.swap(paths=[{"path": "src/new/", "policy": "zero"},
                         {"path": "src/", "policy": "no-raise"}])
        self.passed(self.check(), fixed=[("src/a.c", 7, *NULL)],
                    new=[("src/new/b.c", 7, *NULL)])

    def test_moved_to_where_none_may_be(self):
        self.configure(paths=[{"path": "new/", "policy": "zero"}])
        self.base({"old/a.c": defects.NULL})
        os.mkdir(self.path("new"))
        self.git("mv", "old/a.c", "new/a.c")
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.names(verdict, r"\S* *new/a\.c:7\b.*\[cppcheck nullPointer\]", 1)

    def test_zero_knows_of_what_nobody_touched(self):
        self.configure(policy="zero")
        self.base({"a.c": defects.NULL, "b.c": defects.CLEAN})
        self.change({"b.c": "\n" + defects.CLEAN})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.names(verdict, r"open +a\.c:7: .*\[cppcheck nullPointer\]", 1)

    def test_zero_objects_to_what_was_there(self):
        self.configure(policy="zero")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": "\n" + defects.NULL})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.assertEqual(self.found(verdict, "same"), [("a.c", 8, *NULL)])
        self.names(verdict, r"open +a\.c:8: .*\[cppcheck nullPointer\]", 1)

    def test_zero_passes_what_has_none(self):
        self.configure(policy="zero")
        self.base({"a.c": defects.NULL})
        self.change({"a.c": defects.NULL_FIXED})
        self.passed(self.check(), fixed=[("a.c", 7, *NULL)])

    def test_an_unknown_one_counts_under_zero(self):
        self.configure("gcc", policy="zero")
        self.base({"a.c": defects.busy(2, leaks=True)})
        self.change({"a.c": defects.busy(12, leaks=True)})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.assertEqual(self.found(verdict, "unknown"),
                         [("a.c", 18, "gcc", "-Wanalyzer-malloc-leak")])


class MustReduce(Gate):
    def setUp(self):
        super().setUp()
        self.configure(policy="must-reduce")
        self.base({"a.c": defects.NULL, "b.c": OTHER})
        self.other = ("b.c", 7, *NULL)

    def test_a_change_of_code_that_mends_nothing(self):
        self.change({"a.c": defects.NULL.replace("n > 1", "n > 2")})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.assertEqual(self.found(verdict, "new"), [])
        self.assertIn("must-reduce", " ".join(verdict.json["objections"]))

    def test_a_change_of_code_that_mends_one(self):
        self.change({"a.c": defects.NULL_FIXED})
        self.passed(self.check(), fixed=[("a.c", 7, *NULL)])

    def test_a_comment(self):
        self.change({"a.c": "/* So it is. */\n" + defects.NULL})
        self.unchanged(self.check(), ("a.c", 8, *NULL), self.other)

    def test_white_space(self):
        self.change({"a.c": defects.NULL.replace("\t", "  ")})
        self.unchanged(self.check(), ("a.c", 7, *NULL), self.other)

    def test_what_is_not_code(self):
        self.change({"README": "words\n"})
        self.passed(self.check())

    def test_there_is_none_left(self):
        self.base({"a.c": defects.NULL_FIXED, "b.c": OTHER_FIXED})
        self.change({"a.c": defects.NULL_FIXED.replace("n > 1", "n > 2")})
        self.passed(self.check())


class Lowest(Gate):
    """cppcheck calls a variable that nobody reads "style", a wrong format
    "warning"."""

    def setUp(self):
        super().setUp()
        self.unread = ("a.c", 4, "cppcheck", "unreadVariable")

    def test_style_counts_by_default(self):
        self.base({"a.c": defects.unused(0)})
        self.change({"a.c": defects.unused(1)})
        self.rejected_for(self.check(), self.unread)

    def test_what_is_less_severe_does_not_count(self):
        self.configure(lowest="warning")
        self.base({"a.c": defects.unused(0), "b.c": defects.CLEAN})
        self.change({"a.c": defects.unused(1)})
        self.begins(self.check(), 0, "passed")
        self.change({"b.c": defects.FORMAT})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.names(verdict, r"b\.c:5:\d+: warning: .+ "
                   r"\[cppcheck invalidPrintfArgType_s\]", 1)
        self.assertNotIn("unreadVariable]", verdict.text)

    def test_below_a_path(self):
        self.configure(paths=[{"path": "old/", "lowest": "error"}])
        self.base({"old/a.c": defects.unused(0), "b.c": defects.unused(0)})
        self.change({"old/a.c": defects.unused(1)})
        self.begins(self.check(), 0, "passed")
        self.change({"b.c": defects.unused(1)})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.names(verdict, r"b\.c:4:\d+: style: .*", 1)


class Accepted(Gate):
    """Suppressions."""

    def entry(self, reason, **more):
        return json.dumps({
            "path": "a.c", "line": 7, "tool": "cppcheck",
            "rule": "nullPointer", "function": "deref",
            "message": "Null pointer dereference: p", "reason": reason,
            **more}) + "\n"

    def begin(self, entry="", **settings):
        self.configure(**settings)
        files = {"a.c": defects.NULL_FIXED}
        if entry:
            files[".scgate-suppressions"] = entry
        self.base(files)

    def test_by_an_entry_of_the_parent(self):
        self.begin(self.entry("a test of the handler"))
        self.change({"a.c": defects.NULL})
        verdict = self.check()
        self.begins(verdict, 0, "passed")
        self.names(verdict, r"accepted +a\.c:7: Null pointer dereference: p "
                   r"\[cppcheck nullPointer\]: a test of the handler", 1)

    def test_an_entry_that_expired(self):
        self.begin(self.entry("for a week", until=days(-1)))
        self.change({"a.c": defects.NULL})
        self.rejected_for(self.check(), ("a.c", 7, *NULL))

    def test_an_entry_that_holds_until_today(self):
        """The test may run at midnight."""
        self.begin(self.entry("for a week", until=days(1)))
        self.change({"a.c": defects.NULL})
        verdict = self.check()
        self.begins(verdict, 0, "passed")
        self.assertIn(f"until {days(1)}", verdict.text)

    def test_one_entry_excuses_one(self):
        self.configure("clang")
        self.base({"a.c": defects.NULL_FIXED, ".scgate-suppressions":
                   self.entry("once", tool="clang",
                              rule="core.NullDereference",
                              message="Dereference of null pointer (loaded "
                              "from variable 'p')")})
        self.change({"a.c": defects.NULL_TWICE})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.names(verdict, r"a\.c:\d:\d+: warning: .+ "
                   r"\[clang core\.NullDereference\]", 1)
        self.names(verdict, r"accepted +a\.c:\d: .+: once", 1)

    def test_an_entry_that_the_commit_brings_where_it_may(self):
        self.begin(new_suppressions=True)
        self.change({"a.c": defects.NULL, ".scgate-suppressions":
                     self.entry("the handler wants it")})
        verdict = self.check()
        self.begins(verdict, 0, "passed")
        self.names(verdict, r"accepted +a\.c:7: .+: the handler wants it", 1)

    def test_an_entry_that_the_commit_brings_where_it_may_not(self):
        self.begin()
        self.change({"a.c": defects.NULL, ".scgate-suppressions":
                     self.entry("the handler wants it")})
        self.rejected_for(self.check(), ("a.c", 7, *NULL))

    def test_a_commit_does_not_allow_itself_new_entries(self):
        self.begin()
        self.configure(new_suppressions=True)
        self.change({"a.c": defects.NULL, ".scgate-suppressions":
                     self.entry("the handler wants it")})
        self.rejected_for(self.check(), ("a.c", 7, *NULL))

    def test_suppress_knows_which_analyzers_are_asked(self):
        """What gcc said is kept, but no verdict has it any more."""
        self.configure("cppcheck", "gcc", new_suppressions=True)
        self.base({"a.c": defects.NULL_FIXED})
        self.change({"a.c": defects.NULL})
        self.check()
        place = ("--db", os.path.join(self.folder, "db"), "a.c:7", "--reason",
                 "r")
        code, _, err = self.scgate("suppress", *place)
        self.assertEqual(code, 2, err)
        self.configure("cppcheck", new_suppressions=True)
        code, _, err = self.scgate("suppress", *place)
        self.assertEqual(code, 0, err)
        self.assertNotIn("Wanalyzer", self.read())

    def test_what_suppress_writes_counts(self):
        self.begin(new_suppressions=True)
        self.change({"a.c": defects.NULL})
        self.rejected_for(self.check(), ("a.c", 7, *NULL))
        code, _, err = self.scgate("suppress", "--db", "../db", "a.c:7",
                                   "--reason", "the handler wants it")
        self.assertEqual(code, 0, err)
        self.stage()
        verdict = self.check()
        self.begins(verdict, 0, "passed")
        self.names(verdict, r"accepted +a\.c:7: .+: the handler wants it", 1)

    def test_an_entry_whose_finding_is_gone_excuses_no_other(self):
        self.base({"a.c": defects.NULL})
        self.check("--policy", "zero")
        code, _, err = self.scgate(
            "suppress", "--db", os.path.join(self.folder, "db"), "a.c:7",
            "--reason", "never called")
        self.assertEqual(code, 0, err)
        self.commit()
        self.write("a.c", defects.CLEAN)
        self.commit()
        other = defects.NULL.replace("deref", "other")
        self.change({"a.c": defects.CLEAN + other})
        self.rejected_for(self.check(), ("a.c", 12, *NULL))
        self.change({"a.c": defects.CLEAN, "b.c": defects.NULL})
        self.rejected_for(self.check(), ("b.c", 7, *NULL))
        self.change({"b.c": None, "a.c": defects.CLEAN + defects.NULL})
        self.passed(self.check(), new=[("a.c", 12, *NULL)])

    def test_an_entry_that_is_removed_objects_again(self):
        self.configure()
        self.base({"a.c": defects.NULL,
                   ".scgate-suppressions": self.entry("for now")})
        self.change({".scgate-suppressions": "", "a.c": "\n" + defects.NULL})
        verdict = self.check()
        self.assertIn(verdict.code, (0, 1), str(verdict))
        self.assertIn("suppressions", verdict.text)

    def test_an_entry_alone_that_is_removed_where_it_may(self):
        self.begin(new_suppressions=True)
        self.base({"a.c": defects.NULL,
                   ".scgate-suppressions": self.entry("for now")})
        self.change({".scgate-suppressions": ""})
        verdict = self.check()
        self.begins(verdict, 1, "rejected")
        self.names(verdict, r"again +a\.c:7: .+", 1)


class Configurations(Gate):
    """That are broken."""

    def test_a_change_that_breaks_it_is_refused(self):
        self.configure("cppcheck")
        self.base({"a.c": defects.CLEAN})
        self.write(".scgate.conf", "polcy = 1;\n")
        self.stage()
        self.incomplete_for(self.check(), "the change breaks it: ",
                            ".scgate.conf")

    def test_one_that_is_broken_can_be_mended(self):
        self.base({"a.c": defects.CLEAN, ".scgate.conf": "polcy = 1;\n"})
        self.configure("cppcheck")
        self.stage()
        verdict = self.check()
        self.begins(verdict, 0, "passed")
        self.assertIn("is broken, so the one that comes with the change holds",
                      verdict.text)

    def test_one_that_stays_broken_is_named(self):
        self.base({"a.c": defects.CLEAN, ".scgate.conf": "polcy = 1;\n"})
        self.change({"a.c": "\n" + defects.CLEAN})
        run = self.run_check()
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"polcy", run.stderr)

    def test_findings_of_an_own_analyzer_are_called_as_it_is(self):
        self.configure({"name": "mine", "command": [
            "gcc", "{flags}", "-Wall", "-c", "-o", "/dev/null", "{file}"],
            "format": "gcc", "output": "stderr"})
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.FORMAT})
        self.rejected_for(self.check(), ("a.c", 5, "mine", "-Wformat="))


class Outputs(Gate):
    """Of a commit with one new finding, one that was there, one fixed."""

    def setUp(self):
        super().setUp()
        self.configure(policy="no-new")
        self.base({"a.c": defects.NULL, "b.c": OTHER,
                   "c.c": defects.CLEAN})
        self.change({"a.c": "\n" + defects.NULL, "b.c": OTHER_FIXED,
                     "c.c": defects.LEAK})
        self.leak = ("c.c", 10, "cppcheck", "memleak")

    def test_the_text_has_no_colours_for_a_pipe(self):
        code, text = self.output("text")
        self.assertEqual(code, 1)
        self.assertTrue(text.startswith("scgate check: rejected: "), text)
        self.assertNotIn("\x1b", text)

    def test_of_github(self):
        code, text = self.output("github")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"(?m)^::error file=c\.c,line=10,"
                         r"col=2,title=cppcheck memleak::Memory leak: s$")
        for line in text.splitlines():
            self.assertRegex(line, "^::(error|warning|notice) ")

    def test_of_gitlab(self):
        code, text = self.output("gitlab")
        self.assertEqual(code, 1)
        report = json.loads(text)
        self.assertEqual(
            [(one["location"]["path"], one["location"]["lines"]["begin"],
              one["check_name"]) for one in report],
            [("a.c", 8, "cppcheck nullPointer"), ("c.c", 10,
                                                  "cppcheck memleak")])
        self.assertEqual(len({one["fingerprint"] for one in report}), 2)
        for one in report:
            self.assertIn(one["severity"], ("info", "minor", "major",
                                            "critical", "blocker"))

    def test_fingerprints_stay_when_lines_move(self):
        before = json.loads(self.output("gitlab")[1])
        self.change({"c.c": "\n\n" + defects.LEAK})
        after = json.loads(self.output("gitlab")[1])
        self.assertEqual([one["fingerprint"] for one in before],
                         [one["fingerprint"] for one in after])

    def test_of_sarif(self):
        code, text = self.output("sarif")
        self.assertEqual(code, 1)
        run, = json.loads(text)["runs"]
        states = {}
        for result in run["results"]:
            location = result["locations"][0]["physicalLocation"]
            states[(location["artifactLocation"]["uri"],
                    result["ruleId"])] = result["baselineState"]
        self.assertEqual(states, {("a.c", "nullPointer"): "updated",
                                  ("b.c", "nullPointer"): "absent",
                                  ("c.c", "memleak"): "new"})
        self.assertNotIn(False, [one["executionSuccessful"]
                                 for one in run.get("invocations", [])])

    def test_sarif_is_valid(self):
        corpus = os.environ.get("SLUICE_CORPUS")
        if not corpus or not os.path.exists(
                os.path.join(corpus, corpus_sarif.SCHEMA)):
            self.skipTest("no corpus: no schema")
        faults = corpus_sarif.invalid(corpus,
                                      [self.output("sarif")[1].encode()])
        if faults is None:
            self.skipTest("jsonschema is not installed")
        self.assertEqual(faults, "")

    def test_sarif_of_an_incomplete_check(self):
        self.change({"c.c": "#error no\n"})
        code, text = self.output("sarif")
        self.assertEqual(code, 3)
        self.assertIn(False, [
            invocation["executionSuccessful"]
            for run in json.loads(text)["runs"]
            for invocation in run["invocations"]])

    def test_of_json(self):
        code, text = self.output("json")
        self.assertEqual(code, 1)
        verdict = json.loads(text)
        self.assertEqual(verdict["outcome"], "rejected")
        self.assertEqual(
            {(gate.place(one), one["verdict"])
             for one in verdict["findings"]},
            {(("a.c", 8, *NULL), "same"), (("b.c", 7, *NULL), "fixed"),
             (self.leak, "new")})

    def test_a_report_beside_the_text(self):
        self.rejected_for(self.check(), self.leak)

    def test_a_report_that_cannot_be_written(self):
        run = self.run_check("--output", "json", "--report",
                             os.path.join(self.folder, "no", "report"))
        self.assertEqual(run.returncode, 3, run.stdout.decode())
        self.assertIn("no/report", run.stderr.decode())

    def test_a_report_is_whole_or_not_there(self):
        """The disk has not the room: what was there before still is."""
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        self.change({"c.c": defects.unused(300)})
        command = gate.mounted(disk, "16k", [
            "sh", "-c", 'cd "$0" && echo old >report && "$@"; code=$?; '
            'cp report ../kept; ls -A >../left; exit $code', disk])
        if not command:
            self.skipTest("no disk can be mounted here")
        run = self.run_check("--output", "json", "--report",
                             os.path.join(disk, "report"), prefix=[
                                 *command, "env", "-C", self.tree])
        self.assertNotIn(run.returncode, (0, 1), run.stdout.decode())
        self.assertIn("report", run.stderr.decode())
        with open(os.path.join(self.folder, "kept"), "rb") as file:
            self.assertEqual(file.read(), b"old\n")
        with open(os.path.join(self.folder, "left"), "rb") as file:
            self.assertEqual(file.read(), b"report\n")


if __name__ == "__main__":
    unittest.main()
