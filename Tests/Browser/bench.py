"""Looks at the page of `bench --html` with headless Chromium: bench.py BENCH ARTEFACTS. One page is that of a short run. The other has
every row that bench can measure, with figures of very different sizes; `bench --from` writes it."""
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import facts
from browser import Browser
from facts import fact
from pixels import colours_of, distance

bench, artefacts = sys.argv[1:3]
work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)
SHORT = ["es256.single", "es256.batch", "es256.tables", "refuse.junk", "es256.latency"]
DEFICIENCIES = ["protanopia", "deuteranopia", "tritanopia"]

TEXTS = "dd, .legend li, .name, .figure, .unit, .ticks span, svg text, th, td"
CLIPPED = """
const out = [];
for (const e of document.querySelectorAll(arguments[0])) {
    const box = e.getBoundingClientRect();
    if (!box.width || !e.textContent) continue;
    if (box.left < 0 || box.right > innerWidth || e.scrollWidth > Math.max(e.clientWidth, Math.ceil(box.width)) + 1)
        out.push(e.textContent);
}
return out;
"""
# Two texts of a chart must not share a pixel. The boxes of neighbours may touch.
OVERLAPPING = """
const out = [];
for (const chart of document.querySelectorAll('.bars, .plot')) {
    const texts = [...chart.querySelectorAll('.name, .figure, .ticks span, text')].map((e) => [e.textContent, e.getBoundingClientRect()]);
    for (const [i, [one, a]] of texts.entries())
        for (const [other, b] of texts.slice(i + 1))
            if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) out.push(one + ' / ' + other);
}
return out;
"""
CHARTS = """
const number = (text) => Number(text.replaceAll(',', ''));
return [...document.querySelectorAll('.bars')].map((chart) => {
    const axis = chart.querySelector('.ticks').getBoundingClientRect();
    const place = (x) => (x - axis.left) / axis.width;
    const part = (e) => { const box = e.getBoundingClientRect(); return [place(box.left), place(box.right)]; };
    return {
        ticks: [...chart.querySelectorAll('.ticks span')].map((e) => [number(e.textContent), (part(e)[0] + part(e)[1]) / 2]),
        bars: [...chart.querySelectorAll('.name')].map((e) => ({
            name: e.textContent, bar: part(e.nextElementSibling.querySelector('.bar'))[1],
            style: e.nextElementSibling.querySelector('.bar').classList[1],
            spread: [...e.nextElementSibling.querySelectorAll('.spread')].map(part)[0],
        })),
        legend: [...chart.previousElementSibling.querySelectorAll('i')].map((e) => e.classList[1] || e.classList[0]),
    };
});
"""


def run(*arguments):
    return subprocess.run([bench, *arguments], capture_output=True, text=True, timeout=200)


def invented():
    """A file with every row: the same figures in each run, from a few to millions."""
    numbers = random.Random(18)
    names = run("--only", "none").stderr.split("the rows are ")[1].splitlines()[0].split(", ")
    rows, points = [], []
    for name in names:
        if name.endswith(".latency"):
            points += [point(name, load, numbers) for load in (0.5, 0.7, 0.8, 0.9, 0.95)]
            continue
        nanoseconds, wide = 10 ** numbers.uniform(1, 5), numbers.uniform(1.01, 1.3)
        row = {"name": name, "ops_per_s": 1e9 / nanoseconds, "ns": nanoseconds, "ns_p10": nanoseconds / wide, "ns_p90": nanoseconds * wide,
               "unit": "ns/token", "cycles": nanoseconds * 2.8}
        if not name.startswith(("parse", "refuse", "overhead", "decide", "keys.lookup")) and name != "cache.hit":
            ratio = numbers.uniform(0.6, 60)
            row |= {"ratio": ratio, "ratio_spread": {"p10": ratio / wide, "p90": ratio * wide}}
            if "threads" not in name and not name.startswith("keys"):
                row["openssl_ops_per_s"] = row["ops_per_s"] / ratio
        rows.append(row)
    document = {"machine": "Intel(R) Xeon(R) Platinum 8358 CPU @ 2.60GHz", "cores": 2, "openssl": "OpenSSL 3.0.22 16 Jun 2026",
                "date": "2026-11-23", "quick": False, "engine": {"tier": "ifma", "p256": "ready"}, "rows": rows, "latency": points}
    (folder / "every.json").write_text(json.dumps(document))
    return document


def point(name, load, numbers):
    p50 = 8 / (1 - load) * numbers.uniform(0.9, 1.1)
    times = {"p50": p50, "p90": p50 * 3, "p99": p50 * 9, "p99.9": p50 * 40, "max": p50 * 300, "mean": p50 * 1.4}
    return {"name": name, "load": load, "capacity_per_s": 100000, "rate_per_s": 100000 * load, "samples": 100000, "longest_gap_us": 90,
            "service_us": times, "response_us": times}


def emulate(page, **media):
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": media["scheme"]}]})


def looked_at(page_file, document, name, width, scheme):
    with Browser(artefacts, width=width) as page:
        emulate(page, scheme=scheme)
        page.open(page_file.as_uri())
        whole(page, f"bench-{name}")
        texts(page, document, name)
        charts(page, document, name)
        if width > 500:
            told_apart(page, name)
        fact(f"{name}: silent console {page.console()}", not page.console())


def whole(page, name):
    """A picture of the whole page, not only of the window."""
    height = page.evaluate("return document.documentElement.scrollHeight")
    width = page.evaluate("return innerWidth")
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
    page.picture(name)


