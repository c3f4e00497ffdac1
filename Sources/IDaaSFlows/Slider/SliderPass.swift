/// A solved slider: permits one SMS to one mobile number. It can be stored.
public struct SliderPass: Codable, Hashable, Sendable {
    public let mobile: String
    /// Opaque.
    let captchaToken: String
}

/// The outcome of solving a slider.
public enum SliderOutcome: FlowOutcome {
    case solved(SliderPass)
    /// The user closed the slider.
    case closed
    case failed(FlowError)

    /// `0`, `105` (slider closed), the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .solved: "0"
        case .closed: "105"
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    /// - Throws: `cancelled` if the user closed the slider.
    public func get() throws(FlowError) -> SliderPass {
        switch self {
        case .solved(let pass): return pass
        case .closed: throw FlowError(.cancelled)
        case .failed(let error): throw error
        }
    }
}
