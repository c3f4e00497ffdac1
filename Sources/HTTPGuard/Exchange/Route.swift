internal import JWKSCache

/// The checked addresses that lead to an origin.
struct Route {
    let addresses: [IPAddress]
    /// The owner of these addresses; nil if they are the origin's own.
    let proxy: Proxy?

    /// The host to resolve: the origin's, or the proxy's.
    ///
    /// - Throws: `invalid_url` for http that is not allowed, `pin_mismatch` for http while keys are pinned.
    static func host(of target: TargetURL, _ configuration: GuardedClient.Configuration) throws(RequestFailure) -> String {
        try check(target, configuration)
        return proxy(for: target, configuration)?.host ?? target.origin.host
    }

    /// - Parameter addresses: of ``host(of:_:)``.
    /// - Throws: `forbidden_address` if one of the addresses is forbidden.
    init(to target: TargetURL, _ configuration: GuardedClient.Configuration, addresses: [IPAddress]) throws(RequestFailure) {
        proxy = Self.proxy(for: target, configuration)
        self.addresses = addresses
        let host = proxy?.host ?? target.origin.host
        if let failure = Self.policy(for: target, configuration).refusal(of: addresses, of: host) { throw failure }
    }

    private static func proxy(for target: TargetURL, _ configuration: GuardedClient.Configuration) -> Proxy? {
        target.origin.isSecure ? configuration.proxy : nil
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
