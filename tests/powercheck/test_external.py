#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""powercheck with meters outside the machine: tests/energy/instrument.py and
plug.py stand in for them, and show the power that the command under test sets
in the tree."""
import os
import sys

import harness

sys.path.insert(0, os.path.join(harness.SOURCE_DIR, "tests/energy"))
# pylint: disable=wrong-import-position
import instrument  # noqa: E402
import plug  # noqa: E402

W = harness.ACTIVE_W - harness.BASE_W
# The instrument of this test renews its figures fast, and shows many digits.
RATE = "20E-03"


class External(harness.PowercheckTest):
    def look(self):
        with open(os.path.join(self.root, self.power), encoding="utf-8") as file:
            return int(file.read()) * 1e-6

    def scpi(self, line=instrument.Tcp):
        model = instrument.Instrument()
        model.settings[":RATE"] = RATE
        model.form = "{:.9E}"
        model.follow_clock(self.look)
        link = line(model)
        self.addCleanup(link.end)
        return model, f"scpi:{link.option},timeout=20 s"

    def plug(self):
        model = plug.Plug()
        model.look = self.look
        self.addCleanup(model.end)
        return model, (f"http_plug:kind=shelly,url={model.url},timeout=20 s,"
                       "update=20 ms")

    def check_net_power(self, meter, delta):
        result = self.check("--start-line", "^ready$", meter=meter)
        self.assertEqual(result.code, 0, result.out + result.err)
        report = self.report()
        base, active, _ = report.iter("phase")
        self.assertAlmostEqual(float(base.find("energy").get("watts")),
                               harness.BASE_W, delta=delta)
        self.assertAlmostEqual(float(active.find("energy").get("watts")),
                               harness.ACTIVE_W, delta=delta)
        self.assertAlmostEqual(self.figure(report, "net_power_w"), W,
                               delta=2 * delta)
        self.assertNotIn("estimate", result.out)

    # The instrument integrates while the two clocks bracket its answer.
    def test_net_energy_by_an_instrument_that_integrates(self):
        model, meter = self.scpi()
        self.check_net_power(meter + ",resolution=0.001", 2)
        self.assertEqual(model.state, "RESET")

    def test_net_energy_by_its_power_over_a_terminal(self):
        _, meter = self.scpi(instrument.Pty)
        self.check_net_power(meter + ",integration=none", 1e-6)

    def test_net_energy_by_a_plug(self):
        _, meter = self.plug()
        self.check_net_power(meter, 1e-6)

    def test_no_figure_where_the_integration_was_begun_anew(self):
        model, meter = self.scpi()
        asked = []

        def look():
            asked.append(1)
            if os.path.exists(self.path("report.xml.go")):
                os.unlink(self.path("report.xml.go"))
                model.reset()
                model.state = "START"
            return self.look()
        model.look = look
        go = self.path("report.xml.go")
        command = self.script(
            f"watts {harness.ACTIVE_W}\necho ready\nsleep 0.3\n: >{go}\n"
            "while :; do sleep 10 & wait $!; done\n")
        result = self.check("--start-line", "^ready$", command=command,
                            meter=meter + ",resolution=0.001")
        self.assertNotEqual(result.code, 0)
        self.assertIn("epoch", result.out)

    def test_the_list_of_meters(self):
        _, scpi = self.scpi()
        _, shelly = self.plug()
        result = self.run_tool("meters", "--meter", scpi, "--meter", shelly)
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.out, r"scpi +element1/energy +WT310 element 1 "
                         r"+measured +0\.02 +0\.5% counted\n")
        self.assertRegex(result.out, "aside: overlaps element1/energy\n")
        self.assertRegex(result.out, r"http_plug +switch:0/power +Shelly switch"
                         r" 0 +integrated +0\.02 +5% aside: ")

    def test_two_plugs_at_once(self):
        one, meter = self.plug()
        two, other = self.plug()
        two.look = lambda: 7
        result = self.run_tool("meters", "--meter", meter + ",scope=part",
                               "--meter", other + ",scope=part")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(result.out.count(" counted\n"), 2)
        self.assertEqual((len(one.requests), len(two.requests)), (1, 1))
        self.check_net_power(meter + ",scope=part", 1e-6)

    def test_why_a_meter_cannot_be_used(self):
        model, meter = self.plug()
        model.instead = [plug.Answer("", 500)]
        result = self.run_tool("meters", "--meter", meter)
        self.assertEqual(result.code, 1)
        self.assertIn(f'unusable: meter "http_plug": {model.host}{plug.SHELLY}'
                      ": HTTP status 500\n", result.out)


if __name__ == "__main__":
    harness.main()
