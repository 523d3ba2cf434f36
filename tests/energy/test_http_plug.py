#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The meter http_plug, and devices that do not exist (plug.py)."""
import os
import shutil
import subprocess
import tempfile
import unittest

import plug
import steps
from plug import Answer

POWER, ENERGY, MEMBER = "switch:0/power", "switch:0/energy", "power:0"
PATIENT, HASTY = "timeout=20 s", "timeout=250 ms"


class PlugTest(unittest.TestCase):
    kind, path = "shelly", plug.SHELLY

    def setUp(self):
        self.plug = plug.Plug()
        self.addCleanup(self.end_plug)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def end_plug(self):
        self.plug.end()

    def write(self, name, text, mode=0o600):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def open(self, *options, timeout=PATIENT, url=None, **environment):
        meter = steps.Steps("http_plug:" + ",".join(
            (f"kind={self.kind}", f"url={url or self.plug.url}", timeout,
             "max_power=1e9") + options), **environment)
        self.addCleanup(meter.end)
        return meter

    def where(self, path=None):
        return self.plug.host + (path or self.path)

    def check_refused(self, message, *options, **keys):
        with self.assertRaises(steps.Refused) as refused:
            self.open(*options, **keys)
        self.assertRegex(str(refused.exception),
                         '^meter "http_plug": ' + message)

    def check_lost(self, message, *instead, domain=POWER, timeout=PATIENT):
        """This reading has no figure, for a reason; the next one has."""
        meter = self.open(timeout=timeout).mark()
        self.plug.instead = list(instead)
        meter.mark()
        self.assertIsNone(meter.marks[domain].raw)
        self.assertIsNone(meter.spans[domain].energy_j)
        reason = meter.marks[domain].reason
        self.assertTrue(reason.startswith(self.where() + ": "), reason)
        self.assertRegex(reason.removeprefix(self.where() + ": "), message)
        self.assertIsNotNone(meter.mark().marks[domain].raw)
        meter.end()


class Shelly(PlugTest):
    def test_joules_and_watts(self):
        meter = self.open().mark()
        self.assertEqual(meter.marks[POWER].raw, 100)
        self.assertAlmostEqual(meter.marks[ENERGY].raw, 1234.567 * 3600)
        self.plug.wh += 0.123
        meter.mark()
        self.assertAlmostEqual(meter.spans[ENERGY].energy_j, 442.8)
        self.assertEqual(meter.spans[ENERGY].reason, "")

    def test_what_a_domain_is(self):
        meter = self.open()
        power, energy = meter.domains[POWER], meter.domains[ENERGY]
        self.assertEqual((power.label, power.quality, power.update_s,
                          power.use),
                         ("Shelly switch 0", "integrated", 1, "counted"))
        self.assertEqual((energy.quality, energy.update_s, energy.use,
                          energy.why),
                         ("measured", 60, "aside", "overlaps " + POWER))
        self.assertAlmostEqual(energy.resolution_j, 3.6)
        meter = self.open("use=energy", "update=250 ms")
        self.assertEqual(meter.domains[ENERGY].use, "counted")
        self.assertEqual(meter.domains[POWER].update_s, 0.25)

    def test_digits_that_a_binary_number_would_not_hold(self):
        self.plug.instead = [None, Answer(
            '{"apower":1e1,"aenergy":{"total":9007199254740.993}}')]
        meter = self.open().mark()
        self.assertEqual(meter.marks[POWER].raw, 10)
        self.plug.instead = [Answer(
            '{"apower":1,"aenergy":{"total":9007199254740.994}}')]
        self.assertAlmostEqual(meter.mark().spans[ENERGY].energy_j, 3.6)

    def test_counters_that_somebody_reset(self):
        meter = self.open().mark()
        self.plug.wh = 0.5
        meter.mark()
        self.assertIsNone(meter.spans[ENERGY].energy_j)
        self.assertEqual(meter.marks[ENERGY].epoch, 1)

    def test_a_switch_that_measures_nothing(self):
        self.plug.instead = [Answer('{"id":0,"output":true}')]
        self.check_refused(f"{self.where()}: neither apower nor aenergy.total"
                           .replace("?", r"\?"))
        self.plug.instead = [Answer('{"id":0,"apower":3}')]
        meter = self.open()
        self.assertEqual(meter.domains[ENERGY].why,
                         "the answer has no aenergy.total")
        self.assertEqual(meter.domains[POWER].use, "counted")

    def test_another_switch(self):
        self.check_lost("byte 7: it tells of another switch than 0$",
                        Answer('{"id":1,"apower":3}'))


