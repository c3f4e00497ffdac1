/// Why a poll gives no tokens: the `error` of a token endpoint in OpenID CIBA Core 1.0 section 11.
package enum PollError: String, Hashable, Sendable, CaseIterable {
    /// The phone has not answered yet. ``ServiceCode/authorizationPending``
    case pending = "authorization_pending"
    /// The same, and from now on the interval is five seconds longer. ``ServiceCode/pollingTooFast``
    case slowDown = "slow_down"
    /// ``ServiceCode/requestDenied``
    case denied = "access_denied"
    /// ``ServiceCode/requestExpired``
    case expired = "expired_token"
}
