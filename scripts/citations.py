#!/usr/bin/env python3
"""Checks that every file and symbol that the documents cite exists.

- A link to a file, and a `path/with/slashes`, names a file or folder of the repository.
- A `Symbol`, `Type.member` or `member(label:)` is declared somewhere in the sources or tests.
- The same is true of a DocC link ``Symbol/member``.
- A `cossl_…` or `cjwt_…` function is declared in a header.

FOREIGN lists foreign names, FOREIGN_FILES foreign files. Superseded decisions are history: they may cite removed names.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("Sources", "Tests", "Examples", "Benchmarks", "Fuzz", "Proofs", "Scoreboard", "bindings", "vectors", "scripts", "Docs")
FOREIGN = {
    "EVP_DigestVerify", "EVP_PKEY_verify", "EVP_PKEY_CTX_dup", "EC_KEY", "CRYPTO_memcmp", "InternalImportsByDefault", "MemberImportVisibility",
    "String", "Duration", "Date", "Decodable", "Data", "Span", "Result", "Sendable", "JSONDecoder", "ManagedBuffer", "URLSession",
    "Unmanaged", "BitwiseCopyable",
    "HTTPServerBuilder", "EdDSA", "NaN", "Bearer", "Expires", "Manager", "Handler", "Helper", "Util", "CFBundleIdentifier",
    "BCAlertPopManager", "BCIDACommonStringUtils", "BCIDADEFAULTS", "TXNumberCheckViewController",
    # fields of HTTP, and attributes of cookies
    "Accept", "Location", "Upgrade", "SameSite", "Secure",
    # keys of Envoy's x-forwarded-client-cert
    "Hash", "Cert",
    # jwt-kit and jose
    "JWTKeyCollection", "X5CVerifier", "JWTParser", "JWTError", "AudienceClaim", "EmbeddedJWK", "UnsecuredJWT", "SignJWT", "Uint8Array",
    # Python, PyJWT and joserfc
    "PyUnicode_AsUTF8AndSize", "None", "True", "ValueError", "TypeError", "ImportError", "PyJWK", "PyJWKSet", "PyJWKClientError",
    "import_key_set", "ExpiredTokenError", "InvalidClaimError", "MissingClaimError", "BadSignatureError", "UnsupportedAlgorithmError", "InvalidKeyIdError",
}
FOREIGN_FILES = {"api.py", "json_web_errata.json", "settings.json", "Type+Subject.swift"}
DECLARED = re.compile(
    r"\b(?:struct|class|enum|protocol|actor|func|var|let|case|typealias|macro|associatedtype)\s+`?(\w+)`?|\b(init)\b|^\s*case\s+(.+)$")
GO = re.compile(r"^(?:func (?:\([^)]*\) )?|type |var |const |\t)((?:[A-Z]\w*, )*[A-Z]\w*)", re.M)
DECLARED_IN_PYTHON = re.compile(r"^\s*(?:class |def |async def )(\w+)|^(\w+) = |^__slots__ = (.+)$|^    __slots__ = (.+)$", re.M)
SPAN = re.compile(r"(?<!`)(`{1,2})([^`\n]+)\1(?!`)")
LINK = re.compile(r"\]\(([^)#\s]+)")
SYMBOL = re.compile(r"^(?:\.?[A-Z]\w+|(?:[A-Z]\w+[./])+\w+(?:\([\w:]*\))?(?:-\([^)]*\))?|\w+\((?:\w+:)+\))$")
FUNCTION = re.compile(r"^(?:cossl|cjwt|crcu)_\w+$")
NAME_OF_FILE = re.compile(r"^[\w+-]+\.(?:swift|md|c|h|py|sh|json|csv|yaml)$")
ACRONYM = re.compile(r"^[A-Z_\d]+(?:/|$)")
FILE = re.compile(r"^(?:Proofs|Sources|Tests|Docs|Examples|Benchmarks|Fuzz|vectors|scripts|integrations|bindings)/[\w./+-]+$")


def documents():
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("Docs/**/*.md"), *ROOT.glob("Sources/*/*.docc/*.md"), *ROOT.glob("vectors/*.md"),
                        *ROOT.glob("Benchmarks/**/*.md"), *ROOT.glob("Tests/**/*.md"), *ROOT.glob("bindings/**/*.md")]):
        if any(part.startswith(".build") for part in path.parts) or path.name == "CHANGELOG.md":
            continue
        text = path.read_text(encoding="utf-8")
        if "\nSuperseded" not in text:
            yield path, text


def declared_names():
    names, functions = set(), set()
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if any(part.startswith(".build") for part in path.parts):
                continue
            if path.suffix == ".swift":
                for line in path.read_text(encoding="utf-8").splitlines():
                    for found in DECLARED.finditer(line):
                        names.update(re.findall(r"\w+", found.group(3) or found.group(1) or found.group(2)))
            elif path.suffix == ".go":
                names.update(name for found in GO.findall(path.read_text(encoding="utf-8")) for name in found.split(", "))
            elif path.suffix == ".py" and folder == "bindings":
                for found in DECLARED_IN_PYTHON.findall(path.read_text(encoding="utf-8")):
                    names.update(re.findall(r"\w+", " ".join(found)))
            elif path.suffix in (".h", ".c"):
                functions.update(re.findall(r"\b(?:cossl|cjwt|crcu)_\w+", path.read_text(encoding="utf-8")))
    names.update(path.name for folder in SOURCES for path in [ROOT / folder, *(ROOT / folder).iterdir()])
    names.update(re.findall(r'name: "([\w-]+)"', (ROOT / "Package.swift").read_text(encoding="utf-8")))  # products, targets and traits
    return names, functions


def prose(text):
    """The numbered lines of the text, without fenced code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def missing(text, path, names, functions):
    for number, line in prose(text):
        for target in LINK.findall(line):
            if "://" not in target and not (path.parent / target).exists():
                yield number, target
        for _, cited in SPAN.findall(line):
            cited = cited.strip()
            if FILE.match(cited):
                if not (ROOT / cited).exists() and not any(ROOT.glob(cited + "*")):
                    yield number, cited
            elif FUNCTION.match(cited):
                if cited not in functions:
                    yield number, cited
            elif NAME_OF_FILE.match(cited):
                if cited not in FOREIGN_FILES and not any(ROOT.glob(cited)) and not any(path.name == cited for folder in SOURCES for path in (ROOT / folder).rglob(cited)):
                    yield number, cited
            elif SYMBOL.match(cited) and not ACRONYM.match(cited) and not (set(re.findall(r"[A-Za-z_]\w*", cited)) & FOREIGN):
                bare = re.sub(r"\(.*", "", cited)
                for part in re.split(r"[./]", bare):
                    if part and not part.isdigit() and part not in names:
                        yield number, cited
                        break


def main():
    names, functions = declared_names()
    cited = failures = 0
    for path, text in documents():
        cited += sum(len(SPAN.findall(line)) + len(LINK.findall(line)) for _, line in prose(text))
        for number, what in missing(text, path, names, functions):
            failures += 1
            print(f"{path.relative_to(ROOT)}:{number}: nothing is named {what}")
    print(f"{cited - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