class Redfish(PlugTest):
    kind, path = "redfish", plug.REDFISH

    def test_watts(self):
        meter = self.open().mark()
        self.assertEqual(meter.marks[MEMBER].raw, 344)
        domain = meter.domains[MEMBER]
        self.assertEqual((domain.label, domain.quality, domain.update_s),
                         ("System Power Control", "integrated", 5))

    def test_members_may_hold_each_other(self):
        self.plug.members += [{"Name": "CPU", "PowerConsumedWatts": 200.5},
                              {"PowerConsumedWatts": None},
                              {"MemberId": "cap"}]
        meter = self.open().mark()
        self.assertEqual(list(meter.domains),
                         ["power:0", "power:1", "power:2", "power:cap"])
        self.assertEqual([domain.use for domain in meter.domains.values()],
                         ["counted", "aside", "aside", "unusable"])
        self.assertEqual(meter.domains["power:cap"].why,
                         "the answer has no PowerConsumedWatts")
        self.assertEqual(meter.marks["power:1"].raw, 200.5)
        self.assertRegex(meter.marks["power:2"].reason,
                         "PowerConsumedWatts is null$")
        meter = self.open("members=separate")
        self.assertEqual(meter.domains["power:1"].use, "counted")

    def test_members_that_change_places(self):
        self.plug.members = [{"MemberId": "a", "PowerConsumedWatts": 1},
                             {"MemberId": "b", "PowerConsumedWatts": 2}]
        meter = self.open()
        self.plug.members.reverse()
        meter.mark()
        self.assertEqual(meter.marks["power:a"].raw, 1)
        self.plug.members.pop()
        self.assertRegex(meter.mark().marks["power:a"].reason,
                         'the answer has no member "a"$')
        self.assertEqual(meter.marks["power:b"].raw, 2)

    def test_another_chassis(self):
        self.plug.instead = [Answer(
            '{"PowerControl":[{"PowerConsumedWatts":7}]}')]
        meter = self.open("chassis=System.Embedded.1")
        self.assertEqual(list(meter.domains), ["power:0"])
        self.assertEqual(self.plug.requests[0][0],
                         "/redfish/v1/Chassis/System.Embedded.1/Power")
        self.check_refused("chassis: letters, digits, and . _ - ~ are",
                           "chassis=../../Systems")

    def test_answers_that_are_wrong(self):
        for body, message in (
                ("{}", 'the answer has no member "0"$'),
                ('{"PowerControl":{}}', "byte 17: PowerControl is an object, "
                 "an array is wanted$"),
                ('{"PowerControl":[7]}', "byte 18: a member is a number, an "
                 "object is wanted$"),
                ('{"PowerControl":[],"PowerControl":[]}',
                 "byte 35: PowerControl stands there twice$"),
                ('{"PowerControl":[{"MemberId":"0"},{"MemberId":"0"}]}',
                 'two members are called "0"$'),
                ('{"PowerControl":[%s]}' % ",".join(["{}"] * 17),
                 "more than 16 members$"),
                ('{"PowerControl":[{"PowerConsumedWatts":-3}]}',
                 "PowerConsumedWatts is negative")):
            with self.subTest(body):
                self.check_lost(message, Answer(body), domain=MEMBER)


