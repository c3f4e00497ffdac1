import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// The choice of keys in a set for a token.
struct KeySetLookupTests {
    private static let ec = Forges.es256.members
    private static let other = TokenForge(.es256, keyID: "other").members

    /// The verdict on a token of the forge's key that names `keyID`, in a set of `jwks`.
    private func verdict(_ keyID: String?, _ jwks: [String], limits: TokenLimits = .standard) -> String {
        let token = Forges.es256.token(header: "{\"alg\":\"ES256\"\(keyID.map { ",\"kid\":\"\($0)\"" } ?? "")}")
        return TokenVerifier(keys: TokenForge.keySet(jwks), policy: .lenient, limits: limits).verdict(token)
    }

    @Test
    func aKeyIDIsNotCutAtANUL() {
        let keys = [jwk(Self.ec, ["kid": "a\0b"])]
        #expect(verdict("a\\u0000b", keys) == "valid")
        #expect(verdict("a", keys) == "unknown_key")
    }

    /// A name in a program has no escapes, and a name in a token may have some.
    @Test
    func theHashOfAKeyIDIsThatOfWhatItMeans() {
        #expect(KeyIDHash(JSONString(#"a\\b"#.utf8.span, isEscaped: true)) == KeyIDHash(#"a\b"#))
        #expect(KeyIDHash(JSONString(#"a\u0062"#.utf8.span, isEscaped: true)) == KeyIDHash("ab"))
        #expect(KeyIDHash(JSONString("ab".utf8.span, isEscaped: false)) == KeyIDHash("ab"))
        #expect(KeyIDHash(#"a\\b"#) != KeyIDHash(#"a\b"#))
        let long = String(repeating: "k", count: 600), spelled = #"\u006b"# + long.dropFirst()
        #expect(KeyIDHash(JSONString(long.utf8.span, isEscaped: false)) == KeyIDHash(long))
        #expect(KeyIDHash(JSONString(spelled.utf8.span, isEscaped: true)) == KeyIDHash(spelled))
    }

    /// The search hashes eight bytes at once, or one by one where they are escaped.
    @Test(arguments: 1...40)
    func aKeyIDOfAnyLengthIsFoundHoweverItIsWritten(length: Int) {
        let name = String((0..<length).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
        let keys = [jwk(Self.ec, ["kid": name]), jwk(Self.other, ["kid": name + "a"]), jwk(Self.other, ["kid": "a" + name])]
        #expect(verdict(name, keys) == "valid")
        #expect(verdict("\\u0061\(name.dropFirst())", keys) == "valid")
        #expect(verdict("\\u0062\(name.dropFirst())", keys) == "unknown_key")
    }

    @Test(arguments: [nil, "k"])
    func moreThanFourFittingKeysAreAmbiguous(keyID: String?) {
        let wrong = jwk(Self.other, ["kid": "k"]), good = jwk(Self.ec, ["kid": "k"])
        #expect(verdict(keyID, [wrong, wrong, wrong, good]) == "valid")
        #expect(verdict(keyID, [good, wrong, wrong, wrong, wrong]) == "ambiguous_key")
        // Keys that do not fit do not count.
        #expect(verdict(keyID, [wrong, Forges.rs256.jwk, jwk(Self.ec, ["use": "enc", "kid": "k"]), wrong, "{}", wrong, good]) == "valid")
    }

    @Test(arguments: [
        (0, 1, "ambiguous_key"), (-1, 1, "ambiguous_key"), (1, 1, "valid"), (1, 2, "ambiguous_key"), (8, 8, "valid"),
        (8, 9, "ambiguous_key"), (100, 9, "ambiguous_key"), (100, 8, "valid"),
    ])
    func theNumberOfCandidatesIsTheCallersUpToEight(limit: Int, keys: Int, expected: String) {
        var limits = TokenLimits.standard
        limits.candidateKeys = limit
        let others = Array(repeating: jwk(Self.other, ["kid": "x"]), count: keys - 1)
        #expect(verdict(nil, others + [jwk(Self.ec, [:])], limits: limits) == expected)
    }

    /// A single pinned key verifies a token with any `kid`, unless the key has a name.
    @Test(
        arguments: [
            (nil, nil, "valid"), (nil, "any", "valid"), ("k", nil, "valid"), ("k", "k", "valid"), ("k", "other", "unknown_key"),
        ] as [(String?, String?, String)])
    func pinnedKeysServeTokensThatNameNoOtherKey(ofKey: String?, ofToken: String?, expected: String) throws {
        let pinned = try KeySet(jwk: jwk(Self.ec, ["kid": ofKey]).utf8.span)
        let token = Forges.es256.token(header: "{\"alg\":\"ES256\"\(ofToken.map { ",\"kid\":\"\($0)\"" } ?? "")}")
        #expect(TokenVerifier(keys: pinned, policy: .lenient).verdict(token) == expected)
        #expect(TokenVerifier(keys: KeySet(pinned.keys[0]), policy: .lenient).verdict(token) == expected)
    }

    @Test
    func anyDocumentOfPublicKeysMakesASet() throws {
        let jwks = "{\"keys\":[\(Forges.es256.jwk),\(Forges.rs256.jwk)]}"
        #expect(try KeySet(document: jwks.utf8.span).keys.count == 2)
        #expect(try KeySet(document: "\n\t \(Forges.es256.jwk)".utf8.span).keys[0].type == .ec)
        #expect(try KeySet(document: PublicKeyDocument.rsa.pem.utf8.span).keys[0].type == .rsa)
        #expect(try KeySet(document: PublicKeyDocument.ed25519.der.span).keys[0].type == .okp)
    }

    @Test(arguments: [
        ("", "invalid_key"), ("{", "invalid_json"), ("{}", "invalid_key"), ("[]", "invalid_key"), (#"{"keys":1}"#, "invalid_key"),
        (#"{"kty":"EC","kty":"EC"}"#, "duplicate_member"),
    ])
    func otherDocumentsMakeNone(document: String, expected: String) {
        #expect(JWTCoreTests.verdict { _ = try KeySet(document: document.utf8.span) } == expected)
    }

    /// RFC 8725 section 2.1: if a set mixes public keys and secrets, and the policy allows both, an HMAC is refused.
    @Test
    func secretsBesidePublicKeysNeedAPolicyForSecretsAlone() {
        let set = TokenForge.keySet([Forges.hs256.jwk, Forges.es256.jwk])
        var symmetric = ClaimsPolicy.lenient
        symmetric.algorithms = .symmetric
        #expect(TokenVerifier(keys: set, policy: .lenient).verdict(Forges.hs256.token()) == "algorithm_not_allowed")
        #expect(TokenVerifier(keys: set, policy: symmetric).verdict(Forges.hs256.token()) == "valid")
        #expect(TokenVerifier(keys: set, policy: ClaimsPolicy()).verdict(Forges.hs256.token()) == "algorithm_not_allowed")
        #expect(TokenVerifier(keys: set, policy: .lenient).verdict(Forges.es256.token()) == "valid")
        #expect(Forges.hs256.verifier().verdict(Forges.hs256.token()) == "valid")
    }
}
