internal import Foundation
internal import HTTPEdge
internal import HTTPGuard

extension ServerConfiguration {
    /// Reads a configuration file.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read, an unknown setting, a value of the wrong kind, and settings that
    ///   conflict.
    public init(file path: String) throws {
        try self.init(yaml: Self.text(of: path))
    }

    /// Reads a configuration from a text.
    public init(yaml text: String) throws {
        self = try SettingsText.settings(in: text, over: ServerConfiguration())
        try check()
    }

    /// Reads a configuration file without ``check()``, for the command line, which adds its options first.
    package static func unchecked(file path: String) throws -> ServerConfiguration {
        try SettingsText.settings(in: text(of: path), over: ServerConfiguration())
    }

    private static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw ConfigurationError("\(path) cannot be read") }
        return String(decoding: data, as: UTF8.self)
    }

    /// Checks all settings: an embedding program and the command line change them after reading.
    public func check() throws {
        let address = try listenAddress
        try checkTransport(address)
        try checkPublicURL()
        try checkProxy()
        _ = try metricsReaders
        try checkValues()
        guard development || sms.webhook.isEmpty == sms.secretFile.isEmpty else {
            throw ConfigurationError("sms: webhook and secretFile go together")
        }
        if !sms.webhook.isEmpty { try WebhookGateway.check(sms.webhook) }
        guard !simulators || address.isLoopback && !proxy.behind else {
            throw ConfigurationError("simulators: on a loopback listener only, and not behind a proxy")
        }
        for (name, url) in [("wechat", upstreams.wechat), ("dypnsapi", upstreams.dypnsapi)] where (try? Origin(url)) == nil {
            throw ConfigurationError("upstreams.\(name): an https URL")
        }
    }

    /// Codes and tokens are sent here, so an address other than loopback needs TLS, or a proxy that ends TLS.
    private func checkTransport(_ address: ListenAddress) throws {
        guard tls.certificate.isEmpty == tls.key.isEmpty else { throw ConfigurationError("tls: certificate and key go together") }
        guard address.isLoopback || tls.isSet || proxy.behind else {
            throw ConfigurationError("listen: plain HTTP off loopback needs tls, or proxy.behind where a proxy speaks TLS")
        }
        guard !proxy.behind || !publicURL.isEmpty else { throw ConfigurationError("publicURL: has to be set behind a proxy") }
        guard !development || address.isLoopback && !proxy.behind else {
            throw ConfigurationError("development: on a loopback listener only, and not behind a proxy")
        }
    }

    /// Without trusted addresses every caller behind a proxy would have the proxy's address, and share its limits.
    private func checkProxy() throws {
        guard !proxy.behind || !proxy.trusted.isEmpty else {
            throw ConfigurationError("proxy.trusted: behind a proxy its address has to be named")
        }
        guard proxy.behind || proxy.trusted.isEmpty else {
            throw ConfigurationError("proxy.trusted: is of no use without proxy.behind")
        }
        _ = try trustedProxies
    }

    private func checkPublicURL() throws {
        guard !publicURL.isEmpty else {
            guard try listenAddress.isSpecific else {
                throw ConfigurationError("publicURL: has to be set where all addresses are listened on")
            }
            return
        }
        guard let url = URLComponents(string: publicURL), let host = url.host, !host.isEmpty, url.path.isEmpty, url.query == nil,
            url.fragment == nil, url.user == nil
        else { throw ConfigurationError("publicURL: an origin such as https://login.example.com, without a path") }
        guard url.scheme == "https" || url.scheme == "http" && DevelopmentEndpoints.isLoopback(host: host) else {
            throw ConfigurationError("publicURL: https, or http on loopback")
        }
    }

    var listenAddress: ListenAddress {
        get throws {
            guard let address = ListenAddress(listen) else {
                throw ConfigurationError("listen: host:port is expected, as in 127.0.0.1:8800")
            }
            return address
        }
    }

    var trustedProxies: TrustedProxies {
        get throws { TrustedProxies(proxy.behind ? try Self.blocks(proxy.trusted, "proxy.trusted") : []) }
    }

    var metricsReaders: [AddressBlock] {
        get throws { try Self.blocks(metrics.readers, "metrics.readers") }
    }

    private static func blocks(_ texts: [String], _ setting: String) throws -> [AddressBlock] {
        try texts.map { text in
            guard let block = AddressBlock(text) else { throw ConfigurationError("\(setting): \(text) is no address or block") }
            return block
        }
    }
}
