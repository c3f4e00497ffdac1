internal import Foundation
internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// Binds and unbinds the key of a user's phone.
///
/// Either needs a signature by the key over a fresh challenge: an id_token and a local check alone, which a hooked app can fake, are not
/// enough (sentences 39 and 40).
package struct PhoneKeys: DomainService {
    package let environment: SharedEnvironment

    /// The key of the bearer's phone; nil if none is bound.
    package func key(of bearer: Bearer) async throws -> BoundKey? {
        try await store.read { try $0.boundKey(of: bearer.userID, with: bearer.clientID) }
    }

    package struct Challenge: Hashable, Sendable {
        package let text: String
        package let expiresIn: Duration
    }

    /// A challenge to sign, for one use.
    ///
    /// - Throws: COMMON.1006 for another action than bind and unbind; `IDAAS.SDK.RATE.1001`.
    package func challenge(for action: String, _ bearer: Bearer, _ caller: Caller) async throws -> Challenge {
        guard let decision = BiometricStatement.Decision(rawValue: action), [.bind, .unbind].contains(decision) else {
            throw ServiceError(.invalidParameter, WireMember.action)
        }
        let text = String(decoding: Base64URL.encode(randomness.bytes(32)), as: UTF8.self)
        let now = clock.now
        let record = SingleUse(
            purpose: .keyChallenge(decision), key: Digest256.of(Array(text.utf8)), client: caller.client.id, device: caller.device,
            content: Array(bearer.userID.utf8), created: now, expires: now + lifetimes.approval)
        var budget = Budget()
        budget.add(.challengeOfDevice, caller.deviceKey, limits.challengesPerDevice)
        try await store.settle { [budget] store -> Result<Void, ServiceError> in
            if let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
            try budget.record(at: now, in: store)
            try store.save(record)
            return .success(())
        }
        return Challenge(text: text, expiresIn: lifetimes.approval)
    }

    /// Binds a key to the bearer. The same key again is no error. A new key of the same device replaces the old one, as after a change of
    /// its biometrics.
    ///
    /// - Parameters:
    ///   - publicKey: SubjectPublicKeyInfo in base64.
    ///   - deviceName: shown to the user; nil: the operating system of the request.
    /// - Throws: COMMON.1005 with {0} = auth_time for a login of more than ten minutes ago; COMMON.1002; `IDAAS.SDK.MFA.1002` for a
    ///   passcode that the client does not accept; `IDAAS.SDK.MFA.1004` where another device is bound or another user has the key;
    ///   `IDAAS.SDK.MFA.1007` for a challenge that is used, old or another caller's; `IDAAS.SDK.MFA.1009`.
    package func bind(
        publicKey: String, algorithm: String, challenge: String, _ answer: SignedAnswer, deviceName: String?, _ bearer: Bearer,
        _ caller: Caller
    ) async throws {
        let now = clock.now
        guard now < bearer.authTime + lifetimes.bindingLogin else { throw ServiceError(.expired, "auth_time") }
        guard algorithm == BiometricEnvelope.algorithm else { throw ServiceError(.invalidFormat, WireMember.algorithm) }
        guard let document = Data(base64Encoded: publicKey).map(Array.init), let key = P256PublicKey(document: document) else {
            throw ServiceError(.invalidFormat, WireMember.publicKey)
        }
        let policy = caller.client.settings.secondFactor
        guard answer.verification == .biometric || policy.allowsPasscode else { throw ServiceError(.accessPolicy) }
        let isSigned = answer.isOf(key, statement(.bind, challenge, answer, bearer), atLeast: .challengeOnly, policy)
        let bound = BoundKey(
            user: bearer.userID, client: caller.client.id, keyID: Digest256.of(document), document: document, version: answer.version,
            device: caller.device, deviceName: deviceName ?? caller.deviceName, bound: now)
        try await store.settle { store -> Result<Void, ServiceError> in
            if let refusal = try Self.consume(challenge, .bind, bearer, caller, at: now, in: store) { return .failure(refusal) }
            guard isSigned else { return .failure(ServiceError(.signatureInvalid)) }
            let known = try store.boundKey(of: bound.user, with: bound.client)
            if let known {
                guard known.device == caller.device else { return .failure(ServiceError(.deviceBound)) }
                guard known.keyID != bound.keyID else { return .success(()) }
                try store.cancelApprovals(of: bound.user, with: bound.client, at: now)
            }
            guard try store.save(bound) else { return .failure(ServiceError(.deviceBound)) }
            try store.add(Signal(.credentialChange(user: bound.user, .app, known == nil ? .create : .update, by: .user), at: now))
            return .success(())
        }
    }

    /// Unbinds the bearer's key, and cancels what waits for its answer.
    ///
    /// - Throws: `IDAAS.SDK.MFA.1005` without a bound key; `IDAAS.SDK.MFA.1007` and `IDAAS.SDK.MFA.1009` as for binding.
    package func unbind(challenge: String, _ answer: SignedAnswer, _ bearer: Bearer, _ caller: Caller) async throws {
        let now = clock.now
        let policy = caller.client.settings.secondFactor
        let statement = statement(.unbind, challenge, answer, bearer)
        try await store.settle { store -> Result<Void, ServiceError> in
            guard let bound = try store.boundKey(of: bearer.userID, with: bearer.clientID) else {
                return .failure(ServiceError(.deviceNotBound))
            }
            if let refusal = try Self.consume(challenge, .unbind, bearer, caller, at: now, in: store) { return .failure(refusal) }
            guard let key = P256PublicKey(document: bound.document), answer.isOf(key, statement, atLeast: bound.version, policy) else {
                return .failure(ServiceError(.signatureInvalid))
            }
            try store.removeBoundKey(of: bound.user, with: bound.client)
            try store.add(Signal(.credentialChange(user: bound.user, .app, .delete, by: .user), at: now))
            try store.cancelApprovals(of: bound.user, with: bound.client, at: now)
            return .success(())
        }
    }

    private func statement(
        _ decision: BiometricStatement.Decision, _ challenge: String, _ answer: SignedAnswer, _ bearer: Bearer
    ) -> BiometricStatement {
        BiometricStatement(
            challenge: challenge, client: bearer.clientID, user: bearer.userID, decision: decision, verification: answer.verification)
    }

    /// Consumes a challenge, whatever the signature is worth.
    private static func consume(
        _ challenge: String, _ action: BiometricStatement.Decision, _ bearer: Bearer, _ caller: Caller, at now: Timestamp,
        in store: any StoreWriting
    ) throws -> ServiceError? {
        let purpose = SingleUse.Purpose.keyChallenge(action)
        let key = Digest256.of(Array(challenge.utf8))
        guard let record = try store.singleUse(purpose, key), record.belongs(to: caller), record.content == Array(bearer.userID.utf8),
            try store.consume(purpose, key, at: now, outcome: nil)
        else { return ServiceError(.requestExpired) }
        return nil
    }
}
