// Many tokens at once: each has its own verdict.

import AssayTesting
import JWTCore
import Testing

/// The subjects of the valid tokens, and how many tokens were refused for each reason.
func subjects(of tokens: [String], by verifier: TokenVerifier<KeySet>) -> (valid: [String], refused: [String: Int]) {
    var valid: [String] = [], refused: [String: Int] = [:]
    for verdict in verifier.verify(batch: tokens) {
        switch verdict {
        case .success(let token): valid.append(token.subject ?? "")
        case .failure(let error): refused[error.code.name, default: 0] += 1
        }
    }
    return (valid, refused)
}

@Suite struct BatchTask {
    @Test func eachTokenHasItsOwnVerdict() throws {
        let issuer = try TestIssuer()
        let verifier = TokenVerifier(keys: try issuer.keySet, policy: .idToken(issuer: issuer.identifier, clientID: "client-1"))
        let good = try (0..<20).map { try issuer.idToken(["sub": "user-\($0)"]) }
        let bad = [try issuer.idToken(["aud": "another"]), "a.b.c", try issuer.idToken(["exp": 1])]
        let (valid, refused) = subjects(of: good + bad, by: verifier)
        #expect(valid == (0..<20).map { "user-\($0)" })
        #expect(refused["audience_mismatch"] == 1 && refused["expired"] == 1 && refused.values.reduce(0, +) == 3)
    }
}
