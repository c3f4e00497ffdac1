internal import HTTPTypes
internal import IDaaSWire

/// Endpoints 3 to 5: what a client needs before login.
package struct SystemEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, WirePath.serverDate, "serverDate", serverDate),
            Endpoint(.get, WirePath.publicKey, "publicKey", publicKey),
            Endpoint(.get, WirePath.areaCodes, "countryCodes", countryCodes),
        ]
    }

    /// Milliseconds as a string, as in the documented service.
    private func serverDate(_ exchange: Exchange) async throws -> Reply {
        _ = try await services.clients.caller(of: exchange)
        return .json([WireMember.timestamp: .string(String(services.clock.now.milliseconds))])
    }

    private func publicKey(_ exchange: Exchange) async throws -> Reply {
        let caller = try await services.clients.caller(of: exchange)
        guard let key = caller.client.signatureKey else { throw ServiceError(.missingApplicationKey) }
        return .json([WireMember.publicKey: .string(key.publicKey)])
    }

    private func countryCodes(_ exchange: Exchange) async throws -> Reply {
        _ = try await services.clients.caller(of: exchange)
        return .json(try services.areaCodes.document())
    }
}
