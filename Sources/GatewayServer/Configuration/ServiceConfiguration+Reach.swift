#if Gateway
internal import Gateway
internal import HTTPGuard
internal import JWKSCache
internal import JWTCore

/// Settings that are right by themselves, and that others leave without effect.
extension ServiceConfiguration {
    /// Checks that the addresses of keys may be asked.
    ///
    /// - Throws: `SettingsFailure` with every fault.
    func checkSources(_ root: SettingsNode) throws(SettingsFailure) {
        let faults = forbiddenSources(root) + forbiddenEndpoints(root) + forbiddenProxies(root) + forbiddenSignals(root)
        guard faults.isEmpty else { throw SettingsFailure(faults) }
    }

    /// Key sources on this machine or in a private network, without the permission. Each fetch would fail.
    private func forbiddenSources(_ root: SettingsNode) -> [SettingsFault] {
        decisions.providers.enumerated().flatMap { place, provider -> [SettingsFault] in
            let path: [ConfigurationFault.Step] = [.member("providers"), .position(place)]
            let own = providerTransports[provider.name]
            let section = own == nil ? "the provider's `transport`, or in that of all providers" : "`providers[\(place + 1)].transport`"
            // The host of a template is that of all tenants.
            return ([provider.issuer.source] + provider.issuer.failover).compactMap(\.address).compactMap { url in
                guard let obstacle = (own ?? transport).obstacle(to: url, in: section) else { return nil }
                let step = url == provider.issuer.issuer ? "issuer" : "keys"
                return SettingsFault(.conflict, at: path + [.member(step)], in: root, "\(url.prefix(128)) \(obstacle)")
            }
        }
    }

    /// Introspection endpoints on this machine or in a private network, without the permission.
    private func forbiddenEndpoints(_ root: SettingsNode) -> [SettingsFault] {
        decisions.providers.enumerated().compactMap { place, provider in
            let own = providerTransports[provider.name]
            let section = own == nil ? "the provider's `transport`, or in that of all providers" : "`providers[\(place + 1)].transport`"
            guard let url = provider.introspection?.endpoint, let obstacle = (own ?? transport).obstacle(to: url, in: section) else {
                return nil
            }
            let path: [ConfigurationFault.Step] = [.member("providers"), .position(place), .member("introspection"), .member("endpoint")]
            return SettingsFault(.conflict, at: path, in: root, "\(url.prefix(128)) \(obstacle)")
        }
    }

    /// Proxies that no connection would be made to.
    private func forbiddenProxies(_ root: SettingsNode) -> [SettingsFault] {
        let proxy: [ConfigurationFault.Step] = [.member("transport"), .member("proxy"), .member("host")]
        let ofAll = transport.obstacleToProxy(in: "`transport`").map { SettingsFault(.conflict, at: proxy, in: root, $0) }
        let own = decisions.providers.enumerated().compactMap { place, provider -> SettingsFault? in
            guard let own = providerTransports[provider.name], own != transport else { return nil }
            let obstacle = own.obstacleToProxy(in: "`providers[\(place + 1)].transport`")
            return obstacle.map { SettingsFault(.conflict, at: [.member("providers"), .position(place)] + proxy, in: root, $0) }
        }
        return (ofAll.map { [$0] } ?? []) + own
    }

    /// Keys of transmitters, and places that are polled, on this machine or in a private network, without the permission.
    private func forbiddenSignals(_ root: SettingsNode) -> [SettingsFault] {
        (signals?.streams ?? []).enumerated().flatMap { place, stream -> [SettingsFault] in
            let path: [ConfigurationFault.Step] = [.member("signals"), .member("streams"), .position(place)]
            var urls = stream.keys.address.map { [(url: $0, setting: $0 == stream.issuer ? "issuer" : "keys")] } ?? []
            if case .poll(let poll) = stream.delivery { urls.append((url: poll.url, setting: "poll")) }
            return urls.compactMap { url, setting in
                let obstacle = stream.transport.obstacle(to: url, in: "`transport`")
                return obstacle.map { SettingsFault(.conflict, at: path + [.member(setting)], in: root, "\(url.prefix(128)) \($0)") }
            }
        }
    }

