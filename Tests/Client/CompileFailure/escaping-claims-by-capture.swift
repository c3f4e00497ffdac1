// Lent claims cannot escape through a captured variable.
// Expected: lifetime-dependent variable 'raw' escapes its scope
import JWTCore

func issuer(of token: String, _ verifier: TokenVerifier<KeySet>) throws -> Int {
    var kept = 0
    #if VIOLATE
    var raw: Span<UInt8> = Span()
    try verifier.withVerified(token.utf8.span) { claims in raw = claims.payload }
    kept = raw.count
    #else
    try verifier.withVerified(token.utf8.span) { claims in kept = claims.payload.count }
    #endif
    return kept
}
