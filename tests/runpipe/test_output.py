#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What runpipe writes, where it cannot write, and what its command line
takes."""
import json
import os
import pty
import re
import resource
import signal
import subprocess
import unittest

import harness

RECORD = b"eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n"
CONFIG = '''\
source = { plugin = "trace_text"; path = "trace.txt"; };
stages = (
  { plugin = "prioritize"; classes = ( ["sip", "rtp"], ["http"], ["ftp"] ); },
  { plugin = "nat"; external_nic = "eth0"; external_address = "134.77.77.30"; },
  { plugin = "route"; routes = ( "104.0.0.0/8 eth0" ); }
);
sink = { plugin = "trace_text"; path = "out.txt"; };
'''
# For each ten lines: 4 to nowhere, 2 without a mapping, 4 come out.
TRACE = b"".join((
    b"eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n" * 4,
    b"eth3 7.7.7.7 10.230.30.4 4003 5004 rtp\n" * 4,
    b"eth0 134.77.77.30 104.44.44.10 2004 4003 sip\n" * 2)) * 500
OUT = b"eth0 104.44.44.10 134.77.77.30 4003 5003 ftp\n" * 2000


def limit_files():
    """In the program: no file grows beyond 16 KiB, which ends in the middle
    of a record."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))


class OutputTest(harness.RunpipeTest):
    def setUp(self):
        super().setUp()
        self.write("trace.txt", RECORD * 5000)
        self.write("pipeline.conf", harness.TRACE_TO_TRACE)

    def check_each_engine(self, code, err, *arguments, **options):
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                self.check(self.run_pipe("--quiet", *engine, *arguments,
                                         "pipeline.conf", **options),
                           code, err)


