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
        let faults = forbiddenSources(root)
        guard faults.isEmpty else { throw SettingsFailure(faults) }
    }

    /// Key sources on this machine or in a private network, without the permission. Each fetch would fail.
    private func forbiddenSources(_ root: SettingsNode) -> [SettingsFault] {
        decisions.providers.enumerated().flatMap { place, provider -> [SettingsFault] in
            let path: [ConfigurationFault.Step] = [.member("providers"), .position(place)]
            return ([provider.issuer.source] + provider.issuer.failover).compactMap(\.address).compactMap { url in
                guard let setting = transport.missingPermission(for: url) else { return nil }
                let step = url == provider.issuer.issuer ? "issuer" : "keys"
                return SettingsFault(
                    .conflict, at: path + [.member(step)], in: root, "\(url.prefix(128)) needs `\(setting): true` in `transport`")
            }
        }
    }

    /// Files of keys that are not there. They may come.
    func missingKeyFiles(_ root: SettingsNode) -> [SettingsFault] {
        decisions.providers.enumerated().flatMap { place, provider in
            let keys: [ConfigurationFault.Step] = [.member("providers"), .position(place), .member("keys")]
            let failovers = provider.issuer.failover.enumerated().map { source in
                Self.missing(source.element, keys + [.member("failover"), .position(source.offset)], root)
            }
            return ([Self.missing(provider.issuer.source, keys, root)] + failovers).compactMap(\.self)
        }
    }

    private static func missing(_ source: KeySetSource, _ path: [ConfigurationFault.Step], _ root: SettingsNode) -> SettingsFault? {
        guard let file = source.path, SettingsFile.version(file).isEmpty else { return nil }
        return SettingsFault(.conflict, at: path + [.member("file")], in: root, "\(file) is not there")
    }

    /// Only Envoy takes a field out of the request because the service says so. The files of the others have to copy the empty field.
    func withheldTokens(_ root: SettingsNode) -> [SettingsFault] {
        let names = listeners.filter { ![.envoyHTTP, .envoyGRPC].contains($0.profile) }.map(\.name)
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
    /// The setting without which `url` is not asked; nil if it may be. A name that resolves to a private address is found by the fetch.
    fileprivate func missingPermission(for url: String) -> String? {
        guard let host = URLText(url)?.host else { return nil }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let kind = bare.lowercased() == "localhost" ? .loopback : IPAddress(numeric: bare)?.kind
        switch kind {
        case .loopback where !allowsLoopback: return "allowLoopback"
        case .private where !allowsPrivateAddresses: return "allowPrivateAddresses"
        default: return nil
        }
    }
}

extension Provider {
    /// The file of its keys.
    var keyFile: String? { issuer.source.path }
}
#endif
