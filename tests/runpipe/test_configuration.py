#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What runpipe says of a configuration that cannot be: everything at once,
exit 2, and nothing written."""
import os
import unittest

import harness

TRACE = b"eth3 104.44.44.10 10.230.30.3 4003 5003 ftp\n" * 3
NO_SOURCE = 'no source (source = { plugin = "..."; };)'
NO_SINK = 'no sink (sink = { plugin = "..."; };)'

ALL_WRONG = '''\
wrokers = 2;
chunk = 0;
tokens = "many";
plugin_path = 5;
workers = 2000;
source = {
  plugin = "trace_text";
  path = "trace.txt";
  on_eror = "skip";
  fields = "nic dst src dport sport proto";
  packet_interval = 5;
};
stages = (
  { plugin = "nat";
    external_adress = "134.77.77.30";
    external_nic = 5;
    ports = "70000-2";
    inside = ( "10.0.0.1/8",
               "x",
               3 );
    timeout = "-5 s";
    forwards = ( "udp",
                 "udp 5 1.2.3.4:5",
                 "udp 5 1.2.3.5:6" ); },
  { plugin = "nat"; external_nic = "eth0"; external_address = "::1"; },
  { plugin = "compute";
    size = 99;
    kernel = "nqueen";
    repeat = 1.5; },
  { plugin = "compute"; name = "sink"; },
  { plugin = "nuul"; },
  { plugin = "nosuchthing"; },
  { plugin = "../x"; },
  { plugin = "discard"; },
  { name = "x"; },
  { plugin = 3; },
  5,
  { plugin = "route";
    routes = ( "10.0.0.0/33 eth0",
               "10.0.0.0/8",
               "10.0.0.0/8 eth0",
               "10.0.0.0/8 eth1",
               "a b" );
    routes_file = "nofile"; },
  { plugin = "prioritize"; classes = ( ["sip"], "x", ["sip", "udp/99999"] ); }
);
sink = { plugin = "trace_text"; };
meters = ( "x" );
'''

ALL_SAID = '''\
pipeline.conf:1: unknown option "wrokers" (did you mean "workers"?)
pipeline.conf:2: option "chunk": 0 is out of range 1 to 65535 packets
pipeline.conf:3: option "tokens": a string given, an integer wanted
pipeline.conf:4: option "plugin_path": 5 is no list: write ( 5 )
pipeline.conf:5: option "workers": 2000 is out of range 0 to 1024
pipeline.conf:9: source "trace_text": unknown option "on_eror" \
(did you mean "on_error"?)
pipeline.conf:10: source "trace_text": option "fields": "proto" is none of \
nic, dst, src, dport, sport, protocol, -
pipeline.conf:10: source "trace_text": option "fields": "protocol" is missing
pipeline.conf:11: source "trace_text": option "packet_interval": 5 is no \
duration (like 10ms, 5 s, 2 min)
pipeline.conf:14: stage "nat": option "external_address" is missing
pipeline.conf:15: stage "nat": unknown option "external_adress" \
(did you mean "external_address"?)
pipeline.conf:16: stage "nat": option "external_nic": an integer given, an \
interface wanted
pipeline.conf:17: stage "nat": option "ports": "70000-2": it must read \
"FIRST-LAST", ports from 1 to 65535
pipeline.conf:18: stage "nat": option "inside": "10.0.0.1/8": host bits are \
set (10.0.0.0/8?)
pipeline.conf:19: stage "nat": option "inside": "x": no IP address or prefix
pipeline.conf:20: stage "nat": option "inside": an integer given, a prefix \
wanted
pipeline.conf:21: stage "nat": option "timeout": "-5 s" is no duration \
(like 10ms, 5 s, 2 min)
pipeline.conf:22: stage "nat": option "forwards": "udp": it must read \
"TRANSPORT PORT ADDRESS:PORT", like "udp 2004 10.230.30.3:5003"
pipeline.conf:24: stage "nat": option "forwards": "udp 5 1.2.3.5:6": udp \
port 5 is forwarded already
pipeline.conf:25: stage "nat": the name is taken by the stage of line 14; \
give one of them another (name = "...")
pipeline.conf:25: stage "nat": option "external_address": an IPv4 address is \
wanted: IPv6 is not translated
pipeline.conf:27: stage "compute": option "size": 99 is out of range 1 to 16 \
queens
pipeline.conf:28: stage "compute": option "kernel": "nqueen" is none of \
"nqueens" (did you mean "nqueens"?)
pipeline.conf:29: stage "compute": option "repeat": a float given, an integer \
wanted
pipeline.conf:30: stage "sink": this name is reserved
pipeline.conf:31: stage "nuul": no plugin "nuul" (did you mean "null"?); \
searched {plugins}
pipeline.conf:32: stage "nosuchthing": no plugin "nosuchthing"; searched \
{plugins}
pipeline.conf:33: stage "../x": "../x" is no plugin's name: it may not be \
empty, hold '/' or start with '.'
pipeline.conf:34: stage "discard": plugin "discard" is a sink, a stage is \
wanted here
pipeline.conf:35: stage 9: no plugin is named (plugin = "...")
pipeline.conf:36: stage 10: "plugin" must be a string
pipeline.conf:37: stage 11: a group is wanted: {{ plugin = "..."; }}
pipeline.conf:39: stage "route": option "routes": "10.0.0.0/33 eth0": the \
length is not 0 to 32
pipeline.conf:40: stage "route": option "routes": "10.0.0.0/8": the \
interface is missing (PREFIX NIC)
pipeline.conf:42: stage "route": option "routes": 10.0.0.0/8 leads to "eth1" \
here, to "eth0" in pipeline.conf:41
pipeline.conf:43: stage "route": option "routes": "a b": no IP address or \
prefix
pipeline.conf:44: stage "route": option "routes_file": cannot open "nofile": \
No such file or directory
pipeline.conf:45: stage "prioritize": option "classes": "x" is no list: \
write ( "x" )
pipeline.conf:47: sink "trace_text": option "path" is missing
pipeline.conf:48: meter 1: a group is wanted: {{ plugin = "..."; }}
'''


class ConfigurationTest(harness.RunpipeTest):
    def setUp(self):
        super().setUp()
        self.write("trace.txt", TRACE)
        self.write("out.txt", "old bytes\n")

    def check_refused(self, config, wanted, *arguments, **options):
        """Exit 2, all of stderr, and not a byte written anywhere. Also with
        --check."""
        self.write("pipeline.conf", config)
        self.check_nothing_written(wanted, *arguments, "pipeline.conf",
                                   **options)
        self.check_nothing_written(wanted, "--check", *arguments,
                                   "pipeline.conf", **options)

    def check_nothing_written(self, wanted, *arguments, **options):
        files = self.files()
        contents = [self.read(name) for name in files]
        self.check(self.run_pipe(*arguments, **options), 2, wanted)
        self.check(self.run_pipe("--stats", "report.json", *arguments,
                                 **options), 2, wanted)
        self.assertEqual(self.files(), files)
        self.assertEqual([self.read(name) for name in files], contents)

    def config(self, top="", source="", stages="", sink=""):
        """A pipeline of one statement a line: a top-level one in line 1, one
        for the source in 2, the stages from 4 on."""
        return (f'{top}\nsource = {{ plugin = "trace_text"; path = '
                f'"trace.txt"; {source} }};\nstages = (\n{stages}\n);\n'
                f'sink = {{ plugin = "trace_text"; path = "out.txt"; {sink} '
                "};\n")


class EverythingAtOnce(ConfigurationTest):
    def test_all_errors_of_a_file_come_in_one_run_by_line(self):
        self.check_refused(ALL_WRONG,
                           ALL_SAID.format(plugins=harness.PLUGINS))

    def test_errors_of_the_command_line_come_with_those_of_the_file(self):
        self.check_refused(
            self.config(top="chnuk = 5;"),
            'pipeline.conf:1: unknown option "chnuk" (did you mean "chunk"?)\n'
            '--set nat.x=1: no instance "nat"\n', "--set", "nat.x=1")


class OneError(ConfigurationTest):
    def test_the_issue_s_example(self):
        self.check_refused(
            self.config(stages='{ plugin = "nat"; external_nic = "eth0";\n'
                        'external_address = "1.2.3.4";\n'
                        'external_adress = "1.2.3.4"; }'),
            'pipeline.conf:6: stage "nat": unknown option "external_adress" '
            '(did you mean "external_address"?)\n')

    def test_no_guess_is_made_for_a_name_like_no_other(self):
        self.check_refused(
            self.config(sink="colour = true;"),
            'pipeline.conf:6: sink "trace_text": unknown option "colour"\n')

    def test_a_wrong_type(self):
        for value, given in (("5", "an integer"), ("true", "a boolean"),
                             ("1.5", "a float"), ("( 1 )", "a list"),
                             ("{ a = 1; }", "a group")):
            with self.subTest(value=value):
                self.check_refused(
                    self.config(source=f"fields = {value};"),
                    'pipeline.conf:2: source "trace_text": option "fields": '
                    f"{given} given, a string wanted\n")

    def test_a_value_out_of_range(self):
        for value in ("0", "17", "-1", "2147483647"):
            with self.subTest(value=value):
                self.check_refused(
                    self.config(stages="{ plugin = \"compute\"; "
                                f"size = {value}; }}"),
                    'pipeline.conf:4: stage "compute": option "size": '
                    f"{value} is out of range 1 to 16 queens\n")

    def test_an_integer_beyond_32_bits_without_l(self):
        # libconfig would take 4294967304 as 8.
        for value in ("4294967304", "2147483648", "-2147483649",
                      "0x100000008"):
            with self.subTest(value=value):
                self.check_refused(
                    self.config(stages="{ plugin = \"compute\"; "
                                f"size = {value}; }}"),
                    f"pipeline.conf:4: {value} does not fit in 32 bits: "
                    f"write {value}L\n")

    def test_an_integer_beyond_32_bits_with_l_is_judged_as_it_is(self):
        self.check_refused(
            self.config(stages='{ plugin = "compute"; size = 4294967304L; }'),
            'pipeline.conf:4: stage "compute": option "size": 4294967304 is '
            "out of range 1 to 16 queens\n")

    def test_an_integer_beyond_64_bits(self):
        for value in ("9223372036854775808L", "99999999999999999999"):
            with self.subTest(value=value):
                self.check_refused(
                    self.config(top=f"chunk = {value};"),
                    f"pipeline.conf:1: {value} does not fit in 64 bits\n")

    def test_numbers_in_comments_and_strings_are_no_integers(self):
        self.write("pipeline.conf", self.config(
            top="# 5000000000\n// 5000000000\n/* 5000000000 */",
            sink='name = "5000000000";'))
        self.check(self.run_pipe("--check", "--quiet", "pipeline.conf"), 0)

    def test_an_instance_twice(self):
        self.check_refused(
            self.config(stages='{ plugin = "null"; },\n'
                        '{ plugin = "compute"; name = "null"; }'),
            'pipeline.conf:5: stage "null": the name is taken by the stage of '
            'line 4; give one of them another (name = "...")\n')

    def test_an_instance_with_the_name_of_the_source(self):
        self.check_refused(
            self.config(source='name = "null";',
                        stages='{ plugin = "null"; }'),
            'pipeline.conf:4: stage "null": the name is taken by the source '
            'of line 2; give one of them another (name = "...")\n')

    def test_a_plugin_twice_under_two_names_is_fine(self):
        self.write("pipeline.conf", self.config(
            stages='{ plugin = "null"; }, { plugin = "null"; name = "b"; }'))
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        self.assertEqual(self.read("out.txt"), TRACE)

    def test_a_missing_plugin_with_the_paths_searched(self):
        os.mkdir(self.path("a"))
        self.check_refused(
            self.config(top='plugin_path = ( "a", "/b/c/" );',
                        stages='{ plugin = "nta"; }'),
            'pipeline.conf:4: stage "nta": no plugin "nta" (did you mean '
            f'"nat"?); searched e, f, a, /b/c, {harness.PLUGINS}\n',
            env={"SLUICE_PLUGIN_PATH": "e:f"})

    def test_a_plugin_of_another_kind(self):
        self.check_refused(
            'source = { plugin = "null"; };\nsink = { plugin = "nat"; };\n',
            'pipeline.conf:1: source "null": plugin "null" is a stage, a '
            "source is wanted here\n"
            'pipeline.conf:2: sink "nat": plugin "nat" is a stage, a sink is '
            "wanted here\n")

    def test_no_source(self):
        self.check_refused('sink = { plugin = "discard"; };\n',
                           f"pipeline.conf: {NO_SOURCE}\n")

    def test_no_sink(self):
        self.check_refused(
            'source = { plugin = "trace_text"; path = "trace.txt"; };\n',
            f"pipeline.conf: {NO_SINK}\n")

    def test_neither_source_nor_sink(self):
        self.check_refused("workers = 2;\n", f"pipeline.conf: {NO_SOURCE}\n"
                           f"pipeline.conf: {NO_SINK}\n")

    def test_no_stages_are_needed(self):
        self.write("pipeline.conf", '''
source = { plugin = "trace_text"; path = "trace.txt"; };
sink = { plugin = "trace_text"; path = "out.txt"; };
''')
        self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
        self.assertEqual(self.read("out.txt"), TRACE)

    def test_a_bad_prefix(self):
        for prefix, why in (
                ("10.0.0.0/33", "the length is not 0 to 32"),
                ("10.0.0.0/", "the length is not 0 to 32"),
                ("10.0.0/8", "no IP address stands before the '/'"),
                ("10.1.0.0/8", "host bits are set (10.0.0.0/8?)")):
            with self.subTest(prefix=prefix):
                self.check_refused(
                    self.config(stages='{ plugin = "nat"; external_nic = "e";'
                                'external_address = "1.2.3.4";\n'
                                f'inside = ( "{prefix}" ); }}'),
                    f'pipeline.conf:5: stage "nat": option "inside": '
                    f'"{prefix}": {why}\n')

    def test_a_bad_address(self):
        self.check_refused(
            self.config(stages='{ plugin = "nat"; external_nic = "e";\n'
                        'external_address = "134.77.77.300"; }'),
            'pipeline.conf:5: stage "nat": option "external_address": '
            '"134.77.77.300" is no IP address\n')

    def test_an_interface_with_too_long_a_name(self):
        self.check_refused(
            self.config(stages='{ plugin = "nat"; external_address = '
                        '"1.2.3.4";\nexternal_nic = "interface1234567"; }'),
            'pipeline.conf:5: stage "nat": option "external_nic": '
            '"interface1234567": a name has at most 15 bytes\n')

    def test_an_unknown_top_level_key(self):
        self.check_refused(
            self.config(top="verbose = true;"),
            'pipeline.conf:1: unknown option "verbose"\n')
        self.check_refused(
            self.config(top='sorce = "x";'),
            'pipeline.conf:1: unknown option "sorce" (did you mean '
            '"source"?)\n')

    def test_meters_must_be_a_list(self):
        for meters in ('"rapl"', "5", '{ plugin = "rapl"; }', "{ }",
                       '[ "rapl" ]'):
            with self.subTest(meters=meters):
                self.check_refused(
                    self.config(top=f"meters = {meters};"),
                    "pipeline.conf:1: meters: a list is wanted: "
                    '( { plugin = "..."; }, ... )\n')

    def test_empty_meters_are_accepted(self):
        for meters in ("()", "[]"):
            self.write("pipeline.conf", self.config(top=f"meters = {meters};"))
            self.check(self.run_pipe("--quiet", "pipeline.conf"), 0)
            self.assertEqual(self.read("out.txt"), TRACE)

    def test_an_error_in_an_included_file_is_of_that_file(self):
        self.write("stages.conf", '\n\n{ plugin = "compute"; size = 99; }\n')
        self.check_refused(
            self.config(stages='@include "stages.conf"'),
            'stages.conf:3: stage "compute": option "size": 99 is out of '
            "range 1 to 16 queens\n")

    def test_a_bad_table_of_routes_says_its_own_lines(self):
        self.write("routes.txt", "# table\n10.0.0.0/8 eth0\n10.0.0.0 \n\n"
                   "0.0.0.0/0 eth1 x\n")
        self.check_refused(
            self.config(stages='{ plugin = "route"; '
                        'routes_file = "routes.txt"; }'),
            'routes.txt:3: stage "route": "10.0.0.0": the interface is '
            "missing (PREFIX NIC)\n"
            'routes.txt:5: stage "route": "0.0.0.0/0 eth1 x": there is more '
            "behind the interface (PREFIX NIC)\n")


class NoConfiguration(ConfigurationTest):
    def test_a_missing_file(self):
        self.check_nothing_written(
            "missing.conf: cannot open: No such file or directory\n",
            "missing.conf")

    def test_a_folder(self):
        os.mkdir(self.path("folder"))
        self.check(self.run_pipe("folder"), 2,
                   "folder: cannot read: Is a directory\n")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_a_file_that_may_not_be_read(self):
        self.write("pipeline.conf", self.config())
        os.chmod(self.path("pipeline.conf"), 0)
        self.check(self.run_pipe("pipeline.conf"), 2,
                   "pipeline.conf: cannot open: Permission denied\n")

    def test_a_missing_file_that_is_included(self):
        self.check_refused('\n@include "missing.conf"\n',
                           'pipeline.conf:2: cannot open "missing.conf": '
                           "No such file or directory\n")

    def test_a_binary_file(self):
        with open(harness.RUNPIPE, "rb") as program:
            self.check_refused(program.read().decode("latin-1"),
                               "pipeline.conf:1: a NUL byte: this is no "
                               "configuration\n")

    def test_an_empty_file(self):
        for content in ("", "\n\n", "# nothing\n", "# nothing"):
            with self.subTest(content=content):
                self.check_refused(content, "pipeline.conf: there is no "
                                   "setting in it\n")

    def test_a_syntax_error_has_its_line(self):
        for content, line in (("source = {\n", 2), ("a = 1;\n\nb = = 2;\n", 3),
                              ("a = ( 1, 2 ;\n", 1), ("}\n", 1),
                              ("a = \n\n;b", 3)):
            with self.subTest(content=content):
                self.check_refused(content,
                                   f"pipeline.conf:{line}: syntax error (is a "
                                   "',' or ';' missing before it, a text "
                                   "without quotes, or a list of groups in "
                                   "[ ] and not ( )?)\n")

    def test_a_string_that_does_not_end_has_the_line_of_its_start(self):
        self.check_refused('a = 1;\nb = "x\n\n', "pipeline.conf:2: this "
                           "string does not end\n")

    def test_a_comment_that_does_not_end_has_the_line_of_its_start(self):
        self.check_refused("a = 1;\n/* b\n\n", "pipeline.conf:2: this comment "
                           "does not end\n")

    def test_a_setting_twice_has_the_second_one_s_line(self):
        self.check_refused("chunk = 1;\nchunk = 2;\n",
                           "pipeline.conf:2: duplicate setting name\n")

    def test_a_configuration_on_standard_input_is_called_a_dash(self):
        self.check(self.run_pipe("-", stdin=b"\nchnk = 5;\n"), 2,
                   f"-: {NO_SOURCE}\n-: {NO_SINK}\n"
                   '-:2: unknown option "chnk" (did you mean "chunk"?)\n')

    def test_a_configuration_on_standard_input_runs(self):
        self.check(self.run_pipe("--quiet", "-",
                                 stdin=self.config().encode()), 0)
        self.assertEqual(self.read("out.txt"), TRACE)

    def test_paths_start_at_the_configuration_s_folder(self):
        os.mkdir(self.path("sub"))
        self.write("sub/trace.txt", TRACE * 2)
        self.write("sub/pipeline.conf", self.config())
        self.check(self.run_pipe("--quiet", "sub/pipeline.conf"), 0)
        self.assertEqual(self.read("sub/out.txt"), TRACE * 2)
        self.assertEqual(self.read("out.txt"), b"old bytes\n")


class Set(ConfigurationTest):
    STAGES = ('{ plugin = "null"; },\n{ plugin = "nat"; external_nic = "eth0"; '
              'external_address = "1.2.3.4"; }')

    def check_set(self, text, wanted):
        self.check_refused(self.config(stages=self.STAGES),
                           f"--set {text}: {wanted}\n", "--set", text)

    def test_an_unknown_instance(self):
        self.check_set("nosuch.path=1", 'no instance "nosuch"')
        self.check_set("natt.timeout=1s",
                       'no instance "natt" (did you mean "nat"?)')

    def test_an_unknown_option(self):
        self.check_set("nat.path=1", 'stage "nat": unknown option "path"')
        self.check_set("nat.tiemout=3", 'stage "nat": unknown option '
                       '"tiemout" (did you mean "timeout"?)')

    def test_malformed(self):
        for text in ("nat", "nat.timeout", ".timeout=1s", "nat.=1", "=", "",
                     "timeout=1s", "a=b.c"):
            with self.subTest(text=text):
                self.check_set(text, "INSTANCE.OPTION=VALUE is wanted")

    def test_a_bad_value(self):
        self.check_set("nat.timeout=x", 'stage "nat": option "timeout": "x" '
                       "is no duration (like 10ms, 5 s, 2 min)")
        self.check_set("nat.inside=(1)", 'stage "nat": option "inside": an '
                       "integer given, a prefix wanted")
        self.check_set("nat.inside=10.0.0.0/8", 'stage "nat": option '
                       '"inside": "10.0.0.0/8" is no list: write '
                       '( "10.0.0.0/8" )')
        self.check_set('nat.inside=( "10.0.0.0/8"', 'stage "nat": option '
                       '"inside": not a list, like ( 1, 2 ) or [ "a", "b" ]: '
                       "syntax error")
        self.check_set("source.path=", 'source "trace_text": option "path": '
                       "a path is empty")
        self.check_set("nat.ports=x", 'stage "nat": option "ports": "x": '
                       'it must read "FIRST-LAST", ports from 1 to 65535')

    def test_what_can_be_set_in_the_file_alone(self):
        self.check_set("nat.plugin=null", 'stage "nat": "plugin" can be set '
                       "in the file alone")
        self.check_set("nat.name=n", 'stage "nat": "name" can be set in the '
                       "file alone")

    def test_a_name_that_source_and_sink_share_is_ambiguous(self):
        self.check_set("trace_text.path=u", "both the source and the sink are "
                       '"trace_text": say source.path or sink.path')
        self.check_set("trace_text.on_error=skip", "both the source and the "
                       'sink are "trace_text": say source.on_error or '
                       "sink.on_error")

    def test_source_and_sink_are_known_by_their_roles(self):
        self.write("other.txt", TRACE * 2)
        self.write("pipeline.conf", self.config())
        result = self.run_pipe("--quiet", "--set", "source.path=other.txt",
                               "--set", "sink.path=new.txt", "pipeline.conf")
        self.check(result, 0)
        self.assertEqual(self.read("new.txt"), TRACE * 2)
        self.assertEqual(self.read("out.txt"), b"old bytes\n")

    def test_the_last_of_two_wins(self):
        self.write("pipeline.conf", self.config())
        self.check(self.run_pipe("--quiet", "--set", "sink.path=a", "--set",
                                 "sink.path=b", "pipeline.conf"), 0)
        self.assertEqual(self.read("b"), TRACE)
        self.assertNotIn("a", self.files())

    def test_its_paths_start_at_the_working_folder(self):
        os.mkdir(self.path("sub"))
        self.write("sub/pipeline.conf", self.config())
        self.check(self.run_pipe("--quiet", "--set", "source.path=trace.txt",
                                 "--set", "sink.path=new.txt",
                                 "sub/pipeline.conf"), 0)
        self.assertEqual(self.read("new.txt"), TRACE)

    def test_it_takes_the_place_of_a_value_that_the_file_lacks(self):
        self.write("pipeline.conf", self.config().replace(
            'path = "out.txt";', ""))
        self.check(self.run_pipe("--quiet", "--set", "sink.path=new.txt",
                                 "pipeline.conf"), 0)
        self.assertEqual(self.read("new.txt"), TRACE)

    def test_a_value_may_hold_equal_signs_and_dots(self):
        self.write("pipeline.conf", self.config())
        self.check(self.run_pipe("--quiet", "--set", "sink.path=a=b.c",
                                 "pipeline.conf"), 0)
        self.assertEqual(self.read("a=b.c"), TRACE)


class OutputEqualToInput(ConfigurationTest):
    """Refused before a byte is lost. --check does not open files, so it does
    not know."""

    def setUp(self):
        super().setUp()
        self.write("pipeline.conf", self.config())
        os.symlink("trace.txt", self.path("symlink"))
        os.link(self.path("trace.txt"), self.path("hardlink"))

    def check_refused_run(self, wanted, *arguments, **options):
        files = self.files()
        contents = [self.read(name) for name in files]
        self.check(self.run_pipe(*arguments, "pipeline.conf", **options), 2,
                   f"runpipe: {wanted}\n")
        self.assertEqual(self.files(), files)
        self.assertEqual([self.read(name) for name in files], contents)

    def test_under_the_same_name_or_by_a_link(self):
        for name in ("trace.txt", "./trace.txt", "symlink", "hardlink"):
            with self.subTest(name=name):
                self.check_refused_run(
                    'sink "trace_text": output equal to input: source '
                    f'"trace_text" reads {name}', "--set", f"sink.path={name}")

    def test_the_input_may_be_the_link(self):
        for name in ("symlink", "hardlink"):
            with self.subTest(name=name):
                self.check_refused_run(
                    'sink "trace_text": output equal to input: source '
                    '"trace_text" reads trace.txt',
                    "--set", f"source.path={name}",
                    "--set", "sink.path=trace.txt")

    def test_the_report_in_the_input(self):
        for name in ("trace.txt", "symlink", "hardlink"):
            with self.subTest(name=name):
                self.check_refused_run(
                    'source "trace_text": input equal to output: the report '
                    "writes trace.txt", "--stats", name)

    def test_the_report_in_the_output(self):
        self.check_refused_run(
            'sink "trace_text": the report writes out.txt already',
            "--stats", "out.txt")

    def test_the_report_in_an_output_that_is_not_there_yet(self):
        self.check_refused_run(
            'sink "trace_text": the report writes new.txt already',
            "--stats", "new.txt", "--set", "sink.path=new.txt")

    def test_both_on_standard_output(self):
        self.check_refused_run(
            'sink "trace_text": the report writes standard output already',
            "--stats", "-", "--set", "sink.path=-")

    def test_standard_input_and_output_redirected_to_one_file(self):
        with open(self.path("trace.txt"), "rb") as file, \
                open(self.path("trace.txt"), "ab") as same:
            self.check(self.run_pipe(
                "--set", "source.path=-", "--set", "sink.path=-",
                "pipeline.conf", stdin=file, stdout=same), 2,
                'runpipe: sink "trace_text": output equal to input: source '
                '"trace_text" reads standard output\n', None)
        self.assertEqual(self.read("trace.txt"), TRACE)

    def test_the_sink_in_the_file_on_standard_input(self):
        with open(self.path("trace.txt"), "rb") as file:
            self.check_refused_run(
                'sink "trace_text": output equal to input: source '
                '"trace_text" reads symlink', "--set", "source.path=-",
                "--set", "sink.path=symlink", stdin=file)

    def test_the_sink_in_the_table_of_routes(self):
        self.write("routes.txt", "0.0.0.0/0 eth0\n")
        self.write("pipeline.conf", self.config(
            stages='{ plugin = "route"; routes_file = "routes.txt"; }'))
        self.check_refused_run(
            'sink "trace_text": output equal to input: stage "route" reads '
            "routes.txt", "--set", "sink.path=routes.txt")

    def test_the_configuration_is_an_input_too(self):
        for arguments in (("--stats", "pipeline.conf"),
                          ("--set", "sink.path=pipeline.conf")):
            with self.subTest(arguments=arguments):
                config = self.config()
                self.write("pipeline.conf", config)
                result = self.run_pipe("--quiet", *arguments, "pipeline.conf")
                self.assertEqual(self.read("pipeline.conf"), config.encode())
                self.assertEqual(result.code, 2)

    def test_dev_null_may_be_all_of_them(self):
        self.check(self.run_pipe("--quiet", "--set", "source.path=/dev/null",
                                 "--set", "sink.path=/dev/null", "--stats",
                                 "/dev/null", "pipeline.conf"), 0)


class FieldWiring(ConfigurationTest):
    def test_a_text_trace_has_no_dscp(self):
        self.check_refused(
            self.config(stages='{ plugin = "prioritize"; '
                        'classes = ( ["sip", "dscp/46"] ); }'),
            'pipeline.conf:4: stage "prioritize" reads the DSCP of its '
            "packets, which nothing before it provides\n")

    def test_a_text_trace_has_no_bytes(self):
        self.check_refused(
            self.config(top=f'plugin_path = ( "{harness.TEST_PLUGINS}" );',
                        stages='{ plugin = "null"; },\n'
                        '{ plugin = "frames"; }'),
            'pipeline.conf:5: stage "frames" reads bytes of its packets, '
            "which nothing before it provides\n")


class Check(ConfigurationTest):
    def test_check_says_that_nothing_is_wrong_and_runs_nothing(self):
        self.write("pipeline.conf", self.config())
        self.check(self.run_pipe("--check", "pipeline.conf"), 0,
                   "pipeline.conf: nothing is wrong\n")
        self.check(self.run_pipe("--check", "--quiet", "pipeline.conf"), 0)
        self.assertEqual(self.read("out.txt"), b"old bytes\n")

    def test_check_needs_no_trace(self):
        os.remove(self.path("trace.txt"))
        self.write("pipeline.conf", self.config())
        self.check(self.run_pipe("--check", "pipeline.conf"), 0,
                   "pipeline.conf: nothing is wrong\n")


if __name__ == "__main__":
    unittest.main()
