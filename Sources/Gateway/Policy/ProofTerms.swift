public import DPoP
internal import JWTCore

/// What a provider asks of DPoP proofs (RFC 9449), which come with its tokens in the field `DPoP`.
public struct ProofTerms: Sendable {
    public var tokens: Tokens
    public var policy = ProofPolicy()
    public var limits = ProofLimits()
    /// Scheme and authority that clients ask for, such as `https://api.example`, where the gateway's own facts are not those of the client:
    /// behind another proxy, or with a host that is rewritten. Nil: the scheme that the gateway tells, `https` where it tells none, and the
    /// request's host.
    public var origin: String?

    public enum Tokens: String, Sendable, CaseIterable {
        /// Every token is bound to a key and comes with a proof.
        case bound
        /// A token that is bound to a key comes with a proof. Another one is a bearer token as before.
        case any
    }

    public init(tokens: Tokens) { self.tokens = tokens }

    /// The scheme of `Authorization` (RFC 9449 section 7.1).
    public static let scheme = "DPoP"

    /// Seconds after `iat` in which a proof may pass.
    var seconds: Int64 { max(0, policy.maximumAge.components.seconds) + max(0, policy.leeway.components.seconds) }
}

extension ProofTerms {
    func check(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard !policy.algorithms.intersection(.asymmetric).isEmpty else {
            throw ConfigurationFault(.noProofAlgorithm, path + [.member("algorithms")])
        }
        if let origin, !Self.isOrigin(origin) { throw ConfigurationFault(.invalidProofOrigin, path + [.member("origin")]) }
    }

    private static func isOrigin(_ text: String) -> Bool {
        guard let url = URLText(text), ["https", "http"].contains(url.scheme), !url.host.isEmpty, !url.hasUser else { return false }
        return url.path.isEmpty && url.query == nil && url.fragment == nil
    }
}
