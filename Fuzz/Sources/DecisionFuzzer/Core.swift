import Foundation
import Gateway
import JWKSCache
import JWTCore

/// A core with loaded keys and a policy of every kind, by the first segment of the path.
enum Core {
    static let policies = ["open", "both", "either", "scoped"]

    /// - Parameter revoking: every token is revoked.
    static func make(revoking: Bool = false) throws -> DecisionCore {
        var a = provider("a", Samples.keysOfA), b = provider("b", Samples.keysOfB)
        a.sources = [.bearer, .cookie(name: "session"), .header(name: "x-token", prefix: ""), .query(name: "access_token")]
        a.forwardsToken = false
        b.sources = [.cookie(name: "other"), .header(name: "x-b", prefix: "jwt=")]
        var scoped = GatewayPolicy("scoped", requirement: .provider("a"))
        scoped.scopes = ["read"]
        var policies = [
            GatewayPolicy("open", requirement: nil), GatewayPolicy("both", requirement: .all([.provider("a"), .provider("b")])),
            GatewayPolicy("either", requirement: .any([.provider("a"), .provider("b"), .allowMissing])), scoped,
        ]
        var routes = policies.map { Route(.prefix("/\($0.name)"), policy: $0.name) }
        policies.append(GatewayPolicy("main", requirement: .provider("a")))
        // Hosts and methods matter for one route, so that every request is read for them.
        routes.append(Route(.prefix("/hosts"), policy: "open"))
        routes[routes.count - 1].hosts = ["*.open.example"]
        routes[routes.count - 1].methods = ["GET"]
        routes.append(Route(policy: "main"))
        let configuration = GatewayConfiguration(providers: [a, b], policies: policies, routes: routes)
        let revocations = Revocations(RevocationList(revoking ? [.init(.issuedBefore(NumericDate(seconds: Samples.now)))] : []))
        let core = try DecisionCore(
            configuration, transport: NoTransport(), revocations: revocations, cache: VerifiedTokenCache(budget: 1 << 20))
        while !core.issuers.isReady { usleep(1_000) }
        return core
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
