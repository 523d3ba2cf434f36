#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The meter scpi, and an instrument that does not exist (instrument.py)."""
import termios
import unittest

import instrument
import steps

ENERGY, POWER = "element1/energy", "element1/power"
VALUES, STATE = ":NUM:NORM:VAL?", ":INTEG:STAT?"
# Long enough for a machine that has other things to do; what must time out
# takes less.
PATIENT, HASTY = "timeout=20 s", "timeout=250 ms"


class ScpiTest(unittest.TestCase):
    """Its time is the test's, so much may flow within an instant: max_power is
    set aside."""
    def setUp(self):
        self.instrument = instrument.Instrument()
        self.line = None

    def plug(self, kind=instrument.Tcp):
        self.line = kind(self.instrument)
        self.addCleanup(self.line.end)

    def open(self, *options, kind=instrument.Tcp, timeout=PATIENT):
        if self.line is None:
            self.plug(kind)
        meter = steps.Steps("scpi:" + ",".join(
            (self.line.option, timeout, "max_power=1e9") + options))
        self.addCleanup(meter.end)
        return meter

    def check_refused(self, message, *options, timeout=PATIENT):
        with self.assertRaises(steps.Refused) as refused:
            self.open(*options, timeout=timeout)
        self.assertEqual(str(refused.exception),
                         'meter "scpi": ' + message)

    def check_energy(self, meter, joules, name=ENERGY):
        span = meter.spans[name]
        self.assertEqual(span.reason, "")
        self.assertAlmostEqual(span.energy_j, joules, places=6)

    def check_none(self, meter, reason, name=ENERGY):
        """This reading has no figure, for a reason."""
        self.assertIsNone(meter.marks[name].raw)
        self.assertEqual(meter.marks[name].reason, reason)
        self.assertIsNone(meter.spans[name].energy_j)


class Measuring(ScpiTest):
    def check_joules(self, kind):
        meter = self.open(kind=kind).mark()
        self.instrument.advance(36)
        meter.mark()
        self.check_energy(meter, 3600)
        self.assertEqual(meter.marks[POWER].raw, 100)
        self.instrument.watts[0] = 250
        self.instrument.advance(14.4)
        self.check_energy(meter.mark(), 3600)
        self.assertEqual(meter.marks[ENERGY].epoch, 0)

    def test_joules_over_tcp(self):
        self.check_joules(instrument.Tcp)

    def test_joules_over_a_terminal(self):
        self.check_joules(instrument.Pty)

    def test_what_a_domain_is(self):
        meter = self.open()
        energy, power = meter.domains[ENERGY], meter.domains[POWER]
        self.assertEqual(energy.label, "WT310 element 1")
        self.assertEqual((energy.quality, energy.update_s,
                          energy.resolution_j, energy.use),
                         ("measured", 0.25, 3.6, "counted"))
        self.assertEqual((power.quality, power.use, power.why),
                         ("integrated", "aside", "overlaps " + ENERGY))

    def test_sums_use_the_power_if_told(self):
        meter = self.open("use=power")
        self.assertEqual(meter.domains[POWER].use, "counted")
        self.assertEqual(meter.domains[ENERGY].use, "aside")

    def test_elements_are_added_up(self):
        self.instrument = instrument.Instrument(elements=3)
        meter = self.open("element=(1,3)").mark()
        self.instrument.watts = [100, 7, 20]
        self.instrument.advance(36)
        meter.mark()
        self.check_energy(meter, 3600)
        self.check_energy(meter, 720, "element3/energy")
        self.assertEqual(meter.domains["element3/energy"].use, "counted")
        self.assertEqual(meter.marks["element3/power"].raw, 20)

    def test_a_sum_is_no_finer_than_its_digits(self):
        self.instrument.wh[0], self.instrument.state = 123.4, "START"
        meter = self.open()
        self.assertAlmostEqual(meter.domains[ENERGY].resolution_j, 36)
        meter.mark()
        self.instrument.advance(36 * 876.6 + 3600)
        self.check_none(meter.mark(),
                        "the sum has grown to steps of 360 J, and 36 J were "
                        "stated: reset it, or give a resolution")

    def test_an_answer_in_pieces(self):
        meter = self.open().mark()
        self.instrument.advance(36)
        self.instrument.fault(VALUES, "pieces")
        self.instrument.fault(STATE, "pieces")
        self.check_energy(meter.mark(), 3600)


