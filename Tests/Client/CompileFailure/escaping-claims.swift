// Claims are lent: they cannot leave the closure of withVerified.
// Expected: requires that 'JSONValue' conform to 'Escapable'
import JWTCore

func subject(of token: String, _ verifier: TokenVerifier<KeySet>) throws -> String? {
    #if VIOLATE
    let claims: JSONValue = try verifier.withVerified(token.utf8.span) { claims in claims.value }
    return claims["sub"]?.string?.string
    #else
    return try verifier.withVerified(token.utf8.span) { claims in claims.subject?.string }
    #endif
}
