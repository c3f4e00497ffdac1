internal import IDaaSFlows
internal import LoginSupport
internal import Synchronization

/// A user who gives a WeChat account a number, up to a step: as a new user, or as the one who has the number.
final class WeChatUser: Person {
    /// The steps, in order.
    enum Step: Int, CaseIterable {
        case authorised, exchanged, texted, finished
    }

    private let kind: BindingStep.Kind
    private let mobile: String
    private let tenant: Tenant
    private let flows: Flows
    private let last: Step
    private let memory = Mutex(Memory())

    /// The received answers.
    private struct Memory {
        var code: String?
        var step: BindingStep?
        var exchanged: ContinuousClock.Instant?
        var smsCode: String?
        var session: Session?
    }

    /// - Parameters:
    ///   - kind: what the tenant's server asks for.
    ///   - last: after this step the user pauses, so that the kill finds no request of the next one under way.
    init(_ kind: BindingStep.Kind, mobile: String, last: Step, _ tenant: Tenant) {
        self.kind = kind
        self.mobile = mobile
        self.last = last
        self.tenant = tenant
        flows = tenant.flows(MemorySessionStore())
    }

    var answers: Int { last.rawValue + 1 }

    func act(onAnswer: @Sendable () async -> Void) async {
        for step in Step.allCases.prefix(answers) {
            guard (try? await take(step)) != nil else { return }
            await onAnswer()
        }
    }

    private func take(_ step: Step) async throws {
        switch step {
        case .authorised:
            let code = try await authorise(flows)
            memory.withLock { $0.code = code }
        case .exchanged:
            let outcome = await flows.weChat.logIn(code: remembered.code ?? "")
            guard let step = outcome.step, step.kind == kind else { throw Wrong("WeChat's code: \(outcome)") }
            memory.withLock {
                $0.step = step
                $0.exchanged = .now
            }
        case .texted:
            let code = try await text()
            memory.withLock { $0.smsCode = code }
        case .finished:
            let session = try await finish().get()
            memory.withLock { $0.session = session }
        }
    }

    private var remembered: Memory { memory.withLock { $0 } }

    func isHonoured(_ facts: inout Facts) async throws {
        let memory = remembered
        guard let step = memory.step else { return }
        if memory.session != nil {
            let renewed = await flows.sessions.renew()
            try facts.expect(.session, renewed.session != nil && renewed.failure == nil, "\(renewed)")
        } else if memory.smsCode != nil {
            // Refused as used: the last step was answered into the void, and the account has its user.
            let code = await finish().legacyCode
            try facts.expect(kind.code, code == "0" || last == .finished && code == Self.consumed, code)
        } else {
            try await repeatsItsAnswer(step, memory, &facts)
            let code = try await text()
            self.memory.withLock { $0.smsCode = code }
            let outcome = await finish()
            try facts.expect(kind.step, outcome.legacyCode == "0", "\(outcome)")
        }
        try facts.expect(kind.account, try await hasUser(), mobile)
    }

    /// The simulated WeChat forgets its codes at the kill, so only the server's record can have this answer.
    private func repeatsItsAnswer(_ step: BindingStep, _ memory: Memory, _ facts: inout Facts) async throws {
        guard let code = memory.code, Retry.isSure(since: memory.exchanged) else { return }
        let again = await flows.weChat.logIn(code: code)
        try facts.expect(.weChatAnswer, again.step == step, "\(again)")
    }

    func keepsConsumed(_ facts: inout Facts) async throws {
        guard remembered.step != nil else { return }
        let again = await finish()
        try facts.expect(kind.stepOnce, again.legacyCode == Self.consumed, "\(again)")
    }

    func keepsReplaced(_ facts: inout Facts) async throws {
        guard remembered.step != nil, let code = remembered.code else { return }
        let again = await flows.weChat.logIn(code: code)
        try facts.expect(.weChatCodeOnce, again.failure?.legacyCode == "IDAAS.SDK.COMMON.1006", "\(again)")
    }

    /// The code for a state token that was used.
    private static let consumed = "IDAAS.SDK.COMMON.1005"

    /// - Returns: the code of the simulated WeChat app.
    private func authorise(_ flows: Flows) async throws -> String {
        let router = WeChatCallbackRouter(try WeChatApplication(id: tenant.weChat, universalLink: "https://app.example/"))
        let app = try SimulatedWeChat(
            tenant.configuration.domain, transport: tenant.environment.transport, user: "user \(mobile)", router: router)
        let outcome = await flows.weChat.authorize(via: router, app)
        guard case .authorized(let code) = outcome else { throw Wrong("WeChat: \(outcome)") }
        return code
    }

    /// - Returns: the code of the SMS that the step needs.
    private func text() async throws -> String {
        guard let step = remembered.step else { throw Wrong("no step") }
        let sent = await flows.weChat.requestCode(for: step, mobile: mobile, slider: SolvingPresenter())
        guard sent.legacyCode == "0", let code = try await tenant.code(for: mobile) else { throw Wrong("no SMS: \(sent)") }
        return code
    }

    private func finish() async -> LoginOutcome {
        guard let step = remembered.step, let code = remembered.smsCode else { return .other(status: "no step", stateToken: nil) }
        return await flows.weChat.finish(step, mobile: mobile, code: code)
    }

    /// Whether the account logs in the user of the number, from a new device.
    private func hasUser() async throws -> Bool {
        let device = tenant.flows(MemorySessionStore())
        guard case .loggedIn(let session) = await device.weChat.logIn(code: try await authorise(device)) else { return false }
        return try await device.identity.userInfo(of: session.idToken).get().mobile == mobile
    }
}

extension BindingStep.Kind {
    fileprivate var step: Fact { self == .register ? .registrationStep : .bindingStep }
    fileprivate var code: Fact { self == .register ? .registrationCode : .bindingCode }
    fileprivate var account: Fact { self == .register ? .registeredAccount : .boundAccount }
    fileprivate var stepOnce: Fact { self == .register ? .registrationOnce : .bindingOnce }
}
