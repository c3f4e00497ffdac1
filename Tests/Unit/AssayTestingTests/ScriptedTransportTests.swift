import AssayTesting
import JWKSCache
import JWTCore
import Testing

@Suite struct ScriptedTransportTests {
    @Test func itServesSeveralIssuers() async throws {
        let first = try TestIssuer("https://one.example"), second = try TestIssuer("https://two.example/tenant")
        let issuers = [first, second].map { issuer in
            IssuerConfiguration(issuer.identifier, policy: .idToken(issuer: issuer.identifier, clientID: "client-1"))
        }
        let transport = ScriptedTransport(serving: first, second)
        let verifier = RefreshingVerifier(TrustedIssuers(issuers, transport: transport, clock: ManualClock()))
        for issuer in [first, second] {
            #expect(try await verifier.verify(issuer.idToken()).issuer == issuer.identifier)
        }
        #expect(transport.requests.map(\.url) == [first.metadataURL, first.keysURL, second.metadataURL, second.keysURL])
        let stolen = try first.idToken(["iss": second.identifier])
        await #expect(throws: VerificationError.self) { try await verifier.verify(stolen) }
    }

    @Test func aScriptedAnswerComesBeforeTheIssuers() async throws {
        let issuer = try TestIssuer()
        let transport = ScriptedTransport(serving: issuer)
        let request = OutgoingRequest(document: issuer.keysURL)
        #expect(try await transport.fetch(request).status == 200)
        transport.answer(issuer.keysURL, status: 503)
        #expect(try await transport.fetch(request).status == 503)
        transport.answer(issuer.keysURL, .failure(RequestFailure(.timedOut)))
        await #expect(throws: RequestFailure(.timedOut)) { try await transport.fetch(request) }
        await #expect(throws: RequestFailure.self) { try await transport.fetch(OutgoingRequest(document: "https://other.example/jwks")) }
        #expect(transport.requests.count == 4)
    }

    @Test func anUnchangedSetIsNotSentAgain() async throws {
        let issuer = try TestIssuer()
        let response = try await issuer.fetch(OutgoingRequest(document: issuer.keysURL))
        let again = OutgoingRequest(document: issuer.keysURL, entityTag: response.field("ETag"))
        #expect(try await issuer.fetch(again).status == 304)
        try issuer.rotate()
        #expect(try await issuer.fetch(again).status == 200)
        #expect(try await issuer.fetch(OutgoingRequest(document: issuer.identifier + "/other")).status == 404)
    }
}
