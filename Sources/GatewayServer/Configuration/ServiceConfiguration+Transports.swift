#if Gateway
internal import Gateway
internal import HTTPGuard
internal import JWKSCache

extension ServiceConfiguration {
    /// Reads the transport of all providers, and those of single ones, which inherit what they do not set.
    mutating func readTransports(_ root: SettingsSection, folder: String) {
        if let section = root.section("transport", names: TransportSettings.names) {
            transport.read(section, folder: folder, isOfProvider: false)
        }
        guard case .list(let elements)? = root.node("providers")?.content else { return }
        for (place, node) in elements.enumerated() {
            let path = "providers[\(place + 1)]"
            // The provider's own reader has the faults of its other settings.
            guard let provider = SettingsSection(node, path, names: [], FaultList()), let name = provider.text("name"),
                let own = provider.node("transport"),
                let section = SettingsSection(own, "\(path).transport", names: TransportSettings.names, root.faults)
            else { continue }
            var settings = transport
            settings.read(section, folder: folder, isOfProvider: true)
            providerTransports[name] = settings
        }
    }

    /// Checks that the transports of providers fit to their keys.
    ///
    /// - Throws: `SettingsFailure` with every fault.
    func checkTransports(_ root: SettingsNode) throws(SettingsFailure) {
        let faults = decisions.providers.indices.compactMap { place -> SettingsFault? in
            guard let (setting, text) = misfit(ofTransportAt: place) else { return nil }
            return SettingsFault(.conflict, at: Self.transport(at: place) + setting, in: root, text)
        }
        guard faults.isEmpty else { throw SettingsFailure(faults) }
    }

    private static func transport(at place: Int) -> [ConfigurationFault.Step] {
        [.member("providers"), .position(place), .member("transport")]
    }

    /// Why a provider cannot have its transport, and the setting in it; nil if it can.
    private func misfit(ofTransportAt place: Int) -> (setting: [ConfigurationFault.Step], text: String)? {
        let provider = decisions.providers[place], own = providerTransports[provider.name]
        let issuers = Set(provider.issuers.map { Array($0.issuer.utf8) })
        let first = decisions.providers[..<place].first { $0.issuers.contains { issuers.contains(Array($0.issuer.utf8)) } }
        if let first, providerTransports[first.name] != own {
            return ([], "the provider \(first.name) has this issuer with another `transport`, and both share its keys")
        }
        guard let own else { return nil }
        if ([provider.issuer.source] + provider.issuer.failover).allSatisfy({ $0.address == nil }) {
            return ([], "is of no use with keys of this machine, which are not fetched")
        }
        guard own.bearerTokenFile != nil else { return nil }
        if provider.introspection != nil {
            return ([.member("bearerTokenFile")], "would replace the secret of `introspection` at the same origin")
        }
        guard let address = provider.issuer.source.address else {
            return ([.member("bearerTokenFile")], "is for the first place of keys alone, which is on this machine")
        }
        // RFC 6750 section 5.2.
        return address.hasPrefix("https:") ? nil : ([.member("bearerTokenFile")], "a token needs https: \(address.prefix(128))")
    }

    /// Files without a bearer token. It may come.
    func missingTokens(_ root: SettingsNode) -> [SettingsFault] {
        decisions.providers.enumerated().compactMap { place, provider in
            guard let fault = providerTransports[provider.name]?.bearerTokenFile.flatMap(BearerTokenFile.fault(of:)) else { return nil }
            let path = Self.transport(at: place) + [.member("bearerTokenFile")]
            return SettingsFault(.conflict, at: path, in: root, "\(fault), and without a token no keys are fetched")
        }
    }
}
#endif
