import Gateway
import JWTCore
import Testing

/// Claims in the fields for the upstream.
struct ClaimFieldTests {
    private static func scene(_ path: [ClaimStep], _ arrays: ClaimHeader.Arrays = .joined(",")) async throws -> Scene {
        try await Scene(
            Scene.configuration { $0.providers[0].claimHeaders = [ClaimHeader("X-Claim", path: path, arrays: arrays)] })
    }

    private static func field(_ claims: String, _ scene: Scene) -> String? {
        scene.core.decideNow(Scene.bearer(Scene.token("a", claims)), now: Scene.now).field("x-claim")
    }

    @Test
    func theFieldsOfADecisionHaveTheDocumentedLimits() {
        #expect(FieldLimits().valueBytes == 4_096)
        #expect(FieldLimits().totalBytes == 24_576)
    }

    @Test(arguments: [
        ("\"c\":\"Jane Doe\"", "Jane Doe"), ("\"c\":\"\"", ""), ("", ""), ("\"c\":null", ""), ("\"C\":\"x\"", ""),
        ("\"c\":7", "7"), ("\"c\":-1.50e+02", "-1.50e+02"), ("\"c\":123456789012345678901234567890", "123456789012345678901234567890"),
        ("\"c\":true", "true"), ("\"c\":false", "false"),
        // Nothing can end the field, and percent-decoding gives the claim back.
        ("\"c\":\"a\\r\\nX-Admin: 1\"", "a%0D%0AX-Admin: 1"), ("\"c\":\"a\\u0000b\"", "a%00b"), ("\"c\":\"\\u007f\"", "%7F"),
        ("\"c\":\"100%\"", "100%25"), ("\"c\":\"%0A\"", "%250A"), ("\"c\":\"J\u{fc}rgen\"", "J%C3%BCrgen"),
        ("\"c\":\"J\\u00fcrgen\"", "J%C3%BCrgen"), ("\"c\":\"\\ud83d\\ude00\"", "%F0%9F%98%80"), ("\"c\":\"\\u2028\"", "%E2%80%A8"),
        // HTTP removes spaces at the ends.
        ("\"c\":\" admin \"", "%20admin%20"), ("\"c\":\"\\tadmin\"", "%09admin"), ("\"c\":\" \"", "%20"),
        // Elements do not contain their separator.
        ("\"c\":[\"a\",\"b\"]", "a,b"), ("\"c\":[\"a,b\",\"c\"]", "a%2Cb,c"), ("\"c\":[1,true,\"x\"]", "1,true,x"), ("\"c\":[]", ""),
        ("\"c\":[\"a\\nb\"]", "a%0Ab"), ("\"c\":[\" a\",\"b \"]", "%20a,b%20"), ("\"c\":[\"a\",null]", ""),
        ("\"c\":[\"a\",{\"b\":1}]", ""), ("\"c\":[[\"a\"]]", ""),
        // Objects are JSON in ASCII.
        ("\"c\":{ \"a\" : [1, \"x y\"],\\n\"b\":{} }".replacing("\\n", with: "\n"), "{\"a\":[1,\"x y\"],\"b\":{}}"),
        ("\"c\":{\"a\":\"\u{fc}\u{1f600}\u{7f}\"}", "{\"a\":\"\\u00fc\\ud83d\\ude00\\u007f\"}"),
        ("\"c\":{\"a\":\"\\r\\n\\\"\\\\\"}", "{\"a\":\"\\r\\n\\\"\\\\\"}"),
    ])
    func aClaimHasOneText(claims: String, expected: String) async throws {
        let scene = try await Self.scene([.member("c")])
        #expect(Self.field(claims, scene) == expected)
    }

    @Test(arguments: [
        ("\"c\":[\"a\",\"b\"]", "[\"a\",\"b\"]"), ("\"c\":[ 1 , null ]", "[1,null]"), ("\"c\":[\"\u{e4}\"]", "[\"\\u00e4\"]"),
        ("\"c\":[]", "[]"), ("\"c\":\"a\"", "a"),
    ])
    func anArrayMayBeJSON(claims: String, expected: String) async throws {
        let scene = try await Self.scene([.member("c")], .json)
        #expect(Self.field(claims, scene) == expected)
    }

    @Test
    func aSeparatorMayHaveSeveralCharacters() async throws {
        let scene = try await Self.scene([.member("c")], .joined("; "))
        #expect(Self.field("\"c\":[\"a b\",\"c;d\"]", scene) == "a%20b; c%3Bd")
    }

    @Test
    func aPathNamesMembersAndPositions() async throws {
        let claims =
            "\"realm_access\":{\"roles\":[\"x\",\"y\"]},\"https://a.example/team.name\":\"t\",\"a.b\":\"dots\",\"a\":{\"b\":\"nested\"}"
        for (path, expected) in [
            ([.member("realm_access"), .member("roles")], "x,y"), ([.member("realm_access"), .member("roles"), .position(1)], "y"),
            ([.member("realm_access"), .member("roles"), .position(2)], ""), ([.member("https://a.example/team.name")], "t"),
            ([.member("a.b")], "dots"), ([.member("a"), .member("b")], "nested"), ([.member("a"), .position(0)], ""),
            ([.member("iss"), .member("x")], ""),
        ] as [([ClaimStep], String)] {
            let scene = try await Self.scene(path)
            #expect(Self.field(claims, scene) == expected, "\(path)")
        }
    }

