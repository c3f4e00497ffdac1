internal import HTTPTypes
internal import IDaaSWire

/// The registration of clients by themselves (RFC 7591). It is served only where the settings say so.
package struct RegistrationEndpoints: EndpointGroup {
    let services: Services

    package var endpoints: [Endpoint] {
        [Endpoint(.post, WirePath.registration, "registerClient", audit: .clientRegistration, register)]
    }

    private func register(_ exchange: Exchange) async throws -> Reply {
        guard JSONBody.isJSON(exchange.fields[.contentType]) else { throw RequestRefusal.unsupportedMediaType }
        let document = try ClientDocument(text: exchange.body)
        let (client, metadata) = try await services.registrations.register(document, from: exchange.origin.address)
        exchange.trail.note(client: client.id)
        return .json(Self.answer(client, metadata), status: 201)
    }

    /// RFC 7591 section 3.2.1: what the server has registered, which need not be what was asked for. Every client is a public one.
    private static func answer(_ client: Client, _ metadata: ClientMetadata) -> JSON {
        .object(present: [
            (OAuthMember.clientID, .string(client.id)), (OAuthMember.issuedAt, .integer(client.created.seconds)),
            (OAuthMember.clientName, metadata.name.isEmpty ? nil : .string(metadata.name)),
            (OAuthMember.redirectURIs, .array(metadata.redirectURIs.map(JSON.string))),
            (OAuthMember.grantTypes, .array(metadata.grantTypes.map(JSON.string))),
            (OAuthMember.responseTypes, .array([.string("code")])), (OAuthMember.authenticationMethod, .string("none")),
        ])
    }
}
