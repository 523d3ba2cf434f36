#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate hook: what git runs then, and what was there before."""
import os
import re
import subprocess
import unittest

from repository import GIT, SCGATE, Repository

NAMES = ("pre-commit", "pre-merge-commit", "pre-push")
ZEROS = "0" * 40


class Case(Repository):
    def setUp(self):
        super().setUp()
        self.environment = {
            **os.environ, **GIT,
            "PATH": os.path.dirname(SCGATE) + ":" + os.environ["PATH"]}

    def hook(self, *arguments, cwd=None):
        run = subprocess.run([SCGATE, "hook", *arguments], env=self.environment,
                             cwd=cwd or self.tree, capture_output=True)
        return (run.returncode, self.named(run.stdout.decode()),
                self.named(run.stderr.decode()))

    def hooks(self, name=""):
        return self.path(os.path.join(".git/hooks", name))

    def put(self, name, text, mode=0o755):
        self.write(os.path.join(".git/hooks", name), text)
        os.chmod(self.hooks(name), mode)

    def there(self):
        """Name, mode and content of all that is no sample."""
        found = {}
        for name in os.listdir(self.hooks()):
            path = self.hooks(name)
            if name.endswith(".sample"):
                continue
            if os.path.islink(path):
                found[name] = os.readlink(path)
            else:
                with open(path, "rb") as file:
                    found[name] = (os.stat(path).st_mode, file.read())
        return found

    def try_git(self, *arguments, **more):
        return subprocess.run(["git", *arguments], cwd=self.tree,
                              env={**self.environment, **more},
                              capture_output=True, text=True)


class InstallTest(Case):
    def test_all_three_are_installed_and_taken_out(self):
        before = self.there()
        self.assertEqual(self.hook("status"), (
            1, "".join(f"{name}: not installed\n" for name in NAMES), ""))
        self.assertEqual(self.hook("install"), (
            0, "".join(f"{name}: installed\n" for name in NAMES), ""))
        self.assertEqual(sorted(self.there()), sorted(NAMES))
        for name in NAMES:
            self.assertTrue(os.access(self.hooks(name), os.X_OK))
            subprocess.run(["sh", "-n", self.hooks(name)], check=True)
        self.assertEqual(self.hook("status"), (
            0, "".join(f"{name}: installed\n" for name in NAMES), ""))
        self.assertEqual(self.hook("uninstall"), (
            0, "".join(f"{name}: uninstalled\n" for name in NAMES), ""))
        self.assertEqual(self.there(), before)

    def test_installing_again_changes_nothing(self):
        self.put("pre-commit", "#!/bin/sh\nexit 0\n")
        self.hook("install")
        before = self.there()
        self.assertEqual(self.hook("install"), (
            0, "".join(f"{name}: installed anew\n" for name in NAMES), ""))
        self.assertEqual(self.there(), before)

    def test_one_can_be_chosen(self):
        self.assertEqual(self.hook("install", "--pre-push"),
                         (0, "pre-push: installed\n", ""))
        self.assertEqual(list(self.there()), ["pre-push"])
        self.assertEqual(self.hook("status", "--pre-push")[0], 0)
        self.assertEqual(self.hook("status")[0], 1)

    def test_what_was_there_comes_back_as_it_was(self):
        self.put("real", "#!/bin/sh\nexit 0\n")
        os.symlink("real", self.hooks("pre-push"))
        self.put("pre-commit", b"\x7fELF\0\xff", 0o640)
        self.put("pre-merge-commit", "#!/usr/bin/env python3\n", 0o700)
        before = self.there()
        self.assertEqual(self.hook("install"), (0, "".join(
            f"{name}: installed; the hook that was there runs first\n"
            for name in NAMES), ""))
        self.assertEqual(self.there()["pre-push.before-scgate"], "real")
        self.assertEqual(self.hook("status"), (0, "".join(
            f"{name}: installed; an older hook runs first\n"
            for name in NAMES), ""))
        self.assertEqual(self.hook("uninstall"), (0, "".join(
            f"{name}: uninstalled; the hook that was there before is back\n"
            for name in NAMES), ""))
        self.assertEqual(self.there(), before)

    def test_a_hook_of_others_is_left_alone(self):
        self.put("pre-commit", "#!/bin/sh\n")
        self.assertEqual(self.hook("status", "--pre-commit"), (
            1, "pre-commit: not installed; there is another hook\n", ""))
        self.assertEqual(self.hook("uninstall"), (
            0, "pre-commit: is not ours, and stays\n"
            "pre-merge-commit: was not installed\n"
            "pre-push: was not installed\n", ""))
        self.hook("install", "--pre-commit")
        self.put("pre-commit", "#!/bin/sh\n# newer\n")
        before = self.there()
        self.assertEqual(self.hook("install", "--pre-commit"), (
            2, "", "scgate hook: somebody else's FOLDER/tree/.git/hooks/"
            "pre-commit is there, and pre-commit.before-scgate, which it "
            "replaced: delete or move one of them\n"))
        self.assertEqual(self.there(), before)

    def test_the_pre_commit_framework_may_come_later(self):
        self.hook("install", "--pre-commit")
        os.rename(self.hooks("pre-commit"), self.hooks("pre-commit.legacy"))
        self.put("pre-commit", "#!/bin/sh\nexec \"$0.legacy\"\n")
        self.assertEqual(self.hook("status", "--pre-commit"), (
            0, "pre-commit: installed; the pre-commit framework runs it\n",
            ""))
        self.assertEqual(self.hook("install", "--pre-commit"), (
            0, "pre-commit: is there already: the pre-commit framework runs "
            "it\n", ""))
        code, out, err = self.hook("uninstall", "--pre-commit")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("pre-commit uninstall -t pre-commit", err)

    def test_worktrees_and_subfolders_share_the_hooks(self):
        self.write("sub/a.c", "int a;\n")
        self.commit()
        self.git("worktree", "add", "-q", "../other")
        self.assertEqual(self.hook("install", "--pre-commit",
                                   cwd=os.path.join(self.folder, "other"))[0],
                         0)
        self.assertEqual(list(self.there()), ["pre-commit"])
        self.assertEqual(self.hook("status", "--pre-commit",
                                   cwd=self.path("sub"))[0], 0)


