#if HTTP
public import HTTPGuard
public import JWKSCache

/// Fetches key documents over HTTP, through a `GuardedClient`.
public struct HTTPTransport: DocumentTransport {
    private let client: GuardedClient

    public init(_ configuration: GuardedClient.Configuration = GuardedClient.Configuration()) throws(ConfigurationFailure) {
        client = try GuardedClient(configuration)
    }

    public func fetch(_ request: DocumentRequest) async throws(TransportFailure) -> DocumentResponse {
        do {
            let response = try await client.send(OutgoingRequest(url: request.url, fields: Self.fields(of: request)))
            return DocumentResponse(status: response.status, fields: response.fields.map { ($0.name, $0.value) }, body: response.body)
        } catch {
            throw TransportFailure(error)
        }
    }

    private static func fields(of request: DocumentRequest) -> [HeaderField] {
        var fields = [HeaderField("Accept", "application/jwk-set+json, application/json")]
        if request.isForced { fields.append(HeaderField("Cache-Control", "no-cache")) }
        if let entityTag = request.entityTag { fields.append(HeaderField("If-None-Match", entityTag)) }
        if let lastModified = request.lastModified { fields.append(HeaderField("If-Modified-Since", lastModified)) }
        // A validator is text from a server. If it may not be sent, the fetch gets a full response; it does not fail.
        return fields.filter(\.isSendable)
    }
}
#endif
