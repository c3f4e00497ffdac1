internal import HTTPTypes
internal import IDaaSWire

/// Endpoint 27: the sessions of an id_token's subject.
package struct OwnSessionEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, WirePath.sessions, "listSessions", audit: .sessionList, list),
            Endpoint(.delete, WirePath.session(), "endSession", audit: .sessionEnd, end),
        ]
    }

    private func list(_ exchange: Exchange) async throws -> Reply {
        let bearer = try await services.bearer(of: exchange).bearer
        exchange.trail.note(userID: bearer.userID, sessionID: bearer.sid)
        let sessions = try await services.sessions.list(of: bearer)
        return .json([WireMember.sessions: .array(sessions.map(\.json))])
    }

    private func end(_ exchange: Exchange) async throws -> Reply {
        let bearer = try await services.bearer(of: exchange).bearer
        guard let id = exchange.parameters["id"], id.utf8.count <= 64 else { throw ServiceError(.invalidParameter, "id") }
        try await services.sessions.end(id, by: bearer, noting: exchange.trail)
        return .json([:])
    }
}

extension SessionSummary {
    fileprivate var json: JSON {
        [
            WireMember.id: .string(id), WireMember.isCurrent: .bool(isCurrent), WireMember.deviceName: JSON(deviceName),
            WireMember.authenticated: JSON(authenticated?.text), WireMember.used: JSON(used?.text), WireMember.expires: JSON(expires?.text),
        ]
    }
}
