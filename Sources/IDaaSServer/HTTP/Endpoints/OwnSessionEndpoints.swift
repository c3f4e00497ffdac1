#if IDaaS
internal import HTTPTypes

/// Endpoint 27: the sessions of whoever an id_token is about.
package struct OwnSessionEndpoints: EndpointGroup {
    let services: Services
    let callers: CallerReading

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v2/sdk/sessions", "listSessions", audit: .sessionList, list),
            Endpoint(.delete, "/api/v2/sdk/sessions/{id}", "endSession", audit: .sessionEnd, end),
        ]
    }

    private func list(_ exchange: Exchange) async throws -> Reply {
        let bearer = try await bearer(of: exchange)
        exchange.trail.note(userID: bearer.userID, sessionID: bearer.sid)
        let sessions = try await services.sessions.list(of: bearer)
        return .json(["sessions": .array(sessions.map(\.json))])
    }

    private func end(_ exchange: Exchange) async throws -> Reply {
        let bearer = try await bearer(of: exchange)
        guard let id = exchange.parameters["id"], id.utf8.count <= 64 else { throw ServiceError(.invalidParameter, "id") }
        try await services.sessions.end(id, by: bearer, noting: exchange.trail)
        return .json([:])
    }

    /// RFC 6750 section 2.1.
    private func bearer(of exchange: Exchange) async throws -> Bearer {
        let caller = try await callers.caller(of: exchange)
        let field = try exchange.required(.authorization, limit: 8_192)
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw ServiceError(.invalidFormat, "Authorization") }
        let bearer = try await services.tokens.bearer(String(parts[1]).trimmed, for: caller)
        exchange.trail.note(bearer)
        return bearer
    }
}

extension SessionSummary {
    fileprivate var json: JSON {
        [
            "id": .string(id), "current": .bool(isCurrent), "device_name": .string(deviceName),
            "created_at": .string(String(authenticated.milliseconds)), "last_used_at": .string(String(used.milliseconds)),
            "expires_at": .string(String(expires.milliseconds)),
        ]
    }
}
#endif
