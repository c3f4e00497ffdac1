"""What is in an encrypted token: the token inside, compressed content, and more than a recipient takes."""

from ..encoding import Members, base64url, dump, unbase64url
from ..keys import ec_key, rsa_key
from ..statuslists.streams import deflated, fixed, stored
from ..suite import ABSENT, NOW, assemble, claims, flipped, signature_of, token, with_signature
from .suite import INNER, JWE, NESTED, SIGNER, EncryptedSuite, jwe, sealer


def nesting():
    suite = EncryptedSuite("nesting", "What is in an encrypted token.", f"{NESTED} 5.2")

    def ask(identifier, inner, expect, why, *rest, **options):
        suite.ask(f"inner-{identifier}", jwe(content=inner), expect, why, *rest, **options)
    not_signed = "not_nested"
    ask("claims", dump(claims()), not_signed, "The content is claims that nobody has signed.", f"{NESTED} 11.2")
    ask("empty", b"", not_signed, "The content is empty.")
    ask("text", b"x", not_signed, "The content is a word.")
    ask("octets", bytes(range(256)), not_signed, "The content is no text.")
    ask("twice", jwe(), not_signed, "The content is a second encrypted token.", "RFC 8725 section 3.3", "should")
    ask("two-parts", INNER.rpartition(".")[0], not_signed, "The content has two parts.")
    ask("json", dump({"payload": INNER.split(".")[1], "protected": INNER.split(".")[0], "signature": INNER.split(".")[2]}), "invalid",
        "The content is a signature in the JSON serialization.", f"{NESTED} 1")
    ask("none", assemble({"alg": "none"}, claims(), b""), "unsecured_token", "The token inside is not signed.", "RFC 8725 section 3.2")
    ask("none-typ", assemble({"alg": "none", "typ": "JWT"}, claims(), b""), "unsecured_token", "The token inside is not signed.",
        "RFC 8725 section 3.2")
    ask("forged", with_signature(INNER, flipped(signature_of(INNER))), "signature_invalid", "The signature inside is wrong.",
        "RFC 8725 section 3.3")
    ask("zero", with_signature(INNER, bytes(64)), "signature_invalid", "The numbers in the signature inside are zero.", "CVE-2022-21449")
    ask("no-signature", INNER.rpartition(".")[0] + ".", "signature_invalid", "The signature inside is empty.", "RFC 8725 section 3.3")
    ask("stranger", token(ec_key("foreign-p-256"), kid=SIGNER.name), "signature_invalid", "Another key signed, under the name of ours.",
        "RFC 8725 section 3.3")
    ask("recipient", token(rsa_key("jwe-rsa"), kid="jwe-rsa"), "unknown_key", "The recipient's own key signed.", "RFC 8725 section 3.3")
    ask("recipient-ec", token(ec_key("jwe-p256")), "unknown_key", "The recipient's own key on a curve signed.", "RFC 8725 section 3.3")
    for identifier, changes, expect in (
            ("expired", {"exp": NOW - 3600}, "expired"), ("early", {"nbf": NOW + 3600}, "not_yet_valid"),
            ("audience", {"aud": "client-2"}, "audience_mismatch"), ("issuer", {"iss": "https://other.example"}, "issuer_mismatch"),
            ("no-expiry", {"exp": ABSENT}, "missing_claim")):
        ask(identifier, token(SIGNER, claims(**changes)), expect, f"The claims inside are not good ({identifier}).", f"{NESTED} 7.2")
    ask("white-space", INNER + "\n", "invalid_base64url", "A line feed follows the token inside.", "RFC 7515 section 2", "should")
    ask("padded", INNER + "==", "invalid_base64url", "The signature inside is padded.", "RFC 7515 section 2")
    for identifier, changes in (("subject", {"sub": "user-2"}), ("own-claim", {"x": [1, {"a": None}]}), ("letters", {"name": "日本é"})):
        text = token(SIGNER, claims(**changes))
        ask(f"good-{identifier}", text, "valid", f"The token inside has other claims ({identifier}).", content=text)
    claim = Members([*claims().items(), ("sub", "administrator")])
    ask("duplicate", token(SIGNER, claim), "duplicate_member", "The token inside has a claim twice.", f"{NESTED} 4", "should")
    header = {"iss": "https://other.example", "sub": "user-2", "aud": "client-2"}
    suite.ask("inner-replicated", jwe(**header), "valid", "The header of the encryption has claims that differ from those inside.",
              f"{NESTED} 5.3", "should")
    return suite


