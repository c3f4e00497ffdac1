"""The claims of a proof: what request, what token and what time it is for."""

from ..encoding import base64url, raw, unbase64url, unused_bits_set
from ..suite import ABSENT, NOW
from .suite import DPOP, TOKEN, URL, ProofSuite, access_token, proof, proof_claims, token_hash

CLAIMS, CHECKS = f"{DPOP} 4.2", f"{DPOP} 4.3"


def types():
    suite = ProofSuite("claims", "The claims that a proof must have.", CLAIMS)
    other = {"htm": "proof_method_mismatch", "htu": "proof_url_mismatch", "ath": "proof_token_mismatch"}
    for name in ("jti", "htm", "htu", "iat", "ath"):
        suite.ask(f"{name}-absent", proof(proof_claims(**{name: ABSENT})), "missing_proof_claim", f"The proof lacks {name}.")
        for what, value in (("null", None), ("object", {}), ("array", [proof_claims()[name]]), ("true", True),
                            ("number", 7) if name != "iat" else ("string", str(NOW - 5))):
            suite.ask(f"{name}-{what}", proof(proof_claims(**{name: value})), "invalid_proof_claim",
                      f"The claim {name} has another type ({what}).")
        if name != "iat":
            suite.ask(f"{name}-empty", proof(proof_claims(**{name: ""})), other.get(name, "invalid_proof_claim"),
                      f"The claim {name} is empty.")
    for name in ("jti", "htm", "htu", "iat", "ath"):
        claims = {(key.upper() if key == name else key): value for key, value in proof_claims().items()}
        suite.ask(f"{name}-capital", proof(claims), "missing_proof_claim", f"The name of {name} is in capitals.", "RFC 7519 section 4")
    return suite


def methods():
    suite = ProofSuite("methods", "The method that a proof is for.", CHECKS)
    for value in ("POST", "HEAD", "DELETE"):
        suite.ask(f"method-{value.lower()}", proof(proof_claims(htm=value)), "proof_method_mismatch", f"The proof is for {value}.")
    for identifier, value in (("small", "get"), ("mixed", "Get"), ("space", "GET "), ("space-before", " GET"), ("longer", "GETS"),
                              ("shorter", "GE"), ("list", "GET,POST"), ("any", "*"), ("nul", "GET\0"), ("wide", "ＧＥＴ")):
        suite.ask(f"method-{identifier}", proof(proof_claims(htm=value)), "proof_method_mismatch", f"The method is {value!r}.",
                  "RFC 9110 section 9.1")
    suite.ask("method-escaped", proof(proof_claims(htm=raw('"\\u0047ET"'))), "valid", "The method has an escape.", "RFC 8259 section 8.3",
              "should")
    suite.ask("method-of-post", proof(), "proof_method_mismatch", "The request has another method than the proof.", method="POST")
    return suite


