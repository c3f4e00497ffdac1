"""What a verifier accepts, and how it refuses."""

import asyncio
import pickle
import re
from pathlib import Path

import pytest

import assay
from assay import Code, Verifier
from assay.testing import SigningKey, TestIssuer
from conftest import NOW

ALGORITHMS = ["RS256", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA", "Ed448", "HS256"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_token_of_each_algorithm_is_accepted_and_a_changed_one_is_not(algorithm):
    issuer = TestIssuer(algorithm, clock=lambda: NOW)
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys, algorithms=[algorithm])
    token = issuer.token()
    assert verifier.verify(token, now=NOW).subject == "user-1"
    assert verifier.verify(token.encode(), now=NOW)["sub"] == "user-1"
    head, payload, signature = token.split(".")
    changed = f"{head}.{payload}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify(changed, now=NOW)
    assert refused.value.code == Code.SIGNATURE_INVALID


REFUSALS = [
    ({"exp": NOW - 100}, {}, Code.EXPIRED, "exp"),
    ({"exp": None}, {}, Code.MISSING_CLAIM, "exp"),
    ({"nbf": NOW + 100}, {}, Code.NOT_YET_VALID, "nbf"),
    ({"iat": NOW + 100}, {}, Code.ISSUED_IN_FUTURE, "iat"),
    ({"iss": "https://other.example"}, {}, Code.ISSUER_MISMATCH, "iss"),
    ({"aud": ["a", "b"]}, {}, Code.AUDIENCE_MISMATCH, "aud"),
    ({"iat": NOW - 100}, {"maximum_age": 10, "leeway": 0}, Code.TOO_OLD, "iat"),
    ({}, {"required": ["email"]}, Code.MISSING_CLAIM, None),
    ({}, {"subject": "user-2"}, Code.SUBJECT_MISMATCH, "sub"),
    ({"scope": "a b"}, {"scopes": ["c"]}, Code.INSUFFICIENT_SCOPE, None),
    ({"jti": "x"}, {"revoked_token_ids": ["x"]}, Code.REVOKED, "jti"),
    ({}, {"types": ["at+jwt"]}, Code.TYPE_MISMATCH, None),
    ({}, {"algorithms": ["RS256"]}, Code.ALGORITHM_NOT_ALLOWED, None),
    ({"acr": "1"}, {"context_classes": ["2"]}, Code.CONTEXT_CLASS_MISMATCH, "acr"),
    ({"azp": "x"}, {"authorized_party": "y"}, Code.AUTHORIZED_PARTY_MISMATCH, "azp"),
]


@pytest.mark.parametrize("claims, rules, code, claim", REFUSALS, ids=[f"{row[2].name.lower()}-{n}" for n, row in enumerate(REFUSALS)])
def test_each_rule_refuses_with_its_code(issuer, claims, rules, code, claim):
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys, **rules)
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify(issuer.token(claims), now=NOW)
    assert refused.value.code == code
    assert refused.value.name == code.name.lower()
    assert claim is None or refused.value.claim == claim
    assert refused.value.status == (403 if code == Code.INSUFFICIENT_SCOPE else 401)
    assert refused.value.challenge.startswith("Bearer ")


def test_a_refusal_says_how_to_reply(issuer):
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys, realm="api", scopes=["orders"])
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify(issuer.token({"scope": "other"}), now=NOW)
    assert refused.value.challenge == (
        'Bearer realm="api", error="insufficient_scope", error_description="the token lacks a required scope", scope="orders"'
    )
    assert verifier.challenge() == 'Bearer realm="api", scope="orders"'
    assert not refused.value.is_retryable


def test_a_refusal_holds_no_byte_of_the_token(issuer, verifier):
    token = issuer.token({"sub": "secret-person"}, lifetime=-100)
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify(token)
    shown = repr(refused.value) + str(refused.value) + refused.value.challenge
    assert "secret-person" not in shown and token[:20] not in shown


def test_a_refusal_can_be_pickled(issuer, verifier):
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify("a.b.c")
    copied = pickle.loads(pickle.dumps(refused.value))
    assert (copied.code, copied.reason, copied.status, copied.offset) == (Code.INVALID_BASE64URL, refused.value.reason, 401, 0)


