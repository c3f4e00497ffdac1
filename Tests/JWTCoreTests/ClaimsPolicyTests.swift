import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// What of a token's claims a policy requires. Tokens are signed by a key that every policy here trusts.
struct ClaimsPolicyTests {
    /// The claims of a token as JSON texts; `changes` replaces some, nil leaves one out.
    private static func payload(_ claims: [String: String], _ changes: [String: String?] = [:]) -> String {
        let kept = claims.merging(changes.compactMapValues { $0 }) { $1 }.filter { name, _ in changes[name].map { $0 != nil } ?? true }
        return "{\(kept.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }

    private static let idTokens = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    private static let accessTokens = ClaimsPolicy.accessToken(issuer: "https://idp.example", audience: "api")

    private static func verdict(_ policy: ClaimsPolicy, _ payload: String, type: String? = "JWT") -> String {
        Forges.ed25519.verifier(policy).verdict(Forges.ed25519.token(payload, type: type))
    }

    // Presets

    private static let idToken = [
        "iss": "\"https://idp.example\"", "sub": "\"u\"", "aud": "\"client-1\"", "exp": "1700003600", "iat": "1700000000",
    ]

    @Test(
        arguments: [
            ([:], "valid"), (["iss": nil], "missing_claim"), (["sub": nil], "missing_claim"), (["aud": nil], "missing_claim"),
            (["exp": nil], "missing_claim"),
            (["iat": nil], "missing_claim"), (["iss": "\"https://idp.example/\""], "issuer_mismatch"),
            (["iss": "\"https://IDP.example\""], "issuer_mismatch"),
            (["iss": "\"\""], "issuer_mismatch"), (["iss": "[\"https://idp.example\"]"], "invalid_claim"),
            (["iss": "\"https:\\/\\/idp\\u002eexample\""], "valid"),
            (["aud": "\"client-2\""], "audience_mismatch"), (["aud": "[]"], "audience_mismatch"), (["aud": "[\"\"]"], "audience_mismatch"),
            (["aud": "[\"client-1\"]"], "valid"),
            (["aud": "[\"client-1\",\"other\"]"], "audience_mismatch"), (["aud": "[\"client-1\",\"client-1\"]"], "missing_claim"),
            (["aud": "[\"client-1\",\"client-1\"]", "azp": "\"client-1\""], "valid"), (["azp": "\"client-1\""], "valid"),
            (["azp": "\"client-2\""], "authorized_party_mismatch"),
            (["azp": "null"], "invalid_claim"), (["aud": "[\"client-1\",1]"], "invalid_claim"), (["aud": "{}"], "invalid_claim"),
            (["aud": "null"], "invalid_claim"), (["iat": "1700000160"], "valid"),
            (["iat": "1700000161"], "issued_in_future"), (["exp": "1700000040"], "expired"), (["nonce": "\"any\""], "valid"),
            (["nonce": "1"], "invalid_claim"),
        ] as [([String: String?], String)])
    func idTokens(changes: [String: String?], expected: String) {
        #expect(Self.verdict(Self.idTokens, Self.payload(Self.idToken, changes)) == expected)
    }

    @Test(
        arguments: [
            ("JWT", "valid"), (nil, "valid"), ("jwt", "valid"), ("at+jwt", "type_mismatch"), ("", "type_mismatch"),
        ] as [(String?, String)])
    func idTokensAreOfTypeJWTOrNone(type: String?, expected: String) {
        #expect(Self.verdict(Self.idTokens, Self.payload(Self.idToken), type: type) == expected)
    }

    private static let accessToken = idToken.merging(["client_id": "\"c\"", "jti": "\"j\"", "aud": "[\"api\",\"other\"]"]) { $1 }

    @Test(
        arguments: [
            ([:], "at+jwt", "valid"), ([:], "application/at+jwt", "valid"), ([:], "JWT", "type_mismatch"), ([:], nil, "type_mismatch"),
            (["client_id": nil], "at+jwt", "missing_claim"),
            (["jti": nil], "at+jwt", "missing_claim"), (["iat": nil], "at+jwt", "missing_claim"), (["sub": nil], "at+jwt", "missing_claim"),
            (["exp": nil], "at+jwt", "missing_claim"),
            (["aud": "\"other\""], "at+jwt", "audience_mismatch"), (["client_id": "1"], "at+jwt", "invalid_claim"),
            (["azp": "\"anybody\""], "at+jwt", "valid"),
        ] as [([String: String?], String?, String)])
    func accessTokens(changes: [String: String?], type: String?, expected: String) {
        #expect(Self.verdict(Self.accessTokens, Self.payload(Self.accessToken, changes), type: type) == expected)
    }

    @Test
    func thePlainPolicyLooksAtDatesAndTypesAlone() {
        #expect(Self.verdict(ClaimsPolicy(), "{\"exp\":1700000101}", type: "anything") == "valid")
        #expect(Self.verdict(ClaimsPolicy(), "{}") == "missing_claim")
        #expect(Self.verdict(.lenient, "{}") == "valid")
        for payload in ["[]", "null", "\"x\"", "1"] { #expect(Self.verdict(.lenient, payload) == "invalid_claim") }
        let claims = "{\"iss\":\"i\",\"aud\":[\"b\",\"a\"],\"exp\":1700000101}"
        #expect(Self.verdict(ClaimsPolicy(issuer: "i", audience: "a"), claims) == "valid")
    }

    @Test
    func trustedAudiencesAndTheAuthorizedPartyAreTheCallersToName() {
        var policy = Self.idTokens
        policy.trustedAudiences = ["api"]
        let several = ["aud": "[\"api\",\"client-1\"]", "azp": "\"client-1\""]
        #expect(Self.verdict(policy, Self.payload(Self.idToken, several)) == "valid")
        #expect(Self.verdict(policy, Self.payload(Self.idToken, ["aud": "\"api\""])) == "audience_mismatch")
        policy.authorizedParty = "portal"
        #expect(Self.verdict(policy, Self.payload(Self.idToken, several)) == "authorized_party_mismatch")
        #expect(Self.verdict(policy, Self.payload(Self.idToken, several.merging(["azp": "\"portal\""]) { $1 })) == "valid")
    }

    // What is configured is required

    @Test(arguments: [
        ("{\"jti\":\"a\"}", "revoked"), ("{\"jti\":\"\\u0061\"}", "revoked"), ("{\"jti\":\"b\"}", "valid"), ("{\"jti\":\"A\"}", "valid"),
        ("{}", "valid"), ("{\"jti\":\"e\\u0301\"}", "valid"),
        ("{\"jti\":\"\\u00e9\"}", "revoked"), ("{\"jti\":\"\"}", "valid"),
    ])
    func revokedTokensAreKnownByTheirIDByteForByte(payload: String, expected: String) {
        var policy = ClaimsPolicy.lenient
        policy.revokedTokenIDs = ["a", "\u{e9}", "other"] + (0..<1_000).map { "id-\($0)" }
        #expect(Self.verdict(policy, payload) == expected)
        #expect(policy.revokedTokenIDs.count == 1_003)
    }

    @Test(arguments: [
        ("{\"acr\":\"gold\",\"amr\":[\"pwd\",\"otp\"]}", "valid"), ("{\"acr\":\"silver\",\"amr\":[\"otp\",\"x\",\"pwd\"]}", "valid"),
        ("{\"acr\":\"lead\",\"amr\":[\"pwd\",\"otp\"]}", "context_class_mismatch"),
        ("{\"acr\":\"gold\",\"amr\":[\"pwd\"]}", "context_class_mismatch"), ("{\"acr\":\"gold\",\"amr\":[]}", "context_class_mismatch"),
        ("{\"acr\":\"gold\"}", "missing_claim"),
        ("{\"amr\":[\"pwd\",\"otp\"]}", "missing_claim"), ("{\"acr\":\"gold\",\"amr\":\"pwd otp\"}", "invalid_claim"),
        ("{\"acr\":[\"gold\"],\"amr\":[]}", "invalid_claim"),
    ])
    func oneContextClassAndAllMethodsAreRequired(payload: String, expected: String) {
        var policy = ClaimsPolicy.lenient
        policy.contextClasses = ["silver", "gold"]
        policy.authenticationMethods = ["pwd", "otp"]
        #expect(Self.verdict(policy, payload) == expected)
    }

    @Test(arguments: [
        ("{\"tenant\":null}", "valid"), ("{\"t\\u0065nant\":1}", "valid"), ("{\"Tenant\":1}", "missing_claim"),
        ("{\"a\":{\"tenant\":1}}", "missing_claim"), ("{}", "missing_claim"),
    ])
    func requiredClaimsMayBeAnyAndSayAnything(payload: String, expected: String) {
        var policy = ClaimsPolicy.lenient
        policy.requiredClaims = ["tenant"]
        #expect(Self.verdict(policy, payload) == expected)
    }

    // One login

    /// The hashes of OIDC Core appendix A: RS256, of its access token and its code.
    private static let access = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", accessHash = "77QmUPtjPfzWtF2AnpK9RQ"
    private static let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", codeHash = "LDktKdoQak3Pk0cnXxCltA"

    @Test(arguments: [
        ("{\"nonce\":\"n\",\"at_hash\":\"\(accessHash)\",\"c_hash\":\"\(codeHash)\"}", "valid"),
        ("{\"at_hash\":\"\(accessHash)\",\"c_hash\":\"\(codeHash)\"}", "missing_claim"),
        ("{\"nonce\":\"N\",\"at_hash\":\"\(accessHash)\",\"c_hash\":\"\(codeHash)\"}", "nonce_mismatch"),
        ("{\"nonce\":\"n\",\"c_hash\":\"\(codeHash)\"}", "missing_claim"),
        ("{\"nonce\":\"n\",\"at_hash\":\"\(accessHash)\"}", "missing_claim"),
        ("{\"nonce\":\"n\",\"at_hash\":\"\(codeHash)\",\"c_hash\":\"\(codeHash)\"}", "token_hash_mismatch"),
        ("{\"nonce\":\"n\",\"at_hash\":\"\(accessHash)\",\"c_hash\":\"\(accessHash)\"}", "token_hash_mismatch"),
        ("{\"nonce\":\"n\",\"at_hash\":\"\(accessHash)=\",\"c_hash\":\"\(codeHash)\"}", "token_hash_mismatch"),
        ("{\"nonce\":\"n\",\"at_hash\":\"\",\"c_hash\":\"\(codeHash)\"}", "token_hash_mismatch"),
    ])
    func whatALoginExpectsIsRequiredOfItsToken(payload: String, expected: String) {
        let forge = Forges.rs256, general = forge.verifier()
        let token = forge.token(payload)
        #expect(general.expecting(nonce: "n", accessToken: Self.access, code: Self.code).verdict(token) == expected)
        #expect(general.verdict(token) == "valid")
        // What one call expects a later one adds to.
        #expect(general.expecting(nonce: "n").expecting(accessToken: Self.access).expecting(code: Self.code).verdict(token) == expected)
    }

    @Test(arguments: Forges.available)
    func tokenHashesAreMadeWithTheAlgorithmsOwnHash(algorithm: SignatureAlgorithm) {
        let digest: Digest? =
            switch algorithm.name.suffix(3) {
            case "256", "56K": .sha256
            case "384": .sha384
            case "512", "DSA", "519": .sha512
            case "448": .shake256
            default: nil
            }
        let forge = Forges.of(algorithm), verifier = forge.verifier().expecting(accessToken: "token")
        let hash = digest.map { $0.bytes(of: "token".utf8.span) } ?? Array(repeating: 0, count: 64)
        let half = base64url(hash.prefix(hash.count / 2))
        #expect(verifier.verdict(forge.token("{\"at_hash\":\"\(half)\"}")) == (digest == nil ? "token_hash_mismatch" : "valid"))
        #expect(verifier.verdict(forge.token("{\"at_hash\":\"\(base64url(hash))\"}")) == "token_hash_mismatch")
        #expect(verifier.verdict(forge.token("{\"at_hash\":\"\"}")) == "token_hash_mismatch")
    }

    // Checks of the caller's own

    @Test
    func ownChecksRunLastAndInOrder() {
        let calls = Guarded<[String]>([])
        var policy = ClaimsPolicy.lenient
        policy.issuers = ["i"]
        policy.checks = [
            { claims, now in
                let tenant = claims["tenant"]?.string?.string
                calls.withLock { $0.append("tenant at \(now.seconds)") }
                return tenant == "t" ? .accepted : .refused(.audienceMismatch)
            },
            { _, _ in
                calls.withLock { $0.append("never") }
                return .refused(.revoked)
            },
        ]
        #expect(Self.verdict(policy, "{\"iss\":\"x\"}") == "issuer_mismatch")
        #expect(Self.verdict(policy, "{\"iss\":\"i\"}") == "audience_mismatch")
        #expect(Self.verdict(policy, "{\"iss\":\"i\",\"tenant\":\"t\"}") == "revoked")
        #expect(calls.withLock { $0 } == ["tenant at 1700000100", "tenant at 1700000100", "never"])
    }
}
