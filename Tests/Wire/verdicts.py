"""Which failed checks are none, because the protocol is unlike others by design."""
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

# Accepted whoever sends them: who ends a session that is none has ended it.
IDEMPOTENT = {"logout", "logoutByGet"}
# Refused with 400 unless what they carry exists: the vendor's protocol has no other status for that.
BUSINESS = {"verifyCaptcha", "sendSMS", "loginBySMS", "refresh", "refreshBySignature", "listSessions", "endSession"} | IDEMPOTENT
# Header fields that are no reason to refuse: what they say is not used where it cannot be.
UNUSED = {"x-device-ip", "x-tenant-id", "x-l", "accept-language", "x-request-id", "prefer", "if-none-match"}


def is_opaque(case, field):
    """Whether it is a header field that is wrong only in having bytes beyond ASCII, which a recipient takes as they are (RFC 9110 5.5)."""
    value = case.headers.get(field)
    return isinstance(value, str) and 0 < len(value.strip()) <= 512


def is_tolerated(case):
    """Whether all that is wrong with a request is in header fields where it does not matter."""
    negated = {parameter.lower() for parameter, location in negated_parameters(case.meta) if location == ParameterLocation.HEADER}
    if case.meta.is_negative_at(ParameterLocation.BODY) or case.meta.is_negative_at(ParameterLocation.PATH):
        return False
    return bool(negated) and all(field in UNUSED or is_opaque(case, field) for field in negated)


def sends_nothing(case, response):
    """Whether it is the documented answer of sendSMS without a body, which no OpenAPI document can express beside the one with a body."""
    return name(case) == "sendSMS" and response.status_code == 200 and not response.content


def is_carrying(case):
    """Whether a link put a credential into it that was really given, whatever else was made of the request."""
    return case.id in carrying or not wallet.given.isdisjoint((case.headers or {}).values())


def filter_failure(context, failure, case, response):
    """Whether a failed check is one: the protocol refuses with 400 where others have 401, 403, 404."""
    if isinstance(failure, IgnoredAuth):
        if failure.scenario != AuthScenario.NO_AUTH and (name(case) in IDEMPOTENT or is_carrying(case)):
            return False
        return "got `400" not in failure.message
    if isinstance(failure, MissingHeaderNotRejected):
        return failure.status_code != 400
    if isinstance(failure, AcceptedNegativeData):
        return not is_tolerated(case)
    if isinstance(failure, RejectedPositiveData):
        return name(case) not in BUSINESS or case.id in live
    if isinstance(failure, (MissingContentType, MalformedJson)):
        return not sends_nothing(case, response)
    return True
