#if IDaaS
internal import HTTPTypes

/// Endpoints 3 to 5: what a client needs before it starts.
package struct SystemEndpoints: EndpointGroup {
    let services: Services
    let callers: CallerReading

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v2/sdk/server-date", "serverDate", serverDate),
            Endpoint(.get, "/api/v2/sdk/public-key", "publicKey", publicKey),
            Endpoint(.get, "/api/v2/sdk/country-codes", "countryCodes", countryCodes),
        ]
    }

    /// Milliseconds as a string, as the documented service has it.
    private func serverDate(_ exchange: Exchange) async throws -> Reply {
        _ = try await callers.caller(of: exchange)
        return .json(["timestamp": .string(String(services.clock.now.milliseconds))])
    }

    private func publicKey(_ exchange: Exchange) async throws -> Reply {
        let caller = try await callers.caller(of: exchange)
        guard let key = caller.client.signatureKey else { throw ServiceError(.missingApplicationKey) }
        return .json(["public_key": .string(key.publicKey)])
    }

    private func countryCodes(_ exchange: Exchange) async throws -> Reply {
        _ = try await callers.caller(of: exchange)
        return .json(text: try services.areaCodes.document())
    }
}
#endif
