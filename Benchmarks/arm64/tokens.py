#!/usr/bin/env python3
"""Counts the instructions of whole tokens on AArch64, beside libcrypto's bare operation: tokens.py PLUGIN CPU [JSON]

PLUGIN is instructions.c, compiled. Prints a table, and writes the file that `bench --counts` reads."""
import datetime
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def main(plugin, cpu, file=None):
    command = shlex.split(output(ROOT / "scripts/arm64_program.py", "tokens"))
    with tempfile.TemporaryDirectory() as folder:
        counted = Path(folder, "counted")
        options = ["-cpu", cpu, "-plugin", plugin, "-d", "plugin", "-D", str(counted)]
        said = output(command[0], *options, *command[1:]).splitlines()
        loops = read(said[2:], counted.read_text().splitlines())
    rows = [row(name, parts) for name, parts in loops.items()]
    for one in rows:
        theirs = one.get("openssl_instructions")
        print(f"{cpu:<14} {one['name']:<26} {one['instructions']:>14} {one['products']:>12} {one['vector_products']:>12}"
              + (f" {theirs:>12} {theirs / one['instructions']:>6.2f}" if theirs else ""))
    if file:
        emulator = output(command[0], "--version").split()[2]
        document = {"machine": f"{cpu} in QEMU {emulator}", "openssl": said[0], "engine": said[1], "date": str(datetime.date.today()), "rows": rows}
        Path(file).write_text(json.dumps(document, indent=2) + "\n")


def output(*command):
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return ended.stdout if ended.returncode == 0 else sys.exit(f"{command[0]} failed")


def read(named, counted):
    """Means by row and part. A line of `counted` is "row instructions products vectors", and one of `named` "row rounds name part"."""
    if len(named) != len(counted):
        sys.exit("rows do not match")
    loops = {}
    for line, counts in zip(named, counted):
        (number, rounds, name, part), (marked, *sums) = line.split(), map(int, counts.split())
        if int(number) != marked:
            sys.exit("rows do not match")
        loops.setdefault(name, {})[part] = [round(total / int(rounds)) for total in sums]
    return loops


def row(name, parts):
    """What a token takes; in a row of overhead without its signature."""
    ours = parts["token"]
    if "signature" in parts:
        ours = [whole - part for whole, part in zip(ours, parts["signature"])]
    theirs = {"openssl_instructions": parts["libcrypto"][0]} if "libcrypto" in parts else {}
    return {"name": name, "instructions": ours[0], "products": ours[1], "vector_products": ours[2], **theirs}


if __name__ == "__main__":
    main(*sys.argv[1:])