def test_several_issuers_share_a_verifier():
    issuers = [TestIssuer(clock=lambda: NOW), TestIssuer("RS256", clock=lambda: NOW)]
    issuers[1].identifier = "https://second.example"
    both = Verifier.any_of(*(Verifier(each.identifier, "client-1", each.keys) for each in issuers))
    for each in issuers:
        assert both.verify(each.token(), now=NOW).issuer == each.identifier
    with pytest.raises(assay.VerificationError) as refused:
        both.verify(issuers[0].token({"iss": "https://third.example"}), now=NOW)
    assert refused.value.code == Code.ISSUER_MISMATCH
    with pytest.raises(assay.VerificationError) as refused:
        both.verify(issuers[0].token({"iss": issuers[1].identifier}), now=NOW)
    assert refused.value.code == Code.UNKNOWN_KEY


def test_a_login_has_its_nonce(issuer, verifier):
    token = issuer.token({"nonce": "n-1"})
    assert verifier.expecting(nonce="n-1").verify(token).subject == "user-1"
    assert verifier.expecting(nonce="other").expecting(nonce="n-1").verify(token).subject == "user-1"
    for nonce, code in (("n-2", Code.NONCE_MISMATCH), ("n-1\0", Code.NONCE_MISMATCH)):
        with pytest.raises(assay.VerificationError) as refused:
            verifier.expecting(nonce=nonce).verify(token)
        assert refused.value.code == code
    with pytest.raises(assay.VerificationError) as refused:
        verifier.expecting(nonce="n-1", access_token="x").verify(token)
    assert refused.value.code == Code.MISSING_CLAIM
    for nonce in ("", None, 1):
        with pytest.raises(ValueError):
            verifier.expecting(nonce=nonce)
    with pytest.raises(ValueError):
        verifier.expecting(nonce="n-1").verify_batch([token])


def test_a_batch_without_claims_has_the_codes(issuer, verifier):
    tokens = [issuer.token(), issuer.token(lifetime=-100), "x", issuer.token()[:-4] + "AAAA", issuer.token({"a": "b" * 4000})] * 120
    codes = verifier.verify_batch(iter(tokens), claims=False)
    with_claims = verifier.verify_batch(tokens)
    assert codes == [getattr(verdict, "code", assay.Code.OK) for verdict in with_claims] and len(codes) == 600
    assert codes[:4] == [assay.Code.OK, assay.Code.EXPIRED, assay.Code.MALFORMED_TOKEN, assay.Code.SIGNATURE_INVALID]
    assert all(type(code) is assay.Code for code in codes)
    assert verifier.verify_batch([], claims=False) == []
    assert asyncio.run(verifier.verify_batch_async(tokens, claims=False)) == codes
    checked = Verifier(None, None, issuer.keys, clock=lambda: NOW, checks=[lambda claims: "no" if "a" in claims else None])
    assert checked.verify_batch(tokens[:5], claims=False) == [*codes[:4], assay.Code.INVALID_CLAIM]


def test_a_check_of_ones_own_refuses(issuer):
    def tenant(claims):
        return None if claims.get("tenant") == "a" else "this tenant is not served here"

    verifier = Verifier(issuer.identifier, "client-1", issuer.keys, checks=[tenant], realm="api", clock=lambda: NOW)
    good, bad = issuer.token({"tenant": "a", "nonce": "n"}), issuer.token({"tenant": "b", "nonce": "n"})
    assert verifier.verify(good)["tenant"] == "a"
    verdicts = verifier.verify_batch([good, bad, "x"])
    assert [verdict.name if isinstance(verdict, assay.VerificationError) else "valid" for verdict in verdicts] == [
        "valid",
        "invalid_claim",
        "malformed_token",
    ]
    assert verdicts[1].challenge == 'Bearer realm="api", error="invalid_token"'
    with pytest.raises(assay.VerificationError):
        verifier.expecting(nonce="n").verify(bad)
    with pytest.raises(ValueError):
        Verifier.any_of(verifier)


def test_the_nonce_of_a_login_is_not_lost_among_several_issuers(issuer, verifier):
    with pytest.raises(ValueError):
        Verifier.any_of(verifier.expecting(nonce="n"))


def test_a_method_of_a_subclass_would_judge_nothing(issuer):
    with pytest.raises(TypeError, match="checks"):
        type("Stricter", (Verifier,), {"verify": lambda self, token: None})


