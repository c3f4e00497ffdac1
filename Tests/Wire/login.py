"""The steps of a login: a slider solved from its pictures, a code from the development outbox, a signature."""
import base64
import json
import secrets
import time
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives.asymmetric.padding import MGF1, OAEP
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key

import slider


def device_fields(client):
    return {
        "X-client-id": client,
        "X-device-fingerprint": secrets.token_hex(16),
        "X-operating-sys-version": "Debian 12",
        "X-agent": "black-box/1",
        "X-L": "en",
    }


def point(background, piece):
    """The position of the piece, in the format of `point_json`."""
    x = slider.position(base64.b64decode(background), base64.b64decode(piece))
    return json.dumps({"x": float(x), "y": 5.0})


def captcha_token(device, mobile):
    """A captcha token for `mobile`. After a misread picture it requests a new one, as a user would."""
    for _ in range(5):
        _, challenge = device.call("captcha")
        check = {
            "token": challenge["token"],
            "point_json": point(challenge["originalImageBase64"], challenge["jigsawImageBase64"]),
            "sender": mobile,
        }
        status, answer = device.call("verifyCaptcha", check)
        if status == 200:
            return answer["captcha_token"]
    raise AssertionError("the slider was not solved in five pictures")


def send_code(device, mobile):
    message = {"mobile": mobile, "type": "LOGIN_SMS", "captcha_token": captcha_token(device, mobile)}
    status, answer = device.call("sendSMS", message)
    device.service.fact(f"the code is sent: {answer}", status == 200)


def code(base, development, mobile):
    """The newest code for a number, or None. Stands for the user who reads the message."""
    address = f"{base}/__dev/outbox?mobile={urllib.parse.quote(mobile)}"
    request = urllib.request.Request(address, headers={"X-Assay-Dev": development})
    messages = json.loads(urllib.request.urlopen(request, timeout=120).read())["messages"]
    return messages[0]["code"] if messages else None


def log_in(device, development, mobile):
    """The answer to a login."""
    send_code(device, mobile)
    login = {"mobile": mobile, "verify_code": code(device.service.base, development, mobile)}
    status, answer = device.call("loginBySMS", login)
    device.service.fact(f"the code logs in: {answer}", status == 200)
    return answer


def signature(public_key, session_token, nonce=None):
    """X-signature (described with its security scheme)."""
    text = f"session_token={session_token}&timestamp={time.time_ns() // 1_000_000}&nonce={nonce or secrets.token_hex(8)}"
    encrypted = load_pem_public_key(public_key.encode()).encrypt(text.encode(), OAEP(MGF1(SHA256()), SHA256(), None))
    return base64.b64encode(encrypted).decode()
