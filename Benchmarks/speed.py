#!/usr/bin/env python3
"""Writes the speed tables into README.md and Docs/Speed.md, from the file of `make bench ARGS='--json FILE'`: speed.py FILE"""
import json
import re
import sys
from pathlib import Path

KINDS = {
    "rs256": "RS256, 2048 bit", "rs3072": "RS256, 3072 bit", "rs4096": "RS256, 4096 bit", "ps256": "PS256, 2048 bit", "es256": "ES256",
    "es384": "ES384", "es512": "ES512", "ed25519": "Ed25519", "hs256": "HS256",
}
TIMES = {
    "overhead.640": "everything except cryptography, a token of 640 bytes", "hs256.single": "HS256 whole, 600 bytes",
    "cache.hit": "a hit in the cache of verified tokens, 1 KB, among 1,000", "refuse.junk": "malformed input, refused",
    "decide.hit": "a gateway's whole decision, beside the cache hit in it", "decide.es256": "the same, beside the verification in it",
    "decide.refused": "the same, beside the refusal of a forged token",
}


def main(results, root="."):
    rows = {row["name"]: row for row in json.loads(Path(results).read_text())["rows"]}
    write(Path(root, "README.md"), table(SPEED, ([title, *speed(rows, kind)] for kind, title in KINDS.items())))
    whole = table(SPEED + SCALING, ([title, *speed(rows, kind), *scaling(rows, kind)] for kind, title in KINDS.items()))
    write(Path(root, "Docs/Speed.md"), "\n\n".join([whole, times(rows), tasks(rows)]))


def write(path, tables):
    text, count = re.subn(r"(<!-- speed:begin -->\n).*?(\n<!-- speed:end -->)", lambda found: found[1] + tables + found[2],
                          path.read_text(), flags=re.S)
    if count != 1:
        sys.exit(f"{path} has no place for the tables")
    path.write_text(text)


def table(titles, lines):
    rule = "|---" + "|---:" * (len(titles) - 1) + "|"
    return "\n".join([f"| {' | '.join(titles)} |".replace("|  |", "| |"), rule, *(f"| {' | '.join(line)} |" for line in lines)])


SPEED = ["", "OpenSSL alone /s", "one by one /s", "×", "batches of 64 /s", "×"]


def speed(rows, kind):
    single, batch = rows[f"{kind}.single"], rows[f"{kind}.batch"]
    return [f"{single['openssl_ops_per_s']:,.0f}", f"{single['ops_per_s']:,.0f}", f"{single['ratio']:.1f}", f"{batch['ops_per_s']:,.0f}",
            f"{batch['ratio']:.1f}"]


SCALING = ["tables tier, ×", "two cores, ×", "in batches"]


def scaling(rows, kind):
    threads = [f"{rows[f'{kind}.{part}']['ratio']:.2f}" for part in ["threads2", "batch.threads2"]]
    # The tables tier's RSA on x86-64 has a name of its own.
    tables = rows.get(f"{kind}.adx") or rows[f"{kind}.tables"]
    return [f"{tables['ratio']:.1f}", *threads]


def times(rows):
    return table(["", "median", "10th percentile"], ([title, microseconds(rows[name]["ns"]), microseconds(rows[name]["ns_p10"])]
                                                     for name, title in TIMES.items()))


def microseconds(nanoseconds):
    return f"{nanoseconds / 1000:.2f} µs"


def tasks(rows):
    batcher, alone = rows["es256.batcher"], rows["es256.tasks"]
    return (f"64 concurrent tasks on two cores, ES256: {alone['ratio']:.1f} × when each task verifies its own token, "
            f"{batcher['ratio']:.1f} × through the batcher ({batcher['mean_width']:.1f} tokens a batch). Hits\nof one cache on two cores: "
            f"{rows['cache.hit.threads2']['ratio']:.2f} ×. Additions in registers alone: {rows['machine.threads2']['ratio']:.2f} ×.")


if __name__ == "__main__":
    main(*sys.argv[1:])
