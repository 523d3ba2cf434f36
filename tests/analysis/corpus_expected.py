# SPDX-License-Identifier: MIT
"""What upstream projects expect of the corpus's reports.

rows(corpus) yields an Expectation a report: the findings that its makers, or a
converter of theirs, see in it. counts(corpus) yields those of which only the
number is known. Paths of reports are relative to the corpus."""
import collections
import csv
import json
import os
import plistlib
import re

import corpus_compare

MODEL = "jenkinsci-analysis-model/src/test/resources/edu/hm/hafner/analysis"
STEPS = ("jenkinsci-warnings-ng-plugin/plugin/src/test/resources/io/jenkins/"
         "plugins/analysis/warnings/steps")
SONAR = ("SonarOpenCommunity-sonar-cxx/cxx-sensors/src/test/resources/org/"
         "sonar/cxx/sensors/reports-project")
CHECKER = ("Ericsson-codechecker/tools/report-converter/tests/unit/analyzers/")
SDK = "microsoft-sarif-sdk/src/"
CONVERTER = SDK + "Test.UnitTests.Sarif.Converters/TestData/"
CSGREP = "csutils-csdiff/tests/csgrep/"
CSLINKER = "csutils-csdiff/tests/cslinker/0002-xml-parser/"
STUDIO = ("jerryzhao173985-cppcheck-studio/legacy/github-artifacts/"
          "test-analysis-results/")

# tests of the analysis model whose format is one of ours; None: sniffed
PARSERS = {"GccParserTest": "gcc", "Gcc4CompilerParserTest": "gcc",
           "Gcc4CommonParserTest": "gcc", "Gcc4CC1ParserTest": "gcc",
           "Gcc4Cc1ParserTest": "gcc", "Gcc4LinkerParserTest": "gcc",
           "GnuFortranParserTest": "gcc", "GnatParserTest": "gcc",
           "ClangParserTest": "clang", "ClangTidyParserTest": "clang-tidy",
           "MsBuildParserTest": "msvc", "CodeAnalysisParserTest": "msvc",
           "IntelParserTest": "msvc", "CppCheckAdapterTest": None,
           "SarifAdapterTest": None}
ERRORFORMATS = {"clippy": "gcc", "scalac": "gcc", "tsc": "msvc"}
# cases of csgrep whose input is a compiler's, cppcheck's or shellcheck's text
TEXT_CASES = ("0006", "0016", "0018", "0025", "0032", "0042", "0043", "0051",
              "0052", "0057", "0060", "0063", "0097")
JSON_CASES = ("0083", "0094", "0095", "0108", "0125")
# reports of CodeChecker's tests, and what they are converted to
CONVERTED = {
    "tidy": ("clang-tidy", {
        "tidy1.out": ["tidy1"], "tidy2.out": ["tidy2"],
        "tidy3.out": ["tidy3_cpp", "tidy3_hh"],
        "tidy3-clang17.out": ["tidy3_cpp", "tidy3_hh"],
        "tidy7.out": ["tidy7"]}),
    "ubsan": ("sanitizer", {
        "ubsan1.out": ["ubsan1"], "ubsan2.out": ["ubsan2"],
        "ubsan1_nonmatching_msg.out": ["ubsan1_nonmatching_msg"]}),
    "tsan": ("sanitizer", {"tsan.out": ["tsan"]}),
    "sparse": ("gcc", {"sample.out": ["sample.c.expected",
                                      "sample.h.expected"]}),
    "gcc": (None, {"double_free.cpp.sarif": ["double_free.expected"]}),
    "cppcheck": (None, {"out/divide_zero.plist": ["divide_zero.expected"]}),
}
# SARIF logs that the SDK's commands copy, with their results unchanged
COPIED = {
    SDK + "Test.UnitTests.Sarif/TestData/RoundTripping/Inputs/"
    "InvocationOverridesRuleDefaultConfigurationOfError.sarif":
    "../ExpectedOutputs/"
    "InvocationOverridesRuleDefaultConfigurationOfError.sarif",
    SDK + "Test.UnitTests.Sarif/TestData/GitHubIngestionVisitor/Inputs/"
    "ThreadFlowLocations.sarif": "../ExpectedOutputs/ThreadFlowLocations.sarif",
    SDK + "Test.UnitTests.Sarif.Multitool.Library/TestData/MergeCommand/Inputs/"
    "FileNameOnlyWithoutPath.sarif":
    "../ExpectedOutputs/FileNameOnlyWithoutPath.sarif",
    SDK + "Test.UnitTests.Sarif.Multitool.Library/TestData/RebaseUriCommand/"
    "Inputs/RunWithArtifacts.sarif":
    "../ExpectedOutputs/RunWithArtifacts.sarif",
    SDK + "Test.FunctionalTests.Sarif/TestData/Partitioning/Partition/Inputs/"
    "Partition.sarif": "../ExpectedOutputs/TrivialPartitionFunction.sarif",
}