    @Test
    func theClientsOwnFieldIsAlwaysReplaced() async throws {
        let headers = [ClaimHeader("X-User-Id", path: [.member("sub")]), ClaimHeader("X-Roles", path: [.member("roles")])]
        let scene = try await Scene(
            Scene.configuration(.any([.provider("a"), .allowFailed])) {
                $0.providers[0].claimHeaders = headers
                $0.providers[1].payloadHeader = "X-Payload"
                $0.policies.append(GatewayPolicy("open", requirement: nil))
                $0.routes.insert(Route(.exact("/open"), policy: "open"), at: 0)
            })
        let spoofed = [("X-User-Id", "root"), ("x-roles", "admin"), ("x-payload", "e30")]
        let refused = ("Authorization", "Bearer x"), accepted = ("Authorization", "Bearer \(Scene.token("a", "\"sub\":\"u1\""))")
        for (target, fields, user) in [
            ("/open", spoofed, ""), ("/x", spoofed, ""), ("/x", spoofed + [refused], ""), ("/x", spoofed + [accepted], "u1"),
        ] {
            let decision = scene.core.decideNow(Scene.request(fields, target), now: Scene.now)
            #expect(decision.admission?.fields.map(\.name) == ["x-user-id", "x-roles", "x-payload"])
            #expect(decision.field("x-user-id") == user)
            #expect(decision.field("x-roles") == "")
            #expect(decision.field("x-payload") == "")
        }
    }

    @Test(arguments: ["x_user_id", "X_User-Id", "x.user.id", "x-user_id", "x~user~id", "X_TOKEN"])
    func aFieldThatAServerMayReadAsAnotherIsRefused(name: String) async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.providers[0].claimHeaders = [ClaimHeader("X-User-Id", path: [.member("sub")])]
                $0.providers[1].sources = [.header(name: "X-Token", prefix: "")]
            })
        let token = ("Authorization", "Bearer \(Scene.token())")
        #expect(scene.verdict(Scene.request([token, (name, "root")])) == "400 ambiguous_field")
        #expect(scene.verdict(Scene.request([token, (name + "_x", "root")])) == "allowed")
    }

    @Test
    func aNameHasTheCasesOfASCIIOnly() {
        #expect(Field("X-Token", "A").name == "x-token")
        #expect(Field("x-to\u{212a}en", "A").name == "x-to\u{212a}en")
    }

    @Test(arguments: ["close, X-User-Id", "x_user_id", "keep-alive,authorization", "Cookie", "x-token"])
    func aFieldThatAProxyWouldDropIsRefused(options: String) async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.providers[0].claimHeaders = [ClaimHeader("X-User-Id", path: [.member("sub")])]
                $0.providers[1].sources = [.header(name: "X-Token", prefix: "")]
            })
        let token = ("Authorization", "Bearer \(Scene.token())")
        #expect(scene.verdict(Scene.request([token, ("Connection", options)])) == "400 ambiguous_field")
        #expect(scene.verdict(Scene.request([token, ("Proxy-Connection", options)])) == "400 ambiguous_field")
        #expect(scene.verdict(Scene.request([token, ("Connection", "keep-alive, Upgrade")])) == "allowed")
    }

    @Test
    func thePayloadIsTheSignedOne() async throws {
        let scene = try await Scene(Scene.configuration { $0.providers[0].payloadHeader = "X-JWT-Payload" })
        let token = Scene.token("a", "\"sub\":\"u\"")
        let decision = scene.core.decideNow(Scene.bearer(token), now: Scene.now)
        #expect(decision.field("x-jwt-payload") == String(token.split(separator: ".")[1]))
    }

    @Test
    func claimsBeyondTheLimitsRefuseTheRequest() async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.fieldLimits.valueBytes = 10
                $0.fieldLimits.totalBytes = 15
                $0.providers[0].claimHeaders = [
                    ClaimHeader("x-c", path: [.member("c")]), ClaimHeader("x-d", path: [.member("d")]),
                ]
            })
        for (c, d, expected) in [
            ("0123456789", "01234", "allowed"), ("01234567890", "", "403 claims_too_large"),
            ("0123456789", "012345", "403 claims_too_large"),
            ("%%%%", "", "403 claims_too_large"), ("%%%", "", "allowed"),
        ] {
            #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"c\":\"\(c)\",\"d\":\"\(d)\""))) == expected, "\(c) \(d)")
        }
    }

    @Test
    func aTokenThatIsNotForwardedIsWithheld() async throws {
        func admission(_ source: TokenSource, _ request: RequestFacts, forwards: Bool = false) async throws -> Admission? {
            let scene = try await Scene(
                Scene.configuration {
                    $0.providers[0].sources = [source]
                    $0.providers[0].forwardsToken = forwards
                })
            return scene.core.decideNow(request, now: Scene.now).admission
        }
        let token = Scene.token(), cookie = TokenSource.cookie(name: "s")
        let bearer = try await admission(.bearer, Scene.bearer(token))
        #expect(bearer?.removed == ["authorization"])
        let header = try await admission(.header(name: "X-T", prefix: ""), Scene.request([("x-t", token)]))
        #expect(header?.removed == ["x-t"])
        let query = try await admission(.query(name: "t"), Scene.request([], "/x?t=\(token)&a=1"))
        #expect(query?.removedParameters == ["t"])
        let alone = try await admission(cookie, Scene.request([("cookie", "s=\(token)")]))
        #expect(alone?.removed == ["cookie"])
        let beside = try await admission(cookie, Scene.request([("cookie", "a=1; s=\(token);b=\"2\""), ("cookie", "c=3")]))
        #expect(beside?.fields == [Field("cookie", "a=1; b=\"2\"; c=3")])
        #expect(beside?.removed == [])
        let kept = try await admission(.bearer, Scene.bearer(token), forwards: true)
        #expect(kept?.removed == [])
        #expect(kept?.fields == [])
    }
}
