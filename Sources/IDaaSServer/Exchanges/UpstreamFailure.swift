/// Why another provider did not exchange a code. It holds no code, token or key.
package struct UpstreamFailure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The provider refused the user's code or token: it is wrong, used or expired.
        case refusedSecret
        /// Anything else: the provider's state, our account there, the network.
        case unavailable
    }

    package let reason: Reason
    /// The provider's own code, or the reason of the transport: for the operator's log.
    package let code: String
    /// Whether the request never left this machine: the code is then still unused.
    package let neverArrived: Bool

    package init(_ reason: Reason, _ code: String, neverArrived: Bool = false) {
        self.reason = reason
        self.code = code
        self.neverArrived = neverArrived
    }
}