class PathTest(Case):
    def test_a_folder_of_hooks_elsewhere_is_refused(self):
        elsewhere = os.path.join(self.folder, "hooks")
        os.mkdir(elsewhere)
        self.git("config", "core.hooksPath", elsewhere)
        for action in ("install", "uninstall", "status"):
            self.assertEqual(self.hook(action), (
                2, "", "scgate hook: core.hooksPath (FOLDER/hooks) is outside "
                "of this repository, so a hook there would run in others too: "
                "give this repository hooks of its own by \"git config "
                "core.hooksPath .git/hooks\", or call \"scgate check "
                "--staged\" from the hook there\n"))
        self.assertEqual(os.listdir(elsewhere), [])
        self.git("config", "core.hooksPath", ".git/hooks")
        self.assertEqual(self.hook("install")[0], 0)

    def test_a_link_out_of_the_repository_is_elsewhere(self):
        elsewhere = os.path.join(self.folder, "hooks")
        os.mkdir(elsewhere)
        os.symlink(elsewhere, self.path("link"))
        self.git("config", "core.hooksPath", "link")
        self.assertEqual(self.hook("install")[0], 2)
        self.assertEqual(os.listdir(elsewhere), [])

    def test_a_folder_of_hooks_in_the_tree_is_used(self):
        self.git("config", "core.hooksPath", ".githooks")
        self.assertEqual(self.hook("install", "--pre-push")[0], 0)
        self.assertEqual(os.listdir(self.path(".githooks")), ["pre-push"])

    def test_outside_of_git_there_are_no_hooks(self):
        self.assertEqual(self.hook("install", cwd=self.folder), (
            2, "", "scgate hook: this is no git work tree\n"))

    def test_misuse_is_named(self):
        self.assertEqual(self.hook()[0], 2)
        self.assertEqual(self.hook("instal"), (
            2, "", "scgate hook: unknown action: instal; known are install, "
            "uninstall and status\ntry scgate hook --help\n"))
        self.assertEqual(self.hook("status", "pre-push"), (
            2, "", "scgate hook: not wanted: pre-push\n"
            "try scgate hook --help\n"))


