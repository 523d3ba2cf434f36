# SPDX-License-Identifier: MIT
"""Small sources with one defect each. The comments say what gcc 12, cppcheck
2.10, clang 14 and clang-tidy 14 were seen to say of them."""

CLEAN = "int same(int n);\nint same(int n)\n{\n\treturn n;\n}\n"

# 7: cppcheck nullPointer, gcc -Wanalyzer-null-dereference, clang
# core.NullDereference, and clang-tidy the same behind clang-analyzer-.
NULL = """\
int deref(int n);
int deref(int n)
{
	int *p = 0;

	if (n > 1)
		return *p;
	return n;
}
"""
NULL_FIXED = NULL.replace("= 0;", "= &n;")

# 9: the same once more, but cppcheck says nothing of it.
NULL_TWICE = NULL.replace("\treturn n;",
                          "\tif (n < -1)\n\t\treturn *p;\n\treturn n;")

# 10: cppcheck memleak, gcc -Wanalyzer-malloc-leak, clang unix.Malloc.
LEAK = """\
#include <stdlib.h>
int keep(int n);
int keep(int n)
{
	char *s = malloc(10);

	if (!s)
		return 0;
	s[0] = (char)n;
	return s[0];
}
"""
LEAK_FIXED = LEAK.replace("\treturn s[0];", "\tfree(s);\n\treturn n;")

# 7: gcc -Wmaybe-uninitialized and -Wanalyzer-use-of-uninitialized-value, clang
# core.uninitialized.UndefReturn.
UNINIT = """\
int pick(int n);
int pick(int n)
{
	int x;

	if (n > 1)
		return x;
	return n;
}
"""

# 5: cppcheck invalidPrintfArgType_s, gcc -Wformat=, clang-tidy
# clang-diagnostic-format.
FORMAT = """\
#include <stdio.h>
void show(int n);
void show(int n)
{
	printf("%s\\n", n);
}
"""

# 6: cppcheck arrayIndexOutOfBounds; clang-tidy clang-diagnostic-array-bounds
# and clang-analyzer-core.uninitialized.UndefReturn. gcc says nothing.
BOUNDS = """\
int beyond(void);
int beyond(void)
{
	static const int b[3] = { 1, 2, 3 };

	return b[3];
}
"""

# 6: as NULL, in each unit that calls first().
HEADER = """\
#ifndef DEREF_H
#define DEREF_H
static inline int first(void)
{
	int *p = 0;
	return *p;
}
#endif
"""
HEADER_FIXED = HEADER.replace("int *p = 0;\n\treturn *p",
                              "static const int p[1] = { 1 };\n\treturn *p")


def user(name, header):
    """A source that calls what HEADER defines."""
    return (f'#include "{header}"\nint {name}(void);\nint {name}(void)\n'
            "{\n\treturn first();\n}\n")


def busy(ifs, leaks):
    """A function of so many branches, with a leak at its last return or not.
    With 12 gcc's analyzer gives up and no longer sees the leak, which is in
    line 14 + 2 * ifs; clang and cppcheck do."""
    keep = ("\ts = malloc(10);\n\tif (!s)\n\t\treturn 0;\n"
            "\ts[0] = (char)n;\n")
    return ("#include <stdlib.h>\nvoid use(int *a);\nint busy(int n);\n"
            "int busy(int n)\n{\n\tint a[40] = { 0 };\n"
            + ("\tchar *s;\n\n" + keep if leaks else "\n")
            + "".join(f"\tif (n & {1 << at})\n\t\ta[{at}] = {at + 1};\n"
                      for at in range(ifs))
            + "\tuse(a);\n"
            + ("\treturn s[0];\n}\n" if leaks else "\treturn a[0];\n}\n"))


def unused(count):
    """A function with so many variables that nobody reads: gcc and cppcheck
    say 400 bytes of each."""
    return ("int idle(int n);\nint idle(int n)\n{\n"
            + "".join(f"\tint unused_{at} = {at};\n" for at in range(count))
            + "\treturn n;\n}\n")
