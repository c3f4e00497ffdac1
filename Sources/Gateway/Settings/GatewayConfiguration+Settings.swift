extension GatewayConfiguration {
    /// Reads the settings of ``GatewaySettings/names`` in `root`, and adds a fault for each that is wrong.
    ///
    /// - Parameter isHosted: whether a host reads them, who may have routes of its own, and who decides which addresses it asks.
    package init(_ root: SettingsSection, folder: String, isHosted: Bool = false) {
        let providers = ProviderSettings.read(root, folder: folder, isHosted: isHosted, resources: ResourceSettings.ofProviders(root))
        let policies = PolicySettings.read(root, providers: ProviderSettings.names(root)), names = policies.map(\.name)
        if isHosted, root.has("policy") {
            self.init(providers: providers, policies: policies, hostRoutes: HostRoutes(root, policies: names))
        } else {
            for name in HostRoutes.settings where root.stands(name) {
                root.fault(name, .conflict, "is for the routes of a host (`policy`)")
            }
            self.init(providers: providers, policies: policies, routes: RouteSettings.read(root, policies: names))
        }
        resources = ResourceSettings.read(root, folder: folder)
        paths.read(root, isHosted: isHosted)
        fieldLimits.read(root)
        tokenBytes = root.integer("tokenBytes", 256...1_048_576) ?? tokenBytes
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
            // Numbers count over all files.
            let place = root.place(of: [.member("routes"), .position(other)]), file = place.file.map { " (\(place.text(own: $0)))" } ?? ""
            return SettingsFault(
                .conflict, at: [.member("routes"), .position(route)], in: root,
                "never decides: `routes[\(other + 1)]`\(file), which comes first, takes all of its requests")
        }
    }

    /// Providers, policies and resources that nothing names.
    package func idleNames(_ root: SettingsNode) -> [SettingsFault] {
        let shadows = policies.compactMap(\.shadow), routed = routes.map(\.policy)
        let idle = policies.enumerated().filter { hostRoutes == nil && !routed.contains($1.name) && !shadows.contains($1.name) }
        let required = policies.flatMap { $0.requirement?.providerNames ?? [] }
        let unused = providers.enumerated().filter { !required.contains($1.name) }
        let named = Set(policies.compactMap(\.resource))
        let unprotected = resources.enumerated().filter { !named.contains($1.identifier) }.map { place, resource in
            SettingsFault(
                .conflict, at: [.member("resources"), .position(place)], in: root, "no policy has the resource \(resource.identifier)")
        }
        return unprotected
            + idle.map { place, policy in
                SettingsFault(.conflict, at: [.member("policies"), .position(place)], in: root, "no route names the policy \(policy.name)")
            }
            + unused.map { place, provider in
                SettingsFault(
                    .conflict, at: [.member("providers"), .position(place)], in: root, "no policy requires the provider \(provider.name)")
            }
    }

    /// Policies that redirect browsers, and read tokens only where no browser puts one when it navigates.
    package func endlessRedirects(_ root: SettingsNode) -> [SettingsFault] {
        let readable = Set(providers.filter { $0.sources.contains(where: \.isOfBrowsers) }.map(\.name))
        return policies.enumerated().filter { _, policy in
            policy.browserRedirect != nil && readable.isDisjoint(with: policy.requirement?.providerNames ?? [])
        }.map { place, _ in
            SettingsFault(
                .conflict, at: [.member("policies"), .position(place), .member("browsers")], in: root,
                "a browser comes back without a token, and is sent away again: no provider of the policy has a `cookie`, a `query` or a `context` in `tokenFrom`"
            )
        }
    }

    /// Providers of proofs without an origin, behind routes for every host. `htu` is then compared with the host that the client names:
    /// a server that got a token and a proof for itself can use both here once (RFC 9700 section 4.9.1).
    package func proofsForAnyHost(_ root: SettingsNode) -> [SettingsFault] {
        let open = Set(routes.filter { $0.hosts.isEmpty }.map(\.policy)), reached = policies.filter { open.contains($0.name) }
        let required = Set(reached.flatMap { $0.requirement?.providerNames ?? [] })
        return providers.enumerated().filter { $1.proofs.map { $0.origin == nil } ?? false && required.contains($1.name) }.map { place, _ in
            SettingsFault(
                .conflict, at: [.member("providers"), .position(place), .member("dpop")], in: root,
                "a proof for any host passes, because a route to the provider has no `hosts`: set `origin`, or the `hosts` of its routes")
        }
    }
}

extension TokenSource {
    /// Whether a browser that navigates can have a token there, by itself or through the gateway.
    fileprivate var isOfBrowsers: Bool {
        switch self {
        case .cookie, .query, .context: true
        case .authorization, .header, .webSocketProtocol: false
        }
    }
}

extension HostRoutes {
    /// What stands beside `policy` alone.
    fileprivate static let settings = ["allowPreflight", "allowMethodOverride"]

    fileprivate init(_ root: SettingsSection, policies: [String]) {
        self.init(policy: RouteSettings.policy(root, policies) ?? "")
        if root.stands("routes") { root.fault("routes", .conflict, "the host has routes of its own, where `policy` is set") }
        admitsPreflights = root.flag("allowPreflight") ?? admitsPreflights
        allowsMethodOverride = root.flag("allowMethodOverride") ?? allowsMethodOverride
    }
}

extension PathRules {
    fileprivate mutating func read(_ root: SettingsSection, isHosted: Bool) {
        let names = ["allowEncodedSlashes", "allowEmptySegments", "allowParameters"] + (isHosted ? ["strict"] : [])
        guard let section = root.section("paths", names: names) else { return }
        isStrict = section.flag("strict") ?? isStrict
        for name in names.dropLast() where !isStrict && section.has(name) {
            section.fault(name, .conflict, "is of no use with `strict: false`")
        }
        if !isStrict, !root.has("policy") { section.fault("strict", .conflict, "is for the routes of a host (`policy`)") }
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
