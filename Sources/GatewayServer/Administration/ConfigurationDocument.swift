#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore

/// The configuration in force. A configuration has no secrets.
struct ConfigurationDocument: Encodable {
    let generation: Int
    let since: Int64
    let listeners: [Listener]
    let administration: String
    let providers: [Named]
    let policies: [Policy]
    let routes: [MatchedRoute]

    struct Listener: Encodable {
        let name: String
        let profile: String
        let place: String
    }

    struct Named: Encodable {
        let name: String
        /// Nil for tenants.
        let issuer: String?
        /// The tenants; nil for a provider of one issuer.
        let issuers: [String]?
        let audiences: [String]
        let isRequired: Bool
        let fields: [String]
    }

    struct Policy: Encodable {
        let name: String
        let requires: String
        let scopes: [String]
        let mode: String
        let shadow: String?
    }

    struct MatchedRoute: Encodable {
        let path: String
        let methods: [String]
        let hosts: [String]
        let policy: String
    }

    /// - Parameter started: has the sockets, which only a restart changes.
    init(_ inForce: ActiveConfiguration, started: ServiceConfiguration) {
        let configuration = inForce.configuration
        generation = inForce.generation
        since = inForce.since.seconds
        listeners = started.listeners.map { Listener(name: $0.name, profile: $0.profile.rawValue, place: $0.place.text) }
        administration = started.administration.text
        providers = configuration.decisions.providers.map { provider in
            let hasTenants = !provider.tenants.isEmpty
            return Named(
                name: provider.name, issuer: hasTenants ? nil : provider.issuer.issuer,
                issuers: hasTenants ? provider.issuers.map(\.issuer) : nil, audiences: provider.issuer.policy.audiences,
                isRequired: provider.issuer.isRequired, fields: provider.claimHeaders.map(\.name))
        }
        policies = configuration.decisions.policies.map { policy in
            Policy(
                name: policy.name, requires: policy.requirement?.words ?? "nothing", scopes: policy.scopes,
                mode: policy.mode == .dryRun ? "dry-run" : "enforced", shadow: policy.shadow)
        }
        routes = configuration.decisions.routes.map { route in
            MatchedRoute(path: route.path?.words ?? "/*", methods: route.methods, hosts: route.hosts, policy: route.policy)
        }
    }
}

extension Requirement {
    fileprivate var words: String {
        switch self {
        case .provider(let name): name
        case .any(let parts): "any(" + parts.map(\.words).joined(separator: ", ") + ")"
        case .all(let parts): "all(" + parts.map(\.words).joined(separator: ", ") + ")"
        case .allowMissing: "allow-missing"
        case .allowFailed: "allow-failed"
        }
    }
}

extension Route.PathMatch {
    fileprivate var words: String {
        switch self {
        case .exact(let path): path
        case .prefix(let path): path == "/" ? "/*" : path + "/*"
        case .pattern(let pattern): pattern
        }
    }
}
#endif
