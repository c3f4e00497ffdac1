internal import IDaaSWire
internal import Secrets

/// Login with a carrier's token: the server asks for the number, once for each token, and logs in its owner.
package struct OneClickLogin: DomainService {
    package let environment: SharedEnvironment
    let sessions: Sessions
    let exchange: ProviderExchange<String>

    /// The name of the account's secret among the secrets of a client.
    static let source = "one-click"

    init(_ environment: SharedEnvironment, sessions: Sessions) {
        self.environment = environment
        self.sessions = sessions
        exchange = ProviderExchange(
            environment, .carrierToken, usedBefore: ServiceError(.expired, WireMember.accessToken),
            failed: ServiceError(.interfaceFailed, "GetMobile"))
    }

    /// Logs in the owner of the phone. Creates a user for an unknown number if the client's settings say so.
    ///
    /// - Throws: `IDAAS.SDK.LOGIN.1008` for a client without this source; COMMON.1001; COMMON.1005 with {0} = access_token for a token that
    ///   was used or that the carrier refuses; `IDAAS.SDK.LOGIN.1001` with {0} = GetMobile where the provider fails or names a number of no
    ///   listed country; COMMON.1013 for a number without a user that the client does not create, and for a locked user;
    ///   `IDAAS.SDK.RATE.1001`.
    package func login(accessToken: String, nonce: String?, for caller: Caller) async throws -> Authentication {
        guard let source = caller.client.settings.oneClick else { throw ServiceError(.oneClickSource) }
        guard !accessToken.isEmpty else { throw ServiceError(.missingParameter, WireMember.accessToken) }
        let secret = try serverKey.open(source.sealedSecret, as: .sourceSecret(client: caller.client.id, source: Self.source))
        let account = CarrierAccount(accessKeyID: source.accessKeyID, accessKeySecret: String(decoding: secret, as: UTF8.self))
        let draft = try sessions.draft()
        let userID = randomness.token(characters: 24, alphabet: .base62)
        let outcome = try await exchange.outcome(of: accessToken, for: caller) { () async throws(UpstreamFailure) in
            try await environment.carrierNumbers.number(of: accessToken, for: account)
        } decide: { number, store, now in
            try decide(number, userID, draft, caller, at: now, in: store)
        }
        switch outcome {
        case .session(let id): return try await sessions.firstAuthentication(of: id, nonce: nonce)
        case .refused(let code, let argument): throw argument.isEmpty ? ServiceError(code) : ServiceError(code, argument)
        case .step: throw ServiceError(.systemBusy)
        }
    }

    private func decide(
        _ text: String, _ userID: String, _ draft: SessionDraft, _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> ExchangeOutcome {
        // The carriers of one country write numbers without an area code: the country is the preferred one.
        guard let number = areaCodes.number(exactly: text) else { return .refused(ServiceError(.interfaceFailed, "GetMobile")) }
        let newUser = caller.client.settings.registersUnknownNumbers ? User(id: userID, mobile: number.text, created: now) : nil
        guard var user = try store.user(mobile: number.text) ?? newUser, !user.isLocked else { return .refused(ServiceError(.unknownUser)) }
        user.lastLogin = now
        try store.save(user)
        return .session(try draft.open(for: user, by: ["carrier"], caller, at: now, in: store).id)
    }
}
