extension Services {
    /// Reads the id_token of a request (RFC 6750 section 2.1), beside the common header fields.
    func bearer(of exchange: Exchange) async throws -> (bearer: Bearer, caller: Caller) {
        let caller = try await clients.caller(of: exchange)
        let bearer = try await tokens.bearer(try exchange.bearerToken(limit: 8_192), for: caller)
        exchange.trail.note(bearer)
        return (bearer, caller)
    }
}
