// A check of one's own, with its own words.

import AssayTesting
import JWTCore
import Testing

func policy(issuer: String, tenants: Set<String>) -> ClaimsPolicy {
    var policy = ClaimsPolicy.accessToken(issuer: issuer, audience: "https://api.example")
    policy.checks.append { claims, _ in
        guard let tenant = claims.string("tenant") else { return .refused(.missingClaim, because: "the token names no tenant") }
        return tenants.contains(tenant) ? .accepted : .refused(.invalidClaim, because: "this tenant is not served here")
    }
    return policy
}

@Suite struct OwnCheckTask {
    @Test func aRefusalHasTheWordsOfTheCheck() throws {
        let issuer = try TestIssuer()
        let verifier = TokenVerifier(keys: try issuer.keySet, policy: policy(issuer: issuer.identifier, tenants: ["acme"]))
        #expect(try verifier.verify(issuer.accessToken(["tenant": "acme"])).subject == "jane")
        let cases: [([String: (any Encodable)?], String)] = [
            ([:], "the token names no tenant"), (["tenant": "other"], "this tenant is not served here"),
        ]
        for (claims, words) in cases {
            let error = #expect(throws: VerificationError.self) { try verifier.verify(issuer.accessToken(claims)) }
            #expect(error?.reason == words && error?.description.contains(words) == true)
        }
    }
}
