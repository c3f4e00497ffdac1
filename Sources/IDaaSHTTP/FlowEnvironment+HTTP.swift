#if HTTP
public import HTTPGuard
public import IDaaSFlows
public import JWKSCache
internal import JWKSHTTP

extension GuardedClient.Configuration {
    /// For the calls of flows to one tenant: ten seconds, a megabyte (two pictures are in an answer), and this machine where the tenant is
    /// on it. Proxy, authorities, pins and addresses can be set further.
    public static func flows(_ configuration: FlowConfiguration) -> Self {
        var client = Self(
            limits: RequestLimits(total: configuration.timeout, connect: .seconds(5), bodyBytes: 1 << 20),
            userAgent: configuration.device.agent)
        // It is the program itself, not an answer from outside, that named the tenant.
        client.allowsLoopbackHTTP = configuration.isLoopback
        client.addresses.allowsLoopback = configuration.isLoopback
        return client
    }
}

extension FlowEnvironment {
    /// Everything that flows need, over HTTP.
    ///
    /// - Parameters:
    ///   - client: how the network is reached; nil: as ``GuardedClient/Configuration/flows(_:)`` has it. Proxy, corporate authorities and
    ///     pins belong here.
    ///   - store: where session and device identity live.
    ///   - keyStorage: where the issuer's keys outlive the process.
    /// - Throws: what is wrong with `client`.
    public static func http(
        for configuration: FlowConfiguration, client: GuardedClient.Configuration? = nil, store: any SessionStore = MemorySessionStore(),
        keyStorage: KeySetStorage? = nil
    ) throws(ConfigurationFailure) -> Self {
        let client = client ?? .flows(configuration)
        return FlowEnvironment(
            transport: try HTTPFlowTransport(client), keyTransport: try HTTPTransport(client), store: store, keyStorage: keyStorage)
    }
}

extension Flows {
    /// Flows over HTTP.
    ///
    /// ```swift
    /// let flows = try Flows.http(FlowConfiguration(domain: "https://tenant.example", clientID: "client-1"))
    /// ```
    public static func http(
        _ configuration: FlowConfiguration, client: GuardedClient.Configuration? = nil, store: any SessionStore = MemorySessionStore(),
        keyStorage: KeySetStorage? = nil
    ) throws(ConfigurationFailure) -> Flows {
        Flows(configuration, try .http(for: configuration, client: client, store: store, keyStorage: keyStorage))
    }
}
#endif
