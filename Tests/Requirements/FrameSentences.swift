import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWKSCache
import Testing

struct FrameSentences: ServerTests {
    private static let send = "/api/v2/sdk/sms/send"

    @Test(.flowsServer)
    func noURLThatAProgramAsksForHasAQueryOrAnySecretInItsPath() async throws {
        var secrets = ["13800000000"]
        var urls: [String] = []
        let store = MemorySessionStore()
        for form in [SessionForm.sessionToken, .signature()] {
            server.clock.advance(by: 60)
            let live = try LiveFlows(server, store: store) { $0.sessionForm = form }
            _ = try await live.flows.areaCodes.list().get()
            let session = try await live.logIn()
            _ = try await live.flows.identity.userInfo(of: session.idToken).get()
            let renewed = try await live.flows.sessions.renew().get()
            let own = try await live.flows.sessions.list().get()
            _ = await live.flows.sessions.end(try #require(own.first { !$0.isCurrent } ?? own.first).id)
            _ = await live.flows.sessions.logOut()
            urls += live.requests.all.map(\.url) + live.documents.urls
            secrets += [session.sessionToken, session.idToken, renewed.sessionToken, renewed.idToken]
            secrets.append(try #require(try await store.contents().device))
        }
        // The discovery document and the keys first: they need no credential. Every other endpoint has its own path.
        #expect(Set(urls.map { $0.split(separator: "/").prefix(8).joined(separator: "/") }).count >= 12)
        for url in urls {
            #expect(url.hasPrefix(server.ready.url + "/api/") && !url.contains("?") && !url.contains("#"))
            #expect(secrets.allSatisfy { !url.contains($0) })
        }
    }

    /// 50: An unforeseen failure is status 500 with COMMON.1008 at every endpoint, in both languages, without further details.
    @Test(.preparedServer)
    func anUnforeseenFailureIs500AndSaysNothingMore() async throws {
        let tokens = try await person.session()
        let (challenge, captchaToken) = (try await person.challenge(), try await person.captchaToken())
        let signature = try await person.signature().text(tokens.sessionToken, nonce: "n-1")
        try await server.spoilStore()
        for (language, text) in [("en", "system is busy"), ("zh", "系统")] {
            var broken = person
            broken.wire.language = language
            let replies = [
                try await broken.captcha(), try await broken.solve(challenge), try await broken.send(captchaToken),
                try await broken.logIn("123456"), try await broken.refresh(tokens), try await broken.wire.sessions(tokens.idToken),
                try await broken.wire.logOut(tokens.sessionToken),
                try await broken.wire.post(Signature.path, adding: [("X-signature", signature)]),
                try await broken.wire.get("/api/v1/oauth2/keys"),
                try await broken.wire.get("/api/v1/oauth2/.well-known/openid-configuration"),
            ]
            for (ordinal, reply) in replies.enumerated() {
                #expect(reply.status == 500 && reply.errorCode == "IDAAS.SDK.COMMON.1008", "\(ordinal): \(reply.text.prefix(200))")
                #expect(Set(reply.json.keys) == ["error_code", "error_msg"])
                #expect(reply.errorText?.lowercased().contains(text) == true, "\(reply.text)")
                for word in ["swift", "grdb", "sqlite", "fatal", ".db", "idaas.sqlite"] {
                    #expect(!reply.text.lowercased().contains(word) && reply.field("Server") == nil)
                }
            }
        }
    }

    /// 52: A body larger than 64 KiB is 413, by its announced length before any byte arrives or by its actual length, and the server
    /// continues.
    @Test(.preparedServer)
    func aBodyLargerThan64KiBIs413() async throws {
        let wire = Person(server).wire
        let type = [("Content-Type", "application/json")]
        for (size, status) in [(65_536, 400), (65_537, 413)] {
            let body = Array(("{\"mobile\":\"" + String(repeating: "1", count: size - 13) + "\"}").utf8)
            let reply = try await wire.send("POST", Self.send, wire.fields + type, body: body)
            #expect(reply.status == status && reply.outcome.hasPrefix("COMMON."), "\(size)")
        }
        let head = "POST \(Self.send) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        // If the server allocated the announced length, the first claim would be the last.
        for claim in ["65537", "99999999999", "9223372036854775807"] {
            let answer = try await RawConnection.exchange(server.ready.port, head + "Content-Length: \(claim)\r\n\r\n{")
            #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("IDAAS.SDK.COMMON.1002"), "\(claim)")
        }
        let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
        let chunked = head + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 3)
        #expect(try await RawConnection.exchange(server.ready.port, chunked).hasPrefix("HTTP/1.1 413 "))
        #expect(try await Person(server).captcha().outcome == "ok")
    }

    @Test(.preparedServer)
    func jsonDeeperThanSixteenLevelsIs400() async throws {
        let wire = Person(server).wire
        for (levels, code) in [(16, "COMMON.1001"), (17, "COMMON.1002"), (30_000, "COMMON.1002")] {
            let text = "{\"extra\":" + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}"
            let reply = try await wire.send(
                "POST", Self.send, wire.fields + [("Content-Type", "application/json")], body: Array(text.utf8))
            #expect(reply.status == 400 && reply.outcome == code, "\(levels): \(reply.text)")
        }
        let open = [UInt8](repeating: UInt8(ascii: "["), count: 65_536)
        let unclosed = try await wire.send("POST", Self.send, wire.fields + [("Content-Type", "application/json")], body: open)
        #expect(unclosed.status == 400 && unclosed.outcome == "COMMON.1002")
    }

    @Test(.preparedServer)
    func the64HeaderFieldsOf16KiBAreReadAndMoreAre400() async throws {
        let wire = Person(server).wire
        let many = { (count: Int) in (0..<count).map { ("X-Filler-\($0)", "v") } }
        let long = { (size: Int) in [("X-Filler", String(repeating: "v", count: size))] }
        for (fields, status) in [
            (many(60), 200), (many(65), 400), (many(200), 400), (long(15_000), 200), (long(17_000), 400), (long(200_000), 400),
        ] {
            let reply = try await wire.send("GET", "/healthz", fields)
            #expect(reply.status == status, "\(fields.count) fields")
        }
        let reply = try await wire.send("GET", "/healthz", [])
        #expect(reply.status == 200)
    }
}
