# SPDX-License-Identifier: MIT
"""The reports that the findings bench reads, in the words of the real tools.

`cppcheck` has as many findings as are asked for, no two alike, in FILES files,
with one to three places each; `shift` moves it on by some findings, so that two
reports share all but as many. The others are of a size: a block of BLOCK_BYTES
is repeated between the report's start and its end, for a parser's speed does
not depend on whether it has seen a finding before, and making 100 MB does.
"""
import json
import os
import random
import sys

FILES = 300
BLOCK_BYTES = 8 << 20

FOLDERS = ("src", "src/net", "src/net/tls", "lib/codec", "lib/codec/audio",
           "drivers/usb/host", "kernel/sched", "tools/perf/util")
STEMS = ("queue", "session", "buffer", "frame_parser", "timer", "route_table",
         "handshake", "ring", "descriptor", "scheduler", "page_cache")
NAMES = ("p", "buf", "ctx", "len", "session", "next_header", "ret", "i",
         "packet", "flags", "entry", "timeout_ms", "peer_address")

# id, severity, CWE, words, and what its places say
CPPCHECK = (
    ("unusedVariable", "style", 563, "Unused variable: {a}", ("",)),
    ("variableScope", "style", 398,
     "The scope of the variable '{a}' can be reduced.", ("",)),
    ("unreadVariable", "style", 563,
     "Variable '{a}' is assigned a value that is never used.", ("",)),
    ("constParameterPointer", "style", 398,
     "Parameter '{a}' can be declared as pointer to const",
     ("Parameter '{a}' can be declared as pointer to const",)),
    ("nullPointer", "error", 476, "Null pointer dereference: {a}",
     ("Null pointer dereference", "Assignment '{a}=NULL', assigned value is 0",
      "Calling function '{b}', 1st argument '{a}' value is 0")),
    ("memleak", "error", 401, "Memory leak: {a}", ("",)),
    ("nullPointerRedundantCheck", "warning", 476,
     "Either the condition '!{a}' is redundant or there is possible null "
     "pointer dereference: {a}.",
     ("Null pointer dereference", "Assuming that condition '!{a}' is not "
      "redundant")),
    ("invalidPrintfArgType_sint", "warning", 686,
     "%d in format string (no. 1) requires 'int' but the argument type is "
     "'unsigned int'.", ("",)),
    ("shadowVariable", "style", 398,
     "Local variable '{a}' shadows outer variable",
     ("Shadow variable", "Shadowed declaration")),
    ("knownConditionTrueFalse", "style", 570,
     "Condition '{a}<0' is always false",
     ("Condition '{a}<0' is always false",
      "Assignment '{a}=0', assigned value is 0")),
)

# option, words
GCC = (
    ("unused-variable", "unused variable ‘{a}’"),
    ("sign-compare", "comparison of integer expressions of different "
     "signedness: ‘int’ and ‘unsigned int’"),
    ("conversion", "conversion from ‘long int’ to ‘int’ may change value"),
    ("unused-parameter", "unused parameter ‘{a}’"),
    ("maybe-uninitialized", "‘{a}’ may be used uninitialized"),
    ("implicit-fallthrough=", "this statement may fall through"),
    ("format=", "format ‘%d’ expects argument of type ‘int’, but argument 2 "
     "has type ‘size_t’ {{aka ‘long unsigned int’}}"),
    ("discarded-qualifiers", "assignment discards ‘const’ qualifier from "
     "pointer target type"),
)

MSVC = (
    ("C4996", "'strncpy': This function or variable may be unsafe. Consider "
     "using strncpy_s instead. To disable deprecation, use "
     "_CRT_SECURE_NO_WARNINGS. See online help for details."),
    ("C4267", "'=': conversion from 'size_t' to 'int', possible loss of data"),
    ("C4100", "'{a}': unreferenced formal parameter"),
    ("C4018", "'<': signed/unsigned mismatch"),
    ("C4244", "'argument': conversion from '__int64' to 'int', possible loss "
     "of data"),
    ("C6011", "Dereferencing NULL pointer '{a}'. "),
)


def paths(count):
    return [f"{FOLDERS[at % len(FOLDERS)]}/{STEMS[at % len(STEMS)]}_{at}.c"
            for at in range(count)]


