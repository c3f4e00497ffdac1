"""The type stubs are right, and the package's own files have types."""

import re
import subprocess
import sys
from pathlib import Path

import assay
from assay import errors

PROGRAM = """
from typing import Any, List, Optional, Union
from assay import Claims, Client, Code, Gateway, Keys, Payload, RemoteKeys, VerificationError, Verifier

verifier = Verifier("https://idp.example", ["a", "b"], Keys("{}"), scopes="orders", leeway=5, checks=[lambda claims: claims.subject])
claims: Claims = verifier.verify("token", now=1.5)
subject: Optional[str] = claims.subject
anything: Any = claims["x"]
verdicts: List[Union[Claims, VerificationError]] = verifier.verify_batch([b"token"])
codes: List[Code] = verifier.verify_batch([b"token"], now=1.5, claims=False)
login: Verifier = verifier.expecting(nonce="n")
payload: Payload = verifier.verify_payload("token")
code: Code = Code.EXPIRED
waited: bool = RemoteKeys("https://idp.example", client=Client(addresses=["private"])).wait(5)
gateway: Gateway = Gateway.of_issuer("https://idp.example", "a", scopes=["x"])

nonce: Optional[str] = gateway.decide("GET", "a", "/", [], certificate=b"der").proof_nonce

async def codes_of_many() -> List[Code]:
    return await verifier.verify_batch_async(["token"], claims=False)

async def work() -> Claims:
    return await verifier.verify_async("token")
"""
MISTAKES = [
    "verifier.verify(5)",
    'Verifier("i", "a")',
    'Verifier("i", "a", "k", isuer="x")',
    'verifier.verify("t").subject.upper(5)',
    "Code.NOTHING",
    'verifier.verify_batch(["t"], claims=False)[0].subject',
    'claims["x"] = 1',
    "verifier.expecting()",
]


def mypy(path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(path)], capture_output=True, text=True, cwd=path.parent
    )
    return done.stdout


def test_programs_are_checked_by_the_types(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + "\n".join(MISTAKES) + "\n")
    first = PROGRAM.count("\n") + 1
    wrong = {int(number) for number in re.findall(r"program\.py:(\d+): error", mypy(program))}
    assert wrong == set(range(first, first + len(MISTAKES)))


def test_the_stub_has_every_code():
    stub = (Path(errors.__file__).parent / "errors.pyi").read_text()
    listed = {name: int(number) for name, number in re.findall(r"^    ([A-Z0-9_]+) = (\d+)$", stub, flags=re.M)}
    assert listed == {code.name: code.value for code in assay.Code}
