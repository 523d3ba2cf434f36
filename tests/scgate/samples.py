# SPDX-License-Identifier: MIT
"""A report of one finding in each format, with the fields that one wants."""
import json
from xml.sax.saxutils import escape, quoteattr


def cppcheck_xml(path, line, column, rule, message):
    return ('<?xml version="1.0"?>\n<results version="2">\n'
            ' <cppcheck version="2.10"/>\n <errors>\n'
            f'  <error id={quoteattr(rule)} severity="warning" msg='
            f'{quoteattr(message)}>\n   <location file={quoteattr(path)} '
            f'line="{line}" column="{column}"/>\n  </error>\n </errors>\n'
            '</results>\n')


def valgrind_xml(path, line, column, rule, message):
    return ('<?xml version="1.0"?>\n<valgrindoutput>\n<protocolversion>4'
            '</protocolversion><protocoltool>memcheck</protocoltool>\n'
            '<pid>1</pid><ppid>2</ppid><tool>memcheck</tool>\n<status><state>'
            'RUNNING</state><time>1</time></status>\n<error><unique>0x1'
            f'</unique><tid>1</tid><kind>{escape(rule)}</kind>\n<what>'
            f'{escape(message)}</what>\n<stack><frame><ip>0x1</ip><fn>f</fn>'
            f'<file>{escape(path)}</file><line>{line}</line></frame></stack>'
            '</error>\n<status><state>FINISHED</state><time>2</time></status>'
            '\n</valgrindoutput>\n')


def plist(path, line, column, rule, message):
    return ('<?xml version="1.0"?>\n<plist version="1.0">\n<dict>\n'
            '<key>clang_version</key><string>clang 14</string>\n'
            f'<key>files</key><array><string>{escape(path)}</string></array>\n'
            '<key>diagnostics</key><array><dict><key>path</key><array/>\n'
            f'<key>description</key><string>{escape(message)}</string>\n'
            f'<key>check_name</key><string>{escape(rule)}</string>\n'
            f'<key>location</key><dict><key>line</key><integer>{line}'
            f'</integer><key>col</key><integer>{column}</integer>'
            '<key>file</key><integer>0</integer></dict></dict></array>\n'
            '</dict>\n</plist>\n')


def pdr(path, line, column, rule, message):
    return ('<?xml version="1.0"?>\n<diags>\n<diag><message><sc_verbose>'
            f'{escape(path)}({line}): warning #{escape(rule)}: '
            f'{escape(message)}</sc_verbose>\n<thread><stacktrace><loc><file>'
            f'{escape(path)}</file><line>{line}</line></loc></stacktrace>'
            '</thread></message></diag>\n</diags>\n')


def checkstyle(path, line, column, rule, message):
    return ('<?xml version="1.0"?>\n<checkstyle version="4.3">\n<file name='
            f'{quoteattr(path)}>\n<error line="{line}" column="{column}" '
            f'severity="warning" message={quoteattr(message)} source='
            f'{quoteattr(rule)}/>\n</file>\n</checkstyle>\n')


def sarif(path, line, column, rule, message):
    return ('{"version": "2.1.0", "$schema": "sarif-2.1.0.json", "runs": [\n'
            '{"tool": {"driver": {"name": "x"}}, "results": [\n{"ruleId": '
            f'{json.dumps(rule)}, "message": {{"text": {json.dumps(message)}'
            '}, "locations": [{"physicalLocation": {"artifactLocation": '
            f'{{"uri": {json.dumps(path)}}}, "region": {{"startLine": {line}, '
            f'"startColumn": {column}}}}}}}]}}]}}]}}\n')


def gcc_json(path, line, column, rule, message):
    return (f'[{{"kind": "warning", "message": {json.dumps(message)}, '
            f'"option": {json.dumps(rule)}, "children": [], "locations": '
            f'[{{"caret": {{"file": {json.dumps(path)}, "line": {line}, '
            f'"column": {column}}}}}]}}]\n')


def gcc(path, line, column, rule, message):
    return (f"{path}: In function 'f':\n{path}:{line}:{column}: warning: "
            f"{message} [{rule}]\n")


def clang(path, line, column, rule, message):
    return (f"{path}:{line}:{column}: warning: {message} [{rule}]\n"
            "1 warning generated.\n")


def clang_tidy(path, line, column, rule, message):
    return f"{path}:{line}:{column}: warning: {message} [{rule}]\n"


def sanitizer(path, line, column, rule, message):
    return f"{path}:{line}:{column}: runtime error: {message}\n"


def msvc(path, line, column, rule, message):
    return f"{path}({line},{column}): warning {rule}: {message}\n"


def flawfinder(path, line, column, rule, message):
    return ("Flawfinder version 2.0.19, (C) 2001-2019 David A. Wheeler.\n"
            "Number of rules (primarily dangerous function names) in C/C++ "
            f"ruleset: 222\nExamining {path}\n\nFINAL RESULTS:\n\n"
            f"{path}:{line}:{column}:  [4] (buffer) {rule}:\n  {message}\n\n"
            "ANALYSIS SUMMARY:\n\nHits = 1\n")


RULES = {"gcc": "-Wall", "clang": "-Wall", "clang-tidy": "bugprone-x",
         "gcc-json": "-Wall", "msvc": "C4996", "pdr": "12178",
         "flawfinder": "strcpy", "sanitizer": "undefined-behavior"}
MAKERS = {"cppcheck-xml": cppcheck_xml, "valgrind-xml": valgrind_xml,
          "plist": plist, "pdr": pdr, "checkstyle": checkstyle,
          "sarif": sarif, "gcc-json": gcc_json, "sanitizer": sanitizer,
          "flawfinder": flawfinder, "msvc": msvc, "clang-tidy": clang_tidy,
          "clang": clang, "gcc": gcc}
XML = ("cppcheck-xml", "valgrind-xml", "plist", "pdr", "checkstyle")
JSON = ("sarif", "gcc-json")
TEXT = ("sanitizer", "flawfinder", "msvc", "clang-tidy", "clang", "gcc")


def sample(name, path="a.c", line="7", column="3", rule=None,
           message="m of it"):
    """A report in the format of that name; the numbers are put in as they
    are."""
    return MAKERS[name](path, line, column, rule or RULES.get(name, "rule"),
                        message).encode()
