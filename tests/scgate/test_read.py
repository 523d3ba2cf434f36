#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate read: findings out of reports, and how each report ended."""
import fcntl
import json
import os
import struct
import subprocess
import tempfile
import termios
import unittest

SCGATE = os.environ["SLUICE_SCGATE"]

# Intel's static analysis, by the facts that are known of it.
PDR = """<?xml version="1.0" encoding="utf-8"?>
<diags>
 <diag>
  <message>
   <sc_verbose>pool.c(157): warning #12178: this value of "ret" isn't used in \
the program</sc_verbose>
   <thread><stacktrace><loc><file>.../src/pool.c</file><line>157</line></loc>\
</stacktrace></thread>
  </message>
 </diag>
 <diag>
  <message>
   <thread><stacktrace><loc><file>.../src/pool.c</file><line>186</line></loc>\
</stacktrace></thread>
  </message>
  <sc_verbose>pool.c(186): error #12192: unreachable statement</sc_verbose>
 </diag>
 <diag>
  <message>
   <sc_verbose>pool.c(216): warning #12135: procedure "pool_done" is never \
caled</sc_verbose>
   <thread><stacktrace><loc><file>.../src/pool.c</file><line>216</line></loc>\
</stacktrace></thread>
  </message>
 </diag>
</diags>
"""

CPPCHECK = """<?xml version="1.0" encoding="UTF-8"?>
<results version="2">
 <cppcheck version="2.10"/>
 <errors>
  <error id="nullPointer" severity="error" msg="Null pointer dereference: p" \
verbose="Null pointer dereference: p" cwe="476" file0="a.c">
   <location file="a.c" line="7" column="3" info="Null pointer dereference"/>
   <location file="a.c" line="6" column="12" info="Assignment"/>
  </error>
 </errors>
</results>
"""

# One leak, met twice.
VALGRIND = """<?xml version="1.0"?>
<valgrindoutput>
<protocolversion>4</protocolversion><protocoltool>memcheck</protocoltool>
<pid>1</pid><ppid>2</ppid><tool>memcheck</tool>
<status><state>RUNNING</state><time>1</time></status>
%s
<status><state>FINISHED</state><time>2</time></status>
</valgrindoutput>
""" % "".join(f"""<error><unique>0x{at}</unique><tid>1</tid>
<kind>Leak_DefinitelyLost</kind>
<xwhat><text>{at} bytes in 1 blocks are definitely lost in loss record {at} \
of 2</text></xwhat>
<stack><frame><ip>0x1</ip><fn>f</fn><dir>/builds/us/src</dir>\
<file>a.c</file><line>7</line></frame></stack></error>
""" for at in (1, 2))

TABLE = ("SEVERITY  RULE         PLACE  MESSAGE\n"
         "error     nullPointer  a.c:7  Null pointer dereference: p\n")
COLORED = ("SEVERITY  RULE         PLACE  MESSAGE\r\n"
           "\x1b[1;31merror   \x1b[0m  nullPointer  a.c:7  "
           "Null pointer dereference: p\r\n")


class ReadTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode())
        return name

    def read(self, *arguments, stdin=b""):
        run = subprocess.run([SCGATE, "read", *arguments], input=stdin,
                             cwd=self.folder, capture_output=True, timeout=60)
        return run.returncode, run.stdout.decode(), run.stderr.decode()

    def test_the_classic_view_of_a_pdr_report(self):
        self.write("r0sc/data.0/r0sc.pdr", PDR)
        lines = (
            ".../src/pool.c:157:pool.c(157): warning #12178: this value of "
            "\"ret\" isn't used in the program\n"
            ".../src/pool.c:186:pool.c(186): error #12192: unreachable "
            "statement\n"
            ".../src/pool.c:216:pool.c(216): warning #12135: procedure "
            '"pool_done" is never caled\n')
        self.assertEqual(self.read("--output", "classic", "r0sc"),
                         (0, lines, "r0sc: complete, 3 findings (pdr)\n"))
        self.assertEqual(self.read("r0sc/data.0/r0sc.pdr")[:2], (0, lines))

    def test_a_finding_as_a_json_line(self):
        self.write("report.xml", CPPCHECK)
        code, out, err = self.read("--output", "jsonl", "report.xml")
        self.assertEqual((code, err), (
            0, "report.xml: complete, 1 finding (cppcheck-xml)\n"))
        finding = json.loads(out)
        self.assertEqual(out.count("\n"), 1)
        self.assertEqual(finding["tool"], "cppcheck")
        self.assertEqual(finding["rule"], "nullPointer")
        self.assertEqual(finding["severity"], "error")
        self.assertEqual(finding["cwe"], 476)
        self.assertEqual((finding["path"], finding["line"],
                          finding["column"]), ("a.c", 7, 3))
        self.assertEqual(finding["units"], ["a.c"])
        self.assertEqual(finding["events"][0]["line"], 6)

    def test_paths_relative_to_a_root(self):
        root = os.path.join(self.folder, "tree")
        self.write("tree/src/a.c", "")
        os.symlink("src/a.c", os.path.join(root, "link.c"))
        for path, shown in ((f"{root}/src/a.c", "src/a.c"),
                            (f"{root}/none/../link.c", "src/a.c"),
                            (f"{root}/link.c", "src/a.c"),
                            ("src/a.c", "src/a.c"),
                            ("tree/src/a.c", "src/a.c"),
                            ("src\\a.c", "src/a.c"),
                            ("gone.c", "gone.c"),
                            ("/usr/./none.h", "/usr/none.h")):
            with self.subTest(path=path):
                report = CPPCHECK.replace('"a.c"', f'"{path}"').encode()
                code, out, _ = self.read("--root", "tree", "--output",
                                         "jsonl", "-", stdin=report)
                finding = json.loads(out)
                self.assertEqual(code, 0)
                self.assertEqual(finding["path"], shown)
                self.assertEqual(finding["units"], [shown])
                self.assertEqual(finding["events"][0]["path"], shown)
                self.assertEqual(
                    self.read("--root", "tree", "-", stdin=report)[1],
                    f"{path}:7:Null pointer dereference: p\n")

    def test_a_root_that_is_not_there(self):
        self.write("report.xml", CPPCHECK)
        self.assertEqual(
            self.read("--root", "none", "--output", "jsonl", "report.xml"),
            (2, "", "scgate read: cannot use none as the root: No such file "
             "or directory\n"))
        self.assertEqual(
            self.read("--root", "report.xml", "--output", "table", "-"),
            (2, "", "scgate read: the root report.xml is not a folder\n"))

    def test_repeats_at_run_time_become_a_count(self):
        self.write("report.xml", VALGRIND)
        code, out, err = self.read("--root", "/builds/us", "--output", "jsonl",
                                   "report.xml", "report.xml")
        findings = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((code, err), (0, "report.xml: complete, 2 findings "
                                       "(valgrind-xml)\n" * 2))
        self.assertEqual([(finding["path"], finding["line"],
                           finding["repeats"]) for finding in findings],
                         [("src/a.c", 7, 2)] * 2)
        code, out, _ = self.read("report.xml")
        self.assertEqual((code, out.count("\n")), (0, 2))

    def test_a_piped_table_has_80_columns_and_no_colours(self):
        self.write("report.xml", CPPCHECK)
        self.assertEqual(
            self.read("--output", "table", "report.xml"),
            (0, TABLE, "report.xml: complete, 1 finding (cppcheck-xml)\n"))
        self.write("long.xml", CPPCHECK.replace("Null pointer dereference: p",
                                                "p" * 200))
        code, out, _ = self.read("--output", "table", "long.xml")
        self.assertEqual(code, 0)
        self.assertEqual([len(line) for line in out.splitlines()],
                         [len(TABLE.splitlines()[0]), 80])

    def on_terminal(self, columns, environment, *arguments):
        try:
            main, terminal = os.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be made here: {error}")
        self.addCleanup(os.close, main)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, columns, 0, 0))
        run = subprocess.run([SCGATE, "read", *arguments], stdout=terminal,
                             stderr=subprocess.DEVNULL, cwd=self.folder,
                             env={**os.environ, **environment}, timeout=60)
        os.close(terminal)
        self.assertEqual(run.returncode, 0)
        return os.read(main, 65536).decode()

    def test_a_table_on_a_terminal(self):
        self.write("report.xml", CPPCHECK)
        arguments = ("--output", "table", "report.xml")
        self.assertEqual(self.on_terminal(100, {"NO_COLOR": ""}, *arguments),
                         COLORED)
        self.assertEqual(self.on_terminal(100, {"NO_COLOR": "1"}, *arguments),
                         TABLE.replace("\n", "\r\n"))
        self.assertIn("Null pointer derefer\u2026\r\n",
                      self.on_terminal(50, {"NO_COLOR": "1"}, *arguments))

    def test_a_sarif_log_is_read_back(self):
        self.write("report.xml", CPPCHECK)
        code, log, _ = self.read("--output", "sarif", "report.xml")
        self.assertEqual(code, 0)
        driver = json.loads(log)["runs"][0]["tool"]["driver"]
        self.assertEqual((driver["name"], driver["version"]),
                         ("cppcheck", "2.10"))
        self.assertEqual([rule["id"] for rule in driver["rules"]],
                         ["nullPointer"])
        code, out, err = self.read("--output", "jsonl", "-",
                                   stdin=log.encode())
        before = json.loads(self.read("--output", "jsonl", "report.xml")[1])
        self.assertEqual((code, err), (0, "-: complete, 1 finding (sarif)\n"))
        self.assertEqual(json.loads(out), before)

    def test_a_sarif_log_says_when_a_report_was_not_whole(self):
        text = CPPCHECK[:CPPCHECK.index(" </errors>")]
        for report, code, findings in ((text, 3, "1 finding"),
                                       ("", 2, "0 findings")):
            with self.subTest(report=report):
                first, log, _ = self.read("--output", "sarif", "-",
                                          stdin=report.encode())
                self.assertEqual(first, code)
                second, _, err = self.read("-", stdin=log.encode())
                self.assertEqual((second, err), (
                    3, f"-: the tool failed, {findings} (sarif): the tool "
                    "says that it failed\n"))

    def test_a_stream_needs_no_name(self):
        code, out, err = self.read("-", stdin=CPPCHECK.encode())
        self.assertEqual((code, out, err), (
            0, "a.c:7:Null pointer dereference: p\n",
            "-: complete, 1 finding (cppcheck-xml)\n"))

    def test_a_log_cannot_prove_that_it_ended(self):
        code, out, err = self.read(
            "-", stdin=b"a.c:3:5: warning: unused variable 'x' "
            b"[-Wunused-variable]\n")
        self.assertEqual(code, 0)
        self.assertEqual(out, "a.c:3:unused variable 'x'\n")
        self.assertIn("-: unverified, 1 finding", err)

    def test_a_report_that_breaks_off_keeps_what_came_before(self):
        text = CPPCHECK[:CPPCHECK.index(" </errors>")]
        code, out, err = self.read("-", stdin=text.encode())
        self.assertEqual((code, out),
                         (3, "a.c:7:Null pointer dereference: p\n"))
        self.assertIn("broken off, 1 finding (cppcheck-xml)", err)

    def test_what_is_no_report_is_not_clean(self):
        for text, words in (("", "it is empty; if the tool had "
                             "nothing to say, name its --format"),
                            ("Dear all,\nhave a nice day.\n",
                             "in none of the formats known here")):
            with self.subTest(text=text):
                code, out, err = self.read("-", stdin=text.encode())
                self.assertEqual((code, out), (2, ""))
                self.assertEqual(err, f"-: no report, 0 findings: {words}\n")

    def test_a_file_that_is_not_there(self):
        self.assertEqual(self.read("none.xml"), (
            2, "", "scgate read: cannot open none.xml: No such file or "
            "directory\n"))

    def test_a_full_disk_is_no_success(self):
        self.write("report.xml", CPPCHECK)
        with open("/dev/full", "wb") as full:
            for output in ("classic", "table", "jsonl", "sarif"):
                run = subprocess.run(
                    [SCGATE, "read", "--output", output, "report.xml"],
                    stdout=full, stderr=subprocess.PIPE, cwd=self.folder,
                    timeout=60)
                self.assertEqual(run.returncode, 3)
                self.assertEqual(run.stderr.decode().splitlines()[-1],
                                 "scgate read: cannot write: No space left "
                                 "on device")

    def test_usage(self):
        for arguments in ((), ("--format", "none", "x"),
                          ("--output", "none", "x"), ("--none", "x")):
            with self.subTest(arguments=arguments):
                code, out, err = self.read(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(err.startswith("scgate read: "), err)


if __name__ == "__main__":
    unittest.main()
