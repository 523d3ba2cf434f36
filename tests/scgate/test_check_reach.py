#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a unit depends on, in whatever words its source or its flags say so: a
change there must reach it. One that scgate check overlooked would pass."""
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
