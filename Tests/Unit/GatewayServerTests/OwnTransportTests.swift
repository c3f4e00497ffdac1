import AssayTesting
import Foundation
import GatewayServer
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import TLSTestSupport
import Testing

/// Keys fetched by a provider's own transport, from real servers.
@Suite struct OwnTransportTests {
    private let authority: TestAuthority
    private let folder: TemporaryFolder

    init() throws {
        authority = try TestAuthority.shared.get()
        folder = try TemporaryFolder()
        for name in ["root.pem", "self-signed.pem", "client.pem", "client.key"] { try copy(name, as: name) }
    }

    private func copy(_ file: String, as name: String) throws {
        _ = try folder.write(name, String(decoding: authority.bytes(file), as: UTF8.self))
    }

    /// The sample with its keys at `url`, fetched when a token first needs them.
    private static func sample(_ url: String, _ settings: String) -> String {
        SampleConfiguration.replacing("url: https://idp.example/jwks", with: "url: \(url)").replacing(
            "audiences: [client-1]",
            with: """
                audiences: [client-1]
                    required: false
                    transport: {onlyTheseAuthorities: true, allowLoopback: true, timeoutSeconds: 60, \(settings)}
                """)
    }

    /// Runs `body` with a service whose own transport has these settings, and with a server of its keys.
    private func with(
        _ settings: String, _ server: TLSServer, url: String? = nil, _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let text = Self.sample(url ?? server.url(), settings)
        try await RunningGateway.with(text, folder: folder, usesHTTP: true, publishes: false) { gateway async throws in
            server.answer("{\"keys\":[\(gateway.forge.jwk)]}")
            try await body(gateway)
        }
    }

    /// Why a token of the issuer is refused for want of its keys; nil if it is admitted.
    private func failure(_ gateway: RunningGateway, _ token: String? = nil) async throws -> String? {
        let token = token ?? gateway.forge.token()
        for _ in 0..<20 {
            gateway.clock.advance(by: .seconds(60))
            if try await gateway.ask(bearing: token)?.status == 200 { return nil }
            let line = gateway.log.all.last { $0.contains("keys were not fetched") } ?? ""
            let code = try #require(line.firstMatch(of: /"code":"(?<code>[a-z_]+)"/)).code
            // A busy machine takes more than the second that a connection has.
            if code != "fetch_timed_out" { return String(code) }
        }
        return "fetch_timed_out"
    }

    @Test(arguments: [("root.pem", nil), ("self-signed.pem", "fetch_tls")] as [(String, String?)])
    func theIssuersOwnAuthorityIsTrusted(_ file: String, code: String?) async throws {
        let server = try await TLSServer(certificate: "good", authority)
        try await with("authorities: \(file)", server) { gateway async throws in #expect(try await failure(gateway) == code) }
        #expect(server.requests == (code == nil ? 1 : 0))
    }

    @Test(
        arguments: [(", clientCertificate: {certificate: client.pem, privateKey: client.key}", nil), ("", "fetch_tls")]
            as [(String, String?)])
    func aServerMayWantACertificate(_ settings: String, code: String?) async throws {
        let server = try await TLSServer(certificate: "good", authority, wantsCertificate: true)
        try await with("authorities: root.pem\(settings)", server) { gateway async throws in #expect(try await failure(gateway) == code) }
        #expect(server.requests == (code == nil ? 1 : 0))
    }

    /// Each token under an unknown key causes a fetch.
    @Test func aTokenThatIsReplacedCountsAtTheNextFetch() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        _ = try folder.write("token", "hunter-1\n")
        try await with("authorities: root.pem, bearerTokenFile: token", server) { gateway async throws in
            #expect(try await failure(gateway) == nil)
            _ = try folder.write("token", "hunter-2\n")
            for _ in 0..<20 where server.requests < 2 {
                gateway.clock.advance(by: .seconds(60))
                _ = try await gateway.ask(bearing: TokenForge(.es256, keyID: "second").token())
            }
            #expect(server.authorizations == ["Bearer hunter-1", "Bearer hunter-2"])

            try FileManager.default.removeItem(atPath: folder.path + "/token")
            #expect(try await failure(gateway, TokenForge(.es256, keyID: "third").token()) == "fetch_unreadable_credential")
            #expect(server.requests == 2)
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
            #expect(gateway.log.text.contains("\(folder.path)/token is not there") && !gateway.log.text.contains("hunter"))
        }
    }

    /// Tenants of one provider are reached alike.
    @Test func everyTenantHasTheTransportOfItsProvider() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        _ = try folder.write("token", "hunter")
        let text = Self.sample(server.url() + "/{tenant}", "authorities: root.pem, bearerTokenFile: token")
            .replacing("issuer: https://idp.example", with: "issuer: https://idp.example/{tenant}\n    tenants: [red, blue]")
        try await RunningGateway.with(text, folder: folder, usesHTTP: true, publishes: false) { gateway async throws in
            server.answer("{\"keys\":[\(gateway.forge.jwk)]}")
            for tenant in ["blue", "red"] {
                let token = gateway.forge.token(TokenForge.idToken.replacing("https://idp.example", with: "https://idp.example/\(tenant)"))
                #expect(try await failure(gateway, token) == nil)
            }
        }
        #expect(server.authorizations == ["Bearer hunter", "Bearer hunter"])
    }

