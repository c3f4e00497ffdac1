import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

/// The authorization code flow, by an application that knows only the documents.
struct AuthorizationSentences {
    /// `demo%00` was the client demo, with limits of its own.
    @Test
    func aClientHasOneSpelling() async throws {
        try await LiveServer.running { server in
            for id in ["\(LiveServer.client)%00", "\(LiveServer.client)%00x", "%00\(LiveServer.client)"] {
                for path in [WirePath.authorization + "?response_type=code&client_id=", "/login?client_id="] {
                    let reply = try await RawReply.get(path + id, port: server.ready.port)
                    #expect(reply.status == 400, "\(path)")
                }
                let form = "grant_type=authorization_code&code=c&redirect_uri=r&code_verifier=v&client_id=\(id)"
                let fields = [("Content-Type", "application/x-www-form-urlencoded")]
                let reply = try await server.wireToItself().send("POST", WirePath.token, fields, body: Array(form.utf8))
                #expect(reply.outcome == "COMMON.1002")
            }
            let basic = Data("\(LiveServer.client)%00:secret".utf8).base64EncodedString()
            #expect(try await Self.exchange(server, ["code": "c"], basic: basic).outcome == "COMMON.1002")
        }
    }

    @Test
    func theCodeFlowEndsWithTheUsersTokensAtTheApplication() async throws {
        try await Self.running { server in
            let (code, _) = try await Self.code(server)
            let reply = try await Self.exchange(server, ["code": code], basic: Self.basic)
            #expect(reply.status == 200 && reply.string("token_type") == "Bearer" && reply.field("Cache-Control") == "no-store")
            let access = try #require(reply.string("access_token"))
            let user = try await server.wireToItself().send("GET", WirePath.userInfo, [("Authorization", "Bearer \(access)")])
            #expect(user.status == 200 && user.string("phone_number") == "+8613800000000")
            let token = try #require(reply.string("id_token"))
            let out = try await RawReply.get(
                "\(WirePath.endSession)?id_token_hint=\(token)&post_logout_redirect_uri=https%3A%2F%2Fshop.example%2F&state=x",
                port: server.ready.port)
            #expect(out.status == 303 && out.field("Location") == "https://shop.example/?state=x")
            let after = try await server.wireToItself().send("GET", WirePath.userInfo, [("Authorization", "Bearer \(access)")])
            #expect(after.status == 401 && after.string("error") == "invalid_token")
            #expect(after.field("WWW-Authenticate") == "Bearer error=\"invalid_token\"")
        }
    }

    /// RFC 6750 section 3.1: a request without a token learns the scheme alone.
    @Test(arguments: [[], [("Authorization", "Basic eDp5")], [("Authorization", "Bearer")]])
    func aRequestForTheUserWithoutATokenLearnsTheSchemeAlone(_ fields: [(String, String)]) async throws {
        try await Self.running { server in
            let reply = try await server.wireToItself().send("GET", WirePath.userInfo, fields)
            #expect(reply.status == 401 && reply.field("WWW-Authenticate") == "Bearer" && reply.string("error") == nil)
        }
    }

    /// Open redirects: an address that is not registered to the letter never gets a redirect, with an error or without.
    @Test(arguments: [
        "https://shop.example/callback", "https://shop.example/callback?from=idaas&x=1", "https://shop.example.evil/callback?from=idaas",
        "https://evil/", "//evil", "javascript:alert(1)", "https://shop.example/callback?from=idaas#",
        "HTTPS://shop.example/callback?from=idaas",
    ])
    func anotherAddressGetsNoRedirect(_ address: String) async throws {
        try await Self.running { server in
            let unreadable = ["redirect_uri": Self.address, "binding_message": "a\u{7}"]
            for changes in [["redirect_uri": address], ["redirect_uri": address, "response_type": "token"], unreadable] {
                let reply = try await Self.authorize(server, changes)
                #expect(reply.status == 400 && reply.field("Location") == nil)
            }
        }
    }

    @Test
    func afterTheAddressIsRightErrorsGoToTheApplication() async throws {
        try await Self.running { server in
            let faults: [([String: String?], String)] = [
                (["response_type": "token"], "unsupported_response_type"), (["scope": "email"], "invalid_scope"),
                (["code_challenge": nil], "invalid_request"), (["code_challenge_method": "plain"], "invalid_request"),
                (["request": "eyJhbGciOiJub25lIn0.e30."], "request_not_supported"),
                (["request_uri": "https://shop.example/request"], "request_uri_not_supported"),
                (["registration": "{}"], "registration_not_supported"), (["prompt": "none login"], "invalid_request"),
                (["prompt": "none"], "login_required"), (["response_mode": "fragment"], "invalid_request"),
                (["binding_message": "\u{202e}a"], "invalid_binding_message"),
                (["binding_message": String(repeating: "x", count: 65)], "invalid_binding_message"),
            ]
            for (changes, error) in faults {
                let location = try #require(try await Self.authorize(server, changes).field("Location"))
                #expect(location.hasPrefix(Self.address + "&") && location.contains("error=\(error)&state=s%201&iss="), "\(error)")
            }
        }
    }

