extension VerifiedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm and the size of the payload. No claim and no header parameter is in it.
    public var description: String { "VerifiedToken(\(algorithm.name), \(payload.count) bytes)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
