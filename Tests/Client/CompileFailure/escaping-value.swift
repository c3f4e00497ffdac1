// The claims of a kept token are views of that token and cannot outlive it.
// Expected: lifetime-dependent value escapes its scope
import JWTCore

func subject(_ verify: () throws -> VerifiedToken) throws -> String? {
    #if VIOLATE
    let claims = try {
        let token = try verify()
        return token.claims
    }()
    return claims["sub"]?.string?.string
    #else
    let token = try verify()
    let claims = token.claims
    return claims["sub"]?.string?.string
    #endif
}