def texts(page, document, name):
    clipped = page.evaluate(CLIPPED, TEXTS)
    fact(f"{name}: clipped {clipped[:5]}", not clipped)
    overlapping = page.evaluate(OVERLAPPING)
    fact(f"{name}: overlapping {overlapping[:5]}", not overlapping)
    fact(f"{name}: no sideways scrolling", page.evaluate("return document.documentElement.scrollWidth <= innerWidth"))
    small = page.evaluate("return [...document.querySelectorAll(arguments[0])].filter((e) => parseFloat(getComputedStyle(e).fontSize) < 13)"
                          ".map((e) => e.textContent)", TEXTS)
    fact(f"{name}: small text {small[:5]}", not small)
    shown = set(page.evaluate("return [...document.querySelectorAll('.name, tbody th')].map((e) => e.innerText)"))
    missing = {row["name"] for row in document["rows"] + document["latency"]} - shown
    fact(f"{name}: missing names {missing}", not missing)
    numbers = page.evaluate("return [...document.querySelectorAll('.figure, .ticks span, td, svg text')].map((e) => e.textContent)")
    alike = re.compile(r"(?<![\d.,])\d{1,3}(,\d{3})*(\.\d+)?(?![\d,])")
    odd = [text for text in numbers if re.search(r"\d", alike.sub("", text)) and not re.search("[a-z]", text)]
    fact(f"{name}: numbers grouped otherwise {odd[:5]}", not odd)


def charts(page, document, name):
    rows = {row["name"]: row for row in document["rows"]}
    found = page.evaluate(CHARTS)
    fact(f"{name}: charts of bars", len(found) >= 2)
    for chart in found:
        ticks = chart["ticks"]
        fact(f"{name}: ticks {ticks}", 3 <= len(ticks) <= 7 and ticks[0][0] == 0)
        unit = ticks[-1][1] / ticks[-1][0]
        fact(f"{name}: even ticks {ticks}", all(abs(place - value * unit) < 0.01 for value, place in ticks))
        styles = {bar["style"] for bar in chart["bars"]}
        fact(f"{name}: legend {chart['legend']} of {styles}", styles == set(chart["legend"]) - {"spread", "mark"})
        fact(f"{name}: the legend has the spread", "spread" in chart["legend"])
        for bar in chart["bars"]:
            drawn_to_scale(bar, rows[bar["name"]], unit, name)
    curves = page.evaluate("return [...document.querySelectorAll('.plot')].map((e) => [e.querySelectorAll('.axis').length,"
                           "e.previousElementSibling.querySelectorAll('li').length, e.querySelectorAll('svg.mark').length])")
    fact(f"{name}: curves {curves}", curves and all(lines >= 3 and legend == 4 and marks == 20 for lines, legend, marks in curves))


def drawn_to_scale(bar, row, unit, name):
    value, low, high = row["ns"], row["ns_p10"], row["ns_p90"]
    if "ratio" in row:
        value, (low, high) = row["ratio"], (row["ratio_spread"][part] for part in ("p10", "p90"))
    fact(f"{name}: the length of {bar['name']}", abs(bar["bar"] - value * unit) < 0.012)
    ends = bar["spread"]
    fact(f"{name}: the spread of {bar['name']}", ends and abs(ends[0] - low * unit) < 0.012 and abs(ends[1] - high * unit) < 0.02)


# Copies one swatch of each style to the corner of the window, and gives its class, its pattern and its place.
SWATCHES = """
const box = document.body.appendChild(Object.assign(document.createElement('div'), {className: 'legend'}));
box.style = 'position:fixed;left:0;top:0;background:var(--page);z-index:1';
const seen = new Map();
for (const e of document.querySelectorAll('.legend .bar')) if (!seen.has(e.className)) seen.set(e.className, box.appendChild(e.cloneNode()));
return [...seen.values()].map((e) => {
    const place = e.getBoundingClientRect(), style = getComputedStyle(e);
    return [e.className, style.backgroundImage + style.borderWidth, [place.left, place.top, place.width, place.height]];
});
"""


def told_apart(page, name):
    """The swatches of the legends, as people see them who lack a kind of cones, or all of them."""
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 600, "height": 100, "deviceScaleFactor": 1, "mobile": False})
    swatches = page.evaluate(SWATCHES)
    for deficiency in [*DEFICIENCIES, "achromatopsia"]:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
        seen = colours_of(page, [box for _, _, box in swatches])
        for (one, first), (other, second) in itertools.combinations(zip(swatches, seen), 2):
            apart = distance(first, second)
            # Without any colours, the patterns are left.
            told = apart >= 15 or (deficiency == "achromatopsia" and one[1] != other[1])
            fact(f"{name}, {deficiency}: {one[0]} and {other[0]} differ by {apart:.0f}", told)


def main():
    options = [word for row in SHORT for word in ("--only", row)]
    measured = run("--quick", *options, "--json", str(folder / "short.json"), "--html", str(folder / "short.html"))
    fact(f"a short run {measured.stderr}", measured.returncode == 0)
    every = invented()
    written = run("--from", str(folder / "every.json"), "--html", str(folder / "every.html"))
    fact(f"the page of a file {written.stderr}", written.returncode == 0)
    looked_at(folder / "short.html", json.loads((folder / "short.json").read_text()), "short", 1100, "light")
    for name, width, scheme in (("light", 1280, "light"), ("dark", 1100, "dark"), ("narrow", 420, "light"), ("narrow-dark", 420, "dark")):
        looked_at(folder / "every.html", every, name, width, scheme)


facts.closing(main)
