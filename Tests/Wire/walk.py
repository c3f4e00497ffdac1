"""Runs the whole SMS login of a running server, and knows only its OpenAPI document.

Shares no code with the flows: slider.py solves the slider, PyJWT verifies tokens, and login.py makes signatures. Every request and every
answer is checked against the document. Usage: walk.py BASE_URL CLIENT_ID DEVELOPMENT_TOKEN MOBILE
"""
import json
import sys
import time
import urllib.request

import jwt

import login
from document import Device, Service

base, client, development, mobile = sys.argv[1:5]
service = Service(base)
fact = service.fact


def is_verified(token, keys):
    """Whether PyJWT verifies the signature."""
    header = jwt.get_unverified_header(token)
    fact("the token is signed by RS256", header["alg"] == "RS256")
    jwk = next(key for key in keys if key["kid"] == header["kid"])
    try:
        return bool(jwt.PyJWS().decode(token, jwt.PyJWK(jwk), algorithms=["RS256"]))
    except jwt.InvalidSignatureError:
        return False


def claims(token):
    return jwt.decode(token, options={"verify_signature": False})


def refused(answered, code):
    """Whether an answer is a refusal with this code."""
    status, answer = answered
    return status == 400 and answer["error_code"] == f"IDAAS.SDK.{code}"


def device():
    return Device(service, login.device_fields(client))


def newest_code():
    return login.code(base, development, mobile)


def published_keys(phone):
    """The issuer and its keys, discovered as a relying party does."""
    _, metadata = phone.call("discovery")
    _, described = phone.call("keys")
    keys = json.loads(urllib.request.urlopen(metadata["jwks_uri"], timeout=120).read())["keys"]
    fact("the metadata leads to the keys of the document", {key["kid"] for key in keys} == {key["kid"] for key in described["keys"]})
    fact("RS256 is announced", "RS256" in metadata["id_token_signing_alg_values_supported"])
    return metadata["issuer"], keys


def before_the_login(phone):
    fact("the server is up", phone.call("health") == (200, {"status": "ok"}) and phone.call("readiness")[0] == 200)
    _, date = phone.call("serverDate")
    fact("its clock is ours", abs(int(date["timestamp"]) / 1000 - time.time()) < 120)
    _, codes = phone.call("countryCodes")
    fact("China's area code is offered", any(row["areaCode"] == "86" for row in codes["phoneAreaCodeDefinitions"]))


def slider_and_message(phone):
    _, challenge = phone.call("captcha")
    check = {"token": challenge["token"], "point_json": json.dumps({"x": 0.0, "y": 5.0}), "sender": mobile}
    fact("a wrong place is refused", refused(phone.call("verifyCaptcha", check), "SMS.1003"))
    check["point_json"] = login.point(challenge["originalImageBase64"], challenge["jigsawImageBase64"])
    fact("and the picture is used up", refused(phone.call("verifyCaptcha", check), "SMS.1003"))
    message = {"mobile": mobile, "type": "LOGIN_SMS", "captcha_token": login.captcha_token(phone, mobile)}
    fact("the code is sent", phone.call("sendSMS", message)[0] == 200)
    code = newest_code()
    fact("a lost answer is told again", phone.call("sendSMS", message)[0] == 200)
    fact("without another message", newest_code() == code)
    stolen = {**message, "mobile": "+86-13912345679"}
    fact("a captcha token is for one number", refused(phone.call("sendSMS", stolen), "SMS.1004"))
    fact("and for one device", refused(device().call("sendSMS", message), "SMS.1004"))
    return code


def code_to_tokens(phone, code):
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    fact("a wrong code is refused", refused(phone.call("loginBySMS", {"mobile": mobile, "verify_code": wrong}), "SMS.1005"))
    right = {"mobile": mobile, "verify_code": code, "nonce": "n-0S6_WzA2Mj"}
    fact("another device is refused", refused(device().call("loginBySMS", right), "SMS.1005"))
    status, answer = phone.call("loginBySMS", right)
    fact("the right code logs in", status == 200 and answer["status"] == "SUCCESS")
    fact("and once only", refused(phone.call("loginBySMS", right), "SMS.1005"))
    return answer


def tokens_verified(answer, issuer, keys):
    fact("the id_token verifies", is_verified(answer["id_token"], keys))
    head, body, signature = answer["id_token"].split(".")
    changed = ("A" if body[5] != "A" else "B").join((body[:5], body[6:]))
    fact("and no other", not is_verified(f"{head}.{changed}.{signature}", keys))
    said = claims(answer["id_token"])
    fact("its issuer is the metadata's", said["iss"] == issuer)
    fact("its audience is the client", said["aud"] == client and said["amr"] == ["sms"])
    fact("it has the nonce", said["nonce"] == "n-0S6_WzA2Mj")
    fact("it lives now", said["nbf"] <= time.time() < said["exp"])
    fact("as long as was said", said["exp"] - said["iat"] == answer["id_token_expires_in"])