    @Test(arguments: [("assay-request=", "", false), ("__Host-assay-request=", "; Secure", true)])
    func theCookieOfARequestHasEveryFlag(_ name: String, _ flag: String, isTLS: Bool) async throws {
        try await Self.running {
            if isTLS { $0.standBehindProxy() }
        } _: { server in
            let cookie = try #require(try await Self.authorize(server).field("Set-Cookie"))
            #expect(cookie.hasPrefix(name))
            let flags = cookie.dropFirst(name.count).drop { $0.isASCII && ($0.isLetter || $0.isNumber) }
            #expect(flags == "; Path=/; Max-Age=1800; HttpOnly; SameSite=Lax\(flag)")
        }
    }

    /// Script in texts: the application's text is text on the page, and only for the browser that the application sent.
    @Test(arguments: [
        ("Order 17", "Order 17"), ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\"\u{301} onfocus=alert(1)", "&quot;\u{301} onfocus=alert(1)"), ("{{nonce}}'`&", "{{nonce}}&#39;&#96;&amp;"),
        ("订单 <17>", "订单 &lt;17&gt;"),
    ])
    func theApplicationsTextIsTextAndForItsBrowserAlone(_ message: String, escaped: String) async throws {
        try await Self.running { server in
            try await server.add(client: "other")
            let mine = try await Self.begin(server, Person(server), ["binding_message": message])
            let other = try await Self.begin(server, Person(server), ["binding_message": ""])
            func page(_ client: String, _ request: String, _ cookie: String) async throws -> String {
                let path = "/login?client_id=\(client)&request=\(request)&lang=en"
                let reply = try await server.wireToItself().send("GET", path, [("Cookie", cookie)])
                #expect(reply.status == 200)
                return reply.text
            }
            let shown = try await page(LiveServer.client, mine.request, mine.cookie)
            #expect(Array(shown.unicodeScalars).contains(Array("<bdi id=\"binding\">\(escaped)</bdi>".unicodeScalars)))
            for (client, request, cookie) in [
                (LiveServer.client, mine.request, other.cookie), ("other", mine.request, mine.cookie),
                (LiveServer.client, other.request, other.cookie), (LiveServer.client, mine.request, ""),
            ] { #expect(try await !page(client, request, cookie).contains("id=\"binding\"")) }
        }
    }

    /// U+037E and U+212A are canonically equivalent to a semicolon and a K, so Swift takes the texts for equal.
    @Test
    func anAddressInAnotherUnicodeFormIsAnotherAddress() async throws {
        let (registered, other) = ("https://shop.example/K;v=1", "https://shop.example/\u{212a}\u{37e}v=1")
        #expect(registered == other)
        try await Self.running { server in
            _ = try await server.server.services.administration.setWeb(
                of: LiveServer.client, redirectURIs: [registered], logoutRedirectURIs: [registered], secret: Self.secret)
            #expect(try await Self.authorize(server, ["redirect_uri": registered]).status == 303)
            let reply = try await Self.authorize(server, ["redirect_uri": other])
            #expect(reply.status == 400 && reply.field("Location") == nil)
            let hint = try await Person(server).session().idToken
            for (address, status) in [(registered, 303), (other, 400)] {
                var url = URLComponents()
                url.queryItems = [
                    URLQueryItem(name: "id_token_hint", value: hint), URLQueryItem(name: "post_logout_redirect_uri", value: address),
                ]
                let end = try await RawReply.get("\(WirePath.endSession)?\(url.percentEncodedQuery ?? "")", port: server.ready.port)
                #expect(end.status == status)
            }
        }
    }

    /// Repaired, `\u{ff}` and `\u{fe}` would be one secret.
    @Test
    func credentialsThatAreNoUTF8AreRefused() async throws {
        try await Self.running { server in
            for bytes in [Data(Self.basicText.utf8) + [0xff], Data([0xc0]) + Data(Self.basicText.utf8)] {
                let reply = try await Self.exchange(server, ["code": "c"], basic: bytes.base64EncodedString())
                #expect(reply.outcome == "COMMON.1002")
            }
        }
    }

    /// Open redirects at the end of a session.
    @Test(arguments: ["https://shop.example", "https://shop.example/?x=1", "https://evil/", "//evil", "javascript:alert(1)"])
    func logoutLeadsToNoOtherAddressAndEndsNothingThen(_ address: String) async throws {
        try await Self.running { server in
            let (code, _) = try await Self.code(server)
            let reply = try await Self.exchange(server, ["code": code], basic: Self.basic)
            let (token, access) = (try #require(reply.string("id_token")), try #require(reply.string("access_token")))
            var query = URLComponents()
            query.queryItems = [
                URLQueryItem(name: "id_token_hint", value: token), URLQueryItem(name: "post_logout_redirect_uri", value: address),
            ]
            let out = try await RawReply.get("\(WirePath.endSession)?\(query.percentEncodedQuery ?? "")", port: server.ready.port)
            #expect(out.status == 400 && out.field("Location") == nil)
            let user = try await server.wireToItself().send("GET", WirePath.userInfo, [("Authorization", "Bearer \(access)")])
            #expect(user.status == 200)
        }
    }

    /// Code injection and theft: a code works once, for its client, address and verifier.
    @Test
    func aCodeWorksOnceForItsClientAddressAndVerifier() async throws {
        try await Self.running { server in
            try await server.add(client: "other")
            _ = try await server.server.services.administration.setWeb(of: "other", redirectURIs: [Self.address], secret: nil)
            for changes in [
                ["client_id": "other"], ["redirect_uri": "https://shop.example/"], ["code_verifier": String(repeating: "w", count: 43)],
            ] {
                let (code, _) = try await Self.code(server)
                let basic = changes["client_id"] == nil ? Self.basic : nil
                let reply = try await Self.exchange(server, ["code": code].merging(changes) { $1 }, basic: basic)
                #expect(reply.status == 400 && reply.string("error") == "invalid_grant")
            }
            let (code, tokens) = try await Self.code(server)
            for wrong in [nil, Data("\(LiveServer.client):wrong".utf8).base64EncodedString()] {
                let reply = try await Self.exchange(
                    server, ["code": code, "client_id": wrong == nil ? LiveServer.client : nil], basic: wrong)
                #expect(reply.status == 401 && reply.string("error") == "invalid_client")
                #expect(reply.field("WWW-Authenticate") == "Basic realm=\"token\"")
            }
            #expect(try await Self.exchange(server, ["code": code], basic: Self.basic).status == 200)
            #expect(try await Self.exchange(server, ["code": code], basic: Self.basic).status == 400)
            #expect(try await Person(server).refresh(tokens).outcome == "COMMON.1005")
        }
    }

    /// Session fixation: a browser cannot complete another browser's request, nor its own with another's session.
    @Test
    func aRequestBelongsToItsBrowserAndIsCompletedOnce() async throws {
        try await Self.running { server in
            let person = Person(server)
            let tokens = try await person.session()
            let (mine, other) = (try await Self.begin(server, person), try await Self.begin(server, person))
            let mixed = Browser(person: person, request: mine.request, cookie: other.cookie)
            #expect(try await mixed.complete(tokens.sessionToken).outcome == "COMMON.1006")
            let foreign = Browser(person: person.on("device-9"), request: mine.request, cookie: mine.cookie)
            #expect(try await foreign.complete(tokens.sessionToken).outcome == "COMMON.1005")
            #expect(try await mine.complete("none").outcome == "COMMON.1005")
            #expect(try await mine.complete(tokens.sessionToken).outcome == "ok")
            #expect(try await mine.complete(tokens.sessionToken).outcome == "COMMON.1005")
            server.clock.advance(by: 1_800)
            #expect(try await other.complete(tokens.sessionToken).outcome == "COMMON.1005")
        }
    }

    @Test(arguments: [(59, 200), (60, 400)])
    func aCodeLasts60S(_ seconds: Int, status: Int) async throws {
        try await Self.running { server in
            let (code, _) = try await Self.code(server)
            server.clock.advance(by: seconds)
            #expect(try await Self.exchange(server, ["code": code], basic: Self.basic).status == status)
        }
    }

    @Test(arguments: [
        "http://shop.example/", "https://u:p@shop.example/", "https://shop.example/#a", "javascript:x", "/relative", "https://a b/",
    ])
    func anAddressThatABrowserMustNotBeSentToCannotBeRegistered(_ address: String) async throws {
        try await Self.running { server in
            await #expect(throws: AdministrationFailure.invalidAddress) {
                try await server.server.services.administration.setWeb(of: LiveServer.client, redirectURIs: [address], secret: nil)
            }
        }
    }
}
