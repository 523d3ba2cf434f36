# SPDX-License-Identifier: MIT
"""runpipe counters: what it says of a run beside it, and of none."""
import json
import os

import harness

HEADING = ("program           process state counter"
           "                                        value unit\n").encode()


class CountersTest(harness.RunpipeTest):

    def counters(self, *arguments):
        return self.run_pipe("counters", "--folder", self.path("run/sluice"),
                             *arguments)

    def test_a_run_is_seen_while_it_lasts(self):
        os.mkdir(self.path("run"), 0o700)
        self.write("pipeline.conf", '''\
source = { plugin = "trace_text"; path = "in"; };
stages = ( { plugin = "null"; name = "a b"; } );
sink = { plugin = "discard"; };
''')
        os.mkfifo(self.path("in"))
        run = self.start("--quiet", "--workers", "3", "pipeline.conf",
                         env=dict(
                             XDG_RUNTIME_DIR=self.path("run")))
        # It is open once runpipe opens it, which has published by then.
        with open(self.path("in"), "wb"):
            result = self.counters("--json", "runpipe")
            metrics = self.counters("--prometheus", "runpipe").out.decode()
        self.assertEqual((result.code, result.err), (0, ""))
        rows = [json.loads(line) for line in result.out.splitlines()]
        self.assertEqual(
            [(row["process"], row["state"], row["name"], row["value"])
             for row in rows],
            [(run.pid, "live", name, 0)
             for name in ("packets_in", "packets_out", "packets_dropped")]
            + [(run.pid, "live", "workers", 3)]
            + [(run.pid, "live", f"{what}.{name}", 0)
               for name in ("trace_text", "a_b", "discard")
               for what in ("packets", "dropped", "busy")])
        self.assertEqual([row["unit"] for row in rows],
                         ["packet"] * 3 + [""] + ["packet", "packet", "s"] * 3)
        self.assertRegex(metrics, r"(?m)^sluice_program_figure\{.*"
                         r'name="workers",.*\} 3$')
        self.check(self.finish(run, b""), 0)
        self.check(self.counters(), 0, "no counters: no program that "
                   "publishes any runs\n", HEADING)

    def test_names_that_do_not_fit_are_cut_and_stay_different(self):
        os.mkdir(self.path("run"), 0o700)
        name = "a_stage_of_a_name_that_is_long"
        stages = ", ".join(f'{{ plugin = "null"; name = "{name}{at}"; }}'
                           for at in "123")
        self.write("pipeline.conf", f'''\
source = {{ plugin = "trace_text"; path = "in"; }};
stages = ( {stages} );
sink = {{ plugin = "discard"; }};
''')
        os.mkfifo(self.path("in"))
        run = self.start("--quiet", "pipeline.conf",
                         env=dict(XDG_RUNTIME_DIR=self.path("run")))
        with open(self.path("in"), "wb"):
            result = self.counters("--json", "runpipe")
        names = [json.loads(line)["name"]
                 for line in result.out.splitlines()]
        self.assertEqual(
            [one for one in names if one.startswith("packets.a")],
            ["packets.a_stage_of_a_name_that_", "packets.a_stage_of_a_name_tha~2",
             "packets.a_stage_of_a_name_tha~3"])
        self.assertEqual(len(set(names)), len(names))
        self.check(self.finish(run, b""), 0)

    def test_a_folder_that_is_not_there_is_no_empty_one(self):
        self.check(self.counters(), 1, "runpipe counters: cannot read "
                   f"{self.path('run/sluice')}: No such file or directory\n")

    def test_a_program_that_publishes_none_is_named(self):
        os.makedirs(self.path("run/sluice"), 0o700)
        self.check(self.counters("encoder"), 0,
                   'no counters of a program "encoder"\n', HEADING)


if __name__ == "__main__":
    harness.main()
