internal import HTTPTypes
internal import IDaaSWire

/// Endpoints 8 and 9: sending a code, and logging in with it.
package struct SMSEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.post, WirePath.smsSend, "sendSMS", audit: .smsSend, send),
            Endpoint(.post, WirePath.smsLogin, "loginBySMS", audit: .smsLogin, login),
        ]
    }

    /// No content on success, as documented; the numbers if the client prefers a representation (RFC 7240 section 4.2).
    private func send(_ exchange: Exchange) async throws -> Reply {
        let (caller, body, mobile) = try await services.request(exchange, of: WireMember.mobile)
        let receipt = try await services.sms.send(
            mobile: mobile, type: try body.string(WireMember.type, limit: 64),
            captchaToken: try body.string(WireMember.captchaToken, limit: 512), stateToken: try exchange.stateToken, for: caller)
        guard exchange.prefersRepresentation else { return Reply() }
        return .json(
            [WireMember.expire: JSON(receipt.expire), WireMember.interval: JSON(receipt.interval)],
            fields: [.preferenceApplied: "return=representation"])
    }

    private func login(_ exchange: Exchange) async throws -> Reply {
        let (caller, body, mobile) = try await services.request(exchange, of: WireMember.mobile)
        let authentication = try await services.login.login(
            mobile: mobile, code: try body.string(WireMember.code, limit: 32), nonce: try body.optionalString(WireMember.nonce, limit: 128),
            for: caller)
        exchange.trail.note(userID: authentication.userID, sessionID: authentication.sid)
        return .json(authentication.json(withStatus: true))
    }
}

extension Services {
    /// The caller, the body, and the number in `member` of the body, which the audit trail names.
    func request(_ exchange: Exchange, of member: String) async throws -> (Caller, JSONBody, mobile: String) {
        let caller = try await clients.caller(of: exchange)
        let body = try JSONBody(exchange)
        let mobile = try body.string(member, limit: 64)
        exchange.trail.note(mobile: mobile)
        return (caller, body, mobile)
    }
}

extension Exchange {
    /// The state token of the request; empty if there is none.
    ///
    /// - Throws: COMMON.1006 for one that is longer than any of ours.
    var stateToken: String {
        get throws(ServiceError) {
            let token = value(.stateToken) ?? ""
            guard token.utf8.count <= 1_024 else { throw ServiceError(.invalidParameter, WireMember.stateToken) }
            return token
        }
    }
}

extension LoginAnswer {
    /// T, or the step that has to follow.
    var json: JSON {
        switch self {
        case .loggedIn(let authentication): authentication.json(withStatus: true)
        case .step(let step):
            [
                WireMember.status: .string(step.status), WireMember.stateToken: .string(step.stateToken),
                WireMember.data: .string(step.data),
            ]
        }
    }
}

extension AuditTrail {
    func note(_ authentication: Authentication) { note(userID: authentication.userID, sessionID: authentication.sid) }

    func note(_ answer: LoginAnswer) {
        switch answer {
        case .loggedIn(let authentication): note(authentication)
        case .step(let step): note(token: step.stateToken)
        }
    }
}

extension Authentication {
    /// T of the protocol. The refresh endpoint answers the same without `status`.
    func json(withStatus: Bool) -> JSON {
        var members: [(String, JSON)] = [
            (WireMember.sessionToken, .string(sessionToken)), (WireMember.expire, JSON(expire)), (WireMember.idToken, .string(idToken)),
            (WireMember.idTokenLifetime, JSON(idTokenExpiresIn)),
        ]
        if withStatus { members.append((WireMember.status, .string(LoginStatus.success))) }
        return .object(members)
    }
}

extension Exchange {
    fileprivate var prefersRepresentation: Bool {
        fields[values: .prefer].flatMap { $0.split(separator: ",") }.contains { preference in
            preference.split(separator: ";").first.map { String($0).trimmed.lowercased() } == "return=representation"
        }
    }
}
