# SPDX-License-Identifier: MIT
"""Meters in a pipeline: what a run and its stages cost, and when that is not
known."""
import json
import os
import signal
import time

import harness
import meters
from meters import PACKETS, RECORD, recording


class Figures(meters.MetersTest):

    def test_a_run_has_its_joules_and_packets_by_joule(self):
        self.configure(watts=20)
        stats, _ = self.measure()
        energy = stats["energy"]
        meter, = stats["meters"]
        self.check_power(energy, 20)
        self.check_power(meter, 20)
        self.assertEqual(
            (meter["meter"], meter["plugin"], meter["domain"],
             meter["quality"], meter["in_sum"], meter["aside"],
             meter["estimate"], meter["reason"]),
            ("replay", "replay", "board_joules", "measured", True, None,
             False, None))
        self.assertEqual((energy["domains"], energy["estimate"],
                          energy["reason"]), (1, False, None))
        for key, value in (
                ("packets_per_joule", PACKETS / energy["joules"]),
                ("joules_per_packet", energy["joules"] / PACKETS)):
            figure = energy[key]
            self.assertAlmostEqual(figure["value"] / value, 1, delta=1e-6)
            self.assertLess(figure["low"], figure["value"])
            self.assertLess(figure["value"], figure["high"])
        self.assertIsNone(energy["ratio_reason"])

    def test_the_region_begins_with_the_input(self):
        self.configure(watts=20)
        for engine in (["--serial"], ["--workers", "2"]):
            stats, _ = self.measure(*engine, before=0.5, seconds=0.1)
            self.assertLess(stats["elapsed_s"], stats["total_s"] - 0.4)
            self.assertLess(stats["energy"]["seconds"],
                            stats["total_s"] - 0.4)
            self.check_power(stats["energy"], 20)

    def test_stages_and_idle_add_up_to_the_whole(self):
        self.configure(watts=20, top="idle_power = 4.0;")
        for engine in (["--serial"], ["--workers", "2"], ["--workers", "8"]):
            with self.subTest(engine=engine):
                stats, _ = self.measure(*engine)
                energy = stats["energy"]
                idle = energy["idle"]
                self.assertEqual((idle["source"], idle["watts"],
                                  idle["half_watts"], idle["reason"]),
                                 ("given", 4, None, None))
                self.assertAlmostEqual(idle["joules"]["value"],
                                       4 * energy["seconds"], delta=1e-6)
                # How far it is off nobody said.
                self.assertEqual(
                    {key: value for key, value in idle["joules"].items()
                     if key != "value"},
                    dict.fromkeys(("low", "high", "random", "systematic")))
                parts = [one["joules"]["value"]
                         for one in self.instances(stats)]
                self.assertAlmostEqual(sum(parts), energy["net"]["joules"]
                                       ["value"], delta=1e-6)
                self.assertAlmostEqual(idle["joules"]["value"] + sum(parts),
                                       energy["joules"], delta=1e-6)

    def test_stages_share_by_their_cpu_time(self):
        self.configure(watts=20, top="idle_power = 4.0;")
        stats, _ = self.measure()
        all_ns = sum(one["cpu_ns"] for one in self.instances(stats))
        net = stats["energy"]["net"]["joules"]["value"]
        for one in self.instances(stats):
            self.assertGreaterEqual(one["cpu_samples"], meters.SLOW)
            self.assertLess(one["cpu_samples"], PACKETS // 2)
            self.assertAlmostEqual(one["joules"]["value"],
                                   net * one["cpu_ns"] / all_ns, delta=1e-5)
            self.assertLess(one["joules"]["low"], one["joules"]["value"])
        less, more = stats["stages"]
        self.assertGreater(more["joules"]["value"], less["joules"]["value"])

    def test_a_counter_that_wraps_in_the_run(self):
        self.write("board.csv", meters.recording(20, wrap=20))
        self.configure('{ plugin = "replay"; file = "board.csv"; wrap = 20.0; '
                       'max_power = 25.0; }')
        stats, _ = self.measure(seconds=1.1)
        self.check_power(stats["energy"], 20)
        self.assertGreater(stats["energy"]["joules"], 20)

    def test_a_power_is_integrated(self):
        self.write("board.csv", "time_s,board_w\n" + "".join(
            f"{at / 100},{20}\n" for at in range(20000)))
        self.configure(top='meter_period = "10 ms";')
        stats, _ = self.measure()
        self.assertEqual(stats["meters"][0]["quality"], "integrated")
        self.assertAlmostEqual(stats["energy"]["watts"], 20, delta=1e-6)

    def test_without_meters_there_is_nothing_of_it(self):
        self.configure("")
        stats, said = self.measure(seconds=0)
        self.assertEqual((stats["energy"], stats["meters"]), (None, []))
        for one in self.instances(stats):
            self.assertNotIn("joules", one)
        self.assertNotIn("energy", said)


class Trees(meters.MetersTest):

    def test_a_processor_s_counter(self):
        self.rapl(30)
        self.configure('{ plugin = "rapl"; root = "root"; accuracy = 0.01; }',
                       top="idle_power = 10.0;")
        stats, _ = self.measure()
        self.check_power(stats["energy"], 30)
        self.assertEqual(stats["meters"][0]["quality"], "on-die")
        self.assertIsNone(stats["energy"]["stages_reason"])

    def test_two_that_overlap_are_shown_and_not_added(self):
        self.rapl(30)
        self.configure('{ plugin = "rapl"; root = "root"; name = "one"; }, '
                       '{ plugin = "rapl"; root = "root"; name = "two"; }')
        stats, said = self.measure()
        one, two = stats["meters"]
        self.assertEqual((one["meter"], one["in_sum"], two["meter"],
                          two["in_sum"]), ("one", True, "two", False))
        self.check_power(two, 30)
        self.assertEqual(stats["energy"]["domains"], 1)
        self.assertAlmostEqual(stats["energy"]["joules"], one["joules"],
                               delta=1e-9)
        self.assertIn("overlaps", two["aside"])
        self.assertRegex(said, r"(?m)^  one\.intel-rapl:0 .* on-die$")
        self.assertRegex(said, r"(?m)^  two\.intel-rapl:0 .* on-die, \*$")
        self.assertIn("    * not added: " + two["aside"][:20], said)

    def test_the_platform_stands_beside_its_parts(self):
        self.rapl(30)
        self.write("board.csv", meters.recording(80))
        self.configure('{ plugin = "replay"; file = "board.csv"; '
                       'scope = "platform"; }, '
                       '{ plugin = "rapl"; root = "root"; }')
        stats, _ = self.measure()
        self.check_power(stats["meters"][0], 80)
        self.check_power(stats["energy"], 30)

    def test_a_model_says_estimate_wherever_it_stands(self):
        self.cpus(busy=1)
        self.configure('{ plugin = "cpu_model"; root = "root"; idle = 3.0; '
                       'busy = 20.0; }',
                       top='idle_power = 3.0; meter_period = "100 ms";')
        stats, said = self.measure(seconds=2.2)
        energy = stats["energy"]
        self.assertAlmostEqual(energy["watts"], 20, delta=0.001)
        self.assertIsNone(energy["stages_reason"])
        for figures in [energy, *stats["meters"], *self.instances(stats)]:
            self.assertIs(figures["estimate"], True)
        lines = said[said.index("\nenergy:") + 1:].splitlines()
        headings = ("meter", "stage", "idle power: 3 W, as given")
        for line in lines:
            if not line.lstrip().startswith(headings):
                self.assertTrue(line.endswith(("estimate", "(estimate)")),
                                line)
        self.assertEqual(len(lines), 1 + 2 + 2 + 2 + 5)

    def test_a_counter_that_vanishes_leaves_a_reason_and_the_packets(self):
        vanish = self.rapl(30)
        self.configure('{ plugin = "rapl"; root = "root"; }',
                       top="idle_power = 1.0;")
        process = self.begin()
        vanish()
        stats, said = self.end(process)  # exit 0, every packet
        energy = stats["energy"]
        reason = energy["reason"]
        self.assertRegex(reason, "intel-rapl:0: .*energy_uj: No such file")
        for key in ("joules", "low", "high", "watts", "packets_per_joule",
                    "joules_per_packet"):
            self.assertIsNone(energy[key])
        self.assertEqual(energy["ratio_reason"], reason)
        idle = energy["idle"]
        self.assertEqual((idle["source"], idle["watts"], idle["joules"],
                          idle["reason"]), ("given", 1, None, reason))
        self.check_no_shares(stats, reason)
        self.assertIsNone(stats["meters"][0]["joules"])
        self.assertIn("energy_uj", stats["meters"][0]["reason"])
        self.assertIn("\nenergy: no figure: intel-rapl:0: ", said)
        self.assertIn("\n  packets/J: no figure: intel-rapl:0: ", said)
        self.assertIn("\n  energy of stages: no figure: intel-rapl:0:\n",
                      said)
        self.assertNotRegex(said, r"(?m)^  rapl\.intel-rapl:0 .* 0 ")

    def test_a_domain_that_cannot_be_read_is_said_to_be_missing(self):
        self.rapl(30)
        self.rapl(5, "intel-rapl:1", "package-1")
        os.unlink(self.path("root/sys/class/powercap/intel-rapl:1/"
                            "max_energy_range_uj"))
        self.configure('{ plugin = "rapl"; root = "root"; }')
        stats, said = self.measure()
        self.check_power(stats["energy"], 30)
        self.assertIn("missing from the sum: intel-rapl:1",
                      stats["energy"]["missing"])
        self.assertIsNone(stats["meters"][1]["joules"])
        self.assertIn("\n  note: missing from the sum: intel-rapl:1", said)

    def test_large_figures_are_written_out(self):
        self.write("board.csv", recording(5e6))
        self.configure('{ plugin = "replay"; file = "board.csv"; '
                       'max_power = 1e8; }', top="idle_power = 4e5;")
        stats, said = self.measure()
        energy = stats["energy"]
        self.assertIn(f"energy: {energy['joules']:.0f} J +- ", said)
        self.assertIn("  idle power: 400000 W, as given\n", said)
        self.assertNotIn("e+", said)

    def test_the_idle_machine_is_measured_before_the_input_is_opened(self):
        chip = "sys/class/hwmon/hwmon0/"
        self.tree(chip + "name", "bench\n")
        self.tree(chip + "update_interval", "10\n")
        self.tree(chip + "power1_input", "5000000\n")
        os.mkfifo(self.path("in"))
        self.configure('{ plugin = "hwmon"; root = "root"; }', source="in",
                       top='idle_window = "300 ms"; meter_period = "5 ms";')
        process = self.start("--stats", "stats.json", "pipeline.conf")
        with self.feed(process, "in") as pipe:
            self.tree(chip + "power1_input", "20000000\n")
            pipe.write(RECORD * (PACKETS // 2))
            pipe.flush()
            os.read(process.stdout.fileno(), 1)
            time.sleep(0.3)
            pipe.write(RECORD * (PACKETS - PACKETS // 2))
        self.assertEqual(self.finish(process).code, 0)
        energy = json.loads(self.read("stats.json"))["energy"]
        self.assertEqual(energy["idle"]["source"], "measured")
        self.assertAlmostEqual(energy["idle"]["watts"], 5, delta=1e-6)
        self.assertIsNotNone(energy["idle"]["half_watts"])
        self.assertGreater(energy["watts"], 10)
        self.assertAlmostEqual(
            energy["net"]["joules"]["value"],
            energy["joules"] - 5 * energy["seconds"], delta=1e-5)


class Refusals(meters.MetersTest):

    def test_a_run_under_twenty_updates_has_no_energy_of_stages(self):
        self.write("board.csv", "time_s,board_watts\n" + "".join(
            f"{10 * at},20\n" for at in range(20)))
        self.configure(top="idle_power = 1.0;")
        stats, said = self.measure(seconds=0)
        seconds = stats["energy"]["seconds"]
        self.check_no_shares(stats, "the run is shorter than 20 update "
                             f"periods of the meter ({seconds:.3g} s of 200 "
                             "s)")
        self.assertIn("\n  energy of stages: no figure: the run is shorter "
                      "than 20", said)

    def test_a_counter_that_was_not_renewed_is_no_0(self):
        self.write("board.csv", "time_s,board_joules\n" + "".join(
            f"{10 * at},{200 * at}\n" for at in range(20)))
        self.configure()
        stats, said = self.measure(seconds=0)
        energy = stats["energy"]
        reason = ("board_joules: the meter was not renewed between the "
                  "readings")
        self.assertEqual((energy["joules"], energy["reason"],
                          energy["packets_per_joule"]), (None, reason, None))
        self.assertIn("energy: no figure: " + reason + "\n", said)

    def test_without_idle_power_stages_have_none(self):
        self.configure(watts=20)
        stats, said = self.measure()
        reason = ("no idle power is known: set idle_power or idle_window")
        self.check_no_shares(stats, reason)
        idle = stats["energy"]["idle"]
        self.assertEqual((idle["source"], idle["watts"], idle["joules"],
                          idle["reason"]), ("unknown", None, None, reason))
        self.assertIn("\n  energy of stages: no figure: no idle power is "
                      "known: set idle_power or\n    idle_window\n", said)

    def test_net_energy_that_is_noise_keeps_its_sign(self):
        self.configure(watts=20, top="idle_power = 30.0;")
        stats, _ = self.measure()
        net = stats["energy"]["net"]
        self.assertLess(net["raw_joules"], 0)
        self.assertIsNone(net["joules"])
        self.assertRegex(net["reason"],
                         r"^net energy cannot be told from idle: -[0-9.]+ J "
                         r"\+- [0-9.]+ J$")
        self.check_no_shares(stats, net["reason"])
        self.assertIsNotNone(stats["energy"]["idle"]["joules"])

    def test_few_samples_of_cpu_time_are_refused(self):
        self.configure(watts=20, top="idle_power = 1.0;")
        config = self.read("pipeline.conf").replace(b"chunk = 1;",
                                                    b"chunk = 100;")
        self.write("pipeline.conf", config)
        stats, _ = self.measure()
        reason = stats["energy"]["stages_reason"]
        self.assertRegex(reason, "^too few samples of CPU time: [1-4], 10 are "
                         "wanted; a chunk each 10 ms is one$")
        self.check_no_shares(stats, reason)

    def test_no_packet_is_no_ratio(self):
        self.configure(watts=20)
        result = self.run_pipe("--stats", "stats.json", "pipeline.conf")
        self.assertEqual(result.code, 0)
        energy = json.loads(self.read("stats.json"))["energy"]
        self.assertIsNone(energy["packets_per_joule"])
        self.assertIsNone(energy["joules_per_packet"])
        self.assertIsNotNone(energy["ratio_reason"])

    def test_all_lines_fit_into_eighty_columns(self):
        self.rapl(30)
        name = "a_meter_of_a_very_long_name_that_nobody_wants_to_read"
        self.configure(f'{{ plugin = "rapl"; root = "root"; name = "{name}"; '
                       '}, { plugin = "rapl"; root = "root"; }',
                       top="idle_power = 1e4;")
        _, said = self.measure()
        self.assertIn("no figure", said)
        for line in said.splitlines():
            self.assertLessEqual(len(line), 80, line)


class Running(meters.MetersTest):

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("run"), 0o700)
        self.there = {"XDG_RUNTIME_DIR": self.path("run")}

    def counters(self):
        result = self.run_pipe("counters", "--folder", self.path("run/sluice"),
                               "--json", "runpipe")
        return {row["name"]: row
                for row in map(json.loads, result.out.splitlines())}

    def wait_for(self, ready):
        """The counters, as soon as they are so."""
        end = time.monotonic() + harness.TIMEOUT_S
        while time.monotonic() < end:
            rows = self.counters()
            if rows and ready(rows):
                return rows
        self.fail("the counters never came so far")

    def test_energy_is_published_while_it_runs(self):
        self.rapl(30)
        self.configure('{ plugin = "rapl"; root = "root"; name = "a rapl"; }',
                       top='meter_period = "10 ms";')
        process = self.begin("--quiet", env=self.there)
        rows = self.wait_for(lambda rows: rows["energy"]["value"]
                             and rows["power"]["value"])
        self.assertEqual(
            list(rows)[-4:],
            ["energy", "power", "estimate", "energy.a_rapl.intel-rapl_0"])
        self.assertEqual([row["unit"] for row in list(rows.values())[-4:]],
                         ["J", "W", "", "J"])
        self.assertEqual(rows["estimate"]["value"], 0)
        self.assertGreater(rows["power"]["value"], 0)
        self.assertGreater(rows["busy.more"]["value"], 0)
        self.assertGreater(rows["packets.more"]["value"], 0)
        self.end(process)

    def test_before_the_region_begins_its_energy_is_no_0(self):
        self.cpus(0.5)
        self.configure('{ plugin = "cpu_model"; root = "root"; idle = 3.0; '
                       'busy = 20.0; }', source="in")
        os.mkfifo(self.path("in"))
        process = self.start("--quiet", "pipeline.conf", env=self.there)
        with self.feed(process, "in"):
            rows = self.counters()
        self.assertIsNone(rows["energy"]["value"])
        self.assertIsNone(rows["energy.cpu_model.cpu"]["value"])
        self.assertEqual(rows["estimate"]["value"], 1)
        self.assertEqual(self.finish(process).code, 0)

    def test_signals_drain_and_report_energy(self):
        self.configure(watts=20, top="idle_power = 4.0;")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number):
                process = self.begin()
                self.trickle(process, seconds=0.3)
                process.send_signal(number)
                self.assertEqual(self.finish(process).code, code)
                stats = json.loads(self.read("stats.json"))
                self.assertEqual(stats["outcome"], "stopped")
                self.check_power(stats["energy"], 20)
                self.assertIsNone(stats["energy"]["stages_reason"])

    def test_an_idle_window_that_says_nothing_is_refused_at_once(self):
        self.configure('{ plugin = "hwmon"; root = "root"; }', sink="out",
                       top='meter_period = "5 ms";\nidle_window = "199 ms";')
        chip = "sys/class/hwmon/hwmon0/"
        self.tree(chip + "name", "bench\n")
        self.tree(chip + "update_interval", "10\n")
        self.tree(chip + "power1_input", "5000000\n")
        result = self.run_pipe("pipeline.conf")
        self.check(result, 2, "pipeline.conf:2: idle_window: 199 ms is shorter "
                   "than 20 update periods of the meter: 200 ms is the least\n")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_signal_ends_the_idle_window_and_nothing_was_written(self):
        self.configure(watts=20, top='idle_window = "1 h";', sink="out")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number):
                process = self.start("--stats", "stats.json", "pipeline.conf",
                                     env=self.there)
                self.wait_for(lambda rows: "power" in rows)
                process.send_signal(number)
                self.check(self.finish(process), code, "runpipe: measuring "
                           "the idle machine for 1 h\n")
                self.assertEqual(self.files(),
                                 ["board.csv", "pipeline.conf", "run"])


class Opening(meters.MetersTest):

    def check_failed(self, said, code=1):
        """Before anything was read or written."""
        before = self.files()
        self.write("out", "old\n")
        result = self.run_pipe("--stats", "stats.json", "pipeline.conf",
                               stdin=RECORD)
        self.check(result, code, said)
        self.assertEqual(self.read("out"), b"old\n")
        self.assertEqual(self.files(), sorted(before + ["out"]))

    def test_a_meter_that_cannot_be_opened_fails_the_run(self):
        os.mkdir(self.path("root"))
        self.configure('{ plugin = "rapl"; name = "cpu"; root = "root"; }',
                       sink="out")
        self.check_failed('runpipe: meter "cpu": sys/class/powercap: No such '
                          "file or directory\n")

    def test_nor_does_one_that_cannot_measure_anything(self):
        self.tree("sys/class/powercap/intel-rapl:0/name", "package-0\n")
        self.tree("sys/class/powercap/intel-rapl:0/energy_uj", "5\n")
        self.configure('{ plugin = "rapl"; name = "cpu"; root = "root"; }',
                       sink="out")
        self.check_failed('runpipe: meter "cpu": no domain can be used; '
                          "intel-rapl:0: sys/class/powercap/intel-rapl:0/"
                          "max_energy_range_uj: No such file or directory\n")

    def test_options_that_do_not_fit_together_are_a_configuration_s(self):
        self.configure('{ plugin = "cpu_model"; }', sink="out")
        self.check_failed('runpipe: meter "cpu_model": no power is known: give '
                          "idle and busy, or a calibration file\n", code=2)

    def test_a_file_of_which_a_part_would_be_missing(self):
        nul = "a NUL byte in it"
        for meter, content, reason in (
                (self.REPLAY, "time_s,x_w\n0,5\n\0\n1,9\n",
                 f'"replay": board.csv: {nul}'),
                ('{ plugin = "cpu_model"; busy = 9.0; '
                 'calibration = "board.csv"; }', "idle = 2\n\0busy = 3\n",
                 f'"cpu_model": board.csv: {nul}'),
                ('{ plugin = "cpu_model"; busy = 9.0; '
                 'calibration = "board.csv"; }', "",
                 '"cpu_model": board.csv: empty')):
            with self.subTest(reason=reason):
                self.write("board.csv", content)
                self.configure(meter, sink="out")
                self.check_failed(f"runpipe: meter {reason}\n", code=2)
                os.unlink(self.path("out"))

    def test_a_recording_is_no_output(self):
        self.configure(watts=20, sink="board.csv")
        recorded = self.read("board.csv")
        self.check_failed('runpipe: sink "trace_text": output equal to input: '
                          'meter "replay" reads board.csv\n', code=2)
        self.assertEqual(self.read("board.csv"), recorded)

    def test_a_recording_is_no_report(self):
        self.configure(watts=20)
        recorded = self.read("board.csv")
        result = self.run_pipe("--stats", "board.csv", "pipeline.conf")
        self.check(result, 2, 'runpipe: meter "replay": input equal to '
                   "output: the report writes board.csv\n")
        self.assertEqual(self.read("board.csv"), recorded)

    def test_a_check_opens_no_meter(self):
        self.configure('{ plugin = "rapl"; root = "nowhere"; }')
        self.check(self.run_pipe("--check", "pipeline.conf"), 0,
                   "pipeline.conf: nothing is wrong\n")

    def test_paths_start_at_the_configuration_s_folder(self):
        os.mkdir(self.path("sub"))
        self.configure(watts=20)
        for name in ("pipeline.conf", "board.csv"):
            os.rename(self.path(name), self.path("sub/" + name))
        result = self.run_pipe("--quiet", "sub/pipeline.conf", stdin=RECORD)
        self.check(result, 0, "", RECORD)

    def test_an_option_is_set_from_the_command_line(self):
        self.configure('{ plugin = "replay"; name = "board"; '
                       'file = "nowhere.csv"; }')
        self.write("there.csv", meters.recording(20))
        result = self.run_pipe("--quiet", "--set", "board.file=there.csv",
                               "pipeline.conf", stdin=RECORD)
        self.check(result, 0, "", RECORD)


class Example(meters.MetersTest):

    def test_the_example_runs_and_says_estimate(self):
        example = os.path.join(harness.SOURCE_DIR, "examples/energy",
                               "router.conf")
        result = self.run_pipe("--serial", "--stats", "stats.json",
                               "--set", "compute1.repeat=6",
                               "--set", "compute2.repeat=9", example)
        self.assertEqual(result.code, 0, result.err)
        stats = json.loads(self.read("stats.json"))
        self.assertEqual(stats["packets"]["in"], 113405)
        energy = stats["energy"]
        self.assertIs(energy["estimate"], True)
        self.assertGreater(energy["watts"], 10)
        self.assertIn("J/packet", result.err)
        self.assertIn(" (estimate)\n", result.err)
        reason = energy["stages_reason"]
        if reason:  # a machine that is too fast for it
            self.assertIn("20 update periods", reason)
            return
        share = {one["name"]: one["joules"]["value"]
                 for one in self.instances(stats)}
        self.assertGreater(share["compute2"], share["nat"])


class Configurations(meters.MetersTest):

    def check_said(self, config, *lines, arguments=()):
        self.write("pipeline.conf", config + '''
source = { plugin = "trace_text"; path = "-"; };
stages = ( { plugin = "null"; } );
sink = { plugin = "discard"; };
''')
        self.check(self.run_pipe("--check", *arguments, "pipeline.conf"),
                   2 if lines else 0, "".join(line + "\n" for line in lines) or
                   "pipeline.conf: nothing is wrong\n")

    def test_everything_that_is_wrong_is_said_at_once(self):
        self.check_said(
            'meters = (\n'
            '  { plugin = "replay"; fil = "x"; },\n'
            '  { plugin = "repaly"; },\n'
            '  { plugin = "null"; name = "n"; },\n'
            '  { name = "x"; },\n'
            '  5,\n'
            '  { plugin = "rapl"; max_power = "much"; },\n'
            '  { plugin = "rapl"; },\n'
            '  { plugin = "rapl"; name = "null"; },\n'
            '  { plugin = "rapl"; name = "sink"; },\n'
            '  { plugin = "rapl"; name = "discard"; } );\n'
            'meter_period = "1 us";\n'
            'idle_power = "5 W";\n'
            'idle_window = 5;',
            'pipeline.conf:2: meter "replay": unknown option "fil" (did you '
            'mean "file"?)',
            'pipeline.conf:2: meter "replay": option "file" is missing',
            'pipeline.conf:3: meter "repaly": no plugin "repaly" (did you '
            f'mean "replay"?); searched {harness.PLUGINS}',
            'pipeline.conf:4: meter "n": plugin "null" is a stage, a meter is '
            'wanted here',
            'pipeline.conf:5: meter 4: no plugin is named (plugin = "...")',
            'pipeline.conf:6: meter 5: a group is wanted: '
            '{ plugin = "..."; }',
            'pipeline.conf:7: meter "rapl": option "max_power": a string '
            'given, a float wanted',
            'pipeline.conf:8: meter "rapl": the name is taken by the meter of '
            'line 7; give one of them another (name = "...")',
            'pipeline.conf:9: meter "null": the name is taken by the stage of '
            'line 16; give one of them another (name = "...")',
            'pipeline.conf:10: meter "sink": this name is reserved',
            'pipeline.conf:11: meter "discard": the name is taken by the sink '
            'of line 17; give one of them another (name = "...")',
            'pipeline.conf:12: option "meter_period": "1 us" is out of range '
            '1 ms to 1 h',
            'pipeline.conf:13: option "idle_power": a string given, a float '
            'wanted',
            'pipeline.conf:14: option "idle_window": 5 is no duration (like '
            '10ms, 5 s, 2 min)',
            'pipeline.conf:14: idle_window: idle_power is given already')

    def test_idle_power_is_given_or_measured_not_both(self):
        self.check_said(
            'meters = ( { plugin = "rapl"; } );\nidle_power = 0.0;\n'
            'idle_window = "5 s";',
            "pipeline.conf:3: idle_window: idle_power is given already")

    def test_what_belongs_to_meters_is_a_mistake_without_them(self):
        self.check_said(
            'meter_period = "1 s";\nidle_power = 1.0;\nidle_window = "5 s";',
            "pipeline.conf:1: meter_period: there are no meters",
            "pipeline.conf:2: idle_power: there are no meters",
            "pipeline.conf:3: idle_window: there are no meters")

    def test_set_knows_meters(self):
        config = 'meters = ( { plugin = "rapl"; name = "cpu"; } );'
        self.check_said(config, '--set cpu.acuracy=1: meter "cpu": unknown '
                        'option "acuracy" (did you mean "accuracy"?)',
                        arguments=["--set", "cpu.acuracy=1"])
        self.check_said(config, '--set cpuu.root=/: no instance "cpuu" (did '
                        'you mean "cpu"?)', arguments=["--set", "cpuu.root=/"])
        self.check_said(config, arguments=["--set", "cpu.accuracy=0.1"])


if __name__ == "__main__":
    harness.main()