# Why some differ: what their paths end in, and the reason.
REASONS = [
    (r"/tsan\.out", "CodeChecker names the outer frame, we the innermost in "
     "the user's code"),
    (r"/CppCheck_issueLog1_raw\.xml", "the converter takes the last location "
     "of several, or the longer text; cppcheck's first is the finding's"),
    (r"/MSBuildConverter/Inputs/ValidResults\.ERR", "`err`, `NOTE` and `WRN` "
     "are no words of MSBuild's own"),
]
COUNT_REASONS = [
    (r"/issue(31936|73509|55221|56613\S*|4932|4731|64614)\.txt"
     r"|/gcc-clang-tidy-mixed\.txt|/GnuFortran(Warning)?\.txt",
     "upstream's parser takes one kind of line, or one tool's, of several"),
    (r"/issue(5605|5606|4707|20154)\.txt|/security-scan\.sarif"
     r"|/cpd\.report-duplicates\.txt",
     "upstream drops what it has seen before; we count it"),
    (r"/issue4712\.txt", "a note is a part of its warning, not a finding"),
    (r"/issue26441\.txt", "a unit test's failure, written like an error"),
    (r"/suppressed-sarif\.json", "upstream drops what is suppressed; we mark "
     "it"),
    (r"/sarif/flawfinder\.sarif|/Baseline\.sarif", "a result that passed or "
     "is absent is no finding"),
]

Row = collections.namedtuple("Row", "path line rule message")
# form: the reader that upstream's choice of parser stands for, None: sniffed
Expectation = collections.namedtuple("Expectation", "by path form rows")
Count = collections.namedtuple("Count", "by path form count why")


def table(corpus, name):
    with open(os.path.join(corpus, "EXPECTED", name), encoding="utf-8",
              newline="") as file:
        return list(csv.DictReader(file, delimiter="\t",
                                   quoting=csv.QUOTE_NONE))


def reason(reasons, path):
    return next((why for pattern, why in reasons
                 if re.search("(?:%s)$" % pattern, path)), "not explained")


def manifest(corpus):
    with open(os.path.join(corpus, "MANIFEST.tsv"), encoding="utf-8",
              newline="") as file:
        return list(csv.DictReader(file, delimiter="\t",
                                   quoting=csv.QUOTE_NONE))


def load(*parts):
    with open(os.path.join(*parts), encoding="utf-8-sig") as file:
        return json.load(file)


# ---- expectations ----------------------------------------------------------

def model_rule(test, row):
    """What of a category is a rule: not "GCC_WARNING" or "Deprecation"."""
    name = row["category"].split(",")[0]
    if test in ("CodeAnalysisParserTest", "CppCheckAdapterTest",
                "SarifAdapterTest"):
        return "" if row["type"] == "-" else row["type"]
    if test.startswith("Gcc4"):
        return name if name[:1].islower() else ""
    if test == "ClangParserTest":
        return name if name.startswith("-") else ""
    if test == "IntelParserTest":
        return re.sub(r"^\w+ #?", "", name) if "#" in name else ""
    if test in ("ClangTidyParserTest", "MsBuildParserTest"):
        return name
    return ""


def model_path(corpus, path):
    if os.path.exists(os.path.join(corpus, path)):
        return path
    return os.path.join(STEPS, os.path.basename(path))


def is_there(corpus, path, message):
    """Some upstream tests are of text that is in no file."""
    if not os.path.exists(os.path.join(corpus, path)):
        return False
    with open(os.path.join(corpus, path), "rb") as file:
        text = file.read().decode(errors="replace")
    words = re.sub(r"[\W_]+", "", text).lower()
    return corpus_compare.plain(message)[:12] in words