def renewals(phone, session_token, keys):
    """The session token and the id_token for the next steps."""
    first = ("sessionToken", session_token)
    status, renewed = phone.call("refresh", credential=first)
    fact("the session is renewed", status == 200 and is_verified(renewed["id_token"], keys))
    fact("its token is another", renewed["session_token"] != session_token)
    _, again = phone.call("refresh", credential=first)
    fact("a lost answer is told again", again["session_token"] == renewed["session_token"])
    _, key = phone.call("publicKey")
    signature = ("signature", login.signature(key["public_key"], renewed["session_token"]))
    status, by_signature = phone.call("refreshBySignature", credential=signature)
    fact("a signature renews too", status == 200 and is_verified(by_signature["id_token"], keys))
    fact("the same session", claims(by_signature["id_token"])["sid"] == claims(renewed["id_token"])["sid"])
    fact("a signature works once", refused(phone.call("refreshBySignature", credential=signature), "COMMON.1004"))
    return renewed["session_token"], by_signature["id_token"]


def own_sessions(phone, tablet, id_token):
    """Deletes the session of one device from another device."""
    other = login.log_in(tablet, development, mobile)
    bearer = ("bearer", id_token)
    _, listed = phone.call("listSessions", credential=bearer)
    fact("both sessions are listed", len(listed["sessions"]) == 2)
    fact("this one is told from the other", [row["id"] for row in listed["sessions"] if row["current"]] == [claims(id_token)["sid"]])
    forged = ("bearer", id_token[:-8] + "AAAAAAAA")
    fact("a forged id_token lists none", refused(phone.call("listSessions", credential=forged), "COMMON.1005"))
    ended = claims(other["id_token"])["sid"]
    fact("the other is deleted", phone.call("endSession", credential=bearer, id=ended)[0] == 200)
    fact("its device is out", refused(tablet.call("refresh", credential=("sessionToken", other["session_token"])), "COMMON.1005"))
    fact("and its id_token too", refused(tablet.call("listSessions", credential=("bearer", other["id_token"])), "COMMON.1005"))
    _, listed = phone.call("listSessions", credential=bearer)
    fact("one is left", [row["id"] for row in listed["sessions"]] == [claims(id_token)["sid"]])


def theft(phone, session_token):
    stolen = ("sessionToken", session_token)
    fact("another device is refused", refused(device().call("refresh", credential=stolen), "COMMON.1005"))
    fact("and ends the session for all", refused(phone.call("refresh", credential=stolen), "COMMON.1005"))
    fact("logging out is idempotent", phone.call("logout", {}, credential=stolen)[0] == 200)


def logout_everywhere(phone, tablet):
    here, there = (login.log_in(each, development, mobile) for each in (phone, tablet))
    fact("both are in", tablet.call("listSessions", credential=("bearer", there["id_token"]))[0] == 200)
    fact("all are logged out", phone.call("logout", {"all": True}, credential=("sessionToken", here["session_token"]))[0] == 200)
    for each, answer in (phone, here), (tablet, there):
        fact("the session is over", refused(each.call("refresh", credential=("sessionToken", answer["session_token"])), "COMMON.1005"))
        fact("its id_token too", refused(each.call("listSessions", credential=("bearer", answer["id_token"])), "COMMON.1005"))


def logout_by_signature(phone):
    answer = login.log_in(phone, development, mobile)
    _, key = phone.call("publicKey")
    signature = ("signature", login.signature(key["public_key"], answer["session_token"]))
    fact("a signature logs out, by GET", phone.call("logoutByGet", credential=signature)[0] == 200)
    fact("the session is over", refused(phone.call("refresh", credential=("sessionToken", answer["session_token"])), "COMMON.1005"))


def main():
    phone, tablet = device(), device()
    before_the_login(phone)
    issuer, keys = published_keys(phone)
    answer = code_to_tokens(phone, slider_and_message(phone))
    tokens_verified(answer, issuer, keys)
    session_token, id_token = renewals(phone, answer["session_token"], keys)
    own_sessions(phone, tablet, id_token)
    theft(phone, session_token)
    logout_everywhere(phone, tablet)
    logout_by_signature(phone)
    print(f"{service.held} facts hold")


try:
    main()
except AssertionError as broken:
    sys.exit(f"FAIL {broken}")
