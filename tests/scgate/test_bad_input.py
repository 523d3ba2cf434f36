#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate read and scgate import on what is no report, or one made to hurt."""
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest

from samples import JSON, MAKERS, RULES, TEXT, XML, sample
from support import SCGATE, THREE, Case, cppcheck

MIB = 1 << 20
# What a stream has: all of it takes minutes, so only who asks gets it.
LONG = "SLUICE_LONG_TESTS" in os.environ
STREAM_BYTES = 2 << 30 if LONG else 16 * MIB
MEMORY_KIB = 64 * 1024
UNKNOWN = "no report, 0 findings: in none of the formats known here\n"
ALONE = re.compile("scgate import: run .* is held against no run: .*\n")
NOTHING = "scgate import: nothing was imported\n"
EMPTY = "it is empty; if the tool had nothing to say, name its --format"

# Starts its arguments and tells the most memory that they had: what a process
# had before it became another one counts too, and this is a small one.
MEASURE = """
import os, sys
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w") as file:
    file.write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status) & 255)
"""


def is_sanitized():
    """Whether scgate was built with a sanitizer, which takes memory itself."""
    with open(SCGATE, "rb") as file:
        return b"__asan_init" in file.read()


SANITIZED = is_sanitized()


def noise(size):
    return random.Random(17).randbytes(size)


ELF = (b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00\x01\x00\x00\x00"
       + noise(4000) + b"\0GCC: (Debian) 12.2.0\0%s:%d: error: %s\n\0.text\0"
       + bytes(4000))
PNG = (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"
       b"\0\0\0\x0cIDAT\x08\xd7c\xf8\xcf\xc0\0\0\0\3\0\1\x18\xdd\x8d\xb0")
SHELL = (b"$ make\ncc -c a.c -o a.o\nmake: 'all' is up to date.\n$ ls -l\n"
         b"total 4\n-rw-r--r-- 1 us us 12 Jan  1 12:00 a.c\n$ exit\n")


class BadInputCase(Case):
    def read(self, *arguments, stdin=b""):
        return self.run_scgate("read", *arguments, stdin=stdin)

    def take_in(self, *arguments, stdin=b""):
        """What it says of the run, as against the report, is left out."""
        code, out, err = self.run_scgate("import", "--db", "db", *arguments,
                                         stdin=stdin)
        return code, out, ALONE.sub("", err)

    def check_stored(self, runs, findings):
        self.check_whole()
        self.assertEqual(self.rows(
            "SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM "
            "occurrences)"), [(runs, findings)])

    def check_both(self, text, ending, read_code, out=None, run=None):
        """Both commands, on standard input. @p run: what import says of its
        run, behind the number; None: nothing is imported."""
        code, seen, err = self.read("-", stdin=text)
        self.assertEqual((code, err), (read_code, f"-: {ending}\n"))
        if out is not None:
            self.assertEqual(seen, out)
        code, seen, err = self.take_in("-", stdin=text)
        if run is None:
            self.assertEqual((code, seen, err),
                             (2, "", f"-: {ending}\n{NOTHING}"))
        else:
            self.assertEqual((seen, err),
                             (f"run 1: {run}\n", f"-: {ending}\n"))
            self.assertEqual(code, read_code)


