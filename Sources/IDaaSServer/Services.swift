/// All services of the server, assembled once. The HTTP layer calls them.
package struct Services: DomainService {
    package let environment: SharedEnvironment
    package let clients: Clients
    package let keys: SigningKeys
    package let captcha: SliderCaptcha
    package let sms: SMSCodes
    package let login: SMSLogin
    package let wechat: WeChatLogin
    package let binding: SocialBinding
    package let oneClick: OneClickLogin
    package let passwords: PasswordLogin
    package let secondFactors: SecondFactors
    package let phoneKeys: PhoneKeys
    package let phoneAnswers: PhoneAnswers
    package let authorizations: AuthorizationRequests
    package let codes: AuthorizationCodes
    package let registrations: Registrations
    package let sessions: Sessions
    package let tokens: IdentityTokens
    package let statusLists: StatusLists
    package let signalDelivery: SignalDelivery
    package let signalPolls: SignalPolls
    package let stateTokens: StateTokens
    package let administration: Administration

    /// Assembles the services and touches nothing. Call ``serve()`` or ``check()`` next.
    package init(_ environment: ServiceEnvironment) {
        let environment = SharedEnvironment(environment)
        self.environment = environment
        let clientKeys = ClientKeys(environment: environment)
        let pace = GatewayPace()
        clients = Clients(environment: environment)
        keys = SigningKeys(environment)
        tokens = IdentityTokens(environment: environment, keys: keys)
        statusLists = StatusLists(environment, keys: keys)
        let events = SecurityEvents(environment: environment, keys: keys)
        signalDelivery = SignalDelivery(environment: environment, events: events)
        signalPolls = SignalPolls(environment: environment, events: events)
        stateTokens = StateTokens(environment)
        sessions = Sessions(
            environment: environment, tokens: tokens,
            signatures: RequestSignatures(clients: clientKeys, window: environment.lifetimes.signatureWindow))
        captcha = SliderCaptcha(environment: environment)
        sms = SMSCodes(
            environment: environment, stateTokens: stateTokens, gateway: PacedGateway(gateway: environment.gateway, pace: pace),
            sink: environment.sink ?? SinkGateway(pace: pace))
        login = SMSLogin(environment: environment, sessions: sessions)
        wechat = WeChatLogin(environment, sessions: sessions, stateTokens: stateTokens)
        binding = SocialBinding(environment: environment, sessions: sessions, stateTokens: stateTokens)
        oneClick = OneClickLogin(environment, sessions: sessions)
        passwords = PasswordLogin(environment: environment, sessions: sessions, stateTokens: stateTokens)
        secondFactors = SecondFactors(environment: environment, sessions: sessions, stateTokens: stateTokens)
        phoneKeys = PhoneKeys(environment: environment)
        phoneAnswers = PhoneAnswers(environment: environment)
        registrations = Registrations(environment: environment, clients: clients)
        authorizations = AuthorizationRequests(environment: environment, registrations: registrations)
        let grants = ResourceGrants(environment: environment, tokens: AccessTokens(environment: environment, keys: keys))
        codes = AuthorizationCodes(environment: environment, tokens: tokens, grants: grants)
        administration = Administration(environment: environment, clients: clients, clientKeys: clientKeys)
    }

    /// Whether there is a resource that access tokens are issued for.
    var hasResources: Bool { !environment.resources.resources.isEmpty }

    /// Prepares the store for serving, with a signing key.
    ///
    /// - Throws: ``KeyFailure``; errors of the store.
    package func serve() async throws {
        try await environment.store.prepare()
        try await keys.serve()
        try await statusLists.serve()
    }

    /// Checks a store before administering it. Another process may be serving it, so this changes nothing.
    ///
    /// - Throws: ``KeyFailure/sealedUnderAnotherKey``; errors of the store.
    package func check() async throws { try await keys.check() }

    /// Periodic work, once a minute: changes key states and deletes old records.
    package func maintain() async throws {
        try await keys.maintain()
        let now = clock.now
        let horizon = SweepHorizon(
            events: now - limits.longestWindow, singleUse: now - lifetimes.retry, approvals: now - Self.approvalMemory,
            endedSessions: now - Self.sessionMemory, idleSessions: now - Self.sessionMemory - lifetimes.sessionIdle,
            failures: now - Self.failureMemory, statusLists: now)
        try await store.write { try $0.sweep(horizon) }
        try await removeOldAuditEvents(now)
        try await registrations.removeUnused()
        try await signalDelivery.dropOld()
    }

    /// In small transactions: writers of audit events and of logins do not wait for a large one.
    private func removeOldAuditEvents(_ now: Timestamp) async throws {
        guard let memory = environment.auditMemory else { return }
        var count = Self.auditPortion
        while count == Self.auditPortion {
            try Task.checkCancellation()
            count = try await store.write { try $0.removeAuditEvents(before: now - memory, limit: Self.auditPortion) }
        }
    }

    private static let auditPortion = 1_000
    /// How long an ended session can still be distinguished from an unknown one.
    private static let sessionMemory = Duration.seconds(7 * 86_400)
    /// How long an expired request for a second factor can still be distinguished from an unknown one.
    private static let approvalMemory = Duration.seconds(3_600)
    /// The time after which wrong codes are forgotten.
    private static let failureMemory = Duration.seconds(30 * 86_400)
}
