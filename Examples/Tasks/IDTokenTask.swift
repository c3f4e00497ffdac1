// An id_token of one login over remote keys: nonce and at_hash.

import AssayTesting
import JWKSCache
import JWTCore
import Testing

struct Login {
    private let verifier: RefreshingVerifier

    init(issuer: String, clientID: String, transport: any DocumentTransport, clock: any ElapsedClock = SystemElapsedClock()) {
        let keys = RemoteKeySet(.issuer(issuer), transport: transport, clock: clock)
        verifier = RefreshingVerifier(keys: keys, policy: .idToken(issuer: issuer, clientID: clientID))
    }

    func user(idToken: String, nonce: String, accessToken: String) async throws -> String? {
        let login = verifier.expecting(nonce: nonce).expecting(accessToken: accessToken)
        return try await login.verify(idToken).subject
    }
}

@Suite struct IDTokenTask {
    @Test func onlyTheTokenOfThisLoginIsAccepted() async throws {
        let issuer = try TestIssuer()
        let login = Login(issuer: issuer.identifier, clientID: "client-1", transport: issuer, clock: ManualClock())
        let accessToken = try issuer.accessToken()
        let idToken = try issuer.idToken(["nonce": "n-1"], accessToken: accessToken)
        #expect(try await login.user(idToken: idToken, nonce: "n-1", accessToken: accessToken) == "jane")
        for (nonce, other) in [("n-2", accessToken), ("n-1", try issuer.accessToken())] {
            await #expect(throws: VerificationError.self) { try await login.user(idToken: idToken, nonce: nonce, accessToken: other) }
        }
    }
}
