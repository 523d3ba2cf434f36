# SPDX-License-Identifier: MIT
"""A project whose every defect is known, and fifty commits to it.

A line of a source may carry marks, one for each finding that a tool makes at
it. A mark stays itself wherever its line goes: what a commit adds and takes
away is the difference of the marks before and after, whatever the text did.
"""
import collections
import itertools

# What stands behind "//!" is what the tools say of the line: TOOL RULE, ...
KINDS = {
    "null": """\
int NAME(int n)
{
	int *at = 0;

	if (n > 3)
		return n;
	return *at; //! cppcheck nullPointer, gcc -Wanalyzer-null-dereference
}
""",
    "leak": """\
int NAME(int n)
{
	char *text = malloc(8);

	if (text == NULL)
		return 0;
	text[0] = 'a';
	if (n > 3)
		return 1; //! cppcheck memleak, gcc -Wanalyzer-malloc-leak
	free(text);
	return 2;
}
""",
    "format": """\
int NAME(int n)
{
	int sum = n;

	sum = sum * 3;
	printf("%s\\n", sum); //! cppcheck invalidPrintfArgType_s, gcc -Wformat=
	return sum;
}
""",
    "sign": """\
int NAME(unsigned n, int limit)
{
	int sum = 1;

	if (n < limit) //! gcc -Wsign-compare
		sum = 2;
	return sum;
}
""",
    "unused": """\
int NAME(int n)
{
	int sum = n;
	int nothing; //! cppcheck unusedVariable, gcc -Wunused-variable

	sum = sum + 2;
	return sum;
}
""",
    "bounds": """\
int NAME(int n)
{
	int table[10];

	table[0] = n;
	table[12] = n; //! cppcheck arrayIndexOutOfBounds
	return table[0];
}
""",
    "clean": """\
int NAME(int n)
{
	int sum = n;

	sum = sum * 3;
	sum = sum + 4;
	return sum;
}
""",
}
# A line of a kind, and what is right in its place.
REPAIRS = {
    "null": ("\tint *at = 0;", "\tint *at = &n;"),
    "leak": ("\t\treturn 1;", "\t\ttext[1] = 'b';"),
    "format": ('\tprintf("%s\\n", sum);', '\tprintf("%d\\n", sum);'),
    "sign": ("\tif (n < limit)", "\tif ((int)n < limit)"),
    "unused": ("\tint nothing;", None),
    "bounds": ("\ttable[12] = n;", "\ttable[9] = n;"),
}
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n\n"

Mark = collections.namedtuple("Mark", "number tool rule")


class Line:
    def __init__(self, text, marks=()):
        self.text = text
        self.marks = list(marks)


class Project:
    """Files by path, each a list of functions; a function is a list of lines.
    `other` are files of no interest to an analyzer."""

    def __init__(self):
        self.numbers = itertools.count()
        self.files = {}
        self.other = {}

    def lines(self, text):
        made = []
        for line in text.splitlines():
            line, _, said = line.partition(" //! ")
            made.append(Line(line, [Mark(next(self.numbers), *each.split())
                                    for each in said.split(", ") if each]))
        return made

    # ---- what a commit can do ----------------------------------------------

    def add(self, path, kind, name, at=None):
        """A function of that kind, as the last one, or as number `at`."""
        functions = self.files.setdefault(path, [])
        place = len(functions) if at is None else at
        functions.insert(place, self.lines(KINDS[kind].replace("NAME", name)))

    def add_text(self, path, text, at=None):
        functions = self.files.setdefault(path, [])
        place = len(functions) if at is None else at
        functions.insert(place, self.lines(text))

    def take(self, path, name):
        """Take a function out of its file. @return it."""
        found = self.function(path, name)
        self.files[path].remove(found)
        return found

    def move(self, path, name, to, at=0):
        self.files.setdefault(to, []).insert(at, self.take(path, name))

    def rename(self, path, to):
        self.files[to] = self.files.pop(path)

    def remove(self, path):
        del self.files[path]

    def repair(self, path, name, kind):
        wrong, right = REPAIRS[kind]
        self.replace(path, name, wrong, right, marks=[])

    def replace(self, path, name, old, new, marks=None):
        """Replace a line of a function, all that starts so; None: no line. Its
        marks stay, unless others are given."""
        function = self.function(path, name)
        line = next(each for each in function if each.text.startswith(old))
        if marks is not None:
            for each in function:
                each.marks = []
        if new is None:
            function.remove(line)
        else:
            line.text = new

    def insert(self, path, name, before, text):
        """Insert lines in front of the one that starts so."""
        function = self.function(path, name)
        place = next(at for at, each in enumerate(function)
                     if each.text.startswith(before))
        function[place:place] = self.lines(text)

    def each_line(self, path, change):
        for function in self.files[path]:
            for line in function:
                line.text = change(line.text)

    def function(self, path, name):
        return next(function for function in self.files[path]
                    if any(f" {name}(" in line.text for line in function))

    # ---- what it is --------------------------------------------------------

    def texts(self):
        """{path: text}"""
        made = dict(self.other)
        for path, functions in self.files.items():
            made[path] = self.head(path) + "\n".join(
                "".join(line.text + "\n" for line in function)
                for function in functions)
        return made

    def findings(self):
        """{mark: (path, line)}"""
        made = {}
        for path, functions in self.files.items():
            number = self.head(path).count("\n")
            for function in functions:
                for line in function:
                    number += 1
                    made.update((mark, (path, number)) for mark in line.marks)
                number += 1  # the empty line between two
        return made

    @staticmethod
    def head(path):
        if path.endswith(".h"):
            return "#pragma once\n\n"
        return HEAD
