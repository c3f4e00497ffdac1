"""Runs every shell line of README.md: the lines of its ```sh blocks, in order, in a folder with a key set, a token and the vectors. A
provider on loopback replaces https://idp.example. The command `assay` is that of the release build.

Two kinds of lines change the machine or run for minutes. The packages of an `apt-get install` must already be installed; `make` only prints
its commands, because the stages of `make test` run them.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

import jwt
from cryptography.hazmat.primitives import serialization

root = pathlib.Path(__file__).parent.parent.resolve()
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ISSUER = "https://idp.example"


def provide(folder, provider):
    """Writes the input files of the lines, with the provider's keys and a token of it. Returns its issuer."""
    issuer = provider.stdout.readline().split()[1]
    print("token", file=provider.stdin, flush=True)
    token = provider.stdout.readline()
    keys = json.load(urllib.request.urlopen(f"{issuer}/jwks"))
    current = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(token.strip())["kid"]]
    public = current.key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    (folder / "jwks.json").write_text(json.dumps(keys))
    (folder / "token.txt").write_text(token)
    (folder / "tokens.txt").write_text(token * 2)
    (folder / "public.pem").write_bytes(public)
    for name in ("vectors", "Examples"):
        (folder / name).symlink_to(root / name)
    return issuer


def command(line):
    """The command that is run for a line."""
    if packages := re.match(r"(?:sudo )?apt-get install ([\w. -]+)$", line):
        return f"dpkg-query -W {packages[1]}"
    if line.startswith("make"):
        return f"{line} -n -C {root}"
    return line


def runs(line, folder, issuer):
    environment = os.environ | {"PATH": f"{root / '.build/release'}:{os.environ['PATH']}", "HOME": str(folder)}
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command(line).replace(ISSUER, issuer)], cwd=folder, env=environment, timeout=120,
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode:
        print(f"FAIL {line}\nended with {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.returncode == 0


blocks = BLOCK.findall((root / "README.md").read_text())
lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.split("#")[0].strip()]
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    with subprocess.Popen([root / ".build/release/loopback-provider"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as provider:
        issuer = provide(folder, provider)
        passed = sum(runs(line, folder, issuer) for line in lines)
if not lines:
    print("FAIL README.md has no shell lines")
print(f"{passed} passed, {len(lines) - passed} failed")
sys.exit(passed == 0 or passed < len(lines))
