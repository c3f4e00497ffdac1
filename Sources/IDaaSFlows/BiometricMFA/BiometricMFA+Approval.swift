public import IDaaSWire

extension BiometricMFA {
    /// Approves or denies a login at a PC. Verifies the user in both cases, and signs the decision.
    ///
    /// - Parameters:
    ///   - request: the login that waits.
    ///   - decision: approve or deny.
    ///   - idToken: the id_token of the session; nil takes the stored session's.
    ///   - userID: the one of ``bind(userID:idToken:)``; nil means the one that the id_token's user bound last.
    ///   - matchCode: the two digits on the PC, if ``PendingApproval/needsMatchCode``. A denial needs none.
    public func answer(
        _ request: PendingApproval, _ decision: ApprovalDecision, userID: String? = nil, matchCode: String? = nil, idToken: String? = nil
    ) async -> ApprovalOutcome {
        do throws(FlowError) {
            let login = try await login(idToken)
            guard request.subject == login.user.id else { throw FlowError(.service(.noPendingRequest)) }
            let name = try await keyName(userID, login)
            let digits = try Self.digits(matchCode, request, decision)
            let reason: BiometricReason =
                decision == .approve ? .approve(clientName: request.clientName) : .deny(clientName: request.clientName)
            let signed = try await signed(
                request.random, for: reason, by: name, reuse: .zero,
                Statement(client: request.clientID, user: login.user.id, decision: BiometricStatement.Decision(decision)),
                version: wire.configuration.signatureVersion)
            var body = signed.members
            body[WireMember.random] = .text(request.random)
            body[WireMember.decision] = .text(decision.rawValue)
            if let digits { body[WireMember.matchCode] = .text(digits) }
            return try await respond(body, login)
        } catch {
            return .failed(error)
        }
    }

    /// Approves the login with this random string. Asks the server for its application, which the signature covers.
    func approve(
        random: String, userID: String, idToken: String, matchCode: @Sendable (PendingApproval) async -> String?
    ) async -> ApprovalOutcome {
        guard !random.isEmpty else { return .failed(FlowError(.missingInput(WireMember.random))) }
        guard !userID.isEmpty else { return .failed(FlowError(.missingInput("userID"))) }
        switch await pending(idToken: idToken) {
        case .pending(let request) where request.random == random:
            let digits = request.needsMatchCode ? await matchCode(request) : nil
            return await answer(request, .approve, userID: userID, matchCode: digits, idToken: idToken)
        case .pending, .none: return .failed(FlowError(.service(.noPendingRequest)))
        case .failed(let error): return .failed(error)
        }
    }

    func respond(_ body: [String: WireValue], _ login: Login) async throws(FlowError) -> ApprovalOutcome {
        try BiometricReply(try await wire.call(WireCall(post: WirePath.bioRespond, body, login.fields))).isDone ? .answered : .refused
    }

    private func keyName(_ userID: String?, _ login: Login) async throws(FlowError) -> BiometricKeyName {
        if let userID { return try name(userID) }
        guard let bound = try await store.contents().bindings?[binding(of: login)] else { throw FlowError(.biometric(.keyMissing)) }
        return try name(bound)
    }

    private static func digits(
        _ matchCode: String?, _ request: PendingApproval, _ decision: ApprovalDecision
    ) throws(FlowError) -> String? {
        guard decision == .approve, request.needsMatchCode || matchCode != nil else { return nil }
        let digits = try WireText.checked(matchCode ?? "", WireMember.matchCode)
        guard digits.utf8.count == 2, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw FlowError(.invalidInput(WireMember.matchCode))
        }
        return digits
    }
}
