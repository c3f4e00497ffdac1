"""Rules about claims, which the service has. Each check is a function of a gateway."""
from exchange import bearer
from expectations import passed, refused

STAFF = {"realm_access": {"roles": ["clerk"]}, "email": "jane@example.com", "email_verified": True}
BREAKING = (
    {"realm_access": {"roles": ["guest"]}}, {"realm_access": {"roles": []}}, {"realm_access": "clerk"}, {"realm_access": None},
    {"email": "jane@example.com.evil.example"}, {"email": "jane@evil.example@example.com"}, {"email": "jane@notexample.com"},
    {"email_verified": False}, {"email_verified": None}, {"email": None},
)


def a_token_that_meets_every_rule_passes(gateway):
    token = gateway.lab.provider.token
    for change in ({}, {"realm_access": {"roles": ["guest", "admin"]}}, {"email": "jane@EXAMPLE.com"}, {"email_verified": "true"}):
        passed(gateway, "/staff", [bearer(token(**(STAFF | change)))])


def a_token_that_breaks_a_rule_is_403(gateway):
    for change in BREAKING:
        answer = refused(gateway, 403, "claim_mismatch", "/staff", [bearer(gateway.lab.provider.token(**(STAFF | change)))])
        challenge = answer.field("www-authenticate") or ""
        assert 'error="insufficient_scope"' in challenge and "scope=" not in challenge, (change, answer)
    refused(gateway, 401, "missing_token", "/staff")


ALL = [a_token_that_meets_every_rule_passes, a_token_that_breaks_a_rule_is_403]