class NoPlace(OutputTest):
    """Where the output cannot go."""

    def test_a_full_disk_is_named_with_the_sink_and_its_path(self):
        self.check_each_engine(
            1, 'runpipe: sink "trace_text": cannot write /dev/full: No space '
            "left on device (at the packet of trace.txt:1)\n", "--set", "sink.path=/dev/full")

    def test_standard_output_on_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            for engine in harness.ENGINES:
                result = self.run_pipe("--quiet", *engine, "--set",
                                       "sink.path=-", "pipeline.conf",
                                       stdout=full)
                self.check(result, 1, 'runpipe: sink "trace_text": cannot '
                           "write -: No space left on device (at the packet "
                           "of trace.txt:1)\n", None)

    def test_a_file_that_cannot_grow_keeps_whole_records(self):
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                result = self.run_pipe("--quiet", *engine, "pipeline.conf",
                                       preexec_fn=limit_files)
                self.assertEqual(result.code, 1)
                self.assertRegex(
                    result.err,
                    r'\Arunpipe: sink "trace_text": cannot write out\.txt: '
                    r"File too large \(at the packet of trace\.txt:\d+\)\n\Z")
                out = self.read("out.txt")
                self.assertEqual(out, RECORD * (16384 // len(RECORD)))

    def test_a_redirected_file_that_cannot_grow_keeps_whole_records(self):
        with open(self.path("redirected.txt"), "wb", buffering=0) as file:
            result = self.run_pipe("--quiet", "--set", "sink.path=-",
                                   "pipeline.conf", stdout=file,
                                   preexec_fn=limit_files)
            file.write(b"what the shell runs next")
        self.assertEqual(result.code, 1)
        self.assertEqual(self.read("redirected.txt"),
                         RECORD * (16384 // len(RECORD))
                         + b"what the shell runs next")

    def test_a_run_without_memory_leaves_the_output_alone(self):
        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))

        if self.run_pipe("--check", "pipeline.conf",
                         preexec_fn=little_memory).code:
            self.skipTest("this build needs more address space")
        self.write("out.txt", b"precious\n")
        result = self.run_pipe("--quiet", "--workers", "1024",
                               "pipeline.conf", preexec_fn=little_memory)
        self.assertEqual(result.code, 1)
        self.assertRegex(result.err, r"\Arunpipe: no memory for .*\n\Z")
        self.assertEqual(self.read("out.txt"), b"precious\n")

    def test_an_output_s_name_cannot_talk_to_the_terminal(self):
        result = self.run_pipe("--quiet", "--set",
                               "sink.path=missing/\x1b[31m\n", "pipeline.conf")
        self.assertEqual((result.code, result.err),
                         (1, 'runpipe: sink "trace_text": cannot open '
                          "missing/?[31m?: No such file or directory\n"))

    def test_a_pipe_whose_reader_left(self):
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                reader, writer = os.pipe()
                os.close(reader)
                result = self.run_pipe("--quiet", *engine, "--set",
                                       "sink.path=-", "pipeline.conf",
                                       stdout=writer)
                os.close(writer)
                self.check(result, 1, 'runpipe: sink "trace_text": cannot '
                           "write -: Broken pipe (at the packet of "
                           "trace.txt:1)\n", None)

    def test_a_pipe_whose_reader_leaves_in_the_middle(self):
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                process = self.start("--quiet", *engine, "--set",
                                     "sink.path=-", "pipeline.conf",
                                     stdin=subprocess.DEVNULL)
                got = os.read(process.stdout.fileno(), 1000)
                process.stdout.close()
                process.stdout = None
                err = process.communicate(timeout=harness.TIMEOUT_S)[1]
                self.assertTrue((RECORD * 5000).startswith(got))
                self.assertEqual(process.returncode, 1)
                self.assertRegex(
                    err.decode(), r'\Arunpipe: sink "trace_text": cannot write '
                    r"-: Broken pipe \(at the packet of trace\.txt:\d+\)\n\Z")

    def test_a_file_in_a_missing_folder(self):
        self.check_each_engine(
            1, 'runpipe: sink "trace_text": cannot open missing/out.txt: No '
            "such file or directory\n", "--set", "sink.path=missing/out.txt",
            "--stats", "report.json")
        self.assertEqual(self.files(), ["pipeline.conf", "trace.txt"])

    def test_a_folder(self):
        self.check_each_engine(
            1, 'runpipe: sink "trace_text": cannot open .: Is a directory\n',
            "--set", "sink.path=.", "--stats", "report.json")
        self.assertEqual(self.files(), ["pipeline.conf", "trace.txt"])

    @unittest.skipIf(os.geteuid() == 0, "root writes everywhere")
    def test_a_file_that_may_not_be_written(self):
        self.write("out.txt", "old bytes\n")
        os.chmod(self.path("out.txt"), 0o444)
        self.check_each_engine(
            1, 'runpipe: sink "trace_text": cannot open out.txt: Permission '
            "denied\n")
        self.assertEqual(self.read("out.txt"), b"old bytes\n")

    def test_a_read_only_file_system(self):
        # /proc refuses new files, whoever asks.
        self.check_each_engine(
            1, 'runpipe: sink "trace_text": cannot open /proc/out.txt: No '
            "such file or directory\n", "--set", "sink.path=/proc/out.txt")

    def test_a_report_that_cannot_be_opened_stops_the_run_at_once(self):
        self.write("out.txt", "old bytes\n")
        self.check_each_engine(
            1, "runpipe: cannot write missing/r: No such file or directory\n",
            "--stats", "missing/r")
        self.assertEqual(self.read("out.txt"), b"old bytes\n")

    def test_a_report_on_a_full_disk(self):
        self.check_each_engine(
            1, "runpipe: cannot write /dev/full: No space left on device\n",
            "--stats", "/dev/full")
        self.assertEqual(self.read("out.txt"), RECORD * 5000)

    def test_a_report_into_a_pipe_whose_reader_left(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = self.run_pipe("--quiet", "--stats", "-", "pipeline.conf",
                               stdout=writer)
        os.close(writer)
        self.check(result, 1, "runpipe: cannot write -: Broken pipe\n", None)

    def test_help_and_lists_on_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            for arguments in (("--help",), ("--version",), ("--list",),
                              ("--list", "nat"), ("--list", "--json")):
                with self.subTest(arguments=arguments):
                    self.check(self.run_pipe(*arguments, stdout=full), 1,
                               "runpipe: cannot write: No space left on "
                               "device\n", None)


class Places(OutputTest):
    """Where the output can go."""

    def test_an_old_file_is_emptied_first(self):
        self.write("out.txt", "x" * 1000000)
        self.check_each_engine(0, "")
        self.assertEqual(self.read("out.txt"), RECORD * 5000)

    def test_a_dash_is_standard_output(self):
        self.check(self.run_pipe("--quiet", "--set", "sink.path=-",
                                 "pipeline.conf"), 0, "", RECORD * 5000)
        self.assertNotIn("-", self.files())

    def test_standard_output_is_appended_to_if_its_caller_does(self):
        self.write("log", "old bytes\n")
        with open(self.path("log"), "ab") as log:
            self.check(self.run_pipe("--quiet", "--set", "sink.path=-",
                                     "pipeline.conf", stdout=log), 0, "", None)
        self.assertEqual(self.read("log"), b"old bytes\n" + RECORD * 5000)

    def test_a_fifo(self):
        os.mkfifo(self.path("fifo"))
        process = self.start("--quiet", "--set", "sink.path=fifo",
                             "pipeline.conf")
        with open(self.path("fifo"), "rb") as fifo:
            self.assertEqual(fifo.read(), RECORD * 5000)
        self.check(self.finish(process), 0)

    def test_the_summary_stays_out_of_the_output_without_a_stderr(self):
        # The lowest free descriptor must not become the output's.
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" 2>&-', "sh", harness.RUNPIPE, "--set",
             "source.path=-", "pipeline.conf"], cwd=self.folder,
            env=self.environment(), input=RECORD * 9,
            stdout=subprocess.PIPE, timeout=harness.TIMEOUT_S)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertEqual(self.read("out.txt"), RECORD * 9)

    def test_a_run_needs_neither_stdin_nor_stdout(self):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" <&- >&-', "sh", harness.RUNPIPE,
             "--quiet", "pipeline.conf"], cwd=self.folder,
            env=self.environment(), stderr=subprocess.PIPE,
            timeout=harness.TIMEOUT_S)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.read("out.txt"), RECORD * 5000)


