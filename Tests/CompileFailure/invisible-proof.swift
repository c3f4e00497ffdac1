// Outside the library the proof of a verified signature cannot even be named.
// Expected: cannot find type 'SignatureVerified' in scope
import JWTCore

#if VIOLATE
func claims(_ proof: consuming SignatureVerified) {}
#else
func claims(_ token: VerifiedToken) {}
#endif
