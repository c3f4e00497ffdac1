extension UnverifiedClaims: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size. No claim and no header parameter is in it.
    public var description: String { "UnverifiedClaims(\(value.text.count) bytes)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
