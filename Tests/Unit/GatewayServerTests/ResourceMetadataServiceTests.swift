import Foundation
import Gateway
import GatewayServer
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// A service with a listener for the metadata of protected resources.
struct ResourceMetadataServiceTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").standardized
    private static let path = "/.well-known/oauth-protected-resource/orders"
    private static let text = SampleConfiguration.text
        .replacing("administration:\n", with: "  - profile: resource-metadata\n    tcp: 127.0.0.1:0\nadministration:\n")
        .replacing("    audiences: [client-1]\n", with: "")
        .replacing("    realm: api\n", with: "    resource: https://api.example/orders\n    scopes: [orders.read]\n")
        .replacing("policies:\n", with: "resources:\n  - resource: https://api.example/orders\n    displayName: Orders\npolicies:\n")

    private static func ask(
        _ gateway: RunningGateway, _ path: String = path, host: String = "api.example", method: String = "GET", body: String = ""
    ) async throws -> GatewayClient.Answer {
        let place = try #require(gateway.ready.listeners["resource-metadata"]?.first)
        let request = GatewayClient.request(method, path, host: host, ["Connection: close"], body: body)
        return try #require(try await GatewayClient.exchange(place, request))
    }

    @Test
    func theDocumentIsServedToEveryone() async throws {
        try await RunningGateway.with(Self.text) { gateway async throws in
            let answer = try await Self.ask(gateway)
            #expect(answer.status == 200 && answer.field("content-type") == "application/json")
            #expect(answer.field("cache-control") == "max-age=300" && answer.field("access-control-allow-origin") == "*")
            let document = try JSONTree(parsing: Array(answer.body.utf8))
            #expect(document["resource"] == .string("https://api.example/orders") && document["resource_name"] == .string("Orders"))
            #expect(document["authorization_servers"] == .array([.string("https://idp.example")]))
            #expect(document["scopes_supported"] == .array([.string("orders.read")]))
            let challenge = try await gateway.ask([])?.field("www-authenticate")
            #expect(challenge == "Bearer scope=\"orders.read\", resource_metadata=\"https://api.example\(Self.path)\"")
            let metrics = try #require(try await gateway.operate("/metrics")).body
            #expect(metrics.contains("assay_gateway_answers_total{listener=\"resource-metadata\",status=\"200\"} 1\n"))
        }
    }

    @Test
    func everythingElseHasNoAnswerThere() async throws {
        try await RunningGateway.with(Self.text) { gateway async throws in
            for (host, path, status) in [
                ("api.example", Self.path + "?x=1", 200), ("API.EXAMPLE:443", Self.path, 200), ("evil.example", Self.path, 404),
                ("api.example:8443", Self.path, 404), ("api.example", "/", 404), ("api.example", Self.path + "/", 404),
                ("api.example", "/.well-known//oauth-protected-resource/orders", 404), ("api.example", Self.path + "/../orders", 404),
                ("api.example", "/.well-known/oauth-protected-resource/%6frders", 404), ("api.example", "/decide", 404),
                ("api.example", "http://api.example" + Self.path, 200), ("api.example", "http://evil.example" + Self.path, 400),
                ("evil.example", "http://api.example" + Self.path, 400),
            ] {
                #expect(try await Self.ask(gateway, path, host: host).status == status, "\(host) \(path)")
            }
        }
    }

    @Test
    func otherMethodsReadNothing() async throws {
        try await RunningGateway.with(Self.text) { gateway async throws in
            let whole = try await Self.ask(gateway), head = try await Self.ask(gateway, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty && head.field("content-length") == "\(whole.body.utf8.count)")
            let posted = try await Self.ask(gateway, method: "POST", body: "{}")
            #expect(posted.status == 405 && posted.field("allow") == "GET, HEAD, OPTIONS" && posted.body.isEmpty)
            let preflight = try await Self.ask(gateway, method: "OPTIONS")
            #expect(preflight.status == 204 && preflight.field("access-control-allow-headers") == "*")
            #expect(try await Self.ask(gateway, host: "evil.example", method: "OPTIONS").status == 404)
        }
    }

    @Test
    func aReloadServesOtherMetadata() async throws {
        try await RunningGateway.with(Self.text) { gateway async throws in
            _ = try gateway.folder.write("gateway.yaml", Self.text.replacing("displayName: Orders", with: "displayName: Purchases"))
            gateway.server.reloadConfiguration()
            #expect(try await Self.ask(gateway).body.contains("\"resource_name\":\"Purchases\""))
        }
    }

    /// `signed_metadata` is made at the start and after each reload, at the time of the service.
    @Test
    func aKeyFileSigns() async throws {
        let folder = try TemporaryFolder(), key = try #require(SigningKey.generate(.es256))
        let document = try #require(key.privateDocument)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        #expect(FileManager.default.createFile(atPath: folder.path + "/key.der", contents: Data(document), attributes: attributes))
        let signed = Self.text.replacing(
            "    displayName: Orders\n",
            with:
                "    displayName: Orders\n    signedMetadata: {keyFile: key.der, algorithm: ES256, issuer: \"https://operator.example\"}\n")
        try await RunningGateway.with(signed, folder: folder) { gateway async throws in
            var policy = ClaimsPolicy()
            policy.issuers = ["https://operator.example"]
            policy.requiresExpiration = false
            let verifier = TokenVerifier(keys: try KeySet(document: try #require(key.publicJWK)), policy: policy)
            var times: [Int64] = []
            for _ in 0..<2 {
                let token = try #require(try JSONTree(parsing: Array(try await Self.ask(gateway).body.utf8))["signed_metadata"]?.text)
                let claims = try JSONTree(parsing: try verifier.verify(token).payload)
                #expect(claims["resource"] == .string("https://api.example/orders") && claims["resource_name"] == .string("Orders"))
                times.append(try #require(claims["iat"]?.integer))
                gateway.clock.advance(by: .seconds(10))
                gateway.server.reloadConfiguration()
            }
            #expect(times[1] == times[0] + 10)
        }
    }

    @Test
    func anIncludedFileMayHaveItsOwnResource() throws {
        let folder = try TemporaryFolder()
        let main = Self.text.replacing("listeners:\n", with: "include: [users.yaml]\nlisteners:\n", maxReplacements: 1)
        _ = try folder.write(
            "users.yaml",
            """
            resources: [{resource: "https://api.example/users"}]
            providers: [{name: own, issuer: "https://own.example"}]
            policies: [{name: users, requires: own, resource: "https://api.example/users"}]
            routes: []

            """)
        let configuration = try ServiceConfiguration(file: try folder.write("gateway.yaml", main))
        #expect(configuration.decisions.resources.map(\.identifier) == ["https://api.example/orders", "https://api.example/users"])
        #expect(configuration.decisions.providers[1].issuer.policy.audiences == ["https://api.example/users"])
    }

    @Test
    func settingsWithoutUseAreFound() throws {
        func remarks(_ text: String) throws -> [String] { try ServiceConfiguration(yaml: text).remarks.map(\.description) }
        #expect(try remarks(Self.text) == [])
        let unserved = Self.text.replacing("  - profile: resource-metadata\n    tcp: 127.0.0.1:0\n", with: "")
        #expect(try remarks(unserved).contains { $0.contains("no listener has the profile `resource-metadata`") })
        let empty = SampleConfiguration.text.replacing(
            "administration:\n", with: "  - profile: resource-metadata\n    tcp: 127.0.0.1:0\nadministration:\n")
        #expect(try remarks(empty).contains { $0.contains("there are no `resources`") })
        #expect(throws: (any Error).self) {
            try remarks(Self.text.replacing("profile: resource-metadata", with: "profile: resource-metadata\n    pathPrefix: /x"))
        }
    }

    /// The example of Docs/ProtectedResources.md is a configuration without remarks, and its metadata is what the page says.
    @Test
    func thePageIsRight() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("Docs/ProtectedResources.md"), encoding: .utf8)
        func block(_ language: String) throws -> String {
            let start = try #require(page.firstRange(of: "```\(language)\n")), rest = page[start.upperBound...]
            return String(rest[..<(try #require(rest.firstRange(of: "```"))).lowerBound])
        }
        let configuration = try ServiceConfiguration(yaml: try block("yaml"))
        #expect(configuration.remarks.map(\.description) == [])
        #expect(configuration.decisions.providers[0].issuer.policy.audiences == ["https://api.example/orders"])
        let core = try DecisionCore(configuration.decisions, transport: ScriptedTransport())
        let document = try #require(core.resourceMetadata(authority: "api.example", target: Self.path))
        #expect(try JSONTree(parsing: document) == JSONTree(parsing: Array(try block("json").utf8)))
    }
}
