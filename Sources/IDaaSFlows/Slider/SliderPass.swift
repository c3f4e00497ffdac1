/// A slider that was solved for one mobile number: worth one SMS to it. A value that can be stored.
public struct SliderPass: Codable, Hashable, Sendable {
    public let mobile: String
    /// Opaque.
    let captchaToken: String
}

/// What solving a slider ends in.
public enum SliderOutcome: FlowOutcome {
    case solved(SliderPass)
    /// The person closed the page.
    case closed
    case failed(FlowError)

    /// 0, 105 where the page was closed, or the server's code, or 1.
    public var legacyCode: String {
        switch self {
        case .solved: "0"
        case .closed: "105"
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    /// - Throws: `cancelled` where the page was closed.
    public func get() throws(FlowError) -> SliderPass {
        switch self {
        case .solved(let pass): return pass
        case .closed: throw FlowError(.cancelled)
        case .failed(let error): throw error
        }
    }
}