class RunTest(Case):
    """The real git runs them, and they the real scgate."""

    def setUp(self):
        super().setUp()
        self.write("a.c", "int a;\n")
        self.commit()
        self.write("a.c", "int a, b;\n")
        self.git("add", "-A")

    def heard(self):
        with open(self.path("heard")) as file:
            return file.read()

    def test_scgate_decides_on_a_commit(self):
        self.hook("install")
        run = self.try_git("commit", "-m", "m")
        # there is no configuration, so it cannot pass
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("scgate", run.stderr)
        self.assertEqual(self.git("rev-parse", "HEAD"), self.commits[-1])
        self.assertEqual(
            self.try_git("commit", "-m", "m", "--no-verify").returncode, 0)

    def test_without_scgate_nothing_passes(self):
        self.hook("install")
        for name, command in zip(NAMES, ("commit", "merge", "push")):
            with open(self.hooks(name)) as file:
                script = file.read()
            script = re.sub("installed='.*'", "installed='/gone/scgate'",
                            script)
            self.put(name, script)
            run = subprocess.run(
                ["sh", self.hooks(name)], input="", capture_output=True,
                text=True, cwd=self.tree,
                env={**self.environment, "PATH": "/usr/bin:/bin"})
            self.assertEqual((run.returncode, run.stderr), (
                3, "scgate hook: scgate is neither on PATH nor where it was "
                "(/gone/scgate)\ninstall it, or go on without it: git "
                f"{command} --no-verify\n"))

    def test_where_path_has_none_the_one_that_installed_is_run(self):
        self.hook("install")
        run = self.try_git("commit", "-m", "m", PATH="/usr/bin:/bin")
        self.assertNotEqual(run.returncode, 0)
        self.assertNotIn("neither", run.stderr)

    def test_the_older_hook_fails_the_commit_first(self):
        for first in ("#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env sh"):
            # without "set -e" it would go on
            self.put("pre-commit", f"{first}\nset -e\necho older >&2\nfalse\n"
                     "echo unreached >&2\n")
            self.hook("install", "--pre-commit")
            run = self.try_git("commit", "-m", "m")
            self.assertEqual((run.returncode, run.stderr), (1, "older\n"))
            self.hook("uninstall")
        self.put("pre-commit", "#!/bin/sh\nset -e\nfalse\nexit 7\n")
        self.hook("install", "--pre-commit")
        for shell in ("sh", "bash --posix"):
            self.assertEqual(subprocess.run(
                [*shell.split(), ".git/hooks/pre-commit"], cwd=self.tree,
                env=self.environment).returncode, 1)

    def test_one_that_git_did_not_run_is_not_run(self):
        self.put("pre-commit", "#!/bin/sh\necho older >&2\n", 0o644)
        self.hook("install", "--pre-commit")
        self.assertNotIn("older", self.try_git("commit", "-m", "m").stderr)

    def test_the_older_hook_finds_its_own_name(self):
        self.put("pre-commit", "#!/bin/sh\necho \"$0\" >heard\nexit 1\n")
        self.hook("install", "--pre-commit")
        self.try_git("commit", "-m", "m")
        self.assertEqual(self.heard(), ".git/hooks/pre-commit\n")

    def test_the_older_hook_has_its_arguments_and_its_input(self):
        subprocess.run(["git", "init", "-q", "--bare", "../remote"],
                       cwd=self.tree, check=True)
        self.git("remote", "add", "origin", "../remote")
        expected = ("origin ../remote\nrefs/heads/main "
                    f"{self.commits[0]} refs/heads/main {ZEROS}\n")
        for first in ("#!/bin/sh", "#!/bin/bash"):
            self.put("pre-push", f"{first}\n(echo $*; cat) >heard\nexit 1\n")
            self.hook("install", "--pre-push")
            self.assertNotEqual(
                self.try_git("push", "origin", "main").returncode, 0)
            self.assertEqual(self.heard(), expected)
            self.hook("uninstall")


