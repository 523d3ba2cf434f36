#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/energy as a user has it: installed, built by what the samples' first
comments say, and README.md, each of its commands."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import samples

CMAKE = os.environ["SLUICE_CMAKE"]
NEEDS = {".java": "javac", ".cs": "mcs"}
# What the hosts of README.md say.
HOSTS = {name: "".join(
    json.dumps({"program": "encoder", "process": 7, "state": "live",
                "name": counter, "unit": unit, "value": value}) + "\n"
    for counter, unit, value in (("frames", "frame", frames),
                                 ("energy", "J", joules)))
    for name, frames, joules in (("a", 90000, 300), ("b", 30000, 100))}


def has_objective_c():
    return not subprocess.run(
        ["gcc", "-E", "-"], input=b"#include <objc/objc.h>\n",
        capture_output=True).returncode


def commands(page):
    """README.md's commands, each with the lines that it is said to print."""
    found = []
    for line in page.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:])
    return found


def pattern(lines):
    """What fits these lines, but for numbers and blanks; "..." is anything."""
    whole = ""
    for line in lines:
        if line == "...":
            whole += "(?:.*\n)*?"
            continue
        line = re.escape(" ".join(line.split())).replace(r"\.\.\.", ".*")
        whole += re.sub(r"\d+(?:\\\.\d+)?(?:e\\-\d+)?", "[-+.e\\\\d]+",
                        line) + "\n"
    return whole + "(?:.*\n)*" if "..." in lines else whole


