# SPDX-License-Identifier: MIT
"""The configurations that the pages show are accepted as they stand."""
import glob
import os
import re
import unittest

from harness import SOURCE_DIR, RunpipeTest, main

# Has a stage that the page tells how to write.
NOT_BUILT = {"docs/stage-authors.md"}


def configurations(page):
    """Indented, from the source (or what stands before it) to the sink."""
    with open(os.path.join(SOURCE_DIR, page), encoding="utf-8") as file:
        blocks = re.findall(r"(?:^(?: {4}.*)?\n)+", file.read(), re.M)
    return [block for block in blocks
            if re.search(r"^ {4}source = ", block, re.M)
            and re.search(r"^ {4}sink = ", block, re.M)]


class PagesTest(RunpipeTest):

    def test_configurations_of_pages_are_accepted(self):
        pages = {"README.md": 1, "docs/runpipe.md": 1,
                 "docs/stage-authors.md": 1}
        found = {}
        for pattern in "*.md", "docs/*.md", "plugins/*/*.md":
            for path in sorted(glob.glob(os.path.join(SOURCE_DIR, pattern))):
                page = os.path.relpath(path, SOURCE_DIR)
                blocks = configurations(page)
                if blocks:
                    found[page] = len(blocks)
                for block in blocks if page not in NOT_BUILT else ():
                    with self.subTest(page=page):
                        self.write("page.conf", block)
                        self.check(self.run_pipe("--check", "page.conf"), 0,
                                   "page.conf: nothing is wrong\n")
        self.assertEqual({page: found.get(page) for page in pages}, pages)


if __name__ == "__main__":
    main()