class BadAnswers(PlugTest):
    def test_a_status(self):
        for status in (500, 404, 503, 204):
            with self.subTest(status):
                self.check_lost(f"HTTP status {status}$",
                                Answer("", status=status))

    def test_another_type(self):
        for kind in ("text/html", "application/jsonp", None):
            with self.subTest(kind):
                self.check_lost(f'the answer is "{kind or ""}", '
                                "application/json is wanted$",
                                Answer("{}", kind=kind))
        self.plug.instead = [None, Answer(
            kind="Application/JSON; charset=utf-8")]
        self.assertEqual(self.open().mark().marks[POWER].raw, 100)

    def test_half_of_the_json(self):
        self.check_lost("byte 10: parse error: premature EOF$",
                        Answer('{"apower":'))

    def test_half_of_the_answer(self):
        self.check_lost("transfer closed with 90 bytes remaining to read$",
                        Answer('{"apower":', length=100))

    def test_json_that_is_none_of_ours(self):
        for body, message in (
                ("", "byte 0: parse error: premature EOF$"),
                ("[]", "byte 1: the answer is an array, an object is wanted$"),
                ("null", "byte 4: the answer is null, an object is wanted$"),
                ('{"aenergy":{}}', "the answer has no apower$"),
                ('{"apower":null}', "byte 14: apower is null$"),
                ('{"apower":"12"}', "byte 14: apower is a string, a number "
                 "is wanted$"),
                ('{"apower":[1]}', "byte 11: apower is an array"),
                ('{"apower":true}', "byte 14: apower is a boolean"),
                ('{"apower":-0.1}', "byte 14: apower is negative"),
                ('{"apower":1e999}', "apower of inf W: more than max_power$"),
                ('{"apower":1,"apower":2}', "byte 22: apower stands there "
                 "twice$"),
                ('{"aenergy":{"total":1},"aenergy":{"total":2},"apower":1}',
                 "aenergy stands there twice$"),
                ('{"apower":1}{"apower":2}', "trailing garbage$"),
                ('{"apower":NaN}', "byte 1[0-9]: lexical error"),
                ('{"x":"\\ud800","apower":1', "premature EOF$"),
                ('{"x":' + "[" * 1000 + "]" * 1000 + "}",
                 "byte 37: nested deeper than 32 levels$")):
            with self.subTest(body[:40]):
                self.check_lost(message, Answer(body))

    def test_bytes_that_are_no_text(self):
        self.check_lost("invalid bytes in UTF8 string", Answer(
            b'{"x":"\xff\xfe","apower":1}'))

    def test_an_energy_that_cannot_be(self):
        self.check_lost("byte 25: an energy of 1e\\+30 Wh cannot be$",
                        Answer('{"aenergy":{"total": 1e30 }}'), domain=ENERGY)

    def test_silence(self):
        self.check_lost(r"no answer within 0\.25 s$", self.plug.never,
                        timeout=HASTY)

    def test_an_answer_that_drips(self):
        self.check_lost(r"no answer within 0\.25 s$", self.plug.drip,
                        timeout=HASTY)

    def test_a_connection_that_ends(self):
        self.check_lost("Empty reply from server$", self.plug.hang_up,
                        self.plug.hang_up)

    def test_an_answer_without_an_end(self):
        self.check_lost("an answer of more than 262144 bytes$",
                        self.plug.endless)

    def test_the_largest_answer(self):
        body = '{"apower":7}'.ljust(262144)
        self.plug.instead = [None, Answer(body)]
        self.assertEqual(self.open().mark().marks[POWER].raw, 7)
        self.check_lost("an answer of more than 262144 bytes$",
                        Answer(body + " "))

    def test_a_header_without_an_end(self):
        self.check_lost("an answer of more than 65536 bytes$",
                        self.plug.headers)

    def test_a_header_line_without_an_end(self):
        self.check_lost("a header of more than 65536 bytes, or no memory$",
                        self.plug.long_header)

    def test_another_protocol(self):
        self.check_lost("Received HTTP/0.9 when not allowed$",
                        self.plug.no_http)

    def test_nobody_listens(self):
        self.plug.end()
        self.end_plug = lambda: None
        self.check_refused(".*: Failed to connect to 127.0.0.1 port")


class Redirections(PlugTest):
    def test_on_the_same_host_they_are_followed(self):
        for status in (301, 302, 307, 308):
            self.plug.instead = [Answer("", status, Location=self.path + "&")]
            self.plug.instead += [Answer('{"apower":7}')]
            meter = self.open()
            self.assertEqual(meter.domains[POWER].use, "counted")
            meter.end()
        self.assertEqual(self.plug.requests[1][0], self.path + "&")

    def test_to_elsewhere_they_are_not(self):
        other = plug.Plug()
        self.addCleanup(other.end)
        for place in (other.url + self.path,
                      "file:///etc/passwd",
                      self.plug.url.replace("http:", "https:"),
                      f"http://localhost:{self.plug.port}/",
                      f"http://a:b@{self.plug.host}/"):
            with self.subTest(place):
                self.check_lost("HTTP status 302: it sends us elsewhere, "
                                "which is not followed$",
                                Answer("", 302, Location=place))
        self.assertEqual(other.requests, [])

    def test_in_a_circle(self):
        self.check_lost("HTTP status 301$", *[
            Answer("", 301, Location=self.path) for _ in range(4)])


