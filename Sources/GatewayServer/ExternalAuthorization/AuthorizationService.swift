package import Gateway

/// What the gRPC listener asks.
package struct AuthorizationService: Sendable {
    /// Decides about a request. The task is cancelled when Envoy gives up.
    package var decide: @Sendable (RequestFacts) async -> Decision
    /// Learns of a refusal that needs no decision, because the message is malformed.
    package var refused: @Sendable (Denial) -> Void
    /// Whether the health check says that the service is serving.
    package var isReady: @Sendable () async -> Bool
    /// Whether ``decide`` is to learn the client's address.
    package var readsClient: @Sendable () -> Bool = { false }

    package init(
        decide: @escaping @Sendable (RequestFacts) async -> Decision, refused: @escaping @Sendable (Denial) -> Void,
        isReady: @escaping @Sendable () async -> Bool
    ) {
        self.decide = decide
        self.refused = refused
        self.isReady = isReady
    }

    /// The refusal of a request whose message cannot be read or is too large.
    ///
    /// Such a call gets a refusal and does not fail: Envoy's option `failure_mode_allow` lets requests pass when calls fail, and a client could
    /// choose a request that makes its call fail.
    func refuseMalformed() -> CheckResponse {
        let denial = Denial(policy: nil, reason: .malformedRequest, status: 400)
        refused(denial)
        return CheckResponse(.denied(denial))
    }
}
