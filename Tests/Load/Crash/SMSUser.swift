internal import IDaaSFlows
internal import LoginSupport
internal import Synchronization

/// A user who logs in by SMS and renews the session.
final class SMSUser: Person {
    private let mobile: String
    private let flows: Flows
    private let tenant: Tenant
    private let store = MemorySessionStore()
    private let memory = Mutex(Memory())

    /// The received answers.
    private struct Memory {
        var pass: SliderPass?
        var code: String?
        var first: Session?
        var second: Session?
    }

    init(mobile: String, _ tenant: Tenant) {
        self.mobile = mobile
        self.tenant = tenant
        flows = tenant.flows(store)
    }

    let answers = 4

    func act(onAnswer: @Sendable () async -> Void) async {
        guard let pass = try? await flows.sms.solveSlider(mobile: mobile, presenter: SolvingPresenter()).get() else { return }
        memory.withLock { $0.pass = pass }
        await onAnswer()
        guard (try? await flows.sms.sendSMS(pass).get()) != nil, let code = try? await tenant.code(for: mobile) else { return }
        memory.withLock { $0.code = code }
        await onAnswer()
        guard let first = try? await flows.sms.logIn(mobile: mobile, code: code).get() else { return }
        memory.withLock { $0.first = first }
        await onAnswer()
        guard let second = try? await flows.sessions.renew().get() else { return }
        memory.withLock { $0.second = second }
        await onAnswer()
    }

    func isHonoured(_ facts: inout Facts) async throws {
        let memory = memory.withLock { $0 }
        if memory.first != nil {
            let renewed = await flows.sessions.renew()
            try facts.expect(.session, renewed.session != nil && renewed.failure == nil, "\(renewed)")
            let verdict = await flows.identity.verify(memory.second?.idToken ?? memory.first?.idToken ?? "")
            try facts.expect(.idToken, verdict.legacyCode == "0", "\(verdict)")
        } else if let pass = memory.pass, memory.code == nil {
            // Sent, or requested and unanswered: the same request again gets the same answer, and no second SMS.
            let sent = await flows.sms.sendSMS(pass)
            try facts.expect(.captchaToken, sent.legacyCode == "0", "\(sent)")
        }
    }

    func keepsConsumed(_ facts: inout Facts) async throws {
        let memory = memory.withLock { $0 }
        if memory.first != nil, let code = memory.code {
            let again = await flows.sms.logIn(mobile: mobile, code: code)
            try facts.expect(.codeOnce, again.legacyCode == "IDAAS.SDK.SMS.1005", "\(again)")
        }
        if memory.code != nil, let pass = memory.pass {
            let sent = await tenant.flows(MemorySessionStore()).sms.sendSMS(pass)
            try facts.expect(.captchaTokenOnce, sent.legacyCode == "IDAAS.SDK.SMS.1004", "\(sent)")
        }
    }

    /// A replaced session token is invalid once its retry time is over.
    func keepsReplaced(_ facts: inout Facts) async throws {
        let memory = memory.withLock { $0 }
        guard let first = memory.first, memory.second != nil else { return }
        var contents = try await store.contents()
        contents.session = first
        let renewed = await tenant.flows(MemorySessionStore(contents)).sessions.renew()
        try facts.expect(.replacedToken, renewed.legacyCode == "IDAAS.SDK.COMMON.1005", "\(renewed)")
    }
}