class Passwords(PlugTest):
    def setUp(self):
        super().setUp()
        self.plug.password = "digest"

    def test_a_digest(self):
        secret = self.write("secret", plug.PASSWORD + "\n")
        meter = self.open(f"password_file={secret}").mark()
        self.assertEqual(meter.marks[POWER].raw, 100)
        for _, header in self.plug.requests:
            self.assertNotIn(plug.PASSWORD, header or "")

    def test_without_one_or_with_another(self):
        self.check_refused(".*: HTTP status 401: it wants another user or "
                           "password$")
        secret = self.write("secret", "wrong\n")
        self.check_refused(".*: HTTP status 401: it wants another user or "
                           "password$", f"password_file={secret}")

    def test_a_file_that_others_may_read(self):
        secret = self.write("secret", plug.PASSWORD, 0o640)
        self.check_refused(f"password_file: {secret}: others may read or "
                           "write it: chmod 600$", f"password_file={secret}")

    def test_files_that_are_none(self):
        for name, message in (
                (self.write("empty", "\n"), "a first line of 1 to 254 bytes "
                 "is wanted$"),
                (self.write("long", "x" * 300), "a first line of 1 to 254"),
                (self.folder, "no regular file$"),
                (self.folder + "/none", "No such file or directory$")):
            self.check_refused(f"password_file: {name}: {message}",
                               f"password_file={name}")

    def test_none_in_the_url(self):
        for url in ("http://admin:s3cret@127.0.0.1", "http://admin@h"):
            with self.assertRaises(steps.Refused) as refused:
                self.open(url=url)
            self.assertIn("url: no user or password belongs into it",
                          str(refused.exception))
            self.assertNotIn("s3cret", str(refused.exception))
        self.check_refused("proxy: no user or password belongs into it",
                           "proxy=http://a:b@127.0.0.1:1")

    def test_not_as_it_is_over_http(self):
        self.kind = "redfish"
        secret = self.write("secret", plug.PASSWORD)
        self.check_refused("url: the password would cross the network as it "
                           "is: https is wanted$", f"password_file={secret}")
        self.assertEqual(self.plug.requests, [])


class Addresses(PlugTest):
    def test_what_is_no_url(self):
        for url, message in (
                ("file:///etc/passwd", 'url: "file", http and https'),
                ("ftp://127.0.0.1", 'url: "ftp", http and https'),
                ("127.0.0.1", "url: Bad scheme"),
                ("http://127.0.0.1/?x=1", "url: it ends before any"),
                ("http://", "url: ")):
            with self.subTest(url):
                self.check_refused(message, url=url)

    def test_a_path_before_ours(self):
        self.plug.instead = [Answer('{"apower":7}')]
        self.open(url=self.plug.url + "/behind/")
        self.assertEqual(self.plug.requests[0][0], "/behind" + self.path)

    def test_the_environments_proxy_is_not_used(self):
        other = plug.Plug()
        self.addCleanup(other.end)
        self.open(http_proxy=other.url, all_proxy=other.url)
        self.assertEqual(other.requests, [])
        self.plug.requests.clear()
        other.instead = [Answer('{"apower":7}')]
        self.open(f"proxy={other.url}", no_proxy="*")
        self.assertEqual(other.requests[0][0], self.plug.url + self.path)
        self.assertEqual(self.plug.requests, [])


@unittest.skipUnless(shutil.which("openssl"), "no openssl: no certificate")
class Tls(PlugTest):
    def setUp(self):
        super().setUp()
        self.certificate = os.path.join(self.folder, "both.pem")
        key = os.path.join(self.folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=plug",
             "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
             "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True)
        with open(key, encoding="ascii") as one:
            with open(self.certificate, "a", encoding="ascii") as both:
                both.write(one.read())
        self.end_plug()
        self.plug = plug.Plug(self.certificate)

    def test_a_certificate_is_checked(self):
        self.check_refused(".*: SSL certificate problem: self-signed")
        self.assertEqual(self.plug.requests, [])
        self.check_refused(
            ".*: SSL: no alternative certificate subject name matches target "
            "host name 'localhost'", f"ca_file={self.certificate}",
            url=f"https://localhost:{self.plug.port}")
        meter = self.open(f"ca_file={self.certificate}").mark()
        self.assertEqual(meter.marks[POWER].raw, 100)

    def test_a_password_within_tls(self):
        self.kind = "redfish"
        self.plug.password = "basic"
        secret = self.write("secret", plug.PASSWORD)
        meter = self.open(f"ca_file={self.certificate}",
                          f"password_file={secret}").mark()
        self.assertEqual(meter.marks[MEMBER].raw, 344)


if __name__ == "__main__":
    unittest.main()
