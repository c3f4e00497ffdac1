import JWTCore
import JWTSigning
import JWTTestSupport
import Locks
import Testing

/// The claims that a policy requires: how its rules combine. `vectors/` has the cases of each rule.
struct ClaimsPolicyTests {
    private static func verdict(_ policy: ClaimsPolicy, _ payload: String, type: String? = "JWT") -> String {
        Forges.ed25519.verifier(policy).verdict(Forges.ed25519.token(payload, type: type))
    }

    private static func lenient(_ rule: (inout ClaimsPolicy) -> Void) -> ClaimsPolicy {
        var policy = ClaimsPolicy.lenient
        rule(&policy)
        return policy
    }

    /// A payload that a rule accepts, and one that it refuses.
    @Test(
        arguments: [
            (ClaimsPolicy(), #"{"exp":1700000101}"#, "{}", "missing_claim"),
            (ClaimsPolicy(issuer: "i", audience: "a"), #"{"iss":"i","aud":["b","a"],"exp":1700000101}"#, "{}", "missing_claim"),
            (ClaimsPolicy.accessToken(issuer: "i", audience: "a"), nil, #"{"iss":"i","aud":"a","exp":1700000101}"#, "type_mismatch"),
            (lenient { $0.requiredClaims = ["tenant"] }, #"{"t\u0065nant":1}"#, #"{"a":{"tenant":1}}"#, "missing_claim"),
            // A backslash in a policy is one in the claim's name.
            (lenient { $0.requiredClaims = [#"\u0069ss"#] }, #"{"\\u0069ss":1}"#, #"{"iss":"i"}"#, "missing_claim"),
            (lenient { $0.contextClasses = ["silver", "gold"] }, #"{"acr":"gold"}"#, #"{"acr":"lead"}"#, "context_class_mismatch"),
            (
                lenient { $0.authenticationMethods = ["pwd", "otp"] }, #"{"amr":["otp","x","pwd"]}"#, #"{"amr":["pwd"]}"#,
                "context_class_mismatch"
            ),
        ] as [(ClaimsPolicy, String?, String, String)])
    func everyRuleAcceptsAndRefuses(policy: ClaimsPolicy, accepted: String?, refused: String, code: String) {
        if let accepted { #expect(Self.verdict(policy, accepted) == "valid") }
        #expect(Self.verdict(policy, refused) == code)
    }

    @Test
    func aThousandRevokedTokensAreKnownByteForByte() {
        let policy = Self.lenient { $0.revokedTokenIDs = ["a", "\u{e9}", "other"] + (0..<1_000).map { "id-\($0)" } }
        #expect(policy.revokedTokenIDs.count == 1_003)
        for revoked in ["a", "\\u0061", "\u{e9}", "id-999"] { #expect(Self.verdict(policy, "{\"jti\":\"\(revoked)\"}") == "revoked") }
        for other in ["b", "A", "e\u{301}", "", "id-1000"] { #expect(Self.verdict(policy, "{\"jti\":\"\(other)\"}") == "valid") }
    }

    @Test
    func trustedAudiencesAndTheAuthorizedPartyAreTheCallersToName() {
        func idToken(_ audience: String, _ party: String) -> String {
            #"{"iss":"i","sub":"u","aud":\#(audience),"azp":"\#(party)","exp":1700003600,"iat":1700000000}"#
        }
        var policy = ClaimsPolicy.idToken(issuer: "i", clientID: "client-1")
        #expect(Self.verdict(policy, idToken(#"["api","client-1"]"#, "client-1")) == "audience_mismatch")
        policy.trustedAudiences = ["api"]
        #expect(Self.verdict(policy, idToken(#"["api","client-1"]"#, "client-1")) == "valid")
        #expect(Self.verdict(policy, idToken(#""api""#, "client-1")) == "audience_mismatch")
        policy.authorizedParty = "portal"
        #expect(Self.verdict(policy, idToken(#"["api","client-1"]"#, "client-1")) == "authorized_party_mismatch")
        #expect(Self.verdict(policy, idToken(#"["api","client-1"]"#, "portal")) == "valid")
    }

    @Test
    func trustedAudiencesWithoutAnAudienceFitNoToken() {
        let policy = Self.lenient {
            $0.requiresTrustedAudiences = true
            $0.trustedAudiences = ["api"]
        }
        #expect(Self.verdict(policy, "{}") == "missing_claim")
        for claims in [#"{"aud":"api"}"#, #"{"aud":["api"]}"#] { #expect(Self.verdict(policy, claims) == "audience_mismatch") }
    }

    @Test(arguments: [
        (#""azp":"portal""#, "valid"), (#""azp":"other""#, "authorized_party_mismatch"), (#""azp":["portal"]"#, "invalid_claim"),
        (#""sub":"u""#, "valid"),
    ])
    func aNamedAuthorizedPartyNeedsNoRuleAboutAudiences(claim: String, expected: String) {
        for audiences in [[], ["a"]] {
            let policy = Self.lenient {
                $0.authorizedParty = "portal"
                $0.audiences = audiences
            }
            #expect(Self.verdict(policy, "{\"aud\":[\"a\",\"b\"],\(claim)}") == expected)
        }
    }

    // Values of one login

    /// The hashes of OIDC Core appendix A: RS256, its access token and its code.
    private static let access = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", accessHash = "77QmUPtjPfzWtF2AnpK9RQ"
    private static let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", codeHash = "LDktKdoQak3Pk0cnXxCltA"

    @Test(arguments: [
        (#"{"nonce":"n","at_hash":"\#(accessHash)","c_hash":"\#(codeHash)"}"#, "valid"),
        (#"{"at_hash":"\#(accessHash)","c_hash":"\#(codeHash)"}"#, "missing_claim"),
        (#"{"nonce":"N","at_hash":"\#(accessHash)","c_hash":"\#(codeHash)"}"#, "nonce_mismatch"),
        (#"{"nonce":"n","c_hash":"\#(codeHash)"}"#, "missing_claim"),
        (#"{"nonce":"n","at_hash":"\#(accessHash)"}"#, "missing_claim"),
        (#"{"nonce":"n","at_hash":"\#(codeHash)","c_hash":"\#(codeHash)"}"#, "token_hash_mismatch"),
        (#"{"nonce":"n","at_hash":"\#(accessHash)","c_hash":"\#(accessHash)"}"#, "token_hash_mismatch"),
        (#"{"nonce":"n","at_hash":"\#(accessHash)=","c_hash":"\#(codeHash)"}"#, "token_hash_mismatch"),
        (#"{"nonce":"n","at_hash":"","c_hash":"\#(codeHash)"}"#, "token_hash_mismatch"),
    ])
    func whatALoginExpectsIsRequiredOfItsToken(payload: String, expected: String) {
        let forge = Forges.rs256, general = forge.verifier()
        let token = forge.token(payload)
        #expect(general.expecting(nonce: "n").expecting(accessToken: Self.access).expecting(code: Self.code).verdict(token) == expected)
        #expect(general.expecting(code: Self.code).expecting(accessToken: Self.access).expecting(nonce: "n").verdict(token) == expected)
        #expect(general.verdict(token) == "valid")
    }

    @Test(arguments: [(#"{"nonce":""}"#, "nonce_mismatch"), (#"{"nonce":"n"}"#, "nonce_mismatch"), ("{}", "missing_claim")])
    func noTokenFitsAnEmptyNonce(payload: String, expected: String) {
        #expect(Forges.rs256.verifier().expecting(nonce: "").verdict(Forges.rs256.token(payload)) == expected)
    }

    @Test func noTokenFitsAnEmptySubject() {
        #expect(Self.verdict(Self.lenient { $0.subject = "" }, #"{"sub":""}"#) == "subject_mismatch")
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
        #expect(verifier.verdict(forge.token(#"{"at_hash":"\#(half)"}"#)) == (digest == nil ? "token_hash_mismatch" : "valid"))
        #expect(verifier.verdict(forge.token(#"{"at_hash":"\#(base64url(hash))"}"#)) == "token_hash_mismatch")
        #expect(verifier.verdict(forge.token(#"{"at_hash":""}"#)) == "token_hash_mismatch")
    }

    // The caller's own checks

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
        #expect(Self.verdict(policy, #"{"iss":"x"}"#) == "issuer_mismatch")
        #expect(Self.verdict(policy, #"{"iss":"i"}"#) == "audience_mismatch")
        #expect(Self.verdict(policy, #"{"iss":"i","tenant":"t"}"#) == "revoked")
        #expect(calls.withLock { $0 } == ["tenant at 1700000100", "tenant at 1700000100", "never"])
    }
}