class Report(OutputTest):
    INSTANCE = {"name", "plugin", "packets_in", "packets_out", "held",
                "emitted", "busy_ns", "ns_per_packet"}
    PROMISED = {"packets", "elapsed_s", "total_s", "cpu_s", "packets_per_s",
                "workers", "mean_busy_workers", "concurrency_s",
                "chunk_latency_ns", "stages", "meters"}
    MORE = {"outcome", "error", "chunks", "packets_per_s_total", "source",
            "sink", "energy"}

    def setUp(self):
        super().setUp()
        self.write("pipeline.conf", CONFIG)
        self.write("trace.txt", TRACE)

    def get(self, *arguments):
        result = self.run_pipe("--stats", "-", *arguments, "pipeline.conf")
        self.assertEqual(result.code, 0)
        return json.loads(result.out)

    def test_it_is_the_only_thing_on_standard_output(self):
        result = self.run_pipe("--stats", "-", "pipeline.conf")
        self.assertTrue(result.out.startswith(b"{"))
        self.assertTrue(result.out.endswith(b"}\n"))
        json.loads(result.out)
        self.assertEqual(self.read("out.txt"), OUT)

    def test_it_has_the_keys_that_are_promised(self):
        for engine in harness.ENGINES:
            stats = self.get(*engine)
            self.assertEqual(set(stats), self.PROMISED | self.MORE)
            self.assertEqual(set(stats["packets"]), {"in", "out", "dropped"})
            self.assertEqual(set(stats["chunk_latency_ns"]),
                             {"p50", "p90", "p99", "max"})
            for stage in stats["stages"] + [stats["sink"]]:
                self.assertEqual(set(stage), self.INSTANCE | {"dropped"})
            self.assertEqual(set(stats["source"]),
                             self.INSTANCE | {"skipped"})
            self.assertEqual((stats["meters"], stats["energy"]), ([], None))

    def test_its_sums_fit(self):
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                stats = self.get(*engine)
                self.assertEqual(stats["packets"],
                                 {"in": 5000, "out": 2000, "dropped": 3000})
                self.assertEqual((stats["outcome"], stats["error"]),
                                 ("done", None))
                self.assertEqual(stats["chunks"], 4)
                stages = stats["stages"]
                self.assertEqual([(one["name"], one["plugin"],
                                   one["packets_in"], one["packets_out"],
                                   {reason: count for reason, count
                                    in one["dropped"].items() if count})
                                  for one in stages],
                                 [("prioritize", "prioritize", 5000, 5000, {}),
                                  ("nat", "nat", 5000, 4000,
                                   {"no_mapping": 1000}),
                                  ("route", "route", 4000, 2000,
                                   {"no_route": 2000})])
                self.assertEqual(stages[1]["dropped"]["out_of_ports"], 0)
                before = stats["source"]["packets_out"]
                for one in stages + [stats["sink"]]:
                    self.assertEqual(one["packets_in"], before)
                    before = one["packets_out"]
                    self.assertEqual(one["packets_in"] + one["emitted"],
                                     before + one["held"]
                                     + sum(one["dropped"].values()))
                self.assertEqual(before, stats["packets"]["out"])

    def test_its_times_fit(self):
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                stats = self.get(*engine)
                workers = int(engine[1]) if len(engine) > 1 else 1
                self.assertEqual(stats["workers"], workers)
                histogram = stats["concurrency_s"]
                self.assertEqual(len(histogram), workers + 1)
                self.assertAlmostEqual(sum(histogram), stats["elapsed_s"],
                                       places=4)
                self.assertGreater(stats["total_s"], stats["elapsed_s"])
                self.assertLessEqual(stats["mean_busy_workers"], workers)
                self.assertAlmostEqual(
                    stats["mean_busy_workers"] * stats["elapsed_s"],
                    sum(k * s for k, s in enumerate(histogram)), places=4)
                self.assertAlmostEqual(
                    stats["packets_per_s"] * stats["elapsed_s"], 5000, 1)
                self.assertAlmostEqual(
                    stats["packets_per_s_total"] * stats["total_s"], 5000, 1)
                latency = stats["chunk_latency_ns"]
                self.assertTrue(0 < latency["p50"] <= latency["p90"]
                                <= latency["p99"] <= latency["max"] * 1.04)
                for one in (stats["source"], *stats["stages"],
                            stats["sink"]):
                    self.assertGreater(one["busy_ns"], 0)
                    self.assertAlmostEqual(
                        one["ns_per_packet"] * one["packets_in"],
                        one["busy_ns"], delta=one["busy_ns"] / 1000)

    def test_an_empty_trace_has_rates_of_null(self):
        self.write("trace.txt", b"")
        stats = self.get()
        self.assertEqual(stats["packets"], {"in": 0, "out": 0, "dropped": 0})
        self.assertEqual(stats["chunks"], 0)
        for one in (stats["source"], *stats["stages"], stats["sink"]):
            self.assertIsNone(one["ns_per_packet"])

    def test_an_old_report_is_replaced_whole(self):
        self.write("report.json", "x" * 100000)
        self.check(self.run_pipe("--quiet", "--stats", "report.json",
                                 "pipeline.conf"), 0)
        self.assertEqual(json.loads(self.read("report.json"))["outcome"],
                         "done")

    def test_names_that_need_escapes_are_valid_json(self):
        # \xc3\xa9 is an e with an acute accent, in UTF-8.
        name = 'name = "a\\"b\\\\c\\n\xc3\xa9"; plugin = "route";'
        self.write("pipeline.conf",
                   CONFIG.replace('plugin = "route";', name))
        self.assertEqual(self.get()["stages"][2]["name"], 'a"b\\c\n\xe9')

    def test_a_report_of_a_failed_run_says_why(self):
        self.write("trace.txt", TRACE[:1000] + b"\nx\n")
        result = self.run_pipe("--quiet", "--stats", "r", "pipeline.conf")
        self.assertEqual(result.code, 1)
        stats = json.loads(self.read("r"))
        self.assertEqual((stats["outcome"], stats["error"] + "\n"),
                         ("failed", result.err))


