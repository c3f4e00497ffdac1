"""Takes every token."""
import json
import sys

for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "verdict": "valid"}), flush=True)
