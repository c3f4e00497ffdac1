import Fixtures
import Foundation
import Gateway
import JWKSCache
import JWTCore

/// Decides about a request in the host's memory, with two claims in fields and seven fields of the client.
final class Deciding: Operation {
    private let core: DecisionCore
    private let request: RequestMemory
    private var memory = DecisionMemory()
    private var isAllowed = false

    /// - Parameters:
    ///   - remembers: whether the token was verified before.
    ///   - change: makes the configuration another one.
    init(
        _ name: String, _ fixture: Fixtures.Case, token: String, remembers: Bool, expected: String = "valid",
        _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = Self.configuration(fixture)
        change(&configuration)
        core = try DecisionCore(
            configuration, transport: NoTransport(), cache: remembers ? VerifiedTokenCache(budget: 1 << 20) : nil)
        while !core.issuers.isReady {}
        request = RequestMemory(
            RequestFacts(method: "GET", host: "api.example", target: "/orders/17?page=2", fields: Self.fields(token)))
        super.init(name, expected: expected)
        // The second sight of a token puts it into the cache.
        for _ in 0..<4 { run() }
        guard isAllowed == (expected == "valid") else { throw UnexpectedVerdict() }
    }

    /// Only the code of a refused token is an outcome: without this, a request that no route takes would count as `valid`.
    private struct UnexpectedVerdict: Error {}

    override func run() { decide(request) }

    private func decide(_ request: borrowing RequestMemory) {
        let verdict = core.decide(request.view, now: NumericDate(seconds: Fixtures.now), &memory)
        isAllowed = verdict.isAllowed
        refusal = if case .token(let error)? = verdict.reason { error.code } else { nil }
    }

    private static func configuration(_ fixture: Fixtures.Case) -> GatewayConfiguration {
        let issuer = "https://idp.example"
        var policy = ClaimsPolicy(issuer: issuer, audience: "client-1")
        policy.algorithms = [.es256]
        var provider = Provider(
            "idp", issuer: IssuerConfiguration(issuer, source: .inline(String(decoding: fixture.keys, as: UTF8.self)), policy: policy))
        provider.issuer.isRequired = true
        provider.claimHeaders = [
            ClaimHeader("x-auth-subject", path: [.member("sub")]), ClaimHeader("x-auth-issuer", path: [.member("iss")]),
        ]
        return GatewayConfiguration(
            providers: [provider], policies: [GatewayPolicy("api", requirement: .provider("idp"))],
            routes: [Route(.prefix("/orders"), policy: "api")])
    }

    /// What many settings add to a decision: scopes, rules about claims, sources, the token kept from the upstream, metadata, and a shadow.
    static func withEverything(_ configuration: inout GatewayConfiguration) {
        configuration.providers[0].sources = [.bearer, .cookie(name: "session"), .query(name: "access_token")]
        configuration.providers[0].forwardsToken = false
        configuration.providers[0].payloadMetadata = "payload"
        configuration.policies[0].claimRules = [
            ClaimRule([.member("sub")], .present), ClaimRule([.member("iss")], .prefix("https://")),
            ClaimRule([.member("iss")], .anyOf(["https://other.example", "https://idp.example"])),
            ClaimRule([.member("exp")], .number(atLeast: 1, atMost: nil)),
        ]
        configuration.policies[0].shadow = "stricter"
        var stricter = GatewayPolicy("stricter", requirement: .provider("idp"))
        stricter.scopes = ["orders:read", "orders:write"]
        configuration.policies.append(stricter)
        configuration.routes = [Route(.prefix("/orders"), policy: "api")]
        configuration.routes[0].methods = ["GET", "HEAD"]
        configuration.routes[0].hosts = ["*.example"]
    }

    private static func fields(_ token: String) -> [Field] {
        [
            Field("accept", "application/json"), Field("accept-language", "de-CH,de;q=0.9,en;q=0.8"),
            Field("authorization", "Bearer \(token)"), Field("cookie", "theme=dark; consent=1"),
            Field("user-agent", "Mozilla/5.0 (X11; Linux x86_64)"), Field("x-request-id", "4ef1a3a0-5a1c-4bd3-a0a5-02ff2a6e0f4e"),
            Field("referer", "https://app.example/orders"),
        ]
    }
}

/// The keys are in the configuration.
private struct NoTransport: DocumentTransport {
    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse { throw RequestFailure(.connection) }
}
