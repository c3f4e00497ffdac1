internal import HTTPTypes
internal import IDaaSWire

/// Endpoints 10 to 13: login by a code of WeChat, with binding and registration, and by a carrier's token.
package struct WeChatEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.post, WirePath.wechatLogin, "loginByWeChat", audit: .wechatLogin, login),
            Endpoint(.post, WirePath.socialBind, "bindSocialAccount", audit: .wechatBind) { try await complete(.bind, $0) },
            Endpoint(.post, WirePath.socialRegister, "registerSocialAccount", audit: .wechatRegister) { try await complete(.register, $0) },
        ]
    }

    private func login(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let body = try JSONBody(exchange)
        let code = try body.string(WireMember.authorizationCode)
        exchange.trail.note(token: code)
        let answer = try await services.wechat.login(
            code: code, state: try body.optionalString(WireMember.state),
            nonce: try body.optionalString(WireMember.nonce, limit: 128), for: caller)
        exchange.trail.note(answer)
        return .json(answer.json)
    }

    private func complete(_ step: SocialBinding.Step, _ exchange: Exchange) async throws -> Reply {
        let (caller, body, mobile) = try await services.request(exchange, of: WireMember.mobile)
        let authentication = try await services.binding.complete(
            step, stateToken: try exchange.stateToken, mobile: mobile, code: try body.string(WireMember.code, limit: 32),
            nonce: try body.optionalString(WireMember.nonce, limit: 128), for: caller)
        exchange.trail.note(authentication)
        return .json(authentication.json(withStatus: true))
    }
}

/// Endpoint 13: login by a carrier's token.
package struct OneClickEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [Endpoint(.post, WirePath.oneClickLogin, "loginByCarrier", audit: .oneClickLogin, login)]
    }

    private func login(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let body = try JSONBody(exchange)
        let token = try body.string(WireMember.accessToken, limit: 4_096)
        exchange.trail.note(token: token)
        let authentication = try await services.oneClick.login(
            accessToken: token, nonce: try body.optionalString(WireMember.nonce, limit: 128), for: caller)
        exchange.trail.note(authentication)
        return .json(authentication.json(withStatus: true))
    }
}
