import DPoP
import Gateway
import JWKSCache
import JWTCore
import JWTSigning
import JWTTestSupport
import ReplayMemory
import Testing

/// The metadata of protected resources (RFC 9728): where it is served, and what it states.
struct ResourceMetadataTests {
    static let orders = "https://api.example/orders"

    /// One policy, `main`, with the resource `identifier`, whose tokens the provider `a` accepts.
    static func configuration(
        _ identifier: String = orders, _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) -> GatewayConfiguration {
        Scene.configuration { configuration in
            configuration.resources = [ProtectedResource(identifier)]
            configuration.policies[0].resource = identifier
            configuration.providers[0].issuer.policy.audiences = [identifier]
            change(&configuration)
        }
    }

    private static func members(_ core: DecisionCore, _ path: String = "/orders") throws -> [String: JSONTree] {
        let document = try #require(core.resourceMetadata(authority: "api.example", target: wellKnown + path))
        return try #require(try JSONTree(parsing: document).members)
    }

    private static func members(_ text: String) throws -> [String: JSONTree] {
        try #require(try JSONTree(parsing: Array(text.utf8)).members)
    }

    private static let wellKnown = "/.well-known/oauth-protected-resource"

    @Test(arguments: [
        ("https://api.example", ""), ("https://api.example/", ""), ("https://api.example/orders", "/orders"),
        ("https://api.example/orders/", "/orders/"), ("https://api.example/%C3%A9", "/%C3%A9"),
    ])
    func theWellKnownPathStandsBeforeThatOfTheResource(_ identifier: String, _ path: String) async throws {
        let core = try await Scene(Self.configuration(identifier)).core
        #expect(try Self.members(core, path)["resource"] == .string(identifier))
        let challenge = core.decideNow(Scene.request([]), now: Scene.now).denial?.challenge
        #expect(challenge == "Bearer resource_metadata=\"https://api.example\(Self.wellKnown)\(path)\"")
    }

    /// An attacker's host would vouch for the authorization server of another one, or name its own.
    @Test(arguments: [
        ("api.example", true), ("API.Example", true), ("api.example.", true), ("api.example:443", true), ("api.example:", true),
        ("api.example:0443", true), ("evil.example", false), ("api.example.evil.example", false), ("evil.api.example", false),
        ("api.example:80", false), ("api.example:8443", false), ("api.example:65979", false), ("api.example:99999999999999999999", false),
        ("api.example@evil.example", false), ("evil.example@api.example", false), ("api.example/evil", false), ("api.example ", false),
        ("api.example..", false), ("", false), ("api.example:443:443", false), ("api%2eexample", false), ("[api.example]", false),
    ])
    func onlyTheHostOfTheResourceHasItsMetadata(_ authority: String, _ isServed: Bool) async throws {
        let core = try await Scene(Self.configuration()).core
        #expect((core.resourceMetadata(authority: authority, target: Self.wellKnown + "/orders") != nil) == isServed)
    }

    @Test(arguments: [
        ("https://api.example:8443/orders", "api.example:8443", true), ("https://api.example:8443/orders", "api.example", false),
        ("https://api.example:443/orders", "api.example", true), ("http://127.0.0.1:8080/orders", "127.0.0.1:8080", true),
        ("http://localhost/orders", "localhost:80", true), ("http://localhost/orders", "localhost:443", false),
        ("http://[::1]:81/orders", "[::1]:81", true), ("http://[::1]:81/orders", "[::1]", false),
    ])
    func thePortIsPartOfTheResource(_ identifier: String, _ authority: String, _ isServed: Bool) async throws {
        let core = try await Scene(Self.configuration(identifier)).core
        #expect((core.resourceMetadata(authority: authority, target: Self.wellKnown + "/orders") != nil) == isServed)
    }

    @Test(arguments: [
        ("W/orders", true), ("W/orders?x=1", true), ("W/orders?", true), ("W", false), ("W/", false), ("W/orders/", false),
        ("W//orders", false), ("/W/orders", false), ("W/x/../orders", false), ("W/./orders", false), ("W/%6frders", false),
        ("W/orders%2e", false), ("W/%2e%2e/orders", false), ("W%2forders", false), ("W/ORDERS", false),
        ("/.well-Known/oauth-protected-resource/orders", false), ("W/orders#x", false), ("W/orders;x", false), ("/ordersW", false),
        ("https://api.exampleW/orders", false), ("W/orders/1", false), ("", false), ("?", false),
    ])
    func thePathCountsByteForByte(_ target: String, _ isServed: Bool) async throws {
        let target = target.replacing("W", with: Self.wellKnown)
        let core = try await Scene(Self.configuration()).core
        #expect((core.resourceMetadata(authority: "api.example", target: target) != nil) == isServed)
    }

