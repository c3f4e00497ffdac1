"""Holds two tables against what they speak of: Docs/SDKMapping.csv says where each item of the SDK documents is in the code, and
Docs/SecuritySentences.csv which tests show each sentence on security.

- With ASSAY_SDK_DOCS, a folder that has the documents: every method, parameter, result and error code that one of them declares is in the
  table, at its line.
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

# What the documents declare: methods, parameters of methods, rows of results and of keys, error codes.
ITEMS = [
    re.compile(r"^[+-]\s?\(.*\)\s*\w+"),
    re.compile(r"^\*\s?@\s?param\s*(?!None|No |:|$)\w"),
    re.compile(r"^\| code=\d+ \|"),
    re.compile(r"^\| \d{1,3} \| (?!IDAAS)"),
    re.compile(r"^\| [a-z]\w+ \| "),
    re.compile(r"^\| \d{3} \| IDAAS"),
]
HEADINGS = re.compile(r"^\| (code|code\(NSString\)) \|")


# What the server and the SMS flow promise; the others are those of flows that are not there yet.
SENTENCES = {*range(1, 17), *range(28, 38), *range(49, 57)}


def table(name):
    with open(root / "Docs" / name, newline="") as file:
        return list(csv.DictReader(file))


def covers_documents(rows, folder):
    for name in sorted({row["document"] for row in rows}):
        lines = (pathlib.Path(folder) / name).read_text().split("\n")
        covered = {int(row["line"]) for row in rows if row["document"] == name}
        for number, line in enumerate(lines, 1):
            if number not in covered and any(item.match(line) for item in ITEMS) and not HEADINGS.match(line):
                failures.append(f"{name}:{number} is not in the table: {line[:80]}")
        for row in rows:
            if row["document"] == name and int(row["line"]) > len(lines):
                failures.append(f"{row['id']}: {name} has no line {row['line']}")


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
for number in SENTENCES - {int(sentence["number"]) for sentence in sentences}:
    failures.append(f"sentence {number} has no test")
tests_ran(
    [(row["id"], row["test"]) for row in rows if is_applicable(row)]
    + [(f"sentence {sentence['number']}", sentence["test"]) for sentence in sentences])
for failure in failures:
    print("FAIL", failure)
print(f"{len(rows)} items, {sum(map(is_applicable, rows))} with a symbol, {len(SENTENCES)} sentences, {len(failures)} failures")
sys.exit(bool(failures))
