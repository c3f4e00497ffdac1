internal import IDaaSFlows
internal import LoginSupport

/// After a restart. A request of the next step may have been answered into the void, unless the user pauses.
extension PhoneUser {
    func isHonoured(_ facts: inout Facts) async throws {
        switch remembered.reached {
        case nil: break
        case .signedIn:
            let renewed = await phone.renew()
            try facts.expect(.session, renewed.session != nil && renewed.failure == nil, "\(renewed)")
        case .bound, .rebound:
            guard try await phone.isBound() else { throw Wrong("\(Fact.bound.rawValue): \(phone.mobile) is not bound") }
            try await logIn()
            try await asksAndPolls(.bound, &facts)
        case .firstFactor: try await asksAndPolls(.firstFactor, &facts)
        case .asked: try await answersAndPolls(.asked, mayBeAnswered: last > .asked, &facts)
        case .approved: try await polls(mayBePolled: last > .approved, &facts)
        case .polled:
            guard let tokens = remembered.tokens else { throw Wrong("no tokens of a second factor") }
            try facts.expect(.twoFactors, try await pc.renew(tokens).sessionToken != tokens.sessionToken, phone.mobile)
        case .unbound:
            guard last == .unbound else { break }
            try facts.expect(.unbound, try await !phone.isBound(), phone.mobile)
        }
    }

    /// A polled request and an answered one stay so. Then the phone is unbound for the next round.
    func keepsConsumed(_ facts: inout Facts) async throws {
        let memory = remembered
        guard memory.reached != nil else { return }
        if let request = memory.request {
            try facts.expect(.polledOnce, try await refusal(of: request) == Self.consumed, phone.mobile)
        }
        guard try await phone.isBound() else { return }
        if let pending = memory.pending {
            let again = await phone.approve(pending, memory.request?.matchCode)
            try facts.expect(.answeredOnce, again.legacyCode == "IDAAS.SDK.MFA.1006", "\(again)")
        }
        try await phone.unbind()
    }

    private func asksAndPolls(_ fact: Fact, _ facts: inout Facts) async throws {
        try await ask()
        try await answersAndPolls(fact, mayBeAnswered: false, &facts)
    }

    private func answersAndPolls(_ fact: Fact, mayBeAnswered: Bool, _ facts: inout Facts) async throws {
        if let pending = try await phone.pending() {
            let outcome = await approve(pending)
            try facts.expect(fact, outcome.legacyCode == "0", "\(outcome)")
        } else {
            guard mayBeAnswered else { throw Wrong("\(fact.rawValue): nothing waits for \(phone.mobile)") }
        }
        try await polls(mayBePolled: false, &facts)
    }

    private func polls(mayBePolled: Bool, _ facts: inout Facts) async throws {
        guard let request = remembered.request else { throw Wrong("no request") }
        let refusal = try await refusal(of: request)
        if mayBePolled, refusal == Self.consumed { return }
        try facts.expect(.approved, refusal == nil, refusal ?? "")
    }

    /// The code with which a poll is refused; nil if it gives tokens.
    private func refusal(of request: PC.Request) async throws -> String? {
        do {
            _ = try await pc.poll(request)
            return nil
        } catch let refusal as PC.Refusal {
            return refusal.code
        }
    }

    /// The code for a state token that was used.
    private static let consumed = "IDAAS.SDK.COMMON.1005"
}
