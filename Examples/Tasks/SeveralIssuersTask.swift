// id_tokens of several issuers, each with its own keys and client, for one login.

import AssayTesting
import JWKSCache
import JWTCore
import Testing

struct SeveralLogins {
    private let verifier: RefreshingVerifier

    /// - Parameter clients: the client's id at each issuer.
    init(clients: [String: String], transport: any DocumentTransport, clock: any ElapsedClock = SystemElapsedClock()) {
        let issuers = clients.map { IssuerConfiguration($0, policy: .idToken(issuer: $0, clientID: $1)) }
        verifier = RefreshingVerifier(TrustedIssuers(issuers, transport: transport, clock: clock))
    }

    func user(idToken: String, nonce: String) async throws -> (issuer: String?, subject: String?) {
        let token = try await verifier.expecting(nonce: nonce).verify(idToken)
        return (token.issuer, token.subject)
    }
}

@Suite struct SeveralIssuersTask {
    @Test func eachIssuerHasItsOwnKeys() async throws {
        let issuers = [try TestIssuer("https://one.example"), try TestIssuer("https://two.example")]
        let transport = ScriptedTransport(serving: issuers[0], issuers[1])
        let clients = ["https://one.example": "client-1", "https://two.example": "client-2"]
        let logins = SeveralLogins(clients: clients, transport: transport, clock: ManualClock())
        let tokens = [try issuers[0].idToken(["nonce": "n-1"]), try issuers[1].idToken(["nonce": "n-1", "aud": "client-2"])]
        for (token, issuer) in zip(tokens, issuers) {
            #expect(try await logins.user(idToken: token, nonce: "n-1").issuer == issuer.identifier)
            await #expect(throws: VerificationError.self) { try await logins.user(idToken: token, nonce: "n-2") }
        }
        let forged = try issuers[0].idToken(["iss": "https://two.example", "aud": "client-2", "nonce": "n-1"])
        await #expect(throws: VerificationError.self) { try await logins.user(idToken: forged, nonce: "n-1") }
    }
}
