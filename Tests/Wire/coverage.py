"""Whether schemathesis saw each operation succeed, and each documented status. Usage: coverage.py BASE_URL COUNTS…

The counts are those that hooks.py wrote. An error code that the document does not list for the operation and status is a failure too.
"""
import collections
import json
import sys

from document import Service

# What cannot be brought about from outside, and where it is tested instead.
UNSEEN = {
    "429": "the limits are lifted here; LimitTests and the load test reach them",
    "500": "nothing that is known brings it about, and what did would be mended",
    "503": "the store would have to fail; FrameTests spoil it",
}


def listed(service, responses, status):
    """The error codes of a described reply."""
    content = service.resolved(responses[status]).get("content", {}).get("application/json", {})
    parts = content.get("schema", {}).get("allOf", [])
    return {code for part in parts for code in part.get("properties", {}).get("error_code", {}).get("enum", [])}


def counted(files):
    answers, codes, broken = collections.defaultdict(collections.Counter), collections.defaultdict(set), []
    for name in files:
        with open(name) as file:
            counts = json.load(file)
        broken += counts["broken"]
        for operation, seen in counts["answers"].items():
            answers[operation].update(seen)
        for operation, seen in counts["codes"].items():
            codes[operation].update(tuple(answer.split(" ")) for answer in seen)
    return answers, codes, broken


def shortcomings(service, name, seen, codes):
    """What is wrong with the answers of an operation; prints how many there were."""
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
    if not by_class["2"]:
        yield f"{name} was never answered 2xx"
    for status in never:
        # Nobody here sends a body where none is described; RefusalTests do.
        if status not in UNSEEN and (status != "413" or "requestBody" in operation):
            yield f"{name} was never answered {status}"
    for status, code in sorted(codes):
        if status not in responses or code not in listed(service, responses, status):
            yield f"{name} answered {status} {code}, which is not described"


def main():
    service = Service(sys.argv[1])
    answers, codes, broken = counted(sys.argv[2:])
    wrong = [f"a hook broke:\n{trace}" for trace in broken]
    for name in service.operations:
        wrong += shortcomings(service, name, answers[name], codes[name])
    for status, reason in UNSEEN.items():
        print(f"  {status} is not expected: {reason}")
    if wrong:
        sys.exit("\n".join(f"FAIL {line}" for line in wrong))
    print(f"each of {len(service.operations)} operations was answered 2xx")


main()