    @Test
    func whatTheConfigurationKnowsIsStated() async throws {
        let core = try await Scene(
            Self.configuration { configuration in
                configuration.policies[0].scopes = ["orders.read"]
                configuration.policies.append(GatewayPolicy("write", requirement: .any([.provider("a"), .provider("b")])))
                configuration.policies[1].resource = Self.orders
                configuration.policies[1].scopes = ["orders.read", "orders.write"]
                configuration.providers[1].issuer.policy.audiences = [Self.orders, "api"]
                configuration.providers[1].sources = [.query(name: "access_token")]
            }
        ).core
        let stated = try Self.members(
            #"{"resource":"https://api.example/orders","authorization_servers":["https://a.example","https://b.example"],"#
                + #""scopes_supported":["orders.read","orders.write"],"bearer_methods_supported":["header","query"]}"#)
        #expect(try Self.members(core) == stated)
    }

    @Test
    func whatTheOperatorStatesIsServed() async throws {
        let core = try await Scene(
            Self.configuration { configuration in
                configuration.resources[0].authorizationServers = ["https://login.example/t"]
                configuration.resources[0].scopes = ["a", "b"]
                configuration.resources[0].keysURL = "https://api.example/keys"
                configuration.resources[0].displayName = "Orders \"é\""
                configuration.resources[0].documentationURL = "https://docs.example/orders?lang=en"
                configuration.resources[0].policyURL = "https://docs.example/policy"
                configuration.resources[0].termsURL = "https://docs.example/terms"
                configuration.resources[0].authorizationDetailsTypes = ["payment"]
                configuration.resources[0].bindsCertificates = true
            }
        ).core
        let stated = try Self.members(
            #"{"resource":"https://api.example/orders","authorization_servers":["https://login.example/t"],"scopes_supported":["a","b"],"#
                + #""bearer_methods_supported":["header"],"jwks_uri":"https://api.example/keys","resource_name":"Orders \"é\"","#
                + #""resource_documentation":"https://docs.example/orders?lang=en","resource_policy_uri":"https://docs.example/policy","#
                + #""resource_tos_uri":"https://docs.example/terms","authorization_details_types_supported":["payment"],"#
                + #""tls_client_certificate_bound_access_tokens":true}"#)
        #expect(try Self.members(core) == stated)
    }

    @Test
    func boundTokensAreNoBearerTokens() async throws {
        let configuration = Self.configuration { configuration in
            configuration.providers[0].proofs = ProofTerms(tokens: .bound)
            configuration.providers[0].proofs?.policy.algorithms = [.es256, .edDSA]
            configuration.providers[0].sources = [.bearer, .authorization(scheme: "DPoP")]
        }
        let core = try await Scene(configuration, replays: ReplayTable(entries: 64)).core
        let members = try Self.members(core)
        #expect(members["bearer_methods_supported"] == .array([]) && members["dpop_bound_access_tokens_required"] == .bool(true))
        #expect(members["dpop_signing_alg_values_supported"] == .array([.string("ES256"), .string("EdDSA")]))
    }

    @Test
    func signedMetadataIsThatOfTheDocument() async throws {
        let key = try #require(SigningKey.generate(.es256, keyID: "m1"))
        let document = try #require(key.privateDocument)
        let core = try await Scene(
            Self.configuration { configuration in
                configuration.resources[0].signature = MetadataSignature(privateKey: document, algorithm: .es256, keyID: "m1")
            }
        ).core
        var members = try Self.members(core)
        let signed = try #require(members["signed_metadata"]?.text)
        var policy = ClaimsPolicy()
        policy.issuers = [Self.orders]
        policy.requiredClaims = ["iat"]
        policy.requiresExpiration = false
        let verifier = TokenVerifier(keys: try KeySet(document: try #require(key.publicJWK)), policy: policy)
        let token = try verifier.verify(signed)
        #expect(token.keyID == "m1")
        var claims = try #require(try JSONTree(parsing: Array(token.payload)).members)
        claims["iss"] = nil
        #expect(claims["iat"]?.integer != nil)
        claims["iat"] = nil
        members["signed_metadata"] = nil
        #expect(claims == members)
    }

    @Test
    func aKeyThatDoesNotFitSignsNothing() throws {
        let key = try #require(SigningKey.generate(.es384)?.privateDocument)
        for algorithm in [SignatureAlgorithm.es256, .rs256, .edDSA, .hs256] {
            #expect(MetadataSignature(privateKey: key, algorithm: algorithm) == nil, "\(algorithm.name)")
        }
        #expect(MetadataSignature(privateKey: key, algorithm: .es384) != nil)
        #expect(MetadataSignature(privateKey: Array("no key".utf8), algorithm: .es256) == nil)
    }
}
