import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Policies with a protected resource: the audience of its tokens, its settings, and what its challenges say.
struct ResourcePolicyTests {
    private static let orders = ResourceMetadataTests.orders
    private static let metadata = "resource_metadata=\"https://api.example/.well-known/oauth-protected-resource/orders\""

    private static func token(_ audience: String, _ claims: String = "") -> String {
        KeyPool.forges[0].token("{\"iss\":\"https://a.example\",\"aud\":\(audience),\"exp\":1700003600,\"iat\":1700000000\(claims)}")
    }

    /// One issuer has the tokens of both resources.
    @Test
    func aTokenForOneResourceIsNoneForAnother() async throws {
        let users = "https://api.example/users"
        let scene = try await Scene(
            ResourceMetadataTests.configuration { configuration in
                configuration.resources.append(ProtectedResource(users))
                configuration.policies.append(GatewayPolicy("users", requirement: .provider("a")))
                configuration.policies[1].resource = users
                configuration.providers[0].issuer.policy.audiences = [Self.orders, users]
                configuration.routes = [Route(.prefix("/users"), policy: "users"), Route(policy: "main")]
            })
        for (audience, path, word) in [
            ("\"\(Self.orders)\"", "/orders", "allowed"), ("\"\(Self.orders)\"", "/users", "401 audience_mismatch"),
            ("\"\(users)\"", "/orders", "401 audience_mismatch"), ("\"\(users)\"", "/users", "allowed"),
            ("[\"x\",\"\(users)\"]", "/users", "allowed"), ("[\"\(Self.orders)\",\"\(users)\"]", "/orders", "allowed"),
            ("\"\(Self.orders)/\"", "/orders", "401 audience_mismatch"), ("[]", "/orders", "401 audience_mismatch"),
        ] {
            #expect(scene.verdict(Scene.bearer(Self.token(audience), path)) == word, "\(audience) \(path)")
        }
    }

    @Test
    func aProviderForAnyAudienceStillNeedsThatOfTheResource() async throws {
        let scene = try await Scene(
            ResourceMetadataTests.configuration { $0.providers[0].issuer.policy.audiences = [] })
        #expect(scene.verdict(Scene.bearer(Self.token("\"\(Self.orders)\""))) == "allowed")
        #expect(scene.verdict(Scene.bearer(Self.token("\"api\""))) == "401 audience_mismatch")
    }

    @Test
    func everyRefusalOfATokenSaysWhatToAskFor() async throws {
        let scene = try await Scene(
            ResourceMetadataTests.configuration { $0.policies[0].scopes = ["orders.read", "orders.write"] })
        let scope = "scope=\"orders.read orders.write\""
        for (request, challenge) in [
            (Scene.request([]), "Bearer \(scope), \(Self.metadata)"),
            (
                Scene.bearer(Self.token("\"api\"")),
                "Bearer error=\"invalid_token\", error_description=\"the token is for another audience\", \(scope), \(Self.metadata)"
            ),
            (
                Scene.bearer(Self.token("\"\(Self.orders)\"", ",\"scope\":\"orders.read\"")),
                "Bearer error=\"insufficient_scope\", error_description=\"the token lacks a scope\", \(scope), \(Self.metadata)"
            ),
        ] {
            #expect(scene.core.decideNow(request, now: Scene.now).denial?.challenge == challenge)
        }
    }

    /// RFC 9470 section 3.
    @Test
    func aStepUpNamesTheAuthenticationThatIsNeeded() async throws {
        let scene = try await Scene(
            ResourceMetadataTests.configuration { configuration in
                configuration.policies[0].scopes = ["pay"]
                configuration.policies[0].contextClasses = ["mfa", "urn:x:hardware"]
                configuration.policies[0].maximumAuthenticationAge = .seconds(300)
            })
        let audience = "\"\(Self.orders)\"", error = "Bearer error=\"insufficient_user_authentication\", error_description=\""
        let needed = "acr_values=\"mfa urn:x:hardware\", max_age=\"300\", scope=\"pay\", \(Self.metadata)"
        for (claims, description) in [
            ("", "the user did not authenticate in a required way"),
            (",\"acr\":\"pwd\",\"auth_time\":1700000100", "the user did not authenticate in a required way"),
            (",\"acr\":\"MFA\",\"auth_time\":1700000100", "the user did not authenticate in a required way"),
            (",\"acr\":\"mfa\"", "the user authenticated too long ago"),
            // 300 s and the leeway of 60 s.
            (",\"acr\":\"mfa\",\"auth_time\":1699999740", "the user authenticated too long ago"),
            (",\"acr\":\"mfa\",\"auth_time\":1700000161", "the user authenticated too long ago"),
        ] {
            let denial = scene.core.decideNow(Scene.bearer(Self.token(audience, claims + ",\"scope\":\"pay\"")), now: Scene.now).denial
            #expect(denial?.status == 401)
            let challenge = try #require(denial?.challenge)
            #expect(challenge.hasPrefix(error) && challenge.hasSuffix("\", \(needed)"), "\(claims): \(challenge)")
            #expect(challenge == "\(error)\(description)\", \(needed)", "\(claims)")
        }
        for claims in [
            ",\"acr\":\"mfa\",\"auth_time\":1699999741", ",\"acr\":\"urn:x:hardware\",\"auth_time\":1700000160",
            ",\"acr\":\"mfa\",\"auth_time\":1700000100.5",
        ] {
            #expect(scene.verdict(Scene.bearer(Self.token(audience, claims + ",\"scope\":\"pay\""))) == "allowed", "\(claims)")
        }
    }

