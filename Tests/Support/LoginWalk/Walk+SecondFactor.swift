internal import IDaaSFlows
internal import IDaaSWire
internal import JWKSCache
internal import JWTCore
internal import LoginSupport

/// The login at a PC: a password, and the phone's approval.
extension Walk {
    /// Follows the login with one click, whose session the phone has.
    func secondFactor() async throws {
        let password = "correct horse \(mobile.suffix(6))"
        try administration.run("user", "set-password", mobile, input: password)
        try await step("phone bound with a key of its own") {
            let outcome = await flows.biometrics.bind(userID: mobile)
            guard case .bound = outcome else { throw Wrong("binding ended with \(outcome.legacyCode)") }
        }
        let pc = PC(domain: domain, client: client, device: "pc-\(mobile)", transport: environment.transport)
        let login = try await step("PC: password accepted, second factor demanded") {
            try await pc.logIn(mobile, password: password)
        }
        let request = try await step("PC: phone asked, number to type shown") { try await pc.askPhone(login) }
        try await step("phone: login shown, number typed, approved") { try await approve(request) }
        let tokens = try await step("PC: logged in by the phone's approval") { try await pc.poll(request) }
        try await judged(tokens.idToken)
        try await step("phone unbound") {
            let outcome = await flows.biometrics.unbind()
            guard case .unbound = outcome else { throw Wrong("unbinding ended with \(outcome.legacyCode)") }
        }
    }

    private func approve(_ request: PC.Request) async throws {
        let found = await flows.biometrics.pending()
        guard case .pending(let pending) = found else { throw Wrong("no login waits: \(found.legacyCode)") }
        let outcome = await flows.biometrics.answer(pending, .approve, matchCode: request.matchCode)
        guard case .answered = outcome else { throw Wrong("the approval ended with \(outcome.legacyCode)") }
    }

    /// The policy of a service that demands a second factor: it accepts this login, and none of a single factor.
    private func judged(_ token: String) async throws {
        try await step("  its id_token verified: acr, amr and auth_time by policy") {
            let owner = try await flows.identity.userInfo(of: token).get().mobile
            guard owner == mobile else { throw Wrong("the token is of \(owner ?? "nobody")") }
            return try await verified(token, by: twoFactors)
        }
        let single = try await flows.sessions.current().get().idToken
        try await step("  refused: the token of one click, by the same policy") {
            do throws(VerificationError) {
                _ = try await verified(single, by: twoFactors)
            } catch {
                guard error.code == .contextClassMismatch else { throw Wrong("expected context_class_mismatch, got \(error)") }
                return error.code.name
            }
            throw Wrong("the policy accepts a single factor")
        }
    }

    private var twoFactors: ClaimsPolicy {
        var policy = ClaimsPolicy.idToken(issuer: configuration.issuer, clientID: client)
        policy.contextClasses = ["http://idmanagement.gov/ns/assurance/aal/2"]
        policy.authenticationMethods = ["pwd", "hwk", "user"]
        policy.maximumAuthenticationAge = .seconds(60)
        return policy
    }

    private func verified(_ token: String, by policy: ClaimsPolicy) async throws(VerificationError) -> VerifiedToken {
        let verifier = TokenVerifier(keys: flows.identity.keys, policy: policy)
        return try await flows.identity.keys.retrying { () throws(VerificationError) in try verifier.verify(token) }
    }
}