def compressed():
    suite = EncryptedSuite("compressed",
                           "Compressed content, for a recipient that bounds it.",
                           f"{JWE} 4.1.3",
                           "must",
                           inflated_bytes=65536)
    content = INNER.encode()

    def ask(identifier, octets, expect, why, *rest, algorithm="ECDH-ES"):
        suite.ask(f"zip-{identifier}", jwe(algorithm, content=octets, zip="DEF"), expect, why, *rest)
    ask("good", deflated((fixed, content)), "valid", "The content is compressed.")
    ask("good-stored", deflated((stored, content)), "valid", "The content is in stored blocks.")
    ask("good-rsa", deflated((fixed, content)), "valid", "The content is compressed.", algorithm="RSA-OAEP")
    ask("good-two", deflated((stored, content[:100]), (fixed, content[100:])), "valid", "The content is in two blocks.")
    # In base64url, a claim of many letters U is one of many letters V.
    large = token(SIGNER, claims(x="U" * 900_000))
    bomb, why = deflated((fixed, large.encode())), "The content is a good token of more than a million octets, in eight thousand."
    ask("bomb", bomb, "compressed_token", why, "RFC 8725 section 3.6; CVE-2024-33664")
    ask("bomb-rsa", bomb, "compressed_token", why, "CVE-2024-28176", algorithm="RSA-OAEP")
    broken = "compressed_token"
    ask("forty", deflated((fixed, token(SIGNER, claims(x="U" * 40_000)).encode())), "token_too_large",
        "The content is a good token of forty thousand octets.", "RFC 8725 section 3.6", "hardening")
    ask("limit", deflated((fixed, b"a" * 65537)), broken, "The content has one octet more than is allowed.", "RFC 8725 section 3.6",
        "hardening")
    ask("at-limit", deflated((fixed, b"a" * 65536)), "not_nested", "The content has as many octets as are allowed.", "RFC 8725 section 3.6",
        "hardening")
    ask("cut", deflated((fixed, content))[:-2], broken, "The stream ends early.")
    ask("empty", b"", broken, "There is no stream.")
    ask("plain", content, broken, "The content is not compressed.")
    ask("more", deflated((fixed, content)) + b"x", broken, "An octet follows the stream.", None, "hardening")
    ask("zlib", b"\x78\x9c" + deflated((fixed, content)), broken, "The stream has the header of zlib.")
    ask("reserved-block", b"\x07" + bytes(8), broken, "A block has the reserved type.")
    ask("no-end", deflated((stored, content))[:5], broken, "The stream has the beginning of a block.")
    suite.ask("zip-forged", changed_tag(jwe(content=deflated((fixed, content)), zip="DEF")), "decryption_failed",
              "The tag over compressed content is wrong.", f"{JWE} 5.2")
    return suite


def changed_tag(text):
    head, _, tag = text.rpartition(".")
    return f"{head}.{base64url(flipped(unbase64url(tag)))}"


def uncompressed():
    suite = EncryptedSuite("uncompressed", "Compressed content, for a recipient that takes none.", "RFC 8725 section 3.6", "should")
    content = deflated((fixed, INNER.encode()))
    for algorithm in ("ECDH-ES", "RSA-OAEP", "dir"):
        suite.ask(f"no-zip-{algorithm.lower()}", jwe(algorithm, content=content, zip="DEF"), "compressed_token",
                  f"The content is compressed ({algorithm}).")
    return suite


def limits():
    suite = EncryptedSuite("limits", "Tokens that are too large.", "RFC 8725 section 3.11", "hardening")
    large = "token_too_large"
    quarter = "QUFB"  # three letters A

    def header(identifier, count, expect, why, algorithm="ECDH-ES", **members):
        """A header whose member x has many letters: their base64url is what repeats."""
        made = sealer(algorithm, **members)
        text = dump(made.header)[:-1] + b',"x":"'
        text += b" " * (-len(text) % 3) + b"AAA"
        head = base64url(text) + base64url(b'"}')
        rest = made.seal().partition(".")[2]
        suite.ask(f"limit-{identifier}", f"{head}.{rest}", expect, why, repeat=(quarter, count))
    header("header-4-kib", 1400, large, "The header has more than 4 KiB.")
    header("header-2-mb", 500_000, large, "The header has two million letters.")
    header("header-2-mb-rsa", 500_000, large, "The header has two million letters.", "RSA-OAEP")
    head, key, vector, ciphertext, tag = jwe("RSA-OAEP").split(".")
    suite.ask("limit-key", ".".join([head, quarter + key, vector, ciphertext, tag]), "malformed_token",
              "The encrypted key has three thousand octets.", repeat=(quarter, 1000))
    suite.ask("limit-key-2-mb", ".".join([head, quarter + key, vector, ciphertext, tag]), large,
              "The encrypted key has two million octets.", repeat=(quarter, 600_000))
    for name, parts in (("vector", [head, key, quarter + vector, ciphertext,
                                    tag]), ("ciphertext", [head, key, vector, quarter + ciphertext,
                                                           tag]), ("tag", [head, key, vector, ciphertext, quarter + tag])):
        suite.ask(f"limit-{name}-2-mb", ".".join(parts), large, f"The {name} has two million octets.", repeat=(quarter, 600_000))
    members = {f"m{number}": 1 for number in range(40)}
    suite.ask("limit-members", jwe(**members), "too_many_members", "The header has 44 members.")
    suite.ask("limit-depth", jwe(x=[[[[[[[[[1]]]]]]]]]), "nesting_too_deep", "The header is nested deeply.")
    deep = sealer().seal(header=dump(sealer().header)[:-1] + b',"x":' + b"[" * 1500 + b"]" * 1500 + b"}")
    suite.ask("limit-depth-1500", deep, "nesting_too_deep", "The header is nested 1,500 times.")
    return suite


SUITES = [nesting, compressed, uncompressed, limits]
