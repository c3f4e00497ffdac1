// The snippet of the documentation of SharedSignals, which quotes it line by line.

import JWTCore
import SharedSignals

func read(_ body: [UInt8], keys: KeySet) throws -> VerifiedSecurityEventToken {
    let policy = ClaimsPolicy.securityEvents(issuer: "https://idp.example", audience: "https://gateway.example")
    let verifier = SecurityEventVerifier(keys: keys, policy: policy)
    let token = try verifier.verify(body)
    return token
}
