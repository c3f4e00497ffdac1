internal import AssayTesting
internal import AsyncHTTPClient
internal import AsyncHTTPClientTransport
internal import JWKSCache
internal import JWTCore
internal import Testing

struct AsyncHTTPClientTransportTests {
    @Test func aTokenIsVerifiedUnderFetchedKeys() async throws {
        try await Self.with { transport in
            let provider = try LoopbackProvider()
            let issuer = provider.issuer
            let keys = RemoteKeySet(.issuer(issuer.identifier), transport: transport)
            let policy = ClaimsPolicy.idToken(issuer: issuer.identifier, clientID: "client-1")
            let verifier = RefreshingVerifier(keys: keys, policy: policy)
            let token = try await verifier.verify(issuer.idToken())
            #expect(token.issuer == issuer.identifier)
            await #expect(throws: (any Error).self) { try await verifier.verify(issuer.idToken().dropLast(8) + "AAAAAAAA") }
        }
    }

    @Test(arguments: [
        ("http://idp.example/", RequestFailure.Reason.invalidURL), ("file:///etc/passwd", .invalidURL), ("{}/redirect", .redirect),
        ("{}/large", .tooLarge), ("{}/close", .connection),
    ])
    func whatIsNoAnswerIsAFailure(_ url: String, reason: RequestFailure.Reason) async throws {
        try await Self.with { transport in
            let server = try await AnsweringServer()
            let place = url.replacing("{}", with: "http://127.0.0.1:\(server.port)")
            do throws(RequestFailure) {
                let response = try await transport.fetch(OutgoingRequest(document: place))
                #expect(reason == .redirect && response.status == 302)
            } catch {
                #expect(error.reason == reason)
            }
            try await server.stop()
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