    /// The metadata says where the keys are, and another origin gets no token.
    @Test func onlyTheOriginOfTheConfiguredSourceGetsTheToken() async throws {
        let keys = try await TLSServer(certificate: "good", authority), server = try await TLSServer(certificate: "good", authority)
        let issuer = "https://127.0.0.1:\(server.port)"
        server.answer("{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(keys.url())\"}")
        _ = try folder.write("token", "hunter")
        let text = Self.sample("", "authorities: root.pem, bearerTokenFile: token").replacing("    keys:\n      url: \n", with: "")
            .replacing("issuer: https://idp.example", with: "issuer: \(issuer)")
        try await RunningGateway.with(text, folder: folder, usesHTTP: true, publishes: false) { gateway async throws in
            keys.answer("{\"keys\":[\(gateway.forge.jwk)]}")
            let token = gateway.forge.token(TokenForge.idToken.replacing("https://idp.example", with: issuer))
            #expect(try await failure(gateway, token) == nil)
        }
        #expect(server.authorizations == ["Bearer hunter"] && keys.authorizations == [nil])
    }

    @Test func keysComeThroughAProxy() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let proxy = try LoopbackServer {
            $0.method == "CONNECT" ? LoopbackAnswer([.send(LoopbackAnswer.head(200, [])), .tunnel(server.port)]) : .status(405)
        }
        _ = try folder.write("password", "hunter\n")
        let settings = "authorities: root.pem, proxy: {host: 127.0.0.1, port: \(proxy.port), user: gw, passwordFile: password}"
        try await with(settings, server, url: "https://idp.example/jwks") { gateway async throws in
            #expect(try await failure(gateway) == nil)
            #expect(!gateway.log.text.contains("hunter"))
        }
        #expect(proxy.requests.map { "\($0.method) \($0.target)" } == ["CONNECT idp.example:443"])
        #expect(proxy.requests.first?.field("Proxy-Authorization") == "Basic Z3c6aHVudGVy")
        #expect(server.requests == 1)
    }

    /// A changed file counts at a reload, and the issuer keeps its keys.
    @Test func certificatesAreReadAgainAtAReload() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        try copy("self-signed.pem", as: "authority.pem")
        try await with("authorities: authority.pem", server) { gateway async throws in
            #expect(try await failure(gateway) == "fetch_tls")
            try copy("root.pem", as: "authority.pem")
            #expect(try await failure(gateway) == "fetch_tls")
            gateway.server.reloadConfiguration()
            #expect(try await failure(gateway) == nil)

            _ = try folder.write("authority.pem", "no PEM")
            gateway.server.reloadConfiguration()
            #expect(gateway.log.all.contains { $0.contains("not reloaded") && $0.contains("`providers[1].transport`: trust roots") })
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
        }
        #expect(server.requests == 1)
    }

    // By a scripted transport: which issuers fetch anew.

    private static let second = """
          - name: b
            issuer: https://b.example
            audiences: [b]
            keys: {url: "https://b.example/jwks"}
            transport: {timeoutSeconds: 5}
        policies:
          - name: b
            requires: b

        """

    @Test(arguments: [
        ("timeoutSeconds: 5", 1), ("timeoutSeconds: 6", 2), ("bearerTokenFile: /no/such", 2), ("allowPrivateAddresses: true", 2),
    ])
    func aReloadThatChangesATransportFetchesThoseKeysAnew(_ settings: String, count: Int) async throws {
        let transport = ScriptedTransport()
        transport.answer("https://b.example/jwks", KeyPool.set(0))
        let text = SampleConfiguration.replacing("policies:\n", with: Self.second)
        @Sendable func requests(_ issuer: String) -> Int { transport.requests.count { $0.url == "https://\(issuer).example/jwks" } }
        try await RunningGateway.with(text, transport: transport) { gateway async throws in
            #expect(await settles { requests("b") == 1 })
            _ = try gateway.folder.write("gateway.yaml", text.replacing("timeoutSeconds: 5", with: settings))
            gateway.server.reloadConfiguration()
            #expect(await settles { requests("b") == count })
            #expect(requests("idp") == 1)
            #expect(try #require(try await gateway.operate("/status.json")).body.contains("\"restartNeeded\":[]"))
        }
    }
}
