"""Refuses every token, and never answers to some."""
import json
import sys
import time

for line in sys.stdin:
    question = json.loads(line)
    if question["token"].startswith("crash"):
        time.sleep(3600)
    print(json.dumps({"id": question["id"], "verdict": "invalid"}), flush=True)