class LeftAsFound(ScpiTest):
    def test_what_was_changed_is_put_back(self):
        self.instrument.settings[":NUM:NORM:ITEM2"] = "URMS,1"
        before = dict(self.instrument.settings)
        meter = self.open().mark()
        self.assertEqual(self.instrument.settings[":NUM:NORM:ITEM2"], "P,1")
        self.assertEqual(self.instrument.state, "START")
        self.assertEqual(meter.end(), 0)
        self.assertEqual(self.instrument.settings, before)
        self.assertEqual(self.instrument.state, "RESET")

    def test_an_integration_that_runs_goes_on(self):
        self.instrument.state, self.instrument.wh[0] = "START", 2.5
        meter = self.open().mark()
        self.assertAlmostEqual(meter.marks[ENERGY].raw, 9000)
        self.assertEqual(meter.end(), 0)
        self.assertEqual((self.instrument.state, self.instrument.wh),
                         ("START", [2.5]))

    def test_a_terminal_gets_its_settings_back(self):
        self.plug(instrument.Pty)
        before = termios.tcgetattr(self.line.slave)
        self.open().mark().end()
        self.assertEqual(termios.tcgetattr(self.line.slave), before)

    def test_also_after_the_link_was_lost(self):
        meter = self.open().mark()
        self.instrument.fault(VALUES, "close")
        meter.mark()
        meter.end()
        self.assertEqual(self.instrument.state, "RESET")
        self.assertEqual(self.instrument.settings[":NUM:NORM:ITEM1"], "U,1")

    def test_also_if_opening_fails_halfway(self):
        before = dict(self.instrument.settings)
        self.instrument.stubborn.add(":NUM:NORM:ITEM3")
        self.plug()
        self.check_refused(f"{self.line.address}: :NUM:NORM:ITEM3 TIME,1: it "
                           'stays at "U,1"')
        self.assertEqual(self.instrument.settings, before)

    def test_an_integration_that_does_not_start(self):
        self.plug()
        self.instrument.fault(STATE, "", "say:ERR")
        self.check_refused(f"{self.line.address}: :INTEG:START: the "
                           "integration does not start (ERROR)")
        self.assertEqual(self.instrument.state, "RESET")

    def test_a_sum_is_kept_unless_told(self):
        self.instrument.state, self.instrument.wh[0] = "STOP", 2.5
        meter = self.open().mark()
        self.assertEqual(meter.domains[ENERGY].why,
                         "the integration ended (STOP) and holds its sum: "
                         "reset = true gives that up")
        self.assertEqual(meter.domains[POWER].use, "counted")
        self.assertEqual(meter.marks[POWER].raw, 100)
        meter.end()
        self.assertEqual(self.instrument.wh, [2.5])
        meter = self.open("reset=true").mark()
        self.assertEqual(meter.marks[ENERGY].raw, 0)
        self.instrument.advance(36)
        self.check_energy(meter.mark(), 3600)

    def test_an_integration_is_never_touched_if_told(self):
        meter = self.open("integration=keep")
        self.assertEqual(meter.domains[ENERGY].why,
                         "no integration runs (RESET): start one, or let "
                         'integration = "start" do it')
        self.assertEqual(self.instrument.state, "RESET")
        meter.end()
        self.instrument.state = "START"
        self.open("integration=keep").mark().end()
        self.assertEqual(self.instrument.state, "START")

    def test_powers_without_an_integration(self):
        meter = self.open("integration=none").mark()
        self.assertEqual(list(meter.domains), [POWER])
        self.assertEqual(meter.marks[POWER].raw, 100)
        self.assertEqual(self.instrument.state, "RESET")


