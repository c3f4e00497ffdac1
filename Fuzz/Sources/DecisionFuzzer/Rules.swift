import Gateway
import JWKSCache
import JWTCore

/// The configurations of the cores.
enum Rules {
    static var judged: GatewayConfiguration { GatewayConfiguration(providers: [a, b], policies: policies, routes: routes(policies)) }

    /// Reads what `judged` refuses to read, and admits what may fail.
    static var lenient: GatewayConfiguration {
        var policies = policies
        var a = a
        addClaims(to: &a)
        policies[1].mode = .dryRun
        policies[2].requirement = .any([.provider("a"), .provider("b"), .allowFailed])
        policies[2].shadow = "both"
        policies[3].realm = "r\"\\"
        policies[3].resourceMetadata = "https://api.example/.well-known/oauth-protected-resource"
        let failing = [Requirement.any([.provider("a"), .allowFailed]), .any([.provider("b"), .allowFailed])]
        policies.append(GatewayPolicy("failing", requirement: .all(failing)))
        policies.append(ruled)
        var configuration = GatewayConfiguration(providers: [a, b], policies: policies, routes: routes(policies))
        var versioned = Route(.prefix("/hosts"), policy: "open")
        versioned.fields = [Field("x-version", "2")]
        var asked = Route(.pattern("/asked/*/by/**"), policy: "ruled")
        asked.methods = ["POST", "OPTIONS"]
        asked.admitsPreflights = true
        configuration.routes.insert(contentsOf: [versioned, asked], at: 0)
        configuration.paths.allowsEncodedSlashes = true
        configuration.paths.allowsEmptySegments = true
        configuration.paths.allowsParameters = true
        configuration.fieldLimits.valueBytes = 64
        return configuration
    }

    /// No claim fits beside the payload.
    static var narrow: GatewayConfiguration {
        var configuration = judged
        configuration.providers[0].payloadHeader = "x-a-payload"
        configuration.fieldLimits.valueBytes = 16
        configuration.fieldLimits.totalBytes = 16
        return configuration
    }

    /// Two providers of one issuer whose keys are fetched when a token first needs them. No route looks at paths.
    static var waiting: GatewayConfiguration {
        var a = a, twin = b
        a.issuer.source = .issuer(a.issuer.issuer)
        a.issuer.isRequired = false
        a.issuer.refresh.waitBudget = .none
        twin.issuer = a.issuer
        let policy = GatewayPolicy("main", requirement: .any([.provider("a"), .provider("b"), .allowFailed]))
        var strict = Route(policy: "strict")
        strict.methods = ["GET"]
        let strictPolicy = GatewayPolicy("strict", requirement: .provider("a"))
        return GatewayConfiguration(providers: [a, twin], policies: [policy, strictPolicy], routes: [strict, Route(policy: "main")])
    }

    private static var policies: [GatewayPolicy] {
        var scoped = GatewayPolicy("scoped", requirement: .provider("a"))
        scoped.scopes = ["read"]
        var main = GatewayPolicy("main", requirement: .provider("a"))
        main.browserRedirect = "/login?to={url}"
        return [
            GatewayPolicy("open", requirement: nil), GatewayPolicy("both", requirement: .all([.provider("a"), .provider("b")])),
            GatewayPolicy("either", requirement: .any([.provider("a"), .provider("b"), .allowMissing])), scoped,
            main,
        ]
    }

    /// Rules of every kind, which the token with scopes alone fulfils.
    private static var ruled: GatewayPolicy {
        var policy = GatewayPolicy("ruled", requirement: .provider("a"))
        policy.claimRules = [
            ClaimRule([.member("groups")], .anyOf(["y", "a,b"])), ClaimRule([.member("groups")], .allOf(["x", "é"]), provider: "a"),
            ClaimRule([.member("admin")], .equals("true")), ClaimRule([.member("sub")], .prefix("a\r")),
            ClaimRule([.reference("nested"), .reference("a"), .reference("0")], .present),
            ClaimRule([.member("exp")], .number(atLeast: 1_700_000_000, atMost: 1_800_000_000)),
        ]
        return policy
    }

    /// Each policy at its name. Hosts and methods matter for one route, so that every request is read for them.
    private static func routes(_ policies: [GatewayPolicy]) -> [Route] {
        var hosts = Route(.prefix("/hosts"), policy: "open")
        hosts.hosts = ["*.open.example"]
        hosts.methods = ["GET"]
        let named = policies.filter { $0.name != "main" }.map { Route(.prefix("/\($0.name)"), policy: $0.name) }
        return named + [hosts, Route(policy: "main")]
    }

    private static var a: Provider {
        var a = provider("a", Samples.keysOfA)
        a.sources = [.bearer, .cookie(name: "session"), .header(name: "x-token", prefix: ""), .query(name: "access_token")]
        a.forwardsToken = false
        return a
    }

    private static var b: Provider {
        var b = provider("b", Samples.keysOfB)
        b.sources = [.cookie(name: "other"), .header(name: "x-b", prefix: "jwt=")]
        return b
    }

    private static func provider(_ name: String, _ keys: String) -> Provider {
        let issuer = "https://\(name).example"
        var configuration = IssuerConfiguration(issuer, source: .inline(keys), policy: ClaimsPolicy(issuer: issuer, audience: "api"))
        configuration.isRequired = true
        var provider = Provider(name, issuer: configuration)
        provider.claimHeaders = [ClaimHeader("x-\(name)-sub", path: [.member("sub")])]
        return provider
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
}
