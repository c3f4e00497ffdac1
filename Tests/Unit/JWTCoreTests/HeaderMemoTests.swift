import JWTCore
import JWTTestSupport
import Testing

/// A stored header gives the same result as a header that is read again.
struct HeaderMemoTests {
    private let forge = Forges.ed25519
    private static let header = #"{"alg":"EdDSA","kid":"test-key","typ":"JWT"}"#

    @Test
    func aHeaderSeenBeforeSaysTheSame() throws {
        func names(_ token: VerifiedToken) -> [String?] { [token.header.keyID?.string, token.header.type?.string] }
        let token = forge.token(header: Self.header)
        for _ in 0..<3 {
            let kept = try forge.verifier().verify(token, now: TokenForge.now)
            #expect(names(kept) == ["test-key", "JWT"])
            #expect(kept.algorithm == .edDSA)
        }
    }

    @Test
    func aHeaderSeenBeforeIsHeldToThePolicyOfTheDay() {
        let token = forge.token(header: Self.header)
        #expect(forge.verifier().verdict(token) == "valid")
        var policy = ClaimsPolicy.lenient
        policy.algorithms = [.rs256]
        #expect(TokenVerifier(keys: forge.keySet, policy: policy).verdict(token) == "algorithm_not_allowed")
        policy = .lenient
        policy.types = ["at+jwt"]
        #expect(TokenVerifier(keys: forge.keySet, policy: policy).verdict(token) == "type_mismatch")
        #expect(TokenVerifier(keys: Forges.of(.rs256).keySet, policy: .lenient).verdict(token) == "key_algorithm_mismatch")
    }

    @Test
    func aHeaderSeenBeforeIsHeldToStricterLimits() {
        let token = forge.token(header: Self.header)
        #expect(forge.verifier().verdict(token) == "valid")
        var limits = TokenLimits.standard
        limits.headerMembers = 2
        #expect(TokenVerifier(keys: forge.keySet, policy: .lenient, limits: limits).verdict(token) == "too_many_members")
        limits = .standard
        limits.headerBytes = 10
        #expect(TokenVerifier(keys: forge.keySet, policy: .lenient, limits: limits).verdict(token) == "token_too_large")
        #expect(forge.verifier().verdict(token) == "valid")
    }

    /// As many headers of one length as share each of a thread's blocks: a header is recognised by all of its bytes.
    @Test
    func headersOfOneLengthAreToldApart() throws {
        let types = (10..<74).map { "t\($0)" }
        let tokens = types.map { forge.token(header: #"{"alg":"EdDSA","kid":"test-key","typ":"\#($0)"}"#) }
        for _ in 0..<2 {
            for (type, token) in zip(types, tokens) {
                #expect(try forge.verifier().verify(token, now: TokenForge.now).header.type?.string == type)
            }
        }
    }

    @Test
    func verificationsWithinOneAnotherReadTheirHeadersApart() throws {
        let (verifier, token) = (forge.verifier(), forge.token(header: Self.header))
        let other = forge.token(header: #"{"alg":"EdDSA","kid":"test-key"}"#)
        for _ in 0..<3 {
            let types = try verifier.withVerified(token.utf8.span, now: TokenForge.now) { outer in
                let same = try? verifier.verify(token, now: TokenForge.now)
                let different = try? verifier.verify(other, now: TokenForge.now)
                return [same?.header.type?.string, different?.header.type?.string, outer.header.type?.string]
            }
            #expect(types == ["JWT", nil, "JWT"])
        }
    }

    @Test
    func aTamperedTokenUnderASeenHeaderIsRefusedWhereItWouldBe() {
        let token = forge.token(header: Self.header)
        #expect(forge.verifier().verdict(token) == "valid")
        let parts = token.split(separator: ".")
        #expect(forge.verifier().verdict("\(parts[0]).\(parts[1])!.\(parts[2])") == "invalid_base64url")
        #expect(forge.verifier().verdict("\(parts[0]).\(parts[1].dropLast(4)).\(parts[2])") == "signature_invalid")
        #expect(forge.verifier().verdict("\(parts[0])..\(parts[2])") == "malformed_token")
    }
}
