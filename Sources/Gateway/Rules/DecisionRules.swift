internal import JWKSCache
internal import JWTCore

/// A checked configuration, prepared for decisions. It and its parts are classes: a copy of a structure would count a reference for each of
/// its members, and all event loops count in the same memory.
final class DecisionRules: Sendable {
    let routes: LentObjects<RouteRules>
    /// Nil for few routes.
    private let index: RouteIndex?
    let policies: LentObjects<PolicyRules>
    /// The fields of every provider, each once. Every admission sets all of them.
    let fieldNames: [String]
    let fieldNameList: NameList
    /// Fields that no client's field may be mistaken for.
    private let protected: [[UInt8]]
    /// The names that ``hasAmbiguousField(_:)`` looks at.
    private let watched: NameFilter
    /// Nil where no route looks at paths.
    let paths: PathRules?
    let fieldLimits: FieldLimits
    private let matchesMethods: Bool
    private let admitsPreflights: Bool
    let matchesHosts: Bool
    /// For a host that names policies: the position of the one for other requests.
    private let hostPolicy: Int?
    private let policyNames: NameIndex

    /// - Parameters:
    ///   - configuration: has been checked.
    ///   - keys: the key sets of each provider's issuers.
    ///   - statuses: the status lists of the providers that have some.
    ///   - introspections: those of the providers that have some.
    ///   - horizon: of the memory of uses, for proofs.
    init(
        _ configuration: GatewayConfiguration, keys: [[ProviderKeys]], statuses: [TokenStatuses], introspections: [TokenIntrospection],
        horizon: ProofHorizon, cache: VerifiedTokenCache?
    ) {
        let fieldNames = Self.fieldNames(configuration)
        // A thing has one use, and providers may differ in their times: what one has forgotten, the other would admit.
        let leewayOfUses = configuration.providers.filter(\.passesOnce).map(\.issuer.policy.leeway).max() ?? .zero
        var providers: [String: ProviderRules] = [:]
        for (provider, keys) in zip(configuration.providers, keys) {
            providers[provider.name] = ProviderRules(
                provider, keys: keys, statuses: statuses.first { $0.provider == provider.name },
                introspection: introspections.first { $0.provider == provider.name }, leewayOfUses: leewayOfUses,
                horizon: horizon, fieldNames: fieldNames, limits: configuration.fieldLimits, tokenBytes: configuration.tokenBytes,
                cache: cache)
        }
        let positions = Dictionary(uniqueKeysWithValues: configuration.policies.enumerated().map { ($1.name, $0) })
        policies = LentObjects(
            configuration.policies.map { policy in
                let names = policy.requirement?.providerNames ?? []
                let proofs = ProofChallengeTerms(configuration.providers.filter { names.contains($0.name) })
                return PolicyRules(
                    policy, providers: providers, proofs: proofs, policies: positions, keepsSubjects: configuration.keepsSubjects)
            })
        let routes = configuration.routes.map { route in
            RouteRules(route, hosts: route.hosts.compactMap(HostPattern.init), policy: positions[route.policy] ?? 0, configuration.paths)
        }
        index = RouteIndex(routes)
        self.routes = LentObjects(routes)
        self.fieldNames = fieldNames
        fieldNameList = NameList(fieldNames)
        protected = Set(fieldNames + configuration.providers.flatMap(\.sources).compactMap(\.ownField)).map { Array($0.utf8) }
        watched = NameFilter(of: protected + FieldNames.methodOverrides + Self.connections)
        let hostRoutes = configuration.hostRoutes
        hostPolicy = hostRoutes.flatMap { positions[$0.policy] }
        policyNames = NameIndex(configuration.policies.map(\.name))
        let looksAtPaths = hostRoutes == nil ? configuration.routes.contains { $0.path != nil } : configuration.paths.isStrict
        paths = looksAtPaths ? configuration.paths : nil
        fieldLimits = configuration.fieldLimits
        // What passes as a preflight must not become another request behind the gateway.
        matchesMethods =
            hostRoutes.map { !$0.allowsMethodOverride } ?? configuration.routes.contains { !$0.methods.isEmpty || $0.admitsPreflights }
        admitsPreflights = hostRoutes?.admitsPreflights ?? configuration.routes.contains(where: \.admitsPreflights)
        matchesHosts = configuration.routes.contains { !$0.hosts.isEmpty }
    }