class NoFigure(ScpiTest):
    def check_figure(self, item, says, reason, name):
        meter = self.open().mark()
        self.instrument.advance(36)
        self.instrument.figures[item] = says
        self.check_none(meter.mark(), reason, name)
        self.instrument.figures.clear()
        meter.mark()
        self.assertEqual(meter.marks[name].epoch, 0 if name == ENERGY else 1)
        meter.end()

    def test_what_it_cannot_tell_is_not_zero(self):
        for says in ("NAN", "9.91E37", "+9.910000E+37"):
            with self.subTest(says):
                self.check_figure(
                    "WH,1", says,
                    "the instrument has no figure of the energy (NAN)", ENERGY)

    def test_what_is_over_the_range_is_not_zero(self):
        for says in ("INF", "-INF", "9.9E37", "-9.9E37", "1E999"):
            with self.subTest(says):
                self.check_figure(
                    "P,1", says,
                    "the power is over the instrument's range (INF)", POWER)

    def test_a_power_that_flows_back(self):
        self.check_figure("P,1", "-1.5E+00",
                          "the power is negative: more flows back than forth",
                          POWER)

    def test_an_energy_that_cannot_be(self):
        self.check_figure("WH,1", "1E12", "an energy of 1e+12 Wh cannot be",
                          ENERGY)

    def test_an_integration_that_ended(self):
        for state in ("TIMEUP", "STOP", "ERROR", "READY"):
            with self.subTest(state):
                self.instrument.reset()
                meter = self.open().mark()
                self.instrument.advance(36)
                self.instrument.state = state
                self.check_none(meter.mark(),
                                f"the integration does not run ({state})")
                meter.end()

    def test_an_integration_begun_anew(self):
        meter = self.open().mark()
        self.instrument.advance(360)
        meter.mark()
        self.instrument.reset()
        self.instrument.state = "START"
        self.instrument.advance(36)
        meter.mark()
        self.assertIsNone(meter.spans[ENERGY].energy_j)
        self.assertEqual(meter.marks[ENERGY].epoch, 1)
        self.instrument.advance(36)
        self.check_energy(meter.mark(), 3600)

    def test_one_begun_anew_that_has_passed_the_old_sum(self):
        meter = self.open().mark()
        self.instrument.advance(36)
        meter.mark()
        self.instrument.reset()
        self.instrument.state, self.instrument.watts[0] = "START", 1000
        self.instrument.advance(10)
        meter.mark()
        self.assertEqual(meter.marks[ENERGY].epoch, 1)
        self.assertIsNone(meter.spans[ENERGY].energy_j)
        self.instrument.advance(3.6)
        self.assertAlmostEqual(meter.mark().spans[ENERGY].energy_j, 3600)


class BadLines(ScpiTest):
    """Whatever the line does, the next figures are right."""

    def check_fault(self, reason, question, *kinds, kind=instrument.Tcp,
                    timeout=PATIENT, lost=1):
        self.plug(kind)
        meter = self.open(timeout=timeout).mark()
        for fault in kinds:
            self.instrument.fault(question, fault)
        self.instrument.advance(36)
        for _ in range(lost):
            meter.mark()
            self.assertIsNone(meter.marks[ENERGY].raw)
            self.assertRegex(meter.marks[ENERGY].reason, reason)
        self.instrument.watts[0] = 200
        self.instrument.advance(36)
        meter.mark()
        self.assertAlmostEqual(meter.marks[ENERGY].raw, 10800)
        self.assertEqual(meter.marks[POWER].raw, 200)
        self.instrument.advance(36)
        self.check_energy(meter.mark(), 7200)

    def test_an_instrument_that_is_silent(self):
        for kind in (instrument.Tcp, instrument.Pty):
            self.instrument = instrument.Instrument()
            self.check_fault(r":NUM:NORM:VAL\?: no answer within 0\.25 s$",
                             VALUES, "silent", kind=kind, timeout=HASTY)

    def test_a_late_answer_is_not_that_of_the_next_question(self):
        for kind in (instrument.Tcp, instrument.Pty):
            for question in (VALUES, STATE):
                with self.subTest(kind=kind, question=question):
                    self.instrument = instrument.Instrument()
                    self.check_fault(r"no answer within 0\.25 s$", question,
                                     "late", kind=kind, timeout=HASTY)

    def test_late_twice(self):
        self.instrument.fault("*IDN?", "", "late")
        self.check_fault(r"no answer within 0\.25 s$", VALUES, "late",
                         kind=instrument.Pty, timeout=HASTY, lost=2)

    def test_an_answer_of_a_place_found_too_early(self):
        """The second *IDN? is answered by the answer to the first."""
        self.plug(instrument.Pty)
        meter = self.open(timeout=HASTY).mark()
        self.instrument.fault(VALUES, "silent")
        self.instrument.fault("*IDN?", "late", "behind")
        for reason in ("no answer within 0.25 s", "no answer within 0.25 s",
                       "an answer to *IDN? came late"):
            meter.mark()
            self.assertIsNone(meter.marks[ENERGY].raw)
            self.assertTrue(meter.marks[ENERGY].reason.endswith(reason),
                            meter.marks[ENERGY].reason)
        self.instrument.advance(36)
        meter.mark()
        self.assertAlmostEqual(meter.marks[ENERGY].raw, 3600)

    def test_an_answer_twice(self):
        self.check_fault(r":INTEG:STAT\?: \"36000,.*\" is no state|"
                         r":INTEG:STAT\?: \".*\" is no state of an",
                         VALUES, "twice", kind=instrument.Pty)

    def test_a_state_twice_is_thrown_away(self):
        self.check_fault("", STATE, "twice", lost=0)

    def test_a_connection_that_ends(self):
        self.check_fault(r":NUM:NORM:VAL\?: the connection was closed$",
                         VALUES, "close")
        self.assertEqual(self.line.connections, 2)

    def test_a_connection_that_ended_between_readings(self):
        self.plug()
        meter = self.open().mark()
        self.line.connection.shutdown(2)
        self.instrument.advance(36)
        self.check_energy(meter.mark(), 3600)

    def test_garbage(self):
        for says, reason in (
                ("\x00\xff\x1b[2J", r'"\?\?\?\[2J": figure 1 is no number$'),
                ("", '"": figure 1 is no number$'),
                ("1E0,2E0", '"1E0,2E0": 3 figures are wanted$'),
                ("1E0,2E0,3E0,4", '"1E0,2E0,3E0,4": 3 figures are wanted$'),
                ("1E0;2E0,3,4", '"1E0;2E0,3,4": figure 1 is no number$'),
                ("1E0,2E0,3\x00,9", r"figure 3 is no number$")):
            with self.subTest(says):
                self.instrument = instrument.Instrument()
                self.check_fault(reason, VALUES, "say:" + says)

    def test_a_line_without_an_end(self):
        self.check_fault("more than 1024 bytes without an end of line$",
                         VALUES, "endless")

    def test_the_instrument_was_switched_off_and_on(self):
        self.plug()
        meter = self.open().mark()
        self.instrument.advance(36)
        meter.mark()
        settings = instrument.Instrument().settings
        with self.instrument.lock:
            self.instrument.reset()
            self.instrument.settings = settings
        self.line.connection.shutdown(2)
        meter.mark()
        self.assertEqual(self.instrument.state, "START")
        self.assertIsNone(meter.spans[ENERGY].energy_j)
        self.instrument.advance(36)
        self.check_energy(meter.mark(), 3600)

    def test_another_instrument_in_its_place(self):
        self.plug()
        meter = self.open(timeout=HASTY).mark()
        self.instrument.identity = "YOKOGAWA,WT310,OTHER,F1.01"
        self.line.connection.shutdown(2)
        meter.mark()
        self.check_none(meter, f"{self.line.address}: *IDN?: it says "
                        '"YOKOGAWA,WT310,OTHER,F1.01", not what it did before')


