#if IDaaS
internal import HTTPTypes

/// Endpoints 14 to 16: what the holder of a session token does with it, by the token itself or by the signature that stands for it.
package struct SessionEndpoints: EndpointGroup {
    let services: Services
    let callers: CallerReading

    package var endpoints: [Endpoint] {
        [
            Endpoint(.post, "/api/v2/sdk/sso/session-token/id-token", "refresh", audit: .sessionRefresh, refresh),
            Endpoint(.post, "/api/v2/sdk/session-token/refresh-id-token", "refreshBySignature", audit: .sessionRefresh, refreshBySignature),
            Endpoint(.post, "/api/v2/sdk/logout", "logout", audit: .logout, logOut),
            // A change by GET, for the documented clients. Header fields prove who asks and no browser sets them of itself, so that
            // neither a link nor a picture can cause it.
            Endpoint(.get, "/api/v2/sdk/logout", "logoutByGet", audit: .logout, isSafe: false, logOut),
        ]
    }

    private func refresh(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        let token = try exchange.required(.sessionToken, limit: 128)
        exchange.trail.note(token: token)
        let authentication = try await services.sessions.refresh(sessionToken: token, for: caller, noting: exchange.trail)
        return .json(authentication.json(withStatus: false))
    }

    private func refreshBySignature(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        let signature = try exchange.required(.signature, limit: 4_096)
        let authentication = try await services.sessions.refresh(signature: signature, for: caller, noting: exchange.trail)
        return .json(["id_token": .string(authentication.idToken)])
    }

    private func logOut(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        let everywhere = try JSONBody(optional: exchange).optionalBool("all") ?? false
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
#endif
