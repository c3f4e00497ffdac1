"""Hooks of schemathesis: they make a share of the good requests succeed, and count the answers for coverage.py.

Bad requests stay unchanged. Environment: ASSAY_WIRE_URL, ASSAY_WIRE_CLIENT, ASSAY_DEV_TOKEN, ASSAY_WIRE_COUNTS (the file for the
counts).
"""
import atexit
import collections
import functools
import json
import os
import traceback

import schemathesis
from schemathesis.generation.meta import TestPhase

import verdicts
from good_requests import COMPLETED, FRESH, MOST, asked, carrying, is_good, is_linked, is_own, live, name, poll, succeed, wallet

answers = collections.defaultdict(collections.Counter)
codes = collections.defaultdict(collections.Counter)
# Requests with an unknown client id.
strangers = set()
broken = []
# The operations whose answers have values for the next step.
STEPS = {
    "captcha", "verifyCaptcha", "sendSMS", "loginBySMS", "refresh", "refreshBySignature", "listSessions", "loginByWeChat", "loginByCarrier",
    "bindSocialAccount", "registerSocialAccount", "loginByPassword", "pollApproval", "secondFactorBySMS",
}
# Requests that the server refuses for their values. Generated requests hardly reach those checks.
MOBILE = "+86-13800000000"
REFUSED = {
    "verifyCaptcha": {"token": "0" * 32, "point_json": "nonsense", "sender": MOBILE},
    "sendSMS": {"captcha_token": "0" * 32, "mobile": MOBILE, "type": "LOGIN_SMS"},
    "loginBySMS": {"mobile": MOBILE, "verify_code": "000000"},
}


def noted(hook):
    """Records the exceptions of a hook, because schemathesis continues after them."""

    @functools.wraps(hook)
    def noting(*arguments):
        try:
            return hook(*arguments)
        except Exception:
            broken.append(traceback.format_exc())
            raise

    return noting


@schemathesis.hook
@noted
def before_call(context, case, kwargs):
    if case.id in strangers:
        case.headers["X-client-id"] = "stranger"
    if not is_good(case):
        return
    if case.meta.phase.name == TestPhase.STATEFUL:
        case.headers.update(wallet.device.fields)
        if is_linked(case):
            if not wallet.given.isdisjoint(case.headers.values()):
                carrying.add(case.id)
            COMPLETED.get(name(case), lambda case: None)(case)
            return
    if name(case) in FRESH:
        asked[name(case)] += 1
        if asked[name(case)] % 2 == 1 and asked[name(case)] < 2 * MOST:
            succeed(case)


@schemathesis.hook
@noted
def after_call(context, case, response):
    if not is_own(case):
        return
    answers[name(case)][response.status_code] += 1
    if response.status_code >= 400:
        codes[name(case)][f"{response.status_code} {response.json().get('error_code')}"] += 1
    elif response.status_code == 200 and name(case) in STEPS:
        wallet.remember(name(case), case.body, case.headers, response.json() if response.content else None)


@schemathesis.hook
@noted
def before_add_examples(context, examples):
    """Adds one successful request of each operation, and cases that schemathesis does not generate."""
    operation = context.operation
    operation_id = operation.definition.raw["operationId"]

    def example(members=None, **fields):
        content = {"body": members or {}, "media_type": "application/json"} if operation.body else {}
        places = {parameter.name: "none" for parameter in operation.path_parameters}
        case = operation.Case(headers={**wallet.device.fields, **fields}, path_parameters=places, **content)
        examples.append(case)
        return case

    succeeding = example()
    if operation_id in FRESH:
        succeed(succeeding)
    strangers.add(example().id)
    if operation_id in REFUSED:
        example(REFUSED[operation_id])
    if operation_id == "pollSignals":
        # The secret is judged before the body.
        poll(example({"maxEvents": "many"}))
    if operation_id == "logoutByGet":
        example(**{"X-signature": "AAAA"})
    # More header fields than a request may have, and a body above the size limit.
    example(**{f"X-Padding-{index}": "x" for index in range(70)})
    if operation.body:
        example({"padding": "x" * 70_000})
    if operation_id == "metrics":
        # Behind a proxy the server does not know the reader's address.
        example(**{"X-Forwarded-For": "192.0.2.1"})


schemathesis.hook(verdicts.filter_failure)


@atexit.register
def save():
    with open(os.environ["ASSAY_WIRE_COUNTS"], "w") as file:
        json.dump({"answers": answers, "codes": codes, "broken": broken, "live": len(live)}, file)