class Refusals(ScpiTest):
    def test_another_makers_instrument(self):
        self.plug()
        self.instrument.identity = "FLUKE,8846A,1,2"
        self.check_refused(f'{self.line.address}: *IDN?: it says "FLUKE,8846A,'
                           '1,2", not what a Yokogawa WT does', timeout=HASTY)

    def test_nobody_listens(self):
        self.plug()
        self.line.end()
        self.check_refused(f"{self.line.address}: connect: Connection refused")

    def test_neither_address_nor_device(self):
        for option, message in (
                ("", "give an address or a device"),
                ("address=a:1,device=/dev/null",
                 "give an address or a device, not both"),
                ("address=localhost", 'address "localhost": HOST:PORT is '
                 "wanted, an IPv6 address in brackets"),
                ("address=::1:5", 'address "::1:5": HOST:PORT is wanted, an '
                 "IPv6 address in brackets"),
                ("device=/nonexistent/tty",
                 "/nonexistent/tty: No such file or directory"),
                ("device=/dev/null", "/dev/null: neither a terminal nor an "
                 "instrument of the USBTMC driver"),
                (f"device={__file__}", f"{__file__}: no character device"),
                ("address=127.0.0.1:1,element=(2,2)",
                 "element 2 is there twice")):
            with self.assertRaises(steps.Refused) as refused:
                steps.Steps("scpi:" + option)
            self.assertEqual(str(refused.exception),
                             'meter "scpi": ' + message)

    def test_an_instrument_that_sends_empty_lines(self):
        self.plug()
        self.instrument.fault("*IDN?", "blank")
        self.check_refused(f'{self.line.address}: *IDN?: it says "", not '
                           "what a Yokogawa WT does")

    def test_an_instrument_that_never_answers(self):
        self.plug()
        self.instrument.fault("*IDN?", "silent")
        self.check_refused(f"{self.line.address}: *IDN?: no answer within "
                           "0.25 s", timeout=HASTY)


if __name__ == "__main__":
    unittest.main()
