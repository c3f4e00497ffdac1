import JWTCore
import JWTTestSupport
import SelectiveDisclosure
import Testing

/// What the policy says about the issuer's token and the claims.
struct PresentationPolicyTests {
    private static let given = #"["s1","given_name","Jane"]"#
    private static let subject = #"["s2","sub","jane"]"#
    private static let scope = #"["s3","scope","read write"]"#
    private static let role = #"["s4","admin"]"#

    private static var members: String {
        let digests = [given, subject, scope].map { "\"\(Credential.digest($0))\"" }.joined(separator: ",")
        return #""_sd":[\#(digests)],"roles":["user",{"...":"\#(Credential.digest(role))"}]"#
    }

    private static func verdict(
        _ disclosures: [String], now: NumericDate = Credential.now, _ require: (inout ClaimsPolicy) -> Void = { _ in }
    ) -> String {
        var policy = Credential.unbound
        require(&policy.claims)
        return Credential.verdict(Credential.presentation(members, disclosures), policy, now: now)
    }

    /// RFC 9901 section 7.1 step 6: the claims are judged once the disclosures are put in.
    @Test
    func whatTheHolderKeepsToItselfIsMissing() {
        #expect(Self.verdict([]) == "valid")
        #expect(Self.verdict([]) { $0.requiredClaims = ["given_name"] } == "issuer_token_refused: missing_claim")
        #expect(Self.verdict([Self.given]) { $0.requiredClaims = ["given_name"] } == "valid")
        #expect(Self.verdict([]) { $0.subject = "jane" } == "issuer_token_refused: missing_claim")
        #expect(Self.verdict([Self.subject]) { $0.subject = "jane" } == "valid")
        #expect(Self.verdict([Self.subject]) { $0.subject = "john" } == "issuer_token_refused: subject_mismatch")
        #expect(Self.verdict([]) { $0.scopes = ["write"] } == "issuer_token_refused: insufficient_scope")
        #expect(Self.verdict([Self.scope]) { $0.scopes = ["write"] } == "valid")
    }

    @Test
    func ownChecksSeeTheClaims() {
        let check: @Sendable (borrowing Claims, NumericDate) -> ClaimsPolicy.Verdict = { claims, _ in
            claims["roles"]?.contains("admin") ?? false ? .accepted : .refused(.insufficientScope)
        }
        #expect(Self.verdict([]) { $0.checks = [check] } == "issuer_token_refused: insufficient_scope")
        #expect(Self.verdict([Self.role]) { $0.checks = [check] } == "valid")
    }

    @Test
    func datesIssuerAndTypeAreThoseOfEveryToken() {
        #expect(Self.verdict([], now: 1_700_003_659) == "valid")
        #expect(Self.verdict([], now: 1_700_003_660) == "issuer_token_refused: expired")
        #expect(Self.verdict([]) { $0.issuers = ["https://other.example"] } == "issuer_token_refused: issuer_mismatch")
        #expect(Self.verdict([]) { $0.types = ["vc+sd-jwt"] } == "issuer_token_refused: type_mismatch")
        #expect(Self.verdict([]) { $0.algorithms = [.es256] } == "issuer_token_refused: algorithm_not_allowed")
        #expect(Self.verdict([]) { $0.audiences = ["client-1"] } == "issuer_token_refused: missing_claim")
    }

    @Test
    func anAudienceCountsIfItIsDisclosed() {
        let other = #"["s","client-1"]"#
        let members = #""aud":["client-2",{"...":"\#(Credential.digest(other))"}]"#
        var policy = Credential.unbound
        policy.claims.audiences = ["client-1"]
        #expect(Credential.verdict(Credential.presentation(members, [other]), policy) == "valid")
        #expect(Credential.verdict(Credential.presentation(members, []), policy) == "issuer_token_refused: audience_mismatch")
    }

    /// A list of revoked tokens applies to the holder that hides the token's name too.
    @Test
    func aHolderCannotHideThatItsTokenIsRevoked() {
        let name = #"["s","jti","t-1"]"#
        let members = #""_sd":["\#(Credential.digest(name))"]"#
        var policy = Credential.unbound
        #expect(Credential.verdict(Credential.presentation(members, []), policy) == "valid")
        policy.claims.revokedTokenIDs = ["t-1"]
        #expect(Credential.verdict(Credential.presentation(members, [name]), policy) == "issuer_token_refused: revoked")
        #expect(Credential.verdict(Credential.presentation(members, []), policy) == "issuer_token_refused: missing_claim")
        policy.claims.revokedTokenIDs = ["t-2"]
        #expect(Credential.verdict(Credential.presentation(members, [name]), policy) == "valid")
    }

