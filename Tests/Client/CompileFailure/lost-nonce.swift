// A lost session cannot skip the nonce check.
// Expected: value of optional type 'String?' must be unwrapped
import JWTCore

func login(_ verifier: TokenVerifier<KeySet>, nonce: String?) -> TokenVerifier<KeySet>? {
    #if VIOLATE
    return verifier.expecting(nonce: nonce)
    #else
    guard let nonce else { return nil }
    return verifier.expecting(nonce: nonce)
    #endif
}