@pytest.mark.parametrize("said", [True, False, 0, b"no"])
def test_a_check_says_a_sentence_or_nothing(issuer, said):
    verifier = Verifier(None, None, issuer.keys, checks=[lambda claims: said], clock=lambda: NOW)
    for verify in (verifier.verify, lambda token: verifier.verify_batch([token])):
        with pytest.raises(TypeError, match="check"):
            verify(issuer.token())


def test_a_cache_judges_the_dates_each_time(issuer):
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys, cache_bytes=1 << 20)
    token = issuer.token()
    for _ in range(3):
        assert verifier.verify(token, now=NOW).subject == "user-1"
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify(token, now=NOW + 10_000)
    assert refused.value.code == Code.EXPIRED
    with pytest.raises(ValueError):
        Verifier(issuer.identifier, "client-1", issuer.keys, cache_seconds=5)


def test_a_payload_of_any_kind_is_verified(issuer, verifier):
    token = issuer.key.sign_payload(b'{"alg":"ES256","kid":"%s"}' % issuer.key.key_id.encode(), b"\x00any bytes")
    header, payload = verifier.verify_payload(token)
    assert (header["alg"], payload) == ("ES256", b"\x00any bytes")
    with pytest.raises(assay.VerificationError):
        verifier.verify_payload(token[:-4] + "AAAA")


def test_profiles_require_what_their_specifications_do(issuer):
    access = Verifier(issuer.identifier, "https://api.example", issuer.keys, profile="access_token", scopes=["orders"])
    assert access.verify(issuer.access_token(scope="orders more"), now=NOW)["client_id"] == "client-1"
    with pytest.raises(assay.VerificationError) as refused:
        access.verify(issuer.token(audience="https://api.example"), now=NOW)
    assert refused.value.code == Code.TYPE_MISMATCH
    login = Verifier(issuer.identifier, "client-1", issuer.keys, profile="id_token")
    assert login.verify(issuer.token(), now=NOW).subject == "user-1"
    with pytest.raises(assay.VerificationError) as refused:
        login.verify(issuer.token(audience=["client-1", "client-2"]), now=NOW)
    assert refused.value.code in (Code.AUDIENCE_MISMATCH, Code.AUTHORIZED_PARTY_MISMATCH, Code.MISSING_CLAIM)


def test_keys_come_in_each_form(issuer):
    key = SigningKey("ES256")
    token = key.sign({"exp": NOW + 60, "aud": "client-1", "iss": "https://idp.example"}, header={"kid": None})
    documents = [{"keys": [key.jwk]}, {name: value for name, value in key.jwk.items()}, key.pem, key.pem.encode()]
    for document in documents:
        verifier = Verifier("https://idp.example", "client-1", document)
        assert verifier.verify(token, now=NOW).issuer == "https://idp.example"
    assert assay.Keys({"keys": [key.jwk]}).state.key_count == 1
    with pytest.raises(assay.DocumentError):
        Verifier("https://idp.example", "client-1", "no keys")


def test_the_clock_may_be_the_callers(issuer):
    now = [NOW]
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys, clock=lambda: now[0])
    assert verifier.verify(issuer.token())
    now[0] += 10_000
    with pytest.raises(assay.VerificationError):
        verifier.verify(issuer.token({"iat": NOW, "exp": NOW + 300}))


def test_representations_show_no_secret(issuer, verifier):
    assert repr(verifier) == "<assay.Verifier: issuer='https://issuer.example', audience='client-1', keys=<assay.Keys: 1 usable>>"
    assert "n-secret" not in repr(verifier.expecting(nonce="n-secret"))
    claims = verifier.verify(issuer.token({"sub": "secret-person"}))
    assert repr(claims) == "<assay.Claims: 5 claims>" == str(claims)


def test_codes_are_those_of_the_library():
    assert Code.EXPIRED == 502 and Code(502).name == "EXPIRED"
    header = (Path(__file__).resolve().parents[3] / "include/assay.h").read_text()
    declared = {
        name: int(number)
        for name, number in re.findall(r"^ +ASSAY_([A-Z0-9_]+) = (\d+)\b", header, flags=re.M)
        if int(number) >= 100 and not name.startswith("RULE_")
    }
    assert {code.name: code.value for code in Code if code >= 100} == declared