    /// Streams whose events revoke tokens that no provider accepts.
    func strayStreams(_ root: SettingsNode) -> [SettingsFault] {
        let issuers = decisions.issuers.map(\.issuer), known = Set(issuers.map { Array($0.utf8) })
        return (signals?.streams ?? []).enumerated().filter { !known.contains(Array($1.revokes.utf8)) }.map { place, stream in
            let question = Suggestion.question(stream.revokes, in: issuers)
            return SettingsFault(
                .unknownName, at: [.member("signals"), .member("streams"), .position(place), .member("revokes")], in: root,
                "no provider has the issuer `\(stream.revokes.prefix(128))`: its events revoke nothing\(question)")
        }
    }

    /// Files of keys that are not there. They may come.
    func missingKeyFiles(_ root: SettingsNode) -> [SettingsFault] {
        decisions.providers.enumerated().flatMap { place, provider in
            let keys: [ConfigurationFault.Step] = [.member("providers"), .position(place), .member("keys")]
            return provider.issuers.flatMap { issuer in
                let failovers = issuer.failover.enumerated().map { source in
                    Self.missing(source.element, keys + [.member("failover"), .position(source.offset)], root)
                }
                return ([Self.missing(issuer.source, keys, root)] + failovers).compactMap(\.self)
            }
        }
    }

    private static func missing(_ source: KeySetSource, _ path: [ConfigurationFault.Step], _ root: SettingsNode) -> SettingsFault? {
        guard let file = source.path, SettingsFile.version(file).isEmpty else { return nil }
        return SettingsFault(.conflict, at: path + [.member("file")], in: root, "\(file) is not there")
    }

    /// Only Envoy takes a field out of the request because the service says so. The files of the others have to copy the empty field.
    func withheldTokens(_ root: SettingsNode) -> [SettingsFault] {
        let names = decisionListeners.filter { ![.envoyHTTP, .envoyGRPC].contains($0.profile) }.map(\.name)
        guard !names.isEmpty else { return [] }
        return decisions.providers.enumerated().filter { !$1.forwardsToken && !$1.withholdsQuery }.map { place, _ in
            SettingsFault(
                .conflict, at: [.member("providers"), .position(place), .member("forwardToken")], in: root,
                "behind \(names.joined(separator: ", ")) the token goes on unless the gateway's own file copies the field that the answer empties, as HAProxy's script does"
            )
        }
    }
}

extension TransportSettings {
    /// Why `url` is never asked; nil if it may be. A name that resolves to a forbidden address is found by the fetch.
    ///
    /// - Parameter section: where a permission that it lacks can be set.
    fileprivate func obstacle(to url: String, in section: String) -> String? {
        guard let host = URLText(url)?.host else { return nil }
        let bare = (host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host).lowercased()
        if proxy != nil, url.hasPrefix("https:"), IPAddress(numeric: bare) != nil {
            return "is never asked for keys: the certificate of an address cannot be verified through a `proxy`"
        }
        return obstacle(toHost: bare, in: section)
    }

    fileprivate func obstacleToProxy(in section: String) -> String? {
        guard let proxy, let obstacle = obstacle(toHost: proxy.host.lowercased(), in: section) else { return nil }
        return "\(proxy.host) \(obstacle)"
    }

    private func obstacle(toHost bare: String, in section: String) -> String? {
        // RFC 6761 section 6.3: all names below `localhost` are this machine's too.
        let isLocal = bare == "localhost" || bare.hasSuffix(".localhost") || bare == "localhost."
        guard let kind = isLocal ? .loopback : IPAddress(numeric: bare)?.kind else { return nil }
        switch kind {
        case .global: return nil
        case .loopback: return allowsLoopback ? nil : "needs `allowLoopback: true` in \(section)"
        case .private: return allowsPrivateAddresses ? nil : "needs `allowPrivateAddresses: true` in \(section)"
        case .linkLocal, .metadata, .unspecified, .multicast, .reserved:
            return "is never asked: its address is \(kind.rawValue)"
        }
    }
}

extension Provider {
    /// The files of its keys.
    var keyFiles: [String] { issuers.compactMap(\.source.path) }
}
#endif
