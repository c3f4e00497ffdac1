internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// Gives a WeChat account its user, who proves a number by SMS: an existing user by binding, or a new one by registration.
///
/// As with SMS login, a lost reply is not given again: the code and the state token are used up.
package struct SocialBinding: DomainService {
    package let environment: SharedEnvironment
    let sessions: Sessions
    let stateTokens: StateTokens

    /// What the user came for.
    package enum Step: Hashable, Sendable {
        /// Binds an existing user.
        case bind
        /// Binds the owner of the number, and creates a user for a new number.
        case register

        fileprivate var purpose: StateTokens.Purpose { self == .bind ? .bindWeChat : .registerWeChat }
        fileprivate var codeType: SMSPurpose { self == .bind ? .bindMobile : .register }
    }

    /// Binds the WeChat account behind `stateToken` to the owner of `mobile`, and logs in.
    ///
    /// - Throws: COMMON.1001, 1002; COMMON.1005 and 1006 with {0} = state_token; `IDAAS.SDK.SMS.1005` for a wrong code, five of which end
    ///   the state token; `IDAAS.SDK.LOGIN.1003`; COMMON.1013 for a number without a user, when binding, and for a locked user;
    ///   `IDAAS.SDK.SOCIAL.1002` where the account got another user meanwhile; `IDAAS.SDK.SOCIAL.1003` where the user has another account;
    ///   `IDAAS.SDK.RATE.1001`.
    package func complete(
        _ step: Step, stateToken: String, mobile: String, code: String, nonce: String?, for caller: Caller
    ) async throws -> Authentication {
        guard let source = caller.client.settings.wechat else { throw ServiceError(.wechatSource) }
        let presented = try stateTokens.read(stateToken, for: caller, [step.purpose])
        let number = try areaCodes.number(of: mobile)
        guard !code.isEmpty else { throw ServiceError(.missingParameter, WireMember.code) }
        let owner = CodeOwner(step.codeType, number, caller)
        let redemption = CodeRedemption(
            owner: owner, hash: owner.hash(of: code, under: environment.codeHash), caller: caller, limits: limits)
        let draft = try sessions.draft()
        let (now, limits) = (clock.now, limits)
        let newUser = User(id: randomness.token(characters: 24, alphabet: .base62), mobile: number.text, created: now)
        let (user, session) = try await store.settle { store -> Result<(User, StoredSession), ServiceError> in
            let identity: WeChatIdentity
            switch try presented.record(of: caller, at: now, in: store) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let record): identity = try ParsedJSON(record.content).decode()
            }
            if let refusal = try redemption.redeem(at: now, in: store) {
                try presented.count(refusal, limits, at: now, in: store)
                return .failure(refusal)
            }
            guard var user = try store.user(mobile: number.text) ?? (step == .register ? newUser : nil), !user.isLocked else {
                return .failure(ServiceError(.unknownUser))
            }
            if let refusal = try Self.conflict(of: identity, with: user, source, in: store) { return .failure(refusal) }
            guard try presented.consume(at: now, in: store) else { return .failure(ServiceError(.expired, WireMember.stateToken)) }
            user.lastLogin = now
            try store.save(user)
            for key in identity.keys(source) { _ = try store.insert(SocialAccount(key: key, user: user.id, created: now)) }
            return .success((user, try draft.open(for: user, by: [WeChatIdentity.provider, "sms"], caller, at: now, in: store)))
        }
        return try await sessions.authentication(draft.token, user, session, nonce: nonce)
    }

    /// Why this account cannot become the user's.
    private static func conflict(
        of identity: WeChatIdentity, with user: User, _ source: WeChatSource, in store: any StoreReading
    ) throws -> ServiceError? {
        let keys = identity.keys(source)
        for key in keys { if let other = try store.user(of: key), other != user.id { return ServiceError(.socialBound) } }
        guard !source.allowsSeveralAccounts else { return nil }
        let accounts = try store.socialAccounts(of: user.id).map(\.key).filter { $0.provider == WeChatIdentity.provider }
        let hasAnother = accounts.contains { account in keys.contains { $0.scope == account.scope && $0.subject != account.subject } }
        return hasAnother ? ServiceError(.mobileBoundElsewhere) : nil
    }
}
