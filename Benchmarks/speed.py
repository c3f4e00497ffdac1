#!/usr/bin/env python3
"""Writes the tables of speed into README.md, from what `make bench ARGS='--json FILE'` wrote: speed.py FILE [README.md]"""
import json
import re
import sys
from pathlib import Path

KINDS = {
    "rs256": "RS256, 2048 bit", "rs3072": "RS256, 3072 bit", "rs4096": "RS256, 4096 bit", "ps256": "PS256, 2048 bit", "es256": "ES256",
    "es384": "ES384", "ed25519": "Ed25519", "hs256": "HS256",
}
TIMES = {
    "overhead.640": "all but cryptography, a token of 640 bytes", "hs256.single": "HS256 whole, 600 bytes",
    "cache.hit": "a verified token found in the cache, of 1 KB, among 1,000", "refuse.junk": "malformed junk, refused",
}


def main(results, readme="README.md"):
    rows = {row["name"]: row for row in json.loads(Path(results).read_text())["rows"]}
    tables = "\n\n".join([kinds(rows), times(rows), tasks(rows)])
    text = Path(readme).read_text()
    Path(readme).write_text(re.sub(r"(<!-- speed:begin -->\n).*?(\n<!-- speed:end -->)", rf"\1{tables}\2", text, flags=re.S))


def kinds(rows):
    lines = ["| | OpenSSL alone /s | one by one /s | × | in batches /s | × | tables tier, × | two cores, × | in batches |",
             "|---|---|---|---|---|---|---|---|---|"]
    for kind, title in KINDS.items():
        row = {part: rows[f"{kind}.{part}"] for part in ["single", "batch", "tables", "threads2", "batch.threads2"]}
        raw, single, batch = row["single"]["openssl_ops_per_s"], row["single"]["ops_per_s"], row["batch"]["ops_per_s"]
        ratios = [row["single"]["ratio"], row["batch"]["ratio"], row["tables"]["ratio"]]
        gains = [row["threads2"]["ratio"], row["batch.threads2"]["ratio"]]
        cells = [title, f"{raw:,.0f}", f"{single:,.0f}", f"{ratios[0]:.1f}", f"{batch:,.0f}", f"{ratios[1]:.1f}", f"{ratios[2]:.1f}"]
        lines.append(f"| {' | '.join(cells + [f'{gain:.2f}' for gain in gains])} |")
    return "\n".join(lines)


def times(rows):
    lines = ["| | median | when quiet |", "|---|---|---|"]
    for name, title in TIMES.items():
        lines.append(f"| {title} | {rows[name]['ns'] / 1000:.2f} µs | {rows[name]['ns_quiet'] / 1000:.2f} µs |")
    return "\n".join(lines)


def tasks(rows):
    batcher, alone = rows["es256.batcher"], rows["es256.tasks"]
    gain = rows["cache.hit.threads2"]["ratio"]
    return (f"Of 64 tasks on two cores, ES256: {alone['ratio']:.1f} × where each verifies its own, {batcher['ratio']:.1f} × through the batcher "
            f"({batcher['mean_width']:.1f} tokens a batch);\nhits of one cache on two cores {gain:.2f} ×, additions in registers alone "
            f"{rows['machine.threads2']['ratio']:.2f} ×.")


if __name__ == "__main__":
    main(*sys.argv[1:])
