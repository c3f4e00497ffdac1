"""Holds three tables against what they speak of: Tests/Requirements/SDKMapping.csv says where each item of the SDK documents is in code,
Tests/Requirements/SecuritySentences.csv which tests show each sentence on security, and Tests/Requirements/Contradictions.csv which tests
show how each contradiction of the documents is settled.

- With ASSAY_SDK_DOCS, a folder that has the documents: every method, parameter, result, key, rule and error code that one of them declares
  where it speaks of what all flows share, or of SMS, is in the table, at its line.
- Docs/Flows.md says of every type of the documents in which file of Legacy/ it is.
- A code that an endpoint answers, by Docs/openapi.json, has the test that provokes it, and any other is marked `catalogue only`.
- Every symbol compiles against the release build.
- No sentence and no contradiction is left out.
- Every test that is named ran: in the results that the unit stages leave in `.build/test`.

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

root = pathlib.Path(__file__).parent.parent.parent
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
    re.compile(r"URL Scheme: |LSApplicationQueriesSchemes|applinks:|theme will be overwritten|depends on the backend|status=.*type=wechat"),
    # The document on one-click login, whose code has numbered lines.
    re.compile(r"^\s+\d+\. (?:[+-] \(|(?://)?modelNew\.\w+ =|\* (?:参数:phoneNumber|resultCode|msg|token)|(?:vc|model|timeout):)"),
    re.compile(r"\[\[TXCommonHandler|:TX_\w+\]|^  • (?:\d{4},|调用|\(可选)|默认3\.0|SDK版本号;|接口默认包含|4G或者4G|^    • "),
    # The documents on the biometric second factor: their codes, parameters and replies.
    re.compile(r"^(\| )?(checkFcode|statuscode|bindscode|code|gencode|signdcode)="),
    re.compile(r"^(idToken|userID|userid|randomStr|signStr|signedStr|publicKey)\s?[::]|^(Input parameters?|入参)[::]\s*\S|publicKey ?\("),
    re.compile(r'^\s*"(random|clientId|clientName|data|message|code)"\s?:|Face ID Usage|Error return is code=0|错误返回是code=0'),
    re.compile(r"Authentication Policies\.|认证策略|evaluatePolicy|Login expired|登录失效"),
    re.compile(r"-+>\s?Applications|-->应用|didFinishLaunchingWithOptions|international number support|without verification"),
]
HEADINGS = re.compile(r"^\| (code|statuscode|code\(NSString\)) \| (Description|data) \|")
# Where a document has tables without bars: their rows go on until a blank line.
TABLE = re.compile(r"^(code\(NSString\) data|Parameter Name|Code Description$|Property Description$)")

# The parts of each document: from a line that begins with the one text until one that begins with the other, or the end.
SHARED = {
    "sms-login.en.txt": [("", None)],
    "wechat-login.en.txt": [("", None)],
    "biometric-mfa.en.txt": [("", None)],
    "biometric-mfa.zh.txt": [("", None)],
    "one-click-login.zh.txt": [("", None)],
}

# The types and constants of the SDKs, and those that belong to the documents' samples.
DOCUMENTED = re.compile(
    r"(?<![A-Za-z_])(?:BC[A-Z]\w*?(?:Manager|Handler|Block|Setting|Utils|DEFAULTS)|TX_?[A-Z][A-Za-z_]+|wechatSlideSMSSendType)(?![A-Za-z])")
SAMPLES = {"BCAlertPopManager", "BCIDACommonStringUtils", "BCIDADEFAULTS", "TXNumberCheckViewController", "TX_SCREEN_WIDTH"}

# Codes that an endpoint answers have this test, which provokes each; the others are in the catalogue alone, and marked so.
PROVOKING = "IDaaSServerTests.RefusalTests/eachRefusalHasItsCodeAndText"
UNPROVOKED = "catalogue only"

# Every sentence but 41, which is about keys in Apple's Secure Enclave: that code is compiled here, and cannot run.
SENTENCES = {*range(1, 57)} - {41}

# The contradictions of the documents, which the flows settle.
CONTRADICTIONS = set(range(1, 41))


def table(name):
    with open(root / "Tests/Requirements" / name, newline="") as file:
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


def legacy_is_listed(folder):
    """Docs/Flows.md says for each type and constant of the documents in which file of Legacy/ it is."""
    legacy = root / "Sources/IDaaSFlows/Legacy"
    listed = dict(re.findall(r"^\| `(\w+)` \| \[(\w+\.swift)\]", (root / "Docs/Flows.md").read_text(), re.MULTILINE))
    for name, file in listed.items():
        declaration = re.compile(rf"^public (?:final )?(?:class|enum|typealias|let) {name}\b", re.MULTILINE)
        if not (legacy / file).exists() or not declaration.search((legacy / file).read_text()):
            failures.append(f"Docs/Flows.md: {name} is not in {file}")
    for name in {path.stem for path in legacy.glob("*.swift") if DOCUMENTED.fullmatch(path.stem)} - set(listed):
        failures.append(f"Docs/Flows.md does not list {name}")
    for document in SHARED if folder else []:
        for name in set(DOCUMENTED.findall((pathlib.Path(folder) / document).read_text())) - SAMPLES - set(listed):
            failures.append(f"Docs/Flows.md does not list {name}, of {document}")


def is_applicable(row):
    return not row["symbol"].startswith("not applicable")


def compile_symbols(rows):
    lines = ["import IDaaSFlows", "import IDaaSWire", "import JWTCore", "func symbols() throws {"]
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
    results = sorted((root / ".build/test").glob("unit_*.xml"))
    if not results:
        failures.append("there are no test results: scripts/test.sh unit_computing unit_waiting")
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
legacy_is_listed(documents)
compile_symbols(rows)
codes_are_marked(rows)
for number in SENTENCES - {int(sentence["number"]) for sentence in sentences}:
    failures.append(f"sentence {number} has no test")
contradictions = table("Contradictions.csv")
for number in CONTRADICTIONS - {int(contradiction["number"]) for contradiction in contradictions}:
    failures.append(f"contradiction {number} has no test")
tests_ran(
    [(f"contradiction {row['number']}", row["test"]) for row in contradictions if not row["test"].startswith("not applicable")]
    + [(row["id"], row["test"]) for row in rows if is_applicable(row)]
    + [(f"sentence {sentence['number']}", sentence["test"]) for sentence in sentences])
for failure in failures:
    print("FAIL", failure)
print(f"{len(rows)} items, {sum(map(is_applicable, rows))} with a symbol, {len(SENTENCES)} sentences, {len(failures)} failures")
sys.exit(bool(failures))
