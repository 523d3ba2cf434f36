# SPDX-License-Identifier: MIT
"""What a run tells other programs while it lasts and at its end: a file for
Prometheus and a table; and runpipe counters in both forms."""
import csv
import io
import os
import resource
import stat
import time
import unittest

import exposition
import harness
import meters
from exposition import labels
from publisher import Publisher

WAIT_S = 60
QUICK = ("--metrics-interval", "100ms")


class FilesTest(meters.MetersTest):
    """What both classes check."""

    def metrics(self, name="run.prom"):
        """A file's samples, judged by grammar and promtool."""
        data = self.read(name)
        samples = exposition.read(data)
        found = exposition.complaints(data)
        self.assertIn(found, (None, ""))
        return samples

    def until(self, true, what):
        end = time.monotonic() + WAIT_S
        while not true():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.01)

    def rows(self, data):
        """Of a table: every line whole, every row as long as the header."""
        text = data.decode()
        self.assertTrue(text.endswith("\r\n"))
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual(len(set(rows[0])), len(rows[0]))
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    def run_trace(self, *arguments, **options):
        self.write("trace.txt", meters.RECORD * 100)
        self.write("pipeline.conf", harness.TRACE_TO_TRACE)
        return self.run_pipe("--quiet", *arguments, "pipeline.conf", **options)