SAME = {  # htu: why it is the URL of the request
    "query": (f"{URL}?a=1", "a query"), "fragment": (f"{URL}#top", "a fragment"), "both": (f"{URL}?a=1#top", "a query and a fragment"),
    "empty-query": (f"{URL}?", "an empty query"), "scheme-upper": (URL.replace("https", "HTTPS"), "the scheme in capitals"),
    "host-upper": (URL.replace("api.example", "API.Example"), "the host in capitals"),
    "port": (URL.replace("example/", "example:443/"), "the default port"),
    "port-empty": (URL.replace("example/", "example:/"), "an empty port"),
    "encoded-letter": (URL.replace("things", "%74hings"), "a letter in percent-encoding"),
    "encoded-tilde": (URL.replace("/7", "/%37"), "a digit in percent-encoding"),
    "dot": (URL.replace("/7", "/./7"), "a segment of one dot"), "two-dots": (URL.replace("/7", "/x/../7"), "a segment of two dots"),
    "dots-encoded": (URL.replace("/7", "/x/%2E%2e/7"), "an encoded segment of two dots"),
}
OTHER = {
    "path": "https://api.example/things/8",
    "longer": f"{URL}0",
    "shorter": URL[:-1],
    "slash": f"{URL}/",
    "parent": "https://api.example/things",
    "root": "https://api.example/",
    "no-path": "https://api.example",
    "path-capital": URL.replace("things", "Things"),
    "slashes": URL.replace("/7", "//7"),
    "http": URL.replace("https", "http"),
    "other-scheme": URL.replace("https", "wss"),
    "other-host": URL.replace("api.", "apx."),
    "subdomain": URL.replace("api.", "x.api."),
    "domain": URL.replace("api.", ""),
    "suffix": URL.replace("api.example", "api.example.attacker.example"),
    "host-dot": URL.replace("example/", "example./"),
    "other-port": URL.replace("example/", "example:8443/"),
    "port-80": URL.replace("example/", "example:80/"),
    "port-text": URL.replace("example/", "example:x/"),
    "port-large": URL.replace("example/", "example:65979/"),
    "user": URL.replace("api.", "user@api."),
    "user-as-host": "https://api.example@attacker.example/things/7",
    "relative": "/things/7",
    "no-scheme": "//api.example/things/7",
    "no-host": "https:///things/7",
    "one-slash": "https:/api.example/things/7",
    "backslash": "https:\\\\api.example\\things\\7",
    "space": f"{URL} ",
    "space-before": f" {URL}",
    "line-feed": f"{URL}\n",
    "nul": f"{URL}\0",
    "tab-within": URL.replace("things", "thi\tngs"),
    "encoded-slash": URL.replace("/7", "%2F7"),
    "twice-encoded": URL.replace("/7", "/%2537"),
    "encoding-cut": f"{URL}%3",
    "encoding-bad": f"{URL}%zz",
    "encoded-host": URL.replace("api", "%61pi"),
    "semicolon": f"{URL};x",
    "word": "x",
    "star": "*",
    "wildcard": "https://api.example/*",
    "cyrillic-host": URL.replace("api", "арі"),
    "wide-host": URL.replace("api", "ａｐｉ"),
    "two": f"{URL} https://attacker.example/",
    "query-path": "https://api.example/?/things/7",
    "fragment-path": "https://api.example/#/things/7",
    "dots-above": URL.replace("/things", "/../../x/things"),
    "address": URL.replace("api.example", "192.0.2.1"),
}


def urls():
    suite = ProofSuite("urls", "The URL that a proof is for.", CHECKS)
    for identifier, (value, what) in SAME.items():
        severity = "must" if identifier in ("query", "fragment", "both") else "should"
        suite.ask(f"url-{identifier}", proof(proof_claims(htu=value)), "valid", f"The URL in the proof has {what}.",
                  CHECKS if severity == "must" else f"{CHECKS}; RFC 3986 section 6.2", severity)
    for identifier, value in OTHER.items():
        severity = "should" if identifier in ("host-dot", "user", "space", "space-before", "line-feed", "encoding-cut") else "must"
        suite.ask(f"url-{identifier}", proof(proof_claims(htu=value)), "proof_url_mismatch",
                  f"The URL in the proof is another ({identifier}).", CHECKS, severity)
    suite.ask("url-escaped", proof(proof_claims(htu=raw('"' + URL.replace("/", "\\/") + '"'))), "valid", "The URL has escapes of JSON.",
              "RFC 8259 section 8.3")
    for identifier, url, value in (("request-query", f"{URL}?a=1", URL), ("request-root", "https://api.example/", "https://api.example"),
                                   ("request-no-path", "https://api.example", "https://api.example/"),
                                   ("request-port", URL.replace("example/", "example:443/"), URL),
                                   ("request-8443", URL.replace("example/", "example:8443/"), URL.replace("example/", "example:8443/")),
                                   ("request-ipv6", "https://[2001:db8::1]/x", "https://[2001:DB8::1]:443/x"),
                                   ("request-encoded", "https://api.example/a%2fb", "https://api.example/a%2Fb"),
                                   ("request-plain-http", "http://api.example:80/x", "http://api.example/x")):
        severity = "must" if url == value or identifier == "request-query" else "should"
        suite.ask(f"url-{identifier}", proof(proof_claims(htu=value)), "valid", f"The request is for {url}.",
                  f"{CHECKS}; RFC 3986 section 6.2", severity, url=url)
    for identifier, url, value in (("request-other-query-path", "https://api.example/x?/things/7", URL),
                                   ("request-http", "http://api.example/things/7", URL),
                                   ("request-encoded-slash", "https://api.example/things%2F7", URL),
                                   ("request-other-port", "https://api.example:8443/things/7", URL)):
        suite.ask(f"url-{identifier}", proof(proof_claims(htu=value)), "proof_url_mismatch", f"The request is for {url}.", CHECKS, url=url)
    return suite


