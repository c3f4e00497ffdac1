internal import IDaaSFlows
internal import LoginSupport
internal import Synchronization

/// A user who binds a phone, logs in at a PC with a password, approves on the phone, unbinds and binds again, up to a step.
final class PhoneUser: Person {
    /// The steps, in order.
    enum Step: Int, CaseIterable, Comparable {
        case signedIn, bound, firstFactor, asked, approved, polled, unbound, rebound

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The steps after which a user may pause.
    static let ends = [Step.firstFactor, .asked, .approved, .polled, .unbound, .rebound]

    let phone: Phone
    let pc: PC
    /// After this step the user pauses, so that the kill finds no request of the next one under way.
    let last: Step
    let memory = Mutex(Memory())

    /// The received answers.
    struct Memory {
        var reached: Step?
        var login: PC.FirstFactor?
        var request: PC.Request?
        var pending: PendingApproval?
        var tokens: PC.Tokens?
    }

    init(_ phone: Phone, last: Step, round: Int, _ tenant: Tenant) {
        self.phone = phone
        self.last = last
        // The attempts on a PC are counted: a new one has none that a kill left behind.
        pc = tenant.pc("pc \(phone.mobile) \(round)")
    }

    var answers: Int { last.rawValue + 1 }
    var remembered: Memory { memory.withLock { $0 } }

    func act(onAnswer: @Sendable () async -> Void) async {
        for step in Step.allCases.prefix(answers) {
            guard (try? await take(step)) != nil else { return }
            memory.withLock { $0.reached = step }
            await onAnswer()
        }
    }

    private func take(_ step: Step) async throws {
        switch step {
        case .signedIn: try await phone.logIn()
        case .bound, .rebound: try await phone.bind()
        case .firstFactor: try await logIn()
        case .asked: try await ask()
        case .approved:
            guard let pending = try await phone.pending() else { throw Wrong("no login waits") }
            let outcome = await approve(pending)
            guard case .answered = outcome else { throw Wrong("the approval: \(outcome)") }
        case .polled:
            guard let request = remembered.request else { throw Wrong("no request") }
            let tokens = try await pc.poll(request)
            memory.withLock { $0.tokens = tokens }
        case .unbound: try await phone.unbind()
        }
    }

    func logIn() async throws {
        let login = try await pc.logIn(phone.mobile, password: Phone.password)
        memory.withLock { $0.login = login }
    }

    func ask() async throws {
        guard let login = remembered.login else { throw Wrong("no first factor") }
        let request = try await pc.askPhone(login)
        memory.withLock { $0.request = request }
    }

    func approve(_ pending: PendingApproval) async -> ApprovalOutcome {
        memory.withLock { $0.pending = pending }
        return await phone.approve(pending, remembered.request?.matchCode)
    }
}
