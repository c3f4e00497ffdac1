"""Holds two tables against what they speak of: Docs/SDKMapping.csv says where each item of the SDK documents is in the code, and
Docs/SecuritySentences.csv which tests show each sentence on security.

- With ASSAY_SDK_DOCS, a folder that has the documents: every method, parameter, result, key, rule and error code that one of them declares
  where it speaks of what all flows share, or of SMS, is in the table, at its line.
- A code that an endpoint answers, by Docs/openapi.json, has the test that provokes it, and any other is marked `catalogue only`.
- Every symbol compiles against the release build.
- No sentence is left out.
- Every test that is named ran: in the results of `swift test`, `.build/unit-….xml`.

Usage: mapping.py [BUILD]; BUILD is .build/release unless given.
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

root = pathlib.Path(__file__).parent.parent
build = root / (sys.argv[1] if len(sys.argv) > 1 else ".build/release")
failures = []

# What the documents declare: methods, parameters of methods, rows of results and of keys, error codes, keys and defaults of examples, rules,
# and what a build needs.
ITEMS = [
    re.compile(r"^[+-]\s?\(.*\)\s*\w+"),
    re.compile(r"^\s*\*\s?@\s?param\s*(?!None|No |无|:|$)\w"),
    re.compile(r"^(\| )?code=\d+( \||$)"),
    re.compile(r"^\| \d{1,3} \| (?!IDAAS)"),
    re.compile(r"^\| [a-z]\w+ \| "),
    re.compile(r"IDAAS\.SDK\.[A-Z]+\.\d{4}"),
    re.compile(r'^\s*"(mobileRegex|preferredAreaCode|nbf|id_token|session_token|expire)"\s?:'),
    re.compile(r"^\s*\[+BCIDA\w+ "),
    re.compile(r"^(AuthnCenter_|pod '|#import <AuthnCenter_)|EllipticCurveKeyPair|Allow Non-modular"),
    re.compile(r"-ObjC|(?i:bitcode)|Arbitrary Loads|ATS|minimum .*version|最低版本"),
    re.compile(r"-+>\s?Applications|-->应用|didFinishLaunchingWithOptions|international number support|without verification"),
]
HEADINGS = re.compile(r"^\| (code|code\(NSString\)) \|")
# Where a document has tables without bars: their rows go on until a blank line.
TABLE = re.compile(r"^(code\(NSString\) data|Parameter Name) ")

# What each document has in common with the others, and the whole of the SMS document: from a line that begins with the one text until one
# that begins with the other, or the end. The rest belongs to a flow that is not there yet.
SHARED = {
    "sms-login.en.txt": [("", None)],
    "wechat-login.en.txt": [
        ("# Obtain clientID", "# Configure Authentication Source"),
        ("# Adding Main Libraries", "# Development Integration"),
        ("# SDK Initialization", "In AppDelegate, the following methods receive callbacks from WeChat"),
        ("Introduction to the main class BCIDACommonManager", "Introduction to BCWechatManager"),
        ("# SDK Initialization", "# WeChat Login Method"),
        ("Mobile Number Regex Validation", "Slider Verification"),
        ("# IDToken Verification", None),
    ],
    "biometric-mfa.en.txt": [
        ("# Obtain clientID", "# Enable Secondary Authentication"),
        ("# Import Dependencies", "# Info.plist Settings"),
        ("# SDK Initialization", "# Query Whether Phone Uses"),
        ("# SDK Initialization", "# Device Binding Status Query API"),
        ("# Return Codes", None),
    ],
    "biometric-mfa.zh.txt": [
        ("# 获取clientID", "# 开启二次认证"),
        ("# 引入依赖包", "# Info.plist设置"),
        ("# SDK初始化", "# 查询手机是"),
        ("# SDK初始化", "# 查询设备绑定状态API"),
        ("# 返回码", None),
    ],
    "one-click-login.zh.txt": [("项目设置", "主接口简介")],
}

# Codes that an endpoint answers have this test, which provokes each; the others are in the catalogue alone, and marked so.
PROVOKING = "IDaaSServerTests.RefusalTests/refused"
UNPROVOKED = "catalogue only"

# What the server and the SMS flow promise; the others are those of flows that are not there yet.
SENTENCES = {*range(1, 17), *range(28, 38), *range(49, 57)}


def table(name):
    with open(root / "Docs" / name, newline="") as file:
        return list(csv.DictReader(file))


def shared_lines(name, lines):
    """The numbers of the lines that `SHARED` names, from 1."""
    numbers, next_line = [], 0
    for beginning, end in SHARED[name]:
        start = next((n for n in range(next_line, len(lines)) if lines[n].startswith(beginning)), None)
        if start is None:
            failures.append(f"{name} has no line that begins with {beginning!r}")
            return numbers
        next_line = next((n for n in range(start + 1, len(lines)) if end and lines[n].startswith(end)), len(lines))
        if end and next_line == len(lines):
            failures.append(f"{name} has no line that begins with {end!r} behind {beginning!r}")
        numbers += range(start + 1, next_line + 1)
    return numbers


def items(name, lines):
    """The number and text of each line that declares something."""
    in_table = False
    for number in shared_lines(name, lines):
        line = lines[number - 1]
        is_row = in_table and bool(line.strip())
        in_table = is_row or bool(TABLE.match(line))
        if (is_row or any(item.search(line) for item in ITEMS)) and not HEADINGS.match(line):
            yield number, line


def covers_documents(rows, folder):
    for name in SHARED:
        lines = (pathlib.Path(folder) / name).read_text().split("\n")
        covered = {int(row["line"]) for row in rows if row["document"] == name}
        for number, line in items(name, lines):
            if number not in covered:
                failures.append(f"{name}:{number} is not in the table: {line[:80]}")
        for row in (row for row in rows if row["document"] == name):
            if int(row["line"]) > len(lines):
                failures.append(f"{row['id']}: {name} has no line {row['line']}")
            elif code_of(row) and code_of(row) not in lines[int(row["line"]) - 1]:
                failures.append(f"{row['id']}: {name}:{row['line']} is about something else")
    for row in rows:
        if row["document"] not in SHARED:
            failures.append(f"{row['id']}: {row['document']} is no document")


def code_of(row):
    """The error code that a line is about, if any."""
    code = re.search(r"(?:^|\.)code\.([A-Z]+\.\d{4})$", row["id"])
    return code and "IDAAS.SDK." + code[1]


def codes_are_marked(rows):
    """A code is provoked by a test exactly if the OpenAPI document has an endpoint that answers it."""
    answered = set(re.findall(r'^\s*"(IDAAS\.SDK\.[A-Z]+\.\d{4})",?$', (root / "Docs/openapi.json").read_text(), re.MULTILINE))
    for row in (row for row in rows if code_of(row)):
        is_answered = code_of(row) in answered
        if is_answered == (row["mark"] == UNPROVOKED):
            failures.append(f"{row['id']}: {'an endpoint answers it' if is_answered else 'no endpoint answers it'}, by Docs/openapi.json")
        if is_answered == (row["test"] != PROVOKING):
            failures.append(f"{row['id']}: {row['test']} is the test of {'no ' if is_answered else ''}codes that an endpoint answers")


def is_applicable(row):
    return not row["symbol"].startswith("not applicable")


def compile_symbols(rows):
    lines = ["import IDaaSFlows", "import JWTCore", "func symbols() throws {"]
    for row in rows:
        if is_applicable(row):
            lines.append(f"    _ = {row['symbol']}  // {row['id']}")
    maps = [root / "Sources/CJansson/module.modulemap", *build.glob("*.build/module.modulemap")]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "symbols.swift"
        source.write_text("\n".join([*lines, "}"]))
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-I", str(build / "Modules")]
        for map in maps:
            command += ["-Xcc", f"-fmodule-map-file={map}"]
        result = subprocess.run([*command, str(source)], capture_output=True, text=True)
        for line in result.stderr.splitlines():
            place = re.search(r"symbols\.swift:(\d+):\d+: error: (.*)", line)
            if place:
                failures.append(f"{lines[int(place[1]) - 1].split('// ')[-1]}: {place[2]}")
        if result.returncode and not failures:
            failures.append(result.stderr[:500])


def tests_ran(named):
    results = sorted((root / ".build").glob("unit-*-swift-testing.xml"))
    if not results:
        failures.append("there are no test results: scripts/test.sh unit")
        return
    ran = set()
    for case in (case for result in results for case in xml.etree.ElementTree.parse(result).iter("testcase")):
        # What needs the documents is skipped without them.
        if not list(case) or case.find("skipped") is not None and not documents:
            ran.add(f"{case.get('classname')}/{case.get('name').split('(')[0]}")
    for name, test in named:
        if test not in ran:
            failures.append(f"{name}: the test {test or '(none)'} did not run, or failed")


rows = table("SDKMapping.csv")
sentences = table("SecuritySentences.csv")
if len({row["id"] for row in rows}) != len(rows):
    failures.append("an id stands twice")
documents = os.environ.get("ASSAY_SDK_DOCS")
if documents:
    covers_documents(rows, documents)
else:
    print("the documents are not looked at: set ASSAY_SDK_DOCS to their folder")
compile_symbols(rows)
codes_are_marked(rows)
for number in SENTENCES - {int(sentence["number"]) for sentence in sentences}:
    failures.append(f"sentence {number} has no test")
tests_ran(
    [(row["id"], row["test"]) for row in rows if is_applicable(row)]
    + [(f"sentence {sentence['number']}", sentence["test"]) for sentence in sentences])
for failure in failures:
    print("FAIL", failure)
print(f"{len(rows)} items, {sum(map(is_applicable, rows))} with a symbol, {len(SENTENCES)} sentences, {len(failures)} failures")
sys.exit(bool(failures))
