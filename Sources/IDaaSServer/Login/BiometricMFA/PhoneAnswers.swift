package import IDaaSWire
internal import Secrets

/// The phone's side of a second factor: what waits for an answer, and the answer.
///
/// A user has one request at a time with an authenticator, so an answer needs no name of its request. What the phone shows comes from the
/// stored request, not from the PC (sentence 47).
package struct PhoneAnswers: DomainService {
    package let environment: SharedEnvironment

    package struct Pending: Hashable, Sendable {
        package let approval: Approval
        /// The name of the application that the user logs in to.
        package let clientName: String
        package let expiresIn: Duration
    }

    /// The request that waits for the bearer's phone; nil if none does.
    ///
    /// - Throws: `IDAAS.SDK.MFA.1005` without a bound key.
    package func pending(_ bearer: Bearer) async throws -> Pending? {
        let now = clock.now
        let (key, pending) = try await store.read { store -> (BoundKey?, Pending?) in
            let key = try store.boundKey(of: bearer.userID, with: bearer.clientID)
            guard let key, let approval = try store.latestApproval(of: bearer.userID, with: bearer.clientID),
                approval.answered == nil, now < approval.expires, approval.keyID == key.keyID
            else { return (key, nil) }
            let name = try store.client(approval.client)?.name ?? approval.client
            return (key, Pending(approval: approval, clientName: name, expiresIn: approval.expires.secondsUp(from: now)))
        }
        guard key != nil else { throw ServiceError(.deviceNotBound) }
        return pending
    }

    /// The user's answer to the pending request. The first answer counts.
    ///
    /// - Parameters:
    ///   - random: of the request; may be absent for a signature of the challenge alone.
    ///   - matchCode: the number on the PC, typed by the phone's user. A wrong one ends the request as a refusal.
    /// - Throws: COMMON.1001 for an absent `random` or `match_code` that is needed; `IDAAS.SDK.MFA.1002` for a passcode that the client
    ///   does not accept; MFA.1005 without a bound key; MFA.1006 without a request; MFA.1007 for an expired one; MFA.1009 for a signature
    ///   that is not of this request, user, key, decision or version; MFA.1012 for a wrong number.
    package func respond(
        random: String?, _ answer: SignedAnswer, decision: ApprovalDecision, matchCode: String?, _ bearer: Bearer
    ) async throws {
        let now = clock.now
        guard random != nil || answer.version == .challengeOnly else { throw ServiceError(.missingParameter, WireMember.random) }
        try await store.settle { store -> Result<Void, ServiceError> in
            guard let bound = try store.boundKey(of: bearer.userID, with: bearer.clientID) else {
                return .failure(ServiceError(.deviceNotBound))
            }
            guard let approval = try store.latestApproval(of: bearer.userID, with: bearer.clientID), approval.answered == nil else {
                return .failure(ServiceError(.noPendingRequest))
            }
            guard now < approval.expires else { return .failure(ServiceError(.requestExpired)) }
            let policy = try store.client(approval.client)?.settings.secondFactor ?? SecondFactorPolicy()
            guard Self.isSigned(approval, random, answer, decision, bound, policy) else {
                return .failure(try fail(approval, at: now, in: store))
            }
            guard answer.verification == .biometric || policy.allowsPasscode else { return .failure(ServiceError(.accessPolicy)) }
            return try settle(approval, answer, decision, matchCode, at: now, in: store)
        }
    }

    private func settle(
        _ approval: Approval, _ answer: SignedAnswer, _ decision: ApprovalDecision, _ matchCode: String?, at now: Timestamp,
        in store: any StoreWriting
    ) throws -> Result<Void, ServiceError> {
        var verdict = decision == .approve ? Approval.Answer.approved : .denied
        var refusal: ServiceError?
        if decision == .approve, let expected = approval.matchCode {
            guard let matchCode else { return .failure(ServiceError(.missingParameter, WireMember.matchCode)) }
            if !equalInConstantTime(Array(matchCode.utf8), Array(expected.utf8)) {
                verdict = .denied
                refusal = ServiceError(.matchCodeIncorrect)
            }
        }
        guard try store.answer(approval.id, verdict, by: answer.verification, at: now) else {
            return .failure(ServiceError(.noPendingRequest))
        }
        return refusal.map { .failure($0) } ?? .success(())
    }

    /// Counts a signature that is not this request's. Enough of them end the request.
    private func fail(_ approval: Approval, at now: Timestamp, in store: any StoreWriting) throws -> ServiceError {
        let key = approval.id.hexadecimal
        var budget = Budget()
        budget.add(.wrongAnswer, key, [Limit(limits.triesPerState - 1, per: .seconds(3_600))])
        if try budget.refusal(at: now, in: store) != nil { _ = try store.answer(approval.id, .denied, by: nil, at: now) }
        try budget.record(at: now, in: store)
        return ServiceError(.signatureInvalid)
    }

    private static func isSigned(
        _ approval: Approval, _ random: String?, _ answer: SignedAnswer, _ decision: ApprovalDecision, _ bound: BoundKey,
        _ policy: SecondFactorPolicy
    ) -> Bool {
        let names = random.map { equalInConstantTime(Array($0.utf8), Array(approval.random.utf8)) } ?? true
        guard names, approval.keyID == bound.keyID, let key = P256PublicKey(document: bound.document) else { return false }
        let statement = BiometricStatement(
            challenge: approval.random, client: approval.client, user: approval.user,
            decision: BiometricStatement.Decision(decision), verification: answer.verification)
        return answer.isOf(key, statement, atLeast: bound.version, policy)
    }
}
