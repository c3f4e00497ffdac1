import AssayTesting
import JWTCore
import Testing

/// The answers of an introspection endpoint for tests (RFC 7662, RFC 9701), read as the gateway reads them.
struct IntrospectionAnswerTests {
    private static let now: NumericDate = 1_700_000_000
    private let issuer: TestIssuer

    init() throws { issuer = try TestIssuer(clock: ManualClock(date: Self.now.seconds)) }

    private static let policy = {
        var policy = ClaimsPolicy(issuer: "https://idp.example", audience: "https://api.example")
        policy.requiresExpiration = false
        return policy
    }()

    /// "active", "inactive" or the name of the code.
    private func outcome(_ answer: String) -> String {
        do throws(VerificationError) {
            guard let token = try IntrospectedToken.read(Array(answer.utf8)) else { return "inactive" }
            return try token.withClaims(meeting: Self.policy, now: Self.now) { _ in "active" }
        } catch {
            return error.code.name
        }
    }

    @Test(
        arguments: [
            ([:], "active"), (["active": false], "inactive"), (["active": nil], "missing_claim"), (["active": "true"], "invalid_claim"),
            (["aud": "other"], "audience_mismatch"), (["exp": 1_600_000_000], "expired"), (["exp": nil], "active"),
            (["iss": nil], "missing_claim"), (["scope": "orders"], "active"),
        ] as [([String: (any Encodable & Sendable)?], String)])
    func aMemberIsReplacedOrTakenAway(members: [String: (any Encodable & Sendable)?], expected: String) throws {
        #expect(outcome(try issuer.introspection(members.mapValues { $0 })) == expected)
    }

    /// The member `token_introspection` of a signed answer, or the name of the code.
    private func signed(_ token: String) -> String {
        var policy = ClaimsPolicy(issuer: "https://idp.example", audience: "orders")
        policy.types = ["token-introspection+jwt"]
        policy.requiresExpiration = false
        do throws(VerificationError) {
            let verified = try TokenVerifier(keys: issuer.keySet, policy: policy).verify(token, now: Self.now)
            return String(decoding: try JSONTree(parsing: verified.payload).members?["token_introspection"]?.json ?? [], as: UTF8.self)
        } catch {
            return error.code.name
        }
    }

    @Test func anAnswerIsSigned() throws {
        let answer = try issuer.introspection(["scope": "orders"])
        #expect(signed(try issuer.introspectionToken(answer, audience: "orders")) == answer)
        #expect(signed(try issuer.introspectionToken(nil, audience: "orders")) == "")
        #expect(signed(try issuer.introspectionToken(answer, audience: "others")) == "audience_mismatch")
        #expect(signed(try issuer.introspectionToken(answer, audience: "orders", type: "JWT")) == "type_mismatch")
        #expect(signed(try issuer.introspectionToken(answer, audience: "orders", claims: ["iss": nil])) == "missing_claim")
        #expect(throws: TestKeyError.notAnObject) { try issuer.introspectionToken("[]", audience: "orders") }
        #expect(throws: TestKeyError.unknownKey) { try issuer.introspectionToken(answer, audience: "orders", keyID: "key-9") }
        try issuer.rotate()
        issuer.remove("key-1")
        #expect(signed(try issuer.introspectionToken(answer, audience: "orders", keyID: "key-1")) == "unknown_key")
    }
}