    @Test
    func aHolderCannotHideAnAudienceThatIsNotTrusted() {
        let other = #"["s","client-2"]"#
        let members = #""azp":"client-1","aud":["client-1",{"...":"\#(Credential.digest(other))"}]"#
        var policy = Credential.unbound
        policy.claims.audiences = ["client-1"]
        #expect(Credential.verdict(Credential.presentation(members, []), policy) == "valid")
        policy.claims.requiresTrustedAudiences = true
        for disclosures in [[], [other]] {
            #expect(Credential.verdict(Credential.presentation(members, disclosures), policy) == "invalid_digests")
        }
    }

    @Test(arguments: [
        (#"["s","sub",7]"#, "issuer_token_refused: invalid_claim"), (#"["s","iat","x"]"#, "issuer_token_refused: invalid_claim"),
        (#"["s","jti",null]"#, "issuer_token_refused: invalid_claim"),
        (#"["s","iat",1700000161]"#, "issuer_token_refused: issued_in_future"),
    ])
    func aDisclosedClaimHasItsType(disclosure: String, expected: String) {
        let members = #""_sd":["\#(Credential.digest(disclosure))"]"#
        #expect(Credential.verdict(Credential.presentation(members, [disclosure])) == expected)
    }

    @Test
    func anotherIssuersKeyVerifiesNothing() {
        let text = TokenForge(.edDSA).token("{\(Credential.plain)}", type: "dc+sd-jwt") + "~"
        #expect(Credential.verdict(text) == "issuer_token_refused: signature_invalid")
        let unsecured = Credential.issuer.token(header: #"{"alg":"none","typ":"dc+sd-jwt"}"#, payload: "{\(Credential.plain)}") + "~"
        #expect(Credential.verdict(unsecured) == "issuer_token_refused: unsecured_token")
    }

    /// The claims are no JWT's: an array, a text, and what RFC 7797 and RFC 7519 keep from a JWT.
    @Test(arguments: [
        (#"{"alg":"EdDSA","typ":"dc+sd-jwt","kid":"test-key"}"#, "[]", "invalid_claim"),
        (#"{"alg":"EdDSA","typ":"dc+sd-jwt","kid":"test-key"}"#, "x", "invalid_json"),
        (#"{"alg":"EdDSA","typ":"dc+sd-jwt","kid":"test-key","b64":true}"#, "{}", "missing_claim"),
        (#"{"alg":"EdDSA","typ":"dc+sd-jwt","kid":"test-key","crit":["x"],"x":1}"#, "{}", "unsupported_critical"),
        (#"{"alg":"EdDSA","typ":"dc+sd-jwt","kid":"test-key","zip":"DEF"}"#, "{}", "invalid_header"),
        (#"{"alg":"EdDSA","typ":"dc+sd-jwt","kid":"test-key","cty":"JWT"}"#, "{}", "type_mismatch"),
    ])
    func theIssuersTokenIsAJWT(header: String, payload: String, expected: String) {
        let token = Credential.issuer.token(header: header, payload: payload)
        #expect(Credential.verdict(token + "~") == "issuer_token_refused: \(expected)")
    }

    @Test
    func missingKeysAreRetryable() {
        struct Nothing: KeySource {
            func withKeys<Result: ~Copyable>(
                _ body: (KeySet) throws(VerificationError) -> Result
            ) throws(VerificationError) -> Result { throw .keysUnavailable }
        }
        let verifier = PresentationVerifier(keys: Nothing(), policy: Credential.unbound)
        do throws(PresentationError) {
            _ = try verifier.verify(Credential.token("") + "~", now: Credential.now)
            Issue.record("no keys verify a token")
        } catch {
            #expect(error.isRetryable && error.code == .issuerTokenRefused)
        }
    }

    /// The header and what the caller learns of the issuer's key are those of the token.
    @Test
    func thePresentationHasTheTokensHeader() throws {
        let verifier = PresentationVerifier(keys: Credential.issuer.keySet, policy: Credential.unbound)
        let presentation = try verifier.verify(Credential.presentation(Self.members, [Self.subject]), now: Credential.now)
        #expect(presentation.header.type?.equals("dc+sd-jwt") ?? false)
        #expect(presentation.algorithm == .edDSA && presentation.keyPosition == 0 && presentation.keyBinding == nil)
        #expect(presentation.issuer == "https://idp.example" && presentation.subject == "jane")
        #expect(presentation.claims.expiration == 1_700_003_600)
        var dumped = ""
        dump(presentation, to: &dumped)
        #expect(!dumped.contains("jane") && "\(presentation)" == "VerifiedPresentation(disclosures: 1, without key binding)")
    }
}
