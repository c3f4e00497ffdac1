/// The other side of a stream that the server pushes to.
package protocol SignalReceiver: Sendable {
    /// Offers one token.
    ///
    /// - Parameter secret: for `Authorization: Bearer`.
    func take(_ token: String, at url: String, secret: String?) async -> SignalReceipt
}

/// What became of a token that was offered.
package enum SignalReceipt: Hashable, Sendable {
    /// The receiver has it, and will not lose it (RFC 8935 section 2.2).
    case taken
    /// The receiver will never take it, with the reason (RFC 8935 section 2.4).
    case refused(String)
    /// It may take it later: the reason for the log, and the wait that the receiver asked for.
    case failed(String, retryAfter: Duration? = nil)
    /// It was not offered, or this server ended meanwhile.
    case unsent

    var isFailure: Bool { if case .failed = self { true } else { false } }

    /// Whether the receiver is there and decides.
    var isAnswer: Bool {
        switch self {
        case .taken, .refused: true
        case .failed, .unsent: false
        }
    }
}
