// Unverified claims are not Claims and cannot be converted to Claims.
// Expected: cannot convert value of type 'UnverifiedClaims' to expected argument type 'Claims'
import JWTCore

func greeting(_ claims: borrowing Claims) -> String { claims.subject?.string ?? "stranger" }

func greet(_ token: String, _ verifier: TokenVerifier<KeySet>) throws -> String {
    #if VIOLATE
    return greeting(try UnverifiedClaims(reading: token.utf8.span))
    #else
    return try verifier.withVerified(token.utf8.span) { greeting($0) }
    #endif
}
