#if IDaaS
package import Logging
package import Secrets

/// All that the server can do, put together once; what speaks HTTP calls it.
package struct Services: Sendable {
    package let store: any Store
    package let clock: any ServerClock
    package let areaCodes: AreaCodes
    package let clients: Clients
    package let keys: SigningKeys
    package let captcha: SliderCaptcha
    package let sms: SMSCodes
    package let login: SMSLogin
    package let sessions: Sessions
    package let tokens: IdentityTokens
    package let stateTokens: StateTokens
    package let administration: Administration
    private let lifetimes: Lifetimes
    private let limits: LimitSettings

    /// Puts the services together and touches nothing: ``serve()`` or ``check()`` comes next.
    ///
    /// - Parameters:
    ///   - issuer: `iss`, an absolute URL.
    ///   - isDevelopment: whether test numbers have their fixed codes.
    ///   - codeHash: hides SMS codes in the store; nil takes the server's key for it.
    ///   - sink: takes the messages that nobody is to get; nil lets them vanish at the gateway's pace.
    ///   - logger: is told what callers are not, as why a message was not sent.
    package init(
        store: any Store, clock: any ServerClock, randomness: Randomness, serverKey: ServerKey, issuer: String, lifetimes: Lifetimes,
        limits: LimitSettings, areaCodes: AreaCodes, gateway: any SMSGateway, signing: SigningSettings, isDevelopment: Bool = false,
        codeHash: (any KeyedHash)? = nil, sink: (any SMSGateway)? = nil,
        logger: Logger = Logger(label: "idaas", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.store = store
        self.clock = clock
        self.areaCodes = areaCodes
        self.lifetimes = lifetimes
        self.limits = limits
        let hash = codeHash ?? serverKey.codes
        let pace = GatewayPace()
        let clientKeys = ClientKeys(serverKey: serverKey, randomness: randomness)
        clients = Clients(store: store, clock: clock)
        keys = SigningKeys(
            store: store, clock: clock, randomness: randomness, serverKey: serverKey, settings: signing, tokenLifetime: lifetimes.idToken)
        tokens = IdentityTokens(
            issuer: issuer, lifetimes: lifetimes, keys: keys, store: store, clock: clock, randomness: randomness)
        stateTokens = StateTokens(serverKey: serverKey, lifetime: lifetimes.stateToken, clock: clock, randomness: randomness)
        sessions = Sessions(
            store: store, clock: clock, randomness: randomness, lifetimes: lifetimes, serverKey: serverKey, tokens: tokens,
            signatures: RequestSignatures(clients: clientKeys, window: lifetimes.signatureWindow))
        captcha = SliderCaptcha(
            store: store, clock: clock, randomness: randomness, lifetimes: lifetimes, limits: limits, areaCodes: areaCodes)
        sms = SMSCodes(
            store: store, clock: clock, randomness: randomness, lifetimes: lifetimes, limits: limits, areaCodes: areaCodes, hash: hash,
            gateway: PacedGateway(gateway: gateway, pace: pace), sink: sink ?? SinkGateway(pace: pace),
            text: MessageText(issuer: issuer), isDevelopment: isDevelopment, logger: logger)
        login = SMSLogin(
            store: store, clock: clock, randomness: randomness, limits: limits, areaCodes: areaCodes, hash: hash, sessions: sessions)
        administration = Administration(
            store: store, clock: clock, randomness: randomness, areaCodes: areaCodes, clients: clients, clientKeys: clientKeys)
    }

    /// Makes the store ready to be served, with a key to sign with.
    ///
    /// - Throws: ``KeyFailure``; what the store throws.
    package func serve() async throws { try await keys.serve() }

    /// What comes before administering a store that another process may be serving: nothing is changed.
    ///
    /// - Throws: ``KeyFailure/sealedUnderAnotherKey``; what the store throws.
    package func check() async throws { try await keys.check() }

    /// What is due from time to time, once a minute: keys change their states, the past is forgotten.
    package func maintain() async throws {
        try await keys.maintain()
        let now = clock.now
        let horizon = SweepHorizon(
            events: now - limits.longestWindow, singleUse: now - lifetimes.retry, endedSessions: now - Self.sessionMemory,
            idleSessions: now - Self.sessionMemory - lifetimes.sessionIdle, failures: now - Self.failureMemory)
        try await store.write { try $0.sweep(horizon) }
    }

    /// Seconds for which an ended session can still be told from one that never was.
    private static let sessionMemory = 7 * 86_400
    /// Seconds after which wrong codes are forgiven.
    private static let failureMemory = 30 * 86_400
}
#endif
