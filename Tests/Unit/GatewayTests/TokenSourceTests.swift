import Gateway
import JWTCore
import Testing

/// Where a token is found, and that there is exactly one.
struct TokenSourceTests {
    private static let token = Scene.token()
    private static let other = Scene.token("b")

    private static func scene(_ sources: [TokenSource]) async throws -> Scene {
        try await Scene(Scene.configuration { $0.providers[0].sources = sources })
    }

    /// `$` stands for a valid token.
    @Test(arguments: [
        (["Bearer $"], "allowed"), (["bearer $"], "allowed"), (["BEARER $"], "allowed"), (["Bearer   $"], "allowed"),
        ([" Bearer $ "], "allowed"),
        ([], "401 missing_token"), ([""], "401 missing_token"), (["Basic dXNlcg=="], "401 missing_token"),
        (["Bearer$"], "401 missing_token"), (["$"], "401 missing_token"), (["Digest username=\"a\", realm=\"b\""], "401 missing_token"),
        (["Bearer"], "401 malformed_token"), (["Bearer "], "401 malformed_token"), (["Bearer a b c"], "401 malformed_token"),
        (["Bearer\t$"], "401 invalid_base64url"), (["Bearer $ $"], "401 encrypted_token"), (["Bearer \"$\""], "401 invalid_base64url"),
        (["Bearer \t$"], "401 invalid_base64url"),
        (["Bearer $", "Bearer $"], "400 several_tokens"), (["Bearer $", "Basic x"], "400 several_tokens"),
        (["Basic x", "Bearer $"], "400 several_tokens"), (["Bearer $, Bearer $"], "400 several_tokens"),
        (["Bearer $, Basic x"], "400 several_tokens"), (["Basic x, Bearer $"], "400 several_tokens"),
        (["Bearer $,"], "400 several_tokens"), ([", Bearer $"], "400 several_tokens"),
    ])
    func authorizationHoldsOneTokenAfterItsScheme(values: [String], expected: String) async throws {
        let scene = try await Self.scene([.bearer])
        let fields = values.map { ("Authorization", $0.replacing("$", with: Self.token)) }
        #expect(scene.verdict(Scene.request(fields)) == expected)
    }

    @Test
    func aConfiguredSchemeReplacesBearer() async throws {
        let scene = try await Self.scene([.authorization(scheme: "DPoP")])
        #expect(scene.verdict(Scene.request([("Authorization", "dpop \(Self.token)")])) == "allowed")
        #expect(scene.verdict(Scene.bearer(Self.token)) == "401 missing_token")
    }

    @Test
    func aFieldHoldsOneTokenAfterItsPrefix() async throws {
        let scene = try await Self.scene([.header(name: "X-Token", prefix: "jwt=")])
        let token = Self.token
        for (values, expected) in [
            (["jwt=\(token)"], "allowed"), ([token], "401 missing_token"), ([], "401 missing_token"), ([""], "401 missing_token"),
            (["JWT=\(token)"], "401 missing_token"), (["jwt="], "401 malformed_token"),
            (["jwt=\(token)", "jwt=\(token)"], "400 several_tokens"), (["jwt=\(token)", "x"], "400 several_tokens"),
            (["jwt=\(token), jwt=\(token)"], "400 several_tokens"),
        ] {
            #expect(scene.verdict(Scene.request(values.map { ("x-token", $0) })) == expected, "\(values)")
        }
    }

    @Test
    func aCookieIsFoundByItsExactName() async throws {
        let scene = try await Self.scene([.cookie(name: "session")])
        let token = Self.token
        for (values, expected) in [
            (["session=\(token)"], "allowed"), (["a=1; session=\(token); b=2"], "allowed"), (["a=1", "session=\(token)"], "allowed"),
            (["session=\"\(token)\""], "allowed"), ([" session = \(token) "], "allowed"),
            (["Session=\(token)"], "401 missing_token"), (["xsession=\(token)"], "401 missing_token"),
            (["session"], "401 missing_token"), (["session="], "401 missing_token"), (["session=\"\""], "401 missing_token"),
            (["session=x"], "401 malformed_token"),
            (["session=\(token); session=\(token)"], "400 several_tokens"), (["session=; session=\(token)"], "400 several_tokens"),
            (["session=\(token)", "session=x"], "400 several_tokens"),
            // Envoy joins two fields of HTTP/1.1 by a comma: behind one, a cookie is another field's.
            (["a=1,session[]=x"], "400 several_tokens"), (["a,session=x"], "400 several_tokens"),
            (["a=1, sess.ion=x"], "401 missing_token"),
            (["a=1,session=\(token)"], "400 several_tokens"), (["a=1, session=\(token)"], "400 several_tokens"),
            (["session=\(token),session=\(token)"], "400 several_tokens"), (["a=1;b=2,\tsession =\(token)"], "400 several_tokens"),
            (["a=1,2; session=\(token)"], "allowed"), (["a=1,xsession=2; session=\(token)"], "allowed"),
            // PHP takes these names for the same one.
            (["session[]=\(token)"], "400 several_tokens"), (["session=\(token); session[a]=x"], "400 several_tokens"),
        ] {
            #expect(scene.verdict(Scene.request(values.map { ("cookie", $0) })) == expected, "\(values)")
        }
    }

