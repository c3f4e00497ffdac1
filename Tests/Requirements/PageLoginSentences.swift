import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// Session fixation: a browser that a stranger prepared gives the stranger nothing.
struct PageLoginSentences {
    private static let planted = String(repeating: "p", count: 32)

    /// What the page's script sends, with these cookies and without an app's fingerprint.
    private static func post(
        _ server: LiveServer, _ path: String, _ body: [String: Any], cookies: [String], adding more: [(String, String)] = []
    ) async throws -> WireReply {
        let fields = [
            ("X-client-id", LiveServer.client), ("X-operating-sys-version", "Browser"), ("X-agent", "browser"),
            ("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json"), ("Cookie", cookies.joined(separator: "; ")),
        ]
        return try await server.wireToItself().send(
            "POST", path, fields + more, body: Array(try JSONSerialization.data(withJSONObject: body)))
    }

    private static func logIn(
        _ server: LiveServer, _ name: String, cookies: [String], adding more: [(String, String)] = []
    ) async throws -> WireReply {
        try await post(
            server, WirePath.passwordLogin, ["user_name": name, "password": OtherLogin.password], cookies: cookies, adding: more)
    }

    /// An authorization request: its name, and the cookie that came with it.
    private static func begin(_ server: LiveServer) async throws -> (request: String, cookie: Cookie) {
        let address = "https://shop.example/"
        _ = try await server.server.services.administration.setWeb(of: LiveServer.client, redirectURIs: [address], secret: nil)
        let query =
            "client_id=\(LiveServer.client)&redirect_uri=https%3A%2F%2Fshop.example%2F&response_type=code&scope=openid&state=s"
            + "&code_challenge=\(String(repeating: "c", count: 43))&code_challenge_method=S256"
        let reply = try await RawConnection.exchange(
            server.ready.port,
            "GET \(WirePath.authorization)?\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(server.ready.port)\r\nConnection: close\r\n\r\n")
        let lines = reply.components(separatedBy: "\r\n")
        let cookie = try #require(lines.lazy.compactMap { $0.wholeMatch(of: #/(?i:set-cookie): ([^=]+)=([A-Za-z0-9]{32}); (.*)/#) }.first)
        let request = try #require(lines.lazy.compactMap { $0.wholeMatch(of: #/(?i:location): .*[?&]request=([A-Za-z0-9]{32})/#) }.first)
        return (String(request.1), Cookie(name: String(cookie.1), value: String(cookie.2), attributes: String(cookie.3)))
    }

    private struct Cookie {
        let name: String
        let value: String
        let attributes: String

        var text: String { "\(name)=\(value)" }
    }

    /// The stranger's session, and a state token of the stranger's, in a browser whose device the stranger knows.
    @Test
    func aLoginOnThePageTakesNoSessionThatWasPlanted() async throws {
        try await LiveServer.simulated { server in
            let (victim, stranger) = (Person(server), Person(server, 1))
            for person in [victim, stranger] { try await server.addUser(person.mobile) }
            let cookies = ["assay-device=\(Self.planted)"]
            let theirs = try server.tokens(try await Self.logIn(server, stranger.mobile, cookies: cookies))
            let fields = [
                ("session-token", theirs.sessionToken), ("Authorization", "Bearer \(theirs.idToken)"),
                ("X-state-token", theirs.sessionToken),
            ]
            let mine = try server.tokens(try await Self.logIn(server, victim.mobile, cookies: cookies, adding: fields))
            #expect(mine.sessionToken != theirs.sessionToken)
            let store = server.server.services.store
            for person in [victim, stranger] {
                let user = try #require(try await store.read { try $0.user(mobile: person.mobile) })
                #expect(try await store.read { try $0.sessions(of: user.id) }.count == 1)
            }
            // The stranger's session ends as the stranger's, and leaves the victim's alone.
            let call = { (path: String, tokens: WireTokens) in
                try await Self.post(
                    server, path, ["all": true], cookies: cookies, adding: [("session-token", tokens.sessionToken)]
                ).outcome
            }
            #expect(try await call(WirePath.logout, theirs) == "ok")
            #expect(try await call(WirePath.refresh, theirs) == "COMMON.1005")
            #expect(try await call(WirePath.refresh, mine) == "ok")
        }
    }

    /// Another host of the domain can set a cookie for this one, but none with the prefix.
    @Test
    func aCookieOfANeighbourIsNeitherTheDeviceNorTheRequest() async throws {
        try await LiveServer.with {
            $0.limits = .without()
            $0.standBehindProxy()
        } _: { server in
            _ = try await server.server.services.administration.configure(LiveServer.client) { $0.password = true }
            try await server.addUser("+86-13800000000")
            let (request, cookie) = try await Self.begin(server)
            #expect(cookie.name == "__Host-assay-request")
            #expect(cookie.attributes.hasPrefix("Path=/;") && cookie.attributes.hasSuffix("; Secure"))
            #expect(!cookie.attributes.contains("Domain"))
            let device = "__Host-assay-device=\(String(repeating: "d", count: 32))"
            let planted = (device: "assay-device=\(Self.planted)", request: "assay-request=\(cookie.value)")
            let all = [planted.device, planted.request, device, cookie.text]
            let tokens = try server.tokens(try await Self.logIn(server, "+86-13800000000", cookies: all))
            let complete = { (cookies: [String]) in
                try await Self.post(
                    server, WirePath.authorizationEnd, ["request": request], cookies: cookies,
                    adding: [("session-token", tokens.sessionToken)])
            }
            // With the right value under the plain name.
            #expect(try await complete([planted.device, planted.request, device]).outcome == "COMMON.1006")
            // The planted device is none, so it has no session either.
            #expect(try await complete([planted.device, cookie.text]).outcome == "COMMON.1003")
            #expect(try await complete(all).outcome == "ok")
        }
    }

    /// 54: Of 64 completions of one request one has the code.
    @Test
    func of64CompletionsOfOneRequestOneHasTheCode() async throws {
        try await LiveServer.unlimited { server in
            let person = Person(server)
            let tokens = try await person.session()
            let (request, cookie) = try await Self.begin(server)
            let replies = try await Volley.fire(
                64, person.wire, WirePath.authorizationEnd, [("session-token", tokens.sessionToken), ("Cookie", cookie.text)],
                ["request": request])
            #expect(replies.tally == ["ok": 1, "COMMON.1005": 63])
        }
    }
}
