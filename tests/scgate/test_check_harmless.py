#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate check changes nothing of a repository but its own folder in .git,
also when it is killed, and leaves nothing behind; several at once do not mind
each other."""
import contextlib
import fcntl
import glob
import hashlib
import os
import select
import shutil
import signal
import sqlite3
import subprocess

from defects import CLEAN, NULL
from gate import descendant, lineage, processes, slow
from places import Place, main
from repository import SCGATE


def analyses(name):
    """Fits a process that is busy with the slow file."""
    return lambda words: (os.path.basename(words[0]) == name
                          and any("slow.c" in word for word in words))


class Harmless(Place):
    """The index, the work tree and HEAD differ, and there is more that a
    careless git command would touch."""

    units = 4

    def begin(self):
        super().begin()
        self.write(".gitignore", "*.o\n")
        for at in range(self.units):
            self.write(f"src/u{at}.c", CLEAN.replace("same", f"u{at}"))
        self.write("src/later.c", CLEAN)
        self.commit()
        self.write("src/u0.c", CLEAN.replace("same", "stashed"))
        self.git("stash", "push", "-q", "-m", "kept")
        self.write("src/u1.c", CLEAN.replace("same", "committed"))
        self.commit()
        self.line = self.with_defect("src/u2.c")
        self.git("add", "-A")
        self.write("src/u2.c", "/* work */\n" + NULL)
        self.write("src/u3.c", "/* not staged */\n" + CLEAN)
        self.write("src/untracked.c", CLEAN.replace("same", "untracked"))
        self.write("src/ignored.o", "o")
        self.write("src/meant.c", CLEAN.replace("same", "meant"))
        self.git("add", "-N", "src/meant.c")
        self.git("pack-refs", "--all")
        # its time is not what the index has: to be refreshed, if one did
        os.utime(self.path(self.source), (1, 1))
        os.utime(self.path(".git/index"), (2, 2))

    def state(self):
        """{path: (what lstat says, hash)} of all but scgate's own folder."""
        found = {}
        for folder, folders, files in os.walk(self.tree):
            if folder == self.path(".git") and "scgate" in folders:
                folders.remove("scgate")
            for name in files + folders:
                path = os.path.join(folder, name)
                seen = os.lstat(path)
                if name in folders:
                    found[path] = seen.st_mode
                    continue
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
                found[path] = (seen.st_mode, seen.st_ino, seen.st_mtime_ns,
                               content)
        return found

    def stores(self):
        for path in glob.glob(self.path(".git/scgate/*")):
            with open(path, "rb") as file:
                if file.read(6) == b"SQLite":
                    yield path

    def assert_sound_stores(self):
        stores = list(self.stores())
        self.assertTrue(stores)
        for path in stores:
            connection = sqlite3.connect(path)
            for pragma in ("integrity_check", "foreign_key_check"):
                rows = connection.execute(f"PRAGMA {pragma}").fetchall()
                self.assertIn(rows, ([("ok",)], []), path)
            connection.close()

    def left(self):
        return os.listdir(self.environment["TMPDIR"])


class NothingChanges(Harmless):
    def test_in_any_mode(self):
        before = self.state()
        sarif = os.path.join(self.folder, "out.sarif")
        for arguments, word in (
                ((), "rejected"), (("--worktree",), "rejected"),
                (("--base", "HEAD~1"), "passed"), (("--staged",), "rejected"),
                (("--policy", "zero", "--base", "main"), "passed"),
                (("--output", "sarif", "--report", sarif), "rejected"),
                (("--no-cache", "--jobs", "1"), "rejected")):
            with self.subTest(arguments):
                self.assertEqual(self.ask(*arguments)[0], word)
                self.assertEqual(self.state(), before)
                self.assertEqual(self.left(), [])
        self.assertEqual(len(self.git("stash", "list").splitlines()), 1)

    def test_when_it_is_incomplete_or_refused(self):
        self.write("src/u3.c", "int broken(\n")
        before = self.state()
        self.assert_incomplete(self.ask("--worktree"), "src/u3.c")
        self.refused("--base", "nothing")
        self.refused("--no-such-option")
        self.assertEqual(self.state(), before)

    def test_in_a_linked_work_tree(self):
        linked = os.path.join(self.folder, "linked")
        self.git("worktree", "add", "-q", linked)
        before = self.state()
        main_tree, self.tree = self.tree, linked
        self.remark()
        self.git("add", "-A")
        self.tree = main_tree
        before = self.state()
        self.assertEqual(self.ask(cwd=linked)[0], "passed")
        self.assertEqual(self.state(), before)


