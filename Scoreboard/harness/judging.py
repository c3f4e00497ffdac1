"""What becomes of a case: right, wrong_accept, wrong_refusal, unsupported, crash, hang or garbage."""

from collections import Counter
from dataclasses import dataclass

import notions
from cases import SEVERITIES
from session import Failure

OUTCOMES = ("right", "wrong_accept", "wrong_refusal", "unsupported", "crash", "hang", "garbage")
FAULTS = ("wrong_accept", "wrong_refusal", "crash", "hang", "garbage")
# After so many failures in a row the adapter itself is broken: to go on would take hours.
MOST_FAILURES = 25


@dataclass(frozen=True)
class Judgement:
    case: object
    outcome: str
    reason: str = ""


def outcome(case, answer):
    if answer.verdict == "unsupported":
        return "unsupported"
    if (answer.verdict == "valid") == case.is_valid:
        # Who takes something else out of what was signed than is in it is as wrong as who takes what was not signed.
        return "wrong_accept" if case.content is not None and answer.content not in (None, case.content) else "right"
    if notions.excuses(case, answer.lacks):
        return "unsupported"
    return "wrong_refusal" if case.is_valid else "wrong_accept"


def judge(case, session):
    try:
        answer = session.ask(case.question())
    except Failure as failure:
        return Judgement(case, failure.kind, str(failure))
    return Judgement(case, outcome(case, answer), answer.reason)


def run(cases, session, show=lambda done: None):
    """A judgement for each case. A verifier that fails again and again is stopped: the remaining cases have its last failure."""
    judgements, failures = [], 0
    for done, case in enumerate(cases):
        show(done)
        if failures >= MOST_FAILURES:
            judgements.append(Judgement(case, judgements[-1].outcome, f"not asked after {failures} failures in a row"))
            continue
        judgements.append(judge(case, session))
        failures = failures + 1 if judgements[-1].outcome in ("crash", "hang", "garbage") else 0
    return judgements


def counts(judgements):
    """For each outcome the number of cases by severity, and in all."""
    found = Counter((judgement.outcome, judgement.case.severity) for judgement in judgements)
    return {name: {severity: found[name, severity] for severity in SEVERITIES} | {
        "all": sum(found[name, severity] for severity in SEVERITIES)} for name in OUTCOMES}
