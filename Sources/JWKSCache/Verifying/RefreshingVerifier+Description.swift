internal import JWTCore

extension RefreshingVerifier: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without a name, nonce or key of its policy.
    public var description: String { "RefreshingVerifier" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

extension OpportunisticBatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its verifier, without a name, nonce or key, and without the tokens that wait.
    public var description: String { "OpportunisticBatcher(\(verifier))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
