/// Why a request has no response. The key cache, the login flows and the servers share it. It never contains a header field, a body or a
/// credential, and a URL only without its query.
public struct RequestFailure: Error, Hashable, Sendable {
    public let reason: Reason
    /// A readable description.
    public let detail: String
    /// Whether no connection was ever made: then even a request that must not arrive twice may be sent again.
    package var neverArrived = false
    /// Whether the server broke off the TLS handshake without an alert: an old version, or a faulty server.
    package var brokeOffHandshake = false

    public init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    /// Whether the same request may succeed later without any change.
    public var isRetryable: Bool { [.forbiddenAddress, .unresolvedName, .connection, .proxy, .timedOut].contains(reason) }

    /// Stable names, for logs and metrics.
    public enum Reason: String, Sendable, CaseIterable {
        /// Not an absolute https URL (or http to loopback if that is allowed), or one with a user, a password or a fragment.
        case invalidURL = "invalid_url"
        /// A header field that may not be sent.
        case invalidField = "invalid_field"
        /// The file of a credential that the request needs cannot be read, or holds none.
        case unreadableCredential = "unreadable_credential"
        /// The name resolves to a forbidden address.
        case forbiddenAddress = "forbidden_address"
        /// The name does not resolve.
        case unresolvedName = "unresolved_name"
        /// Refused, reset, or closed after the TLS handshake and before the end of the response.
        case connection
        /// The proxy does not open a tunnel.
        case proxy
        /// An untrusted server certificate, a refused client certificate, a weak key, or no handshake of TLS 1.2 or later.
        case tls
        /// The server's key is not a pinned one, or it has none: http without TLS.
        case pinMismatch = "pin_mismatch"
        /// A time-out, of the connection or of the whole request.
        case timedOut = "timed_out"
        /// The response is larger than the limit, before or after decoding.
        case tooLarge = "too_large"
        /// A redirect to another origin, too many redirects, or a redirect of a request that may not be repeated.
        case redirect
        /// Not valid HTTP (RFC 9112), an invalid content coding, or a 304 after a redirect: there nothing asked for it.
        case malformed
        /// The requesting task was cancelled: nothing is known about the other side.
        case cancelled
    }
}

extension RequestFailure: CustomStringConvertible {
    public var description: String { detail.isEmpty ? reason.rawValue : "\(reason.rawValue): \(detail)" }
}