    /// The fault of a configuration after a change; nil if it has none.
    private static func fault(_ change: (inout GatewayConfiguration) -> Void) -> ConfigurationFault.Code? {
        do throws(ConfigurationFault) {
            try ResourceMetadataTests.configuration(orders, change).check()
            return nil
        } catch {
            return error.code
        }
    }

    @Test
    func resourcesThatDoNotFitAreRefused() {
        let many = (0...256).map { ProtectedResource("https://api.example/\($0)") }, roots = ["https://b.example/", "https://b.example"]
        #expect(Self.fault { _ in } == nil)
        #expect(Self.fault { $0.resources.append(ProtectedResource("https://api.example:443/orders")) } == .repeatedResource)
        #expect(Self.fault { $0.resources += roots.map { ProtectedResource($0) } } == .repeatedResource)
        #expect(Self.fault { $0.resources[0].keysURL = "http://api.example/keys" } == .invalidResourceURL)
        #expect(Self.fault { $0.resources[0].termsURL = "terms" } == .invalidResourceURL)
        #expect(Self.fault { $0.resources[0].authorizationServers = ["https://user@idp.example"] } == .invalidResourceURL)
        #expect(Self.fault { $0.resources[0].authorizationServers = ["https://idp.example?a=b"] } == .invalidResourceURL)
        #expect(Self.fault { $0.resources[0].scopes = ["a b"] } == .invalidScope)
        #expect(Self.fault { $0.resources[0].displayName = "" } == .resourceTooLarge)
        #expect(Self.fault { $0.resources[0].scopes = (0...64).map { "s\($0)" } } == .resourceTooLarge)
        #expect(Self.fault { $0.resources += many } == .resourceTooLarge)
    }

    @Test
    func policiesThatDoNotFitAreRefused() {
        #expect(Self.fault { $0.resources = [] } == .unknownResource)
        #expect(Self.fault { $0.policies[0].resource = "https://api.example/orders/" } == .unknownResource)
        #expect(Self.fault { $0.policies[0].resourceMetadata = "https://api.example/m" } == .repeatedMetadata)
        #expect(Self.fault { $0.providers[0].issuer.policy.audiences = ["api"] } == .resourceIsNoAudience)
        for text in ["a b", "a\"", "a\\", "é", "", String(repeating: "a", count: 257)] {
            #expect(Self.fault { $0.policies[0].contextClasses = [text] } == .invalidAuthentication, "\(text)")
        }
        #expect(Self.fault { $0.policies[0].contextClasses = (0...16).map { "c\($0)" } } == .invalidAuthentication)
        #expect(Self.fault { $0.policies[0].maximumAuthenticationAge = .zero } == .invalidAuthentication)
        let optional = Requirement.any([.provider("a"), .allowMissing])
        let code = Self.fault {
            $0.policies[0].requirement = optional
            $0.policies[0].maximumAuthenticationAge = .seconds(1)
        }
        #expect(code == .authenticationWithoutToken)
    }

    @Test(arguments: [
        "http://api.example/orders", "https://api.example/orders?x=1", "https://api.example/orders?", "https://api.example/orders#x",
        "https://API.example/orders", "HTTPS://api.example/orders", "https://user@api.example/orders", "https:///orders", "orders",
        "https://api.example/a/../b", "https://api.example/%2e%2e/b", "https://api.example//b", "https://api.example/a%2Fb",
        "https://api.example/a;b", "https://api.example./orders", "https://api.example/a\"b", "ftp://api.example/",
        "https://api.example/" + String(repeating: "a", count: 1_024),
    ])
    func anIdentifierWithASecondReadingIsRefused(_ identifier: String) {
        #expect { try ResourceMetadataTests.configuration(identifier).check() } throws: {
            ($0 as? ConfigurationFault)?.code == .invalidResource
        }
    }
}