class ExportTest(FilesTest):

    # ---- the file for Prometheus --------------------------------------

    def test_metrics_are_those_of_the_run(self):
        self.check(self.run_trace("--metrics", "run.prom"), 0)
        samples = self.metrics()
        none = frozenset()
        self.assertEqual(samples["sluice_packets_received_total", none], 100)
        self.assertEqual(samples["sluice_packets_sent_total", none], 100)
        for role in "source", "sink":
            self.assertEqual(
                samples["sluice_stage_packets_total",
                        labels(stage="trace_text", role=role)], 100)
        self.assertEqual({key[1]: value for key, value in samples.items()
                          if key[0] == "sluice_run_outcome"},
                         {labels(outcome="running"): 0,
                          labels(outcome="done"): 1,
                          labels(outcome="failed"): 0,
                          labels(outcome="stopped"): 0})
        self.assertFalse([key for key in samples if "joule" in key[0]])
        self.assertEqual(self.files(), ["out.txt", "pipeline.conf", "run.prom",
                                        "trace.txt"])

    def test_metrics_want_a_file(self):
        result = self.run_pipe("--metrics", "-", "pipeline.conf")
        self.assertEqual(result.code, 2)
        self.assertIn("--metrics takes a file", result.err)
        self.assertFalse(os.path.exists(self.path("-")))

    def test_metrics_are_renewed_while_it_runs(self):
        self.configure(watts=30, top="idle_power = 10.0;")
        process = self.begin("--quiet", *QUICK, "--metrics", "run.prom")
        sent = ("sluice_packets_sent_total", frozenset())
        self.until(lambda: self.read("run.prom"), "no metrics")
        # What came out is in the figures the next time they are written.
        self.until(lambda: self.metrics()[sent] > 0, "no packets")
        samples = self.metrics()
        self.assertEqual(
            samples["sluice_run_outcome", labels(outcome="running")], 1)
        inode = os.stat(self.path("run.prom")).st_ino
        self.until(lambda: os.stat(self.path("run.prom")).st_ino != inode,
                   "it was not replaced")
        self.end(process)
        samples = self.metrics()
        self.assertEqual(samples[sent], meters.PACKETS)
        self.assertEqual(
            samples["sluice_run_outcome", labels(outcome="done")], 1)
        joules = samples["sluice_energy_joules_total",
                         labels(meter="replay", domain="board_joules",
                                quality="measured")]
        self.assertGreater(joules, 0)
        self.assertEqual(samples["sluice_energy_sum_joules_total",
                                 labels(estimate="no")], joules)
        self.assertAlmostEqual(
            samples["sluice_packets_per_joule", labels(estimate="no")],
            meters.PACKETS / joules, delta=0.001 * meters.PACKETS / joules)
        self.assertEqual(samples["sluice_idle_power_watts", frozenset()], 10)

    def test_an_estimate_says_so(self):
        self.cpus(busy=0.5)
        self.configure(meters='{ plugin = "cpu_model"; root = "root"; '
                       'idle = 10.0; busy = 40.0; }', top="")
        self.measure("--quiet", "--metrics", "run.prom")
        samples = self.metrics()
        self.assertTrue([key for key in samples
                         if key[0] == "sluice_energy_joules_total"])
        for (name, tags) in samples:
            if name in ("sluice_energy_joules_total", "sluice_power_watts"):
                self.assertIn('quality="estimate"', tags)
            if name.startswith("sluice_energy_sum"):
                self.assertIn('estimate="yes"', tags)

    def test_a_reader_never_sees_half_a_file(self):
        self.configure(watts=30)
        process = self.begin("--quiet", *QUICK, "--metrics", "run.prom")
        inodes = set()
        self.until(lambda: self.read("run.prom"), "no metrics")
        while len(inodes) < 5:
            with open(self.path("run.prom"), "rb") as file:
                inodes.add(os.fstat(file.fileno()).st_ino)
                exposition.read(file.read())
        self.end(process)

    def test_collectors_of_other_users_can_read_it(self):
        old = os.umask(0o077)
        self.addCleanup(os.umask, old)
        self.run_trace("--metrics", "run.prom")
        self.assertEqual(
            stat.S_IMODE(os.stat(self.path("run.prom")).st_mode), 0o644)

    def test_a_failed_run_leaves_its_outcome(self):
        self.write("trace.txt", meters.RECORD + b"bad\n")
        self.write("pipeline.conf", harness.TRACE_TO_TRACE)
        result = self.run_pipe("--quiet", "--metrics", "run.prom",
                               "--series", "run.csv", "pipeline.conf")
        self.assertEqual(result.code, 1)
        self.assertEqual(
            self.metrics()["sluice_run_outcome", labels(outcome="failed")], 1)
        self.assertEqual(self.rows(self.read("run.csv"))[-1]["outcome"],
                         "failed")

    # ---- the table ----------------------------------------------------

    def test_a_series_has_a_row_an_interval_and_one_at_the_end(self):
        self.configure(watts=30)
        process = self.begin("--quiet", *QUICK, "--series", "run.csv")
        self.until(lambda: self.read("run.csv").count(b"running,") >= 3,
                   "no three rows")
        stats, _ = self.end(process)
        rows = self.rows(self.read("run.csv"))
        self.assertEqual({row["outcome"] for row in rows[:-1]}, {"running"})
        self.assertEqual(rows[-1]["outcome"], "done")
        self.assertEqual(rows[-1]["packets_out"], str(meters.PACKETS))
        self.assertEqual(rows[-1]["compute.packets_in"], str(meters.PACKETS))
        self.assertAlmostEqual(float(rows[-1]["energy_j"]),
                               stats["energy"]["joules"], delta=1e-6)
        for column in ("total_s", "packets_in", "energy_j", "source.busy_s"):
            values = [float(row[column] or 0) for row in rows]
            self.assertEqual(values, sorted(values), column)

    def test_a_series_goes_to_standard_output(self):
        result = self.run_trace("--series", "-")
        self.assertEqual((result.code, result.err), (0, ""))
        rows = self.rows(result.out)
        self.assertEqual([row["outcome"] for row in rows], ["done"])

    def test_an_old_series_is_replaced(self):
        self.write("run.csv", "old\r\n" * 1000)
        self.run_trace("--series", "run.csv")
        self.assertEqual(len(self.rows(self.read("run.csv"))), 1)

    # ---- what cannot be written ---------------------------------------

    def test_a_file_that_cannot_be_written_fails_before_the_run(self):
        os.mkdir(self.path("folder"))
        os.mkfifo(self.path("fifo"))
        for arguments, message in (
                (["--metrics", "none/run.prom"],
                 "cannot write none/run.prom: No such file or directory"),
                (["--metrics", "folder"],
                 "cannot replace folder: it is no regular file"),
                (["--metrics", "fifo"],
                 "cannot replace fifo: it is no regular file"),
                (["--series", "none/run.csv"],
                 "cannot write none/run.csv: No such file or directory"),
                (["--series", "folder"],
                 "cannot write folder: Is a directory")):
            with self.subTest(arguments=arguments):
                self.check(self.run_trace(*arguments), 1,
                           f"runpipe: {message}\n")
                self.assertEqual(self.files(), ["fifo", "folder",
                                                "pipeline.conf", "trace.txt"])

    def test_what_the_run_reads_or_writes_is_no_export(self):
        for option in "--metrics", "--series":
            for name in "trace.txt", "pipeline.conf", "out.txt":
                with self.subTest(option=option, name=name):
                    result = self.run_trace(option, name)
                    self.assertEqual(result.code, 2, result.err)
                    self.assertEqual(self.files(),
                                     ["pipeline.conf", "trace.txt"])
                    self.assertEqual(self.read("trace.txt"),
                                     meters.RECORD * 100)
        self.assertEqual(self.run_trace("--metrics", "x", "--series",
                                        "x").code, 2)
        self.assertEqual(self.run_trace("--stats", "x", "--series",
                                        "x").code, 2)
        self.assertEqual(self.run_trace("--stats", "-", "--series",
                                        "-").code, 2)
        self.assertEqual(self.files(), ["pipeline.conf", "trace.txt"])

    def test_a_run_that_cannot_start_leaves_no_files(self):
        self.write("pipeline.conf", harness.TRACE_TO_TRACE)
        result = self.run_pipe("--metrics", "run.prom", "--series", "run.csv",
                               "pipeline.conf")
        self.assertEqual(result.code, 1)
        self.assertEqual(self.files(), ["pipeline.conf"])

    def test_a_write_that_fails_later_is_said_once(self):
        os.mkdir(self.path("exports"))
        self.configure(watts=30)
        process = self.begin("--quiet", *QUICK, "--metrics",
                             "exports/run.prom")
        self.until(lambda: self.read("exports/run.prom"), "no metrics")
        gone = self.path("gone")
        os.rename(self.path("exports"), gone)
        time.sleep(0.5)  # for some more; as few as there are, it is said once
        stats, err = self.end(process, code=1)
        self.assertEqual(stats["outcome"], "done")
        self.assertEqual(err, "runpipe: cannot write exports/run.prom: "
                         "No such file or directory\n")
        self.metrics("gone/run.prom")

    def test_a_table_that_outgrows_its_limit_ends_with_a_whole_row(self):
        self.write("trace.txt", meters.RECORD * 100)
        self.write("pipeline.conf", harness.TRACE_TO_TRACE.replace(
            'trace_text"; path = "out.txt"', 'discard"'))
        run = ("--quiet", "--series", "run.csv", "pipeline.conf")
        self.assertEqual(self.run_pipe(*run).code, 0)
        header = self.read("run.csv").index(b"\n") + 1

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (header + 5, header + 5))
        result = self.run_pipe(*run, preexec_fn=limit)
        self.assertEqual(
            (result.code, result.err),
            (1, "runpipe: cannot write run.csv: File too large\n"))
        self.assertEqual(self.rows(self.read("run.csv")), [])

    def test_a_full_device_costs_the_exit_code_and_no_packets(self):
        result = self.run_trace("--series", "/dev/full")
        self.assertEqual(
            (result.code, result.err),
            (1, "runpipe: cannot write /dev/full: No space left on device\n"))
        self.assertEqual(self.read("out.txt"), meters.RECORD * 100)

    def test_an_interval_is_a_duration(self):
        for text in ("", "s", "0", "-1s", "99ms", "25h", "1d", "nan", "1e99s",
                     "10 sec"):
            with self.subTest(interval=text):
                self.check(self.run_trace("--metrics-interval", text), 2,
                           "runpipe: --metrics-interval takes a duration from "
                           f"100ms to 24h: {text}\ntry runpipe --help\n")
        for text in "0.1", "100ms", "10 s", "2min", "24h":
            with self.subTest(interval=text):
                self.check(self.run_trace("--metrics-interval", text), 0)


