"""Walks the whole SMS login of a running server, knowing its OpenAPI document and nothing else of it.

Shares no code with the flows: the slider is solved by slider.py, the id_token verified by the openssl command. Every answer is held against
the schema that the document promises. Usage: walk.py BASE_URL CLIENT_ID DEVELOPMENT_TOKEN MOBILE
"""
import base64
import json
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import jsonschema

import slider

base, client, development, mobile = sys.argv[1:5]
document = json.loads(urllib.request.urlopen(f"{base}/openapi.json").read())
passed = 0


def fact(text, holds):
    global passed
    if not holds:
        sys.exit(f"FAIL {text}")
    passed += 1


class Device:
    """What sends requests: the headers that the document requires, with one fingerprint."""

    def __init__(self):
        self.fields = {
            "X-client-id": client,
            "X-device-fingerprint": secrets.token_hex(16),
            "X-operating-sys-version": "Debian 12",
            "X-agent": "black-box/1",
            "X-L": "en",
        }

    def call(self, method, ending, body=None, fields=(), **parts):
        """The status and the body of an operation, both as the document says they may be."""
        path, operation = described(method, ending)
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(base + path.format(**parts), data, method=method.upper())
        for name, value in {**self.fields, **dict(fields)}.items():
            request.add_header(name, value)
        if data is not None:
            request.add_header("Content-Type", "application/json;charset=utf8")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            status, text = refusal.code, refusal.read()
        return status, conforming(operation, status, text, f"{method} {path}")


def described(method, ending):
    path = next(path for path in document["paths"] if path.endswith(ending) and method in document["paths"][path])
    return path, document["paths"][path][method]


def resolved(part):
    while isinstance(part, dict) and "$ref" in part:
        target = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            target = target[name.replace("~1", "/").replace("~0", "~")]
        part = target
    return part


def conforming(operation, status, text, name):
    promised = operation["responses"].get(str(status))
    fact(f"{name} may answer {status}: {text[:200]}", promised is not None)
    content = resolved(promised).get("content")
    if not content or not text:
        fact(f"{name} answers a body where one is promised", not text or bool(content))
        return None
    value = json.loads(text)
    schema = next(iter(content.values()))["schema"]
    jsonschema.validate(value, {**schema, "components": document.get("components", {})})
    fact(f"{name} answers as its schema says", True)
    return value


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def der(tag, *parts):
    body = b"".join(parts)
    length = bytes([len(body)]) if len(body) < 128 else bytes([0x82]) + len(body).to_bytes(2, "big")
    return bytes([tag]) + length + body


def public_key(jwk):
    """SubjectPublicKeyInfo of an RSA key (RFC 8017 appendix A.1.1)."""
    numbers = [b"\0" + unpadded(jwk[name]) for name in ("n", "e")]
    key = der(0x30, *(der(2, number) for number in numbers))
    algorithm = der(0x30, bytes.fromhex("06092a864886f70d0101010500"))
    return der(0x30, algorithm, der(3, b"\0" + key))


def verified_by_openssl(token, keys):
    signed, _, signature = token.rpartition(".")
    header = json.loads(unpadded(token.split(".")[0]))
    fact("the token is signed by RS256", header["alg"] == "RS256")
    jwk = next(key for key in keys if key["kid"] == header["kid"])
    with tempfile.TemporaryDirectory() as folder:
        for name, content in ("key", public_key(jwk)), ("signature", unpadded(signature)), ("signed", signed.encode()):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
        command = ["openssl", "dgst", "-sha256", "-keyform", "DER", "-verify", "key", "-signature", "signature", "signed"]
        return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def error(answer):
    return answer["error_code"].removeprefix("IDAAS.SDK.")


def solve(device):
    """A captcha token for `mobile`; a picture that is read wrongly is asked for again, as a person would."""
    for _ in range(3):
        _, challenge = device.call("get", "/captcha")
        pictures = (base64.b64decode(challenge[name]) for name in ("originalImageBase64", "jigsawImageBase64"))
        point = json.dumps({"x": float(slider.position(*pictures)), "y": 5.0})
        status, answer = device.call(
            "post", "/captcha/verify", {"point_json": point, "token": challenge["token"], "sender": mobile}
        )
        if status == 200:
            return answer["captcha_token"]
    sys.exit("FAIL the slider was not solved in three pictures")


def outbox():
    request = urllib.request.Request(f"{base}/__dev/outbox?mobile={mobile.replace('+', '%2B')}", headers={"X-Assay-Dev": development})
    return json.loads(urllib.request.urlopen(request).read())


def main():
    phone, other = Device(), Device()
    _, codes = phone.call("get", "/country-codes")
    fact("China's area code is offered", any(row["areaCode"] == "86" for row in codes["phoneAreaCodeDefinitions"]))
    captcha = solve(phone)
    message = {"mobile": mobile, "type": "LOGIN_SMS", "captcha_token": captcha}
    fact("the code is sent", phone.call("post", "/sms/send", message)[0] == 200)
    code = outbox()["messages"][0]["code"]
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    status, answer = phone.call("post", "/login/mobile-verify-code", {"mobile": mobile, "verify_code": wrong})
    fact("a wrong code is refused", (status, error(answer)) == (400, "SMS.1005"))
    status, login = phone.call("post", "/login/mobile-verify-code", {"mobile": mobile, "verify_code": code})
    fact("the right code logs in", status == 200 and login["status"] == "SUCCESS")
    status, answer = phone.call("post", "/login/mobile-verify-code", {"mobile": mobile, "verify_code": code})
    fact("and once only", (status, error(answer)) == (400, "SMS.1005"))

    _, metadata = phone.call("get", "/.well-known/openid-configuration")
    keys = json.loads(urllib.request.urlopen(metadata["jwks_uri"]).read())["keys"]
    fact("openssl verifies the id_token", verified_by_openssl(login["id_token"], keys))
    claims = json.loads(unpadded(login["id_token"].split(".")[1]))
    fact("its issuer is the metadata's", claims["iss"] == metadata["issuer"])
    fact("its audience is the client", claims["aud"] == client and claims["amr"] == ["sms"])
    fact("it lives now", claims["nbf"] <= time.time() < claims["exp"])

    first = {"session-token": login["session_token"]}
    status, renewed = phone.call("post", "/sso/session-token/id-token", fields=first)
    fact("the session is renewed", status == 200 and verified_by_openssl(renewed["id_token"], keys))
    _, again = phone.call("post", "/sso/session-token/id-token", fields=first)
    fact("a lost answer is told again", again["session_token"] == renewed["session_token"])
    bearer = {"Authorization": f"Bearer {renewed['id_token']}"}
    status, listed = phone.call("get", "/sessions", fields=bearer)
    fact("the session is listed", status == 200 and len(listed["sessions"]) == 1)
    status, answer = other.call("post", "/sso/session-token/id-token", fields={"session-token": renewed["session_token"]})
    fact("another device is refused", (status, error(answer)) == (400, "COMMON.1005"))
    status, answer = phone.call("post", "/sso/session-token/id-token", fields={"session-token": renewed["session_token"]})
    fact("and ends the session for all", (status, error(answer)) == (400, "COMMON.1005"))
    status, _ = phone.call("post", "/logout", {}, fields={"session-token": renewed["session_token"]})
    fact("logging out is idempotent", status == 200)
    print(f"{passed} facts hold")


main()
