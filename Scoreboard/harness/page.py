"""The tables of Docs/Scoreboard.md, between its markers. They have counts alone: Docs/Disclosure.md says why."""

from cases import SEVERITIES

BEGIN, END = "<!-- scoreboard:begin -->", "<!-- scoreboard:end -->"


def marks(kind):
    """What stands before and behind the tables of a kind."""
    return (BEGIN, END) if kind == "tokens" else (f"<!-- scoreboard:{kind}:begin -->", f"<!-- scoreboard:{kind}:end -->")


BROKEN = ("crash", "hang", "garbage")


def three(outcome):
    return " / ".join(str(outcome[severity]) for severity in SEVERITIES)


def row(verifier):
    broken = sum(verifier[outcome]["all"] for outcome in BROKEN)
    return (f"| {verifier['name']} | {verifier['version']} | {verifier['language']} | {verifier['right']['all']:,} "
            f"| {three(verifier['wrong_accept'])} | {three(verifier['wrong_refusal'])} | {broken} | {verifier['unsupported']['all']:,} |")


def worst_first(verifier):
    """Verifiers in the order of their faults, the fewest first; names decide between equals."""
    return [[verifier[outcome][severity] for outcome in ("wrong_accept", "wrong_refusal")] for severity in SEVERITIES], verifier["name"]


def tables(document):
    cases = document["cases"]
    severities = ", ".join(f"{cases[severity]:,} {severity}" for severity in SEVERITIES)
    yield f"{cases['all']:,} cases ({severities}; {cases['valid']:,} valid; digest `{cases['digest']}`)."
    yield f"{document['date']}, {document['machine']}, {document['system']}, Assay at `{document['revision']}`."
    yield ""
    yield "| verifier | version | language | right | wrong accepts | wrong refusals | crashes, hangs | unsupported |"
    yield "|---|---|---|---:|---:|---:|---:|---:|"
    yield from (row(verifier) for verifier in sorted(document["verifiers"], key=worst_first))
    if document["held_back"]:
        yield ""
        yield f"Held back ([Disclosure](Disclosure.md)): {', '.join(document['held_back'])}."
    if document["not_judged"]:
        yield ""
        yield "Not judged:"
        yield ""
        yield from (f"- {name}: {reason}" for name, reason in document["not_judged"].items())


def write(path, document, kind="tokens"):
    begin, end = marks(kind)
    text = path.read_text()
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    path.write_text("\n".join([before + begin, *tables(document), end]) + after)