class CountersTest(FilesTest):

    def setUp(self):
        super().setUp()
        self.folder_of_counters = self.path("run/sluice")

    def published(self, counters, program="encoder", **options):
        publisher = Publisher(self.folder_of_counters, counters, program,
                              **options)
        self.addCleanup(publisher.file.close)
        return publisher

    def counters(self, *arguments):
        return self.run_pipe("counters", "--folder", self.folder_of_counters,
                             *arguments)

    def test_counters_of_all_programs_as_metrics(self):
        pid = os.getpid()
        for number in 0, 1:
            self.published([("frames", "frame", 1, 7), ("sent", "B", 1024, 2),
                            ("quality", "", 1, 0.5),
                            ("watts", "W", 1, float("nan"))], number=number)
        result = self.counters("--prometheus")
        self.assertEqual((result.code, result.err), (0, ""))
        self.write("counters.prom", result.out)
        samples = self.metrics("counters.prom")

        def of(number, **more):
            return labels(program="encoder", process=pid,
                          file=f"encoder.{pid}.{number}", **more)
        wanted = {}
        for number in 0, 1:
            wanted |= {
                ("sluice_program_up", of(number)): 1,
                ("sluice_program_work_total",
                 of(number, name="frames", unit="frame")): 7,
                ("sluice_program_work_total",
                 of(number, name="sent", unit="B")): 2048,
                ("sluice_program_figure", of(number, name="quality", unit="")): 0.5}
        self.assertEqual(samples, wanted)

    def test_a_file_s_name_may_be_anything(self):
        publisher = self.published([("frames", "frame", 1, 7)])
        os.rename(os.fsencode(publisher.path),
                  os.path.join(os.fsencode(self.folder_of_counters),
                               b'x"\\\n\xff%.counters'))
        result = self.counters("--prometheus")
        self.write("counters.prom", result.out)
        self.metrics("counters.prom")
        self.assertIn(b'file="x%22%5C%0A%FF%25"', result.out)

    def test_without_programs_there_are_no_metrics(self):
        os.makedirs(self.folder_of_counters, 0o700)
        self.check(self.counters("--prometheus"), 0,
                   "no counters: no program that publishes any runs\n")

    def test_a_series_of_counters(self):
        self.published([("frames", "frame", 1, 7),
                        ("watts", "W", 1, float("nan"))])
        process = self.start("counters", "--folder", self.folder_of_counters,
                             "--csv", "--watch=0.1")
        lines = [process.stdout.readline() for _ in range(5)]
        process.terminate()
        self.assertEqual(self.finish(process).code, 143)
        self.assertEqual(lines[0], b"time_s,program,process,state,counter,"
                         b"value,unit\r\n")
        pid = os.getpid()
        for line in lines[1::2]:
            self.assertRegex(line.decode(), rf"^\d+\.\d{{3}},encoder,{pid},"
                             r"live,frames,7,frame\r\n$")
        for line in lines[2::2]:
            self.assertRegex(line.decode(), rf"^\d+\.\d{{3}},encoder,{pid},"
                             r"live,watts,,W\r\n$")
        times = [float(line.split(b",")[0]) for line in lines[1:]]
        self.assertEqual(times[0], times[1])
        self.assertLess(times[1], times[2])

    def test_forms_exclude_each_other(self):
        for pair in (("--json", "--csv"), ("--csv", "--prometheus"),
                     ("--prometheus", "--json")):
            with self.subTest(pair=pair):
                self.check(self.counters(*pair), 2, "runpipe counters: one of "
                           "--json, --csv and --prometheus\n"
                           "try runpipe counters --help\n")
        self.check(self.counters("--prometheus", "--watch"), 2,
                   "runpipe counters: --prometheus is of one moment\n"
                   "try runpipe counters --help\n")


