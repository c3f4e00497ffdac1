/// The outcome of asking for a user's public key.
public enum PublicKeyOutcome: FlowOutcome {
    /// SubjectPublicKeyInfo in DER, in base64.
    case publicKey(String)
    case failed(FlowError)

    /// `0`, `101` (key), or `1`.
    public var legacyCode: String {
        switch self {
        case .publicKey: "0"
        case .failed(let error): error.biometric == nil ? error.legacyCode : "101"
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }
}

/// The outcome of signing a text.
public enum SignedTextOutcome: FlowOutcome {
    case signed(SignedText)
    case failed(FlowError)

    /// `0`; the local codes `2`, `5`, `6`, `7`, `8`, `9`, `102`, `110`; `101` (key); or `1`.
    public var legacyCode: String {
        switch self {
        case .signed: "0"
        case .failed(let error): error.biometric?.legacyCode ?? error.legacyCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }
}
