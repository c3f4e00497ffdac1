#if HTTP
/// Why a request has no answer. Neither a header field, a body nor a credential is ever in it, and a URL only without its query.
public struct RequestFailure: Error, Hashable, Sendable {
    public let reason: Reason
    /// For a person.
    public let detail: String
    /// Whether there was never a connection to send the request over: what must not arrive twice may then be sent again.
    package internal(set) var neverArrived = false

    public init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    /// Names that stay as they are: they are logged and counted by.
    public enum Reason: String, Sendable, CaseIterable {
        /// Not an absolute https URL (or http to loopback where that is allowed), or one with a user, a password or a fragment.
        case invalidURL = "invalid_url"
        /// A header field that may not be sent.
        case invalidField = "invalid_field"
        /// The name leads to an address that may not be dialled.
        case forbiddenAddress = "forbidden_address"
        /// The name leads nowhere.
        case unresolvedName = "unresolved_name"
        /// Refused, reset or ended before the answer did.
        case connection
        /// The proxy does not open a tunnel.
        case proxy
        /// No trust in the server's certificate, none in ours, or no common TLS.
        case tls
        /// The server's key is none of those pinned.
        case pinMismatch = "pin_mismatch"
        /// Out of time, for the connection or for all.
        case timedOut = "timed_out"
        /// The answer is larger than the limit, before or after decoding.
        case tooLarge = "too_large"
        /// A redirect to another origin, one too many, or one for a request that may not be repeated.
        case redirect
        /// Not HTTP as RFC 9112 has it, or a content coding that does not decode.
        case malformed
        /// The task that asked was cancelled.
        case cancelled
    }
}

extension RequestFailure: CustomStringConvertible {
    public var description: String { detail.isEmpty ? reason.rawValue : "\(reason.rawValue): \(detail)" }
}
#endif
