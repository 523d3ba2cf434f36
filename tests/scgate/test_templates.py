#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The templates for users' CI: YAML, and commands that scgate takes."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

try:
    import yaml
except ImportError:
    print("there is no python3-yaml")
    sys.exit(77)

SCGATE = os.environ["SLUICE_SCGATE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
GITHUB = ROOT / "ci/templates/github-actions.yml"
GITLAB = ROOT / "ci/templates/gitlab-ci.yml"


def load(path):
    return yaml.safe_load(path.read_text())


def commands(text):
    """The words of each scgate command in lines of shell."""
    for line in re.findall(r"^\s*(scgate .*)$", text, re.MULTILINE):
        yield shlex.split(line)


def scripts(job):
    """A job's lines of shell: GitHub's, or GitLab's."""
    return "\n".join([step.get("run", "") for step in job.get("steps", [])]
                     + job.get("before_script", []) + job.get("script", []))


class Case(unittest.TestCase):
    def check(self, text, count):
        """Each command is there with the options and values it is given."""
        found = list(commands(text))
        self.assertEqual(len(found), count)
        for _, name, *words in found:
            run = subprocess.run([SCGATE, name, "--help"], text=True,
                                 capture_output=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            options = re.findall(r"^  (--[a-z-]+)( [A-Z])?", run.stdout,
                                 re.MULTILINE)
            at = iter(words)
            for word in at:
                self.assertIn(word, [option for option, _ in options])
                if dict(options)[word]:
                    value = next(at)
                    if word == "--output":
                        self.assertRegex(run.stdout,
                                         rf"--output .*\b{value}\b")

    def test_the_hooks_of_the_pre_commit_framework(self):
        hooks = {hook["id"]: hook for hook in load(HOOKS)}
        self.assertEqual(sorted(hooks), ["scgate", "scgate-push"])
        for hook in hooks.values():
            self.assertEqual(hook["language"], "system")
            self.assertIs(hook["pass_filenames"], False)
            self.assertIs(hook["always_run"], True)
            self.assertIs(hook["require_serial"], True)
        self.assertEqual(hooks["scgate"]["entry"], "scgate check --staged")
        self.check(hooks["scgate"]["entry"], 1)
        shell, option, script = shlex.split(hooks["scgate-push"]["entry"])
        self.assertEqual((shell, option), ("sh", "-c"))
        subprocess.run(["sh", "-n", "-c", script], check=True)
        self.check(script.replace("$(git rev-list --max-parents=0 HEAD | "
                                  "tail -n 1)", "ROOT"), 1)

    @unittest.skipUnless(shutil.which("pre-commit"), "there is no pre-commit")
    def test_the_framework_takes_them(self):
        subprocess.run(["pre-commit", "validate-manifest", HOOKS], check=True)

    def test_the_template_for_github(self):
        job = load(GITHUB)["jobs"]["scgate"]
        checkout = job["steps"][0]
        self.assertTrue(checkout["uses"].startswith("actions/checkout@"))
        self.assertEqual(checkout["with"]["fetch-depth"], 0)
        self.check(scripts(job), 2)
        for step in job["steps"]:
            # what others name must not become a script
            self.assertNotIn("${{", step.get("run", ""))

    def test_the_template_for_gitlab(self):
        job = load(GITLAB)["scgate"]
        self.assertEqual(job["variables"]["GIT_DEPTH"], "0")
        self.check(scripts(job), 1)
        report = job["artifacts"]["reports"]["codequality"]
        self.assertIn(f"--report {report}", scripts(job))
        self.assertEqual(job["artifacts"]["when"], "always")


if __name__ == "__main__":
    unittest.main()
