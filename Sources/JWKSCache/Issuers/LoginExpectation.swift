internal import JWTCore

/// The values of one login, which its id_token must match.
struct LoginExpectation: Sendable {
    var nonce: String?
    var accessToken: String?
    var code: String?

    /// The same keys, and the policy of `route` with these values.
    func route(_ route: TokenRoute<RemoteKeySet>) -> TokenRoute<RemoteKeySet> {
        var policy = route.policy
        policy.nonce = nonce ?? policy.nonce
        policy.accessToken = accessToken ?? policy.accessToken
        policy.code = code ?? policy.code
        return TokenRoute(policy: policy, keys: route.keys)
    }
}
