#if IDaaS
internal import HTTPTypes

/// Endpoints 8 and 9: sending a code, and logging in with it.
package struct SMSEndpoints: EndpointGroup {
    let services: Services
    let callers: CallerReading

    package var endpoints: [Endpoint] {
        [
            Endpoint(.post, "/api/v2/sdk/sms/send", "sendSMS", audit: .smsSend, send),
            Endpoint(.post, "/api/v2/sdk/login/mobile-verify-code", "loginBySMS", audit: .smsLogin, login),
        ]
    }

    /// Nothing on success, as documented; the numbers for whoever prefers a representation (RFC 7240 section 4.2).
    private func send(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        let body = try JSONBody(exchange)
        let mobile = try body.string("mobile", limit: 64)
        exchange.trail.note(mobile: mobile)
        let receipt = try await services.sms.send(
            mobile: mobile, type: try body.string("type", limit: 64), captchaToken: try body.string("captcha_token", limit: 512),
            for: caller)
        guard exchange.prefersRepresentation else { return Reply() }
        return .json(
            ["expire": JSON(receipt.expire), "interval": JSON(receipt.interval)],
            fields: [.preferenceApplied: "return=representation"])
    }

    private func login(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        let body = try JSONBody(exchange)
        let mobile = try body.string("mobile", limit: 64)
        exchange.trail.note(mobile: mobile)
        let authentication = try await services.login.login(
            mobile: mobile, code: try body.string("verify_code", limit: 32), nonce: try body.optionalString("nonce", limit: 128),
            for: caller)
        exchange.trail.note(userID: authentication.userID, sessionID: authentication.sid)
        return .json(authentication.json(withStatus: true))
    }
}

extension Authentication {
    /// T of the protocol; the refresh endpoint's answer is the same without `status`.
    func json(withStatus: Bool) -> JSON {
        var members: [(String, JSON)] = [
            ("session_token", .string(sessionToken)), ("expire", JSON(expire)), ("id_token", .string(idToken)),
            ("id_token_expires_in", JSON(idTokenExpiresIn)),
        ]
        if withStatus { members.append(("status", "SUCCESS")) }
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
#endif
