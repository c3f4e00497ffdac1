public import JWKSCache

/// An issuer whose answers have no date, so that nothing corrects a wrong clock.
public struct DatelessDocuments: DocumentTransport {
    private let transport: any DocumentTransport

    public init(_ transport: any DocumentTransport) { self.transport = transport }

    public func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let response = try await transport.fetch(request)
        return ReceivedResponse(
            status: response.status, fields: response.fields.filter { $0.name.lowercased() != "date" }, body: response.body)
    }
}
