"""The variables of the environment that our sources read."""
import re

from activation import MISTYPED as OF_SYSTEMD
from programs import ROOT
from surroundings import MISTYPED, faults, same

FOLDERS = ("Sources", "integrations")
READING = re.compile(r"getenv\(|\bEnvironment\[|\benvironment\[|let variable = ")
NAME = re.compile(r'"([A-Z][A-Z0-9_]{2,})"')


def read_by(text):
    """Names on a line that reads a variable, or on the two lines before: they may stand in a list."""
    lines = text.splitlines()
    places = [index for index, line in enumerate(lines) if READING.search(line)]
    return {name for index in places for line in lines[max(0, index - 2):index + 1] for name in NAME.findall(line)}


def every_variable_is_mistyped():
    tried = set(MISTYPED)
    for variables in [environment for _, _, environment in same()] + [fault.variables for fault in faults()] + OF_SYSTEMD:
        tried.update(variables)
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in (".swift", ".c", ".h")]
    found = {name for file in files for name in read_by(file.read_text())}
    assert "ASSAY_ENGINE" in found, found
    assert found <= tried, f"nothing mistypes {sorted(found - tried)}"
