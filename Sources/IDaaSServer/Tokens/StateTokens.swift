internal import IDaaSWire
internal import JWTCore
internal import JWTSigning
internal import Secrets

/// Tokens that carry a login from one step to the next. They are signed with a separate, unpublished key: none is an id_token, and no
/// verifier of id_tokens accepts one.
///
/// A token is a claim check: what the next step needs is in the token's ``SingleUse`` record.
package struct StateTokens: DomainService {
    package let environment: SharedEnvironment
    private let signer: TokenSigner
    private let verifier: TokenVerifier<KeySet>

    init(_ environment: SharedEnvironment) {
        self.environment = environment
        signer = environment.serverKey.state.value.signer
        var policy = ClaimsPolicy()
        policy.algorithms = [.hs256]
        policy.types = [Self.mediaType]
        policy.leeway = .zero
        policy.requiredClaims = ["exp", "jti"]
        verifier = TokenVerifier(keys: environment.serverKey.state.value.keys, policy: policy)
    }

    private static let mediaType = "state+jwt"

    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        case bindWeChat = "wechat-bind"
        case registerWeChat = "wechat-register"
        case secondFactor = "mfa"
    }

    /// Issues a token for the next step of `caller`. It works only once its record is stored; see ``draft(_:for:subject:content:)``.
    package func mint(_ purpose: Purpose, for caller: Caller) throws -> String {
        try token(purpose, id: freshID(), client: caller.client.id, device: caller.device, expires: clock.now + lifetimes.stateToken)
    }

    /// A token and its record.
    struct Draft: Sendable {
        let token: String
        /// `jti`, by which ``token(of:_:)`` makes the token again.
        let id: String
        let record: SingleUse
    }

    /// Prepares a token. The caller stores the record in the transaction that decides about the step.
    ///
    /// - Parameters:
    ///   - subject: the number of the user, if there is one: the record is deleted with it.
    ///   - content: what the next step needs.
    func draft(_ purpose: Purpose, for caller: Caller, subject: String = "", content: [UInt8]) throws -> Draft {
        let (id, now) = (freshID(), clock.now)
        let record = SingleUse(
            purpose: .state(purpose), key: Self.key(of: id), client: caller.client.id, device: caller.device, subject: subject,
            content: content, created: now, expires: now + lifetimes.stateToken)
        let token = try token(purpose, id: id, client: record.client, device: record.device, expires: record.expires)
        return Draft(token: token, id: id, record: record)
    }

    /// The token of a stored record, for a client that lost the reply: the same bytes again.
    func token(of id: String, _ purpose: Purpose, in store: any StoreReading) throws -> String? {
        guard let record = try store.singleUse(.state(purpose), Self.key(of: id)) else { return nil }
        return try token(purpose, id: id, client: record.client, device: record.device, expires: record.expires)
    }

    /// A token in a request: which step it is for, and where its record is.
    struct Presented: Hashable, Sendable {
        let purpose: Purpose
        let key: [UInt8]
    }

    /// Reads a token of one of `purposes`, of this client and device.
    ///
    /// - Throws: COMMON.1001 without one, COMMON.1006 for anything that is not such a token, COMMON.1005 for one that is too old.
    func read(_ token: String, for caller: Caller, _ purposes: Set<Purpose>) throws -> Presented {
        guard !token.isEmpty else { throw ServiceError(.missingParameter, WireHeader.stateToken) }
        let refusal = ServiceError(.invalidParameter, WireMember.stateToken)
        let moment = NumericDate(seconds: clock.now.seconds)
        let claimed: (id: String, purpose: Purpose)?
        do throws(VerificationError) {
            claimed = try verifier.withVerified(token.utf8.span, now: moment) { claims -> (id: String, purpose: Purpose)? in
                guard claims["typ"]?.string?.string == "state", claims["client_id"]?.string?.string == caller.client.id,
                    claims["device_fp_hash"]?.string?.string == caller.device.hexadecimal, let id = claims.tokenID?.string,
                    let purpose = (claims["purpose"]?.string?.string).flatMap(Purpose.init(rawValue:)), purposes.contains(purpose)
                else { return nil }
                return (id, purpose)
            }
        } catch {
            throw error.code == .expired ? ServiceError(.expired, WireMember.stateToken) : refusal
        }
        guard let claimed else { throw refusal }
        return Presented(purpose: claimed.purpose, key: Self.key(of: claimed.id))
    }

    private func token(_ purpose: Purpose, id: String, client: String, device: [UInt8], expires: Timestamp) throws -> String {
        let claims: JSON = [
            "jti": .string(id), "typ": "state", "purpose": .string(purpose.rawValue), "client_id": .string(client),
            "device_fp_hash": .string(device.hexadecimal), "exp": .integer(expires.seconds),
        ]
        guard let token = signer.token(payload: claims.text, type: Self.mediaType) else { throw KeyFailure.cryptography }
        return token
    }

    private func freshID() -> String { String(decoding: Base64URL.encode(randomness.bytes(16)), as: UTF8.self) }

    private static func key(of id: String) -> [UInt8] { Digest256.of(Array(id.utf8)) }
}

extension StateTokens.Presented {
    /// The live record of the token.
    ///
    /// - Returns: COMMON.1005 for a token that was used, or ended by wrong codes.
    func record(of caller: Caller, at now: Timestamp, in store: any StoreReading) throws -> Result<SingleUse, ServiceError> {
        guard let record = try store.singleUse(.state(purpose), key), record.belongs(to: caller), record.isLive(at: now) else {
            return .failure(ServiceError(.expired, WireMember.stateToken))
        }
        return .success(record)
    }

    /// Counts a wrong code. Enough of them end the token.
    func count(_ refusal: ServiceError, _ limits: LimitSettings, at now: Timestamp, in store: any StoreWriting) throws {
        guard refusal.code == .smsCodeIncorrect, var record = try store.singleUse(.state(purpose), key) else { return }
        record.failures += 1
        if record.failures >= limits.triesPerState { record.expires = now }
        try store.save(record)
    }

    /// Consumes the token. Of all callers exactly one gets true.
    func consume(at now: Timestamp, in store: any StoreWriting) throws -> Bool {
        try store.consume(.state(purpose), key, at: now, outcome: nil)
    }
}
