"""The project's vectors as questions to assay.Verifier."""

import json
from pathlib import Path

import assay

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
RULES = {
    "trusted_audiences": "trusted_audiences",
    "authorized_party": "authorized_party",
    "types": "types",
    "required": "required",
    "acr": "context_classes",
    "amr": "authentication_methods",
    "revoked_jti": "revoked_token_ids",
    "nonce": "nonce",
    "access_token": "access_token",
    "code": "code",
    "leeway": "leeway",
    "maximum_age": "maximum_age",
    "max_age": "maximum_authentication_age",
    "require_expiration": "expiration_required",
}
REQUIRED = {"id_token": ["iss", "sub", "aud", "exp", "iat"], "access_token": ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"]}
TYPES = {"id_token": ["", "JWT"], "access_token": ["at+jwt"]}


def known(algorithms):
    """A list may name what this libcrypto lacks."""
    for name in algorithms:
        try:
            assay.Verifier(None, None, '{"keys":[]}', algorithms=[name])
            yield name
        except assay.DocumentError as error:
            assert error.code == assay.Code.UNSUPPORTED_ALGORITHM


def verifier(keys, policy):
    """A preset without an issuer and an audience is its rules alone, as the vectors ask for."""
    rules = {ours: policy[name] for name, ours in RULES.items() if name in policy}
    preset = policy.get("preset")
    if preset:
        rules["required"] = REQUIRED[preset] + list(rules.get("required", []))
        rules.setdefault("types", TYPES[preset])
        rules["trusted_audiences_only"] = preset == "id_token"
    if "algorithms" in policy:
        rules["algorithms"] = list(known(policy["algorithms"]))
    # This machine is no address that keys may come from, so there are none.
    keys = assay.RemoteKeys(url="https://127.0.0.1:1/keys") if keys is None else json.dumps(keys).encode("utf-8", "surrogatepass")
    return assay.Verifier(policy.get("issuer"), policy.get("audience"), keys, **rules)


def token_files():
    manifest = json.loads((VECTORS / "manifest.json").read_text())
    for entry in manifest["files"]:
        if entry["kind"] == "tokens":
            yield json.loads((VECTORS / entry["path"]).read_text())


def code_of(refusal):
    return refusal.name if isinstance(refusal, assay.AssayError) else "valid"
