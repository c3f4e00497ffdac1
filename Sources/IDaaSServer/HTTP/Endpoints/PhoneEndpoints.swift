internal import HTTPTypes
internal import IDaaSWire
internal import JWTCore

/// Endpoints 17 to 22: the phone of a biometric second factor. Replies stand in the documented envelope.
package struct PhoneEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, WirePath.bioDevice, "phoneStatus", status),
            Endpoint(.post, WirePath.bioChallenge, "phoneChallenge", audit: .bindChallenge, challenge),
            Endpoint(.post, WirePath.bioDevice, "bindPhone", audit: .phoneBind, bind),
            Endpoint(.post, WirePath.bioUnbind, "unbindPhone", audit: .phoneUnbind, unbind),
            Endpoint(.get, WirePath.bioPending, "pendingApproval", pending),
            Endpoint(.post, WirePath.bioRespond, "respondToApproval", audit: .approvalAnswer, respond),
        ]
    }

    private func status(_ exchange: Exchange) async throws -> Reply {
        let (bearer, _) = try await services.bearer(of: exchange)
        guard let key = try await services.phoneKeys.key(of: bearer) else { return Self.reply([WireMember.isBound: false]) }
        return Self.reply([
            WireMember.isBound: true, WireMember.keyID: .string(String(decoding: Base64URL.encode(key.keyID), as: UTF8.self)),
            WireMember.bound: .string(String(key.bound.milliseconds)),
        ])
    }

    private func challenge(_ exchange: Exchange) async throws -> Reply {
        let (bearer, caller) = try await services.bearer(of: exchange)
        let action = try JSONBody(exchange).string(WireMember.action, limit: 16)
        let challenge = try await services.phoneKeys.challenge(for: action, bearer, caller)
        return Self.reply([WireMember.challenge: .string(challenge.text), WireMember.lifetime: JSON(challenge.expiresIn)])
    }

    private func bind(_ exchange: Exchange) async throws -> Reply {
        let (bearer, caller) = try await services.bearer(of: exchange)
        let body = try JSONBody(exchange)
        try await services.phoneKeys.bind(
            publicKey: try body.string(WireMember.publicKey, limit: 512), algorithm: try body.string(WireMember.algorithm, limit: 16),
            challenge: try body.string(WireMember.challenge, limit: 128), try Self.answer(body),
            deviceName: try body.optionalString(WireMember.deviceName, limit: 64), bearer, caller)
        return Self.reply(true)
    }

    private func unbind(_ exchange: Exchange) async throws -> Reply {
        let (bearer, caller) = try await services.bearer(of: exchange)
        let body = try JSONBody(exchange)
        try await services.phoneKeys.unbind(
            challenge: try body.string(WireMember.challenge, limit: 128), try Self.answer(body), bearer, caller)
        return Self.reply(true)
    }

    private func pending(_ exchange: Exchange) async throws -> Reply {
        let (bearer, _) = try await services.bearer(of: exchange)
        return Self.reply(try await services.phoneAnswers.pending(bearer)?.json ?? .null)
    }

    private func respond(_ exchange: Exchange) async throws -> Reply {
        let (bearer, _) = try await services.bearer(of: exchange)
        let body = try JSONBody(exchange)
        let text = try body.optionalString(WireMember.decision, limit: 16) ?? ApprovalDecision.approve.rawValue
        guard let decision = ApprovalDecision(rawValue: text) else { throw ServiceError(.invalidParameter, WireMember.decision) }
        try await services.phoneAnswers.respond(
            random: try body.optionalString(WireMember.random, limit: 128), try Self.answer(body), decision: decision,
            matchCode: try body.optionalString(WireMember.matchCode, limit: 8), bearer)
        return Self.reply(true)
    }

    private static func answer(_ body: JSONBody) throws(ServiceError) -> SignedAnswer {
        try SignedAnswer(
            signature: try body.string(WireMember.signature, limit: 256), version: try body.optionalInteger(WireMember.signatureVersion),
            verification: try body.optionalString(WireMember.userVerification, limit: 16))
    }

    private static func reply(_ data: JSON) -> Reply {
        .json([WireMember.envelopeCode: .string(BiometricEnvelope.success), WireMember.data: data, WireMember.message: nil])
    }
}

extension PhoneAnswers.Pending {
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [
            (WireMember.random, .string(approval.random)), (WireMember.clientID, .string(approval.client)),
            (WireMember.clientName, .string(clientName)), (WireMember.authenticated, .string(String(approval.created.milliseconds))),
            (WireMember.lifetime, JSON(expiresIn)), (WireMember.needsMatchCode, .bool(approval.matchCode != nil)),
        ]
        if !approval.region.isEmpty { members.append((WireMember.region, .string(approval.region))) }
        if let message = approval.message { members.append((WireMember.bindingMessage, .string(message))) }
        return .object(members)
    }
}
