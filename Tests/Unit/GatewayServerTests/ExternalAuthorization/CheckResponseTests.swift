import Gateway
import GatewayServer
import JWTCore
import Testing

@Suite struct CheckResponseTests {
    private static func header(_ number: UInt64, _ name: String, _ value: String) -> [UInt8] {
        Protobuf.bytes(number, Protobuf.bytes(1, Protobuf.text(1, name) + Protobuf.text(2, value)) + Protobuf.number(3, 2))
    }

    private static func metadata(_ entries: [(String, String)]) -> [UInt8] {
        Protobuf.bytes(4, entries.flatMap { Protobuf.bytes(1, Protobuf.text(1, $0) + Protobuf.bytes(2, Protobuf.text(3, $1))) })
    }

    @Test func anAdmissionOverwritesAndRemovesFields() {
        let admission = Admission(
            policy: "api", fields: [Field("X-User", "jane"), Field("x-empty", "")], removed: ["authorization"], provider: "idp", waived: nil
        )
        let expected =
            Protobuf.bytes(1, [])
            + Protobuf.bytes(3, Self.header(2, "x-user", "jane") + Self.header(2, "x-empty", "") + Protobuf.text(5, "authorization"))
            + Self.metadata([("policy", "api"), ("provider", "idp")])
        #expect(CheckResponse(.allowed(admission)).bytes == expected)
    }

    @Test func theNextNonceIsForTheClient() {
        let admission = Admission(policy: "api", fields: [], removed: [], provider: "idp", waived: nil, proofNonce: "n")
        let expected =
            Protobuf.bytes(1, []) + Protobuf.bytes(3, Self.header(6, "dpop-nonce", "n"))
            + Self.metadata([("policy", "api"), ("provider", "idp")])
        #expect(CheckResponse(.allowed(admission)).bytes == expected)
    }

    @Test func aWaivedRefusalIsInTheMetadataOnly() {
        let waived = Denial(policy: "api", reason: .missingToken, status: 401)
        let admission = Admission(policy: "api", fields: [], removed: [], provider: nil, waived: waived)
        let expected =
            Protobuf.bytes(1, []) + Protobuf.bytes(3, []) + Self.metadata([("policy", "api"), ("waived", "missing_token")])
        #expect(CheckResponse(.allowed(admission)).bytes == expected)
    }

    @Test func aRefusalHasStatusChallengeAndCode() {
        let denial = Denial(
            policy: "api", reason: .token(VerificationError(.keysUnavailable)), status: 503, challenge: "Bearer",
            retryAfter: .milliseconds(4_900))
        let expected =
            Protobuf.bytes(1, Protobuf.number(1, 14) + Protobuf.text(2, "keys_unavailable"))
            + Protobuf.bytes(
                2,
                Protobuf.bytes(1, Protobuf.number(1, 503)) + Self.header(2, "x-assay-code", "keys_unavailable")
                    + Self.header(2, "www-authenticate", "Bearer") + Self.header(2, "retry-after", "5"))
            + Self.metadata([("policy", "api"), ("code", "keys_unavailable")])
        #expect(CheckResponse(.denied(denial)).bytes == expected)
    }

    @Test func aBrowserIsRedirected() {
        let denial = Denial(policy: "api", reason: .missingToken, status: 302, location: "/login")
        let expected =
            Protobuf.bytes(1, Protobuf.number(1, 16) + Protobuf.text(2, "missing_token"))
            + Protobuf.bytes(
                2,
                Protobuf.bytes(1, Protobuf.number(1, 302)) + Self.header(2, "x-assay-code", "missing_token")
                    + Self.header(2, "location", "/login") + Self.header(2, "cache-control", "no-store")
                    + Self.header(2, "vary", "Accept, Sec-Fetch-Mode"))
            + Self.metadata([("policy", "api"), ("code", "missing_token")])
        #expect(CheckResponse(.denied(denial)).bytes == expected)
    }

    /// Envoy lets a request pass if the code is 0.
    @Test(arguments: [(302, UInt8(16)), (400, 3), (401, 16), (403, 7), (503, 14), (200, 7), (0, 7), (500, 7)])
    func noRefusalHasTheCodeOfAnAdmission(_ status: Int, _ code: UInt8) {
        let bytes = CheckResponse(.denied(Denial(policy: nil, reason: .noRoute, status: status))).bytes
        #expect(bytes[0..<4] == [0x0a, 12, 0x08, code])
    }
}
