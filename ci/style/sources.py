# SPDX-License-Identifier: MIT
"""What the style checks share: the list of files, the report, the self-test.

A check is a function of a root folder that returns its complaints, each a line
"path:line: what". Run as `CHECK [ROOT]` it judges a tree; as `CHECK
--self-test` it proves on planted trees that it sees what it should.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Not ours to judge: inputs that other people made, and what is built.
SKIPPED = ("build/", "tests/corpus/")


def files(root, *suffixes):
    """The tree's files with these suffixes (all without any), sorted, relative
    to root: those that git tracks or would; without git, all."""
    command = ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files",
               "-z", "-co", "--exclude-standard"]
    names = []
    if (root / ".git").exists():
        out = subprocess.run(command, check=True, capture_output=True).stdout
        names = [os.fsdecode(name) for name in out.split(b"\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
    return sorted(name for name in set(names)
                  if (root / name).is_file()
                  and not name.startswith(SKIPPED)
                  and (not suffixes or name.endswith(suffixes)))


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def plant(root, tree):
    """Write {name: text} under root."""
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test(check, clean, planted):
    """The check is silent on the clean tree, and for each (tree, complaint) of
    `planted`, laid over the clean one, it says exactly that complaint."""
    for tree, expected in [({}, [])] + [(t, [c]) for t, c in planted]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            plant(root, clean)
            plant(root, tree)
            found = check(root)
        if found != expected:
            print(f"planted {tree}\nexpected {expected}\nfound    {found}")
            return 1
    print(f"{len(planted)} planted violations seen")
    return 0


def main(check, clean, planted):
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test(check, clean, planted))
    complaints = check(pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT)
    for complaint in complaints:
        print(complaint)
    sys.exit(bool(complaints))
