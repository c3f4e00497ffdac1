#!/usr/bin/env python3
"""Checks the models of this folder with spin, as checks.toml says, and ends with `N passed, N failed`.

    Proofs/models/verify.py [--long | --citations] [MODEL…]

First, the statements that the models cite must stand in the source, with the same memory orders, and each atomic statement of
CReadCopyUpdate must be cited. Then spin searches every state of each check: no property may break. Then each mutant must break the
property that it names. The work lies in .build/models; a check that fails leaves its folder there, with the trail.
"""

import argparse
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from citations import Citations, uncited

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
WORK = ROOT / ".build" / "models"
MEGABYTES = 6000
DEPTH = 1_000_000


class Search:
    """One run of spin: a model, its bounds, and perhaps a fault put into it."""

    def __init__(self, name, model, entry):
        self.folder = WORK / name
        self.model, self.is_forking = entry["model"], model.get("is_forking", False)
        self.bounds = [f"-D{key}={value}" for key, value in entry["bounds"].items()]
        self.line, self.becomes = entry.get("line"), entry.get("becomes")

    def run(self):
        """The property that breaks; None if none does."""
        self.copy()
        self.call("spin", "-a", *self.bounds, f"{self.model}.pml")
        # A thread that stayed in the parent has no valid end, and a condition on every step forbids partial orders.
        self.call("gcc", "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=4096", f"-DMEMLIM={MEGABYTES}",
                  *(["-DNOREDUCE"] if self.is_forking else []), "-o", "pan", "pan.c")
        said = self.call("./pan", f"-m{DEPTH}", "-w22", *(["-E"] if self.is_forking else []))
        self.states = int(re.search(r"(\d+) states, stored", said)[1])
        if "errors: 0" in said:
            if "max search depth too small" in said or "Search not completed" in said:
                raise RuntimeError(f"the search is not complete: {said}")
            return None
        return "endless" if "pan:1: invalid end state" in said else self.property()

    def copy(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for file in FOLDER.glob("*.pml"):
            shutil.copy(file, self.folder)
        if self.line is None:
            return
        file = self.folder / f"{self.model}.pml"
        text = file.read_text(encoding="utf-8")
        if text.count(self.line) != 1:
            raise RuntimeError(f"{self.model}.pml has {text.count(self.line)} times, not once: {self.line}")
        file.write_text(text.replace(self.line, self.becomes), encoding="utf-8")

    def property(self):
        """The name beside the assertion at the end of the trail."""
        said = self.call("spin", "-t", "-B", *self.bounds, f"{self.model}.pml")
        file, line = re.search(r"spin: (\S+\.pml):(\d+), Error: assertion violated", said).groups()
        source = (self.folder / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        name = re.search(r"/\* (\w+) \*/", source)
        return name[1] if name else source.strip()

    def call(self, *command):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0 and command[:2] != ("spin", "-t"):
            raise RuntimeError(f"{' '.join(command)}: {done.stdout}")
        return done.stdout


def judge(name, search, expected):
    """Runs a search and prints its result. Whether the expected property breaks, or none."""
    start = time.monotonic()
    try:
        broken, states = search.run(), search.states
    except (RuntimeError, AttributeError, TypeError) as error:
        broken, states = f"no result ({error})", 0
    is_right = broken == expected
    if is_right:
        shutil.rmtree(search.folder, ignore_errors=True)
    result = "no property breaks" if broken is None else f"breaks: {broken}"
    wanted = "" if is_right else f", expected: {expected or 'no property breaks'}"
    print(f"{'ok  ' if is_right else 'FAIL'} {name}: {result}{wanted}; {states} states, {time.monotonic() - start:.1f} s", flush=True)
    return is_right


def cited(models, wanted):
    """Compares the citations of the models with the source. The numbers of those that hold and of faults."""
    all_citations = [Citations(ROOT, FOLDER / f"{name}.pml", model.get("source")) for name, model in models.items()]
    faults = [fault for each in all_citations if each.model.stem in wanted for fault in each.faults]
    for source in {model["source"] for model in models.values() if "source" in model}:
        faults += uncited(ROOT, source, all_citations)
    for fault in faults:
        print(f"FAIL {fault}")
    count = sum(each.count for each in all_citations if each.model.stem in wanted)
    print(f"cited statements: {count}, faults: {len(faults)}")
    return count - len(faults), len(faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--long", action="store_true", help="also the checks with wider bounds")
    parser.add_argument("--citations", action="store_true", help="compares the citations with the source, and searches nothing")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    options = parser.parse_args()
    plan = tomllib.loads((FOLDER / "checks.toml").read_text(encoding="utf-8"))
    wanted = options.models or list(plan["models"])
    passed, failed = cited(plan["models"], wanted)
    searches = () if options.citations else (("check", plan["check"]), ("mutant", plan["mutant"]))
    for kind, entries in searches:
        for number, entry in enumerate(entries):
            if entry["model"] not in wanted or entry.get("long") and not options.long:
                continue
            search = Search(f"{kind}-{number}", plan["models"][entry["model"]], entry)
            name = entry.get("fault") or " ".join(f"{key} {value}" for key, value in entry["bounds"].items())
            is_right = judge(f"{entry['model']}: {name}", search, entry.get("breaks"))
            passed, failed = passed + is_right, failed + (not is_right)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
