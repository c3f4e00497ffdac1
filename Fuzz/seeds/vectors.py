"""What our own vectors bring: headers, payloads, tokens and key sets."""

import json
import pathlib

from encoding import decode

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONGEST = 3_500


def vectors():
    """The headers, payloads, tokens and key sets of all vectors."""
    headers, payloads, tokens, sets = set(), set(), set(), set()
    for path in sorted((ROOT / "vectors").glob("*.json")):
        document = json.loads(path.read_text())
        if document.get("keys"):
            sets.add(json.dumps(document["keys"], separators=(",", ":")).encode())
            for key in document["keys"].get("keys", []):
                sets.add(json.dumps(key, separators=(",", ":")).encode())
        # The manifest has no cases.
        for case in document.get("cases", []):
            token = case.get("token", "")
            tokens.add(token.encode())
            parts = token.split(".")
            if len(parts) == 3:
                headers.add(decode(parts[0]) or b"")
                payloads.add(decode(parts[1]) or b"")
    for path in sorted((ROOT / "vectors/jwks").glob("*.json")):
        sets.update(case["document"].encode() for case in json.loads(path.read_text())["documents"] if "document" in case)
    return [sorted(item for item in group if len(item) <= LONGEST) for group in (headers, payloads, tokens, sets)]
