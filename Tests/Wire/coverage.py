"""Checks that schemathesis saw each operation succeed, and each documented status. Usage: coverage.py BASE_URL DESCRIBED RANDOM

hooks.py wrote the counts of both runs. Only the cases that the document determines must reach a status: what random requests reach depends
on luck and on the machine. An error code that the document does not list for the operation and status is a failure of either run.
"""
import collections
import json
import sys

from document import Service

# Statuses that no request can cause, and the tests that cover them.
UNSEEN = {
    "429": "the limits are lifted here; LimitTests and the load test reach them",
    "500": "nothing that is known brings it about, and what did would be mended",
    "501": "it answers a question for past lists, which the document does not have; StatusListEndpointTests asks it",
    "503": "the store would have to fail; FrameTests spoil it",
}


# Operations that need a phone's key, a password or the steps before them, and the tests in which they succeed.
ELSEWHERE = {
    "bindSocialAccount": "WeChatSentences",
    "registerSocialAccount": "WeChatSentences",
    "loginByPassword": "PasswordSentences",
    "requestApproval": "SecondFactorSentences",
    "pollApproval": "SecondFactorSentences",
    "secondFactorBySMS": "SecondFactorSentences",
    "bindPhone": "SecondFactorSentences",
    "unbindPhone": "SecondFactorSentences",
    "pendingApproval": "SecondFactorSentences",
    "respondToApproval": "SecondFactorSentences",
}


def listed(service, responses, status):
    """The error codes that the document lists for a status."""
    content = service.resolved(responses[status]).get("content", {}).get("application/json", {})
    parts = content.get("schema", {}).get("allOf", [])
    return {code for part in parts for code in part.get("properties", {}).get("error_code", {}).get("enum", [])}


def counted(name):
    """The answers of a run, its error codes by operation, and the exceptions of its hooks."""
    with open(name) as file:
        counts = json.load(file)
    answers = {operation: collections.Counter(seen) for operation, seen in counts["answers"].items()}
    codes = {operation: {tuple(answer.split(" ")) for answer in seen} for operation, seen in counts["codes"].items()}
    return collections.defaultdict(collections.Counter, answers), collections.defaultdict(set, codes), counts["broken"]


def shortcomings(service, name, seen, codes):
    """The faults in the answers of an operation; prints the number of answers."""
    operation = service.operations[name][2]
    responses = operation["responses"]
    by_class = collections.Counter()
    for status, count in seen.items():
        by_class[status[0]] += count
    never = [status for status in responses if status not in seen]
    silent = {
        code.removeprefix("IDAAS.SDK.")
        for status in responses
        if status not in never
        for code in listed(service, responses, status)
        if (status, code) not in codes
    }
    print(
        f"  {name:20} 2xx {by_class['2']:4}  4xx {by_class['4']:4}  5xx {by_class['5']:2}"
        f"  never {', '.join(never) or '-'}  codes never {', '.join(sorted(silent)) or '-'}"
    )
    if not by_class["2"] and name not in ELSEWHERE:
        yield f"{name} was never answered 2xx"
    for status in never:
        # The credential is judged before the body. RefusalTests send a valid one with another content type.
        if status == "415" and operation.get("security"):
            continue
        # These requests have a body only if the document describes one; RefusalTests send undescribed bodies.
        if status not in UNSEEN and not (status == "200" and name in ELSEWHERE) and (status != "413" or "requestBody" in operation):
            yield f"{name} was never answered {status}"


def undescribed(service, name, codes):
    """The error codes that the document does not list."""
    responses = service.operations[name][2]["responses"]
    for status, code in sorted(codes):
        if status not in responses or code not in listed(service, responses, status):
            yield f"{name} answered {status} {code}, which is not described"


def main():
    service = Service(sys.argv[1])
    answers, codes, broken = counted(sys.argv[2])
    _, random_codes, broken_at_random = counted(sys.argv[3])
    wrong = [f"a hook broke:\n{trace}" for trace in broken + broken_at_random]
    for name in service.operations:
        wrong += shortcomings(service, name, answers[name], codes[name])
        wrong += undescribed(service, name, codes[name] | random_codes[name])
    for status, reason in UNSEEN.items():
        print(f"  {status} is not expected: {reason}")
    for name, tests in ELSEWHERE.items():
        print(f"  {name} succeeds in {tests}")
    if wrong:
        sys.exit("\n".join(f"FAIL {line}" for line in wrong))
    print(f"each of {len(service.operations) - len(ELSEWHERE)} operations was answered 2xx")


main()
