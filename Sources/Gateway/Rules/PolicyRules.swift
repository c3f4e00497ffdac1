internal import JWTCore

/// A policy, prepared for decisions.
final class PolicyRules: Sendable {
    let name: String
    /// Nil: open.
    let requirement: RequirementRules?
    /// The providers of the requirement, each once, in their order.
    let providers: [ProviderRules]
    /// The places of their tokens, each once.
    let places: [TokenPlace]
    /// For each of ``providers``, the positions of its places in ``places``.
    let placesOf: [Positions]
    let scopes: [[UInt8]]
    let challenge: ChallengeTerms
    let isDryRun: Bool
    /// The position of the shadow policy.
    let shadow: Int?

    init(_ policy: GatewayPolicy, providers known: [String: ProviderRules], policies: [String: Int]) {
        var names: [String] = []
        requirement = policy.requirement.map { RequirementRules($0, &names) }
        providers = names.compactMap { known[$0] }
        var places: [TokenPlace] = []
        for place in providers.flatMap(\.places) where !places.contains(place) { places.append(place) }
        self.places = places
        placesOf = providers.map { Positions($0.places.compactMap { places.firstIndex(of: $0) }) }
        name = policy.name
        scopes = policy.scopes.map { Array($0.utf8) }
        challenge = ChallengeTerms(policy)
        isDryRun = policy.mode == .dryRun
        shadow = policy.shadow.flatMap { policies[$0] }
    }

    /// The places of these providers' tokens.
    func places(of providers: Positions) -> Positions { providers.reduce(into: Positions()) { $0.formUnion(placesOf[$1]) } }
}

/// A requirement with its providers as positions in ``PolicyRules/providers``.
indirect enum RequirementRules: Sendable {
    case provider(Int)
    /// - Parameter providers: those of all members.
    case any([RequirementRules], allowance: Allowance?, providers: Positions)
    case all([RequirementRules])

    enum Allowance: Sendable {
        case missing, failed
    }

    /// - Parameter names: receives the providers' names in the order of their first use.
    init(_ requirement: Requirement, _ names: inout [String]) {
        switch requirement {
        case .provider(let name):
            if !names.contains(name) { names.append(name) }
            self = .provider(names.firstIndex(of: name) ?? 0)
        case .any(let members):
            let allowance: Allowance? = members.contains(.allowFailed) ? .failed : members.contains(.allowMissing) ? .missing : nil
            var rules: [RequirementRules] = []
            for member in members where member != .allowMissing && member != .allowFailed { rules.append(Self(member, &names)) }
            self = .any(rules, allowance: allowance, providers: Self.providers(of: rules))
        case .all(let members):
            var rules: [RequirementRules] = []
            for member in members { rules.append(Self(member, &names)) }
            self = .all(rules)
        case .allowMissing, .allowFailed: self = .any([], allowance: nil, providers: Positions())
        }
    }

    private static func providers(of members: [RequirementRules]) -> Positions {
        members.reduce(into: Positions()) { providers, member in
            switch member {
            case .provider(let position): providers.insert(position)
            case .any(_, _, let more): providers.formUnion(more)
            case .all(let members): providers.formUnion(Self.providers(of: members))
            }
        }
    }
}

/// The terms of a policy that its challenges repeat.
struct ChallengeTerms: Sendable {
    let realm: String?
    let scope: String?
    let resourceMetadata: String?

    init(_ policy: GatewayPolicy) {
        realm = policy.realm
        scope = policy.scopes.isEmpty ? nil : policy.scopes.joined(separator: " ")
        resourceMetadata = policy.resourceMetadata
    }

    /// The value of `WWW-Authenticate` for a refusal (RFC 6750 section 3, RFC 9728 section 5.1); nil where no token is the cause.
    func challenge(for reason: DenialReason) -> String? {
        let challenge: BearerChallenge? =
            switch reason {
            case .token(let error): BearerChallenge(refusing: error, realm: realm)
            case .missingToken: BearerChallenge(realm: realm, scope: scope)
            case .severalTokens: BearerChallenge(.invalidRequest, description: "more than one token", realm: realm)
            case .insufficientScope:
                BearerChallenge(.insufficientScope, description: "the token lacks a scope", realm: realm, scope: scope)
            case .revoked: BearerChallenge(refusing: VerificationError(.revoked), realm: realm)
            case .noRoute, .ambiguousPath, .ambiguousField, .claimsTooLarge, .unhandledField, .malformedRequest: nil
            }
        guard let value = challenge?.fieldValue else { return nil }
        guard let resourceMetadata else { return value }
        return value + (value == "Bearer" ? " " : ", ") + "resource_metadata=\"\(resourceMetadata)\""
    }
}
