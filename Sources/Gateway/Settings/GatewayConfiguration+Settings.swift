extension GatewayConfiguration {
    /// Reads the settings of ``GatewaySettings/names`` in `root`, and adds a fault for each that is wrong.
    package init(_ root: SettingsSection, folder: String) {
        let providers = ProviderSettings.read(root, folder: folder)
        let policies = PolicySettings.read(root, providers: providers.map(\.name))
        self.init(providers: providers, policies: policies, routes: RouteSettings.read(root, policies: policies.map(\.name)))
        paths.read(root)
        fieldLimits.read(root)
    }

    /// Whether the settings fit together. Looks only where each single setting is right.
    ///
    /// - Throws: ``SettingsFailure`` with every fault of `faults`, or the first of these settings together.
    package func check(_ faults: FaultList, _ root: SettingsNode) throws(SettingsFailure) {
        guard faults.faults.isEmpty else { throw SettingsFailure(faults.faults) }
        do throws(ConfigurationFault) {
            try check()
        } catch {
            throw SettingsFailure([SettingsFault(error, in: root)])
        }
        let routes = routesThatNeverDecide(root)
        guard routes.isEmpty else { throw SettingsFailure(routes) }
    }

    /// A route behind one that takes all of its requests never decides: what it protects, or opens, is decided by the other.
    private func routesThatNeverDecide(_ root: SettingsNode) -> [SettingsFault] {
        unreachedRoutes.map { route, other in
            SettingsFault(
                .conflict, at: [.member("routes"), .position(route)], in: root,
                "never decides: `routes[\(other + 1)]`, which comes first, takes all of its requests")
        }
    }

    /// Providers and policies that nothing names.
    package func idleNames(_ root: SettingsNode) -> [SettingsFault] {
        let shadows = policies.compactMap(\.shadow), routed = routes.map(\.policy)
        let idle = policies.enumerated().filter { !routed.contains($1.name) && !shadows.contains($1.name) }
        let required = policies.flatMap { $0.requirement?.providerNames ?? [] }
        let unused = providers.enumerated().filter { !required.contains($1.name) }
        return idle.map { place, policy in
            SettingsFault(.conflict, at: [.member("policies"), .position(place)], in: root, "no route names the policy \(policy.name)")
        }
            + unused.map { place, provider in
                SettingsFault(
                    .conflict, at: [.member("providers"), .position(place)], in: root, "no policy requires the provider \(provider.name)")
            }
    }
}

extension PathRules {
    fileprivate mutating func read(_ root: SettingsSection) {
        let names = ["allowEncodedSlashes", "allowEmptySegments", "allowParameters"]
        guard let section = root.section("paths", names: names) else { return }
        allowsEncodedSlashes = section.flag("allowEncodedSlashes") ?? allowsEncodedSlashes
        allowsEmptySegments = section.flag("allowEmptySegments") ?? allowsEmptySegments
        allowsParameters = section.flag("allowParameters") ?? allowsParameters
    }
}

extension FieldLimits {
    fileprivate mutating func read(_ root: SettingsSection) {
        guard let section = root.section("fieldLimits", names: ["valueBytes", "totalBytes"]) else { return }
        valueBytes = section.integer("valueBytes", 1...65_536) ?? valueBytes
        totalBytes = section.integer("totalBytes", 1...1_048_576) ?? totalBytes
    }
}
