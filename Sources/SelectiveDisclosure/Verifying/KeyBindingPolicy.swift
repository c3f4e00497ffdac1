public import JWTCore

/// The requirements for a key binding token (RFC 9901 sections 4.3 and 7.3).
public struct KeyBindingPolicy: Sendable {
    /// The required value of `aud`, byte for byte: this verifier. No token fits an empty one.
    public var audience: String
    /// The required value of `nonce`: the one that this transaction's request had. No token fits an empty one, and without one none fits.
    /// Whoever verifies uses each nonce once.
    public var nonce: String?
    /// The time since `iat` after which a token is too old, in whole seconds.
    public var maximumAge: Duration
    /// How far clocks may differ, in whole seconds.
    public var leeway: Duration
    /// The allowed values of `alg`. HMAC is never allowed: the issuer and every verifier know the holder's key.
    public var algorithms: AlgorithmSet = .asymmetric

    /// - Parameters:
    ///   - audience: the required value of `aud`.
    ///   - nonce: the required value of `nonce`; or say it for each presentation with ``PresentationVerifier/expecting(nonce:)``.
    ///   - maximumAge: five minutes unless you say otherwise: the time that a user takes to choose what to show.
    ///   - leeway: how far clocks may differ.
    public init(
        audience: String, nonce: String? = nil, maximumAge: Duration = .seconds(300), leeway: Duration = .seconds(60)
    ) {
        self.audience = audience
        self.nonce = nonce
        self.maximumAge = maximumAge
        self.leeway = leeway
    }

    /// The same as a policy for the claims of the token.
    var claims: ClaimsPolicy {
        var policy = ClaimsPolicy()
        policy.types = ["kb+jwt"]
        policy.algorithms = algorithms.intersection(.asymmetric)
        policy.audiences = [audience]
        policy.nonce = nonce ?? ""
        policy.requiredClaims = ["iat", "aud", "nonce"]
        policy.requiresExpiration = false
        policy.maximumAge = maximumAge
        policy.leeway = leeway
        return policy
    }
}
