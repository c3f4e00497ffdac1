/// Signs signals as security event tokens, when they are delivered.
package struct SecurityEvents: DomainService {
    package let environment: SharedEnvironment
    let keys: SigningKeys

    /// A compact JWS for each signal, in their order, by the key that is active now. Only `iat` and the signature differ from an earlier try.
    package func tokens(of signals: [StoredSignal], for stream: SignalStream) async throws -> [String] {
        let now = clock.now
        let claims = signals.map {
            SecurityEvent(issuer: environment.issuer, audience: stream.audience, issued: now, signal: $0).json.text
        }
        return try await keys.sign(all: claims, type: SecurityEvent.type)
    }
}
