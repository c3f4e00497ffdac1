internal import JWKSCache

extension GatewayConfiguration {
    /// Checks every setting and every reference between settings.
    ///
    /// - Throws: the first fault, in the order of providers, policies and routes.
    public func check() throws(ConfigurationFault) {
        try checkLimits()
        try Self.checkNames(providers.map(\.name), [.member("providers")])
        for (place, provider) in providers.enumerated() { try provider.check([.member("providers"), .position(place)]) }
        try checkTokenFields()
        try checkIssuers()
        try checkStorage()
        try Self.checkNames(policies.map(\.name), [.member("policies")])
        for place in policies.indices { try checkPolicy(at: place) }
        try checkResources()
        if let hostRoutes {
            guard routes.isEmpty else { throw ConfigurationFault(.superfluousRoutes, [.member("routes")]) }
            guard policies.contains(where: { $0.name == hostRoutes.policy }) else {
                throw ConfigurationFault(.unknownPolicy, [.member("policy")])
            }
            return
        }
        guard !routes.isEmpty else { throw ConfigurationFault(.noRoutes, [.member("routes")]) }
        for (place, route) in routes.enumerated() { try check(route, [.member("routes"), .position(place)]) }
    }

    private func checkLimits() throws(ConfigurationFault) {
        let path: [ConfigurationFault.Step] = [.member("fieldLimits")]
        guard fieldLimits.valueBytes > 0 else { throw ConfigurationFault(.invalidLimit, path + [.member("valueBytes")]) }
        guard fieldLimits.totalBytes >= fieldLimits.valueBytes else {
            throw ConfigurationFault(.invalidLimit, path + [.member("totalBytes")])
        }
        guard tokenBytes > 0 else { throw ConfigurationFault(.invalidLimit, [.member("tokenBytes")]) }
    }

    private static func checkNames(_ names: [String], _ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        for (place, name) in names.enumerated() {
            let path = path + [.position(place), .member("name")]
            guard name.isConfigurationName else { throw ConfigurationFault(.invalidName, path) }
            guard !names[..<place].contains(name) else { throw ConfigurationFault(.duplicateName, path) }
        }
    }

    /// A field with tokens cannot bring a claim: the one would replace or remove the other.
    private func checkTokenFields() throws(ConfigurationFault) {
        let fields = Set(providers.flatMap(\.sources).compactMap(\.ownField))
        for (place, provider) in providers.enumerated() {
            let path: [ConfigurationFault.Step] = [.member("providers"), .position(place)]
            for (number, header) in provider.claimHeaders.enumerated() where fields.contains(header.name.lowercased()) {
                throw ConfigurationFault(.fieldOfTokens, path + [.member("claimHeaders"), .position(number), .member("name")])
            }
            if let header = provider.payloadHeader, fields.contains(header.lowercased()) {
                throw ConfigurationFault(.fieldOfTokens, path + [.member("payloadHeader")])
            }
        }
    }

    /// Providers of one issuer share its keys.
    private func checkIssuers() throws(ConfigurationFault) {
        var known: [[UInt8]: IssuerConfiguration] = [:]
        for (place, provider) in providers.enumerated() {
            for issuer in provider.issuers {
                guard let first = known.updateValue(issuer, forKey: Array(issuer.issuer.utf8)) else { continue }
                guard first.hasSameSources(as: issuer) else {
                    throw ConfigurationFault(.conflictingIssuer, [.member("providers"), .position(place), .member("issuer")])
                }
            }
        }
    }

    /// Two issuers in one file would read each other's keys.
    private func checkStorage() throws(ConfigurationFault) {
        var owners: [[Substring]: [UInt8]] = [:]
        for (place, provider) in providers.enumerated() {
            for issuer in provider.issuers {
                guard let file = issuer.storage?.steps else { continue }
                let name = Array(issuer.issuer.utf8)
                guard owners.updateValue(name, forKey: file) ?? name == name else {
                    throw ConfigurationFault(
                        .sharedStorage, [.member("providers"), .position(place), .member("issuer"), .member("storage")])
                }
            }
        }
    }

