internal import HTTPTypes
internal import IDaaSWire

/// Endpoints 23 to 26: the PC, which logs in by password and waits for the phone.
package struct SecondFactorEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.post, WirePath.passwordLogin, "loginByPassword", audit: .passwordLogin, login),
            Endpoint(.post, WirePath.bioInitiate, "requestApproval", audit: .approvalRequest, initiate),
            Endpoint(.post, WirePath.bioPoll, "pollApproval", audit: .approvalPoll, poll),
            Endpoint(.post, WirePath.secondFactorSMS, "secondFactorBySMS", audit: .secondFactorSMS, redeem),
        ]
    }

    private func login(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let body = try JSONBody(exchange)
        let userName = try body.string(WireMember.userName, limit: 128)
        // A digest: people type passwords in the place of names.
        exchange.trail.note(token: userName)
        let answer = try await services.passwords.login(
            userName: userName, password: try body.string(WireMember.password, limit: 256),
            nonce: try body.optionalString(WireMember.nonce, limit: 128), for: caller)
        exchange.trail.note(answer)
        return .json(answer.json)
    }

    private func initiate(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let message = try JSONBody(optional: exchange).optionalString(WireMember.bindingMessage)
        let ticket = try await services.secondFactors.initiate(stateToken: try exchange.stateToken, message: message, for: caller)
        exchange.trail.note(userID: ticket.userID)
        return .json([
            WireMember.authenticationRequest: .string(ticket.id), WireMember.lifetime: JSON(ticket.expiresIn),
            WireMember.interval: JSON(ticket.interval), WireMember.matchCode: JSON(ticket.matchCode),
        ])
    }

    private func poll(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let id = try JSONBody(exchange).string(WireMember.authenticationRequest, limit: 64)
        exchange.trail.note(token: id)
        let authentication = try await services.secondFactors.poll(stateToken: try exchange.stateToken, id: id, for: caller)
        exchange.trail.note(authentication)
        return .json(authentication.json(withStatus: true))
    }

    private func redeem(_ exchange: Exchange) async throws -> Reply {
        let (caller, body, mobile) = try await services.request(exchange, of: WireMember.mobile)
        let authentication = try await services.secondFactors.redeem(
            stateToken: try exchange.stateToken, mobile: mobile, code: try body.string(WireMember.code, limit: 32), for: caller)
        exchange.trail.note(authentication)
        return .json(authentication.json(withStatus: true))
    }
}