    @Test
    func aWebSocketHasItsTokenInAProtocol() async throws {
        let scene = try await Self.scene([.webSocketProtocol(prefix: "bearer.")])
        let token = Self.token
        for (values, expected) in [
            (["bearer.\(token)"], "allowed"), (["chat, bearer.\(token)"], "allowed"), (["chat", " bearer.\(token) , v2"], "allowed"),
            (["chat"], "401 missing_token"), ([], "401 missing_token"), (["xbearer.\(token)"], "401 missing_token"),
            (["bearer."], "401 malformed_token"), (["bearer.x"], "401 malformed_token"),
            (["Bearer.\(token)"], "400 several_tokens"), (["bearer.\(token), bearer.\(token)"], "400 several_tokens"),
            (["bearer.\(token)", "BEARER.x"], "400 several_tokens"),
        ] {
            #expect(scene.verdict(Scene.request(values.map { ("Sec-WebSocket-Protocol", $0) })) == expected, "\(values)")
        }
        #expect(scene.verdict(Scene.request([("Sec_WebSocket_Protocol", "bearer.\(token)")])) == "400 ambiguous_field")
    }

    @Test
    func kubernetesEncodesTheTokenOnceMore() async throws {
        let prefix = "base64url.bearer.authorization.k8s.io."
        let scene = try await Self.scene([.webSocketProtocol(prefix: prefix)])
        let encoded = String(decoding: Base64URL.encode(Array(Self.token.utf8)), as: UTF8.self)
        for (value, expected) in [
            ("v4.channel.k8s.io, \(prefix)\(encoded)", "allowed"), ("\(prefix)\(Self.token)", "401 malformed_token"),
            ("\(prefix)\(encoded)=", "401 malformed_token"), (prefix, "401 malformed_token"),
        ] {
            #expect(scene.verdict(Scene.request([("sec-websocket-protocol", value)])) == expected, "\(value)")
        }
    }