class Summary(OutputTest):
    SHAPE = re.compile(r'''packets: 5,000 in, 2,000 out, 3,000 dropped
  stage                packets in      dropped    ns/packet    time
  trace_text                5,000            0 +[\d.]+ +[\d.]+%
  prioritize                5,000            0 +[\d.]+ +[\d.]+%
  nat                       5,000        1,000 +[\d.]+ +[\d.]+%
  route                     4,000        2,000 +[\d.]+ +[\d.]+%
  trace_text                2,000            0 +[\d.]+ +[\d.]+%
  nat dropped: 1,000 no_mapping
  route dropped: 2,000 no_route
throughput:
 +[\d,]+ packets/s in the measured region \([\d.]+ s\)
 +[\d,]+ packets/s of the whole program \([\d.]+ s\)
workers: [\d.]+ of \d+ busy on average, [\d.]+ s of CPU time
(?: +\d+ busy +[\d.]+ s +[\d.]+%(?: #+)?
)+chunks: 4, latency p50 TIME, p99 TIME, max TIME
'''.replace("TIME", r"[\d.]+(?:e\+\d+)? [mun]?s"))

    def setUp(self):
        super().setUp()
        self.write("pipeline.conf", CONFIG)
        self.write("trace.txt", TRACE)

    def test_it_says_what_happened_on_stderr(self):
        for engine in harness.ENGINES:
            with self.subTest(engine=engine):
                result = self.run_pipe(*engine, "pipeline.conf")
                self.assertEqual((result.code, result.out), (0, b""))
                self.assertRegex(result.err,
                                 re.compile(rf"\A{self.SHAPE.pattern}\Z"))
                self.assertLessEqual(
                    max(map(len, result.err.splitlines())), 80)

    def test_quiet_says_nothing(self):
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)

    def test_no_escapes_are_written_where_no_terminal_is(self):
        for env in ({}, {"TERM": "xterm-256color"}, {"NO_COLOR": "1"},
                    {"CLICOLOR_FORCE": "1"}):
            result = self.run_pipe("pipeline.conf", env=env)
            self.assertRegex(result.err, r"\A[\n\x20-\x7e]*\Z")


