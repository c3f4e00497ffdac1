/// Checks a requirement against the providers of a configuration.
struct RequirementCheck {
    let providers: [String: Provider]

    private static let depth = 8
    private static let members = 64

    func check(_ requirement: Requirement, _ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard requirement.depth(atMost: Self.depth) <= Self.depth, requirement.members.count <= Self.members else {
            throw ConfigurationFault(.requirementTooLarge, path)
        }
        try checkPart(requirement, path)
        let places = Set(requirement.providerNames.flatMap { providers[$0]?.sources ?? [] }.map(TokenPlace.init))
        guard places.count <= Self.members else { throw ConfigurationFault(.requirementTooLarge, path) }
    }

    private func checkPart(_ requirement: Requirement, _ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        switch requirement {
        case .provider(let name): guard providers[name] != nil else { throw ConfigurationFault(.unknownProvider, path) }
        case .any(let members):
            try checkAllowances(members, path)
            try checkParts(members.enumerated().filter { !$0.element.isAllowance }, path + [.member("any")])
        case .all(let members):
            try checkParts(Array(members.enumerated()), path + [.member("all")])
            try checkSources(members, path + [.member("all")])
        case .allowMissing, .allowFailed: throw ConfigurationFault(.misplacedAllowance, path)
        }
    }

    private func checkParts(
        _ members: [(offset: Int, element: Requirement)], _ path: [ConfigurationFault.Step]
    ) throws(ConfigurationFault) {
        guard !members.isEmpty else { throw ConfigurationFault(.emptyRequirement, path) }
        for member in members { try checkPart(member.element, path + [.position(member.offset)]) }
    }

    private func checkAllowances(_ members: [Requirement], _ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        let allowances = members.indices.filter { members[$0].isAllowance }
        guard let last = allowances.last else { return }
        guard allowances.count == 1, members.count > 1 else {
            throw ConfigurationFault(.misplacedAllowance, path + [.member("any"), .position(last)])
        }
    }

    /// Each member of an `all` has a token of its own, so it needs a place of its own, and fields of its own.
    private func checkSources(_ members: [Requirement], _ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        for (place, member) in members.enumerated() {
            let path = path + [.position(place)]
            let earlier = members[..<place].flatMap(\.providerNames).compactMap { providers[$0] }
            for provider in member.providerNames.compactMap({ providers[$0] }) {
                let places = provider.sources.map(TokenPlace.init), taken = earlier.flatMap(\.sources).map(TokenPlace.init)
                guard !places.contains(where: { place in taken.contains { $0.excludes(place) } }) else {
                    throw ConfigurationFault(.sharedSource, path)
                }
                guard earlier.allSatisfy({ $0.fieldNames.isDisjoint(with: provider.fieldNames) }) else {
                    throw ConfigurationFault(.sharedFieldName, path)
                }
            }
        }
    }
}

extension Requirement {
    /// Whether a request without an accepted token can meet it.
    var admitsAnonymous: Bool {
        switch self {
        case .provider: false
        case .any(let members): members.contains(where: \.admitsAnonymous)
        case .all(let members): members.allSatisfy(\.admitsAnonymous)
        case .allowMissing, .allowFailed: true
        }
    }

    fileprivate var isAllowance: Bool { self == .allowMissing || self == .allowFailed }

    /// The nesting depth; `limit + 1` if it is deeper.
    fileprivate func depth(atMost limit: Int) -> Int {
        switch self {
        case .any(let members), .all(let members):
            limit == 0 ? 1 : 1 + (members.map { $0.depth(atMost: limit - 1) }.max() ?? 0)
        default: 1
        }
    }

    /// Itself and everything in it.
    fileprivate var members: [Requirement] {
        switch self {
        case .any(let members), .all(let members): [self] + members.flatMap(\.members)
        default: [self]
        }
    }

    /// In their order, with repetitions.
    var providerNames: [String] {
        members.compactMap { if case .provider(let name) = $0 { name } else { nil } }
    }
}
