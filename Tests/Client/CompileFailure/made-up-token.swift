// Only a verification creates a VerifiedToken.
// Expected: 'VerifiedToken' initializer is inaccessible due to 'package' protection level
import JWTCore

func token(_ text: String, _ verifier: TokenVerifier<KeySet>) throws -> VerifiedToken {
    #if VIOLATE
    try verifier.withVerified(text.utf8.span) { claims in VerifiedToken(claims) }
    #else
    try verifier.verify(text)
    #endif
}
