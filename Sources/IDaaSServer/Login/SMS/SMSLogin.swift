internal import IDaaSWire
internal import Secrets

/// Login by SMS code.
///
/// Unlike sending and refreshing, a login is never repeated to a client that lost the reply. A code is easy to guess, so its second use is
/// always refused (section 5.1 sentence 3), and one proof gives only one token. The client requests another code.
package struct SMSLogin: DomainService {
    package let environment: SharedEnvironment
    let sessions: Sessions

    /// Logs in the owner of `mobile`. Creates a user for an unknown number if the client's settings say so.
    ///
    /// - Parameter nonce: goes into the id_token.
    /// - Throws: COMMON.1001, 1002 and 1009; `IDAAS.SDK.SMS.1005` for a wrong, used or old code, with the attempts left if the code is this
    ///   device's; `IDAAS.SDK.LOGIN.1003` while the device is locked for this number; COMMON.1013 for a number without a user, if the
    ///   client neither creates nor hides such users; `IDAAS.SDK.RATE.1001`.
    package func login(mobile: String, code: String, nonce: String?, for caller: Caller) async throws -> Authentication {
        let number = try areaCodes.number(of: mobile)
        guard caller.client.settings.sms else { throw ServiceError(.unknownConfiguration) }
        let owner = CodeOwner(.login, number, caller)
        let hash = owner.hash(of: code, under: environment.codeHash)
        let redemption = CodeRedemption(owner: owner, hash: hash, caller: caller, limits: limits)
        let draft = try sessions.draft()
        let newUser = User(id: randomness.token(characters: 24, alphabet: .base62), mobile: number.text, created: clock.now)
        let now = clock.now
        let (user, session) = try await store.settle { store -> Result<(User, StoredSession), ServiceError> in
            if let refusal = try redemption.redeem(at: now, in: store) { return .failure(refusal) }
            switch try Self.user(newUser, for: caller.client, at: now, in: store) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let user): return .success((user, try draft.open(for: user, by: ["sms"], caller, at: now, in: store)))
            }
        }
        return try await sessions.authentication(draft.token, user, session, nonce: nonce)
    }

    /// The user of a proved number.
    private static func user(
        _ newUser: User, for client: Client, at now: Timestamp, in store: any StoreWriting
    ) throws -> Result<User, ServiceError> {
        var user = newUser
        if let known = try store.user(mobile: newUser.mobile) {
            guard !known.isLocked else { return .failure(ServiceError(.smsCodeIncorrect)) }
            user = known
        } else if !client.settings.registersUnknownNumbers {
            return .failure(ServiceError(client.settings.revealsUnknownNumbers ? .unknownUser : .smsCodeIncorrect))
        }
        user.lastLogin = now
        try store.save(user)
        return .success(user)
    }
}
