import AssayTesting
import HTTPGuard
import JWKSCache
import TLSTestSupport
import Testing

/// Tunnels through a real proxy to a real server.
@Suite struct ProxyTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority.shared.get() }

    @Test func tunnelLeadsToAServerThatOnlyTheProxyKnows() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let proxy = try Self.tunnel(to: server.port)
        #expect(try await outcome(through: proxy) == .answer(200, TLSServer.answer))
        #expect(proxy.requests.map { "\($0.method) \($0.target)" } == ["CONNECT idp.example:443"])
        #expect(server.requests == 1)
    }

    @Test func credentialsGoToTheProxy() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let proxy = try Self.tunnel(to: server.port)
        let credentials = Proxy.Credentials(user: "u", password: "p")
        let named = try await outcome(through: proxy) { $0.proxy = Proxy(host: "localhost", port: proxy.port, credentials: credentials) }
        #expect(named == .answer(200, TLSServer.answer))
        #expect(proxy.requests.first?.field("Proxy-Authorization") == "Basic dTpw")
    }

    @Test func certificateIsVerifiedThroughATunnel() async throws {
        let server = try await TLSServer(certificate: "other-host", authority)
        let proxy = try Self.tunnel(to: server.port)
        #expect(try await outcome(through: proxy) == .failure(.tls))
        #expect(server.requests == 0)
    }

    @Test func pinIsCheckedThroughATunnel() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let proxy = try Self.tunnel(to: server.port)
        let pin = try PublicKeyPin(authority.pin("client"))
        #expect(try await outcome(through: proxy) { $0.pins = [pin] } == .failure(.pinMismatch))
        #expect(server.requests == 0)
    }

    @Test(arguments: [403, 407, 500, 502]) func refusedTunnelIsAConnectionFailure(_ status: Int) async throws {
        let proxy = try LoopbackServer { _ in .status(status) }
        #expect(try await outcome(through: proxy) == .failure(.proxy))
    }

    @Test func proxyThatHangsIsGivenUp() async throws {
        let proxy = try LoopbackServer { _ in .hang }
        #expect(try await outcome(through: proxy) { $0.limits = .impatient } == .failure(.timedOut))
    }

    @Test func proxyAtAForbiddenAddressIsNotDialled() async throws {
        let proxy = try Self.tunnel(to: 1)
        #expect(try await outcome(through: proxy) { $0.addresses = AddressPolicy() } == .failure(.forbiddenAddress))
        #expect(proxy.connections == 0)
    }

    @Test(arguments: [
        ("https://169.254.169.254/", RequestFailure.Reason.forbiddenAddress), ("https://0xa9fea9fe/", .forbiddenAddress),
        ("https://[::ffff:10.0.0.1]/", .forbiddenAddress), ("https://1.1.1.1/", .invalidURL),
    ])
    func addressIsNotReachedThroughATunnel(_ url: String, reason: RequestFailure.Reason) async throws {
        let proxy = try Self.tunnel(to: 1)
        #expect(try await outcome(url, through: proxy) == .failure(reason))
        #expect(proxy.connections == 0)
    }

    @Test func loopbackHTTPPassesTheProxyBy() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let proxy = try Self.tunnel(to: 1)
        #expect(try await outcome(server.url(), through: proxy) { $0.allowsLoopbackHTTP = true } == .answer(200, "{}"))
        #expect(proxy.connections == 0)
    }

    /// A proxy whose tunnels all end at one port of this machine.
    private static func tunnel(to port: UInt16) throws -> LoopbackServer {
        try LoopbackServer { $0.method == "CONNECT" ? LoopbackAnswer([.send(LoopbackAnswer.head(200, [])), .tunnel(port)]) : .status(405) }
    }

    /// The result of a fetch through the proxy, with changes to the configuration.
    private func outcome(
        _ url: String = "https://idp.example/", through proxy: LoopbackServer,
        adjust: (inout GuardedClient.Configuration) -> Void = { _ in }
    ) async throws -> Outcome {
        var configuration = GuardedClient.Configuration.trusting(authority)
        configuration.proxy = Proxy(host: "127.0.0.1", port: proxy.port)
        adjust(&configuration)
        return try await GuardedClient(configuration).outcome(url)
    }
}
