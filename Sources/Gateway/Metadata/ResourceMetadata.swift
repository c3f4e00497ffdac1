internal import DPoP
internal import JWKSCache
internal import JWTCore

/// The members of a protected resource's metadata (RFC 9728 section 2): what the configuration states of it, and what follows from its
/// policies and their providers.
struct ResourceMetadata {
    private let resource: ProtectedResource
    private let policies: [GatewayPolicy]
    /// The providers of these policies.
    private let providers: [Provider]

    init(_ resource: ProtectedResource, in configuration: GatewayConfiguration) {
        self.resource = resource
        policies = configuration.policies.filter { $0.resource == resource.identifier }
        let names = Set(policies.flatMap { $0.requirement?.providerNames ?? [] })
        providers = configuration.providers.filter { names.contains($0.name) }
    }

    /// The document, signed if the resource says so; nil where it cannot be signed: unsigned metadata is not served in place of signed one.
    func document(at now: NumericDate) -> [UInt8]? {
        var members = members
        if let signature = resource.signature {
            guard let token = signature.token(of: members, for: resource.identifier, at: now) else { return nil }
            members["signed_metadata"] = .string(token)
        }
        return JSONTree.object(members).json
    }

    private var members: [String: JSONTree] {
        var members: [String: JSONTree] = ["resource": .string(resource.identifier), "bearer_methods_supported": .texts(bearerMethods)]
        let texts = [
            "jwks_uri": resource.keysURL, "resource_name": resource.displayName, "resource_documentation": resource.documentationURL,
            "resource_policy_uri": resource.policyURL, "resource_tos_uri": resource.termsURL,
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        let lists = [
            "authorization_servers": authorizationServers, "scopes_supported": scopes,
            "authorization_details_types_supported": resource.authorizationDetailsTypes,
            "dpop_signing_alg_values_supported": proofAlgorithms,
        ]
        // RFC 9728 section 2: a member without values is left out.
        for (name, list) in lists where !list.isEmpty { members[name] = .texts(list) }
        if resource.bindsCertificates { members["tls_client_certificate_bound_access_tokens"] = .bool(true) }
        if bindsProofs { members["dpop_bound_access_tokens_required"] = .bool(true) }
        return members
    }

    /// An issuer that is no URL has no metadata that a client could read.
    private var authorizationServers: [String] {
        resource.authorizationServers ?? providers.flatMap(\.issuers).map(\.issuer).filter(ProtectedResource.isURL).withoutRepetitions
    }

    private var scopes: [String] { resource.scopes ?? policies.flatMap(\.scopes).withoutRepetitions }

    /// An empty list says that no bearer token passes (RFC 9728 section 2).
    private var bearerMethods: [String] {
        let sources = providers.filter { $0.proofs?.tokens != .bound }.flatMap(\.sources)
        return (sources.contains(where: \.isBearerHeader) ? ["header"] : []) + (sources.contains(where: \.isBearerQuery) ? ["query"] : [])
    }

    private var proofAlgorithms: [String] {
        providers.compactMap(\.proofs).flatMap(\.policy.algorithms.algorithms).filter { !$0.isSymmetric }.map(\.name).withoutRepetitions
    }

    private var bindsProofs: Bool { !providers.isEmpty && providers.allSatisfy { $0.proofs?.tokens == .bound } }
}

extension TokenSource {
    fileprivate var isBearerHeader: Bool { if case .authorization(let scheme) = self { scheme.lowercased() == "bearer" } else { false } }

    /// RFC 6750 section 2.3.
    fileprivate var isBearerQuery: Bool { self == .query(name: "access_token") }
}

extension JSONTree {
    fileprivate static func texts(_ texts: [String]) -> Self { .array(texts.map { .string($0) }) }
}

extension [String] {
    /// Each once, at its first place.
    fileprivate var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
