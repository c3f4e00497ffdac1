"""Runs the shell lines of Docs/WalkThroughWithCurl.md in order, in one bash and in an empty folder, with the `assay` of the release build.

Each ```sh block must succeed, line by line, and print what the block after it says. `…` there stands for any characters of a line.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).parent.parent.resolve()
page = root / "Docs/WalkThroughWithCurl.md"
STEP = re.compile(r"^```sh\n(.*?)^```$(?:\n\n^```json\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
MARK = "\x1estep\n"


def run(script, folder):
    """What the script prints, and how it ends. Its server ends with it."""
    environment = os.environ | {"PATH": f"{root / '.build/release'}:{os.environ['PATH']}", "HOME": str(folder), "no_proxy": "127.0.0.1"}
    with subprocess.Popen(
        ["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True) as shell:
        try:
            printed, errors = shell.communicate(timeout=300)
        finally:
            try:
                os.killpg(shell.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    return printed, errors, shell.returncode


def is_said(printed, said):
    pattern = ".*".join(re.escape(part) for part in said.split("…"))
    return re.fullmatch(pattern, printed) is not None


steps = STEP.findall(page.read_text())
script = "set -euo pipefail\n" + "".join(f"{lines}printf '{MARK}'\n" for lines, _ in steps)
with tempfile.TemporaryDirectory() as scratch:
    printed, errors, status = run(script, pathlib.Path(scratch))
outputs = printed.split(MARK)
passed = 0
for number, (lines, said) in enumerate(steps):
    got = outputs[number] if number < len(outputs) else ""
    if number < len(outputs) - 1 and is_said(got.removesuffix("\n"), said.removesuffix("\n")):
        passed += 1
    else:
        print(f"FAIL the lines\n{lines}print\n{got}\ninstead of\n{said}\n{errors[-2000:]}")
        break
if not steps or status not in (0, None) and passed == len(steps):
    print(f"FAIL {len(steps)} blocks; bash ended with {status}")
    passed = 0
print(f"{passed} passed, {len(steps) - passed if steps else 1} failed")
sys.exit(passed == 0 or passed < len(steps))