class GrammarTest(unittest.TestCase):
    """The checker finds what is wrong."""

    def test_the_checker_can_fail(self):
        head = b"# HELP a_total Text.\n# TYPE a_total counter\n"
        exposition.read(head + b'a_total{x="\\"y"} 1\n')
        for data, what in (
                (head + b"a_total 1", "no end"),
                (b"a_total 1\n", "not of the metric"),
                (b"# TYPE a counter\na 1\n", "a TYPE without"),
                (head + b"a_total 1\na_total 1\n", "twice"),
                (head + b"a_total nan\n", "cannot be"),
                (head + b"a_total{x=\"y} 1\n", "no sample"),
                (head + b"a_total 1\n" + head + b"a_total{x=\"y\"} 1\n",
                 "twice"),
                (b"# HELP a A.\n# TYPE a counter\na 1\n", "_total"),
                (b"# HELP a_ms A.\n# TYPE a_ms gauge\na_ms 1\n",
                 "no base unit")):
            with self.subTest(data=data):
                with self.assertRaisesRegex(ValueError, what):
                    exposition.read(data)

    def test_promtool_agrees(self):
        found = exposition.complaints(b"a_total 1\n")
        if found is None:
            self.skipTest("there is no promtool")
        self.assertIn("no help text", found)


if __name__ == "__main__":
    harness.main()
