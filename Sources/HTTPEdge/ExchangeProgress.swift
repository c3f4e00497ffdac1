/// An outbound event from ``RequestGuard``, which sees messages, to ``ConnectionGuard``, which sees bytes.
enum ExchangeProgress: Hashable, Sendable {
    case headReceived
    case requestReceived
    /// The answer is written, and another request may follow.
    case answered
    /// The answer is written, and the connection ends after it.
    case answeredLast
    /// The input is malformed and gave no request.
    case refused
}

/// An inbound event from ``ConnectionGuard`` to ``RequestGuard``: the body has not arrived in time.
struct BodyDeadlineExpired: Sendable {}
