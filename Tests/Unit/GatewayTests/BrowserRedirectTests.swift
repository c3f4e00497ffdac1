import Gateway
import Testing

/// Browsers that a policy sends elsewhere in place of a 401.
struct BrowserRedirectTests {
    private static let start = "https://login.example/start?return="
    private static let navigates = ("Sec-Fetch-Mode", "navigate")

    /// A policy with tokens in a cookie, a parameter and `Authorization`.
    private static func scene(
        _ redirect: String = "\(start){url}", _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) async throws -> Scene {
        try await Scene(
            Scene.configuration {
                $0.providers[0].sources = [.bearer, .cookie(name: "session"), .query(name: "access_token")]
                $0.policies[0].browserRedirect = redirect
                change(&$0)
            })
    }

    private static func denial(
        _ scene: Scene, _ fields: [(String, String)] = [navigates], _ target: String = "/x", method: String = "GET",
        host: String = "api.example", scheme: String? = nil
    ) -> Denial? {
        var request = Scene.request(fields, target, method: method, host: host)
        request.scheme = scheme
        return scene.core.decideNow(request, now: Scene.now).denial
    }

    @Test
    func aBrowserIsRedirectedAndStaysRefused() async throws {
        let scene = try await Self.scene(), other = ("Cookie", "session=\(Scene.token("b"))")
        let location = "\(Self.start)https%3A%2F%2Fapi.example%2Fx"
        for (fields, code) in [([Self.navigates], "missing_token"), ([Self.navigates, other], "issuer_mismatch")] {
            let denial = Self.denial(scene, fields)
            #expect(denial?.status == 302)
            #expect(denial?.reason.code == code)
            #expect(denial?.location == location)
            #expect(denial?.challenge == nil)
        }
        #expect(scene.core.counters.counts.allSatisfy { $0.outcome == .denied })
        #expect(scene.core.counters.counts.map(\.count).reduce(0, +) == 2)
        #expect(scene.verdict(Scene.request([Self.navigates, ("Cookie", "session=\(Scene.token())")])) == "allowed")
    }

