"""Puts into generated requests what only a login can bring, so that they succeed."""
import collections
import json
import os

import login
from wallet import Wallet

wallet = Wallet(os.environ["ASSAY_WIRE_URL"], os.environ["ASSAY_WIRE_CLIENT"], os.environ["ASSAY_DEV_TOKEN"])
# Requests that have to be accepted, and those that carry a credential of ours.
live = set()
carrying = set()
# How often each operation could have had one.
asked = collections.Counter()


def name(case):
    return case.operation.definition.raw["operationId"]


def is_own(case):
    """Whether it uses the operation's own method."""
    return case.method.lower() == case.operation.method.lower()


def is_good(case):
    """Whether it is a request of its operation that keeps to the document."""
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
    """A solved slider, with the way of a hand or without."""
    solved = wallet.solved()
    x = json.loads(solved["point_json"])["x"]
    way = [{"x": x * step / 20, "y": step % 3, "t": 40 * step} for step in range(21)]
    body(case, {**solved, "track": way if asked[name(case)] % 4 == 1 else None})


# What brings an operation to success, and whether it must: a slider may be read wrongly.
FRESH = {
    "verifyCaptcha": (check, False),
    "sendSMS": (send, True),
    "loginBySMS": (lambda case: body(case, wallet.code()), True),
    "refresh": (lambda case: credential(case, "sessionToken", wallet.renewed()["session_token"]), True),
    "refreshBySignature": (lambda case: credential(case, "signature", wallet.signature(wallet.renewed()["session_token"])), True),
    "logout": (logout, True),
    "logoutByGet": (logout, True),
    "listSessions": (lambda case: credential(case, "bearer", wallet.renewed()["id_token"]), True),
    "endSession": (own_session, True),
    "keys": (entity_tag, True),
    "discovery": (entity_tag, True),
}
# For each, since most of them take the solving of a slider.
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


# What a link cannot carry from one answer into the next request.
COMPLETED = {"verifyCaptcha": solve, "loginBySMS": read_message, "endSession": bear}


def texts(value):
    """The strings in a body."""
    return [value] if isinstance(value, str) else list(value.values()) if isinstance(value, dict) else []


def is_linked(case):
    """Whether a request carries something that an answer gave."""
    sent = [*texts(case.body), *case.headers.values(), *case.path_parameters.values()]
    return any(isinstance(text, str) and text in wallet.given for text in sent)


def succeed(case):
    """Puts into a request what brings it to success."""
    fresh, must_succeed = FRESH[name(case)]
    case.headers.update(wallet.device.fields)
    fresh(case)
    if must_succeed:
        live.add(case.id)
