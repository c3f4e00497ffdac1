#if Gateway
internal import Gateway
internal import HTTPGuard
internal import JWKSCache
internal import JWTCore

/// Settings that are right by themselves, and that others leave without effect.
extension ServiceConfiguration {
    /// Checks that every route can be reached, and that the addresses of keys may be.
    ///
    /// - Throws: ``SettingsFailure`` with every fault.
    func checkSurroundings(_ root: SettingsNode) throws(SettingsFailure) {
        let faults = unreachedRoutes(root) + forbiddenSources(root)
        guard faults.isEmpty else { throw SettingsFailure(faults) }
    }

    /// A route behind one that takes all of its requests never decides: what it protects, or opens, is decided by the other.
    private func unreachedRoutes(_ root: SettingsNode) -> [SettingsFault] {
        decisions.unreachedRoutes.map { route, other in
            SettingsFault(
                .conflict, at: [.member("routes"), .position(route)], in: root,
                "never decides: `routes[\(other + 1)]`, which comes first, takes all of its requests")
        }
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

    /// Providers and policies that nothing names.
    func idleNames(_ root: SettingsNode) -> [SettingsFault] {
        let shadows = decisions.policies.compactMap(\.shadow), routed = decisions.routes.map(\.policy)
        let policies = decisions.policies.enumerated().filter { !routed.contains($1.name) && !shadows.contains($1.name) }
        let required = decisions.policies.flatMap { $0.requirement?.providers ?? [] }
        let providers = decisions.providers.enumerated().filter { !required.contains($1.name) }
        return policies.map { place, policy in
            SettingsFault(.conflict, at: [.member("policies"), .position(place)], in: root, "no route names the policy \(policy.name)")
        }
            + providers.map { place, provider in
                SettingsFault(
                    .conflict, at: [.member("providers"), .position(place)], in: root, "no policy requires the provider \(provider.name)")
            }
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

extension Requirement {
    /// The names of the providers in it.
    fileprivate var providers: [String] {
        switch self {
        case .provider(let name): [name]
        case .any(let members), .all(let members): members.flatMap(\.providers)
        case .allowMissing, .allowFailed: []
        }
    }
}

extension Provider {
    /// The file of its keys.
    var keyFile: String? { issuer.source.path }
}
#endif