def model(corpus):
    found = collections.OrderedDict()
    for row in table(corpus, "analysis-model.tsv"):
        test = row["test"].split(".")[0]
        path = model_path(corpus, row["path"])
        # some tests look at a file's name, or a line, alone
        if test not in PARSERS or \
                not (row["line"] or row["message"] or row["file"]) or \
                not is_there(corpus, path, row["message"]):
            continue
        # a constant that the row names, but does not hold
        file = None if row["file"] == "secondaryFile" else row["file"]
        found.setdefault((path, PARSERS[test]), []).append(
            Row(file, int(row["line"] or 0), model_rule(test, row),
                row["message"]))
    for (path, form), rows in found.items():
        yield Expectation("analysis-model", path, form, rows)


def errorformat(corpus):
    base = "reviewdog-errorformat/fmts/testdata/"
    for case, form in ERRORFORMATS.items():
        rows = []
        with open(os.path.join(corpus, base + case + ".ok"),
                  encoding="utf-8") as file:
            for line in file:
                wanted = re.match(r"(.+)\|(\d+)[^|]*\| (.*)", line)
                if wanted:
                    rows.append(Row(wanted[1], int(wanted[2]), "", wanted[3]))
        yield Expectation("errorformat", base + case + ".in", form, rows)


def event_rule(event):
    return event.partition("[")[2].rstrip("]")


def csgrep_rows(text):
    """The key events of csgrep's output, in JSON or in its text."""
    if text.lstrip("\ufeff").startswith("{"):
        for defect in json.loads(text).get("defects", []):
            event = defect["events"][defect["key_event_idx"]]
            yield Row(event["file_name"], event["line"],
                      event_rule(event["event"]), event["message"])
        return
    head = False
    for line in text.splitlines():
        event = re.match(r"([^:#]+):(\d+)(?::\d+)?: ([^:]+?): (.*)", line)
        if head and event:
            yield Row(event[1], int(event[2]), event_rule(event[3]), event[4])
        head = line.startswith("Error: ") or (head and not event)


def csgrep(corpus):
    for case in sorted(os.listdir(os.path.join(corpus, CSGREP))):
        if not case.startswith(TEXT_CASES + JSON_CASES) or \
                not case.endswith("-stdout.txt"):
            continue
        with open(os.path.join(corpus, CSGREP, case), encoding="utf-8",
                  errors="replace") as file:
            rows = list(csgrep_rows(file.read()))
        form = "gcc" if case.startswith(TEXT_CASES) else None
        if case.startswith("0097"):
            log = load(corpus, CSGREP, case)
            rows = list(sarif_rows(log))
        yield Expectation("csgrep", CSGREP + case.replace("stdout", "stdin"),
                          form, rows)


def cslinker(corpus):
    """Three reports become one result: a row is of the report that has its
    words."""
    rows = list(csgrep_rows(json.dumps(load(corpus, CSLINKER,
                                            "scan-results.json"))))
    for name in ("pid-690565-2.xml", "xxx.xml", "xxx2.xml"):
        path = CSLINKER + "raw-results/" + name
        part = [row for row in rows if is_there(corpus, path, row.message)]
        rows = [row for row in rows if row not in part]
        yield Expectation("csgrep", path, None, part)


def plist_rows(path, has_rules):
    with open(path, "rb") as file:
        report = plistlib.load(file)
    for one in report["diagnostics"]:
        place = one["location"]
        yield Row(report["files"][place["file"]], place["line"],
                  one.get("check_name", "") if has_rules else "",
                  one["description"])


def codechecker(corpus):
    for folder, (form, cases) in CONVERTED.items():
        base = CHECKER + folder + "_output_test_files/"
        for name, goldens in cases.items():
            rows = []
            for golden in goldens:
                # a sanitizer's kinds are one rule to it
                rows += plist_rows(
                    os.path.join(corpus, base, golden + ".plist"),
                    form in ("clang-tidy", None) and folder != "cppcheck")
            yield Expectation("CodeChecker", base + name, form, rows)