class NoReportTest(BadInputCase):
    def test_what_is_no_report_is_none(self):
        self.add(THREE)
        for name, text in (("random", noise(100000)), ("elf", ELF),
                           ("png", PNG), ("shell", SHELL), ("zeros",
                           bytes(100000)), ("newlines", b"\n" * 100000)):
            with self.subTest(name=name):
                self.write(name, text)
                self.assertEqual(self.read(name),
                                 (2, "", f"{name}: {UNKNOWN}"))
                self.assertEqual(self.take_in(name),
                                 (2, "", f"{name}: {UNKNOWN}{NOTHING}"))
                self.check_stored(1, 3)

    def test_what_is_no_report_is_none_in_the_named_format_either(self):
        self.add(THREE)
        # gcc and clang are often inside of a log of something else, and what
        # such a log has none of may be a clean one
        for name in MAKERS:
            for text in (noise(100000), ELF, PNG):
                with self.subTest(format=name, text=text[:8]):
                    code, out, err = self.read("--format", name, "-",
                                               stdin=text)
                    self.assertEqual((code, out), (2, ""))
                    self.assertRegex(err, r"^-(:\d+:\d+)?: no report, 0 "
                                     rf"findings \({name}\): .+\n$")
                    code, out, err = self.take_in("--format", name, "-",
                                                  stdin=text)
                    self.assertEqual((code, out), (2, ""))
                    self.assertTrue(err.endswith("\n" + NOTHING), err)
        self.check_stored(1, 3)

    def test_nothing_at_all(self):
        self.write("empty", "")
        ending = f"empty: no report, 0 findings: {EMPTY}\n"
        self.assertEqual(self.read("empty"), (2, "", ending))
        self.assertEqual(self.take_in("empty"), (2, "", ending + NOTHING))
        for name in XML + JSON:
            with self.subTest(format=name):
                code, out, err = self.read("--format", name, "empty")
                self.assertEqual((code, out), (2, ""))
                self.assertRegex(err, "^empty: no report, 0 findings ")
        # a compiler that has nothing to say says nothing
        for name in TEXT:
            with self.subTest(format=name):
                code, out, err = self.read("--format", name, "empty")
                self.assertEqual((code, out, err), (
                    0, "", f"empty: unverified, 0 findings ({name}): an empty "
                    "log\n"))

    def test_a_file_that_is_not_there(self):
        said = "cannot open none: No such file or directory\n"
        self.assertEqual(self.read("none"), (2, "", f"scgate read: {said}"))
        self.assertEqual(self.take_in("none"),
                         (2, "", f"scgate import: {said}{NOTHING}"))

    def test_a_pipe_that_closes_at_once(self):
        os.mkfifo(self.path("pipe"))
        ending = f"pipe: no report, 0 findings: {EMPTY}\n"
        for command, said in ((self.read, ending),
                              (self.take_in, ending + NOTHING)):
            writer = threading.Thread(target=lambda: os.close(os.open(
                self.path("pipe"), os.O_WRONLY)))
            writer.start()
            self.assertEqual(command("pipe"), (2, "", said))
            writer.join()

    def test_standard_input_that_is_a_folder(self):
        for arguments in (("read",), ("import", "--db", "db")):
            folder = os.open(self.folder, os.O_RDONLY)
            self.addCleanup(os.close, folder)
            run = subprocess.run([SCGATE, *arguments, "-"], cwd=self.folder,
                                 stdin=folder, capture_output=True, timeout=60)
            self.assertEqual((run.returncode, run.stdout), (2, b""))
            self.assertEqual(run.stderr.decode().splitlines()[0], "scgate "
                             f"{arguments[0]}: cannot read -: Is a directory")

    def test_standard_input_that_is_closed(self):
        for arguments, said in (
                (("read", "-"),
                 "scgate read: cannot open -: Bad file descriptor\n"),
                # SQLite puts /dev/null where the standard streams should be
                (("import", "--db", "db", "-"),
                 f"-: no report, 0 findings: {EMPTY}\n" + NOTHING)):
            run = subprocess.run([SCGATE, *arguments], cwd=self.folder,
                                 capture_output=True, timeout=60,
                                 preexec_fn=lambda: os.close(0))
            self.assertEqual((run.returncode, run.stdout, run.stderr.decode()),
                             (2, b"", said))

    def test_names_do_not_steer_the_terminal(self):
        self.write("\x1b[2J\n.xml", "")
        self.assertEqual(self.read("\x1b[2J\n.xml", "\x1b[31m"), (
            2, "", f"?[2J?.xml: no report, 0 findings: {EMPTY}\n"
            "scgate read: cannot open ?[31m: No such file or directory\n"))


