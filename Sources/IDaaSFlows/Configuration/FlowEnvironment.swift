public import JWKSCache
public import Secrets

/// The external parts that flows need, each behind a small protocol. The module IDaaSHTTP makes one for the network.
public struct FlowEnvironment: Sendable {
    public var transport: any FlowTransport
    /// Fetches the issuer's discovery document and keys.
    public var keyTransport: any DocumentTransport
    /// Keeps the session and the device's identity.
    public var store: any SessionStore
    public var clock: any ElapsedClock
    public var randomness: Randomness
    /// Keeps the issuer's keys across processes, for a start without a network; nil keeps none.
    public var keyStorage: KeySetStorage?
    /// Keeps the keys of the biometric second factor. The default has none, and reports `unsupported`.
    public var biometricKeys: any BiometricKeyStore = NoBiometricKeys()

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
