/// The answer to a request. A profile turns it into the gateway's own message.
public enum Decision: Sendable {
    case allowed(Admission)
    case denied(Denial)
}

/// An allowed request.
public struct Admission: Sendable {
    /// The name of the policy that decided.
    public let policy: String
    /// Fields to set in the request for the upstream; each replaces all fields of its name. Values are printable ASCII, except that of
    /// `cookie`, which is the client's own without its token.
    public let fields: [Field]
    /// Fields to remove from the request for the upstream.
    public let removed: [String]
    /// Parameters to remove from the query for the upstream, where the gateway can. Names are not percent-encoded.
    public let removedParameters: [String]
    /// The provider whose token was accepted; nil for an anonymous request. With several, the first.
    public let provider: String?
    /// The `sub` of that token, if the configuration keeps subjects: at most 256 bytes of it, percent-encoded as in a field.
    public let subject: String?
    /// The refusal that dry run or a requirement of `allowFailed` turned into an admission.
    public let waived: Denial?
    /// The value of `DPoP-Nonce` in the response, where the next proof needs another nonce (RFC 9449 section 8.2).
    public let proofNonce: String?

    package init(
        policy: String, fields: [Field], removed: [String], removedParameters: [String] = [], provider: String?, subject: String? = nil,
        waived: Denial?, proofNonce: String? = nil
    ) {
        self.policy = policy
        self.fields = fields
        self.removed = removed
        self.removedParameters = removedParameters
        self.provider = provider
        self.subject = subject
        self.waived = waived
        self.proofNonce = proofNonce
    }
}

/// A refused request.
public struct Denial: Error, Sendable {
    /// Nil if no route matched.
    public let policy: String?
    public let reason: DenialReason
    /// 400, 401, 403 or 503; 302 with a ``location``. A profile may replace a status that its gateway cannot carry.
    public let status: Int
    /// The value of `WWW-Authenticate` (RFC 6750 section 3); nil where the client's credentials are not the cause.
    public let challenge: String?
    /// The value of `DPoP-Nonce`, where the next proof needs a nonce (RFC 9449 section 9).
    public let proofNonce: String?
    /// For `Retry-After` of a 503, in whole seconds.
    public let retryAfter: Duration?
    /// Where a browser is sent in place of a 401 with its challenge. Nothing stores the answer (`Cache-Control: no-store`).
    public let location: String?

    package init(
        policy: String?, reason: DenialReason, status: Int, challenge: String? = nil, proofNonce: String? = nil,
        retryAfter: Duration? = nil, location: String? = nil
    ) {
        self.policy = policy
        self.reason = reason
        self.status = status
        self.challenge = challenge
        self.proofNonce = proofNonce
        self.retryAfter = retryAfter
        self.location = location
    }

    /// A refusal that no token or key has caused.
    init(_ reason: DenialReason) { self.init(policy: nil, reason: reason, status: reason.status) }
}