class Page(samples.SampleTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="samples-")
        cls.addClassCleanup(folder.cleanup)
        cls.home = folder.name
        prefix = os.path.join(cls.home, "sluice")
        subprocess.run([CMAKE, "--install", os.environ["SLUICE_BUILD_DIR"],
                        "--prefix", prefix], check=True, capture_output=True)
        cls.lib = os.path.join(prefix, os.environ["SLUICE_INSTALL_LIBDIR"])
        if not os.path.exists(os.path.join(prefix, "lib/libsluice.so.1")):
            os.symlink(cls.lib, os.path.join(prefix, "lib"))
        cls.examples = os.path.join(
            prefix, os.environ["SLUICE_INSTALL_DOCDIR"], "examples/energy")

    def setUp(self):
        super().setUp()
        self.work = self.path("energy")
        self.copy()

    def copy(self):
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.examples, self.work)

    def environment(self, **changes):
        environment = super().environment(HOME=self.home, **changes)
        environment.update(
            LD_LIBRARY_PATH=self.lib,
            PKG_CONFIG_PATH=os.path.join(self.lib, "pkgconfig"))
        return environment

    def shell(self, script, **options):
        return self.run_sample("bash", "-c", script, cwd=self.work, **options)

    # ---- each sample's own words ---------------------------------------

    def build_lines(self, name):
        """What stands below "Build" in the first comment."""
        with open(os.path.join(self.work, name), encoding="utf-8") as file:
            comment = file.read().split("*/\n", 2)[1]
        lines = re.search(r"\* Build[^:]*:\n((?: \*     .*\n)+)", comment)
        return lines and re.sub(r"(?m)^ \*     ", "", lines[1])

    def test_each_sample_is_built_as_its_first_comment_says(self):
        built = []
        for name in sorted(os.listdir(self.work)):
            base, suffix = os.path.splitext(name)
            if suffix not in (".c", ".m", ".cs") or name == "meter.c":
                continue
            lines = self.build_lines(name)
            self.assertTrue(lines, f"{name} does not say how it is built")
            if (suffix == ".m" and not has_objective_c() or
                    suffix == ".cs" and not shutil.which("mcs")):
                continue
            done = self.shell(lines)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (0, "", ""), name)
            program = base + (".exe" if suffix == ".cs" else "")
            self.assertTrue(os.path.exists(os.path.join(self.work, program)))
            built.append(name)
        self.assertLessEqual({"threads.c", "sysinfo.c", "histogram.c",
                              "rates.c"}, set(built))

    # ---- the page -------------------------------------------------------

    def program(self, name, text):
        path = self.write("bin/" + name, "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)

    def stand_ins(self):
        """A machine of 10 W, of 30 W while shout runs; short windows; hosts."""
        chip = "root/sys/class/hwmon/hwmon0/"
        for name, text in (
                ("root/proc/stat", "cpu0 100 0 0 900 0 0 0 0 0 0\n"),
                ("root/proc/interrupts", "  CPU0\nLOC: 1000 timer\n"),
                ("root/proc/cpuinfo", "processor : 0\nmodel name : Test\n"),
                ("root/proc/sys/kernel/osrelease", "6.1.0-test\n"),
                (chip + "name", "bench\n"), (chip + "update_interval", "10\n"),
                (chip + "power1_input", "10000000\n")):
            self.write(name, text)
        self.program("powercheck", f"exec {self.home}/sluice/bin/powercheck "
                     f"--root {self.path('root')} --meter hwmon --settle 0.1 "
                     "--baseline 0.5 --repeat 1 --quiet-look 0.1 --sample 0.01 "
                     '"$@"\n')
        self.program("ssh", f'cat {self.folder}/$1.host\n')
        for name, text in HOSTS.items():
            self.write(name + ".host", text)

        def follow():
            while not ended.wait(0.01):
                busy = any(name.startswith("shout")
                           for name in self.counter_files())
                self.write(chip + "power1_input",
                           "30000000\n" if busy else "10000000\n")
        ended = threading.Event()
        follower = threading.Thread(target=follow)
        follower.start()
        self.addCleanup(follower.join)
        self.addCleanup(ended.set)

    def run_page(self, page):
        """Run the commands in one shell, and hold each one's output. Where the
        machine stood still, powercheck rightly refuses: once more."""
        self.stand_ins()
        script = "set -e; exec 2>&1\n"
        for at, (command, _) in enumerate(page):
            # What stands in for programs comes before the page's own PATH.
            script += (f'PATH="{self.path("bin")}:$PATH"\n'
                       f"echo '<<{at}>>'\n{command}\n")
        for _ in range(3):
            self.copy()
            done = self.shell(script, timeout=100)
            if "was not read for too long" not in done.stdout:
                break
        self.assertEqual(done.returncode, 0, done.stdout)
        outputs = re.split(r"<<\d+>>\n", done.stdout)[1:]
        self.assertEqual(len(outputs), len(page))
        for (command, lines), output in zip(page, outputs):
            output = "".join(" ".join(line.split()) + "\n"
                             for line in output.splitlines())
            self.assertRegex(output, "^" + pattern(lines) + r"\Z", command)

    def table(self):
        with open(os.path.join(self.work, "README.md"),
                  encoding="utf-8") as file:
            rows = [re.match(r"\| \[(\S+)\]\(\1\) \|.*\| `(.*)` \|$", line)
                    for line in file if line.startswith("| [")]
        self.assertNotIn(None, rows)
        return {row[1]: row[2] for row in rows}

    def check_table(self, table):
        names = {name for name in os.listdir(samples.SOURCES)
                 if name.endswith((".c", ".py", ".java", ".cs", ".m"))}
        self.assertEqual(set(table), names)
        if shutil.which("gcc") and has_objective_c():
            self.assertEqual(self.shell(self.build_lines("shout.m")).stderr,
                             "")
        else:
            table.pop("shout.m")
        # These run until they are told to end.
        sysinfo = self.start(*table.pop("sysinfo.c").split(), cwd=self.work)
        self.until(self.counter_files)
        rates = self.start(*table.pop("rates.c").split(), cwd=self.work)
        self.assertEqual(rates.stdout.readline(),
                         f"sysinfo {sysinfo.pid}: found\n")
        self.finish(rates)
        self.finish(sysinfo)
        for name, command in table.items():
            need = NEEDS.get(os.path.splitext(name)[1])
            if need and not shutil.which(need):
                continue
            done = self.shell(command)
            self.assertEqual(done.returncode, 0, command + done.stderr)

    def test_every_command_of_the_page_does_what_it_says(self):
        with open(os.path.join(self.work, "README.md"),
                  encoding="utf-8") as file:
            page = commands(file.read())
        self.assertGreater(len(page), 10)
        self.run_page(page)
        self.check_table(self.table())


if __name__ == "__main__":
    unittest.main()
