// A unit test of one's own handler: no network, no waiting, no token in the repository.

import AssayTesting
import JWKSCache
import JWTCore
import Testing

struct OrdersHandler {
    let verifier: RefreshingVerifier

    func status(for token: String) async -> Int {
        do { return try await verifier.verify(token).subject == nil ? 403 : 200 } catch { return error.code.httpStatus }
    }
}

@Test func theHandlerAnswersByTheToken() async throws {
    let clock = ManualClock(date: 1_700_000_000)
    let issuer = try TestIssuer(clock: clock)
    let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, clock: clock)
    let policy = ClaimsPolicy(issuer: issuer.identifier, audience: "client-1")
    let handler = OrdersHandler(verifier: RefreshingVerifier(keys: keys, policy: policy, clock: clock))
    let token = try issuer.idToken()
    #expect(await handler.status(for: token) == 200)
    #expect(await handler.status(for: try issuer.idToken(["aud": "another"])) == 401)
    #expect(await handler.status(for: try issuer.idToken(["sub": nil])) == 403)
    try issuer.rotate()
    #expect(await handler.status(for: try issuer.idToken()) == 200)
    clock.advance(by: .seconds(3600))
    #expect(await handler.status(for: token) == 401)
}
