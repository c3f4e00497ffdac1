import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Signed answers of an introspection endpoint (RFC 9701), and endpoints that the issuer's metadata names.
struct SignedIntrospectionTests {
    private static let type = "token-introspection+jwt"

    private static func payload(
        issuer: String = "https://a.example", audience: String = "gateway", iat: Int = 1_700_000_100, _ more: String? = nil
    ) -> String {
        let answer = more ?? #","token_introspection":\#(IntrospectionScene.active())"#
        return #"{"iss":"\#(issuer)","aud":"\#(audience)","iat":\#(iat)\#(answer)}"#
    }

    private static func signed(_ payload: String = payload(), by forge: Int = 0, type: String? = type) -> String {
        KeyPool.forges[forge].token(payload, type: type)
    }

    private func scene(_ answer: String) async throws -> IntrospectionScene {
        let test = try await IntrospectionScene(answering: nil, terms: { $0.isSigned = true })
        test.answer(answer, type: "application/token-introspection+jwt")
        return test
    }

    @Test func aSignedAnswerOfTheIssuerCounts() async throws {
        let test = try await scene(Self.signed())
        #expect(await test.verdict() == "allowed")
        #expect(test.questions.first?.first("Accept") == "application/token-introspection+jwt")
    }

    @Test func aSignedAnswerMaySayThatATokenIsNotActive() async throws {
        let test = try await scene(Self.signed(Self.payload(#","token_introspection":{"active":false}"#)))
        #expect(await test.verdict() == "401 inactive_token")
    }

    /// Each row: an answer that is not accepted, and why.
    @Test(arguments: [
        (signed(by: 1), "unknown_key"), (forged, "signature_invalid"),
        (signed(type: "JWT"), "type_mismatch"), (signed(type: nil), "type_mismatch"), (signed(type: "at+jwt"), "type_mismatch"),
        (signed(payload(audience: "another-client")), "audience_mismatch"),
        (signed(payload(issuer: "https://b.example")), "issuer_mismatch"),
        (signed(payload(iat: 1_700_000_029)), "too_old"), (signed(payload(iat: 1_700_000_161)), "issued_in_future"),
        (signed(payload(#","active":true"#)), "missing_claim"), (signed(payload(#","token_introspection":true"#)), "invalid_claim"),
        (signed(payload(#","token_introspection":"{\"active\":true}""#)), "invalid_claim"),
        (signed(payload(#","token_introspection":{}"#)), "missing_claim"),
        (signed(payload(#","token_introspection":{"active":"true"}"#)), "invalid_claim"),
        (signed(payload(#","token_introspection":{"active":true,"active":true}"#)), "duplicate_member"),
        (IntrospectionScene.active(), "malformed_token"), (IntrospectionScene.inactive, "malformed_token"), ("", "malformed_token"),
    ])
    func anotherAnswerIsRefused(answer: String, code: String) async throws {
        let test = try await scene(answer)
        #expect(await test.verdict() == "503 invalid_introspection")
        #expect(test.status?.lastFailure == code)
    }

    /// The signature of one answer under another one.
    private static let forged: String = {
        let inactive = signed(payload(#","token_introspection":{"active":false}"#)).split(separator: ".")
        let active = signed().split(separator: ".")
        return "\(active[0]).\(active[1]).\(inactive[2])"
    }()

    @Test func anAnswerThatWasKeptIsRefusedLater() async throws {
        let test = try await scene(Self.signed())
        #expect(await test.verdict() == "allowed")
        test.scene.clock.advance(by: .seconds(70))
        #expect(await test.verdict() == "503 invalid_introspection" && test.status?.lastFailure == "too_old")
    }

    @Test func withoutKeysASignedAnswerIsAnOutage() async throws {
        let test = try await IntrospectionScene(
            answering: nil,
            {
                $0.providers[0].issuer.source = .jwks(url: "https://a.example/none")
                $0.providers[0].issuer.isRequired = false
            }, terms: { $0.isSigned = true })
        test.answer(Self.signed(), type: "application/token-introspection+jwt")
        #expect(test.verdictNow() == "503 introspection_unavailable")
    }

    // Metadata

    private static let metadata = "https://a.example/.well-known/openid-configuration"
    private static let otherMetadata = "https://a.example/.well-known/oauth-authorization-server"

    private static func metadata(_ endpoint: String = IntrospectionScene.endpoint, issuer: String = "https://a.example") -> String {
        #"{"issuer":"\#(issuer)","introspection_endpoint":"\#(endpoint)"}"#
    }

    @Test(arguments: [metadata, otherMetadata])
    func theMetadataNamesTheEndpoint(url: String) async throws {
        let test = try await IntrospectionScene(terms: { $0.endpoint = nil })
        test.scene.transport.answer(url, Self.metadata())
        for token in ["one", "two", "three"] { #expect(await test.verdict(token) == "allowed") }
        #expect(test.scene.transport.requests.filter { $0.url == url }.count == 1)
        // After an hour it is read again.
        test.scene.clock.advance(by: .seconds(3_600))
        test.answer(IntrospectionScene.active(exp: 1_700_009_000))
        #expect(await test.verdict("four") == "allowed")
        #expect(test.scene.transport.requests.filter { $0.url == url }.count == 2)
    }

    @Test(arguments: [
        "", "{}", metadata("http://a.example/introspect"), metadata("http://127.0.0.1/introspect"), metadata("https://user@a.example/i"),
        metadata(issuer: "https://b.example"), metadata(""), #"{"issuer":"https://a.example","introspection_endpoint":1}"#,
        #"{"issuer":"https://a.example","introspection_endpoint":"https://a.example/introspect","issuer":"https://a.example"}"#,
    ])
    func metadataWithoutAnEndpointAreAnOutage(document: String) async throws {
        let test = try await IntrospectionScene(terms: { $0.endpoint = nil })
        test.scene.transport.answer(Self.metadata, document)
        #expect(await test.verdict() == "503 introspection_unavailable")
        #expect(test.status?.lastFailure == "no_endpoint" && test.questions.isEmpty)
        test.scene.transport.answer(Self.metadata, Self.metadata())
        test.scene.clock.advance(by: .seconds(1))
        #expect(await test.verdict() == "allowed")
    }
}
