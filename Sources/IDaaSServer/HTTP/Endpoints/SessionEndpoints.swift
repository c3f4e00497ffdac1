internal import HTTPTypes
internal import IDaaSWire

/// Endpoints 14 to 16: operations of a session token's holder, who sends the token itself or a signature that contains it.
package struct SessionEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.post, WirePath.refresh, "refresh", audit: .sessionRefresh, refresh),
            Endpoint(.post, WirePath.signedRefresh, "refreshBySignature", audit: .sessionRefresh, refreshBySignature),
            Endpoint(.post, WirePath.logout, "logout", audit: .logout, logOut),
            // A change by GET, for the documented clients. Header fields prove the caller, and no browser sets them by itself, so neither a
            // link nor an image can trigger it.
            Endpoint(.get, WirePath.logout, "logoutByGet", audit: .logout, isSafe: false, logOut),
        ]
    }

    private func refresh(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let token = try exchange.required(.sessionToken, limit: 128)
        exchange.trail.note(token: token)
        let authentication = try await services.sessions.refresh(sessionToken: token, for: caller, noting: exchange.trail)
        return .json(authentication.json(withStatus: false))
    }

    private func refreshBySignature(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let signature = try exchange.required(.signature, limit: 4_096)
        let authentication = try await services.sessions.refresh(signature: signature, for: caller, noting: exchange.trail)
        return .json([WireMember.idToken: .string(authentication.idToken)])
    }

    private func logOut(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        let everywhere = try JSONBody(optional: exchange).optionalBool(WireMember.everywhere) ?? false
        if let signature = exchange.value(.signature), exchange.value(.sessionToken) == nil {
            guard signature.utf8.count <= 4_096 else { throw ServiceError(.undecryptableSignature) }
            try await services.sessions.logOut(signature: signature, everywhere: everywhere, for: caller, noting: exchange.trail)
        } else {
            let token = try exchange.required(.sessionToken, limit: 128)
            exchange.trail.note(token: token)
            try await services.sessions.logOut(sessionToken: token, everywhere: everywhere, for: caller, noting: exchange.trail)
        }
        return .json([:])
    }
}
