import Foundation
import Gateway
import JWKSCache
import JWTCore

/// A core with loaded keys and a policy of every kind, by the first segment of the path.
enum Core {
    static let policies = ["open", "both", "either", "scoped"]

    /// What a core is for.
    enum Kind {
        /// The rules that `check` judges.
        case judged
        /// Every token is revoked.
        case revoking
        /// Every way to read a path, and every form of a claim for the upstream.
        case lenient
    }

    static func make(_ kind: Kind) throws -> DecisionCore {
        var a = provider("a", Samples.keysOfA), b = provider("b", Samples.keysOfB)
        a.sources = [.bearer, .cookie(name: "session"), .header(name: "x-token", prefix: ""), .query(name: "access_token")]
        a.forwardsToken = false
        b.sources = [.cookie(name: "other"), .header(name: "x-b", prefix: "jwt=")]
        if kind == .lenient { addClaims(to: &a) }
        var policies = policies(kind)
        var routes = policies.map { Route(.prefix("/\($0.name)"), policy: $0.name) }
        policies.append(GatewayPolicy("main", requirement: .provider("a")))
        // Hosts and methods matter for one route, so that every request is read for them.
        routes.append(Route(.prefix("/hosts"), policy: "open"))
        routes[routes.count - 1].hosts = ["*.open.example"]
        routes[routes.count - 1].methods = ["GET"]
        routes.append(Route(policy: "main"))
        var configuration = GatewayConfiguration(providers: [a, b], policies: policies, routes: routes)
        if kind == .lenient {
            configuration.paths.allowsEncodedSlashes = true
            configuration.paths.allowsEmptySegments = true
            configuration.paths.allowsParameters = true
            configuration.fieldLimits.valueBytes = 64
        }
        let revocations = RevocationList(kind == .revoking ? [.init(.issuedBefore(NumericDate(seconds: Samples.now)))] : [])
        let core = try DecisionCore(
            configuration, transport: NoTransport(), revocations: Revocations(revocations), cache: VerifiedTokenCache(budget: 1 << 20))
        while !core.issuers.isReady { usleep(1_000) }
        return core
    }

    private static func policies(_ kind: Kind) -> [GatewayPolicy] {
        var scoped = GatewayPolicy("scoped", requirement: .provider("a"))
        scoped.scopes = ["read"]
        let last: Requirement = kind == .lenient ? .allowFailed : .allowMissing
        var either = GatewayPolicy("either", requirement: .any([.provider("a"), .provider("b"), last]))
        var both = GatewayPolicy("both", requirement: .all([.provider("a"), .provider("b")]))
        if kind == .lenient {
            either.shadow = "both"
            both.mode = .dryRun
            scoped.realm = "r\"\\"
            scoped.resourceMetadata = "https://api.example/.well-known/oauth-protected-resource"
        }
        return [GatewayPolicy("open", requirement: nil), both, either, scoped]
    }

    private static func addClaims(to provider: inout Provider) {
        provider.payloadHeader = "x-a-payload"
        provider.claimHeaders += [
            ClaimHeader("x-groups", path: [.member("groups")]), ClaimHeader("x-first", path: [.member("groups"), .position(0)]),
            ClaimHeader("x-nested", path: [.member("nested")], arrays: .json), ClaimHeader("x-mixed", path: [.member("mixed")]),
            ClaimHeader("x-list", path: [.member("nested"), .member("a")], arrays: .json), ClaimHeader("x-admin", path: [.member("admin")]),
            ClaimHeader("x-expiry", path: [.member("exp")]), ClaimHeader("x-none", path: [.member("sub"), .position(1)]),
        ]
    }

    private static func provider(_ name: String, _ keys: String) -> Provider {
        let issuer = "https://\(name).example"
        var configuration = IssuerConfiguration(issuer, source: .inline(keys), policy: ClaimsPolicy(issuer: issuer, audience: "api"))
        configuration.isRequired = true
        var provider = Provider(name, issuer: configuration)
        provider.claimHeaders = [ClaimHeader("x-\(name)-sub", path: [.member("sub")])]
        return provider
    }
}

/// Inline keys need no network.
private struct NoTransport: DocumentTransport {
    func fetch(_ request: DocumentRequest) async throws(TransportFailure) -> DocumentResponse { throw TransportFailure(.connection) }
}
