#if Gateway
internal import Gateway
internal import JWKSCache

/// The transports of providers that have one of their own.
struct ProviderTransports {
    /// The decisions of a configuration, whose issuers have these transports.
    private(set) var decisions: GatewayConfiguration
    private var renewals: [(transport: IssuerTransport, by: any DocumentTransport)] = []

    /// Reads the files of the transports.
    ///
    /// - Parameters:
    ///   - old: what is in force. An issuer whose settings have not changed continues its transport, and so keeps its keys.
    ///   - replacement: fetches in place of HTTP; nil: HTTP.
    /// - Throws: `SettingsFailure`.
    init(
        _ configuration: ServiceConfiguration, continuing old: ActiveConfiguration?, inPlaceOfHTTP replacement: (any DocumentTransport)?
    ) throws(SettingsFailure) {
        decisions = configuration.decisions
        // Providers of one issuer share its keys.
        var made: [[UInt8]: IssuerTransport] = [:]
        for (place, provider) in configuration.decisions.providers.enumerated() {
            guard let settings = configuration.providerTransports[provider.name] else { continue }
            let issuer = Array(provider.issuer.issuer.utf8)
            if made[issuer] == nil {
                let client = try settings.client(
                    "providers[\(place + 1)].transport", for: provider.issuer.source, bodyBytes: provider.bodyBytes)
                let known = old?.transport(of: provider, with: settings)
                if let known { renewals.append((known, replacement ?? client)) }
                made[issuer] = known ?? IssuerTransport(replacement ?? client)
            }
            decisions.providers[place].issuer.transport = made[issuer]
            for tenant in provider.tenants.indices { decisions.providers[place].tenants[tenant].transport = made[issuer] }
        }
    }

    /// Lets the transports that continue fetch with the certificates that their files have now.
    func renew() {
        for (transport, new) in renewals { transport.replace(by: new) }
    }
}

extension ActiveConfiguration {
    /// The transport of the issuer of `provider`, if it has these settings and the same source.
    fileprivate func transport(of provider: Provider, with settings: TransportSettings) -> IssuerTransport? {
        let same = core.configuration.providers.first {
            $0.sharesKeys(with: provider) && configuration.providerTransports[$0.name] == settings
        }
        return same?.issuer.transport
    }
}

extension Provider {
    /// Bytes of a response; nil: those of a document with keys.
    var bodyBytes: Int? { statusLists == nil ? nil : StatusListTerms.responseBytes }

    /// Whether one of its issuers is an issuer of `other`, with the same source. Tenants come and go.
    fileprivate func sharesKeys(with other: Provider) -> Bool {
        let known = Dictionary(issuers.map { (Array($0.issuer.utf8), $0.source) }, uniquingKeysWith: { first, _ in first })
        return other.issuers.contains { known[Array($0.issuer.utf8)] == $0.source }
    }
}
#endif
