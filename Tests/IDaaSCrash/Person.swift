#if HTTP
internal import IDaaSFlows
internal import LoginSupport
internal import Synchronization

/// Somebody who logs in and remembers what the server said, for as long as it says something.
final class Person: Sendable {
    let mobile: String
    let flows: Flows
    let store = MemorySessionStore()
    private let outbox: Outbox
    private let memory = Mutex(Memory())

    /// What was answered.
    struct Memory {
        var pass: SliderPass?
        var code: String?
        var first: Session?
        var second: Session?
    }

    init(mobile: String, _ configuration: FlowConfiguration, _ environment: FlowEnvironment, _ outbox: Outbox) {
        self.mobile = mobile
        self.outbox = outbox
        var environment = environment
        environment.store = store
        flows = Flows(configuration, environment)
    }

    var remembered: Memory { memory.withLock { $0 } }

    /// How often ``act(onAnswer:)`` calls at most.
    static let answers = 4

    /// Logs in and renews the session; ends early where no answer comes.
    func act(onAnswer: @Sendable () async -> Void) async {
        guard let pass = try? await flows.sms.solveSlider(mobile: mobile, SolvingPresenter()).get() else { return }
        memory.withLock { $0.pass = pass }
        await onAnswer()
        guard (try? await flows.sms.sendSMS(pass).get()) != nil, let code = try? await outbox.code(for: mobile) else { return }
        memory.withLock { $0.code = code }
        await onAnswer()
        guard let first = try? await flows.sms.logIn(mobile: mobile, code: code).get() else { return }
        memory.withLock { $0.first = first }
        await onAnswer()
        guard let second = try? await flows.sessions.renew().get() else { return }
        memory.withLock { $0.second = second }
        await onAnswer()
    }
}
#endif
