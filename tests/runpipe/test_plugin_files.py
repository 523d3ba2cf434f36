#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plugins' files as runpipe meets them: wrong ones, and which of several it
takes. tests/loader looks deeper."""
import os
import shutil
import unittest

import harness

TRACE = b"eth3 104.44.44.10 10.230.30.3 40 5003 ftp\n" * 3
CONFIG = '''\
plugin_path = ( {path} );
source = {{ plugin = "trace_text"; path = "trace.txt"; }};
stages = (
  {stages}
);
sink = {{ plugin = "trace_text"; path = "out.txt"; }};
'''


class PluginTest(harness.RunpipeTest):
    def setUp(self):
        super().setUp()
        self.write("trace.txt", TRACE)
        os.mkdir(self.path("p"), 0o755)

    def configure(self, *stages, path=("p",)):
        self.write("pipeline.conf", CONFIG.format(
            path=", ".join(f'"{folder}"' for folder in path),
            stages=",\n  ".join(f'{{ plugin = "{stage}"; }}'
                                if stage[0] != "{" else stage
                                for stage in stages)))

    def put(self, name, content):
        self.write(name, content)
        os.chmod(self.path(name), 0o755)

    @staticmethod
    def null_plugin():
        with open(os.path.join(harness.PLUGINS, "null.so"), "rb") as file:
            return file.read()

    def put_test_plugin(self, plugin, name):
        shutil.copy(os.path.join(harness.TEST_PLUGINS, plugin + ".so"),
                    self.path(name))
        os.chmod(self.path(name), 0o755)


class WrongFiles(PluginTest):
    def check_refused(self, message):
        """Exit 2, nothing written, and the build's own null.so is not taken
        instead: a wrong file is not passed over in silence."""
        self.configure("null")
        self.check(self.run_pipe("pipeline.conf"), 2,
                   f'pipeline.conf:4: stage "null": p/null.so: {message}\n')
        self.assertEqual(self.files(), ["p", "pipeline.conf", "trace.txt"])

    def test_a_text(self):
        self.put("p/null.so", "#include <stdio.h>\n")
        self.check_refused("not an ELF file")

    def test_an_empty_file(self):
        self.put("p/null.so", "")
        self.check_refused("empty")

    def test_a_folder(self):
        os.mkdir(self.path("p/null.so"))
        self.check_refused("a folder, not a regular file")

    def test_half_copied_files(self):
        """head -c 4096, and lengths around everything that matters."""
        whole = self.null_plugin()
        for length in {1, 3, 4, 16, 63, 64, 100, 512, 4096, 8192,
                       len(whole) // 2, len(whole) - 64, len(whole) - 1}:
            if length >= len(whole):
                continue
            with self.subTest(length=length):
                self.put("p/null.so", whole[:length])
                self.configure("null")
                result = self.run_pipe("pipeline.conf")
                self.assertEqual((result.code, result.out), (2, b""))
                self.assertRegex(
                    result.err, r'\Apipeline\.conf:4: stage "null": p/null\.so'
                    r": (cut off: [a-zA-Z ]+ at byte \d+, the file at "
                    rf"{length}|not an ELF file)\n\Z")
        self.assertEqual(self.files(), ["p", "pipeline.conf", "trace.txt"])

    def test_a_head_of_4096_bytes(self):
        self.put("p/null.so", self.null_plugin()[:4096])
        self.configure("null")
        result = self.run_pipe("pipeline.conf")
        self.assertEqual(result.code, 2)
        self.assertRegex(result.err, r'\Apipeline\.conf:4: stage "null": '
                         r"p/null\.so: cut off: .* the file at 4096\n\Z")

    def test_a_library_that_is_no_plugin(self):
        shutil.copy(os.path.join(harness.PLUGINS, "..", "libsluice.so"),
                    self.path("p/null.so"))
        os.chmod(self.path("p/null.so"), 0o755)
        self.check_refused('no plugin: it has no symbol "sluice_plugin"')

    def test_a_program(self):
        shutil.copy(harness.RUNPIPE, self.path("p/null.so"))
        os.chmod(self.path("p/null.so"), 0o755)
        self.configure("null")
        result = self.run_pipe("pipeline.conf")
        self.assertEqual((result.code, result.out), (2, b""))
        self.assertRegex(
            result.err, r'\Apipeline\.conf:4: stage "null": p/null\.so: '
            r"(no plugin: it has no symbol \"sluice_plugin\"|not a shared "
            r"object but a program)\n\Z")

    def test_another_abi(self):
        self.put_test_plugin("next_major", "p/null.so")
        self.check_refused("made for plugin ABI 2.0, this is 1.0")

    def test_an_undefined_symbol_has_the_loader_s_text(self):
        self.put_test_plugin("undefined", "p/null.so")
        self.check_refused("undefined symbol: sl_nobody_has_this")

    def test_a_file_that_others_may_write(self):
        self.put("p/null.so", self.null_plugin())
        os.chmod(self.path("p/null.so"), 0o757)
        self.check_refused("writable by others; chmod o-w it")

    def test_a_folder_that_others_may_write(self):
        self.put("p/null.so", self.null_plugin())
        os.chmod(self.path("p"), 0o757)
        self.check_refused("its folder is writable by others; chmod o-w p")

    def test_a_name_that_leaves_the_folders(self):
        self.configure("../p/null")
        self.check(self.run_pipe("pipeline.conf"), 2,
                   'pipeline.conf:4: stage "../p/null": "../p/null" is no '
                   "plugin's name: it may not be empty, hold '/' or start "
                   "with '.'\n")

    def test_all_wrong_files_are_reported_at_once(self):
        self.put("p/one.so", "")
        self.put("p/two.so", "text")
        self.configure("one", "null", "two", "three")
        self.check(self.run_pipe("pipeline.conf"), 2,
                   'pipeline.conf:4: stage "one": p/one.so: empty\n'
                   'pipeline.conf:6: stage "two": p/two.so: not an ELF file\n'
                   'pipeline.conf:7: stage "three": no plugin "three"; '
                   f"searched p, {harness.PLUGINS}\n")


class SearchPath(PluginTest):
    """mark_one writes a 1 behind a port, mark_two a 2: under the same name in
    several folders, the output tells which was taken."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("q"), 0o755)

    def check_taken(self, port, path=("p",), **options):
        self.configure("mark", path=path)
        self.check(self.run_pipe("--quiet", "pipeline.conf", **options), 0)
        self.assertEqual(self.read("out.txt"),
                         TRACE.replace(b" 40 ", b" %d " % port))

    def test_the_first_folder_of_plugin_path_wins(self):
        self.put_test_plugin("mark_one", "p/mark.so")
        self.put_test_plugin("mark_two", "q/mark.so")
        self.check_taken(401, ("p", "q"))
        self.check_taken(402, ("q", "p"))

    def test_the_environment_comes_before_plugin_path(self):
        self.put_test_plugin("mark_one", "p/mark.so")
        self.put_test_plugin("mark_two", "q/mark.so")
        self.check_taken(402, ("p",), env={"SLUICE_PLUGIN_PATH": "q"})
        self.check_taken(402, ("p",), env={"SLUICE_PLUGIN_PATH": "none::q:p"})
        self.check_taken(401, ("p",), env={"SLUICE_PLUGIN_PATH": ""})

    def test_both_come_before_the_folder_of_the_build(self):
        self.put_test_plugin("mark_one", "p/null.so")
        self.configure("null")
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        self.assertIn(b" 401 ", self.read("out.txt"))
        self.configure("null", path=())
        self.check(self.run_pipe("--quiet", "pipeline.conf",
                                 env={"SLUICE_PLUGIN_PATH": "p"}), 0)
        self.assertIn(b" 401 ", self.read("out.txt"))
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        self.assertEqual(self.read("out.txt"), TRACE)

    def test_plugin_path_starts_at_the_configuration_s_folder(self):
        os.mkdir(self.path("sub"), 0o755)
        os.mkdir(self.path("sub/p"), 0o755)
        self.put_test_plugin("mark_one", "p/mark.so")
        self.put_test_plugin("mark_two", "sub/p/mark.so")
        self.configure("mark")
        os.rename(self.path("pipeline.conf"), self.path("sub/pipeline.conf"))
        self.write("sub/trace.txt", TRACE)
        self.check(self.run_pipe("--quiet", "sub/pipeline.conf"), 0)
        self.assertEqual(self.read("sub/out.txt"),
                         TRACE.replace(b" 40 ", b" 402 "))

    def test_the_environment_starts_at_the_working_folder(self):
        self.put_test_plugin("mark_one", "p/mark.so")
        self.configure("mark", path=())
        os.mkdir(self.path("sub"), 0o755)
        os.rename(self.path("pipeline.conf"), self.path("sub/pipeline.conf"))
        self.write("sub/trace.txt", TRACE)
        self.check(self.run_pipe("--quiet", "sub/pipeline.conf",
                                 env={"SLUICE_PLUGIN_PATH": "p"}), 0)
        self.assertEqual(self.read("sub/out.txt"),
                         TRACE.replace(b" 40 ", b" 401 "))

    def test_plugin_path_may_be_one_string(self):
        self.put_test_plugin("mark_one", "p/mark.so")
        self.configure("mark")
        config = self.read("pipeline.conf").replace(b'( "p" )', b'"p"')
        self.write("pipeline.conf", config)
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        self.assertIn(b" 401 ", self.read("out.txt"))

    def test_a_plugin_may_be_a_symbolic_link(self):
        self.put_test_plugin("mark_one", "q/real.so")
        os.symlink("../q/real.so", self.path("p/mark.so"))
        self.check_taken(401)


class SameSymbols(PluginTest):
    """Two plugins that both export a function lookup()."""

    def test_each_calls_its_own(self):
        for stages, port in ((("mark_one", "mark_two"), 4012),
                             (("mark_two", "mark_one"), 4021)):
            for engine in harness.ENGINES:
                with self.subTest(stages=stages, engine=engine):
                    self.configure(*stages, path=(harness.TEST_PLUGINS,))
                    self.check(self.run_pipe("--quiet", *engine,
                                             "pipeline.conf"), 0)
                    self.assertEqual(self.read("out.txt"), TRACE.replace(
                        b" 40 ", b" %d " % port))

    def test_one_plugin_twice_in_a_pipeline(self):
        self.configure("mark_one", "mark_two",
                       '{ plugin = "mark_one"; name = "again"; }',
                       path=(harness.TEST_PLUGINS,))
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        self.assertEqual(self.read("out.txt"),
                         TRACE.replace(b" 40 ", b" 40121 "))


if __name__ == "__main__":
    unittest.main()
