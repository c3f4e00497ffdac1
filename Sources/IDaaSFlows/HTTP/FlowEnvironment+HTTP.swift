#if HTTP
public import HTTPGuard
public import JWKSCache

extension GuardedClient.Configuration {
    /// For flows to one tenant: the configuration's time-out, answers of at most 1 MiB (one has two pictures), private addresses, and
    /// loopback if the tenant is on it. Callers can also set proxy, authorities, pins and addresses.
    public static func flows(_ configuration: FlowConfiguration) -> Self {
        var client = Self(
            limits: RequestLimits(total: configuration.timeout, connect: .seconds(5), bodyBytes: 1 << 20),
            userAgent: configuration.device.agent)
        // The program itself named the tenant, not an external answer, so the tenant may be in the company's own network.
        client.allowsLoopbackHTTP = configuration.isLoopback
        client.addresses.allowsLoopback = configuration.isLoopback
        client.addresses.allowsPrivate = true
        return client
    }
}

extension FlowEnvironment {
    /// An environment over HTTP.
    ///
    /// - Parameters:
    ///   - configuration: the tenant and the client.
    ///   - client: the settings of the HTTP client, with proxy, authorities and pins; nil: `GuardedClient.Configuration.flows(_:)`.
    ///   - store: keeps the session and the device's identity. It must outlive the process, because sessions are bound to the device.
    ///   - keyStorage: keeps the issuer's keys across processes; nil keeps none.
    /// - Throws: `ConfigurationFailure` for unusable settings in `client`.
    public static func http(
        for configuration: FlowConfiguration, client: GuardedClient.Configuration? = nil, store: any SessionStore,
        keyStorage: KeySetStorage? = nil
    ) throws(ConfigurationFailure) -> Self {
        let client = client ?? .flows(configuration)
        let transport = try GuardedClient(client)
        return FlowEnvironment(transport: transport, keyTransport: transport, store: store, keyStorage: keyStorage)
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
