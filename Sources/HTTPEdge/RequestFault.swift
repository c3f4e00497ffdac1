/// Why a request's body does not arrive. Reading the body throws it; the server closes the connection after the answer.
package enum RequestFault: Error, Hashable, Sendable {
    /// The framing is malformed or the body is cut short (RFC 9112 sections 6 to 8).
    case malformed
    /// The body took longer than ``ConnectionLimits`` allow.
    case tooSlow
    /// The body announces or has more than ``ConnectionLimits/bodyBytes``.
    case tooLarge

    /// The HTTP status of the answer (RFC 9110 sections 15.5.1, 15.5.9 and 15.5.14).
    package var status: Int {
        switch self {
        case .malformed: 400
        case .tooSlow: 408
        case .tooLarge: 413
        }
    }
}
