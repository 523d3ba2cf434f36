#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Work: a number in a file, a counter of the command; and what it costs."""
import os
import subprocess
import sys

import harness

# A program that counts, and says so when it has begun.
COUNTING = '''
import ctypes, os, signal, sys, time
class Def(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p),
                ("scale", ctypes.c_double)]
library = ctypes.CDLL(sys.argv[1])
counters = ctypes.c_void_p()
defs = (Def * 2)(Def(b"other", b"", 1), Def(b"frames", b"frame", 2))
time.sleep(float(sys.argv[3]))
assert library.sl_counters_create(ctypes.byref(counters), b"encoder", defs, 2,
                                  None) == 0
add = library.sl_counter_add
add.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64]
def power(text):
    with open(sys.argv[4] + ".new", "w") as file:
        file.write(text)
    os.rename(sys.argv[4] + ".new", sys.argv[4])
def end(*_):
    power("10000000")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
power("30000000")
until = time.monotonic() + float(sys.argv[2])
done = 0
while time.monotonic() < until:
    time.sleep(0.01)
    add(counters, 1, 5)
    done += 5
with open("done.txt", "w") as file:
    file.write(str(2 * done))
destroy = library.sl_counters_destroy
destroy.argtypes = [ctypes.c_void_p]
destroy(counters)
end()
'''


class Files(harness.PowercheckTest):
    def run_work(self, text, *arguments, **options):
        command = self.script(f"watts {harness.ACTIVE_W}\n" + text +
                              "\necho ready\nsleep 60 & wait $!\n")
        return self.check("--start-line", "ready", *arguments,
                          command=command, **options)

    def test_efficiency_of_a_number_in_a_file(self):
        command = self.script(f"watts {harness.ACTIVE_W}\necho ready\n"
                              "sleep 0.3\necho 500 > work.txt\n"
                              "sleep 60 & wait $!\n")
        result = self.check("--start-line", "ready", "--work", "./work.txt",
                            command=command)
        self.assertEqual(result.code, 0, result.err)
        report = self.report()
        net_j = self.figure(report, "net_energy_j")
        self.assertAlmostEqual(self.figure(report, "work_per_j"), 500 / net_j,
                               places=6)
        self.assertAlmostEqual(self.figure(report, "j_per_work"), net_j / 500,
                               places=6)
        self.assertEqual(report.find("phases/phase[@kind='active']")
                         .get("work"), "500")
        self.assertIn("energy efficiency", result.out)

    def test_only_what_was_done_in_the_phase_counts(self):
        command = self.script(f"watts {harness.ACTIVE_W}\necho 100 > work\n"
                              "echo ready\nsleep 0.3\necho 175.5 > work\n"
                              "sleep 60 & wait $!\n")
        self.check("--start-line", "ready", "--work", "file:work",
                   command=command)
        self.assertEqual(self.report().find("phases/phase[@kind='active']")
                         .get("work"), "75.5")

    def test_a_file_of_an_earlier_run_does_not_count(self):
        self.write("work.txt", "1000\n")
        result = self.run_work("", "--work", "file:work.txt")
        self.assertEqual(result.code, 1)
        self.assertIn("work.txt: the application did not write it",
                      result.err)
        self.assertEqual(self.kinds(self.report()), ["baseline"])

    def test_a_file_that_holds_no_number(self):
        for text in "many", "-5", "nan", "1e999":
            result = self.run_work(f"echo {text} > work.txt", "--work",
                                   "file:work.txt", window=0.3)
            self.assertEqual(result.code, 1)
            self.assertIn(f'"{text}', result.err)
            self.assertIn("is no number of 0 or more", result.err)


LIBRARY = os.path.realpath(os.path.join(os.path.dirname(harness.POWERCHECK),
                                        "..", os.environ["SLUICE_LIBRARY"]))


