public import IDaaSWire

/// What the phone can verify its user by: the outcome of the type check.
public enum BiometricAvailability: FlowOutcome, Hashable {
    case face
    case touch
    case unavailable(BiometricFailure)

    /// `2` to `9`, as documented.
    public var legacyCode: String {
        switch self {
        case .face: "3"
        case .touch: "4"
        case .unavailable(let failure): Self.documented.contains(failure.legacyCode) ? failure.legacyCode : "9"
        }
    }

    private static let documented: Set = ["2", "5", "6", "7", "8", "9"]

    public var failure: FlowError? { if case .unavailable(let failure) = self { FlowError(.biometric(failure)) } else { nil } }

    /// The documents' text.
    public func text(in language: Language) -> String {
        switch self {
        case .face: language.choose("Face ID", "面容")
        case .touch: language.choose("Touch ID", "指纹")
        case .unavailable(let failure): failure.text(in: language)
        }
    }

    /// - Throws: `biometric` unless the phone can verify its user now.
    func get() throws(FlowError) { if let failure { throw failure } }
}
