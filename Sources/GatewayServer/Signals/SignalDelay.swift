#if Gateway
/// Why an event cannot be judged now. The transmitter should send it again.
enum SignalDelay: String, Sendable, CaseIterable {
    /// The transmitter's keys are not there.
    case keysUnavailable = "keys_unavailable"
    /// The same event is being accepted.
    case underWay = "under_way"
    /// No further event can be remembered.
    case memoryFull = "memory_full"
    /// What the event revokes cannot be written down.
    case notWritten = "not_written"
    /// There is no secret to compare with.
    case secretUnavailable = "secret_unavailable"

    /// For `Retry-After`.
    var seconds: Int {
        switch self {
        case .keysUnavailable, .underWay: 1
        case .memoryFull, .notWritten, .secretUnavailable: 5
        }
    }
}
#endif