def why_not_loaded():
    """@return why Python cannot load the library, or None: a sanitizer's runtime
    would have to come before Python itself."""
    done = subprocess.run([sys.executable, "-c", "import ctypes, sys; "
                           "ctypes.CDLL(sys.argv[1])", LIBRARY],
                          capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None


class Counters(harness.PowercheckTest):
    def setUp(self):
        super().setUp()
        why = why_not_loaded()
        if why:
            self.assertIn("runtime", why)  # a sanitizer's, and nothing else
            self.skipTest(why)

    def counting(self, seconds, delay=0):
        return [sys.executable, self.write("counting.py", COUNTING), LIBRARY,
                str(seconds), str(delay), os.path.join(self.root, self.power)]

    def test_the_work_of_a_whole_run(self):
        result = self.check("--work", "encoder/frames", "--baseline", "0.7",
                            "--sample", "0.02", window="run",
                            command=self.counting(1))
        self.assertEqual(result.code, 0, result.err)
        report = self.report()
        self.assertEqual(report.find("settings").get("work_unit"), "frame")
        self.assertEqual(report.find("phases/phase[@kind='active']")
                         .get("work"), self.read("done.txt"))
        self.assertIn("frame/J", result.out)

    def test_active_begins_when_a_counter_rises(self):
        result = self.check("--work", "frames", "--start-counter", "frames",
                            command=self.counting(10, 0.3))
        self.assertEqual(result.code, 0, result.err)
        report = self.report()
        active = report.find("phases/phase[@kind='active']")
        work, elapsed = (float(active.get(name))
                         for name in ("work", "elapsed_s"))
        self.assertTrue(100 < work / elapsed <= 1100, work / elapsed)
        self.assertAlmostEqual(self.figure(report, "power_w"),
                               harness.ACTIVE_W, places=6)

    def test_files_of_an_enemy_beside_it_are_passed_over(self):
        folder = os.path.join(self.folder, "sluice")
        os.mkdir(folder, 0o700)
        for name, data in (("a", b""), ("b", b"SLCOUNT1"), ("c", b"x" * 9999),
                           ("d", b"SLCOUNT1\4\3\2\1\xff\xff\xff\xff" +
                            b"\xff" * 999)):
            with open(os.path.join(folder, name + ".counters"), "wb") as file:
                file.write(data)
        os.mkfifo(os.path.join(folder, "e.counters"))
        os.symlink("/dev/zero", os.path.join(folder, "f.counters"))
        os.mkdir(os.path.join(folder, "g.counters"))
        result = self.check("--work", "frames", "--start-counter", "frames",
                            command=self.counting(10))
        self.assertEqual(result.code, 0, result.err)
        self.assertGreater(self.figure(self.report(), "work_per_j"), 0)

    def spoil(self, how):
        """The command's own file goes bad after it began to count."""
        text = COUNTING.replace("    done += 5\n", "    done += 5\n" +
                                f"    if done == 100:\n        {how}\n", 1)
        self.assertNotEqual(text, COUNTING)
        self.write("spoiling.py", text)
        command = self.counting(10)
        command[1] = self.path("spoiling.py")
        result = self.check("--work", "frames", "--start-counter", "frames",
                            command=command)
        self.assertEqual(result.code, 1, result.out)
        self.assertIsNone(self.report().find("result"))
        return result

    def test_a_counter_file_that_is_cut_short(self):
        result = self.spoil("import glob; os.truncate(glob.glob(os.environ["
                            "'XDG_RUNTIME_DIR'] + '/sluice/*')[0], 200); "
                            "time.sleep(60)")
        self.assertIn("counter frames: byte 200: the file ends", result.err)

    def test_a_counter_that_falls(self):
        result = self.spoil("library.sl_counter_set(counters, ctypes.c_size_t("
                            "1), ctypes.c_uint64(0)); time.sleep(60)")
        self.assertIn("the work fell from ", result.err)

    def test_a_counter_that_the_command_has_not(self):
        result = self.check("--work", "encoder/fames",
                            command=self.counting(10))
        self.assertEqual(result.code, 1)
        self.assertIn("the application published no counter fames",
                      result.err)


if __name__ == "__main__":
    harness.main()