class PushTest(Case):
    """What a push is held against: read from the shell's own trace."""

    def setUp(self):
        super().setUp()
        for number in range(3):
            self.write("a.c", f"int a{number};\n")
            self.commit()
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main",
                        "../remote"], cwd=self.tree, check=True)
        self.git("remote", "add", "origin", "../remote")
        self.hook("install", "--pre-push")

    def ranges(self, *lines):
        text = "".join(" ".join(line) + "\n" for line in lines)
        run = subprocess.run(
            ["sh", "-x", ".git/hooks/pre-push", "origin", "../remote"],
            cwd=self.tree, input=text, env=self.environment,
            capture_output=True, text=True)
        found = re.findall(r"^\++ \S*scgate check --base (\S+) --head (\S+)$",
                           run.stderr, re.MULTILINE)
        return [tuple(self.named(name) for name in one) for one in found]

    def line(self, local, remote, name="refs/heads/main"):
        return (name, local, name, remote)

    def test_a_branch_that_is_there_starts_at_its_tip(self):
        self.assertEqual(
            self.ranges(self.line(self.commits[2], self.commits[0])),
            [("COMMIT1", "COMMIT3")])

    def test_each_of_many_is_checked(self):
        self.assertEqual(self.ranges(
            self.line(self.commits[2], self.commits[0]),
            self.line(self.commits[1], self.commits[0], "refs/heads/b")),
            [("COMMIT1", "COMMIT3"), ("COMMIT1", "COMMIT2")])

    def test_what_is_deleted_is_not_checked(self):
        self.assertEqual(
            self.ranges(("(delete)", ZEROS, "refs/heads/x", self.commits[0])),
            [])

    def test_nothing_pushed_is_nothing_checked(self):
        self.assertEqual(self.ranges(), [])

    def test_a_new_repository_starts_at_its_root(self):
        self.assertEqual(self.ranges(self.line(self.commits[2], ZEROS)),
                         [("COMMIT1", "COMMIT3")])

    def test_one_of_a_single_commit_is_held_against_nothing(self):
        nothing = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        self.assertEqual(self.ranges(self.line(self.commits[0], ZEROS)),
                         [(nothing, "COMMIT1")])

    def test_a_new_branch_leaves_the_default_branch(self):
        self.git("push", "-q", "--no-verify", "origin",
                 f"{self.commits[1]}:refs/heads/main")
        self.git("remote", "set-head", "origin", "main")
        self.assertEqual(
            self.ranges(self.line(self.commits[2], ZEROS, "refs/heads/x")),
            [("COMMIT2", "COMMIT3")])

    def test_or_any_branch_of_a_remote(self):
        self.git("push", "-q", "--no-verify", "origin",
                 f"{self.commits[0]}:refs/heads/one",
                 f"{self.commits[1]}:refs/heads/two")
        self.assertEqual(
            self.ranges(self.line(self.commits[2], ZEROS, "refs/heads/x")),
            [("COMMIT2", "COMMIT3")])

    def test_a_new_branch_without_a_new_commit_holds_nothing_new(self):
        self.git("push", "-q", "--no-verify", "origin", "main")
        self.assertEqual(
            self.ranges(self.line(self.commits[1], ZEROS, "refs/heads/x")),
            [("COMMIT2", "COMMIT2")])

    def test_a_remote_tip_that_is_not_here_is_as_a_new_branch(self):
        self.git("push", "-q", "--no-verify", "origin",
                 f"{self.commits[1]}:refs/heads/one")
        self.assertEqual(
            self.ranges(self.line(self.commits[2], "1" * 40)),
            [("COMMIT2", "COMMIT3")])

    def test_an_annotated_tag_is_its_commit_and_notes_are_no_code(self):
        self.git("tag", "-a", "-m", "m", "v1")
        tag = self.git("rev-parse", "v1")
        blob = self.git("rev-parse", "HEAD:a.c")
        self.assertEqual(self.ranges(
            self.line(tag, ZEROS, "refs/tags/v1"),
            self.line(blob, ZEROS, "refs/tags/blob"),
            self.line(self.commits[0], ZEROS, "refs/notes/commits")),
            [("COMMIT1", "COMMIT3")])

    def test_what_scgate_says_decides(self):
        run = subprocess.run(
            [".git/hooks/pre-push", "origin", "../remote"], cwd=self.tree,
            input=" ".join(self.line(self.commits[2], self.commits[0])) + "\n",
            env=self.environment, capture_output=True, text=True)
        self.assertEqual(run.returncode, 2) # there is no configuration
        self.assertEqual(run.stderr.splitlines()[0],
                         "scgate hook: refs/heads/main")


class QuoteTest(Case):
    def test_a_path_with_a_quote_stays_a_path(self):
        odd = os.path.join(self.folder, "it's $HOME `x`")
        os.mkdir(odd)
        program = os.path.join(odd, "scgate")
        os.link(SCGATE, program) if os.stat(SCGATE).st_dev == \
            os.stat(odd).st_dev else self.skipTest("another file system")
        subprocess.run([program, "hook", "install"], cwd=self.tree, check=True,
                       env=self.environment, capture_output=True)
        run = subprocess.run(
            ["sh", "-x", ".git/hooks/pre-commit"], cwd=self.tree,
            env={**self.environment, "PATH": "/usr/bin:/bin"},
            capture_output=True, text=True)
        self.assertNotIn("neither", run.stderr)


if __name__ == "__main__":
    unittest.main()
