#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a unit depends on, in whatever words its source or its flags say so: a
change there must reach it. One that scgate check overlooked would pass."""
import json
import os
import unittest

import defects
from gate import Gate

GCC_NULL = ("gcc", "-Wanalyzer-null-dereference")
# Ways to include what is called %s; some stand in the way of the next one.
SPELLINGS = [
    '#include "%s"\n',
    '#include "sub/../%s"\n',
    '#include "./sub//.././%s"\n',
    '\ufeff#include "%s"\n',
    '%%: /* c */ include /* "x.h" */ \\\n "%s" // c\n',
    '#inc\\\nlude "%s"\n',
    '#if 0\ndon\'t "\n#endif\n#include "%s"\n',
    'static const char *const s = "/*";\n#include "%s"\n/* " */\n'
    'const char *get(void);\nconst char *get(void)\n{\n\treturn s;\n}\n',
    'enum { Q = \'"\' };\n#include "%s"\nenum { R = \'"\' };\n',
    '#define NAME "%s"\n#include NAME\n',
    '#define TEXT(x) #x\n#define NAME(x) TEXT(x)\n#include NAME(%s)\n',
    '#if __has_include("%s")\n#include "%s"\n#endif\n',
]


class Units(Gate):
    """Ways in which sources become units."""

    def test_a_source_that_another_includes(self):
        """It is no unit, but one sees it."""
        self.configure("cppcheck", build="build")
        self.database("all.c")
        self.base({"all.c": '#include "part.c"\n',
                   "part.c": defects.NULL_FIXED})
        self.change({"part.c": defects.NULL})
        self.rejected_for(self.check(), ("part.c", 7, "cppcheck",
                                         "nullPointer"))

    def test_a_source_that_is_compiled_in_two_ways(self):
        self.configure("gcc", build="build")
        self.write(".git/info/exclude", "build/\n")
        self.write("build/compile_commands.json", json.dumps([
            {"directory": self.path("build"), "file": "../a.c",
             "command": f"gcc -c ../a.c -DFAST={fast} -o {fast}.o"}
            for fast in (0, 1)]))
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": "#if FAST\n" + defects.NULL + "#endif\n"
                     + defects.LEAK})
        self.rejected_for(
            self.check(), ("a.c", 8, "gcc", "-Wanalyzer-null-dereference"),
            ("a.c", 21, "gcc", "-Wanalyzer-malloc-leak"))

    def test_warnings_that_are_errors_to_its_own_compiler(self):
        self.configure("gcc", flags=["-Wall", "-Werror", "-pedantic-errors"])
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.FORMAT})
        self.rejected_for(self.check(), ("a.c", 5, "gcc", "-Wformat="))

    def test_one_that_only_the_whole_program_shows(self):
        """The last call of a function goes: its definition is in a file that
        did not change."""
        self.configure({"name": "whole", "command": [
            "cppcheck", "--xml", "--enable=unusedFunction", "{files}"],
            "format": "cppcheck-xml", "output": "stderr", "once": True})
        self.base({"a.c": "int used(int n);\nint main(void)\n{\n"
                   "\treturn used(0);\n}\n",
                   "b.c": "int used(int n);\nint used(int n)\n{\n"
                   "\treturn n;\n}\n"})
        self.change({"a.c": "int main(void)\n{\n\treturn 0;\n}\n"})
        self.rejected_for(self.check(),
                          ("b.c", 2, "whole", "unusedFunction"))

    def test_what_is_added_to_the_words_of_an_analyzer(self):
        self.configure({"name": "gcc", "add": ["-Wconversion"]})
        self.base({"a.c": defects.CLEAN})
        self.change({"a.c": defects.CLEAN.replace(
            "return n", "char c = n;\n\n\treturn c")})
        self.rejected_for(self.check(), ("a.c", 4, "gcc", "-Wconversion"))


class Headers(Gate):
    analyzers = ("gcc",)

    def test_however_it_is_included(self):
        files = {"sub/none.h": "\n"}
        for at, spelling in enumerate(SPELLINGS):
            name = f"h{at}.h"
            files[name] = defects.HEADER_FIXED
            files[f"u{at}.c"] = (
                spelling % ((name,) * spelling.count("%s"))
                + defects.user(f"u{at}", "sub/none.h"))
        self.base(files)
        self.change({name: defects.HEADER for name in files
                     if name.startswith("h")})
        self.rejected_for(self.check(), *(
            (f"h{at}.h", 6, *GCC_NULL) for at in range(len(SPELLINGS))))

    def test_a_name_that_a_source_asks_for(self):
        """The header is empty: that it is there is all."""
        self.base({"a.c": '#if __has_include("on.h")\n' + defects.NULL
                   + "#else\n" + defects.CLEAN + "#endif\n",
                   "off.h": "\n",
                   "b.c": '#if !__has_include("off.h")\n'
                   + defects.NULL.replace("deref", "other") + "#else\n"
                   + defects.CLEAN + "#endif\n"})
        self.change({"on.h": "\n", "off.h": None})
        self.rejected_for(self.check(), ("a.c", 8, *GCC_NULL),
                          ("b.c", 8, *GCC_NULL))


class Flags(Gate):
    """A file that flags name turns a defect on."""

    def reaches(self, flags, before="#define ON 0\n", after="#define ON 1\n"):
        self.configure("gcc", flags=flags)
        self.base({"on.txt": before, "a.c": "#if ON\n" + defects.NULL
                   + "#else\n" + defects.CLEAN + "#endif\n"})
        self.change({"on.txt": after})
        self.rejected_for(self.check(), ("a.c", 8, *GCC_NULL))

    def test_include(self):
        self.reaches(["-include", "on.txt"])

    def test_include_in_one_word(self):
        self.reaches(["-includeon.txt"])

    def test_include_as_a_long_option(self):
        self.reaches(["--include=on.txt"])

    def test_imacros(self):
        self.reaches(["-imacros", "on.txt"])

    def test_passed_on_to_the_preprocessor(self):
        self.reaches(["-Wp,-include,on.txt"])

    def test_a_file_of_flags(self):
        self.reaches(["@on.txt"], "-DON=0\n", "-DON=1\n")


class Once(Gate):
    """An analyzer that runs once for all, and headers outside of the tree."""

    def outside(self, value):
        with open(os.path.join(self.folder, "out.h"), "w") as file:
            file.write(f"#define START {value}\n")

    def test_a_header_outside_is_part_of_what_is_kept(self):
        self.configure({
            "name": "all", "command": ["cppcheck", "--xml", f"-I{self.folder}",
                                       "{files}"],
            "format": "cppcheck-xml", "output": "stderr", "once": True},
            flags=[f"-I{self.folder}"])
        self.outside("&n")
        text = '#include "out.h"\n' + defects.NULL.replace("= 0", "= START")
        self.base({"a.c": text, "b.c": defects.CLEAN})
        self.change({"b.c": defects.CLEAN + "\n"})
        self.unchanged(self.check("--all"))
        self.assertEqual(self.check("--all").json["analysed"], 0)
        self.outside("0")
        self.unchanged(self.check("--all"), ("a.c", 8, "all", "nullPointer"))


class Analyzers(Gate):
    """Files by which analyzers would be silenced are those of the parent."""

    def silenced(self, tool, rule, name, before, after):
        self.base({"a.c": defects.NULL_FIXED, name: before})
        self.change({"a.c": defects.NULL, name: after})
        verdict = self.check()
        self.rejected_for(verdict, ("a.c", 7, tool, rule))
        self.names(verdict, f"note: this change edits {name}; it is judged by "
                   "that of HEAD [0-9a-f]{8}", 1)

    def test_clang_tidys(self):
        self.configure("clang-tidy")
        self.silenced("clang-tidy", "clang-analyzer-core.NullDereference",
                      ".clang-tidy", "Checks: 'clang-analyzer-*'\n",
                      "Checks: '-*,bugprone-*'\n")

    def test_one_that_is_named_in_the_configuration(self):
        self.configure({"name": "cppcheck",
                        "add": ["--suppressions-list=silent.txt"]})
        self.silenced("cppcheck", "nullPointer", "silent.txt", "zerodiv\n",
                      "nullPointer\n")


if __name__ == "__main__":
    unittest.main()
