internal import IDaaSWire
internal import Secrets

/// Login by name or number and password; the second factor follows if the client demands one.
///
/// An unknown name takes the same steps as a known one: the same statements of the store, one hash, the same answers. An attempt
/// counts before the hash, so that attempts at once cannot outrun their limit. A right one takes its count back, and so does one whose
/// password was not tried: otherwise a stranger who fills the queue of hashes locks other people's devices.
package struct PasswordLogin: DomainService {
    package let environment: SharedEnvironment
    let sessions: Sessions
    let stateTokens: StateTokens

    /// - Parameter nonce: goes into the id_token, after the second factor too.
    /// - Throws: COMMON.1001; COMMON.1009 for a client without passwords; `IDAAS.SDK.LOGIN.1005` with the attempts left;
    ///   `IDAAS.SDK.LOGIN.1003` while the device is locked for this name; `IDAAS.SDK.RATE.1001`.
    package func login(userName: String, password: String, nonce: String?, for caller: Caller) async throws -> LoginAnswer {
        guard caller.client.settings.password else { throw ServiceError(.unknownConfiguration) }
        guard !userName.isEmpty else { throw ServiceError(.missingParameter, WireMember.userName) }
        guard !password.isEmpty else { throw ServiceError(.missingParameter, WireMember.password) }
        let name = PasswordName(userName, areaCodes)
        let now = clock.now
        let attempt = try await store.settle { try admit(name, caller, at: now, in: $0) }
        let stored = attempt.user?.passwordHash
        let hash = stored.flatMap(PasswordHash.init(text:)) ?? .ofNobody(environment.passwordCost)
        let isRight = try await isRight(password, hash, attempt, caller) && stored != nil
        let draft = try sessions.draft()
        let end = clock.now
        let opening = try await store.settle { store -> Result<Opening, ServiceError> in
            guard isRight, let user = try name.user(in: store), !user.isLocked, user.passwordHash == stored else {
                return .failure(attempt.refusal)
            }
            try store.removeFailures(of: attempt.key, on: caller.device)
            if attempt.isGuess { try store.removeEvent(.wrongPassword, attempt.key, at: now) }
            return .success(try open(user, draft, nonce, caller, at: end, in: store))
        }
        switch opening {
        case .session(let user, let session):
            return .loggedIn(try await sessions.authentication(draft.token, user, session, nonce: nonce))
        case .step(let step): return .step(step)
        }
    }

    private struct Attempt: Sendable {
        let user: User?
        /// What it counts for.
        let key: String
        let admitted: Timestamp
        /// Whether it counts for the name too.
        let isGuess: Bool
        /// The answer if the password is wrong.
        let refusal: ServiceError
    }

    private enum Opening: Sendable {
        case session(User, StoredSession)
        case step(LoginStep)
    }

    /// - Throws: `IDAAS.SDK.RATE.1001` while the queue is full, and ``KeyFailure/cryptography``. The attempt counts nowhere then.
    private func isRight(
        _ password: String, _ hash: PasswordHash, _ attempt: Attempt, _ caller: Caller
    ) async throws -> Bool {
        do {
            return try await environment.passwordWork.run { try hash.matches(password) }
        } catch {
            try await store.write { try withdraw(attempt, caller, in: $0) }
            throw error
        }
    }

    /// Takes back one count. Those of other attempts, which may run at the same time, stay.
    private func withdraw(_ attempt: Attempt, _ caller: Caller, in store: any StoreWriting) throws {
        if var failures = try store.failures(of: attempt.key, on: caller.device) {
            failures.removeLast(limits)
            try store.save(failures)
        }
        if attempt.isGuess { try store.removeEvent(.wrongPassword, attempt.key, at: attempt.admitted) }
    }

    /// Counts an attempt, unless a limit refuses it.
    private func admit(
        _ name: PasswordName, _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> Result<Attempt, ServiceError> {
        let user = try name.user(in: store)
        let key = user.map(PasswordName.key(of:)) ?? name.key
        let failures = try store.failures(of: key, on: caller.device)
        if let locked = failures?.refusal(at: now) { return .failure(locked) }
        let budget = limits.loginBudget(of: caller)
        if let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
        try budget.record(at: now, in: store)
        // For an unknown name too: the same statements.
        let isGuess = try !store.sessions(of: user?.id ?? "").contains { $0.device == caller.device }
        if isGuess {
            var guesses = Budget()
            guesses.add(.wrongPassword, key, limits.wrongPasswordsPerName)
            if let refusal = try guesses.refusal(at: now, in: store) { return .failure(refusal) }
            try guesses.record(at: now, in: store)
        }
        var counted = failures ?? LoginFailures(mobile: key, device: caller.device, updated: now)
        counted.add(at: now, limits)
        try store.save(counted)
        let remaining = max(0, limits.failuresPerDevice - counted.count)
        let wrong = ServiceError(.invalidPassword, "\(remaining)", remaining: remaining)
        return .success(Attempt(user: user, key: key, admitted: now, isGuess: isGuess, refusal: counted.refusal(at: now) ?? wrong))
    }

    /// Opens a session, or the step to the second factor.
    private func open(
        _ user: User, _ draft: SessionDraft, _ nonce: String?, _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> Opening {
        let policy = caller.client.settings.secondFactor
        let hasPhone = try store.boundKey(of: user.id, with: caller.client.authenticator) != nil
        guard policy.demand == .always || policy.demand == .whenBound && hasPhone else {
            var user = user
            user.lastLogin = now
            try store.save(user)
            return .session(user, try draft.open(for: user, by: ["pwd"], caller, at: now, in: store))
        }
        let content = try JSON(encoding: SecondFactorState(user: user.id, nonce: nonce)).bytes
        let step = try stateTokens.draft(.secondFactor, for: caller, subject: user.mobile, content: content)
        try store.save(step.record)
        let factors: [SecondFactor] = hasPhone ? [.biometric, .sms] : [.sms]
        let data = JSON.object([
            (NextStep.secondFactors, .array(factors.map { .string($0.rawValue) })), (NextStep.mobile, .string(Masked.mobile(user.mobile))),
        ])
        return .step(LoginStep(status: LoginStatus.secondFactor, stateToken: step.token, data: data.text))
    }
}

/// What a login carries to its second factor.
struct SecondFactorState: Codable {
    let user: String
    let nonce: String?
}

extension Client {
    /// The client of the phone's app that confirms logins to this client.
    var authenticator: String { settings.secondFactor.authenticator.isEmpty ? id : settings.secondFactor.authenticator }
}