class FolderTest(BadInputCase):
    """rNsc/, the folders of Intel's static analysis."""

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        self.write(name, text)

    def one(self, line):
        return sample("pdr", line=str(line)).decode()

    def test_a_folder_without_reports(self):
        os.mkdir(self.path("r0sc"))
        said = "r0sc is a folder without data.N/r0sc.pdr\n"
        self.assertEqual(self.read("r0sc"), (2, "", f"scgate read: {said}"))
        self.assertEqual(self.take_in("r0sc"),
                         (2, "", f"scgate import: {said}{NOTHING}"))

    def test_numbers_beyond_reason_are_none(self):
        for number in ("99999999999999", "9223372036854775807", "-1", "+2",
                       "007", "x", "4x", ""):
            self.put(f"r0sc/data.{number}/r0sc.pdr", self.one(1))
        self.put("r0sc/data.10/r0sc.pdr", self.one(10))
        self.put("r0sc/data.9/r0sc.pdr", self.one(9))
        code, out, err = self.read("r0sc")
        self.assertEqual((code, err), (
            0, "r0sc: complete, 2 findings (pdr)\n"))
        self.assertEqual([line.split(":")[1] for line in out.splitlines()],
                         ["9", "10"])

    def test_the_folder_that_one_is_in(self):
        self.put("r0sc/data.0/r0sc.pdr", self.one(1))
        for name in (".", "./", "../r0sc", "../r0sc//", "data.0/.."):
            with self.subTest(name=name):
                code, _, err = self.run_scgate("read", name,
                                               cwd=self.path("r0sc"))
                self.assertEqual((code, err), (
                    0, f"{name}: complete, 1 finding (pdr)\n"))

    def test_it_says_which_report_is_broken(self):
        self.put("r0sc/data.0/r0sc.pdr", self.one(1))
        text = self.one(2)
        self.put("r0sc/data.1/r0sc.pdr", text[:text.index("</diags>")])
        self.put("r0sc/data.2/r0sc.pdr", self.one(3))
        ending = ("r0sc:5:1: broken off, 3 findings (pdr): data.1: the "
                  "document ends inside of an element\n")
        code, out, err = self.read("r0sc")
        self.assertEqual((code, out.count("\n"), err), (3, 3, ending))
        self.assertEqual(self.take_in("r0sc"), (
            3, "run 1: 3 found, 3 new, 0 known; incomplete: broken off: "
            "data.1: the document ends inside of an element\n", ending))

    def test_a_report_that_cannot_be_opened_is_not_passed_over(self):
        self.put("r0sc/data.0/r0sc.pdr", self.one(1))
        os.mkdir(self.path("r0sc/data.1"))
        os.symlink("r0sc.pdr", self.path("r0sc/data.1/r0sc.pdr"))
        said = ("cannot open r0sc/data.1/r0sc.pdr: Too many levels of "
                "symbolic links\n")
        code, out, err = self.read("r0sc")
        self.assertEqual((code, out.count("\n"), err),
                         (2, 1, f"scgate read: {said}"))
        self.assertEqual(self.take_in("r0sc"),
                         (2, "", f"scgate import: {said}{NOTHING}"))


@unittest.skipUnless(shutil.which("strace"), "no strace here")
class ReadErrorTest(BadInputCase):
    def test_a_disk_that_fails_in_the_middle_is_a_break(self):
        text = cppcheck(THREE)
        # the fault comes behind the first piece, of 64 KiB
        self.write("a.xml", text.replace(" </errors>", "\n" * 70000
                                         + " </errors>"))
        for command in (("read",), ("import", "--db", "db")):
            run = subprocess.run(
                ["strace", "-qq", "-o", os.devnull, "-e",
                 "inject=read:error=EIO:when=2", "-P",
                 os.path.realpath(self.path("a.xml")), SCGATE, *command,
                 "a.xml"], cwd=self.folder, capture_output=True,
                env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
                timeout=60)
            err = run.stderr.decode()
            if "ptrace" in err or "strace:" in err:
                self.skipTest("strace may not trace")
            self.assertEqual(run.returncode, 3)
            self.assertRegex(err, r"^a.xml:\d+:1: broken off, 3 findings "
                             r"\(cppcheck-xml\): cannot read the rest: "
                             "Input/output error\n$")
            self.assertEqual(run.stdout.decode().count("\n"),
                             3 if command == ("read",) else 1)
        self.check_stored(1, 3)