class Terminal(OutputTest):
    """stderr is a terminal: a line tells how far the run is."""

    def open_terminal(self):
        try:
            return pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be made here: {error}")

    def run_on_terminal(self, *arguments):
        """What a terminal shows of a run that waits for its input until the
        first progress line has appeared."""
        self.write("pipeline.conf", "chunk = 1;\n" + harness.TRACE_TO_TRACE)
        terminal, side = self.open_terminal()
        process = self.start("--set", "source.path=-", *arguments,
                             "pipeline.conf", stderr=side,
                             stdout=subprocess.DEVNULL)
        os.close(side)
        shown = b""
        os.write(process.stdin.fileno(), RECORD)
        while b"packets/s" not in shown:
            shown += os.read(terminal, 4096)
        process.stdin.close()
        process.stdin = None
        while True:
            try:
                more = os.read(terminal, 4096)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            shown += more
        os.close(terminal)
        self.assertEqual(process.wait(timeout=harness.TIMEOUT_S), 0)
        return shown

    def test_the_progress_line_appears_and_is_erased(self):
        shown = self.run_on_terminal()
        line = re.match(rb"(?:\r1 packets, 0 dropped, [\d.]+ s, [\d.e+-]+ "
                        rb"packets/s\x1b\[K)+\r\x1b\[K", shown)
        self.assertTrue(line, shown)
        rest = shown[line.end():]
        self.assertTrue(rest.startswith(b"packets: 1 in, 1 out, 0 dropped\r\n"),
                        rest)
        self.assertNotIn(b"\x1b", rest)

    def test_quiet_shows_nothing(self):
        self.write("pipeline.conf", harness.TRACE_TO_TRACE)
        terminal, side = self.open_terminal()
        result = self.run_pipe("--quiet", "pipeline.conf", stderr=side)
        os.close(side)
        self.assertEqual(result.code, 0)
        self.assertRaises(OSError, os.read, terminal, 4096)
        os.close(terminal)


