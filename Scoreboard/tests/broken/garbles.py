"""Answers with what is no answer of the protocol. The number at the end of the id says which."""
import json
import sys

ANSWERS = [
    lambda identifier: "yes", lambda identifier: "[]", lambda identifier: json.dumps({"id": identifier}),
    lambda identifier: json.dumps({"id": identifier, "verdict": "perhaps"}),
    lambda identifier: json.dumps({"id": "other", "verdict": "valid"}),
    lambda identifier: json.dumps({"id": identifier, "verdict": ["valid"]}), lambda identifier: '{"id": "' + "x" * (1 << 21),
    lambda identifier: json.dumps({"id": identifier, "verdict": "valid"}) + "\n" + json.dumps({"id": identifier, "verdict": "invalid"}),
    lambda identifier: json.dumps({"id": identifier, "verdict": "valid", "lacks": 7}), lambda identifier: "\udcff",
]
sys.stdout.reconfigure(errors="surrogateescape")
for line in sys.stdin:
    name = json.loads(line)["id"]
    sys.stdout.write(ANSWERS[int(name.rpartition("-")[2])](name) + "\n")
    sys.stdout.flush()
