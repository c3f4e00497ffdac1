/// Why a request has no answer.
public struct TransportFailure: Error, Hashable, Sendable {
    public let reason: Reason
    /// For a person: never a field, a body or a credential.
    public let detail: String

    public init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    /// Names that stay as they are: they are logged and counted by.
    public enum Reason: String, Sendable, CaseIterable {
        case invalidRequest = "invalid_request"
        /// The name leads nowhere, or to an address that may not be dialled.
        case address
        /// Refused, reset or ended before the answer did; the proxy opens no tunnel.
        case connection
        /// No trust in the server's certificate, or its key is not the pinned one.
        case tls
        case timedOut = "timed_out"
        case tooLarge = "too_large"
        case redirect
        /// Not HTTP.
        case malformed
        case cancelled
    }

    public var isRetryable: Bool { [.address, .connection, .timedOut].contains(reason) }
}