    private static func fieldNames(_ configuration: GatewayConfiguration) -> [String] {
        var names: [String] = []
        for provider in configuration.providers {
            for name in provider.claimHeaders.map(\.name) + (provider.payloadHeader.map { [$0] } ?? []) {
                let name = name.lowercased()
                if !names.contains(name) { names.append(name) }
            }
        }
        return names
    }

    /// Whether the host names the policy of each request.
    var isHostRouted: Bool { hostPolicy != nil }

    /// The position of the policy that the host names. Nil for an unknown name.
    func hostPolicy(of request: RequestView) -> Int? {
        guard !request.policy.isEmpty else { return hostPolicy }
        let place = policyNames.first(JSONString(request.policy, isEscaped: false))
        return place < 0 ? nil : place
    }

    /// Whether it is a preflight that every route of the host admits without a token.
    func isHostPreflight(_ request: RequestView) -> Bool { admitsPreflights && Preflight.method(request) != nil }

    /// The position of the first route that matches.
    ///
    /// - Parameter method: that of the request, or the one that a preflight asks for.
    func route(of request: RequestView, method: Span<UInt8>, _ target: TargetView, _ host: HostView?) -> Int? {
        if let index { return index.first(of: request, method: method, target, host, routes) }
        for place in routes.indices where routes.lend(place, { $0.matches(request, method: method, target, host) }) {
            return place
        }
        return nil
    }

    /// The position of the route of the request that a preflight asks for, if it admits preflights.
    func preflightRoute(of request: RequestView, _ target: TargetView, _ host: HostView?) -> Int? {
        guard admitsPreflights, let method = Preflight.method(request), let route = route(of: request, method: method, target, host),
            routes.lend(route, { $0.admitsPreflights })
        else { return nil }
        return route
    }

    /// Whether a field of the client can be read as another one, makes a proxy drop one, or changes the method that a route looked at.
    func hasAmbiguousField(_ request: RequestView) -> Bool {
        for place in 0..<request.fieldCount {
            let name = request.fieldName(place)
            guard watched.mayContain(name) else { continue }
            if !FieldNames.isPlain(name), isProtected(name, name.indices) { return true }
            if Self.isConnection(request, place), dropsProtectedField(request.fieldValue(place)) { return true }
            guard matchesMethods, FieldNames.isMethodOverride(name) else { continue }
            if !request.fieldValue(place).equals(request.method) { return true }
        }
        return false
    }

    /// Some proxies read `Proxy-Connection` as `Connection` (RFC 9112 appendix C.2.2).
    private static let connections = ["connection", "proxy-connection"].map { Array($0.utf8) }

    private static func isConnection(_ request: RequestView, _ place: Int) -> Bool {
        for name in connections where request.isField(place, name) { return true }
        return false
    }

    /// Whether a field can bring an identity or a token to the upstream, by any of its spellings.
    func protects(_ name: Span<UInt8>) -> Bool {
        for credential in Self.credentials where name.isAlias(of: credential, in: name.indices) { return true }
        return isProtected(name, name.indices)
    }

    /// Whether a server may read the name as one of the protected ones.
    private func isProtected(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for name in protected where text.isAlias(of: name, in: range) { return true }
        return false
    }

    /// RFC 9110 section 7.6.1: a proxy removes the fields that `Connection` names, perhaps after the gateway has set them.
    private func dropsProtectedField(_ options: Span<UInt8>) -> Bool {
        var parts = Parts(options.indices, separator: UInt8(ascii: ","))
        while let part = parts.next(in: options) {
            let option = options.trimmed(part)
            if isProtected(options, option) { return true }
            for name in Self.credentials where options.equals(lowercased: name, in: option) { return true }
        }
        return false
    }

    private static let credentials = ["authorization", "cookie"].map { Array($0.utf8) }
}
