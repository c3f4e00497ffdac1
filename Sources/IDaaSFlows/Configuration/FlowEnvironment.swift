public import JWKSCache
public import Secrets

/// What flows need from outside, each behind a small protocol. The module IDaaSHTTP has one that works over the network.
public struct FlowEnvironment: Sendable {
    public var transport: any FlowTransport
    /// Reaches the issuer's discovery document and keys.
    public var keyTransport: any DocumentTransport
    /// Where session and device identity live.
    public var store: any SessionStore
    public var clock: any ElapsedClock
    public var randomness: Randomness
    /// Where the issuer's keys outlive the process, for starts without a network; nil: nowhere.
    public var keyStorage: KeySetStorage?

    public init(
        transport: any FlowTransport, keyTransport: any DocumentTransport, store: any SessionStore = MemorySessionStore(),
        clock: any ElapsedClock = SystemElapsedClock(), randomness: Randomness = .system, keyStorage: KeySetStorage? = nil
    ) {
        self.transport = transport
        self.keyTransport = keyTransport
        self.store = store
        self.clock = clock
        self.randomness = randomness
        self.keyStorage = keyStorage
    }
}
