# SPDX-License-Identifier: MIT
"""What the tests of `scgate check` share: a repository with a configuration,
commits in it, and verdicts of the real analyzers about them."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import typing

from repository import GIT, SCGATE, Repository

COMPILE = "compile"  # the tool that a unit's own compiler is in a verdict


class Verdict(typing.NamedTuple):
    code: int
    text: str  # standard output
    talk: str  # standard error
    json: dict  # what --output json says; None: it was not written

    def __str__(self):
        return f"exit {self.code}\n{self.text}{self.talk}"


def setting(value):
    """A value as libconfig has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + " ".join(f"{name} = {setting(one)};"
                               for name, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        groups = value and isinstance(value[0], dict)
        return ("( %s )" if groups else "[ %s ]") % ", ".join(
            map(setting, value))
    return json.dumps(value, ensure_ascii=False)


def place(finding):
    return (finding["path"], finding["line"], finding["tool"],
            finding["rule"])


class Gate(Repository):
    """The configuration names the analyzers of `analyzers`; all sources of the
    tree are units, without a database, unless configure() says otherwise."""

    analyzers = ("cppcheck",)

    def setUp(self):
        super().setUp()
        for name in ("home", "tmp"):
            os.mkdir(os.path.join(self.folder, name))
        self.environment = {
            **{name: value for name, value in os.environ.items()
               if not name.startswith(("GIT_", "XDG_", "CI", "GITHUB_"))},
            **GIT, "HOME": os.path.join(self.folder, "home"),
            "TMPDIR": os.path.join(self.folder, "tmp")}
        self.configure()

    # ---- the repository ----

    def configure(self, *analyzers, **settings):
        """Write .scgate.conf. An analyzer is a name or a group."""
        if "build" not in settings:
            settings.setdefault("sources", ["*.c", "*.cc"])
            settings.setdefault("compiler", "gcc")
            settings.setdefault("flags", [])
        settings["analyzers"] = [
            one if isinstance(one, dict) else {"name": one}
            for one in analyzers or self.analyzers]
        self.write(".scgate.conf", "".join(
            f"{name} = {setting(value)};\n"
            for name, value in settings.items()))

    def database(self, *sources):
        """Write build/compile_commands.json, which is not tracked."""
        self.write(".git/info/exclude", "build/\n")
        self.write("build/compile_commands.json", json.dumps([
            {"directory": self.path("build"), "file": self.path(source),
             "arguments": ["gcc", "-Wall", "-o", f"{source}.o", "-c",
                           self.path(source)]} for source in sources]))

    def base(self, files):
        """Commit what changes are held against."""
        for name, text in files.items():
            self.write(name, text)
        self.commit()

    def change(self, files):
        """Stage files; None: it is removed."""
        for name, text in files.items():
            if text is None:
                os.unlink(self.path(name))
            else:
                self.write(name, text)
        self.stage()

    def stage(self):
        self.git("add", "-A")

    # ---- the check ----

    def command(self, *arguments, prefix=()):
        store = () if "--db" in arguments else (
            "--db", os.path.join(self.folder, "db"))
        return [*prefix, SCGATE, "check", *store, *arguments]

    def both(self):
        """Options for a verdict as text and as JSON."""
        return ("--output", "json", "--report",
                os.path.join(self.folder, "report"))

    def run_check(self, *arguments, prefix=(), env=None, **more):
        """@return what subprocess.run() does."""
        return subprocess.run(
            self.command(*arguments, prefix=prefix), cwd=self.tree,
            env={**self.environment, **(env or {})}, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=300, check=False, **more)

    def output(self, name, *arguments):
        """@return exit code and standard output of one form of output."""
        run = self.run_check("--output", name, *arguments)
        self.assertIn(run.returncode, (0, 1, 3), run.stderr.decode())
        return run.returncode, run.stdout.decode()

    def check(self, *arguments, **more):
        """A check of what is staged, unless arguments say otherwise."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.folder, "report"))
        run = self.run_check(*self.both(), *arguments, **more)
        return self.verdict(run.returncode, run.stdout, run.stderr)

    def check_meanwhile(self, meddle, *arguments):
        """meddle(pid of scgate) is called while the check runs."""
        with subprocess.Popen(
                self.command(*self.both(), *arguments), cwd=self.tree,
                env=self.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE) as run:
            try:
                meddle(run.pid)
                out, err = run.communicate(timeout=300)
            except BaseException:
                run.send_signal(signal.SIGTERM)
                raise
        self.assert_no_process_is_left()
        return self.verdict(run.returncode, out, err)

    def assert_no_process_is_left(self):
        """What was killed may take a moment to go."""
        end = time.monotonic() + 10
        while left := [words for _, _, words in processes()
                       if any(self.folder in word for word in words)]:
            self.assertLess(time.monotonic(), end, f"left behind: {left}")

    def verdict(self, code, out, err):
        document = None
        with contextlib.suppress(FileNotFoundError):
            with open(os.path.join(self.folder, "report"), "rb") as file:
                document = json.load(file)
        self.assertEqual(os.listdir(os.path.join(self.folder, "tmp")), [],
                         "a check leaves nothing behind")
        return Verdict(code, out.decode(), err.decode(), document)

    def scgate(self, command, *arguments, **more):
        """Another command of scgate, with the same store and environment."""
        run = subprocess.run(
            [SCGATE, *command.split(), *arguments], cwd=self.tree,
            env=self.environment, capture_output=True, timeout=120, **more)
        return run.returncode, run.stdout.decode(), run.stderr.decode()

    # ---- what a verdict says ----

    def found(self, verdict, status):
        """Places of the judged findings that are "new", "fixed", "same",
        "unknown", in order."""
        return sorted(place(one) for one in verdict.json["findings"]
                      if one["verdict"] == status)

    def begins(self, verdict, code, word):
        self.assertEqual(verdict.code, code, str(verdict))
        self.assertRegex(verdict.text, rf"\Ascgate check: {word}: \S",
                         str(verdict))

    def rejected_for(self, verdict, *places):
        """Rejected, and each of places (path, line, tool, rule) is told to be
        new, and nothing else is."""
        self.begins(verdict, 1, "rejected")
        self.assertEqual(self.found(verdict, "new"), sorted(places),
                         str(verdict))
        for path, line, tool, rule in places:
            self.names(verdict, rf"{re.escape(path)}:{line}(:\d+)?: \w+: .+ "
                       rf"\[{tool} {re.escape(rule)}\]", 1)

    def passed(self, verdict, fixed=(), new=()):
        """Passed; nothing is told to be fixed or new but this."""
        self.begins(verdict, 0, "passed")
        self.assertEqual(self.found(verdict, "new"), sorted(new),
                         str(verdict))
        self.assertEqual(self.found(verdict, "fixed"), sorted(fixed),
                         str(verdict))
        for path, line, tool, rule in fixed:
            self.names(verdict, rf"fixed +{re.escape(path)}:{line}: .+ "
                       rf"\[{tool} {re.escape(rule)}\]", 1)

    def unchanged(self, verdict, *places):
        """Passed with these findings, the same as before, and no others."""
        self.passed(verdict)
        self.assertEqual(self.found(verdict, "same"), sorted(places),
                         str(verdict))

    def incomplete_for(self, verdict, words, unit=None, tool=None):
        """Incomplete, and a line names the unit and the tool, if they are
        given, and why; words (a regular expression) stand in the text."""
        self.begins(verdict, 3, "incomplete")
        fitting = [trouble for trouble in verdict.json["troubles"]
                   if trouble["state"] == "incomplete"
                   and unit in (None, trouble["unit"])
                   and tool in (None, trouble["tool"])]
        self.assertTrue(fitting, str(verdict))
        self.names(verdict, "incomplete +"
                   + (f"{re.escape(unit)}: " if unit else r"(?:\S.*: )?")
                   + (f"{tool}: " if tool else "") + r"\S.*")
        self.assertRegex(verdict.text, words)

    def names(self, verdict, line, times=None):
        """A whole line of the verdict fits (so many times)."""
        fitting = re.findall(rf"^(?:{line})$", verdict.text, re.MULTILINE)
        if times is None:
            self.assertTrue(fitting, f"{line}\n{verdict}")
        else:
            self.assertEqual(len(fitting), times, f"{line}\n{verdict}")


# ---- faults ----

def processes():
    """(pid, parent, command line) of all processes."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
            yield int(name), parent, words


def lineage(pid, parents, ancestor):
    """@return what stands between pid and an ancestor; None: it is none."""
    between = []
    while pid in parents:
        pid = parents[pid]
        if pid == ancestor:
            return between
        between.append(pid)
    return None


def descendant(ancestor, fits, child=False):
    """@return the pid of a descendant whose words fit, None if there is none;
    child: of one that fits, and so does a process above it."""
    parents, fitting = {}, set()
    for pid, parent, words in processes():
        parents[pid] = parent
        if words[0] and fits(words):
            fitting.add(pid)
    for pid in sorted(fitting):
        between = lineage(pid, parents, ancestor)
        if between is not None and (not child
                                    or fitting.intersection(between)):
            return pid
    return None


def kill_analyzer(ancestor, fits, child=False):
    """Wait until a descendant fits, and kill it. Fails if the ancestor ends
    without one."""
    while (victim := descendant(ancestor, fits, child)) is None:
        with open(f"/proc/{ancestor}/stat", "rb") as file:
            if file.read().rpartition(b")")[2].split()[0] == b"Z":
                raise AssertionError("it ended before the analyzer was seen")
    os.kill(victim, signal.SIGKILL)


def path_without(folder, *programs):
    """Make a folder with links to all programs but some. @return its path."""
    os.mkdir(folder)
    for programs_folder in reversed(os.environ["PATH"].split(":")):
        if not os.path.isdir(programs_folder):
            continue
        for name in os.listdir(programs_folder):
            link = os.path.join(folder, name)
            if name not in programs:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(link)
                os.symlink(os.path.join(programs_folder, name), link)
    return folder


def slow(count=2000):
    """A unit that compiles at once and keeps analyzers busy, by default
    cppcheck and clang for more than 20 s, gcc for 3 s."""
    return ("int f(int n, const int *a);\n"
            "int f(int n, const int *a)\n{\n\tint s = 0;\n\n"
            + "".join(f"\tif (a[{at}] > n)\n\t\ts += {at};\n"
                      for at in range(count)) + "\treturn s;\n}\n")


def mounted(folder, size, command):
    """A command that runs in a mount namespace of its own, in which folder is
    a disk of size. @return None: this machine does not allow it."""
    for unshare in (["unshare", "-m"], ["unshare", "-rm"]):
        prefix = [*unshare, "sh", "-c",
                  f'mount -t tmpfs -o size={size} none "$0" && exec "$@"',
                  folder]
        if shutil.which("unshare") and subprocess.run(
                [*prefix, "true"], capture_output=True,
                check=False).returncode == 0:
            return prefix + list(command)
    return None
