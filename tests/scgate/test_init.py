#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scgate init: what it finds, what it writes, and what it leaves alone."""
import json
import os
import re
import shutil
import subprocess
import unittest

from repository import GIT, SCGATE, Repository

NAME = ".scgate.conf"
HOW = ("; cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON or bear -- make writes "
       "one\n")


class Case(Repository):
    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.folder, "bin")
        os.mkdir(self.bin)
        for tool in ("git", "cppcheck"):
            if not shutil.which(tool):
                self.skipTest(f"there is no {tool}")
            self.link(tool)
        self.write("src/a.c", "int a;\n")
        self.git("add", "-A")

    def link(self, tool, name=None):
        os.symlink(shutil.which(tool), os.path.join(self.bin, name or tool))

    def init(self, *arguments, cwd=None, code=0):
        """Standard output without versions and what comes next; or standard
        error."""
        run = subprocess.run([SCGATE, "init", *arguments],
                             cwd=cwd or self.tree, capture_output=True,
                             env={**os.environ, **GIT, "PATH": self.bin})
        err = self.named(run.stderr.decode())
        self.assertEqual(run.returncode, code, err)
        if code:
            self.assertEqual(run.stdout, b"")
            return err
        self.assertEqual(err, "")
        out, following = self.named(run.stdout.decode()).split("\nnext:\n")
        self.assertIn("  scgate hook install ", following)
        return re.sub(r"( (?:cppcheck|gcc|clang|clang-tidy)) \d[\d.]*", r"\1",
                      out)

    def database(self, folder, *sources, time=None):
        path = os.path.join(folder, "compile_commands.json")
        self.write(path, json.dumps([
            {"directory": self.tree, "file": source,
             "arguments": ["cc", "-c", source]} for source in sources]))
        if time:
            os.utime(self.path(path), (time, time))

    def setting(self, name):
        """The text of an uncommented setting."""
        found = re.search(rf"^{name} = ([^;]*);$", self.read(NAME),
                          re.MULTILINE)
        return found and found[1]


NO_OTHERS = ("left out  gcc: it is not on PATH\n"
             "left out  clang: it is not on PATH\n"
             "left out  clang-tidy: it is not on PATH\n")
WROTE = f"wrote     FOLDER/tree/{NAME}\n"


class DatabaseTest(Case):
    def test_the_newest_is_taken(self):
        self.database("build", "src/a.c", time=1000)
        self.database("out/Debug", "src/a.c", time=3000)
        self.database("cmake-build-release", "src/a.c", time=2000)
        self.database("elsewhere", "src/a.c", time=4000)
        self.assertEqual(
            self.init(),
            "found     out/Debug/compile_commands.json, 1 unit\n"
            "found     cppcheck\n"
            "left out  cmake-build-release/compile_commands.json: it is "
            "older\n"
            "left out  build/compile_commands.json: it is older\n"
            + NO_OTHERS + WROTE)
        self.assertEqual(self.setting("build"), '"out/Debug"')
        self.assertIsNone(self.setting("sources"))
        self.assertEqual(self.setting("policy"), '"no-raise"')
        self.assertIn('\t{ name = "cppcheck"; }\n', self.read(NAME))

    def test_a_link_in_the_root_is_the_same_file(self):
        self.database("build", "src/a.c")
        os.symlink("build/compile_commands.json",
                   self.path("compile_commands.json"))
        self.assertEqual(self.init(), (
            "found     compile_commands.json, 1 unit\nfound     cppcheck\n"
            + NO_OTHERS + WROTE))
        self.assertEqual(self.setting("build"), '"."')

    def test_what_cannot_be_used_is_left_out(self):
        self.write("build/compile_commands.json", "[")
        self.database("out", "/usr/src/other.c")
        os.utime(self.path("out/compile_commands.json"), (1000, 1000))
        out = self.init()
        self.assertIn("left out  build/compile_commands.json: ", out)
        self.assertIn("left out  out/compile_commands.json: it names no "
                      "source of this tree\n", out)
        self.assertIn("left out  compile_commands.json: none can be used"
                      + HOW, out)
        self.assertEqual(self.setting("sources"), '[ "src/**/*.c" ]')

    def test_sources_that_it_does_not_name_are_told(self):
        self.database("build", "src/a.c")
        for name in "bcdef":
            self.write(f"src/{name}.c", "int b;\n")
        self.git("add", "src")
        self.assertIn(
            "left out  src/b.c, src/c.c, src/d.c and 2 more: not in "
            "compile_commands.json, so changes cannot be checked: build or "
            "exclude\n", self.init())

    def test_one_can_be_named(self):
        self.database("build", "src/a.c")
        self.database("my/own", "src/a.c", time=1000)
        self.init("--build", "own", cwd=self.path("my"))
        self.assertEqual(self.setting("build"), '"my/own"')
        outside = os.path.join(self.folder, "outside")
        os.rename(self.path("my/own"), outside)
        self.init("--force", "--build", outside)
        self.assertEqual(self.named(self.setting("build")),
                         '"FOLDER/outside"')

    def test_a_folder_without_one_is_refused(self):
        self.assertEqual(
            self.init("--build", "src", code=2),
            "scgate init: there is no compile_commands.json in "
            "FOLDER/tree/src\n")
        self.assertEqual(
            self.init("--build", "none", code=2),
            "scgate init: cannot look into none: No such file or directory\n")
        self.assertFalse(os.path.exists(self.path(NAME)))


