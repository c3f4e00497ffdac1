#if IDaaS
internal import HTTPTypes
internal import IDaaSWire

extension Services {
    /// Reads the id_token of a request (RFC 6750 section 2.1), beside the common header fields.
    func bearer(of exchange: Exchange) async throws -> (bearer: Bearer, caller: Caller) {
        let caller = try await clients.caller(of: exchange)
        let field = try exchange.required(.authorization, limit: 8_192)
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw ServiceError(.invalidFormat, "Authorization") }
        let bearer = try await tokens.bearer(String(parts[1]).trimmed, for: caller)
        exchange.trail.note(bearer)
        return (bearer, caller)
    }
}
#endif