def function_of(line):
    at = line // 60
    return f"{STEMS[at % len(STEMS)]}_{NAMES[at * 7 % len(NAMES)]}"


# ---- XML -------------------------------------------------------------------

def quoted(text):
    return (text.replace("&", "&amp;").replace("<", "&lt;")
            .replace("'", "&apos;"))


XML_START = ('<?xml version="1.0" encoding="UTF-8"?>\n<results version="2">\n'
             '    <cppcheck version="2.17.1"/>\n    <errors>\n')
XML_END = "    </errors>\n</results>\n"


def cppcheck_error(at, files):
    """The error number `at`; each of a file's is on lines of its own."""
    path = files[at % len(files)]
    number = at // len(files)
    line = 20 + number * 6
    # of no short period, yet the same whenever it is made
    dice = (at * 2654435761 + number * 40503) >> 7
    rule, severity, cwe, words, places = CPPCHECK[dice % len(CPPCHECK)]
    a = NAMES[(dice >> 8) % len(NAMES)]
    b = function_of(line)
    text = quoted(words.format(a=a, b=b))
    parts = [f'        <error id="{rule}" severity="{severity}" msg="{text}" '
             f'verbose="{text}" cwe="{cwe}" file0="{path}">\n']
    for index, info in enumerate(places):
        said = quoted(info.format(a=a, b=b))
        said = f' info="{said}"' if said else ""
        parts.append(
            f'            <location file="{path}" line="{line - 2 * index}" '
            f'column="{5 + (dice >> 3) % 60}"{said}/>\n')
    parts.append(f"            <symbol>{a}</symbol>\n        </error>\n")
    return "".join(parts)


def write_cppcheck(path, count, shift=0):
    files = paths(FILES)
    with open(path, "w", encoding="utf-8") as file:
        file.write(XML_START)
        for at in range(shift, shift + count):
            file.write(cppcheck_error(at, files))
        file.write(XML_END)


def cppcheck_block(files):
    at = 0
    while True:
        yield cppcheck_error(at, files)
        at += 1


# ---- text ------------------------------------------------------------------

def gcc_block(files, carets):
    """make's and gcc's lines, as a build writes them."""
    chance = random.Random(2)
    while True:
        path = chance.choice(files)
        yield (f"gcc -DHAVE_CONFIG_H -I. -I../include -Wall -Wextra -g -O2 "
               f"-MT {path[:-2]}.o -MD -MP -c -o {path[:-2]}.o {path}\n")
        line = 20
        if chance.random() < 0.2:
            header = chance.choice(files)[:-2] + ".h"
            yield (f"In file included from {header}:{chance.randrange(9, 40)},"
                   f"\n                 from {path}:"
                   f"{chance.randrange(1, 30)}:\n")
        for _ in range(chance.randrange(1, 5)):
            line += chance.randrange(60, 200)
            yield f"{path}: In function ‘{function_of(line)}’:\n"
            for _ in range(chance.randrange(1, 4)):
                line += chance.randrange(1, 9)
                yield from gcc_warning(chance, path, line, carets)


def gcc_warning(chance, path, line, carets):
    rule, words = chance.choice(GCC)
    a, b = chance.choice(NAMES), chance.choice(NAMES)
    column = chance.randrange(5, 40)
    source = f"\tif ({a}->{b} < {function_of(line)}({b}, sizeof({a})))"
    yield (f"{path}:{line}:{column}: warning: {words.format(a=a)} "
           f"[-W{rule}]\n")
    if carets:
        yield (f"{line:5} | {source}\n      | {' ' * column}^"
               f"{'~' * len(a)}\n")
    if chance.random() < 0.15:
        yield f"{path}:{line - 3}:{column}: note: ‘{a}’ was declared here\n"
        if carets:
            yield (f"{line - 3:5} |         struct {b} *{a};\n"
                   f"      | {' ' * column}^\n")


