internal import IDaaSFlows
internal import IDaaSWire
internal import LoginSupport

/// A phone with its session and its keys, which outlive the server.
struct Phone: Sendable {
    static let password = "correct horse battery"

    let mobile: String
    private let flows: Flows
    private let tenant: Tenant

    init(mobile: String, _ tenant: Tenant, keys: String) {
        self.mobile = mobile
        self.tenant = tenant
        flows = tenant.flows(MemorySessionStore(), keys: FileBiometricKeyStore(path: keys, verifier: PresentOwner()))
    }

    /// Login by SMS. The server binds only after a fresh one.
    func logIn() async throws {
        _ = try await flows.sms.requestCode(mobile: mobile, slider: SolvingPresenter()).get()
        let session = try await flows.sms.logIn(mobile: mobile, code: try await tenant.code(for: mobile) ?? "").get()
        _ = try await flows.identity.userInfo(of: session.idToken).get()
    }

    func renew() async -> SessionOutcome { await flows.sessions.renew() }

    func bind() async throws { try expect(await flows.biometrics.bind(userID: mobile)) }

    func unbind() async throws { try expect(await flows.biometrics.unbind()) }

    /// Whether the server has a key of this phone.
    func isBound() async throws -> Bool {
        switch await flows.biometrics.deviceStatus() {
        case .bound: true
        case .notBound: false
        case .failed(let error): throw error
        }
    }

    /// The login that waits for the phone; nil if none does.
    func pending() async throws -> PendingApproval? {
        switch await flows.biometrics.pending() {
        case .pending(let pending): pending
        case .none: nil
        case .failed(let error): throw error
        }
    }

    func approve(_ pending: PendingApproval, _ matchCode: String?) async -> ApprovalOutcome {
        await flows.biometrics.answer(pending, .approve, matchCode: matchCode)
    }

    private func expect(_ outcome: some FlowOutcome) throws {
        guard outcome.legacyCode == "0" else { throw Wrong("the phone: \(outcome)") }
    }
}
