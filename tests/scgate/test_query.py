#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate query and scgate sql: answers, formats, and what is refused."""
import csv
import io
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import unittest

import made_store

SCGATE = os.environ["SLUICE_SCGATE"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
QUERIES = os.path.join(ROOT, "analysis/store/queries")
NAMES = ["new", "fixed", "unknown", "reopened", "by-rule", "health", "swaps",
         "suppressed", "hotspots", "owners", "age", "trend"]


def make_history(path):
    """Three runs. The third is incomplete; what the names say is in it."""
    made = made_store.Made(path)
    null = made.rule("cppcheck", "nullPointer")
    unread = made.rule("cppcheck", "unreadVariable")
    leak = made.rule("memcheck", "")
    dead = made.rule("clang", "dead")

    first = made.result("1", units=["src/a.c", "src/b.c", "lib/c.c", "top.c"],
                        sizes={"src/a.c": 100, "src/b.c": 50, "top.c": 10},
                        tools=[("cppcheck", "2.10"), ("memcheck", "")])
    fixed_first = made.finding(null)
    swapped_out = made.finding(unread)
    accepted = made.finding(unread)
    placeless = made.finding(leak)
    unseen = made.finding(null)
    told = {
        fixed_first: made.occurrence(
            first, null, "src/a.c", 7, "Null pointer: p", severity=5,
            function="f", code="*p"),
        swapped_out: made.occurrence(first, unread, "src/b.c", 3,
                                     "x is never read", severity=2),
        accepted: made.occurrence(first, unread, "lib/c.c", 9,
                                  "y is never read", severity=2, suppressed=1),
        placeless: made.occurrence(first, leak, None, None, "40 bytes, lost",
                                   severity=0),
        unseen: made.occurrence(first, null, "top.c", 5, "Null pointer: q",
                                severity=5)}
    run = made.run(results=[first], day=0, name="first", commit_id="c0ffee1")
    for finding, occurrence in told.items():
        made.link(run, "new", finding, occurrence)

    second = made.result("2", units=["src/a.c", "src/b.c", "lib/c.c", "top.c"],
                         sizes={"src/a.c": 100, "src/b.c": 50, "top.c": 10},
                         tools=[("cppcheck", "2.10"), ("memcheck", ""),
                                ("clang", "14")])
    run = made.run(base=1, results=[second], day=2, name="second")
    silent = made.finding(dead, 2)
    made.link(run, "fixed", fixed_first, told[fixed_first])
    for finding, at in ((swapped_out, ("src/b.c", 4, "x is never read", 2)),
                        (placeless, (None, None, "40 bytes, lost", 0)),
                        (unseen, ("top.c", 5, "Null pointer: q", 5))):
        rule = {swapped_out: unread, placeless: leak, unseen: null}[finding]
        told[finding] = made.occurrence(second, rule, *at)
        made.link(run, "same", finding, told[finding])
    told[accepted] = made.occurrence(second, unread, "lib/c.c", 9,
                                     "y is never read", 2, suppressed=1)
    made.link(run, "same", accepted, told[accepted])
    told[silent] = made.occurrence(second, dead, "/usr/include/x.h", 1,
                                   "dead store", 4)
    made.link(run, "new", silent, told[silent])

    third = made.result("3", units=["src/a.c", "src/b.c", "lib/c.c"],
                        sizes={"src/a.c": 120, "src/b.c": 0},
                        tools=[("cppcheck", "2.10"), ("memcheck", "")],
                        state="limited", note="toomanyconfigs")
    failed = made.result("3b", state="incomplete",
                         note="the tool exited with 1")
    run = made.run(base=2, results=[third, failed], day=10, name="third",
                   commit_id="c0ffee3", state="incomplete",
                   note="the tool exited with 1")
    again = made.finding(null, 10)
    swapped_in = made.finding(unread, 10)
    made.link(run, "new", again, made.occurrence(
        third, null, "src/a.c", 17, "Null pointer: p", 5, "f", "*p"))
    made.link(run, "new", swapped_in, made.occurrence(
        third, unread, "src/b.c", 30, "z is never read", 2))
    made.link(run, "same", accepted, made.occurrence(
        third, unread, "lib/c.c", 9, "y is never read", 2, suppressed=1))
    made.link(run, "same", placeless, made.occurrence(
        third, leak, None, None, "40 bytes, lost", 0))
    made.link(run, "fixed", swapped_out, told[swapped_out])
    made.link(run, "unknown", unseen, told[unseen])
    made.link(run, "unknown", silent, told[silent])
    for position, state, finding, rule, path, until in (
            (4, "active", placeless, "", None, None),
            (9, "expired", swapped_in, "unreadVariable", "src/b.c",
             "2023-11-20"),
            (2, "unused", None, "nullPointer", "gone.c", None)):
        made.insert("suppressions", run_id=run, position=position,
                    tool="cppcheck", rule=rule, path=path, line=1,
                    message="m", reason="as agreed", until=until, state=state,
                    finding_id=finding)
    made.close()


EXPECTED = {
    "new": """\
finding,severity,tool,rule,path,line,suppressed,message
7,error,cppcheck,nullPointer,src/a.c,17,0,Null pointer: p
8,style,cppcheck,unreadVariable,src/b.c,30,0,z is never read
""",
    "fixed": """\
finding,severity,tool,rule,path,line,suppressed,seen,message
2,style,cppcheck,unreadVariable,src/b.c,4,0,2,x is never read
""",
    "unknown": """\
finding,severity,tool,rule,path,line,suppressed,seen,message
5,error,cppcheck,nullPointer,top.c,5,0,2,Null pointer: q
6,warning,clang,dead,/usr/include/x.h,1,0,2,dead store
""",
    "reopened": """\
finding,severity,tool,rule,path,line,suppressed,was,fixed_in,message
7,error,cppcheck,nullPointer,src/a.c,17,0,1,2,Null pointer: p
""",
    "by-rule": """\
tool,rule,open,was,change,new,fixed,unknown,suppressed
cppcheck,nullPointer,2,1,1,1,0,1,0
cppcheck,unreadVariable,2,2,0,1,1,0,1
clang,dead,1,1,0,0,0,1,0
memcheck,"",1,1,0,0,0,0,1
""",
    "health": """\
problem,subject,was,now,note
failed,cppcheck 2.10,,,the tool exited with 1
missing,top.c,,,
silent,clang,1,0,
limited,"cppcheck 2.10, memcheck",,,toomanyconfigs
""",
    "swaps": """\
tool,rule,verdict,finding,severity,path,line,suppressed,message
cppcheck,unreadVariable,new,8,style,src/b.c,30,0,z is never read
cppcheck,unreadVariable,fixed,2,style,src/b.c,4,0,x is never read
""",
    "suppressed": """\
state,entry,finding,tool,rule,path,line,until,reason,message
expired,9,8,cppcheck,unreadVariable,src/b.c,1,2023-11-20,as agreed,m
unused,2,,cppcheck,nullPointer,gone.c,1,,as agreed,m
active,4,4,cppcheck,"",,1,,as agreed,m
report,,3,cppcheck,unreadVariable,lib/c.c,9,,,y is never read
""",
    "hotspots": """\
path,open,change,lines,per_kloc
src/a.c,1,1,120,8.3
/usr/include/x.h,1,0,,
lib/c.c,1,0,,
src/b.c,1,0,0,
top.c,1,0,,
,1,0,,
""",
    "owners": """\
component,open,change,error,warning,low,style,info,other
src,2,1,1,0,0,1,0,0
.,1,0,1,0,0,0,0,0
/,1,0,0,1,0,0,0,0
lib,1,0,0,0,0,1,0,0
,1,0,0,0,0,0,0,1
""",
    "age": """\
tool,rule,open,day,week,month,year,older,oldest
cppcheck,nullPointer,2,1,0,1,0,0,10
cppcheck,unreadVariable,2,1,0,1,0,0,10
memcheck,"",1,0,0,1,0,0,10
clang,dead,1,0,0,1,0,0,8
""",
    "trend": """\
run,time,name,commit,state,base,open,new,fixed,unknown,suppressed
1,2023-11-14T22:13:20Z,first,c0ffee1,complete,,5,5,0,0,1
2,2023-11-16T22:13:20Z,second,,complete,1,5,1,1,0,1
3,2023-11-24T22:13:20Z,third,c0ffee3,incomplete,2,6,2,1,2,2
""",
}


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        make_history(os.path.join(cls.folder, "db"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_scgate(self, *arguments, stdin=b"", **more):
        run = subprocess.run([SCGATE, *arguments], input=stdin,
                             cwd=self.folder, capture_output=True,
                             timeout=120, **more)
        return run.returncode, run.stdout.decode(), run.stderr.decode()

    def query(self, *arguments, db="db"):
        return self.run_scgate("query", "--db", db, *arguments)

    def sql(self, *arguments, db="db", stdin=b""):
        return self.run_scgate("sql", "--db", db, *arguments, stdin=stdin)


class NamedTest(Case):
    WARNING = ("scgate query: run 3 is incomplete: the tool exited with 1\n")

    def test_each_answers_in_full(self):
        for name, expected in EXPECTED.items():
            with self.subTest(name=name):
                self.assertEqual(
                    self.query(name, "--output", "csv"),
                    (0, expected.replace("\n", "\r\n"), self.WARNING))

    def test_all_are_listed_in_the_order_of_the_design(self):
        code, out, err = self.run_scgate("query", "--list")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([line.split()[0] for line in out.splitlines()], NAMES)
        self.assertEqual(sorted(NAMES), sorted(EXPECTED))
        self.assertEqual(sorted(name + ".sql" for name in NAMES),
                         sorted(os.listdir(QUERIES)))
        self.assertEqual(out.splitlines()[0],
                         "new         What does the run have that its base has "
                         "not?")

    def test_explain_prints_the_file(self):
        for name in NAMES:
            with open(os.path.join(QUERIES, name + ".sql"),
                      encoding="utf-8") as file:
                self.assertEqual(self.run_scgate("query", name, "--explain"),
                                 (0, file.read(), ""))

    def test_runs_are_named_in_several_ways(self):
        for word in ("1", "first", "c0ffee1"):
            code, out, err = self.query("new", "--run", word, "--output",
                                        "json")
            self.assertEqual((code, len(json.loads(out)), err), (0, 5, ""))
        code, out, _ = self.query("new", "--run", "second", "--base", "first",
                                  "--output", "json")
        self.assertEqual([row["finding"] for row in json.loads(out)], [6])

    def test_another_base_changes_the_answer(self):
        code, out, _ = self.query("fixed", "--base", "first", "--output",
                                  "json")
        # 1 is back, under another number
        self.assertEqual((code, [row["finding"] for row in json.loads(out)]),
                         (0, [2]))

    def test_without_a_base_nothing_has_changed(self):
        self.assertEqual(
            self.query("by-rule", "--run", "1", "--output", "csv"),
            (0, "tool,rule,open,was,change,new,fixed,unknown,suppressed\r\n"
             "cppcheck,nullPointer,2,,,2,0,0,0\r\n"
             "cppcheck,unreadVariable,2,,,2,0,0,1\r\n"
             "memcheck,\"\",1,,,1,0,0,0\r\n", ""))
        self.assertEqual(
            self.query("health", "--run", "1", "--output", "json"),
            (0, "[]\n", ""))

    def test_a_rule_that_finds_less_than_half_is_told(self):
        path = self.path("fewer")
        made = made_store.Made(path)
        rule = made.rule("cppcheck", "r")
        result = made.result("1")
        made.run(results=[result])
        findings = [(made.finding(rule), made.occurrence(result, rule, "a.c",
                                                         at, "m"))
                    for at in range(10)]
        for finding, occurrence in findings:
            made.link(1, "new", finding, occurrence)
        result = made.result("2")
        made.run(base=1, results=[result])
        for at, (finding, occurrence) in enumerate(findings):
            if at < 4:
                occurrence = made.occurrence(result, rule, "a.c", at, "m")
            made.link(2, "same" if at < 4 else "fixed", finding, occurrence)
        made.close()
        self.assertEqual(
            self.query("health", "--output", "csv", db=path),
            (0, "problem,subject,was,now,note\r\nfewer,cppcheck: r,10,4,\r\n",
             ""))

    def test_bare_findings_reopen_by_their_words(self):
        """Where one of the two has no source; not where the lines differ."""
        for old, new, count in (("*p", "*p", 1), ("*p", "**p", 0),
                                (None, "*p", 1), ("*p", None, 1),
                                (None, None, 1)):
            with self.subTest(old=old, new=new):
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "db")
                    made = made_store.Made(path)
                    rule = made.rule("cppcheck", "r")
                    result = made.result("1")
                    for base in (None, 1, 2):
                        made.run(base=base, results=[result])
                    for run, verdict, finding, code in (
                            (1, "new", 1, old), (2, "fixed", 1, old),
                            (3, "new", 2, new)):
                        if verdict == "new":
                            made.finding(rule)
                        made.link(run, verdict, finding, made.occurrence(
                            result, rule, None, None, "m", code=code))
                    made.close()
                    code, out, _ = self.query("reopened", "--output", "json",
                                              db=path)
                    self.assertEqual((code, len(json.loads(out))), (0, count))


class TalkTest(Case):
    """What a table is accompanied by on standard error."""

    def test_which_run_it_is_and_against_which(self):
        for arguments, said in (
                (("--run", "1"), "run 1 (cppcheck-xml, complete) against no "
                 "run\n"),
                (("--run", "2"), "run 2 (cppcheck-xml, complete) against run "
                 "1\n"),
                ((), NamedTest.WARNING + "run 3 (cppcheck-xml, incomplete) "
                 "against run 2 (cppcheck-xml, complete)\n"),
                (("--run", "1", "--base", "3"), "run 1 (cppcheck-xml, "
                 "complete) against run 3 (cppcheck-xml, incomplete)\n")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.query("by-rule", *arguments)[2], said)

    def test_an_answer_without_rows_is_none(self):
        head = "problem  subject  was  now  note\n"
        self.assertEqual(self.query("health", "--run", "1"), (
            0, head, "run 1 (cppcheck-xml, complete) against no run\n"
            "health: none\n"))
        self.assertEqual(self.sql("SELECT run FROM v_runs WHERE run > 9"),
                         (0, "run\n", "rows: none\n"))
        for output, text in (("csv", "run\r\n"), ("json", "[]\n")):
            self.assertEqual(self.sql("SELECT run FROM v_runs WHERE run > 9",
                                      "--output", output), (0, text, ""))


class ImportedTest(Case):
    """What import stores is what queries read."""

    def imported(self, findings):
        text = '<?xml version="1.0"?><results version="2"><cppcheck ' \
            'version="2.10"/><errors>' + "".join(
                f'<error id="{rule}" severity="error" msg="m"><location '
                f'file="a.c" line="{line}"/></error>'
                for rule, line in findings) + "</errors></results>"
        self.assertEqual(self.run_scgate("import", "--db", "imported", "-",
                                         stdin=text.encode())[0], 0)

    def test_two_runs(self):
        self.imported([("r", 1), ("s", 2)])
        self.imported([("r", 1), ("t", 3)])
        for name, rules in (("new", ["t"]), ("fixed", ["s"]), ("unknown", []),
                            ("by-rule", ["t", "r", "s"]), ("swaps", []),
                            ("health", []), ("reopened", []),
                            ("trend", [1, 2])):
            code, out, _ = self.query(name, "--output", "json", db="imported")
            self.assertEqual((name, code, [row.get("rule", row.get("run"))
                                           for row in json.loads(out)]),
                             (name, 0, rules))
        self.imported([("r", 1), ("s", 2)])
        out = self.query("reopened", "--output", "json", db="imported")[1]
        self.assertEqual([(row["rule"], row["was"], row["fixed_in"])
                          for row in json.loads(out)], [("s", 2, 2)])


class FormatTest(Case):
    def test_a_table_has_columns(self):
        self.assertEqual(self.query("hotspots")[1],
                         "path              open  change  lines  per_kloc\n"
                         "src/a.c              1       1    120       8.3\n"
                         "/usr/include/x.h     1       0      -         -\n"
                         "lib/c.c              1       0      -         -\n"
                         "src/b.c              1       0      0         -\n"
                         "top.c                1       0      -         -\n"
                         "-                    1       0      -         -\n")

    def test_json_has_numbers_and_null(self):
        rows = json.loads(self.query("hotspots", "--output", "json")[1])
        self.assertEqual(rows[0], {"path": "src/a.c", "open": 1, "change": 1,
                                   "lines": 120, "per_kloc": 8.3})
        self.assertEqual(rows[-1], {"path": None, "open": 1, "change": 0,
                                    "lines": None, "per_kloc": None})

    def test_hostile_text_steers_nothing(self):
        evil = ("x'); DROP TABLE runs; --\",\r\n\x1b[31m <script> %s "
                "\u202e :run =1+1")
        path = self.path("evil")
        made = made_store.Made(path)
        rule = made.rule(evil, evil)
        result = made.result("1", tools=[(evil, evil)], units=[evil])
        made.run(results=[result], name=evil, commit_id=evil)
        made.link(1, "new", made.finding(rule),
                  made.occurrence(result, rule, evil, 1, evil))
        made.close()
        for name in NAMES:
            code, out, err = self.query(name, db=path)
            self.assertEqual((code, err.splitlines()[0]), (
                0, "run 1 (cppcheck-xml, complete) against no run"))
            self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\u202e]", out), name)
        row = list(csv.DictReader(io.StringIO(
            self.query("new", "--output", "csv", db=path)[1], newline="")))[0]
        self.assertEqual([row[name] for name in ("tool", "rule", "path",
                                                 "message")], [evil] * 4)
        row = json.loads(self.query("new", "--output", "json", db=path)[1])[0]
        self.assertEqual([row[name] for name in ("tool", "rule", "path",
                                                 "message")], [evil] * 4)
        self.assertEqual(json.loads(self.sql("--output", "json", "SELECT name "
                                             "FROM v_runs", db=path)[1]),
                         [{"name": evil}])

    def test_a_full_disk_is_no_success(self):
        for command in (("query", "new"), ("sql", "SELECT 1"),
                        ("query", "--list"), ("query", "new", "--explain"),
                        ("sql", "--help")):
            with self.subTest(command=command):
                more = () if command[-1].startswith("--") else ("--db", "db")
                with open("/dev/full", "wb") as full:
                    run = subprocess.run(
                        [SCGATE, *command, *more], stdout=full, timeout=60,
                        stderr=subprocess.PIPE, cwd=self.folder)
                self.assertEqual(run.returncode, 3)
                self.assertIn(b"cannot write: No space left on device",
                              run.stderr)

    def test_a_broken_pipe_is_no_success_and_silent(self):
        endless = ("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 "
                   "FROM c) SELECT n FROM c")
        run = subprocess.Popen([SCGATE, "sql", "--db", "db", endless],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=self.folder)
        run.stdout.read(10)
        run.stdout.close()
        self.assertEqual(run.stderr.read(),
                         b"")
        run.stderr.close()
        self.assertEqual(run.wait(60), 3)


class DocumentedTest(Case):
    """Each file says what its columns mean, and so does the guide."""

    def comment(self, name):
        """The summary, the text on rows, and the meanings of the columns."""
        with open(os.path.join(QUERIES, name + ".sql"),
                  encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "-- SPDX-License-Identifier: MIT")
        lines = [line[2:] for line in lines[1:lines.index(next(
            line for line in lines if not line.startswith("--")))]]
        self.assertRegex(lines[0], r"^ [A-Z].*\?$")
        self.assertEqual(lines[1], "")
        rows, columns = lines[2:lines.index("", 2)], {}
        for line in lines[lines.index("", 2) + 1:]:
            match = re.match("   ([a-z_]+)  +(.*)$", line)
            if match:
                columns[match[1]] = match[2]
            else:
                self.assertRegex(line, "^ {8,}[^ ]", name)
        return lines[0].strip(), " ".join(rows), columns

    def test_the_comment_has_each_column(self):
        for name in NAMES:
            with self.subTest(name=name):
                header = EXPECTED[name].splitlines()[0].split(",")
                self.assertEqual(list(self.comment(name)[2]), header)
                self.assertRegex(self.comment(name)[1], "A row ")

    def test_the_guide_has_each_query_and_column(self):
        with open(os.path.join(ROOT, "docs/scgate-query.md"),
                  encoding="utf-8") as file:
            guide = file.read()
        for name in NAMES:
            with self.subTest(name=name):
                summary, _, columns = self.comment(name)
                row = next((line for line in guide.splitlines()
                            if line.startswith(f"| `{name}` |")), "")
                self.assertIn(summary, row)
                self.assertIn(", ".join(columns), row)


class RefusalTest(Case):
    def refuse(self, message, *arguments, stdin=b""):
        with open(self.path("db"), "rb") as file:
            before = file.read()
        self.assertEqual(self.sql(*arguments, stdin=stdin),
                         (2, "", f"scgate sql: {message}\n"))
        with open(self.path("db"), "rb") as file:
            self.assertEqual(file.read(), before)

    def test_what_does_more_than_read(self):
        only = "a question may only read: "
        for statement, what in (
                ("INSERT INTO tools (name) VALUES ('x')", "INSERT"),
                ("UPDATE runs SET name = 'x'", "UPDATE"),
                ("DELETE FROM runs", "DELETE"),
                ("REPLACE INTO tools (name) VALUES ('x')", "INSERT"),
                ("INSERT INTO tools (name) VALUES ('x') RETURNING id",
                 "INSERT"),
                ("EXPLAIN DELETE FROM runs", "DELETE"),
                ("CREATE TABLE x (y)", "a change of the schema"),
                ("CREATE TEMP TABLE x (y)", "a change of the schema"),
                ("CREATE VIRTUAL TABLE x USING fts5 (y)",
                 "a change of the schema"),
                ("DROP TABLE runs", "a change of the schema"),
                ("ALTER TABLE runs ADD x", "ALTER"),
                ("ATTACH 'other' AS o", "ATTACH"),
                ("DETACH main", "DETACH"),
                ("PRAGMA user_version = 9", "PRAGMA"),
                ("PRAGMA user_version", "PRAGMA"),
                ("SELECT * FROM pragma_table_info('runs')", "PRAGMA"),
                ("BEGIN", "a transaction"),
                ("SAVEPOINT x", "SAVEPOINT"),
                ("SELECT load_extension('x')", "load_extension()"),
                ("SELECT LOAD_EXTENSION('x', 'y')", "load_extension()"),
                ("SELECT fts3_tokenizer('x')", "fts3_tokenizer()")):
            with self.subTest(statement=statement):
                self.refuse(only + what + " is refused", statement)
        self.assertEqual(sorted(name for name in os.listdir(self.folder)
                                if name.startswith("o")), [])

    def test_vacuum(self):
        self.refuse("a question may only read, and must have rows",
                    "VACUUM INTO 'other'")
        self.assertFalse(os.path.exists(self.path("other")))

    def test_functions_of_the_shell_are_not_there(self):
        for call in ("writefile('x', 'y')", "readfile('db')", "edit('x')"):
            code, out, err = self.sql("SELECT " + call)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(call.split("(")[0], err)
        self.assertFalse(os.path.exists(self.path("x")))

    def test_tables_of_functions_can_be_read_and_the_schema_not_changed(self):
        self.assertEqual(self.sql("SELECT sum(value) AS x FROM "
                                  "json_each('[1, 2]')", "--output", "csv"),
                         (0, "x\r\n3\r\n", ""))
        self.refuse("table sqlite_master may not be modified",
                    "UPDATE sqlite_master SET sql = ''")

    def test_one_statement_is_asked(self):
        more = "one statement is wanted, not more"
        self.refuse(more, "SELECT 1; SELECT 2")
        self.refuse(more, "SELECT 1; DROP TABLE runs")
        self.refuse(more, "SELECT 1; this is no SQL")
        self.refuse("there is no statement", "")
        self.refuse("there is no statement", " ; -- nothing")
        self.assertEqual(self.sql("; -- first\n;SELECT 1 AS x; /* last */ ; ",
                                  "--output", "csv"), (0, "x\r\n1\r\n", ""))

    def test_what_is_no_sql(self):
        self.refuse('near "SELEC": syntax error', "SELEC 1")
        self.refuse("no such table: absent", "SELECT * FROM absent")
        self.refuse("integer overflow",
                    "SELECT sum(x) FROM (SELECT 9223372036854775807 AS x "
                    "UNION ALL SELECT 9223372036854775807)")

    def test_parameters_without_a_value(self):
        self.refuse("nothing gives :run a value",
                    "SELECT * FROM runs WHERE id = :run")
        self.refuse("nothing gives ? a value", "SELECT ?")

    def test_endless_recursion_ends(self):
        self.refuse("it takes more than 10000 steps; --steps N allows more", "--steps", "10000",
                    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 "
                    "FROM c) SELECT count(*) FROM c")
        self.refuse("it takes more than 1 steps; --steps N allows more", "--steps", "1",
                    "SELECT count(*) FROM occurrences")

    def test_one_step_that_does_not_end_is_ended(self):
        self.refuse("the statement takes too long; --seconds N allows more",
                    "--seconds", "1",
                    "SELECT instr(hex(zeroblob(30000000)), "
                    "hex(zeroblob(10000000)) || '1')")

    def test_what_is_too_large(self):
        self.refuse("a text or blob is too long",
                    "SELECT length(zeroblob(100000000))")
        self.refuse("a text or blob is too long",
                    "WITH RECURSIVE c(n) AS (SELECT 'xxxxxxxxxxxxxxxx' UNION "
                    "ALL SELECT n || n FROM c) SELECT count(n) FROM c")

    def test_memory_is_bounded(self):
        code, out, err = self.sql(
            "WITH RECURSIVE c(n, b) AS (SELECT 1, randomblob(30000000) UNION "
            "ALL SELECT n + 1, randomblob(30000000) FROM c) SELECT n FROM c "
            "ORDER BY b")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("it takes more than 512 MiB of memory", err)

    def test_a_statement_from_standard_input(self):
        self.assertEqual(self.sql("-", "--output", "csv",
                                  stdin=b"SELECT name\nFROM tools ORDER BY 1"),
                         (0, "name\r\nclang\r\ncppcheck\r\nmemcheck\r\n", ""))
        self.refuse("there is a NUL in the statement", "-",
                    stdin=b"SELECT 1\0; DROP TABLE runs")
        self.refuse("the statement is longer than 1048576 bytes", "-",
                    stdin=b" " * 1048577)

    def test_a_database_that_is_not_there_is_not_made(self):
        for command in (("query", "new"), ("sql", "SELECT 1"), ("runs",)):
            code, out, err = self.run_scgate(*command, "--db", "none")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("none", err)
            self.assertFalse(os.path.exists(self.path("none")))

    def test_a_database_of_another_program(self):
        connection = sqlite3.connect(self.path("bookmarks"))
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
        connection.commit()
        connection.close()
        for command in (("query", "new"), ("sql", "SELECT 1"), ("runs",)):
            code, out, err = self.run_scgate(*command, "--db", "bookmarks")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("bookmarks", err)

    def test_usage(self):
        for arguments, why in (
                (("query",), "the name of a query is wanted"),
                (("query", "neww"),
                 'no query "neww", did you mean "new"?'),
                (("query", "x\x1b[31m"), 'no query "x?[31m"; scgate query '
                 '--list tells all'),
                (("query", "new", "fixed"), "not wanted: fixed"),
                (("query", "new", "--list"), "not wanted beside --list: new"),
                (("query", "new", "--output", "xml"), "unknown output: xml; "
                 "known are table, csv and json"),
                (("query", "--explain"), "the name of a query is wanted"),
                (("sql",), "a statement is wanted"),
                (("sql", "SELECT 1", "2"),
                 "one statement is wanted, not also: 2"),
                (("sql", "--steps", "-1", "x"), "--steps takes a number"),
                (("sql", "--steps", "1x", "x"), "--steps takes a number"),
                (("sql", "--output", "jsonl", "x"), "unknown output: jsonl; "
                 "known are table, csv and json")):
            with self.subTest(arguments=arguments):
                code, out, err = self.run_scgate(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertEqual(err.splitlines()[0],
                                 f"scgate {arguments[0]}: {why}")

    def test_a_run_that_is_not_there(self):
        for arguments in (("--run", "99"), ("--run", "nobody"),
                          ("--run", "1", "--base", "99")):
            with self.subTest(arguments=arguments):
                code, out, err = self.query("new", *arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(err.startswith("scgate query: "), err)


if __name__ == "__main__":
    unittest.main()
