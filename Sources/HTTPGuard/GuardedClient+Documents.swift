public import JWKSCache

/// Fetches documents of issuers, for the key cache.
extension GuardedClient: DocumentTransport {
    public func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse { try await send(request) }
}
