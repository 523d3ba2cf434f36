# SPDX-License-Identifier: MIT
"""Fifty commits to a project (history.py), in words and deeds."""
import history

LICENCE = "/* Anyone may do as they like with this. */\n"
TWICE = """\
int twice(int n)
{
	int sum = n;

	printf("%s\\n", sum); //! cppcheck invalidPrintfArgType_s, gcc -Wformat=
	sum = sum * 3;
	return sum;
}
"""
SHARED = """\
#define LIMIT 3

static inline int shared(int n)
{
	int sum = n;
	int nothing; //! cppcheck unusedVariable, gcc -Wunused-variable

	sum = sum + LIMIT;
	return sum;
}
"""
CASE = """\
int wide_case(int n)
{
	int sum = n;

	switch (n) {
	case 1:
		sum = 4;
		break;
	default:
		sum = 5;
	}
	return sum;
}
"""
AGAIN = """\
	printf("%s\\n", sum); //! cppcheck invalidPrintfArgType_s, gcc -Wformat=
"""


def first(project):
    """What is there before the first of the commits."""
    project.other["README"] = "A project.\n"
    for name, kinds in (("a", ("null", "leak", "clean", "sign")),
                        ("b", ("format", "clean", "unused", "bounds")),
                        ("c", ("clean", "sign", "leak")),
                        ("deep/d", ("unused", "null", "format", "clean"))):
        for kind in kinds:
            project.add(f"src/{name}.c", kind, f"{name[-1]}_{kind}")


def readme(project):
    project.other["README"] += "It goes on.\n"


def comments(project):
    project.add_text("src/a.c", "/* What a\n * is for. */\n", at=0)


def two_fixed(project):
    project.repair("src/a.c", "a_fresh", "null")
    project.repair("src/c.c", "c_sign", "sign")


def spaces(project):
    project.each_line("src/c.c", lambda text: text.replace("\t", "    "))


def remark(project):
    project.replace("src/a.c", "a_null", "\treturn *at;",
                    "\treturn *at; /* as the \"manual\" says */")


def swap(project):
    project.repair("src/beta.c", "b_unused", "unused")
    project.add("src/a.c", "unused", "a_other", at=1)


def share(project):
    project.files["src/shared.h"] = [project.lines(SHARED)]
    for name in ("a", "c", "deep/d"):
        up = "../" if "/" in name else ""
        project.add_text(f"src/{name}.c", f'#include "{up}shared.h"\n', at=0)


def share_elsewhere(project):
    project.rename("src/shared.h", "src/common/all.h")
    for name in ("a", "c", "deep/d"):
        project.each_line(f"src/{name}.c", lambda text: text.replace(
            "shared.h", "common/all.h"))


def reverse(project):
    path = "src/a.c"
    project.files[path][2:] = reversed(project.files[path][2:])


def split(project):
    for name in ("a_leak", "a_clean"):
        project.move("src/a.c", name, "src/half.c")


def join(project):
    for name in ("a_clean", "a_leak"):
        project.move("src/half.c", name, "src/beta.c")
    project.remove("src/half.c")


def wrap(project):
    project.insert("src/beta.c", "b_format", "\tprintf", "\tif (n > 5) {\n")
    project.replace("src/beta.c", "b_format", "\tprintf",
                    '\t\tprintf("%s\\n", sum);')
    project.insert("src/beta.c", "b_format", "\treturn", "\t}\n")


def move_and_repair(project):
    project.move("src/c.c", "a_sign", "src/deep/d.c", at=1)
    project.replace("src/deep/d.c", "a_sign", "    if (n < limit)",
                    "    if ((int)n < limit)", marks=[])


def rename_and_fix(project):
    project.rename("src/beta.c", "src/deep/beta.c")
    project.repair("src/deep/beta.c", "a_leak", "leak")


def rename_and_add(project):
    project.rename("src/deep/beta.c", "src/gamma.c")
    project.add("src/gamma.c", "leak", "gamma_leak", at=2)


def licence(project):
    for path in project.files:
        project.add_text(path, LICENCE, at=0)


def line_ends(project):
    project.each_line("src/gamma.c", lambda text: text + "\r")


def unix_line_ends(project):
    project.each_line("src/gamma.c", lambda text: text.rstrip("\r"))


def braces(project):
    for function in project.files["src/gamma.c"]:
        for at in range(len(function) - 1, 0, -1):
            if function[at].text == "{":
                del function[at]
                function[at - 1].text += " {"


def repair_gamma(project):
    project.repair("src/gamma.c", "gamma_leak", "leak")
    project.repair("src/gamma.c", "b_bounds_now", "bounds")


def several(project):
    for kind in ("null", "sign", "format", "bounds"):
        project.add("src/new.c", kind, f"new_{kind}", at=1)


