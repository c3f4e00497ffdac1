/// The upper limits of a cache of status lists.
public struct StatusListLimits: Hashable, Sendable {
    /// Lists of one issuer. A list in use never gives way to another: beyond the limit a new one waits for one that is idle.
    public var listsPerIssuer = 256
    /// Addresses of one issuer that are remembered because no list came from them.
    public var failedAddressesPerIssuer = 1_024
    /// Bytes of all lists, decompressed. Lists that readers still use after their replacement, and responses that are read, are extra.
    public var totalBytes = 64 << 20
    /// Fetches in any second that tokens of one issuer cause, and as many again that its lists' lifetimes cause.
    public var fetchesPerSecond = 4
    /// How long after its last use a list may give way to another.
    public var idleTime: Duration = .seconds(60)
    /// How long after its last use a list is dropped, and an address without one forgotten.
    public var idleLife: Duration = .seconds(3_600)
    /// Bytes of an address in a token.
    public var addressBytes = 2_048

    public init() {}
}