def times():
    suite = ProofSuite("times", "The time of a proof.", CHECKS)

    def ask(identifier, expect, why, severity="must", reference=None, **claims):
        suite.ask(f"time-{identifier}", proof(proof_claims(**claims)), expect, why, reference or f"{DPOP} 11.1", severity)
    for identifier, value, severity in (("now", NOW, "must"), ("half", NOW - 30, "must"), ("last", NOW - 69, "should"),
                                        ("ahead", NOW + 10, "should"), ("fraction", NOW - 5.5, "must"),
                                        ("exponent", raw("1.699999995e9"), "should")):
        ask(identifier, "valid", f"The proof was made at {value if not isinstance(value, bytes) else value.decode()}.", severity, iat=value)
    for identifier, age, severity in (("edge", 70, "should"), ("minutes", 600, "should"), ("hour", 3600, "must"), ("day", 86400, "must"),
                                      ("month", 30 * 86400, "must")):
        ask(f"old-{identifier}", "proof_too_old", f"The proof was made {age:,} seconds ago.", severity, iat=NOW - age)
    ask("zero", "proof_too_old", "The proof was made in 1970.", iat=0)
    for identifier, age, severity in (("edge", 11, "should"), ("minutes", 600, "should"), ("hour", 3600, "must"), ("day", 86400, "must"),
                                      ("year", 365 * 86400, "must")):
        ask(f"future-{identifier}", "proof_issued_in_future", f"The proof will be made in {age:,} seconds.", severity, iat=NOW + age)
    for identifier, text in (("milliseconds", str(NOW * 1000)), ("infinite", "1e999"), ("huge", "9" * 30)):
        ask(f"iat-{identifier}", "invalid_proof_claim", f"The time is beyond the year 9999 ({identifier}).", iat=raw(text))
    ask("iat-negative", "invalid", "The time is before 1970.", iat=-5)
    severity = "should"
    ask("expired", "proof_too_old", "The proof has expired, by its own claim.", severity, "RFC 7519 section 4.1.4", exp=NOW - 60)
    ask("expires", "valid", "The proof expires later.", severity, "RFC 7519 section 4.1.4", exp=NOW + 60)
    ask("not-before", "proof_issued_in_future", "The proof is not good yet, by its own claim.", severity, "RFC 7519 section 4.1.5",
        nbf=NOW + 60)
    ask("exp-string", "invalid_proof_claim", "The expiry is no number.", severity, "RFC 7519 section 4.1.4", exp="later")
    ask("nbf-string", "invalid_proof_claim", "The beginning is no number.", severity, "RFC 7519 section 4.1.5", nbf="now")
    return suite


def hashes():
    suite = ProofSuite("token-hashes", "The access token that a proof is for.", CHECKS)
    other, good = access_token(jti="token-2"), token_hash(TOKEN)
    for identifier, value in (
            ("other", token_hash(other)), ("word", "x"), ("token", TOKEN), ("padded", f"{good}="), ("short", good[:-1]),
            ("longer", f"{good}A"), ("zero", base64url(bytes(32))), ("half", good[:22]), ("capitals", good.swapcase()),
            ("standard", "+" + good[1:]),
            ("hexadecimal", unbase64url(good).hex()),
            ("of-payload", token_hash(TOKEN.split(".")[1])), ("of-scheme", token_hash(f"DPoP {TOKEN}"))):
        suite.ask(f"hash-{identifier}", proof(proof_claims(ath=value)), "proof_token_mismatch",
                  f"The hash is not that of the access token ({identifier}).")
    suite.ask("hash-unused-bits", proof(proof_claims(ath=unused_bits_set(good))), "proof_token_mismatch",
              "Unused bits of the last character are set.", "RFC 4648 section 3.5", "hardening")
    suite.ask("hash-of-sender", proof(), "proof_token_mismatch", "The proof is for another token of the same client.", token=other)
    suite.ask("hash-none-for-token", proof(proof_claims(None)), "missing_proof_claim",
              "The proof was made for a token endpoint, and comes with a token.")
    return suite


SUITES = [types, methods, urls, times, hashes]
