#if Gateway
internal import Gateway

extension ServiceConfiguration {
    /// Checks routes and providers against what the gateways of the listeners can do.
    ///
    /// - Parameter root: the file.
    /// - Throws: `SettingsFailure` with every fault.
    func checkListeners(_ root: SettingsNode) throws(SettingsFailure) {
        let faults = routeFaults(root) + queryFaults(root) + claimFaults(root) + certificateFaults(root)
        guard faults.isEmpty else { throw SettingsFailure(faults) }
    }

    /// A route that never matches leaves its requests to the next one, which may be open. One listener is enough: a route may be for one
    /// gateway of several.
    private func routeFaults(_ root: SettingsNode) -> [SettingsFault] {
        decisions.routes.enumerated().flatMap { place, route -> [SettingsFault] in
            if decisionListeners.contains(where: { $0.delivers(route) }) { return [] }
            return faults(of: route, [.member("routes"), .position(place)], root)
        }
    }

    /// One fault for each condition that no listener delivers. If each condition has a listener, but no listener has all, one for the route.
    private func faults(of route: Route, _ path: [ConfigurationFault.Step], _ root: SettingsNode) -> [SettingsFault] {
        let names = route.fields.map(\.name).filter { name in !decisionListeners.contains { $0.delivers(field: name) } }
        let keys = route.context.keys.sorted().filter { key in !decisionListeners.contains { $0.delivers(context: key) } }
        guard !names.isEmpty || !keys.isEmpty else {
            return [SettingsFault(.conflict, at: path, in: root, "no listener delivers all of its `headers` and `context`")]
        }
        return names.map { SettingsFault(.conflict, at: path + [.member("headers")], in: root, absence(ofField: $0)) }
            + keys.map { SettingsFault(.unknownName, at: path + [.member("context")], in: root, absence(ofContext: $0)) }
    }

    private func absence(ofField name: String) -> String {
        let key = decisionListeners.compactMap { $0.contextFields[name] }.first
        let reason =
            if let key {
                "it is one of `contextHeaders`; use `context` with `\(key)`"
            } else if name == "host" {
                "use `hosts`"
            } else {
                "it describes the gateway's own request (\(Set(decisionListeners.map(\.profile.rawValue)).sorted().joined(separator: ", ")))"
            }
        return "no route gets the field `\(name)`: \(reason)"
    }

    private func absence(ofContext key: String) -> String {
        let known = decisionListeners.flatMap { Array($0.contextFields.values) }
        return "no listener has `\(key.prefix(64))` in `contextHeaders`\(Suggestion.question(key, in: known))"
    }

    /// The client's own field would reach the upstream where the gateway's file does not handle the field of a claim.
    private func claimFaults(_ root: SettingsNode) -> [SettingsFault] {
        decisionListeners.flatMap { listener -> [SettingsFault] in
            guard let names = listener.handledFields else { return [] }
            let handled = HandledFields(names.joined(separator: " "))
            return decisions.providers.enumerated().flatMap { place, provider in
                provider.fieldsForUpstream.filter { !handled.contains($0.lowercased()) }.map { name in
                    SettingsFault(
                        .conflict, at: [.member("providers"), .position(place)], in: root,
                        "the gateway of \(listener.name) does not handle the field `\(name)` (`handledFields`), so a client could set it")
                }
            }
        }
    }

    /// A certificate that no gateway tells, or in a field that has another use.
    private func certificateFaults(_ root: SettingsNode) -> [SettingsFault] {
        let tells = listeners.contains { $0.profile == .envoyGRPC || $0.certificateField != nil }
        let bound = decisions.providers.indices.filter { decisions.providers[$0].certificateBinding != nil && !tells }
        let absent = bound.map { place in
            SettingsFault(
                .conflict, at: [.member("providers"), .position(place), .member("certificateBound")], in: root,
                "no listener's gateway tells the client's certificate (`certificate`), so every bound token would be refused")
        }
        let tokens = decisions.providers.flatMap(\.sources).compactMap(\.headerName)
        let claims = decisions.providers.flatMap(\.fieldsForUpstream).map { $0.lowercased() }
        return absent + certificateFaults(root, in: tokens) { "tokens come in the field `\($0)`, so a client may set it" }
            // A file of the time before the certificate handles the claim's field, and would count as one that sets it.
            + certificateFaults(root, in: claims) { "a claim goes on in the field `\($0)`; the certificate needs one of its own" }
    }

    /// One fault for each listener with the certificate in one of `fields`.
    private func certificateFaults(_ root: SettingsNode, in fields: [String], _ text: (String) -> String) -> [SettingsFault] {
        listeners.enumerated().compactMap { place, listener in
            guard let name = listener.certificateField?.name, fields.contains(name) else { return nil }
            return SettingsFault(.conflict, at: [.member("listeners"), .position(place), .member("certificate")], in: root, text(name))
        }
    }

    private func queryFaults(_ root: SettingsNode) -> [SettingsFault] {
        guard !decisionListeners.contains(where: \.removesParameters) else { return [] }
        return decisions.providers.indices.filter { decisions.providers[$0].withholdsQuery }.map { place in
            SettingsFault(
                .conflict, at: [.member("providers"), .position(place), .member("forwardToken")], in: root,
                "a token in the query (`tokenFrom`) stays in the URL for the upstream; only the profile envoy-grpc can remove it")
        }
    }
}

extension ListenerSettings {
    /// Whether its gateway can deliver every field and every context that `route` looks at.
    fileprivate func delivers(_ route: Route) -> Bool {
        route.fields.allSatisfy { delivers(field: $0.name) } && route.context.keys.allSatisfy { delivers(context: $0) }
    }

    func delivers(field name: String) -> Bool {
        // By gRPC Envoy sends `:authority` for every `Host`.
        guard let profile = GatewayProfile(self) else { return name != "host" }
        return !profile.isOfGateway(name)
    }

    /// Envoy's own configuration has the names of `context_extensions`.
    fileprivate func delivers(context key: String) -> Bool { profile == .envoyGRPC || contextFields.values.contains(key) }

    /// Whether its gateway can take a parameter out of the query.
    var removesParameters: Bool { profile == .envoyGRPC }
}

extension TokenSource {
    /// The field of its own; nil for one that others share, which no certificate can have either.
    fileprivate var headerName: String? { if case .header(let name, _) = self { name.lowercased() } else { nil } }
}

extension Provider {
    /// The fields that it sets.
    fileprivate var fieldsForUpstream: [String] { claimHeaders.map(\.name) + (payloadHeader.map { [$0] } ?? []) }

    /// Whether it keeps a token from the upstream that may be in the query.
    var withholdsQuery: Bool { !forwardsToken && sources.contains { if case .query = $0 { true } else { false } } }
}
#endif
