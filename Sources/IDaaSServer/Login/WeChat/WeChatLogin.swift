internal import IDaaSWire
internal import Secrets

/// Login with a code of the WeChat app: tokens for a known account, otherwise the step to bind or register.
package struct WeChatLogin: DomainService {
    package let environment: SharedEnvironment
    let sessions: Sessions
    let stateTokens: StateTokens
    let exchange: ProviderExchange<WeChatIdentity>

    init(_ environment: SharedEnvironment, sessions: Sessions, stateTokens: StateTokens) {
        self.environment = environment
        self.sessions = sessions
        self.stateTokens = stateTokens
        exchange = ProviderExchange(
            environment, .wechatCode, usedBefore: ServiceError(.invalidParameter, WireMember.authorizationCode),
            failed: ServiceError(.interfaceFailed, "wechat"))
    }

    /// Logs in the owner of the WeChat account that `code` stands for.
    ///
    /// - Parameters:
    ///   - state: of the authorisation, if the client sends it. It belongs to one code for ever.
    ///   - nonce: goes into the id_token.
    /// - Throws: `IDAAS.SDK.LOGIN.1006` for a client without WeChat; COMMON.1001 and 1002; COMMON.1006 for a code that was used or that
    ///   WeChat refuses, and for a state of another code; `IDAAS.SDK.LOGIN.1001` where WeChat fails; COMMON.1013 for a locked user;
    ///   `IDAAS.SDK.RATE.1001`.
    package func login(code: String, state: String?, nonce: String?, for caller: Caller) async throws -> LoginAnswer {
        guard let source = caller.client.settings.wechat else { throw ServiceError(.wechatSource) }
        guard !code.isEmpty else { throw ServiceError(.missingParameter, WireMember.authorizationCode) }
        if let state, !Self.stateLength.contains(state.utf8.count) { throw ServiceError(.invalidFormat, WireMember.state) }
        let account = WeChatAccount(appID: source.appID, secret: try secret(of: source, caller.client))
        let sessionDraft = try sessions.draft()
        let outcome = try await exchange.outcome(of: code, for: caller) { store, now in
            try Self.claim(state, for: code, caller, at: now, in: store)
        } ask: { () async throws(UpstreamFailure) in
            try await environment.wechat.identity(of: code, for: account)
        } decide: { identity, store, now in
            try decide(identity, source, sessionDraft, caller, at: now, in: store)
        }
        return try await answer(outcome, nonce: nonce, for: caller)
    }

    /// The outcome for a person that WeChat named.
    private func decide(
        _ identity: WeChatIdentity, _ source: WeChatSource, _ draft: SessionDraft, _ caller: Caller, at now: Timestamp,
        in store: any StoreWriting
    ) throws -> ExchangeOutcome {
        let keys = identity.keys(source)
        guard let id = try keys.lazy.compactMap({ try store.user(of: $0) }).first, var user = try store.user(id) else {
            let step = try stateTokens.draft(
                source.registersNewUsers ? .registerWeChat : .bindWeChat, for: caller, content: JSON(encoding: identity).bytes)
            try store.save(step.record)
            return .step(source.registersNewUsers ? .registerWeChat : .bindWeChat, id: step.id)
        }
        guard !user.isLocked else { return .refused(ServiceError(.unknownUser)) }
        // Whichever id was missing is known from now on.
        for key in keys { _ = try store.insert(SocialAccount(key: key, user: user.id, created: now)) }
        user.lastLogin = now
        try store.save(user)
        return .session(try draft.open(for: user, by: [WeChatIdentity.provider], caller, at: now, in: store).id)
    }

    private func answer(_ outcome: ExchangeOutcome, nonce: String?, for caller: Caller) async throws -> LoginAnswer {
        switch outcome {
        case .session(let id): return .loggedIn(try await sessions.firstAuthentication(of: id, nonce: nonce))
        case .refused(let code, let argument): throw argument.isEmpty ? ServiceError(code) : ServiceError(code, argument)
        case .step(let purpose, let id):
            guard let token = try await store.read({ try stateTokens.token(of: id, purpose, in: $0) }) else {
                throw ServiceError(.invalidParameter, WireMember.authorizationCode)
            }
            return .step(
                LoginStep(
                    status: purpose == .registerWeChat ? LoginStatus.userRegister : LoginStatus.socialBind, stateToken: token,
                    data: JSON.object([(NextStep.verifications, .array([.string(NextStep.phone)]))]).text))
        }
    }

    /// Keeps the state of an authorisation for its code alone: a replayed state with another code is somebody else's authorisation.
    private static func claim(
        _ state: String?, for code: String, _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> ServiceError? {
        guard let state else { return nil }
        let content = Digest256.of(Array(code.utf8))
        let record = SingleUse(
            purpose: .wechatState, key: Digest256.of(Array(state.utf8)), client: caller.client.id, device: caller.device, content: content,
            created: now, expires: now + stateMemory, consumed: now)
        if try store.insert(record) { return nil }
        let known = try store.singleUse(.wechatState, record.key)
        let isSame = known.map { $0.belongs(to: caller) && equalInConstantTime($0.content, content) } ?? false
        return isSame ? nil : ServiceError(.invalidParameter, WireMember.state)
    }

    private func secret(of source: WeChatSource, _ client: Client) throws -> String {
        let secret = try serverKey.open(source.sealedSecret, as: .sourceSecret(client: client.id, source: WeChatIdentity.provider))
        return String(decoding: secret, as: UTF8.self)
    }

    /// 128 random bits in base64url are 22 characters.
    private static let stateLength = 22...128
    private static let stateMemory = Duration.seconds(3_600)
}
