# SPDX-License-Identifier: MIT
"""Whether two tools say the same of a place, though in other words."""
import html
import posixpath
import re

# made-up places by which upstream says that there is none
NOWHERE = (None, "-", "", "NO_FILE_NAME", "<stdout>")


def plain(message):
    """What is said, without rules, quotes and blanks, which writers vary."""
    # some converters escape what is escaped already
    message = html.unescape(html.unescape(message or "")).strip('"')
    message = message.replace("\\n", "\n").strip().split("\n")[0]
    message = re.sub(r"(\s*\[[-\w.,=#+/: ]+\])+$", "", message)
    # gfortran's marks, smatch's function
    message = re.sub(r" at \(1\)|^\S+\(\): ", "", message)
    message = re.sub(r"\s*<--\[[\w-]+\]$", "", message)
    return re.sub(r"[\W_]+", "", message).lower()


def slashes(path):
    return re.sub(r"/+", "/", re.sub(r"[\\]+", "/", path or "")).lower()


def same_file(ours, theirs):
    """One may know more of the folders than the other."""
    ours = posixpath.normpath(slashes(ours))
    theirs = posixpath.normpath(slashes(theirs))
    theirs = re.sub(r"^(file:)?/*|^\./", "", theirs)
    ours = re.sub(r"^/*|^(\.\.?/)+", "", ours)
    return ours == theirs or ours.endswith("/" + theirs) or \
        theirs.endswith("/" + ours)


def plain_rule(rule):
    """-Wformat= and -Wformat, #177 and 177 are one; so is what csgrep makes
    of its own SARIF's "SNYK_CODE_WARNING: warning[cpp/Name]"."""
    rule = re.sub(r"^[A-Z_]+: \w+\[(.*)\]$", r"\1", rule or "")
    return re.sub(r"^[-#]+(W|w)?|=.*$", "", rule).lower()


def agrees(theirs, ours):
    if theirs.line and ours.line != theirs.line:
        return False
    # a linker's path is what upstream lifts from the words
    if ours.path and theirs.path not in NOWHERE and \
            not same_file(ours.path, theirs.path):
        return False
    if theirs.rule and plain_rule(theirs.rule) != plain_rule(ours.rule):
        return False
    said, wanted = plain(ours.message), plain(theirs.message)
    return wanted in said or bool(said and said in wanted)
