extension TokenVerifier: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its policy's description, without a name, nonce or key.
    public var description: String { "TokenVerifier(\(policy))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

extension TokenRoute: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its policy's description, without a name, nonce or key.
    public var description: String { "TokenRoute(\(policy))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