class Lists(OutputTest):
    PLUGINS = [("battery", "meter"), ("compute", "stage"),
               ("cpu_model", "meter"), ("delay", "stage"), ("discard", "sink"),
               ("filter", "stage"), ("http_plug", "meter"),
               ("hwmon", "meter"), ("nat", "stage"),
               ("null", "stage"), ("pcap", "source"), ("pcap", "sink"),
               ("prioritize", "stage"), ("rapl", "meter"),
               ("replay", "meter"), ("route", "stage"),
               ("scpi", "meter"),
               ("trace_text", "source"), ("trace_text", "sink")]

    def test_list_names_every_plugin_in_each_of_its_roles(self):
        result = self.run_pipe("--list")
        self.assertEqual((result.code, result.err), (0, ""))
        lines = result.out.decode().splitlines()
        self.assertEqual([tuple(line.split()[:2]) for line in lines],
                         self.PLUGINS)

    def test_list_of_one_plugin_has_its_options_and_drops(self):
        result = self.run_pipe("--list", "nat")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertEqual(result.out.decode(), f'''\
nat           stage   many inside endpoints behind a few external addresses
file: {harness.PLUGINS}/nat.so
options:
  external_nic: interface, required
      The interface that leads outside.
  external_address: address, required
      The IPv4 address that the outside sees.
  external_addresses: list of prefixes
      Further such addresses, a pool: prefixes of which all addresses are \
taken, 256 at most. external_address may be among them; it is the first.
  ports: string, default 1024-65535
      The ports of each external address to hand out, FIRST-LAST, for each \
transport; for ICMP the identifiers.
  inside: list of prefixes, default ( "10.0.0.0/8", "172.16.0.0/12", \
"192.168.0.0/16" )
      Prefixes that are inside: what goes there from inside is not translated.
  timeout: duration, 1 ms to 8760 h, default 300 s
      A mapping that no packet has used for so long is gone: of UDP, and in a \
trace without frames of everything.
  tcp_timeout: duration, 1 ms to 8760 h, default 7440 s
      The same for an established TCP connection.
  tcp_transitory_timeout: duration, 1 ms to 8760 h, default 240 s
      The same for a TCP connection that is being opened or closed, or was \
reset.
  icmp_timeout: duration, 1 ms to 8760 h, default 60 s
      The same for ICMP queries.
  fragment_timeout: duration, 1 ms to 8760 h, default 30 s
      For so long fragments wait for the first of their datagram, and what \
was decided for it is remembered.
  fragment_memory: size, default 4 MiB
      For all datagrams in fragments together; if it is used up the oldest is \
given up.
  forwards: list of strings
      Static forwards, "TRANSPORT PORT ADDRESS:PORT": what arrives for that \
port of the (first) external address goes to that inside endpoint. With \
several, EXTERNAL:PORT for PORT names another.
  other: choice, drop, pass, default drop
      What becomes of frames that are not IP, and of protocols and ICMP \
messages that cannot be translated.
  verify_checksums: boolean, default false
      Drop packets with a wrong checksum. Otherwise it stays wrong by the \
same amount.
drops: no_mapping, out_of_ports, non_ip, other_protocol, no_ports, malformed, \
bad_checksum, no_first_fragment, fragment_overflow
''')

    def test_lists_as_json_are_json(self):
        result = self.run_pipe("--list", "--json")
        self.assertEqual((result.code, result.err), (0, ""))
        plugins = json.loads(result.out)
        self.assertEqual([(one["name"], one["kind"]) for one in plugins],
                         self.PLUGINS)
        for one in plugins:
            self.assertEqual(set(one), {"name", "kind", "summary", "file",
                                        "options", "drops"})

    def test_one_plugin_as_json_has_its_options(self):
        for arguments in (("--list", "compute", "--json"),
                          ("--json", "--list", "compute")):
            result = self.run_pipe(*arguments)
            self.assertEqual((result.code, result.err), (0, ""))
            (compute,) = json.loads(result.out)
            self.assertEqual([(one["name"], one["type"], one["default"])
                              for one in compute["options"]],
                             [("kernel", "choice", "nqueens"),
                              ("size", "integer", "8"),
                              ("repeat", "integer", "1")])

    def test_list_of_no_plugin_says_where_it_looked(self):
        self.check(self.run_pipe("--list", "nosuch"), 2,
                   'runpipe: no plugin "nosuch"; searched '
                   f"{harness.PLUGINS}\n")
        self.check(self.run_pipe("--list", "nta", "--json"), 2,
                   'runpipe: no plugin "nta" (did you mean "nat"?); searched '
                   f"{harness.PLUGINS}\n")

    def test_a_plugin_that_cannot_be_used_is_a_line_of_the_list(self):
        os.mkdir(self.path("p"), 0o755)
        self.write("p/aaa.so", "text")
        result = self.run_pipe("--list", env={"SLUICE_PLUGIN_PATH": "p"})
        self.assertEqual((result.code, result.err), (0, ""))
        lines = result.out.decode().splitlines()
        self.assertEqual(lines[0], "unusable: p/aaa.so: not an ELF file")
        self.assertEqual(len(lines), 1 + len(self.PLUGINS))
        result = self.run_pipe("--list", "--json",
                               env={"SLUICE_PLUGIN_PATH": "p"})
        self.assertEqual(len(json.loads(result.out)), len(self.PLUGINS))