    @Test(
        arguments: [
            (true, "GET", [navigates]), (true, "HEAD", [navigates]), (true, "GET", [("sec-fetch-mode", " navigate ")]),
            (true, "GET", [navigates, ("Accept", "*/*"), ("Sec-Fetch-Dest", "document")]),
            (true, "GET", [("Accept", "text/html")]), (true, "GET", [("Accept", "*/*;q=0.1, Text/HTML ; level=1; Q=0.001")]),
            (true, "GET", [("Accept", "application/json"), ("Accept", "text/html;q=1.000")]),
            (false, "GET", []), (false, "GET", [("Accept", "*/*")]), (false, "GET", [("Accept", "text/*, application/xhtml+xml")]),
            (false, "GET", [("Accept", "text/html;q=0")]), (false, "GET", [("Accept", "text/html; q=0.000, */*")]),
            (false, "GET", [("Accept", "text/html;q=x")]), (false, "GET", [("Accept", "text/htmlx")]), (false, "GET", [("Accept", "")]),
            (false, "GET", [("Accept", ";q=1,;")]), (false, "GET", [("X-Accept", "text/html")]),
            (false, "POST", [navigates]), (false, "PUT", [("Accept", "text/html")]), (false, "OPTIONS", [navigates]),
            (false, "GET", [("Sec-Fetch-Mode", "Navigate")]), (false, "GET", [("Sec-Fetch-Mode", "")]),
            (false, "GET", [navigates, navigates]), (false, "GET", [("Sec-Fetch-Mode", "navigate, cors")]),
            (false, "GET", [("Sec-Fetch-Mode", "cors"), ("Accept", "text/html")]),
            (false, "GET", [("Sec-Fetch-Mode", "websocket"), ("Accept", "text/html")]),
            (false, "GET", [("Sec-Fetch-Dest", "image"), ("Accept", "text/html")]),
            (false, "GET", [("Sec-Fetch-", ""), ("Accept", "text/html"), ("Sec-Fetch-Site", "none")]),
            (false, "GET", [navigates, ("X-Requested-With", "XMLHttpRequest")]), (false, "GET", [navigates, ("Upgrade", "websocket")]),
            (false, "GET", [navigates, ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")]),
            (false, "GET", [navigates, ("Authorization", "Basic dTpw")]), (false, "GET", [navigates, ("authorization", "Bearer x")]),
        ] as [(Bool, String, [(String, String)])])
    func aNavigationIsToldFromOtherRequests(isNavigation: Bool, method: String, fields: [(String, String)]) async throws {
        let denial = Self.denial(try await Self.scene(), fields, method: method)
        #expect(denial?.status == (isNavigation ? 302 : 401))
        #expect((denial?.location != nil) == isNavigation)
        #expect((denial?.challenge == nil) == isNavigation)
    }

    /// Everything but the unreserved characters of RFC 3986 is encoded, so nothing of a client ends the parameter.
    @Test(arguments: [
        ("/a-b._~/Z9", "%2Fa-b._~%2FZ9"), ("/a?b=c&return=https://evil.example/", "%2Fa%3Fb%3Dc%26return%3Dhttps%3A%2F%2Fevil.example%2F"),
        ("/%0d%0aSet-Cookie:x", "%2F%250d%250aSet-Cookie%3Ax"), ("/a?'\"<>\\^`{|}", "%2Fa%3F%27%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("/a?%23+;@", "%2Fa%3F%2523%2B%3B%40"), ("/a?\u{e4}", "%2Fa%3F%C3%A4"), ("/{url}", "%2F%7Burl%7D"), ("/a?", "%2Fa%3F"),
    ])
    func theClientsURLIsEncoded(target: String, encoded: String) async throws {
        let scene = try await Self.scene("\(Self.start){url}&more=1")
        #expect(
            Self.denial(scene, [Self.navigates], target)?.location
                == "\(Self.start)https%3A%2F%2Fapi.example\(encoded)&more=1")
    }

    /// What is no target is refused as everywhere.
    @Test(arguments: ["/a b", "/a\r\nb", "/a#b", "a", "", "https://evil.example/"])
    func anotherTargetIsNoNavigation(target: String) async throws {
        let denial = Self.denial(try await Self.scene(), [Self.navigates], target)
        #expect(denial?.status == 400)
        #expect(denial?.location == nil)
    }

    @Test(
        arguments: [
            ("api.example:8443", nil, "https%3A%2F%2Fapi.example%3A8443%2Fx"), ("api.example", "http", "http%3A%2F%2Fapi.example%2Fx"),
            ("api.example", "https", "https%3A%2F%2Fapi.example%2Fx"), ("api.example", "javascript", "https%3A%2F%2Fapi.example%2Fx"),
            ("[::1]", "", "https%3A%2F%2F%5B%3A%3A1%5D%2Fx"), ("", nil, ""), ("a@evil.example", nil, ""), ("a.example/b", nil, ""),
        ] as [(String, String?, String)])
    func theGatewaySaysSchemeAndHost(host: String, scheme: String?, url: String) async throws {
        let location = Self.denial(try await Self.scene(), host: host, scheme: scheme)?.location
        #expect(location == Self.start + url)
    }

    /// A client's URL that makes the field longer than 4,096 bytes is left out.
    @Test
    func theLocationIsBounded() async throws {
        let scene = try await Self.scene("\(Self.start){url}&more=1")
        let rest = "\(Self.start)https%3A%2F%2Fapi.example%2F&more=1".utf8.count
        for (target, isLeftOut) in [
            ("/" + String(repeating: "a", count: 4_096 - rest), false), ("/" + String(repeating: "a", count: 4_097 - rest), true),
            ("/" + String(repeating: "%", count: 4_000), true), ("/" + String(repeating: "a", count: 100_000), true),
        ] {
            let location = try #require(Self.denial(scene, [Self.navigates], target)?.location)
            #expect(location.utf8.count <= 4_096)
            #expect((location == "\(Self.start)&more=1") == isLeftOut)
            #expect(location.hasSuffix("&more=1"))
        }
    }

    /// A token is nothing for the log of another server.
    @Test
    func aTokenInTheQueryIsNotRepeated() async throws {
        let scene = try await Self.scene()
        let denial = Self.denial(scene, [Self.navigates], "/x?page=2&access_token=a.b.c")
        #expect(denial?.status == 302)
        #expect(denial?.location == "\(Self.start)https%3A%2F%2Fapi.example%2Fx")
        #expect(Self.denial(scene, [Self.navigates], "/x?page=2")?.location?.hasSuffix("%2Fx%3Fpage%3D2") == true)
    }

    @Test
    func aPathIsATargetOnTheSameHost() async throws {
        let scene = try await Self.scene("/login?to={url}")
        #expect(Self.denial(scene)?.location == "/login?to=https%3A%2F%2Fapi.example%2Fx")
        // The page itself is behind the policy: a redirect would lead back for ever.
        for target in ["/login", "/login?to=a"] {
            #expect(Self.denial(scene, [Self.navigates], target)?.status == 401)
            #expect(Self.denial(scene, [Self.navigates], target)?.challenge == "Bearer")
        }
        #expect(Self.denial(scene, [Self.navigates], "/login/x")?.status == 302)
        #expect(Self.denial(try await Self.scene("https://login.example"))?.location == "https://login.example")
    }

    @Test
    func otherRefusalsStay() async throws {
        let scene = try await Self.scene { $0.policies[0].scopes = ["admin"] }
        let cookie = ("Cookie", "session=\(Scene.token())"), two = ("Cookie", "session=a; session=b")
        #expect(Self.denial(scene, [Self.navigates, cookie])?.status == 403)
        #expect(Self.denial(scene, [Self.navigates, two])?.status == 400)
        #expect(Self.denial(scene, [Self.navigates, cookie])?.location == nil)
        let cold = try Scene(
            cold: Scene.configuration {
                $0.providers[0].sources = [.cookie(name: "session")]
                $0.policies[0].browserRedirect = Self.start
            }, isPublished: false)
        #expect(Self.denial(cold, [Self.navigates, cookie])?.status == 503)
        #expect(Self.denial(cold, [Self.navigates, cookie])?.location == nil)
    }

    @Test
    func aDryRunAndAShadowRedirectNobody() async throws {
        let dry = try await Self.scene { $0.policies[0].mode = .dryRun }
        let admission = dry.core.decideNow(Scene.request([Self.navigates]), now: Scene.now).admission
        #expect(admission?.waived?.status == 401)
        #expect(admission?.waived?.location == nil)
        let shadowed = try await Self.scene {
            $0.policies.append($0.policies[0])
            $0.policies[1].name = "shadow"
            $0.policies[0].browserRedirect = nil
            $0.policies[0].shadow = "shadow"
        }
        #expect(Self.denial(shadowed)?.status == 401)
    }

    /// The line of a log has the target of the configuration, and not the client's URL.
    @Test
    func anExplanationSaysWhereABrowserIsSent() async throws {
        let scene = try await Self.scene { $0.policies[0].scopes = ["admin"] }
        func explained(_ fields: [(String, String)]) -> String {
            scene.core.explain(Scene.request(fields, "/secret?a=b"), now: Scene.now).description
        }
        #expect(explained([Self.navigates]).hasPrefix("denied 302 missing_token policy=\"main\" location=\"\(Self.start){url}\" route=1"))
        #expect(explained([]).hasPrefix("denied 401 missing_token policy=\"main\" browsers=\"\(Self.start){url}\" route=1"))
        #expect(!explained([Self.navigates]).contains("secret"))
        #expect(!explained([Self.navigates, ("Cookie", "session=\(Scene.token())")]).contains("login.example"))
    }

    @Test(arguments: [
        "https://login.example", "https://login.example/", "https://login.example:8443/a?b={url}", "https://login.example?to={url}&a=b",
        "http://localhost:9000/?u={url}", "http://127.0.0.1/", "http://[::1]:80/", "/", "/login", "/login?to=x{url}",
        "HTTPS://Login.Example/",
    ])
    func aTargetIsTaken(target: String) throws {
        #expect(Self.fault(target) == nil)
    }

    @Test(arguments: [
        "", "login", "login.example/start", "//evil.example/", "/\\evil.example", "\\\\evil.example", "https:login.example", "https:///x",
        "http://login.example/", "ftp://login.example/", "javascript:alert(1)", "https://user@login.example/", "https://u:p@login.example/",
        "https://login.example/#a", "/login#a", "https://login.example/{url}", "https://{url}/", "/{url}", "{url}", "/login?{url}&{url}",
        "/login?to={URL}", "/login?to={url", "/a b", "/a\tb", "/a\r\nSet-Cookie: x", "/\u{e4}", "/a\"b", "/a?b=<c>",
        "https://login.example:99999/",
        "/" + String(repeating: "a", count: 2_048),
    ])
    func anotherTargetIsAFault(target: String) throws {
        #expect(Self.fault(target)?.code == .invalidRedirect, "\(target)")
        #expect(Self.fault(target)?.path == [.member("policies"), .position(0), .member("browserRedirect")])
    }

    @Test
    func aPolicyWithoutATokenRedirectsNobody() {
        #expect(Self.fault("/login", requirement: nil)?.code == .redirectWithoutToken)
    }

    private static func fault(_ target: String, requirement: Requirement? = .provider("a")) -> ConfigurationFault? {
        let configuration = Scene.configuration(requirement) { $0.policies[0].browserRedirect = target }
        do throws(ConfigurationFault) {
            try configuration.check()
            return nil
        } catch {
            return error
        }
    }
}
