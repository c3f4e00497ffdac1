public import JWKSCache

/// An issuer whose answers have no date, so that nothing corrects a wrong clock.
public struct DatelessDocuments: DocumentTransport {
    private let transport: any DocumentTransport

    public init(_ transport: any DocumentTransport) { self.transport = transport }

    public func fetch(_ request: DocumentRequest) async throws(TransportFailure) -> DocumentResponse {
        let response = try await transport.fetch(request)
        return DocumentResponse(
            status: response.status, fields: response.fields.filter { $0.name.lowercased() != "date" }, body: response.body)
    }
}
