#if IDaaS
internal import Secrets

/// Login by SMS code.
///
/// A login is never repeated to a client that lost the reply, unlike sending and refreshing: a code is a guess away, so its second use
/// is refused whoever makes it (section 5.1 sentence 3), and a token is not given out twice for one proof. The client asks for another
/// code.
package struct SMSLogin: Sendable {
    let store: any Store
    let clock: any ServerClock
    let randomness: Randomness
    let limits: LimitSettings
    let areaCodes: AreaCodes
    let hash: any KeyedHash
    let sessions: Sessions

    /// Logs in the owner of `mobile`, making a user for a number that has none where the client wants so.
    ///
    /// - Parameter nonce: goes into the id_token.
    /// - Throws: COMMON.1001, 1002 and 1009; `IDAAS.SDK.SMS.1005` for a wrong, used or old code, with the tries that are left where it
    ///   is this device's; `IDAAS.SDK.LOGIN.1003` while the number is locked; COMMON.1013 for a number without a user, where the client
    ///   neither makes nor hides those; `IDAAS.SDK.RATE.1001`.
    package func login(mobile: String, code: String, nonce: String?, for caller: Caller) async throws -> Authentication {
        let number = try areaCodes.number(mobile)
        guard !code.isEmpty else { throw ServiceError(.missingParameter, "verify_code") }
        guard caller.client.settings.sms else { throw ServiceError(.unknownConfiguration) }
        let owner = CodeOwner(.login, number, caller)
        let attempt = CodeAttempt(owner: owner, hash: owner.hash(of: code, under: hash), caller: caller, limits: limits)
        let draft = try sessions.draft()
        let newUser = User(id: randomness.token(characters: 24, alphabet: .base62), mobile: number.text, created: clock.now)
        let now = clock.now
        let (user, session) = try await store.settle { store -> Result<(User, Session), ServiceError> in
            if let refusal = try attempt.refusal(at: now, in: store) { return .failure(refusal) }
            switch try Self.user(newUser, for: caller.client, at: now, in: store) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let user): return .success((user, try draft.open(for: user, by: ["sms"], caller, at: now, in: store)))
            }
        }
        return try await sessions.authentication(draft.token, user, session, nonce: nonce)
    }

    /// The user of a number that was proved.
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
#endif
