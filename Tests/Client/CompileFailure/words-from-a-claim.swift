// A check's words are a literal: no check can put a claim into an error.
// Expected: cannot convert value of type 'String' to expected argument type 'StaticString'
import JWTCore

func policy() -> ClaimsPolicy {
    var policy = ClaimsPolicy()
    policy.checks.append { claims, _ in
        #if VIOLATE
        let words = claims.string("tenant") ?? ""
        return .refused(.invalidClaim, because: words)
        #else
        return claims["tenant"] == nil ? .accepted : .refused(.invalidClaim, because: "a tenant is named")
        #endif
    }
    return policy
}