class SourcesTest(Case):
    def test_without_a_database_there_are_patterns(self):
        self.write("main.cpp", "int m;\n")
        self.write("src/deep/b.c", "int b;\n")
        self.write("odd [x]/c.cc", "int c;\n")
        self.write("include/a.h", "\n")
        self.write("lib/vendor/v.c", "int v;\n")
        self.git("add", "-A")
        self.write("untracked/u.c", "int u;\n")
        self.assertEqual(
            self.init(),
            "found     4 tracked sources\nfound     cppcheck\n"
            "left out  compile_commands.json: there is none in the root, "
            "build*, out or cmake-build-*" + HOW
            + "left out  lib/vendor/: its name says that it is other "
            "people's code; \"exclude\" can be changed\n"
            + NO_OTHERS + WROTE)
        self.assertEqual(
            self.setting("sources"),
            r'[ "./*.cpp", "odd \\[x]/**/*.cc", "src/**/*.c" ]')
        self.assertEqual(self.setting("flags"), '[ "-Iinclude" ]')
        self.assertEqual(self.setting("exclude"), '[ "lib/vendor/" ]')
        self.assertIn("# build = ", self.read(NAME))
        self.assertIn("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", self.read(NAME))

    def test_without_sources_there_is_nothing_to_check(self):
        self.git("rm", "-q", "--cached", "src/a.c")
        self.assertEqual(
            self.init(code=2),
            "scgate init: there is neither a compile_commands.json nor a "
            "tracked source of C or C++ (git add comes first)\n")


class AnalyzerTest(Case):
    def test_without_an_analyzer_there_is_no_gate(self):
        os.unlink(os.path.join(self.bin, "cppcheck"))
        self.assertEqual(
            self.init(code=2),
            "scgate init: no analyzer is on PATH: install cppcheck, gcc (10 "
            "or newer), clang or clang-tidy\n")
        self.assertFalse(os.path.exists(self.path(NAME)))

    @unittest.skipUnless(shutil.which("clang"), "there is no clang")
    def test_clang_under_gccs_name_is_no_gcc(self):
        self.link("clang", "gcc")
        self.assertIn("left out  gcc: it is another compiler under that "
                      "name\n", self.init())
        self.assertIn('\t# { name = "gcc"; } was left out\n', self.read(NAME))

    @unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
    def test_gcc_is_taken(self):
        self.link("gcc")
        self.assertIn("found     gcc\n", self.init())

    @unittest.skipUnless(shutil.which("clang") and shutil.which("clang-tidy"),
                         "there is no clang, or no clang-tidy")
    def test_of_clang_and_clang_tidy_one_is_taken(self):
        self.link("clang")
        self.assertIn("found     clang\n", self.init())
        self.link("clang-tidy")
        out = self.init("--force")
        self.assertIn("left out  clang: clang-tidy says what it would, too\n",
                      out)
        self.assertIn("found     clang-tidy\n", out)
        self.assertIn('\t# { name = "clang"; } was left out\n',
                      self.read(NAME))

    def test_what_does_not_run_is_left_out(self):
        os.symlink("/bin/false", os.path.join(self.bin, "clang-tidy"))
        self.assertIn("left out  clang-tidy: it does not say its version\n",
                      self.init())


class WriteTest(Case):
    def test_what_is_there_is_kept_but_for_force(self):
        self.write(NAME, "mine\n")
        self.assertEqual(
            self.init(code=2),
            f"scgate init: FOLDER/tree/{NAME} is there already; --force "
            "writes over it\n")
        self.assertEqual(self.read(NAME), "mine\n")
        self.init("--force")
        self.assertIn("policy = ", self.read(NAME))

    def test_it_is_written_into_the_root(self):
        self.init(cwd=self.path("src"))
        self.assertTrue(os.path.exists(self.path(NAME)))
        self.assertEqual(sorted(os.listdir(self.path("src"))), ["a.c"])

    @unittest.skipUnless(os.getuid(), "root may write anywhere")
    def test_where_it_cannot_be_written_nothing_is_left(self):
        os.chmod(self.tree, 0o555)
        self.addCleanup(os.chmod, self.tree, 0o755)
        self.assertIn("cannot write", self.init(code=3))
        self.assertFalse(os.path.exists(self.path(NAME)))

    def test_outside_of_git_there_is_no_root(self):
        self.assertEqual(self.init(cwd=self.folder, code=2),
                         "scgate init: this is no git work tree\n")

    def test_misuse_is_named(self):
        self.assertEqual(self.init("here", code=2),
                         "scgate init: not wanted: here\n"
                         "try scgate init --help\n")


if __name__ == "__main__":
    unittest.main()
