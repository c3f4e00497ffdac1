#if HTTP
import HTTPGuard
import JWKSCache
import JWKSHTTP
import LoopbackServer
import Testing

/// Tunnels through a real proxy to a real server.
@Suite struct ProxyTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority.shared.get() }

    @Test func tunnelLeadsToAServerThatOnlyTheProxyKnows() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let proxy = try Self.tunnel(to: server.port)
        #expect(
            try await transport(Proxy(host: "127.0.0.1", port: proxy.port)).outcome("https://idp.example/")
                == .answer(200, TLSServer.answer))
        #expect(proxy.requests.map { "\($0.method) \($0.target)" } == ["CONNECT idp.example:443"])
        #expect(server.requests == 1)
    }

    @Test func credentialsGoToTheProxy() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let proxy = try Self.tunnel(to: server.port)
        let credentials = Proxy.Credentials(user: "u", password: "p")
        _ = try await transport(Proxy(host: "localhost", port: proxy.port, credentials: credentials)).fetch(
            DocumentRequest(url: "https://idp.example/"))
        #expect(proxy.requests.first?.field("Proxy-Authorization") == "Basic dTpw")
    }

    @Test func certificateIsVerifiedThroughATunnel() async throws {
        let server = try await TLSServer(certificate: "other-host", authority)
        let proxy = try Self.tunnel(to: server.port)
        #expect(try await transport(Proxy(host: "127.0.0.1", port: proxy.port)).outcome("https://idp.example/") == .failure(.tls))
        #expect(server.requests == 0)
    }

    @Test func pinIsCheckedThroughATunnel() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let proxy = try Self.tunnel(to: server.port)
        var configuration = configuration(Proxy(host: "127.0.0.1", port: proxy.port))
        configuration.pins = [try PublicKeyPin(authority.pin("client"))]
        #expect(try await HTTPTransport(configuration).outcome("https://idp.example/") == .failure(.pinMismatch))
        #expect(server.requests == 0)
    }

    @Test(arguments: [403, 407, 500, 502]) func refusedTunnelIsAConnectionFailure(_ status: Int) async throws {
        let proxy = try LoopbackServer { _ in .status(status) }
        #expect(try await transport(Proxy(host: "127.0.0.1", port: proxy.port)).outcome("https://idp.example/") == .failure(.connection))
    }

    @Test func proxyThatHangsIsGivenUp() async throws {
        let proxy = try LoopbackServer { _ in .hang }
        var configuration = configuration(Proxy(host: "127.0.0.1", port: proxy.port))
        configuration.limits = .impatient
        #expect(try await HTTPTransport(configuration).outcome("https://idp.example/") == .failure(.timedOut))
    }

    @Test func proxyAtAForbiddenAddressIsNotDialled() async throws {
        let proxy = try Self.tunnel(to: 1)
        var configuration = configuration(Proxy(host: "127.0.0.1", port: proxy.port))
        configuration.addresses = AddressPolicy()
        #expect(try await HTTPTransport(configuration).outcome("https://idp.example/") == .failure(.forbiddenAddress))
        #expect(proxy.connections == 0)
    }

    @Test(arguments: [
        ("https://169.254.169.254/", FetchFailure.Reason.forbiddenAddress), ("https://0xa9fea9fe/", .forbiddenAddress),
        ("https://[::ffff:10.0.0.1]/", .forbiddenAddress), ("https://1.1.1.1/", .invalidURL),
    ])
    func addressIsNotReachedThroughATunnel(_ url: String, reason: FetchFailure.Reason) async throws {
        let proxy = try Self.tunnel(to: 1)
        #expect(try await transport(Proxy(host: "127.0.0.1", port: proxy.port)).outcome(url) == .failure(reason))
        #expect(proxy.connections == 0)
    }

    @Test func loopbackHTTPPassesTheProxyBy() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let proxy = try Self.tunnel(to: 1)
        var configuration = configuration(Proxy(host: "127.0.0.1", port: proxy.port))
        configuration.allowsLoopbackHTTP = true
        #expect(try await HTTPTransport(configuration).outcome(server.url()) == .answer(200, "{}"))
        #expect(proxy.connections == 0)
    }

    /// A proxy whose every tunnel ends at one port of this machine.
    private static func tunnel(to port: UInt16) throws -> LoopbackServer {
        try LoopbackServer { $0.method == "CONNECT" ? Answer([.send(Answer.head(200, [])), .tunnel(port)]) : .status(405) }
    }

    private func configuration(_ proxy: Proxy) -> GuardedClient.Configuration {
        GuardedClient.Configuration(
            limits: .patient, addresses: AddressPolicy(allowsLoopback: true), trustRoots: .only(authority.root), proxy: proxy)
    }

    private func transport(_ proxy: Proxy) throws -> HTTPTransport { try HTTPTransport(configuration(proxy)) }
}
#endif
