"""Whatever the arguments are, there is an exception and never a crash."""

import itertools

import pytest

import assay
from assay import Keys, Verifier, _core
from conftest import NOW

STRANGE = [
    None,
    True,
    0,
    -1,
    2**70,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "\0",
    "a\0b",
    "\ud800",
    "x" * 200_000,
    b"",
    b"\xff\x00",
    b"x" * 200_000,
    bytearray(b"x"),
    memoryview(b"x"),
    [],
    ["x"],
    [None],
    (),
    (1, 2),
    {},
    {"a": 1},
    {1},
    object(),
    object,
    len,
    lambda: 1,
    Ellipsis,
    NotImplemented,
    range(3),
]
MISTAKES = (TypeError, ValueError, OverflowError, assay.AssayError, RuntimeError, AttributeError, KeyError, MemoryError)


def attempt(function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except MISTAKES:
        pass


@pytest.mark.parametrize("token", ["", ".", "..", "a.b.c", "\0", "\ud800", "\udfff." * 3, "é", "x" * 16_384, "x" * 1_000_000, b"", b"\xff"])
def test_texts_that_are_no_tokens_are_refused(verifier, token):
    with pytest.raises(assay.VerificationError):
        verifier.verify(token)
    with pytest.raises(assay.VerificationError):
        verifier.expecting(nonce="n").verify(token)
    with pytest.raises(assay.VerificationError):
        verifier.verify_payload(token)
    assert isinstance(verifier.verify_batch([token])[0], assay.VerificationError)


@pytest.mark.parametrize("token", [each for each in STRANGE if not isinstance(each, (str, bytes))], ids=repr)
def test_other_types_are_type_errors(verifier, token):
    for verify in (verifier.verify, verifier.verify_payload, lambda token: verifier.verify_batch([token])):
        with pytest.raises(TypeError):
            verify(token)


@pytest.mark.parametrize("now", [-1, -0.5, float("nan"), float("inf"), float("-inf"), "now", b"", [], 10**400])
def test_impossible_times_are_exceptions(issuer, verifier, now):
    for call in (lambda: verifier.verify(issuer.token(), now=now), lambda: verifier.verify_batch([], now=now)):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            call()
    with pytest.raises((TypeError, ValueError, OverflowError)):
        Verifier(None, None, issuer.keys, clock=lambda: now).verify(issuer.token())


def test_calls_with_other_numbers_of_arguments_are_type_errors(issuer, verifier):
    token = issuer.token()
    calls = [
        lambda: verifier.verify(),
        lambda: verifier.verify(token, NOW),
        lambda: verifier.verify(token, later=1),
        lambda: Verifier(),
        lambda: verifier.verify(tokens=token),
        lambda: verifier.verify_batch(),
        lambda: Verifier(None, None),
        lambda: Verifier(None, None, issuer.keys, isuer="x"),
        lambda: verifier.verify_batch(token),
        lambda: verifier.verify_batch(token.encode()),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    assert verifier.verify(token=token).subject == "user-1"


def test_exceptions_of_the_callers_own_code_pass_through(issuer, verifier):
    def broken():
        raise ZeroDivisionError

    def tokens():
        yield issuer.token()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Verifier(None, None, issuer.keys, clock=broken).verify(issuer.token())
    with pytest.raises(ZeroDivisionError):
        verifier.verify_batch(tokens())
    with pytest.raises(ZeroDivisionError):
        Verifier(None, None, issuer.keys, checks=[lambda claims: 1 / 0]).verify(issuer.token(), now=NOW)


RULES = [
    "algorithms",
    "types",
    "required",
    "scopes",
    "subject",
    "authorized_party",
    "trusted_audiences",
    "leeway",
    "maximum_age",
    "expiration_required",
    "context_classes",
    "authentication_methods",
    "maximum_authentication_age",
    "revoked_token_ids",
    "nonce",
    "trusted_audiences_only",
    "profile",
    "realm",
    "checks",
    "clock",
    "token_bytes",
    "cache_bytes",
    "cache_seconds",
    "cache_digests",
]


@pytest.mark.parametrize("rule", RULES)
def test_strange_rules_are_exceptions(issuer, rule):
    keys = issuer.keys
    for value in STRANGE:
        attempt(lambda: Verifier("i", "a", keys, **{rule: value}).verify(issuer.token()))


@pytest.mark.parametrize("rule", ["issuer", "audience", "algorithms", "types", "context_classes"])
def test_an_empty_list_of_what_is_allowed_does_not_allow_everything(issuer, rule):
    for empty in ([], (), iter("")):
        with pytest.raises(ValueError, match=rule):
            Verifier(**{"issuer": None, "audience": None, "keys": issuer.keys, rule: empty})


@pytest.mark.parametrize("rule", ["subject", "authorized_party", "nonce", "access_token", "code"])
def test_one_text_is_neither_none_nor_two(issuer, rule):
    for texts in ([], ["a", "b"]):
        with pytest.raises(ValueError, match=rule):
            Verifier(None, None, issuer.keys, **{rule: texts})


@pytest.mark.parametrize("rule", ["token_bytes", "cache_bytes", "cache_seconds"])
def test_numbers_of_more_than_64_bits_are_not_cut_off(issuer, rule):
    for number in (-1, 2**64, 2**64 + 1000):
        with pytest.raises(ValueError):
            Verifier(None, None, issuer.keys, **{"cache_bytes": 1 << 20, rule: number})
    with pytest.raises(ValueError):
        assay.Gateway({}, cache_bytes=2**64)
    with pytest.raises(ValueError):
        assay.RemoteKeys("https://issuer.example", client=assay.Client(proxy_host="proxy.example", proxy_port=2**32 + 80))


def test_strange_documents_and_names_are_exceptions(issuer, verifier):
    claims = verifier.verify(issuer.token())
    for value in STRANGE:
        attempt(Keys, value)
        attempt(Verifier, value, value, issuer.keys)
        attempt(Verifier, "i", "a", value)
        attempt(verifier.expecting, nonce=value, access_token=value, code=value)
        attempt(claims.get, value)
        attempt(claims.at, value)
        attempt(claims.__getitem__, value)
        attempt(Verifier.any_of, value)
        attempt(assay.Code, value)
        attempt(assay.VerificationError, value, value)


def test_the_functions_below_take_strange_arguments_as_well():
    functions = [each for name, each in vars(_core).items() if callable(each) and not name.startswith("_")]
    from assay import _http

    functions += [each for name, each in vars(_http).items() if callable(each) and not name.startswith("_")]
    samples = [None, -1, 2**70, "", "\ud800", b"\xff", [], (), {}, object(), 1.5]
    assert len(functions) > 20
    for function in functions:
        for count in range(3):
            for arguments in itertools.product(samples, repeat=count):
                attempt(function, *arguments)
        for count in (4, 7, 9):
            for value in samples:
                attempt(function, *[value] * count)


def test_capsules_of_another_kind_are_type_errors(issuer):
    policy, keys = _core.policy_new("", None, None), issuer.keys._keys
    for call in (
        lambda: _core.policy_add(keys, 1, "x"),
        lambda: _core.keys_status(policy),
        lambda: _core.Verifier([(keys, policy)], assay.Claims, None, None, None, 0, 0, 0, False),
        lambda: _core.Verifier([(policy, keys)], dict, None, None, None, 0, 0, 0, False),
        lambda: _core.Verifier([(policy, keys)], 5, None, None, None, 0, 0, 0, False),
        lambda: _core.Verifier([5], assay.Claims, None, None, None, 0, 0, 0, False),
    ):
        with pytest.raises((TypeError, SystemError)):
            call()
