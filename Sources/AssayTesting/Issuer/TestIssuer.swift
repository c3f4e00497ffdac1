public import JWKSCache
public import JWTCore
internal import Locks

/// An issuer for tests, in memory: it publishes metadata and keys, signs tokens, and rotates its keys when a test says so.
///
/// It is a transport for its own documents. ``ScriptedTransport/init(serving:)`` serves several issuers, and ``LoopbackProvider`` serves
/// one over HTTP. With a ``ManualClock`` a verification waits for a fetch as long as the fetch takes, however busy the machine is.
///
/// ```swift
/// let clock = ManualClock(), issuer = try TestIssuer(clock: clock)
/// let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, clock: clock)
/// let policy = ClaimsPolicy.idToken(issuer: issuer.identifier, clientID: "client-1")
/// let verifier = RefreshingVerifier(keys: keys, policy: policy, clock: clock)
/// let token = try await verifier.verify(issuer.idToken())
/// ```
public final class TestIssuer: DocumentTransport {
    private struct State {
        var keys: PublishedKeys
        var isUp = true
        var keyRequests = 0
    }

    /// The issuer identifier: `iss` of its tokens (RFC 8414 section 2).
    public let identifier: String
    let clock: any UnixClock
    private let state: Locked<State>

    /// - Parameters:
    ///   - identifier: `iss` of its tokens. Key sets take only https, and http on loopback.
    ///   - algorithms: a key for each, called `key-1`, `key-2`, …; the last one signs. No HMAC: its key is never published.
    ///   - clock: dates its tokens.
    /// - Throws: ``TestKeyError/unavailable(_:)`` if libcrypto has no such keys.
    public init(
        _ identifier: String = "https://idp.example", algorithms: [SignatureAlgorithm] = [.es256], clock: any UnixClock = SystemClock()
    ) throws(TestKeyError) {
        self.identifier = identifier
        self.clock = clock
        state = Locked(State(keys: try PublishedKeys(algorithms)))
    }

    // Changing

    /// Makes a new current key and publishes it beside the others.
    ///
    /// - Parameter algorithm: its algorithm; nil takes that of the current key.
    /// - Returns: the new key.
    /// - Throws: ``TestKeyError/unavailable(_:)`` if libcrypto has no such keys.
    @discardableResult
    public func rotate(to algorithm: SignatureAlgorithm? = nil) throws -> TestKey {
        try state.withLock { state in try state.keys.rotate(to: algorithm ?? state.keys.keys.last?.algorithm ?? .es256) }
    }

    /// Publishes a key no longer. It continues to sign, as a stolen copy would.
    ///
    /// - Returns: false if no published key has this `kid`.
    @discardableResult
    public func remove(_ keyID: String) -> Bool { state.withLock { $0.keys.remove(keyID) } }

    /// Whether it answers requests. While it is down, a request in memory finds no listener, and one over HTTP is answered with 503.
    public var isUp: Bool {
        get { state.withLock { $0.isUp } }
        set { state.withLock { $0.isUp = newValue } }
    }

    // Reading

    /// The published keys, the current one last.
    public var publishedKeys: [TestKey] { state.withLock { $0.keys.published } }

    /// The published JWK Set.
    public var jwks: String { state.withLock { $0.keys.document } }

    /// The published keys as they are now, for a verifier that fetches nothing.
    public var keySet: KeySet {
        get throws(VerificationError) { try TestKey.keySet(of: publishedKeys) }
    }

    /// How often the keys were requested.
    public var keyRequests: Int { state.withLock { $0.keyRequests } }

    /// The key called `keyID`, published or removed; nil is the current key.
    ///
    /// - Throws: ``TestKeyError/unknownKey``.
    public func key(_ keyID: String? = nil) throws(TestKeyError) -> TestKey {
        let keys = state.withLock { $0.keys }
        return try keys.key(keyID)
    }

    /// Its state at one moment, for an answer.
    func lookUp(countingRequest: Bool) -> (document: String, entityTag: String, algorithms: [String], isUp: Bool) {
        state.withLock { state in
            if countingRequest { state.keyRequests += 1 }
            let algorithms = Set(state.keys.published.map(\.algorithm.name)).sorted()
            return (state.keys.document, "\"\(state.keys.version)\"", algorithms, state.isUp)
        }
    }
}
