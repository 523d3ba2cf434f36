#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate check --base: HEAD against where it left another branch, as in CI."""
import os
import shutil
import subprocess

from defects import CLEAN
from places import Place, main


class AgainstARevision(Place):
    def begin(self):
        super().begin()
        self.origin = self.tree
        self.git("checkout", "-q", "-b", "topic")

    def clone(self, *arguments, branch="topic"):
        self.tree = os.path.join(self.folder, "clone")
        shutil.rmtree(self.tree, ignore_errors=True)
        subprocess.run(["git", "clone", "-q", *arguments, "--branch", branch,
                        f"file://{self.origin}", self.tree], check=True,
                       env=self.environment, capture_output=True)

    def test_the_same_verdicts(self):
        def attempt():
            self.commit()
            return self.ask("--base", "main")
        self.three_verdicts(attempt, add=lambda: None)

    def test_a_clone_with_a_detached_head(self):
        line = self.with_defect()
        self.commit()
        self.clone()
        self.git("checkout", "-q", "--detach")
        self.assert_rejected(self.ask("--base", "origin/main"), self.source,
                             line)

    def test_nothing_is_a_base_as_of_the_first_commit(self):
        line = self.with_defect()
        self.commit()
        nothing = self.git("hash-object", "-t", "tree", "/dev/null")
        self.assert_rejected(self.ask("--base", nothing), self.source, line)

    def test_a_defect_that_came_and_went(self):
        self.with_defect()
        self.commit()
        self.remark()
        self.commit()
        self.clone()
        self.assert_passed(self.ask("--base", "origin/main"))
        self.assert_passed(self.ask("--base", "HEAD~1"))

    def test_what_the_other_branch_did_since_counts_not(self):
        self.git("checkout", "-q", "main")
        line = self.with_defect("src/b.c")
        self.commit()
        self.git("checkout", "-q", "topic")
        self.git("merge", "-q", "--ff-only", "main")
        self.git("checkout", "-q", "main")
        self.git("rm", "-q", "src/b.c")
        self.commit()
        self.git("checkout", "-q", "topic")
        self.remark()
        self.commit()
        self.clone()
        word, out = self.ask("--base", "origin/main")
        self.assertEqual(word, "passed", out)
        self.assertNotIn(f"src/b.c:{line}", out)

    def test_the_merge_that_a_pull_request_would_be(self):
        line = self.with_defect()
        self.commit()
        self.git("checkout", "-q", "main")
        self.write("src/b.c", CLEAN.replace("same", "other"))
        self.commit()
        self.git("merge", "-q", "--no-edit", "topic")
        self.git("branch", "-q", "merged")
        self.git("reset", "-q", "--hard", "HEAD~1")
        self.clone(branch="merged")
        self.assert_rejected(self.ask("--base", "origin/main"), self.source,
                             line)

    def test_what_is_staged_or_changed_is_of_no_interest(self):
        self.with_defect("src/b.c")
        self.git("add", "-A")
        self.with_defect("src/c.c")
        self.assert_passed(self.ask("--base", "main"))

    def test_a_shallow_clone_is_refused_and_told_what_helps(self):
        self.remark()
        self.commit()
        self.clone("--depth", "1", "--no-single-branch")
        said = self.refused("--base", "origin/main")
        self.assertIn("shallow", said)
        self.assertIn("git fetch --unshallow", said)
        self.assertIn("fetch-depth: 0", said)
        said = self.refused("--base", "HEAD~1")
        self.assertIn("git fetch --unshallow", said)
        self.git("fetch", "-q", "--unshallow")
        self.assert_passed(self.ask("--base", "origin/main"))

    def test_a_shallow_clone_has_a_parent_for_what_is_staged(self):
        self.clone("--depth", "1")
        self.three_verdicts(self.ask)

    def test_a_clone_that_fetches_contents_when_they_are_needed(self):
        self.git("config", "uploadpack.allowFilter", "true")
        line = self.with_defect()
        self.commit()
        self.clone("--filter=blob:none")
        self.assert_rejected(self.ask("--base", "origin/main"), self.source,
                             line)

    def test_no_such_revision(self):
        self.assertIn("no-such", self.refused("--base", "no-such"))

    def test_nothing_in_common(self):
        self.git("checkout", "-q", "--orphan", "apart")
        self.remark()
        self.commit()
        self.refused("--base", "main")


if __name__ == "__main__":
    main(AgainstARevision)
