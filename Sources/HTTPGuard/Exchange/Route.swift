#if HTTP
internal import JWKSCache

/// The checked addresses that lead to an origin.
struct Route {
    let addresses: [IPAddress]
    /// The owner of these addresses; nil if they are the origin's own.
    let proxy: Proxy?

    /// Resolves the origin's name, or the proxy's.
    ///
    /// - Throws: `forbidden_address` if one of the addresses is forbidden, `unresolved_name`, `invalid_url` for http that is not allowed,
    ///   `pin_mismatch` for http while keys are pinned.
    init(to target: TargetURL, _ configuration: GuardedClient.Configuration, _ resolution: AddressResolution) async throws {
        try Self.check(target, configuration)
        proxy = target.origin.isSecure ? configuration.proxy : nil
        let host = proxy?.host ?? target.origin.host
        addresses = try await resolution.addresses(host)
        if let failure = Self.policy(for: target, configuration).refusal(of: addresses, of: host) { throw failure }
    }

    /// The checks that need no name resolution.
    private static func check(_ target: TargetURL, _ configuration: GuardedClient.Configuration) throws(RequestFailure) {
        if !target.origin.isSecure {
            guard configuration.allowsLoopbackHTTP else { throw RequestFailure(.invalidURL, "\(target.origin) is not https") }
            guard target.origin.host == "localhost" || target.literal?.kind == .loopback else {
                throw RequestFailure(.invalidURL, "\(target.origin) is http to another host than this one")
            }
            guard configuration.pins.isEmpty else { throw RequestFailure(.pinMismatch, "\(target.origin) has no key, and keys are pinned") }
        } else if let literal = target.literal, configuration.proxy != nil {
            if let failure = configuration.addresses.refusal(of: [literal], of: target.origin.host) { throw failure }
            throw RequestFailure(.invalidURL, "the certificate of an address cannot be verified through a proxy")
        }
    }

    private static func policy(for target: TargetURL, _ configuration: GuardedClient.Configuration) -> AddressPolicy {
        target.origin.isSecure ? configuration.addresses : .loopbackOnly
    }
}
#endif
