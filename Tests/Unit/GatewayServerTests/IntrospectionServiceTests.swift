import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

/// A service whose issuer issues opaque tokens.
@Suite struct IntrospectionServiceTests {
    private static let endpoint = "https://idp.example/introspect"
    private static let active = #"{"active":true,"iss":"https://idp.example","aud":"client-1","exp":1700003600,"sub":"u1"}"#

    private static func answer(_ document: String, _ gateway: RunningGateway) {
        gateway.transport.answer(endpoint, document, fields: [HeaderField("Content-Type", "application/json")])
    }

    /// A sample whose provider introspects, with a secret in `folder`.
    static func introspecting(_ text: String, _ folder: TemporaryFolder) throws -> String {
        let settings = "{clientID: gw, secretFile: \"\(try folder.write("secret", "0123456789"))\", endpoint: \"\(endpoint)\"}"
        return text.replacing("audiences: [client-1]", with: "audiences: [client-1]\n    introspection: \(settings)", maxReplacements: 1)
    }

    @Test func theAuthorizationServerJudgesOpaqueTokens() async throws {
        let folder = try TemporaryFolder()
        try await RunningGateway.with(try Self.introspecting(SampleConfiguration.text, folder)) { gateway async throws in
            Self.answer(Self.active, gateway)
            for _ in 0..<3 {
                let found = try #require(try await gateway.ask(bearing: "opaque-1"))
                #expect(found.status == 200 && found.field("x-user") == "u1", "\(found)")
            }
            Self.answer(#"{"active":false}"#, gateway)
            let refused = try #require(try await gateway.ask(bearing: "opaque-2"))
            #expect(refused.status == 401 && refused.field("x-assay-code") == "inactive_token")
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            #expect(gateway.transport.requests.filter { $0.url == Self.endpoint }.count == 2)
            let metrics = try #require(try await gateway.operate("/metrics")).body
            for line in [
                "assay_gateway_introspections_total{provider=\"idp\",result=\"active\"} 1",
                "assay_gateway_introspections_total{provider=\"idp\",result=\"inactive\"} 1",
                "assay_gateway_introspections_shed_total{provider=\"idp\"} 0", "assay_gateway_introspected_tokens{provider=\"idp\"} 2",
                "assay_gateway_introspected_bytes{provider=\"idp\"} \(Self.active.utf8.count)",
                "assay_gateway_introspections_under_way{provider=\"idp\"} 0",
                "assay_gateway_decisions_total{code=\"inactive_token\",outcome=\"denied\",policy=\"api\"} 1",
            ] { #expect(metrics.contains(line + "\n"), "\(line)") }
            let status = try #require(try await gateway.operate("/status.json")).body
            #expect(status.contains("\"introspections\":[{") && !status.contains("opaque-") && !metrics.contains("opaque-"))
        }
    }
}
