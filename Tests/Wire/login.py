"""What it takes to log in: a slider solved from its pictures, a code from the development outbox, a signature by the openssl command."""
import base64
import json
import secrets
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

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
    """Where the piece belongs, as `point_json` has it."""
    x = slider.position(base64.b64decode(background), base64.b64decode(piece))
    return json.dumps({"x": float(x), "y": 5.0})


def captcha_token(device, mobile):
    """A captcha token for `mobile`; a picture that is read wrongly is asked for again, as a person would."""
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
    """The newest code for a number; None where there is none. Stands for the person who reads the message."""
    address = f"{base}/__dev/outbox?mobile={urllib.parse.quote(mobile)}"
    request = urllib.request.Request(address, headers={"X-Assay-Dev": development})
    messages = json.loads(urllib.request.urlopen(request, timeout=30).read())["messages"]
    return messages[0]["code"] if messages else None


def log_in(device, development, mobile):
    """What a login answers."""
    send_code(device, mobile)
    login = {"mobile": mobile, "verify_code": code(device.service.base, development, mobile)}
    status, answer = device.call("loginBySMS", login)
    device.service.fact(f"the code logs in: {answer}", status == 200)
    return answer


def signature(public_key, session_token, nonce=None):
    """X-signature (described with its security scheme)."""
    text = f"session_token={session_token}&timestamp={time.time_ns() // 1_000_000}&nonce={nonce or secrets.token_hex(8)}"
    options = ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha256"]
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(public_key)
        file.flush()
        command = ["openssl", "pkeyutl", "-encrypt", "-pubin", "-inkey", file.name]
        encrypted = subprocess.run(
            command + [part for option in options for part in ("-pkeyopt", option)], input=text.encode(), capture_output=True, check=True
        )
    return base64.b64encode(encrypted.stdout).decode()