    @Test
    func aProtocolThatIsATokenIsWithheld() async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.providers[0].sources = [.webSocketProtocol(prefix: "bearer.")]
                $0.providers[0].forwardsToken = false
            })
        let token = Scene.token()
        for (value, rest) in [("chat, bearer.\(token),v2", "chat, v2"), ("bearer.\(token)", nil)] {
            let decision = scene.core.decideNow(Scene.request([("sec-websocket-protocol", value)]), now: Scene.now)
            #expect(decision.field("sec-websocket-protocol") == rest)
            #expect(decision.admission?.removed == (rest == nil ? ["sec-websocket-protocol"] : []))
        }
    }

    /// No reader behind the gateway may find a token that was not verified, also where none is needed.
    @Test
    func aCookieThatOnlyAnotherReaderFindsIsNotAnonymous() async throws {
        let scene = try await Scene(
            Scene.configuration(.any([.provider("a"), .allowMissing])) { $0.providers[0].sources = [.cookie(name: "access_token")] })
        #expect(scene.verdict(Scene.request([("cookie", "a=1")])) == "anonymous")
        for cookies in ["a=1,access_token=evil", "a=1, access_token=evil; b=2", "access.token=evil", "access_token[]=evil"] {
            #expect(scene.verdict(Scene.request([("cookie", cookies)])) == "400 several_tokens", "\(cookies)")
        }
    }

    /// An empty token is none, in a header, a cookie and a query alike; names that another reader takes for one are several.
    @Test
    func aParameterHasOneReading() async throws {
        let scene = try await Self.scene([.bearer, .query(name: "access_token")]), token = Self.token
        for (query, expected) in [
            ("access_token=\(token)", "allowed"), ("access_token=", "401 missing_token"), ("access_token", "401 missing_token"),
            ("access_token=&access_token=\(token)", "400 several_tokens"), ("access_token=\(token)&access.token=x", "400 several_tokens"),
            ("access.token=\(token)", "400 several_tokens"), ("access_token[]=\(token)", "400 several_tokens"),
            ("access_token=\(token)&access%5Ftoken%5B0%5D=x", "400 several_tokens"), ("access+token=\(token)", "400 several_tokens"),
            ("Access_Token=\(token)", "400 several_tokens"), ("%20access_token=\(token)", "400 several_tokens"),
            ("a=1;access_token=\(token)", "400 several_tokens"), ("access_token=\(token)&a=1;2", "allowed"),
            ("access_tokens=x&access_token=\(token)", "allowed"), ("access_token=\(token)&%=x&a%zz", "allowed"),
            ("access_token[]%", "400 several_tokens"), ("access_token=\(token)&access_token[%zz]=x", "400 several_tokens"),
            ("access_token=\(token)&access_token%00a=x", "400 several_tokens"), ("a=1;access_token[]%", "400 several_tokens"),
        ] {
            #expect(scene.verdict(Scene.request([], "/x?\(query)")) == expected, "\(query)")
        }
        let header = ("Authorization", "Bearer \(token)")
        #expect(scene.verdict(Scene.request([header], "/x?access_token=")) == "allowed")
    }

    /// Each removal writes the field again. None may leave a token of another.
    @Test
    func noWithheldCookieReachesTheUpstream() async throws {
        let scene = try await Scene(
            Scene.configuration(.all([.provider("a"), .provider("b")])) {
                $0.providers[0].sources = [.cookie(name: "one")]
                $0.providers[1].sources = [.cookie(name: "two")]
                for place in 0..<2 { $0.providers[place].forwardsToken = false }
            })
        for (others, expected) in [("x=1; y=2", ["x=1; y=2"]), ("", [])] {
            let cookies = "one=\(Self.token); two=\(Self.other)" + (others.isEmpty ? "" : "; \(others)")
            let admission = scene.core.decideNow(Scene.request([("Cookie", cookies)]), now: Scene.now).admission
            #expect(admission?.fields.filter { $0.name == "cookie" }.map(\.value) == expected)
            #expect(admission?.removed.contains("cookie") == expected.isEmpty)
        }
    }

    @Test
    func aParameterIsFoundHoweverItIsEncoded() async throws {
        let scene = try await Self.scene([.query(name: "access_token")])
        let token = Self.token
        for (query, expected) in [
            ("?access_token=\(token)", "allowed"), ("?a=b&access_token=\(token)&c", "allowed"),
            ("?access%5ftoken=\(token)", "allowed"), ("?access_token=%65\(token.dropFirst())", "allowed"),
            ("", "401 missing_token"), ("?", "401 missing_token"), ("?Access_token=\(token)", "400 several_tokens"),
            ("?access_token[]=\(token)", "400 several_tokens"), ("?a=1;access_token=\(token)", "400 several_tokens"),
            ("?a=?access_token=\(token)", "401 missing_token"),
            ("?access_token", "401 missing_token"), ("?access_token=", "401 missing_token"),
            ("?access_token=\(token);access_token=x", "400 several_tokens"), ("?access_token=%zz", "401 malformed_token"),
            ("?access+token=\(token)", "400 several_tokens"), ("?access_token=+\(token)", "401 invalid_base64url"),
            ("?access_token=\(token)&access_token=\(token)", "400 several_tokens"),
            ("?access_token=\(token)&access%5Ftoken=x", "400 several_tokens"),
            ("?access_token=&access_token=\(token)", "400 several_tokens"),
        ] {
            #expect(scene.verdict(Scene.request([], "/x" + query)) == expected, "\(query)")
        }
    }

    @Test
    func aPlaceThatIsNotConfiguredIsNoPlace() async throws {
        let scene = try await Self.scene([.bearer])
        let token = Self.token
        #expect(scene.verdict(Scene.request([("cookie", "access_token=\(token)")])) == "401 missing_token")
        #expect(scene.verdict(Scene.request([], "/x?access_token=\(token)")) == "401 missing_token")
        #expect(scene.verdict(Scene.request([("x-token", token), ("proxy-authorization", "Bearer \(token)")])) == "401 missing_token")
        let request = Scene.request([("Authorization", "Bearer \(token)"), ("cookie", "access_token=x")], "/x?access_token=y")
        #expect(scene.verdict(request) == "allowed")
    }

    @Test
    func tokensInTwoPlacesAreRefusedAlsoIfTheyAreEqual() async throws {
        let scene = try await Self.scene([.bearer, .cookie(name: "session"), .query(name: "access_token")])
        let token = Self.token
        let header = ("Authorization", "Bearer \(token)"), cookie = ("cookie", "session=\(token)")
        #expect(scene.verdict(Scene.request([header])) == "allowed")
        #expect(scene.verdict(Scene.request([cookie])) == "allowed")
        #expect(scene.verdict(Scene.request([], "/x?access_token=\(token)")) == "allowed")
        #expect(scene.verdict(Scene.request([header, cookie])) == "400 several_tokens")
        #expect(scene.verdict(Scene.request([header], "/x?access_token=\(token)")) == "400 several_tokens")
        #expect(scene.verdict(Scene.request([cookie], "/x?access_token=x")) == "400 several_tokens")
    }

    @Test
    func aTokenBesideTheOneThatCountsIsRefused() async throws {
        let scene = try await Scene(
            Scene.configuration(.any([.provider("a"), .provider("b")])) { $0.providers[1].sources = [.cookie(name: "session")] })
        let a = ("Authorization", "Bearer \(Self.token)"), b = ("cookie", "session=\(Self.other)")
        #expect(scene.verdict(Scene.request([a])) == "allowed")
        #expect(scene.verdict(Scene.request([b])) == "allowed")
        #expect(scene.verdict(Scene.request([a, b])) == "400 several_tokens")
        #expect(scene.verdict(Scene.request([a, ("cookie", "session=evil")])) == "400 several_tokens")
    }
}
