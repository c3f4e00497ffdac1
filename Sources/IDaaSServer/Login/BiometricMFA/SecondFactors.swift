internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// The PC's side of a second factor: asks the phone, polls for its answer as OpenID CIBA does, or takes an SMS code instead.
package struct SecondFactors: DomainService {
    package let environment: SharedEnvironment
    let sessions: Sessions
    let stateTokens: StateTokens

    /// A request that waits for the phone.
    package struct Ticket: Hashable, Sendable {
        /// `auth_req_id`.
        package let id: String
        package let expiresIn: Duration
        package let interval: Duration
        package let matchCode: String?
        package let userID: String
    }

    /// Asks the user's phone. An earlier request of the user is cancelled.
    ///
    /// - Parameter message: of the application, shown on both devices; at most 64 characters of plain text.
    /// - Throws: COMMON.1001, 1005 and 1006 for the state token; COMMON.1002 for the message; `IDAAS.SDK.MFA.1002` for a client without
    ///   second factors; MFA.1005 for a user without a phone; `IDAAS.SDK.RATE.1001` for too many requests.
    package func initiate(stateToken: String, message: String?, for caller: Caller) async throws -> Ticket {
        let policy = caller.client.settings.secondFactor
        guard policy.demand != .never else { throw ServiceError(.accessPolicy) }
        let presented = try stateTokens.read(stateToken, for: caller, [.secondFactor])
        if let message, !Self.isPlain(message) { throw ServiceError(.invalidFormat, WireMember.bindingMessage) }
        let id = randomness.token(characters: 32, alphabet: .base62)
        let random = String(decoding: Base64URL.encode(randomness.bytes(32)), as: UTF8.self)
        let matchCode = policy.matchesNumbers ? String(10 + randomness.integer(below: 90)) : nil
        let (now, lifetimes, limits) = (clock.now, lifetimes, limits)
        let userID = try await store.settle { store -> Result<String, ServiceError> in
            let state: SecondFactorState
            switch try presented.record(of: caller, at: now, in: store) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let record): state = try ParsedJSON(record.content).decode()
            }
            let authenticator = caller.client.authenticator
            guard let key = try store.boundKey(of: state.user, with: authenticator) else { return .failure(ServiceError(.deviceNotBound)) }
            var budget = Budget()
            budget.add(.approvalOfUser, "\(authenticator) \(state.user)", limits.approvalsPerUser)
            if let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
            try budget.record(at: now, in: store)
            try store.add(
                Approval(
                    id: Digest256.of(Array(id.utf8)), user: state.user, authenticator: authenticator, client: caller.client.id,
                    device: caller.device, region: caller.network, state: presented.key, random: random, keyID: key.keyID,
                    matchCode: matchCode, message: message, created: now, expires: now + lifetimes.approval,
                    interval: lifetimes.pollInterval))
            return .success(state.user)
        }
        return Ticket(id: id, expiresIn: lifetimes.approval, interval: lifetimes.pollInterval, matchCode: matchCode, userID: userID)
    }

    /// The result of a request, delivered once, to the client, device and state token that asked.
    ///
    /// - Throws: COMMON.1001, 1005 and 1006 for the state token; COMMON.1006 with {0} = auth_req_id for a request of another login. Each of
    ///   the following has its `error` of CIBA: MFA.1010 while there is no answer; MFA.1011 for a poll before the interval is over, which
    ///   makes it five seconds longer; MFA.1008 for a refusal; MFA.1007 for an expired or cancelled request.
    package func poll(stateToken: String, id: String, for caller: Caller) async throws -> Authentication {
        let presented = try stateTokens.read(stateToken, for: caller, [.secondFactor])
        guard !id.isEmpty else { throw ServiceError(.missingParameter, WireMember.authenticationRequest) }
        let (key, now) = (Digest256.of(Array(id.utf8)), clock.now)
        let draft = try sessions.draft()
        let (user, session, nonce) = try await store.settle { store -> Result<(User, StoredSession, String?), ServiceError> in
            let state: SecondFactorState
            switch try presented.record(of: caller, at: now, in: store) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let record): state = try ParsedJSON(record.content).decode()
            }
            guard let approval = try store.approval(key), equalInConstantTime(approval.state, presented.key), approval.user == state.user
            else {
                return .failure(ServiceError(.invalidParameter, WireMember.authenticationRequest))
            }
            if let error = try verdict(of: approval, at: now, in: store) { return .failure(ServiceError(error)) }
            guard let user = try store.user(state.user), !user.isLocked, try store.deliver(key, at: now),
                try presented.consume(at: now, in: store)
            else { return .failure(ServiceError(PollError.denied)) }
            return .success((user, try open(draft, user, ["pwd", "hwk", "user"], caller, at: now, in: store), state.nonce))
        }
        return try await sessions.authentication(draft.token, user, session, nonce: nonce)
    }

    /// Takes an SMS code of type MFA_AUTH_SMS instead of the phone's answer.
    ///
    /// - Throws: COMMON.1001, 1002; COMMON.1005 and 1006 for the state token; `IDAAS.SDK.MFA.1001` for a number that is not the user's;
    ///   `IDAAS.SDK.SMS.1005` for a wrong code, five of which end the state token; `IDAAS.SDK.LOGIN.1003`; `IDAAS.SDK.RATE.1001`.
    package func redeem(stateToken: String, mobile: String, code: String, for caller: Caller) async throws -> Authentication {
        let presented = try stateTokens.read(stateToken, for: caller, [.secondFactor])
        let number = try areaCodes.number(of: mobile)
        guard !code.isEmpty else { throw ServiceError(.missingParameter, WireMember.code) }
        let owner = CodeOwner(.secondFactor, number, caller)
        let redemption = CodeRedemption(
            owner: owner, hash: owner.hash(of: code, under: environment.codeHash), caller: caller, limits: limits)
        let (now, limits) = (clock.now, limits)
        let draft = try sessions.draft()
        let (user, session, nonce) = try await store.settle { store -> Result<(User, StoredSession, String?), ServiceError> in
            let state: SecondFactorState
            switch try presented.record(of: caller, at: now, in: store) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let record):
                guard record.subject == number.text else { return .failure(ServiceError(.mobileMismatch)) }
                state = try ParsedJSON(record.content).decode()
            }
            if let refusal = try redemption.redeem(at: now, in: store) {
                try presented.count(refusal, limits, at: now, in: store)
                return .failure(refusal)
            }
            guard let user = try store.user(state.user), !user.isLocked, try presented.consume(at: now, in: store) else {
                return .failure(ServiceError(.expired, WireMember.stateToken))
            }
            return .success((user, try open(draft, user, ["pwd", "sms"], caller, at: now, in: store), state.nonce))
        }
        return try await sessions.authentication(draft.token, user, session, nonce: nonce)
    }

    /// Why a request gives no tokens yet, or ever; nil for an approved one.
    private func verdict(of approval: Approval, at now: Timestamp, in store: any StoreWriting) throws -> PollError? {
        switch approval.answer {
        case .denied: return .denied
        case .cancelled: return .expired
        case .approved:
            // The phone may answer in the last second, and the PC may be about to poll.
            guard now < approval.expires + lifetimes.retry, approval.delivered == nil else { return .expired }
            let key = try store.boundKey(of: approval.user, with: approval.authenticator)
            return key?.keyID == approval.keyID ? nil : .denied
        case nil:
            guard now < approval.expires else { return .expired }
            let isEarly = approval.polled.map { now < $0 + approval.interval } ?? false
            try store.poll(approval.id, at: now, interval: approval.interval + (isEarly ? Self.slowing : .zero))
            return isEarly ? .slowDown : .pending
        }
    }

    private func open(
        _ draft: SessionDraft, _ user: User, _ methods: [String], _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> StoredSession {
        var user = user
        user.lastLogin = now
        try store.save(user)
        return try draft.open(for: user, by: methods, caller, at: now, in: store)
    }

    /// Whether a person reads the same text as a program: short, without controls and changes of direction.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.count <= 64 && !text.trimmed.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                !scalar.properties.isBidiControl
                    && ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            }
    }

    /// OpenID CIBA Core 1.0 section 11: `slow_down` adds five seconds.
    private static let slowing = Duration.seconds(5)
}

extension ServiceError {
    /// The refusal of a poll, with its code.
    init(_ error: PollError) {
        switch error {
        case .pending: self.init(.authorizationPending)
        case .slowDown: self.init(.pollingTooFast)
        case .denied: self.init(.requestDenied)
        case .expired: self.init(.requestExpired)
        }
        self.error = error.rawValue
    }
}
