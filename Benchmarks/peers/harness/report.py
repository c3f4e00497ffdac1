"""The results as a document, and the document as Markdown."""

import datetime
import os
import statistics
import subprocess

from peers import PEERS
from rounds import ALGORITHMS, VERDICTS

RATIOS = ALGORITHMS[:3]  # columns with a ratio; HS256 shows tokens per second, because its bare operation is faster than reading a token


def machine():
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith(("model name", "Model"))]
    return f"{names[0] if names else os.uname().machine}, {os.cpu_count()} CPUs"


def openssl():
    return " ".join(subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout.split()[:2])


def cell(result):
    """The medians of one peer under one algorithm."""
    made = dict(result.verdicts)
    if result.rates:
        made |= {"tokens_per_second": statistics.median(result.rates), "ratio": statistics.median(result.ratios), "rates": result.rates,
                 "ratios": result.ratios}
    return made | ({"reason": result.reason, "failed": result.failed} if result.reason else {})


def document(rows, skipped, folder, rounds):
    made = [{"name": name, "version": row.peer.version(), "language": row.peer.language, "claims": row.peer.claims,
             "algorithms": {algorithm: cell(result) for algorithm, result in row.results.items()}} for name, row in rows.items()]
    made.sort(key=lambda row: tuple(-(value(row, name, "ratio") or 0) for name in RATIOS))
    sizes = {name: len((folder / name / "tokens").read_text().split("\n", 1)[0]) for name in ALGORITHMS}
    return {"machine": machine(), "openssl": openssl(), "date": datetime.date.today().isoformat(), "rounds": rounds,
            "token_bytes": sizes, "rows": made, "skipped": skipped}


def value(row, algorithm, name):
    return row["algorithms"].get(algorithm, {}).get(name)


def refused(row, name):
    """Whether the peer refused all tokens of this kind, under every algorithm that it supports."""
    said = {value(row, algorithm, name) for algorithm in ALGORITHMS} - {None}
    return "yes" if said == {"refused"} else "no" if said else "–"


def faults(document):
    """The faults: accepted tampered tokens, failed programs, and bad claims accepted by a peer that checks claims."""
    found = []
    for row in document["rows"]:
        for algorithm, said in row["algorithms"].items():
            if said.get("failed"):
                found.append(f"{row['name']}, {algorithm}: {said['reason']}")
            elif row["claims"] != "none":
                found += [f"{row['name']}, {algorithm}: accepts {name}" for name in VERDICTS if said.get(name) == "accepted"]
    return found


def heading(document):
    bare = next(row for row in document["rows"] if row["name"] == PEERS[0].name)
    rates = ", ".join(f"{name} {value(bare, name, 'tokens_per_second'):,.0f}" for name in ALGORITHMS)
    sizes = ", ".join(f"{name} {size}" for name, size in document["token_bytes"].items())
    rounds = f"{document['rounds']} round{'s' if document['rounds'] > 1 else ''}"
    by = ", by processor time" if document["clock"] == "processor" else ""
    return (f"{document['machine']}; {document['openssl']}; {document['date']}; one CPU, medians over {rounds}{by}. A ratio (×) is against "
            f"OpenSSL's bare operation over a prepared context, measured before each peer; it does, a second: {rates}. "
            f"Bytes of a token: {sizes}.")


def line(row):
    ratios = [value(row, name, "ratio") for name in RATIOS]
    speed = value(row, "HS256", "tokens_per_second")
    cells = [row["name"], row["version"] or "–", row["language"], *("–" if ratio is None else f"{ratio:.2f}" for ratio in ratios),
             "–" if speed is None else f"{speed:,.0f}", refused(row, "tampered"), refused(row, "expired"), row["claims"]]
    return f"| {' | '.join(cells)} |"


def reasons(document):
    """The reasons for empty cells and rows."""
    names = {}
    for row in document["rows"]:
        for algorithm, said in row["algorithms"].items():
            if said.get("reason") and not said.get("failed"):
                names.setdefault(f"{algorithm}: {said['reason']}", []).append(row["name"])
    return [f"{', '.join(those)}, {reason}" for reason, those in names.items()] + \
        [f"{name}: {reason}" for name, reason in document["skipped"].items()]


def markdown(document):
    text = [heading(document), "",
            "| library | version | language | RS256 × | ES256 × | EdDSA × | HS256 tokens/s "
            "| refuses tampered | refuses expired | claims by |",
            "|---|---|---|---:|---:|---:|---:|---|---|---|", *map(line, document["rows"])]
    for title, entries in (("Not measured", reasons(document)), ("FAULTS", faults(document))):
        if entries:
            text += ["", f"{title}:", "", *(f"- {entry}" for entry in entries)]
    return "\n".join(text) + "\n"
