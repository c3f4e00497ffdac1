internal import IDaaSFlows
internal import IDaaSWire
internal import LoginSupport
internal import Synchronization

/// A user who logs in with the number of the SIM card and renews the session.
final class OneClickUser: Person {
    private let mobile: String
    private let flows: Flows
    private let tenant: Tenant
    private let store = MemorySessionStore()
    private let memory = Mutex(Memory())

    /// The received answers.
    private struct Memory {
        var token: CarrierToken?
        var first: Session?
        var loggedIn: ContinuousClock.Instant?
        var second: Session?
    }

    init(mobile: String, _ tenant: Tenant) {
        self.mobile = mobile
        self.tenant = tenant
        flows = tenant.flows(store)
    }

    let answers = 3

    func act(onAnswer: @Sendable () async -> Void) async {
        guard let token = try? await agree() else { return }
        memory.withLock { $0.token = token }
        await onAnswer()
        guard let first = try? await flows.oneClick.logIn(token).get() else { return }
        memory.withLock {
            $0.first = first
            $0.loggedIn = .now
        }
        await onAnswer()
        guard let second = try? await flows.sessions.renew().get() else { return }
        memory.withLock { $0.second = second }
        await onAnswer()
    }

    private var remembered: Memory { memory.withLock { $0 } }

    func isHonoured(_ facts: inout Facts) async throws {
        let memory = remembered
        guard let token = memory.token, let first = memory.first else { return }
        let renewed = await flows.sessions.renew()
        try facts.expect(.session, renewed.session != nil && renewed.failure == nil, "\(renewed)")
        // The simulated carrier forgets its tokens at the kill, so only the server's record can have this answer.
        if Retry.isSure(since: memory.loggedIn) {
            let again = await repeated(token)
            try facts.expect(.carrierAnswer, (try? again.get().sessionToken) == first.sessionToken, "\(again)")
        }
        let user = try await flows.identity.userInfo(of: first.idToken).get()
        let device = tenant.flows(MemorySessionStore())
        let next = try await device.oneClick.logIn(try await agree()).get()
        let later = try await device.identity.userInfo(of: next.idToken).get()
        try facts.expect(.carrierUser, later.id == user.id && later.mobile == mobile, "\(later.id)")
    }

    func keepsConsumed(_ facts: inout Facts) async throws {
        let memory = remembered
        guard let token = memory.token, memory.first != nil else { return }
        let elsewhere = await tenant.flows(MemorySessionStore()).oneClick.logIn(token)
        try facts.expect(.carrierTokenElsewhere, elsewhere.legacyCode == Self.consumed, "\(elsewhere)")
    }

    func keepsReplaced(_ facts: inout Facts) async throws {
        let memory = remembered
        guard let token = memory.token, memory.first != nil else { return }
        let again = await repeated(token)
        try facts.expect(.carrierTokenOnce, again.legacyCode == Self.consumed, "\(again)")
    }

    /// The code for a token that was used.
    private static let consumed = "IDAAS.SDK.COMMON.1005"

    /// The same request of the same device, with a store of its own: a repeated answer is not the latest session.
    private func repeated(_ token: CarrierToken) async -> LoginOutcome {
        guard let contents = try? await store.contents() else { return .other(status: "no store", stateToken: nil) }
        return await tenant.flows(MemorySessionStore(contents)).oneClick.logIn(token)
    }

    /// - Returns: the carrier's token after the user's consent.
    private func agree() async throws -> CarrierToken {
        let phone = SimulatedPhone([SimulatedSIM(.mobile, mobile: mobile)])
        let sdk = try SimulatedCarrier(
            tenant.configuration.domain, transport: tenant.environment.transport, bundleID: "com.example.shop", phone: phone)
        for await event in CarrierLogin(sdk).events(on: AgreeingPage()) {
            if case .login(let token) = event { return token }
        }
        throw Wrong("no token for \(mobile)")
    }
}

/// Sets the check box and logs in.
private struct AgreeingPage: OneClickPresenter {
    func action(on screen: OneClickScreen) async -> OneClickAction { screen.isConsented ? .logIn : .consent(true) }
}
