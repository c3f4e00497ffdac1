extension TokenBatch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of tokens. No byte of a token is in it.
    public var description: String { "TokenBatch(\(count) \(count == 1 ? "token" : "tokens"))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
