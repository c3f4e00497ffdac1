// An error as an HTTP status with its challenge (RFC 6750 section 3).

import AssayTesting
import JWKSCache
import JWTCore
import Testing

struct HTTPAnswer: Equatable {
    var status = 200
    var fields: [String: String] = [:]
}

func refusal(_ error: VerificationError) -> HTTPAnswer {
    var answer = HTTPAnswer(status: error.code.httpStatus)
    answer.fields["WWW-Authenticate"] = BearerChallenge(refusing: error, realm: "api")?.fieldValue
    if error.code.isRetryable { answer.fields["Retry-After"] = "1" }
    return answer
}

@Suite struct StatusTask {
    @Test func aRefusedTokenIs401AndMissingKeysAre503() async throws {
        let issuer = try TestIssuer()
        let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, clock: ManualClock())
        await keys.firstAttempt()
        let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: issuer.identifier, clientID: "client-2"))
        let error = #expect(throws: VerificationError.self) { try verifier.verify(issuer.idToken()) }
        let answer = refusal(try #require(error))
        #expect(answer.status == 401 && answer.fields["WWW-Authenticate"]?.contains(#"error="invalid_token""#) == true)
        #expect(refusal(.keysUnavailable) == HTTPAnswer(status: 503, fields: ["Retry-After": "1"]))
    }
}
