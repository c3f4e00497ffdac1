"""Decides which failed checks are not failures, because the protocol differs from others by design."""
import json
import re

from schemathesis.core.failures import AcceptedNegativeData, MalformedJson
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import negated_parameters
from schemathesis.openapi.checks import (
    AuthScenario,
    IgnoredAuth,
    MissingContentType,
    MissingHeaderNotRejected,
    RejectedPositiveData,
)

from good_requests import carrying, live, name, wallet

# Accepted from any sender: ending an unknown session succeeds.
IDEMPOTENT = {"logout", "logoutByGet"}
# Refused with 400 if a value in them does not exist: the vendor's protocol has no other status for that.
BUSINESS = {
    "verifyCaptcha", "sendSMS", "loginBySMS", "refresh", "refreshBySignature", "listSessions", "endSession",
    "loginByWeChat", "loginByCarrier", "bindSocialAccount", "registerSocialAccount", "loginByPassword",
    "phoneStatus", "phoneChallenge", "bindPhone", "unbindPhone", "requestApproval", "pollApproval", "pendingApproval", "respondToApproval",
    "secondFactorBySMS",
} | IDEMPOTENT
# Header fields that are never a reason to refuse: the server ignores invalid values.
UNUSED = {"x-device-ip", "x-tenant-id", "x-l", "accept-language", "x-request-id", "prefer", "if-none-match"}


def is_opaque(case, field):
    """Whether the only fault of a header field is bytes beyond ASCII, which a recipient treats as opaque data (RFC 9110 5.5)."""
    value = case.headers.get(field)
    return isinstance(value, str) and 0 < len(value.strip()) <= 512


def is_tolerated(case):
    """Whether all faults of a request are in header fields where they do not matter."""
    negated = {parameter.lower() for parameter, location in negated_parameters(case.meta) if location == ParameterLocation.HEADER}
    if case.meta.is_negative_at(ParameterLocation.BODY) or case.meta.is_negative_at(ParameterLocation.PATH):
        return False
    return bool(negated) and all(field in UNUSED or is_opaque(case, field) for field in negated)


def sends_nothing(case, response):
    """Whether this is sendSMS's documented answer without a body. OpenAPI cannot express it beside the answer with a body."""
    return name(case) == "sendSMS" and response.status_code == 200 and not response.content


def is_carrying(case):
    """Whether the request has an issued credential from a link, however else it was changed."""
    return case.id in carrying or not wallet.given.isdisjoint((case.headers or {}).values())


def has_control_character(value):
    """Docs/IDaaS.md: no string of a request has one. JSON Schema cannot say so of all members, and of their names."""
    return re.search(r"\\(u00[01][0-9a-f]|[bfnrt])", json.dumps(value, default=str)) is not None


def filter_failure(context, failure, case, response):
    """Whether a failed check is a failure: the protocol refuses with 400 where others use 401, 403, 404."""
    if isinstance(failure, IgnoredAuth):
        if failure.scenario != AuthScenario.NO_AUTH and (name(case) in IDEMPOTENT or is_carrying(case)):
            return False
        return "got `400" not in failure.message
    if isinstance(failure, MissingHeaderNotRejected):
        return failure.status_code != 400
    if isinstance(failure, AcceptedNegativeData):
        return not is_tolerated(case)
    if isinstance(failure, RejectedPositiveData):
        if has_control_character(case.body):
            return False
        return name(case) not in BUSINESS or case.id in live
    if isinstance(failure, (MissingContentType, MalformedJson)):
        return not sends_nothing(case, response)
    return True