def none_in_new(project):
    for kind in ("null", "sign", "format", "bounds"):
        project.repair("src/new.c", f"new_{kind}", kind)


def to_other_file(project):
    """A function leaves while its like, by another name, appears elsewhere."""
    project.take("src/a.c", "a_null")
    project.add("src/c.c", "null", "c_null", at=2)
    project.replace("src/c.c", "c_null", "\tint *at", "\tint *at = NULL;")
    project.replace("src/c.c", "c_null", "\tif (n", "\tif (n != LIMIT)")


def edit(function, path, name, *arguments, **more):
    return lambda project: getattr(project, function)(
        path, name, *arguments, **more)


COMMITS = (
    ("comments shift lines", comments),
    ("nothing analysed changes", readme),
    ("a new file without a finding", edit("add", "src/new.c", "clean", "n")),
    ("a null dereference", edit("add", "src/a.c", "null", "a_fresh", at=2)),
    ("two are fixed", two_fixed),
    ("a file is renamed",
     lambda project: project.rename("src/b.c", "src/beta.c")),
    ("a function moves within its file",
     edit("move", "src/a.c", "a_leak", "src/a.c", at=4)),
    ("a function moves to another file",
     edit("move", "src/a.c", "a_sign", "src/c.c", at=1)),
    ("a file is indented anew", spaces),
    ("a remark at a defect", remark),
    ("a leak, above all else",
     edit("add", "src/deep/d.c", "leak", "d_leak", at=0)),
    ("a function with a bad format",
     lambda project: project.add_text("src/c.c", TWICE, at=1)),
    ("the same once more in it",
     edit("insert", "src/c.c", "twice", "\treturn", AGAIN)),
    ("the first of the two goes",
     edit("replace", "src/c.c", "twice", "\tprintf", None)),
    ("one for another", swap),
    ("a file is gone", lambda project: project.remove("src/deep/d.c")),
    ("it is there again", lambda project: [
        project.add("src/deep/d.c", kind, f"d_{kind}")
        for kind in ("clean", "unused", "null", "format")]),
    ("a header for three, with a defect", share),
    ("the header's lines shift", lambda project: project.add_text(
        "src/shared.h", "/* for all */\n", at=0)),
    ("the header moves", share_elsewhere),
    ("a macro has another value",
     edit("replace", "src/common/all.h", "shared", "#define",
          "#define LIMIT 4")),
    ("the header is repaired",
     edit("repair", "src/common/all.h", "shared", "unused")),
    ("a message has another number", edit(
        "replace", "src/beta.c", "b_bounds", "\tint table",
        "\tint table[11];")),
    ("another line of a function with a defect", edit(
        "replace", "src/beta.c", "b_bounds", "\ttable[0]",
        "\ttable[0] = n + 1;")),
    ("a function has another name", edit(
        "replace", "src/beta.c", "b_bounds", "int b_bounds",
        "int b_bounds_now(int n)")),
    ("the order of functions", reverse),
    ("half of a file goes to a new one", split),
    ("and from there to another", join),
    ("a defect is wrapped in a condition", wrap),
    ("the line of a defect is edited", edit(
        "replace", "src/beta.c", "b_format", "\t\tprintf",
        '\t\tprintf("%s\\n", sum + 1);')),
    ("a function is copied, with its defect",
     edit("add", "src/new.c", "null", "a_null")),
    ("a function moves and is repaired", move_and_repair),
    ("a file is renamed and a defect in it fixed", rename_and_fix),
    ("a file is renamed and a defect added", rename_and_add),
    ("a function with a defect is gone",
     lambda project: project.take("src/new.c", "a_null")),
    ("a licence on top of every file", licence),
    ("line ends of another system", line_ends),
    ("and back", unix_line_ends),
    ("braces move up", braces),
    ("two kinds are fixed", repair_gamma),
    ("a function without a defect, in the middle",
     edit("add", "src/deep/d.c", "clean", "d_more", at=3)),
    ("four at once", several),
    ("and they are fixed", none_in_new),
    ("one of another name is no old one", to_other_file),
    ("a name that is not ASCII", lambda project: project.rename(
        "src/new.c", "src/gr\u00fc\u00df.c")),
    ("a name with spaces", lambda project: project.rename(
        "src/gr\u00fc\u00df.c", "src/the new.c")),
    ("a defect in it", edit("add", "src/the new.c", "sign", "the_sign")),
    ("a switch, and no defect",
     lambda project: project.add_text("src/a.c", CASE, at=2)),
    ("a file without a function left", lambda project: project.take(
        "src/the new.c", "the_sign")),
    ("nothing at all changes", lambda project: None),
)