def repeat(head, piece, total, tail=b""):
    """Pieces of a stream."""
    yield head
    block = piece * max(1, 65536 // len(piece))
    for _ in range(total // len(block) + 1):
        yield block
    yield tail


XML_HEAD = (b'<?xml version="1.0"?>\n<results version="2">\n <cppcheck '
            b'version="2.10"/>\n <errors>\n')
PLIST_HEAD = (b'<?xml version="1.0"?>\n<plist version="1.0"><dict>\n'
              b'<key>clang_version</key><string>x</string>\n')
SARIF_HEAD = (b'{"version": "2.1.0", "$schema": "sarif", "runs": [\n{"tool": '
              b'{"driver": {"name": "x"}},\n')
GCC_JSON_HEAD = (b'[{"kind": "warning", "message": "m", "locations": [{"caret"'
                 b': {"file": "a.c", "line": 1}}],\n')
BROKEN_XML = "the document ends inside of an element"
BROKEN_JSON = "ends in the middle of the document"
LOG_ENDING = "a text log cannot prove that it is whole"
GCC_LINE = b"a.c:1:2: warning: m [-Wx]\n"
GCC_JSON_MANY = (b'[{"kind": "warning", "message": "m", "locations": []}]\n')

# What it is, how it begins, what comes then without end, exit code, and the
# end of what is said. All of it in bounded memory.
STREAMS = (
    ("elements in each other", XML_HEAD, b"<error>", 3,
     "malformed, 253 findings (cppcheck-xml): elements nested more than 256 "
     "deep"),
    ("an attribute", XML_HEAD + b'<error msg="', b"x", 3, "broken off, 0 "
     f"findings (cppcheck-xml): {BROKEN_XML}"),
    ("a name", XML_HEAD + b"<", b"x", 3, "malformed, 0 findings "
     "(cppcheck-xml): a tag of more than 2 MiB"),
    ("attributes", XML_HEAD + b"<error", b' a="x"', 3, "malformed, 0 findings "
     "(cppcheck-xml): a tag with more than 512 attributes"),
    ("text", XML_HEAD + b"<error>", b"x", 3, "broken off, 0 findings "
     f"(cppcheck-xml): {BROKEN_XML}"),
    ("lines", XML_HEAD, b"\n", 3, "broken off, 0 findings (cppcheck-xml): "
     f"{BROKEN_XML}"),
    ("a comment", XML_HEAD + b"<!--", b"x", 3, "broken off, 0 findings "
     f"(cppcheck-xml): {BROKEN_XML}"),
    ("cdata", XML_HEAD + b"<error><![CDATA[", b"]<", 3, "broken off, 0 "
     f"findings (cppcheck-xml): {BROKEN_XML}"),
    ("a finding's places", XML_HEAD + b'<error id="r" msg="m">',
     b'<location file="a.c" line="1"/>', 3, "broken off, 1 finding "
     f"(cppcheck-xml): {BROKEN_XML}"),
    ("files", PLIST_HEAD + b"<key>files</key><array>",
     b"<string>a.c</string>", 3, f"broken off, 0 findings (plist): "
     f"{BROKEN_XML}"),
    ("a JSON string", SARIF_HEAD + b'"results": [{"message": {"text": "', b"x",
     3, f"broken off, 0 findings (sarif): {BROKEN_JSON}"),
    ("a JSON key", SARIF_HEAD + b'"', b"x", 3,
     f"broken off, 0 findings (sarif): {BROKEN_JSON}"),
    ("a JSON number", SARIF_HEAD + b'"x": ', b"1", 3,
     f"broken off, 0 findings (sarif): {BROKEN_JSON}"),
    ("arrays in each other", SARIF_HEAD + b'"x": ', b"[", 3, "malformed, 0 "
     "findings (sarif): nested deeper than 1000 levels"),
    ("rules", SARIF_HEAD[:-3] + b', "rules": [', b'{"id": "x"},', 3,
     f"broken off, 0 findings (sarif): {BROKEN_JSON}"),
    ("artifacts", SARIF_HEAD + b'"artifacts": [',
     b'{"location": {"uri": "a.c"}},', 3,
     f"broken off, 0 findings (sarif): {BROKEN_JSON}"),
    ("notes", GCC_JSON_HEAD + b'"children": [',
     b'{"kind": "note", "message": "n", "locations": []},', 3,
     f"broken off, 0 findings (gcc-json): {BROKEN_JSON}"),
    ("lines that are no JSON", GCC_JSON_MANY, b"make: done\n", 0,
     "lines between the arrays are no JSON"),
    ("lines that are no JSON behind arrays of two", GCC_JSON_MANY,
     b"[\n]\nmake\n", 0, "lines between the arrays are no JSON"),
    ("a line", GCC_LINE + b"a.c:2:2: warning: ", b"x", 0,
     f"unverified, 2 findings (gcc): {LOG_ENDING}"),
    ("zeros", GCC_LINE, b"\0", 0, f"unverified, 1 finding (gcc): {LOG_ENDING}"),
    ("notes of a log", GCC_LINE, b"a.c:1:1: note: n\n", 0,
     f"unverified, 1 finding (gcc): {LOG_ENDING}"),
    ("frames", b"==1==ERROR: AddressSanitizer: heap-use-after-free on address "
     b"0x1 at pc 0x1\n", b"    #0 0x1 in f /a.c:1\n", 0,
     f"unverified, 1 finding (sanitizer): {LOG_ENDING}"),
)


class StreamTest(BadInputCase):
    def stream(self, parts, *arguments):
        """@return exit code, output, standard error, KiB, seconds"""
        began = time.monotonic()
        with open(self.path("out"), "wb") as out, \
                open(self.path("err"), "wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-S", "-E", "-c", MEASURE, "kib", SCGATE,
                 *arguments], cwd=self.folder, stdin=subprocess.PIPE,
                stdout=out, stderr=err, env={
                    **os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"})
            for part in parts:
                process.stdin.write(part)
            process.stdin.close()
            process.wait()
        with open(self.path("kib")) as file:
            kib = int(file.read())
        with open(self.path("err")) as file:
            said = file.read()
        if LONG:
            print(f"{time.monotonic() - began:.1f} s, {kib} KiB: {arguments}: "
                  f"{said}", file=sys.stderr)
        return process.returncode, said, kib

    def check_memory(self, kib):
        # a sanitizer's shadow is no memory of ours
        self.assertLess(kib, MEMORY_KIB * (6 if SANITIZED else 1))

    def test_read_takes_any_stream_in_bounded_memory(self):
        for name, head, piece, wanted, ending in STREAMS:
            with self.subTest(stream=name):
                code, said, kib = self.stream(
                    repeat(head, piece, STREAM_BYTES // (1 if LONG else 4)),
                    "read", "--output", "jsonl", "-")
                self.assertEqual(code, wanted, said)
                self.assertTrue(said.endswith(f"{ending}\n"), said)
                self.check_memory(kib)

    def test_import_takes_any_stream_in_bounded_memory(self):
        for number, (name, head, piece, wanted, ending) in enumerate(STREAMS):
            with self.subTest(stream=name):
                code, said, kib = self.stream(
                    repeat(head, piece, STREAM_BYTES // (1 if LONG else 4)),
                    "import", "--db", "db", "-")
                self.assertEqual(code, wanted, said)
                said = ALONE.sub("", said)
                self.assertTrue(said.endswith(f"{ending}\n"), said)
                self.check_memory(kib)
                self.check_whole()
                self.assertEqual(self.rows("SELECT count(*) FROM runs"),
                                 [(number + 1,)])

    def test_a_stream_of_errors_is_told_by_its_first_fault(self):
        size = 2 << 30 if LONG else 200 * MIB
        ending = ("-:5:1785: malformed, 253 findings (cppcheck-xml): elements "
                  "nested more than 256 deep\n")
        code, said, kib = self.stream(repeat(XML_HEAD, b"<error>", size),
                                      "read", "-")
        self.assertEqual((code, said), (3, ending))
        self.check_memory(kib)
        code, said, kib = self.stream(repeat(XML_HEAD, b"<error>", size),
                                      "import", "--db", "db", "-")
        self.assertEqual((code, said), (3, ending))
        self.check_memory(kib)
        # all are equal, and have no place: one, met 253 times
        self.assertEqual(self.rows("SELECT repeats FROM occurrences"),
                         [(253,)])
        self.assertEqual(self.rows("SELECT state FROM runs"),
                         [("incomplete",)])


class NestingTest(BadInputCase):
    DEEP = 100000

    def test_elements(self):
        for name, root, inside in (
                ("cppcheck-xml", '<results version="2"><errors>', "error"),
                ("valgrind-xml", "<valgrindoutput>", "stack"),
                ("plist", '<plist version="1.0"><dict><key>clang_version'
                 "</key><string>x</string><key>diagnostics</key>", "array"),
                ("pdr", "<diags>", "x"),
                ("checkstyle", '<checkstyle version="4.3">', "file")):
            with self.subTest(format=name):
                text = (root + f"<{inside}>" * self.DEEP
                        + f"</{inside}>" * self.DEEP).encode()
                code, _, err = self.read("--format", name, "-", stdin=text)
                self.assertEqual(code, 3)
                self.assertRegex(err, r"^-:1:\d+: malformed, \d+ findings? "
                                 rf"\({name}\): elements nested more than 256 "
                                 "deep\n$")
                code, out, _ = self.take_in("--format", name, "-", stdin=text)
                self.assertEqual(code, 3)
                self.assertIn("; incomplete: malformed: elements nested more "
                              "than 256 deep\n", out)
        self.check_whole()

    def test_arrays_and_objects(self):
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            text = (b'{"version": "2.1.0", "$schema": "sarif", "runs": [],\n'
                    b'"properties": ' + opening * self.DEEP + b"1"
                    + closing * self.DEEP + b"}")
            column = 14 + 999 * len(opening) + 1
            ending = (f"2:{column}: malformed, 0 findings (sarif): nested "
                      "deeper than 1000 levels")
            with self.subTest(opening=opening):
                code, out, err = self.read("-", stdin=text)
                self.assertEqual((code, out, err), (3, "", f"-:{ending}\n"))
                self.assertEqual(self.take_in("-", stdin=text)[::2],
                                 (3, f"-:{ending}\n"))
        text = GCC_JSON_MANY + GCC_JSON_HEAD + b'"x": ' + b"[" * self.DEEP
        code, out, err = self.read("-", stdin=text)
        self.assertEqual((code, out), (3, ":0:m\n"))
        self.assertRegex(err, r"^-:3:\d+: malformed, 1 finding \(gcc-json\): "
                         "nested deeper than 1000 levels\n$")


EVIL = "x'); DROP TABLE runs; --\" <script>alert(1)</script> %s ?1"
STEER = "\x1b[2J\x1b]0;t\x07\x9b31m\u202eevil\x7f\x08"
LAUGHS = ('<!DOCTYPE results [\n<!ENTITY a0 "ha">\n' + "".join(
    f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">\n' for at in range(1, 20))
    + "]>\n")
QUADRATIC = f'<!DOCTYPE results [<!ENTITY a "{"x" * 100000}">]>\n'


class EntityTest(BadInputCase):
    REFUSED = ("1:{}: malformed, 0 findings (cppcheck-xml): a document type "
               "with declarations of its own")

    def document(self, doctype, text):
        return (f'{doctype}<results version="2"><errors>\n<error id="r" '
                f'severity="error" msg="{text}"/>\n</errors></results>\n'
                ).encode()

    def test_entities_are_not_expanded(self):
        for name, doctype, text in (
                ("billion laughs", LAUGHS, "&a19;"),
                ("quadratic blowup", QUADRATIC, "&a;" * 10000),
                ("parameter entities", '<!DOCTYPE results [<!ENTITY % p "<!'
                 "ENTITY q 'x'>\"> %p;]>", "&q;"),
                ("recursion", '<!DOCTYPE results [<!ENTITY a "&a;">]>',
                 "&a;")):
            with self.subTest(name=name):
                began = time.monotonic()
                code, out, err = self.read("--format", "cppcheck-xml", "-",
                                           stdin=self.document(doctype, text))
                self.assertEqual((code, out), (2, ""))
                self.assertEqual(err, "-:1:20: no report, 0 findings "
                                 "(cppcheck-xml): no <results> in it\n")
                self.assertLess(time.monotonic() - began, 20)

    def test_an_entity_that_nobody_declared_is_text(self):
        self.check_both(self.document("", "&a19;"), "complete, 1 finding "
                        "(cppcheck-xml)", 0, ":0:&a19;\n",
                        "1 found, 1 new, 0 known; complete")

    def test_nothing_outside_of_the_document_is_opened(self):
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        server.settimeout(0)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        self.write("secret", "secret words")
        secret = self.path("secret")
        # who opens the pipe waits for ever
        os.mkfifo(self.path("pipe"))
        pipe = self.path("pipe")
        for target in (url, pipe, f"file://{pipe}", secret):
            for name, doctype, text in (
                    ("external DTD", f'<!DOCTYPE results SYSTEM "{target}">',
                     "m"),
                    ("public DTD", '<!DOCTYPE results PUBLIC "-//x//y" '
                     f'"{target}">', "m"),
                    ("external entity", '<!DOCTYPE results [<!ENTITY e SYSTEM '
                     f'"{target}">]>', "&e;"),
                    ("parameter entity", '<!DOCTYPE results [<!ENTITY % e '
                     f'SYSTEM "{target}"> %e;]>', "m")):
                with self.subTest(name=name, target=target):
                    for form in XML:
                        document = self.document(doctype, text)
                        code, out, err = self.read("--format", form, "-",
                                                   stdin=document)
                        self.assertNotIn("secret words", out + err)
                        # a DTD elsewhere is passed over, as many tools name
                        # one
                        self.assertEqual(code, 0 if "DTD" in name and form ==
                                         "cppcheck-xml" else 2)
        with self.assertRaises(BlockingIOError):
            server.accept()

    def test_includes_are_not_followed(self):
        self.write("secret", "secret words")
        text = ('<results version="2" xmlns:xi="http://www.w3.org/2001/'
                'XInclude"><errors><error id="r" msg="m"><xi:include href='
                f'"{self.path("secret")}" parse="text"/></error></errors>'
                "</results>").encode()
        self.check_both(text, "complete, 1 finding (cppcheck-xml)", 0,
                        ":0:m\n", "1 found, 1 new, 0 known; complete")


class FieldTest(BadInputCase):
    def findings(self, text, *arguments):
        code, out, err = self.read("--output", "jsonl", *arguments, "-",
                                   stdin=text)
        return code, [json.loads(line) for line in out.splitlines()], err

    def check_import(self, name, text, code=0):
        """One finding, and what is stored of it."""
        seen, out, err = self.take_in("--run", name, "--format", name, "-",
                                      stdin=text)
        self.assertEqual(seen, code, err)
        self.check_whole()
        [row] = self.rows(
            "SELECT r.name, o.message, f.path, o.line, o.column FROM "
            "occurrences AS o JOIN run_results AS x USING (result_id) JOIN "
            "rules AS r ON r.id = o.rule_id LEFT JOIN files AS f ON f.id = "
            "o.file_id WHERE x.run_id = (SELECT max(id) FROM runs)")
        return row

    def test_numbers_that_are_none(self):
        for bad in ("-1", "0", "4294967296", "99999999999999999999"):
            for name in MAKERS:
                with self.subTest(format=name, line=bad):
                    text = sample(name, line=bad)
                    code, found, _ = self.findings(text, "--format", name)
                    self.assertEqual(code, 0)
                    self.assertEqual([(one["path"], one["line"])
                                      for one in found], [("a.c", None)])
                    self.assertEqual(self.check_import(name, text)[2:4],
                                     ("a.c", None))

    def test_columns_that_are_none(self):
        for bad in ("-1", "0", "4294967296", "99999999999999999999"):
            for name in MAKERS:
                with self.subTest(format=name, column=bad):
                    text = sample(name, column=bad)
                    code, found, err = self.findings(text, "--format", name)
                    if name == "flawfinder" and bad != "0":
                        # no line of a finding: but the summary counts it
                        self.assertEqual((code, found), (3, []))
                        self.assertIn("broken off, 0 findings", err)
                        continue
                    self.assertEqual(code, 0)
                    self.assertEqual([(one["path"], one["column"])
                                      for one in found], [("a.c", None)])

    def test_a_path_of_64_kb(self):
        for name in XML + JSON:
            with self.subTest(format=name):
                text = sample(name, path="p" * 65536)
                code, found, _ = self.findings(text, "--format", name)
                # frames of a stack are held, and cut at 4095 bytes
                length = 4095 if name == "valgrind-xml" else 65536
                self.assertEqual((code, [one["path"] for one in found]),
                                 (0, ["p" * length]))
                self.assertEqual(self.check_import(name, text)[2],
                                 "p" * length)

    def test_a_path_of_64_kb_in_a_log(self):
        for name in TEXT:
            for size in (65536, 10000000):
                with self.subTest(format=name, size=size):
                    text = sample(name, path="p" * size)
                    code, [found], _ = self.findings(text, "--format", name)
                    self.assertEqual((code, found["line"], found["column"]),
                                     (0, 7, 3))
                    self.assertEqual(found["path"], "p" * 65536)
                    self.assertTrue(found["message"].endswith("m of it"))
                    self.assertEqual(self.check_import(name, text)[2],
                                     "p" * 65536)

    def test_a_message_of_10_mb_is_cut(self):
        for name in MAKERS:
            with self.subTest(format=name):
                text = sample(name, message="m" * 10000000)
                code, [found], _ = self.findings(text, "--format", name)
                self.assertEqual((code, found["path"], found["line"]),
                                 (0, "a.c", 7))
                self.assertEqual(found["rule"], RULES.get(name, "rule"))
                self.assertLessEqual(len(found["message"]), 65536)
                self.assertGreater(len(found["message"]), 65400)
                self.assertEqual(self.check_import(name, text)[1],
                                 found["message"])

    def test_zeros_become_replacement_characters(self):
        for name in MAKERS:
            with self.subTest(format=name):
                text = sample(name, path="a\0b.c", message="m\0n")
                code, [found], _ = self.findings(text, "--format", name)
                self.assertEqual((code, found["path"], found["line"]),
                                 (0, "a\ufffdb.c", 7))
                self.assertTrue(found["message"].endswith("m\ufffdn"))
                row = self.check_import(name, text)
                self.assertEqual(row[1:3], (found["message"], "a\ufffdb.c"))

    def test_utf_16_without_a_mark(self):
        for encoding in ("utf-16-le", "utf-16-be"):
            for name in MAKERS:
                with self.subTest(format=name, encoding=encoding):
                    text = sample(name).decode().encode(encoding)
                    code, [found], err = self.findings(text)
                    self.assertEqual((code, found["path"], found["line"]),
                                     (0, "a.c", 7))
                    self.assertIn(f"({name})", err)

    def test_fields_are_text_and_never_sql_or_markup(self):
        for name in MAKERS:
            with self.subTest(format=name):
                text = sample(name, path=EVIL, message=EVIL)
                code, [found], _ = self.findings(text, "--format", name)
                self.assertEqual((code, found["path"]), (0, EVIL))
                self.assertTrue(found["message"].endswith(EVIL))
                row = self.check_import(name, text)
                self.assertEqual(row[1:3], (found["message"], EVIL))

    def test_a_tools_name_a_rule_and_a_function_are_text(self):
        text = json.dumps({
            "version": "2.1.0", "$schema": "sarif", "runs": [{
                "tool": {"driver": {"name": EVIL, "version": EVIL}},
                "results": [{"ruleId": EVIL, "message": {"text": EVIL},
                             "locations": [{"logicalLocations": [{
                                 "fullyQualifiedName": EVIL}]}]}]}]}).encode()
        code, [found], _ = self.findings(text)
        self.assertEqual((code, [found[key] for key in (
            "tool", "rule", "message", "function")]), (0, [EVIL] * 4))
        code, log, _ = self.read("--output", "sarif", "-", stdin=text)
        self.assertEqual(json.loads(log)["runs"][0]["tool"]["driver"]["name"],
                         EVIL)
        self.assertEqual(self.take_in("-", stdin=text)[0], 0)
        self.check_whole()
        self.assertEqual(self.rows(
            "SELECT t.name, r.name, o.message FROM occurrences AS o JOIN rules "
            "AS r ON r.id = o.rule_id JOIN tools AS t ON t.id = r.tool_id"),
            [(EVIL,) * 3])

    def on_terminal(self, text, *arguments):
        try:
            main, terminal = os.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be made here: {error}")
        self.addCleanup(os.close, main)
        run = subprocess.run([SCGATE, "read", *arguments, "-"], input=text,
                             stdout=terminal, stderr=subprocess.DEVNULL,
                             env={**os.environ, "NO_COLOR": "1"}, timeout=60)
        os.close(terminal)
        self.assertEqual(run.returncode, 0)
        return os.read(main, 65536).decode()

    def check_tame(self, text):
        self.assertFalse([one for one in text if one < " " and one not in
                          "\r\n\t" or "\x7f" <= one <= "\x9f" or one in
                          "\u202e\u2066"], text)

    def test_no_field_steers_a_terminal(self):
        for name in MAKERS:
            rule = None if name in ("msvc", "pdr") else "-W" + STEER
            text = sample(name, path="p" + STEER, message="m" + STEER,
                          rule=rule)
            for output in ("table", "classic", "jsonl", "sarif"):
                with self.subTest(format=name, output=output):
                    self.check_tame(self.on_terminal(
                        text, "--format", name, "--output", output))
            # a table that is piped may come to a terminal too
            self.check_tame(self.read("--format", name, "--output", "table",
                                      "-", stdin=text)[1])
            for output in ("jsonl", "sarif"):
                code, out, _ = self.read("--format", name, "--output", output,
                                         "-", stdin=text)
                self.assertEqual(code, 0)
                json.loads(out)
        self.assertEqual(self.on_terminal(sample(
            "sarif", path="p" + STEER, message="m\t" + STEER)),
            "p?[2J?]0;t??31m?evil??:7:m\t?[2J?]0;t??31m?evil??\r\n")

    def test_what_is_said_of_a_report_does_not_steer_either(self):
        text = ('<results version="2"><errors></\x1b[2J></errors></results>'
                ).encode()
        for code, _, err in (self.read("-", stdin=text),
                             self.take_in("-", stdin=text)):
            self.assertEqual(code, 3)
            self.check_tame(err)


if __name__ == "__main__":
    unittest.main()
