"""Answers with what is no answer of the protocol, each time in another way."""
import itertools
import json
import sys

ANSWERS = itertools.cycle([
    lambda identifier: "yes", lambda identifier: "[]", lambda identifier: json.dumps({"id": identifier}),
    lambda identifier: json.dumps({"id": identifier, "verdict": "perhaps"}), lambda identifier: json.dumps({"id": "other", "verdict": "valid"}),
    lambda identifier: json.dumps({"id": identifier, "verdict": ["valid"]}), lambda identifier: '{"id": "' + "x" * (1 << 21),
    lambda identifier: json.dumps({"id": identifier, "verdict": "valid"}) + "\n" + json.dumps({"id": identifier, "verdict": "invalid"}),
    lambda identifier: json.dumps({"id": identifier, "verdict": "valid", "lacks": 7}), lambda identifier: "\udcff",
])
sys.stdout.reconfigure(errors="surrogateescape")
for line in sys.stdin:
    print(next(ANSWERS)(json.loads(line)["id"]), flush=True)
