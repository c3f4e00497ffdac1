import AssayTesting
import AsyncHTTPClient
import AsyncHTTPClientTransport
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

@Suite struct AsyncHTTPClientTransportTests {
    @Test func aTokenIsVerifiedUnderFetchedKeys() async throws {
        try await Self.with { transport in
            let server = try LoopbackServer { _ in .json(KeyPool.set(0)) }
            let keys = RemoteKeySet(.jwks(url: server.url("/keys")), transport: transport, loading: .lazy)
            #expect(await keys.refresh())
            #expect(TokenVerifier(keys: keys, policy: KeyPool.policy).verdict(KeyPool.token(0)) == "valid")
            #expect(server.requests.first?.field("Accept") == "application/jwk-set+json, application/json")
        }
    }

    @Test(arguments: [
        ("http://idp.example/", RequestFailure.Reason.invalidURL), ("file:///etc/passwd", .invalidURL), ("{}/redirect", .redirect),
        ("{}/large", .tooLarge), ("{}/close", .connection),
    ])
    func whatIsNoAnswerIsAFailure(_ url: String, reason: RequestFailure.Reason) async throws {
        try await Self.with { transport in
            let server = try LoopbackServer { request in
                switch request.path {
                case "/large": .status(200, body: [UInt8](repeating: 32, count: 262_145))
                case "/redirect": .redirect(to: "https://elsewhere.example/")
                default: .close
                }
            }
            let place = url.replacing("{}", with: "http://127.0.0.1:\(server.port)")
            do throws(RequestFailure) {
                let response = try await transport.fetch(OutgoingRequest(document: place))
                #expect(reason == .redirect && response.status == 302)
            } catch {
                #expect(error.reason == reason)
            }
        }
    }

    private static func with(_ body: (AsyncHTTPClientTransport) async throws -> Void) async throws {
        let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
        do { try await body(AsyncHTTPClientTransport(client, allowsLoopbackHTTP: true)) } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }
}