class Leftovers(Harmless):
    def leave(self, name, *files):
        for file in files:
            path = os.path.join(self.environment["TMPDIR"], name, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii"):
                pass
        return os.path.join(self.environment["TMPDIR"], name)

    def test_what_nobody_holds_goes_and_nothing_else(self):
        self.leave("scgate-aaaaaa", "lock", "tree1/src/a.c", "0.out")
        os.mkdir(os.path.join(self.environment["TMPDIR"], "scgate-bbbbbb"))
        stay = [self.leave("scgate-cccccc", "lock", "tree1/a.c"),
                self.leave("scgate-of-mine", "lock", "a.c"),
                self.leave("other", "lock", "a.c")]
        with open(os.path.join(stay[0], "lock"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assert_rejected(self.ask(), "src/u2.c", self.line)
            self.assertEqual(sorted(self.left()),
                             sorted(map(os.path.basename, stay)))
        for folder in stay:
            shutil.rmtree(folder)


class Stopped(Harmless):
    """By a signal, while an analyzer runs."""

    analyzers = ("cppcheck",)

    def begin(self):
        super().begin()
        self.write("src/slow.c", slow())
        self.git("add", "src/slow.c")

    def stop(self, number, fits=analyses("cppcheck"), arguments=(),
             command=None, group=False):
        """Send a signal to a check, when such a process of its is seen; wait
        for all of its processes to end. @return its exit status."""
        with subprocess.Popen(
                command or [SCGATE, "check", *arguments], cwd=self.tree,
                env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                start_new_session=True) as run:
            while descendant(run.pid, fits) is None:
                self.assertIsNone(run.poll(), "it ended before it was seen")
            family = self.family(run.pid)
            (os.killpg if group else os.kill)(run.pid, number)
            out, _ = run.communicate(timeout=60)
        for pid, handle in family.items():
            with os.fdopen(handle):
                ended, _, _ = select.select([handle], [], [], 30)
            self.assertTrue(ended, f"{pid} runs on")
        self.assertIsNone(self.word(out.decode()), out)
        return run.returncode

    @staticmethod
    def family(ancestor):
        """{pid: descriptor} of a process's descendants."""
        parents = {pid: parent for pid, parent, _ in processes()}
        found = {}
        for pid in parents:
            if lineage(pid, parents, ancestor) is not None:
                with contextlib.suppress(ProcessLookupError):
                    found[pid] = os.pidfd_open(pid)
        return found

    def assert_works_again(self):
        """The next check is right, and takes away what killed ones left."""
        self.git("rm", "-q", "-f", "src/slow.c")
        self.assert_rejected(self.ask(), "src/u2.c", self.line,
                             tool="cppcheck")
        self.assertEqual(self.left(), [])
        self.assert_sound_stores()

    def test_by_sigint(self):
        before = self.state()
        self.assertEqual(self.stop(signal.SIGINT), 130)
        self.assertEqual(self.left(), [])
        self.assertEqual(self.state(), before)
        self.assert_works_again()

    def test_by_sigint_while_gcc_has_a_child(self):
        self.configure("gcc", **self.settings)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "m")
        self.write("src/slow.c", slow() + "/* a */\n")
        self.git("add", "src/slow.c")
        before = self.state()
        self.assertEqual(self.stop(signal.SIGINT, analyses("cc1")), 130)
        self.assertEqual(self.left(), [])
        self.assertEqual(self.state(), before)

    def test_by_sigterm(self):
        before = self.state()
        self.assertEqual(self.stop(signal.SIGTERM,
                                   arguments=["--worktree"]), 143)
        self.assertEqual(self.left(), [])
        self.assertEqual(self.state(), before)

    def test_not_by_a_signal_that_is_ignored(self):
        self.configure({"name": "sleep", "format": "gcc",
                        "command": ["sh", "-c", "sleep 2", "{file}"]},
                       **self.settings)
        self.git("rm", "-q", "-f", "src/slow.c")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "m")
        with subprocess.Popen(
                ["env", "--ignore-signal=HUP", SCGATE, "check", "--all"],
                cwd=self.tree, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
            while not descendant(run.pid, lambda words: words[0] == "sleep"):
                if run.poll() is not None:
                    self.fail("it ended first: " + run.stdout.read().decode())
            run.send_signal(signal.SIGHUP)
            out, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, out.decode())

    def test_by_sigkill(self):
        before = self.state()
        for arguments in ((), ("--worktree",), ("--base", "HEAD~1")):
            if arguments and arguments[0] == "--base":
                self.git("commit", "-q", "-m", "m")
                before = self.state()
            with self.subTest(arguments):
                self.assertEqual(self.stop(signal.SIGKILL,
                                           arguments=arguments),
                                 -signal.SIGKILL)
                self.assertEqual(self.state(), before)
        self.git("reset", "-q", "--soft", "HEAD~1")
        self.assert_works_again()

    def test_by_sigkill_as_soon_as_it_has_a_child(self):
        before = self.state()
        for _ in range(3):
            self.assertEqual(self.stop(signal.SIGKILL, lambda words: True),
                             -signal.SIGKILL)
            self.assertEqual(self.state(), before)
        self.assert_works_again()

    def test_a_commit_by_sigint_as_a_terminal_sends_it(self):
        code, out = self.run_in("", SCGATE, "hook", "install")
        self.assertEqual(code, 0, out)
        before = self.git("ls-files", "-s"), self.head()
        status = self.stop(signal.SIGINT, group=True,
                           command=["git", "commit", "-q", "-m", "m"])
        self.assertNotEqual(status, 0)
        self.assertEqual(self.left(), [])
        self.assertEqual((self.git("ls-files", "-s"), self.head()), before)

    def test_the_folder_of_one_that_runs_stays(self):
        with subprocess.Popen(
                [SCGATE, "check"], cwd=self.tree, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL) as run:
            while descendant(run.pid, analyses("cppcheck")) is None:
                self.assertIsNone(run.poll())
            folders = self.left()
            self.assertTrue(folders)
            self.assert_passed(self.ask("--base", "HEAD~1"))
            self.assertEqual(self.left(), folders)
            run.send_signal(signal.SIGINT)
        self.assertEqual(run.returncode, 130)


class AtOnce(Harmless):
    units = 12

    def start(self, *arguments):
        return subprocess.Popen(
            [SCGATE, "check", *arguments], cwd=self.tree,
            env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_the_same_verdicts_and_a_sound_store(self):
        for at in range(4, self.units):
            self.write(f"src/u{at}.c", "/* new */\n" + CLEAN)
            self.git("add", f"src/u{at}.c")
        before = self.state()
        runs = [self.start(*arguments) for arguments in
                ((), (), ("--worktree",), ("--base", "HEAD~1"))]
        said = [run.communicate(timeout=300)[0].decode() for run in runs]
        self.assertEqual([(run.returncode, self.word(out))
                          for run, out in zip(runs, said)],
                         [(1, "rejected")] * 3 + [(0, "passed")], said)
        for out, line in zip(said, (self.line, self.line, 8)):
            self.assert_new(out, "src/u2.c", line)
        self.assertEqual(self.state(), before)
        self.assert_sound_stores()
        self.assert_rejected(self.ask(), "src/u2.c", self.line)


if __name__ == "__main__":
    main(NothingChanges, Leftovers, Stopped, AtOnce)
