"""Refuses every token, and ends by a signal at some."""
import json
import os
import signal
import sys

for line in sys.stdin:
    question = json.loads(line)
    if question["token"].startswith("crash"):
        os.kill(os.getpid(), signal.SIGSEGV)
    print(json.dumps({"id": question["id"], "verdict": "invalid"}), flush=True)
