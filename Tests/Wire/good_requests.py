"""Adds to generated requests the values that only a login provides, so that they succeed."""
import collections
import json
import os

import jwt

import login
from wallet import Wallet

wallet = Wallet(os.environ["ASSAY_WIRE_URL"], os.environ["ASSAY_WIRE_CLIENT"], os.environ["ASSAY_DEV_TOKEN"])
# Requests that must be accepted, and requests with one of our credentials.
live = set()
carrying = set()
# How often each operation could have had a credential.
asked = collections.Counter()


def name(case):
    return case.operation.definition.raw["operationId"]


def is_own(case):
    """Whether the request uses the operation's own method."""
    return case.method.lower() == case.operation.method.lower()


def is_good(case):
    """Whether the request matches the document."""
    return case.meta is not None and is_own(case) and case.meta.generation.mode.is_positive


def body(case, members):
    if isinstance(case.body, dict):
        case.body = {**case.body, **members}


def credential(case, scheme, value):
    for other in "session-token", "X-signature", "Authorization":
        case.headers.pop(other, None)
    case.headers.update(wallet.service.credential(name(case), scheme, value))
    carrying.add(case.id)


def logout(case):
    session_token = wallet.new_session()["session_token"]
    if asked[name(case)] % 4 == 1:
        credential(case, "sessionToken", session_token)
    else:
        credential(case, "signature", wallet.signature(session_token))


def own_session(case):
    bearer = wallet.new_session()["id_token"]
    _, listed = wallet.device.call("listSessions", credential=("bearer", bearer))
    credential(case, "bearer", bearer)
    case.path_parameters["id"] = listed["sessions"][0]["id"]


def entity_tag(case):
    case.headers["If-None-Match"] = "*"


def send(case):
    body(case, wallet.captcha_token())
    if asked[name(case)] % 4 == 1:
        case.headers["Prefer"] = "return=representation"


def check(case):
    """Sends a solved slider, sometimes with the track of a hand."""
    solved = wallet.solved()
    x = json.loads(solved["point_json"])["x"]
    way = [{"x": x * step / 20, "y": step % 3, "t": 40 * step} for step in range(21)]
    body(case, {**solved, "track": way if asked[name(case)] % 4 == 1 else None})


def challenge(case):
    credential(case, "bearer", wallet.renewed()["id_token"])
    body(case, {"action": "bind"})


def published_list(case):
    """The list of an id_token, or the question whether a copy of it is still right."""
    claims = jwt.decode(wallet.renewed()["id_token"], options={"verify_signature": False})
    case.path_parameters["id"] = claims["status"]["status_list"]["uri"].rpartition("/")[2]
    if asked[name(case)] % 4 == 1:
        entity_tag(case)


def poll(case):
    """A poll of the stream that the test has made, which does not wait for a token."""
    stream, secret = os.environ["ASSAY_WIRE_STREAM"].split()
    case.path_parameters["id"] = stream
    credential(case, "signalSecret", secret)
    body(case, {"returnImmediately": True})


# The function that makes an operation succeed, and whether the request must succeed: a slider may be misread.
FRESH = {
    "verifyCaptcha": (check, False),
    "sendSMS": (send, True),
    "loginBySMS": (lambda case: body(case, wallet.code()), True),
    "loginByWeChat": (lambda case: body(case, {"code": wallet.wechat_code(), "state": None, "nonce": None}), True),
    "loginByCarrier": (lambda case: body(case, {"access_token": wallet.carrier_token(), "nonce": None}), True),
    "phoneStatus": (lambda case: credential(case, "bearer", wallet.renewed()["id_token"]), True),
    "phoneChallenge": (challenge, True),
    "refresh": (lambda case: credential(case, "sessionToken", wallet.renewed()["session_token"]), True),
    "refreshBySignature": (lambda case: credential(case, "signature", wallet.signature(wallet.renewed()["session_token"])), True),
    "logout": (logout, True),
    "logoutByGet": (logout, True),
    "listSessions": (lambda case: credential(case, "bearer", wallet.renewed()["id_token"]), True),
    "endSession": (own_session, True),
    "keys": (entity_tag, True),
    "discovery": (entity_tag, True),
    "signalConfiguration": (entity_tag, True),
    "serverMetadata": (entity_tag, True),
    "rootServerMetadata": (entity_tag, True),
    "statusList": (published_list, True),
    "pollSignals": (poll, True),
}
# The maximum for each operation, because most of them need a solved slider.
MOST = 12


def solve(case):
    pictures = wallet.pictures.pop(case.body["token"], None)
    if pictures:
        body(case, {"point_json": login.point(*pictures), "sender": next(wallet.mobiles), "track": None})


def read_message(case):
    code = wallet.newest_code(case.body["mobile"])
    if code:
        body(case, {"verify_code": code})


def bear(case):
    authorization = wallet.bearers.get(case.path_parameters["id"])
    if authorization:
        case.headers["Authorization"] = authorization
        carrying.add(case.id)


# Values that a link cannot copy from one answer into the next request.
COMPLETED = {"verifyCaptcha": solve, "loginBySMS": read_message, "endSession": bear}


def texts(value):
    """The strings in a body."""
    return [value] if isinstance(value, str) else list(value.values()) if isinstance(value, dict) else []


def is_linked(case):
    """Whether a request has a value from an answer."""
    sent = [*texts(case.body), *case.headers.values(), *case.path_parameters.values()]
    return any(isinstance(text, str) and text in wallet.given for text in sent)


def succeed(case):
    """Adds to a request the values that make it succeed."""
    fresh, must_succeed = FRESH[name(case)]
    case.headers.update(wallet.device.fields)
    fresh(case)
    if must_succeed:
        live.add(case.id)
