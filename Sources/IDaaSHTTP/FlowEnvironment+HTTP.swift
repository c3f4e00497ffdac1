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
        // It is the program itself, not an answer from outside, that named the tenant: it may be one of the company's own network.
        client.allowsLoopbackHTTP = configuration.isLoopback
        client.addresses.allowsLoopback = configuration.isLoopback
        client.addresses.allowsPrivate = true
        return client
    }
}

extension FlowEnvironment {
    /// Everything that flows need, over HTTP.
    ///
    /// - Parameters:
    ///   - client: how the network is reached; nil: as ``GuardedClient/Configuration/flows(_:)`` has it. Proxy, corporate authorities and
    ///     pins belong here.
    ///   - store: where session and device identity live. It has to outlive the process: sessions are bound to the device.
    ///   - keyStorage: where the issuer's keys outlive the process.
    /// - Throws: what is wrong with `client`.
    public static func http(
        for configuration: FlowConfiguration, client: GuardedClient.Configuration? = nil, store: any SessionStore,
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
    /// let flows = try Flows.http(
    ///     FlowConfiguration(domain: "https://tenant.example", clientID: "client-1"), store: FileSessionStore(path: path))
    /// ```
    public static func http(
        _ configuration: FlowConfiguration, client: GuardedClient.Configuration? = nil, store: any SessionStore,
        keyStorage: KeySetStorage? = nil
    ) throws(ConfigurationFailure) -> Flows {
        Flows(configuration, try .http(for: configuration, client: client, store: store, keyStorage: keyStorage))
    }
}
#endif
