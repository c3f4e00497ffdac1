// A view of a cache cannot outlive the verifier that owns the cache.
// Expected: lifetime-dependent value escapes its scope
func serial(_ cache: VerifiedTokenCache, _ keys: KeySet) -> Bool {
    #if VIOLATE
    let context = {
        let verifier = TokenVerifier(keys: keys, policy: ClaimsPolicy()).caching(in: cache)
        return verifier.cacheContext
    }()
    return context != nil
    #else
    let verifier = TokenVerifier(keys: keys, policy: ClaimsPolicy()).caching(in: cache)
    return verifier.cacheContext != nil
    #endif
}
