// The type of the proof of a verified signature is not visible outside the library.
// Expected: cannot find type 'SignatureVerified' in scope
import JWTCore

#if VIOLATE
func claims(_ proof: consuming SignatureVerified) {}
#else
func claims(_ token: VerifiedToken) {}
#endif
