/// An SMS that was sent and whose code is waited for. A value that can be stored: an app that was ended goes on from it.
public struct PendingSMS: Codable, Hashable, Sendable {
    public let mobile: String
    public let purpose: SMSPurpose
    /// Seconds since 1970 by this machine's clock.
    public let sentAt: Int64
    /// Seconds for which the code is good.
    public let lifetime: Int64
    /// Seconds after which another can be sent.
    public let interval: Int64

    /// What the server promises where it does not say (neither does the vendor).
    static let usualLifetime: Int64 = 300
    static let usualInterval: Int64 = 60

    /// Whether the code can no longer be right.
    public func isExpired(at now: Int64) -> Bool { now >= sentAt + lifetime }

    /// Seconds until another can be sent.
    public func resendDelay(at now: Int64) -> Int64 { max(0, min(interval, sentAt + interval - now)) }
}

/// What asking for a code ends in: the slider and the sending, or the sending alone.
public enum SMSCodeOutcome: FlowOutcome {
    case sent(PendingSMS)
    /// The person closed the slider's page. No SMS was sent.
    case sliderClosed
    case failed(FlowError)

    /// 0, 105 where the page was closed, or the server's code, or 1.
    public var legacyCode: String {
        switch self {
        case .sent: "0"
        case .sliderClosed: "105"
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    /// - Throws: `cancelled` where the page was closed.
    public func get() throws(FlowError) -> PendingSMS {
        switch self {
        case .sent(let pending): return pending
        case .sliderClosed: throw FlowError(.cancelled)
        case .failed(let error): throw error
        }
    }
}