class CommandLine(OutputTest):
    HINT = "try runpipe --help\n"

    def test_help_goes_to_stdout(self):
        for option in ("--help", "-h"):
            result = self.run_pipe(option)
            self.assertEqual((result.code, result.err), (0, ""))
            self.assertTrue(result.out.startswith(
                b"usage: runpipe [OPTION]... CONFIG\n"))
            self.assertLessEqual(
                max(map(len, result.out.decode().splitlines())), 80)
            for word in (b"--serial", b"--workers N", b"--set "
                         b"INSTANCE.OPTION=VALUE", b"--stats FILE", b"--check",
                         b"--quiet", b"--list", b"--version"):
                self.assertIn(word, result.out)

    def test_version_goes_to_stdout(self):
        result = self.run_pipe("--version")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertRegex(result.out, rb"\Arunpipe \d+\.\d+\.\d+\n\Z")

    def test_usage_errors(self):
        for arguments, message in (
                ((), "runpipe: a configuration file is wanted\n"),
                (("a", "b"), "runpipe: one configuration file is wanted, not "
                 "more\n"),
                (("--workers", "x", "c"), "runpipe: --workers takes a number "
                 "from 0 to 1024: x\n"),
                (("--workers", "", "c"), "runpipe: --workers takes a number "
                 "from 0 to 1024: \n"),
                (("--workers", "2x", "c"), "runpipe: --workers takes a number "
                 "from 0 to 1024: 2x\n"),
                (("--workers", "-1", "c"), "runpipe: --workers takes a number "
                 "from 0 to 1024: -1\n"),
                (("--workers", "1025", "c"), "runpipe: --workers takes a "
                 "number from 0 to 1024: 1025\n"),
                (("--workers", "99999999999999999999", "c"), "runpipe: "
                 "--workers takes a number from 0 to 1024: "
                 "99999999999999999999\n"),
                (("--json", "c"), "runpipe: --json and --markdown go with "
                 "--list\n"),
                (("--list", "a", "b"), "runpipe: --list takes one plugin at "
                 "most\n")):
            with self.subTest(arguments=arguments):
                self.check(self.run_pipe(*arguments), 2, message + self.HINT)

    def test_unknown_options_and_missing_arguments(self):
        for arguments, message in (
                (("--nosuch", "c"), "unrecognized option '--nosuch'\n"),
                (("-x", "c"), "invalid option -- 'x'\n"),
                (("--workers",), "option '--workers' requires an argument\n"),
                (("c", "--set"), "option '--set' requires an argument\n"),
                (("--quiet=1", "c"), "option '--quiet' doesn't allow an "
                 "argument\n")):
            with self.subTest(arguments=arguments):
                result = self.run_pipe(*arguments)
                self.assertEqual((result.code, result.out), (2, b""))
                self.assertTrue(result.err.endswith(f"runpipe: {message}"
                                                    + self.HINT), result.err)

    def test_workers_0_means_one_a_core(self):
        result = self.run_pipe("--quiet", "--stats", "-", "--workers", "0",
                               "pipeline.conf")
        self.assertEqual(json.loads(result.out)["workers"],
                         len(os.sched_getaffinity(0)))

    def test_the_command_line_s_workers_win_over_the_file_s(self):
        self.write("pipeline.conf", "workers = 3;\n" + harness.TRACE_TO_TRACE)
        result = self.run_pipe("--quiet", "--stats", "-", "pipeline.conf")
        self.assertEqual(json.loads(result.out)["workers"], 3)
        result = self.run_pipe("--quiet", "--stats", "-", "--workers", "5",
                               "pipeline.conf")
        self.assertEqual(json.loads(result.out)["workers"], 5)

    def test_options_may_stand_behind_the_configuration(self):
        self.check(self.run_pipe("pipeline.conf", "--quiet", "--serial"), 0)
        self.assertEqual(self.read("out.txt"), RECORD * 5000)

    def test_a_configuration_whose_name_starts_with_a_dash(self):
        os.rename(self.path("pipeline.conf"), self.path("--odd"))
        self.check(self.run_pipe("--quiet", "--", "--odd"), 0)
        self.assertEqual(self.read("out.txt"), RECORD * 5000)

    def test_a_run_of_more_workers_than_lines(self):
        self.write("trace.txt", RECORD)
        self.check(self.run_pipe("--quiet", "--workers", "100",
                                 "pipeline.conf"), 0)
        self.assertEqual(self.read("out.txt"), RECORD)


if __name__ == "__main__":
    unittest.main()
