# SPDX-License-Identifier: MIT
"""What the tests of meters in a pipeline share: recordings with a known power,
trees that change as time goes by, and a run that lasts as long as a test
wants."""
import errno
import json
import os
import threading
import time

import harness

RECORD = b"eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n"
PACKETS = 400  # of a run, half of them at its beginning
SLOW = 20  # of these, far enough apart for a sample of CPU time each
STEP_S = 0.005  # between rows of a recording


def recording(watts, name="board_joules", seconds=200, wrap=None):
    """A counter of a constant power. With `wrap` it begins again there."""
    rows = [f"time_s,{name}"]
    for at in range(round(seconds / STEP_S)):
        joules = watts * at * STEP_S
        if wrap:
            joules %= wrap
        rows.append(f"{at * STEP_S:.3f},{joules:.6f}")
    return "\n".join(rows) + "\n"


LATE_S = 0.05  # a tree that stood still for so long is not what was meant


class MetersTest(harness.RunpipeTest):

    CONFIG = '''\
{top}
chunk = 1;
source = {{ plugin = "trace_text"; path = "{source}"; }};
stages = ( {{ plugin = "compute"; size = 6; }},
  {{ name = "more"; plugin = "compute"; size = 8; }} );
sink = {{ plugin = "trace_text"; path = "{sink}"; }};
meters = ( {meters} );
'''
    fed = 0  # packets, since its beginning
    # The longest time for which a changing tree stood still: a busy machine
    # does not always let the test change it.
    late_s = 0

    REPLAY = '{ plugin = "replay"; file = "board.csv"; }'

    def configure(self, meters=REPLAY, top="", source="-", sink="-",
                  watts=None):
        self.write("pipeline.conf", self.CONFIG.format(
            top=top, source=source, sink=sink, meters=meters))
        if watts is not None:
            self.write("board.csv", recording(watts))

    def begin(self, *arguments, before=0, **options):
        """A run in whose measured region something came out; its input came
        so late."""
        process = self.start("--stats", "stats.json", *arguments,
                             "pipeline.conf", **options)
        time.sleep(before)
        self.fed = 0
        self.give(process, PACKETS // 2)
        self.assertEqual(os.read(process.stdout.fileno(), 1), RECORD[:1])
        return process

    def give(self, process, packets):
        process.stdin.write(RECORD * packets)
        process.stdin.flush()
        self.fed += packets

    def trickle(self, process, seconds):
        for _ in range(SLOW):
            time.sleep(seconds / SLOW)
            self.give(process, 1)

    def end(self, process, code=0):
        """The rest of its input, and its figures. Its output is whole."""
        result = self.finish(process, RECORD * (PACKETS - self.fed))
        self.assertEqual((result.code, result.out.count(b"\n")),
                         (code, PACKETS), result.err)
        self.assertEqual(result.out, (RECORD * PACKETS)[1:])
        return json.loads(self.read("stats.json")), result.err

    def measure(self, *arguments, seconds=0.3, **options):
        """The figures of a run that takes at least so long; of one in which a
        busy machine let the tree stand still, those of another."""
        for _ in range(5):
            self.late_s = 0
            process = self.begin(*arguments, **options)
            if seconds:
                self.trickle(process, seconds)
            measured = self.end(process)
            if self.late_s < LATE_S:
                break
        return measured

    def feed(self, process, name):
        """A FIFO's writing end, as soon as the process has opened it to read;
        a failure if it ends without."""
        while process.poll() is None:
            try:
                fd = os.open(self.path(name), os.O_WRONLY | os.O_NONBLOCK)
                os.set_blocking(fd, True)
                return os.fdopen(fd, "wb")
            except OSError as failure:
                if failure.errno != errno.ENXIO:
                    raise
                time.sleep(0.005)
        return self.fail(process.stderr.read())

    # ---- trees --------------------------------------------------------

    def tree(self, name, text):
        """Change a file at once, as the kernel does."""
        path = self.path(os.path.join("root", name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def change(self, set_files):
        """Call set_files(seconds since now) again and again until the test
        ends; what it raises ends that too. @return what stops it."""
        over = threading.Event()
        start = time.monotonic()
        set_files(0)

        def tick():
            last = start
            while not over.wait(0.002):
                now = time.monotonic()
                set_files(now - start)
                self.late_s = max(self.late_s, time.monotonic() - last)
                last = now

        thread = threading.Thread(target=tick)
        thread.start()

        def stop():
            over.set()
            thread.join()
        self.addCleanup(stop)
        return stop

    def rapl(self, watts, zone="intel-rapl:0", name="package-0"):
        """A processor that takes so much, and counts it. @return what lets its
        counter vanish."""
        folder = f"sys/class/powercap/{zone}/"
        self.tree(folder + "name", name + "\n")
        self.tree(folder + "max_energy_range_uj", "262143328850\n")
        stop = self.change(lambda s: self.tree(
            folder + "energy_uj", f"{round(watts * s * 1e6)}\n"))

        def vanish():
            stop()
            os.unlink(self.path(f"root/{folder}energy_uj"))
        return vanish

    def cpus(self, busy):
        """A machine of which so much is busy."""
        self.change(lambda s: self.tree(
            "proc/stat", f"cpu0 {round(100 * busy * s)} 0 0 "
            f"{round(100 * (1 - busy) * s)} 0 0 0 0 0 0\n"))

    # ---- figures ------------------------------------------------------

    @staticmethod
    def instances(stats):
        return [stats["source"], *stats["stages"], stats["sink"]]

    def check_power(self, figures, watts):
        """The joules are those of this power, as far as the figure claims;
        thrice its interval, since one in twenty is out of it, and as far as
        the tree was in time."""
        self.assertIsNotNone(figures["joules"], figures["reason"])
        half = (figures["high"] - figures["low"]) / 2
        self.assertAlmostEqual(figures["joules"], watts * figures["seconds"],
                               delta=3 * half + watts * self.late_s)
        self.assertLess(half, 0.5 * figures["joules"])

    def check_no_shares(self, stats, reason):
        self.assertEqual(stats["energy"]["stages_reason"], reason)
        for one in self.instances(stats):
            self.assertIsNone(one["joules"])
            self.assertEqual(one["joules_reason"], reason)