def sarif_rows(log):
    for run in log["runs"]:
        for result in run.get("results", []):
            place = (result.get("locations") or [{}])[0].get(
                "physicalLocation", {})
            yield Row(place.get("artifactLocation", {}).get("uri"),
                      place.get("region", {}).get("startLine", 0),
                      result.get("ruleId", ""),
                      result.get("message", {}).get("text", ""))


def sdk(corpus):
    base = SDK + "Test.FunctionalTests.Sarif/v2/ConverterTestData/"
    for folder in ("ClangAnalyzer", "CppCheck"):
        for name in sorted(os.listdir(os.path.join(corpus, base, folder))):
            if not name.endswith(".xml.sarif"):
                continue
            rows = list(sarif_rows(load(corpus, base, folder, name)))
            if folder == "ClangAnalyzer":
                # its rule is the type, ours the checker
                rows = [row._replace(rule="") for row in rows]
            yield Expectation("SARIF SDK", "%s%s/%s" % (base, folder,
                                                        name[:-6]),
                              None, rows)
    # its rules are flawfinder's own; of MSBuild it has no places
    for tool, name, form in (("FlawFinder", "ValidResults.csv", None),
                             ("MSBuild", "ValidResults.ERR", "msvc")):
        folder = CONVERTER + tool + "Converter/"
        log = load(corpus, folder, "ExpectedOutputs/ValidResults.sarif")
        # its message has the category and the name before the words
        rows = [row._replace(message=re.sub(r"^\w+/\w+: ", "", row.message))
                for row in sarif_rows(log)]
        yield Expectation("SARIF SDK", folder + "Inputs/" + name, form, rows)
    for path, golden in COPIED.items():
        log = load(corpus, os.path.dirname(path), golden)
        yield Expectation("SARIF SDK", path, None, list(sarif_rows(log)))


def studio(corpus):
    issues = load(corpus, STUDIO, "analysis.json")["issues"]
    yield Expectation("cppcheck-studio", STUDIO + "cppcheck-results.xml", None,
                      [Row(one.get("file"), int(one.get("line") or 0),
                           one["id"], one["message"]) for one in issues])


def rows(corpus):
    for source in (model, errorformat, csgrep, cslinker, codechecker, sdk,
                   studio):
        yield from source(corpus)


# ---- bare counts -----------------------------------------------------------

def model_counts(corpus):
    counted = {}
    for row in table(corpus, "analysis-model.tsv"):
        test = row["test"].split(".")[0]
        path = model_path(corpus, row["path"])
        # another project's file of that name is another text
        if test not in PARSERS or not row["total_issues"].isdigit() or \
                path.startswith(STEPS) or \
                not os.path.exists(os.path.join(corpus, path)):
            continue
        counted.setdefault((path, PARSERS[test]), int(row["total_issues"]))
    for (path, form), count in counted.items():
        yield Count("analysis-model", path, form, count, "")


def sonar_counts(corpus):
    for row in table(corpus, "sonar-cxx.tsv"):
        name = next(iter(row.values()))
        path = SONAR + "/" + name
        if row["issues_reported"].isdigit() and \
                os.path.exists(os.path.join(corpus, path)):
            yield Count("sonar-cxx", path, None, int(row["issues_reported"]),
                        row["test"].split(".")[-1])


def empty_counts(corpus):
    """Converted to a report without a finding."""
    for folder in ("tidy", "ubsan"):
        for name in ("empty1.out", "empty2.out"):
            yield Count("CodeChecker", "%s%s_output_test_files/%s"
                        % (CHECKER, folder, name), None, 0, "")
    for name in ("FlawFinderConverter/Inputs/Empty.csv",
                 "FlawFinderConverter/Inputs/OnlyHeaderLine.csv",
                 "MSBuildConverter/Inputs/Empty.ERR"):
        yield Count("SARIF SDK", CONVERTER + name, None, 0, "")


def fact_counts(corpus):
    """What an independent parser counted when the corpus was made."""
    for row in manifest(corpus):
        facts = row["facts_by_independent_parser"] or ""
        found = re.search(r"\b(results|errors|diagnostics)=(\d+)", facts)
        if row["role"] == "input" and found and "parse=ok" in facts:
            yield Count("the corpus's own parser", row["path"], None,
                        int(found[2]), "")


def counts(corpus):
    for source in (model_counts, sonar_counts, empty_counts, fact_counts):
        yield from source(corpus)
