public import IDaaSWire

/// A sent SMS whose code the user has not typed yet. Store it, so that a restarted app can continue from it.
public struct PendingSMS: Codable, Hashable, Sendable {
    public let mobile: String
    public let purpose: SMSPurpose
    /// Seconds since 1970 by this machine's clock.
    public let sentAt: Int64
    /// How long the code is valid.
    public let lifetime: Duration
    /// How long to wait before another SMS.
    public let interval: Duration

    /// For servers that do not state it. The vendor's server does not.
    static let usualLifetime: Duration = .seconds(300)
    static let usualInterval: Duration = .seconds(60)

    /// Whether the code has expired.
    ///
    /// - Parameter now: seconds since 1970.
    public func isExpired(at now: Int64) -> Bool { .seconds(now) >= .seconds(sentAt) + lifetime }

    /// How long to wait before another SMS.
    ///
    /// - Parameter now: seconds since 1970.
    public func resendDelay(at now: Int64) -> Duration { max(.zero, min(interval, .seconds(sentAt) + interval - .seconds(now))) }
}

/// The outcome of requesting a code.
public enum SMSCodeOutcome: FlowOutcome {
    case sent(PendingSMS)
    /// The user closed the slider. No SMS was sent.
    case sliderClosed
    case failed(FlowError)

    /// `0`, `105` (slider closed), the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .sent: "0"
        case .sliderClosed: "105"
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    /// - Throws: `cancelled` if the user closed the slider.
    public func get() throws(FlowError) -> PendingSMS {
        switch self {
        case .sent(let pending): return pending
        case .sliderClosed: throw FlowError(.cancelled)
        case .failed(let error): throw error
        }
    }
}