def msvc_block(files):
    chance = random.Random(3)
    while True:
        path = chance.choice(files).replace("/", "\\")
        yield f"  {path.rsplit(chr(92), 1)[1]}\n"
        line = 20
        for _ in range(chance.randrange(1, 8)):
            line += chance.randrange(1, 200)
            code, words = chance.choice(MSVC)
            a = chance.choice(NAMES)
            yield (f"C:\\work\\product\\{path}({line},"
                   f"{chance.randrange(1, 60)}): warning {code}: "
                   f"{words.format(a=a)} "
                   "[C:\\work\\product\\build\\product.vcxproj]\n")
            if chance.random() < 0.2:
                yield (f"C:\\work\\product\\{path}({line - 9},5): message : "
                       f"see declaration of '{a}' "
                       "[C:\\work\\product\\build\\product.vcxproj]\n")


# ---- SARIF -----------------------------------------------------------------

def sarif_place(path, line, column, words=None):
    place = {"physicalLocation": {
        "artifactLocation": {"uri": path, "uriBaseId": "%SRCROOT%",
                             "index": line % FILES},
        "region": {"startLine": line, "startColumn": column,
                   "endColumn": column + 7}}}
    if words:
        place["message"] = {"text": words}
    return place


def sarif_result(chance, files):
    path, line = chance.choice(files), chance.randrange(1, 4000)
    index = chance.randrange(len(CPPCHECK))
    rule, severity, _, words, places = CPPCHECK[index]
    a = chance.choice(NAMES)
    column = chance.randrange(5, 60)
    result = {
        "ruleId": rule, "ruleIndex": index,
        "rule": {"id": rule, "index": index},
        "level": {"style": "note"}.get(severity, severity),
        "message": {"text": words.format(a=a)},
        "locations": [sarif_place(path, line, column)],
        "partialFingerprints": {
            "primaryLocationLineHash": f"{chance.getrandbits(64):x}:1",
            "primaryLocationStartColumnFingerprint": str(column)}}
    if len(places) > 1:
        result["codeFlows"] = [{"threadFlows": [{"locations": [
            {"location": sarif_place(path, line - at, column,
                                     said.format(a=a, b=function_of(line)))}
            for at, said in enumerate(places)]}]}]
    return result


def sarif_block(files, indent):
    chance = random.Random(4)
    separators = None if indent else (",", ":")
    while True:
        text = json.dumps(sarif_result(chance, files), indent=indent,
                          separators=separators)
        if indent:
            text = text.replace("\n", "\n" + " " * 8)
        yield text + (",\n        " if indent else ",")


def sarif_ends(files, indent):
    """What stands before the results and behind them, the last of which has no
    comma."""
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
           "version": "2.1.0",
           "runs": [{"tool": {"driver": {
               "name": "CodeQL", "semanticVersion": "2.16.1",
               "rules": [{"id": rule[0], "properties": {
                   "tags": [f"external/cwe/cwe-{rule[2]}"]}}
                   for rule in CPPCHECK]}},
               "artifacts": [{"location": {"uri": path}} for path in files],
               "results": ["@"]}]}
    separators = None if indent else (",", ":")
    start, end = json.dumps(log, indent=indent,
                            separators=separators).split('"@"')
    return start, "{}" + end


# ---- repeated --------------------------------------------------------------

def blocks(kind):
    """@return a report's start, the pieces of a block, and its end."""
    files = paths(FILES)
    if kind == "cppcheck-xml":
        return XML_START, cppcheck_block(files), XML_END
    if kind.startswith("sarif"):
        indent = 2 if kind == "sarif-indented" else None
        start, end = sarif_ends(files, indent)
        return start, sarif_block(files, indent), end
    if kind == "msvc":
        return ("Microsoft (R) Build Engine version 17.4.1\n",
                msvc_block(files), "")
    return "", gcc_block(files, kind == "gcc"), ""


def write_repeated(kind, path, size):
    """At least `size` bytes."""
    start, pieces, end = blocks(kind)
    block, length = [], 0
    while length < min(size, BLOCK_BYTES):
        block.append(next(pieces).encode())
        length += len(block[-1])
    block = b"".join(block)
    with open(path, "wb") as file:
        file.write(start.encode())
        while file.tell() < size:
            file.write(block)
        file.write(end.encode())


if __name__ == "__main__":
    # A process of its own: what the bench weighs does not inherit its memory.
    chosen, target, amount, *moved = sys.argv[1:]
    if chosen == "cppcheck":
        write_cppcheck(target, int(amount), *map(int, moved))
    else:
        write_repeated(chosen, target, int(amount))
    print(os.path.getsize(target))
