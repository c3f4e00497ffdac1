import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// Which keys of a set a token is verified with.
struct KeySetLookupTests {
    private static let ec = Forges.es256.members
    private static let other = TokenForge(.es256, keyID: "other").members

    /// The verdict on a token of the forge's key that names `keyID`, in a set of `jwks`.
    private func verdict(_ keyID: String?, _ jwks: [String], limits: TokenLimits = .standard) -> String {
        let token = Forges.es256.token(header: "{\"alg\":\"ES256\"\(keyID.map { ",\"kid\":\"\($0)\"" } ?? "")}")
        return TokenVerifier(keys: TokenForge.keySet(jwks), policy: .lenient, limits: limits).verdict(token)
    }

    @Test(arguments: [
        ("a", "a", "valid"), ("a", "A", "unknown_key"), ("a", "", "unknown_key"), ("", "", "valid"), ("", "a", "unknown_key"),
        ("a", "a ", "unknown_key"), ("a", "a\\u0000", "unknown_key"),
        ("a", "\\u0061", "valid"), ("é", "\\u00e9", "valid"), ("\u{e9}", "e\u{301}", "unknown_key"),
        ("../../dev/null", "..\\/..\\/dev/null", "valid"), ("' OR 1", "' OR 1", "valid"),
        ("😀", "\\ud83d\\ude00", "valid"), ("a\n", "a\\n", "valid"), ("K", "\u{212a}", "unknown_key"), ("a\0b", "a\\u0000b", "valid"),
        ("a\0b", "a", "unknown_key"),
    ])
    func keyIDsAreComparedByteForByte(ofKey: String, ofToken: String, expected: String) {
        #expect(verdict(ofToken, [jwk(Self.ec, ["kid": ofKey])]) == expected)
        #expect(verdict(ofToken, [jwk(Self.other, ["kid": "decoy"]), jwk(Self.ec, ["kid": ofKey])]) == expected)
    }

    @Test
    func anUnknownKeyIDNeverFallsBackToAnotherKey() {
        #expect(verdict("unknown", [jwk(Self.ec, ["kid": "known"])]) == "unknown_key")
        #expect(verdict("unknown", [jwk(Self.ec, ["kid": nil])]) == "unknown_key")
        #expect(verdict("unknown", []) == "unknown_key")
        #expect(verdict(nil, []) == "unknown_key")
    }

    @Test
    func keysThatShareAKeyIDAreAllTried() {
        let good = jwk(Self.ec, ["kid": "k"]), wrong = jwk(Self.other, ["kid": "k"])
        let others = [jwk(Self.other, ["kid": "x"]), jwk(Self.other, ["kid": nil])]
        for set in [[good, wrong], [wrong, good], [wrong, wrong, wrong, good], others + [wrong, good], [wrong] + others + [good]] {
            #expect(verdict("k", set) == "valid")
        }
        #expect(verdict("k", [wrong, wrong]) == "signature_invalid")
    }

    @Test(arguments: [nil, "k"])
    func moreThanFourFittingKeysAreAmbiguous(keyID: String?) {
        let wrong = jwk(Self.other, ["kid": "k"]), good = jwk(Self.ec, ["kid": "k"])
        #expect(verdict(keyID, [wrong, wrong, wrong, good]) == "valid")
        #expect(verdict(keyID, [good, wrong, wrong, wrong, wrong]) == "ambiguous_key")
        // Keys that cannot be meant do not count.
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

    @Test(arguments: 1...4)
    func ofSeveralReasonsTheOneClosestToAServingKeyIsTold(weight: Int) {
        let rsa = Forges.rs256.members
        let reasons = [
            (jwk(rsa, ["kty": "unknown"]), "key_algorithm_mismatch"), (jwk(rsa, ["use": "enc"]), "key_use_mismatch"),
            (jwk(rsa, ["e": "AQ"]), "invalid_key"), (jwk(rsa, ["n": "AQ"]), "weak_key"),
        ]
        let jwks = reasons.prefix(weight).map { $0.0 }
        let token = Forges.rs256.token()
        for set in [jwks, jwks.reversed(), [Forges.es256.jwk] + jwks] {
            #expect(TokenVerifier(keys: TokenForge.keySet(Array(set)), policy: .lenient).verdict(token) == reasons[weight - 1].1)
        }
    }

    @Test(arguments: [
        (32, "valid", "weak_key", "weak_key"), (48, "valid", "valid", "weak_key"), (64, "valid", "valid", "valid"),
        (31, "weak_key", "weak_key", "weak_key"),
    ])
    func aSecretIsAsLongAsTheHash(length: Int, hs256: String, hs384: String, hs512: String) throws {
        let secret = Array(repeating: UInt8(3), count: length)
        let set = TokenForge.keySet(["{\"kty\":\"oct\",\"k\":\"\(base64url(secret))\"}"])
        for (algorithm, expected) in [(SignatureAlgorithm.hs256, hs256), (.hs384, hs384), (.hs512, hs512)] {
            let token = try #require(hmacToken(algorithm, secret: secret))
            #expect(TokenVerifier(keys: set, policy: .lenient).verdict(token) == expected)
        }
    }

    /// A key handed over by itself is meant, whatever a token calls it; unless it has a name.
    @Test(
        arguments: [
            (nil, nil, "valid"), (nil, "any", "valid"), ("k", nil, "valid"), ("k", "k", "valid"),
            ("k", "other", "unknown_key"),
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
        #expect(try KeySet(document: "\n\t \(Forges.es256.jwk)".utf8.span).keys[0].kind == .ec)
        #expect(try KeySet(document: PublicKeyDocument.rsa.pem.utf8.span).keys[0].kind == .rsa)
        #expect(try KeySet(document: PublicKeyDocument.ed25519.der.span).keys[0].kind == .okp)
    }

    @Test(arguments: [
        ("", "invalid_key"), ("{", "invalid_json"), ("{}", "invalid_key"), ("[]", "invalid_key"), ("{\"keys\":1}", "invalid_key"),
        ("{\"kty\":\"EC\",\"kty\":\"EC\"}", "duplicate_member"),
    ])
    func otherDocumentsMakeNone(document: String, expected: String) {
        #expect(JWTCoreTests.verdict { _ = try KeySet(document: document.utf8.span) } == expected)
    }

    /// RFC 8725 section 2.1: where public keys and secrets mix, and the policy allows both, an HMAC proves nothing.
    @Test
    func secretsBesidePublicKeysVerifyOnlyWhereThePolicyAllowsNothingElse() {
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