    private func checkPolicy(at place: Int) throws(ConfigurationFault) {
        let policy = policies[place], path: [ConfigurationFault.Step] = [.member("policies"), .position(place)]
        if let requirement = policy.requirement {
            let check = RequirementCheck(providers: Dictionary(uniqueKeysWithValues: providers.map { ($0.name, $0) }))
            try check.check(requirement, path + [.member("requirement")])
        }
        try policy.checkTexts(path)
        try policy.checkRedirect(path)
        try policy.checkClaimRules(path)
        try policy.checkAuthentication(path)
        var seen = [policy.name], next = policy.shadow
        while let name = next {
            let path = path + [.member("shadow")]
            guard let shadow = policies.first(where: { $0.name == name }) else { throw ConfigurationFault(.unknownShadow, path) }
            guard !seen.contains(name) else { throw ConfigurationFault(.shadowCycle, path) }
            seen.append(name)
            next = shadow.shadow
        }
    }

    private func check(_ route: Route, _ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard policies.contains(where: { $0.name == route.policy }) else {
            throw ConfigurationFault(.unknownPolicy, path + [.member("policy")])
        }
        guard route.path.map({ $0.isValid(paths) }) ?? true else { throw ConfigurationFault(.invalidPath, path + [.member("path")]) }
        for (place, method) in route.methods.enumerated() where !Self.isMethod(method) {
            throw ConfigurationFault(.invalidMethod, path + [.member("methods"), .position(place)])
        }
        for (place, host) in route.hosts.enumerated() where HostPattern(host) == nil {
            throw ConfigurationFault(.invalidHost, path + [.member("hosts"), .position(place)])
        }
        for (place, field) in route.fields.enumerated() where !FieldNames.isToken(field.name) {
            throw ConfigurationFault(.invalidFieldName, path + [.member("fields"), .position(place)])
        }
    }
}

extension GatewayConfiguration {
    private static func isMethod(_ method: String) -> Bool {
        let bytes = Array(method.utf8)
        return RoutedRequest.isMethod(bytes.span)
    }
}

extension KeySetStorage {
    /// The names on the way to the file. `/` stands first in an absolute path.
    fileprivate var steps: [Substring] {
        let names = path.split(separator: "/").filter { $0 != "." }
        return path.hasPrefix("/") ? ["/"] + names : names
    }
}

extension GatewayPolicy {
    fileprivate func checkTexts(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        for (place, scope) in scopes.enumerated() {
            guard scope.isScope else { throw ConfigurationFault(.invalidScope, path + [.member("scopes"), .position(place)]) }
        }
        guard scopes.isEmpty || requirement.map({ !$0.admitsAnonymous }) ?? false else {
            throw ConfigurationFault(.scopesWithoutToken, path + [.member("scopes")])
        }
        guard realm.map({ $0.utf8.allSatisfy(\.isPrintable) }) ?? true else {
            throw ConfigurationFault(.invalidText, path + [.member("realm")])
        }
        let isURL = resourceMetadata.map { !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c } }
        guard isURL ?? true else { throw ConfigurationFault(.invalidText, path + [.member("resourceMetadata")]) }
    }
}

extension GatewayPolicy {
    fileprivate func checkRedirect(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard let browserRedirect else { return }
        let path = path + [.member("browserRedirect")]
        guard (try? BrowserRedirect(browserRedirect)) != nil else { throw ConfigurationFault(.invalidRedirect, path) }
        guard requirement != nil else { throw ConfigurationFault(.redirectWithoutToken, path) }
    }
}

extension Route.PathMatch {
    fileprivate func isValid(_ rules: PathRules) -> Bool {
        switch self {
        case .exact(let path): rules.bytes(of: path) != nil
        case .prefix(let path): rules.bytes(of: path).map { $0.count == 1 || $0.last != 0x2f } ?? false
        case .pattern(let pattern): PathPattern(pattern, rules) != nil
        }
    }
}

extension String {
    /// A name goes into logs and counters.
    fileprivate var isConfigurationName: Bool {
        !isEmpty && utf8.count <= 128 && utf8.allSatisfy { $0.isPrintable && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
