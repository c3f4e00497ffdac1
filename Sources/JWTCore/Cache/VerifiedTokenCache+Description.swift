extension VerifiedTokenCache: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The budget and the number of entries. No byte of a token and no secret of the cache is in it.
    public var description: String { "VerifiedTokenCache(\(statistics.entries) entries, budget \(budget) bytes)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
