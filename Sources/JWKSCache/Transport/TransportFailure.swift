/// Why a transport has no response, for a ``DocumentTransport`` and for the transport of the login flows.
public struct TransportFailure: Error, Hashable, Sendable {
    public let reason: Reason
    /// A readable description, without header fields, bodies or credentials.
    public let detail: String

    public init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    /// Whether the same request may succeed later without any change.
    public var isRetryable: Bool { [.forbiddenAddress, .unresolvedName, .connection, .timedOut].contains(reason) }

    /// The raw values are stable, for logs and metrics.
    public enum Reason: String, Sendable, CaseIterable {
        /// Not an absolute https URL (or http to loopback if that is allowed), or one with a user, a password or a fragment.
        case invalidURL = "invalid_url"
        /// A header field that may not be sent.
        case invalidField = "invalid_field"
        /// The name resolves to a forbidden address.
        case forbiddenAddress = "forbidden_address"
        /// The name does not resolve.
        case unresolvedName = "unresolved_name"
        /// Refused, reset, or closed after the TLS handshake and before the end of the response; or the proxy opened no tunnel.
        case connection
        /// An untrusted server certificate, a weak key, or no handshake of TLS 1.2 or later.
        case tls
        /// The server's key is not a pinned one, or it has none: http without TLS.
        case pinMismatch = "pin_mismatch"
        case timedOut = "timed_out"
        /// The response is larger than the limit, before or after decoding.
        case tooLarge = "too_large"
        /// A redirect to another origin, or too many redirects.
        case redirect
        /// Not valid HTTP (RFC 9112).
        case malformed
        /// The requesting task was cancelled: nothing is known about the document.
        case cancelled
    }
}
