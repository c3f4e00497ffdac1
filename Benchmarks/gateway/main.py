"""Loads the forward-auth service, alone and behind gateways, beside what else verifies tokens there. Prints tables as Markdown."""
import argparse
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
# After this folder: the modules of the gateway tests and of the comparison of libraries.
sys.path += [str(ROOT / "Tests/Gateways"), str(ROOT / "Benchmarks/peers/harness")]

import clients
import engine
import inside_targets
import measuring
import report
import running
import targets
from processor import separate


def arguments():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: two minutes")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write everything measured to a file as well")
    parser.add_argument("--only", action="append", metavar="ROW", help="rows, by a part of `group: row`; may be repeated; default: all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--inside", action="store_true", help="gateways that verify in their own process; on one core of two")
    parser.add_argument("--loads", action="store_true", help="only latency over a Unix socket at rates from 500 to 12,000 a second")
    parser.add_argument("--tokens", type=int, default=1_000, help="different tokens of each algorithm")
    parser.add_argument("--closed", type=int, default=2, metavar="S", help="seconds of a round for the most requests a second")
    parser.add_argument("--opened", type=float, default=3, metavar="S", help="seconds of a round at half of that")
    parser.add_argument("--based", type=float, default=2, metavar="S", help="seconds of a round for the gateway without authorization")
    parser.add_argument("--engine", choices=engine.TIERS, metavar="TIER", help="the tier of Assay's engine in all programs; each must"
                        " say that it runs it, and Assay in Lua, which cannot say it, is left out")
    options = parser.parse_args()
    if options.engine:
        os.environ["ASSAY_ENGINE"] = options.engine
    if options.quick:
        options.rounds, options.closed, options.opened, options.based = 1, 1, 1, 0.7
    return options


def show(text):
    print(f"\r\033[K{text}" if sys.stderr.isatty() else text, end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


def chosen(all_targets, only):
    names = [name.lower() for name in only or [""]]
    return [target for target in all_targets if any(name in f"{target.group}: {target.title}".lower() for name in names)]


def measured(bench, rows, rounds, tier):
    """The rounds of each row, interleaved, because the speed of a shared machine changes; and the rows that answered wrongly."""
    found, faults = {target: [] for target in rows}, {}
    for ordinal in range(rounds):
        for target in rows:
            if target in faults:
                continue
            show(f"round {ordinal + 1} of {rounds}: {target.group}: {target.title}")
            try:
                if ordinal == 0:
                    bench.check(target, tier)
                found[target].append(bench.measure(target))
            except measuring.Fault as fault:
                faults[target] = str(fault)
    return {target: rounds for target, rounds in found.items() if target not in faults}, faults


def document(heading, found, results, faults, tiers):
    """Everything measured, for a file."""
    rows = [{
        "group": target.group, "row": target.title, "algorithm": target.algorithm, "tokens": target.tokens, "tier": tiers[target],
        "summary": row, "rounds": found[target],
    } for target, row in results]
    return {**heading, "rows": rows, "faults": faults}


def main():
    options = arguments()
    work = ROOT / ".build-gateway"
    work.mkdir(exist_ok=True)
    program = clients.compiled(work)
    site = running.Site(options.tokens)
    try:
        # Assay in Lua cannot say its tier.
        every = inside_targets.all_of(site, with_lua=not options.engine) if options.inside else targets.all_of(site)
        rows = chosen(every, options.only)
        if not rows:
            sys.exit("no row has such a name")
        if options.inside:
            separate(rows, site.application.program)
        bench = measuring.Bench(site, program, options.closed, options.opened, options.based)
        tiers = {target: engine.tier(target) for target in rows}
        heading = report.heading(site.stock.sizes(), options, tiers.values())
        if options.loads:
            try:
                print(report.loads(heading, bench.loads(rows, options.engine)), end="")
            except measuring.Fault as fault:
                sys.exit(str(fault))
            return 0
        found, faulty = measured(bench, rows, options.rounds, options.engine)
    finally:
        site.stop()
    results = [(target, measuring.summary(rounds)) for target, rounds in found.items()]
    faults = [f"{target.group}: {target.title}: {fault}" for target, fault in faulty.items()]
    show("")
    print((report.inside if options.inside else report.markdown)(heading, results, faults), end="")
    if options.json:
        options.json.write_text(json.dumps(document(heading, found, results, faults, tiers), indent=2) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
