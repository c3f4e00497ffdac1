public import JWKSCache

/// Sends the flows' requests to the tenant. HTTPGuard's `GuardedClient` is one.
///
/// An implementation verifies certificates, follows no redirect to another origin, limits the size of an answer, keeps the request's
/// time-out, and returns soon when its task is cancelled. It never retries, because the server may already have consumed a code.
public protocol FlowTransport: Sendable {
    /// - Throws: why there is no answer. An answer may have any status.
    func send(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse
}
