// Shared secrets that rotate: tokens of the old and of the new secret are valid, and a secret that is gone counts no longer.

import AssayTesting
import Foundation
import JWTCore
import Testing

/// - Parameter secrets: by kid; a verifier has the new secret before anybody signs with it.
func verifier(secrets: [String: Data]) throws -> TokenVerifier<KeySet> {
    let keys = secrets.map { name, secret in
        let text = secret.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return #"{"kty":"oct","alg":"HS256","kid":"\#(name)","k":"\#(text)"}"#
    }
    var policy = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")
    policy.algorithms = [.hs256]
    return TokenVerifier(keys: try KeySet(jwks: #"{"keys":[\#(keys.joined(separator: ","))]}"#), policy: policy)
}

@Suite struct SecretRotationTask {
    @Test func aSecretCountsWhileItIsThere() throws {
        let secrets = ["old": Data(repeating: 0xfb, count: 32), "new": Data(repeating: 0xef, count: 33)]
        let tokens = try secrets.mapValues { secret in
            let name = secrets.first { $0.value == secret }?.key
            let key = try TestKey(secret: Array(secret), algorithm: .hs256, keyID: name)
            return try key.token(claims: ["iss": "https://idp.example", "aud": "client-1", "exp": Date.now + 600])
        }
        let both = try verifier(secrets: secrets)
        for token in tokens.values { #expect(try both.verify(token).algorithm == .hs256) }
        let old = try #require(tokens["old"])
        #expect(throws: VerificationError.self) { try verifier(secrets: secrets.filter { $0.key == "new" }).verify(old) }
    }
}
