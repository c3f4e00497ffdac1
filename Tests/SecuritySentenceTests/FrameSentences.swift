#if IDaaS
import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import Testing

@Suite("Requests and replies of a running server: sentences 50 and 52")
struct FrameSentences {
    private static let send = "/api/v2/sdk/sms/send"

    @Test("50: No URL that a program asks for has a query, or any secret in its path")
    func urls() async throws {
        try await LiveServer.withFlows { server in
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
            // Beginning with what opens no door: the discovery document and the keys; all else has a path of its own.
            #expect(Set(urls.map { $0.split(separator: "/").prefix(8).joined(separator: "/") }).count >= 12)
            for url in urls {
                #expect(url.hasPrefix(server.ready.url + "/api/") && !url.contains("?") && !url.contains("#"))
                #expect(secrets.allSatisfy { !url.contains($0) })
            }
        }
    }

    @Test("50: What fails unforeseen is status 500 with COMMON.1008 at every endpoint, in both languages, and says nothing more")
    func failure() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let tokens = try await person.session()
            let (challenge, captchaToken) = (try await person.challenge(), try await person.captchaToken())
            let signature = try await Signature(person).text(tokens, nonce: "n-1")
            try server.spoilStore()
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
    }

    @Test("52: A body larger than 64 KiB is 413, by what it announces before any of it came or by what came, and the server goes on")
    func bodySize() async throws {
        try await LiveServer.running { server in
            let wire = Person(server).wire
            let type = [("Content-Type", "application/json")]
            for (size, status) in [(65_536, 400), (65_537, 413)] {
                let body = Array(("{\"mobile\":\"" + String(repeating: "1", count: size - 13) + "\"}").utf8)
                let reply = try await wire.send("POST", Self.send, wire.fields + type, body: body)
                #expect(reply.status == status && reply.outcome.hasPrefix("COMMON."), "\(size)")
            }
            let head = "POST \(Self.send) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            // Were memory taken for the claim, the first would be the last.
            for claim in ["65537", "99999999999", "9223372036854775807"] {
                let answer = try await RawConnection.exchange(server.ready.port, head + "Content-Length: \(claim)\r\n\r\n{")
                #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("IDAAS.SDK.COMMON.1002"), "\(claim)")
            }
            let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
            let chunked = head + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 3)
            #expect(try await RawConnection.exchange(server.ready.port, chunked).hasPrefix("HTTP/1.1 413 "))
            #expect(try await Person(server).captcha().outcome == "ok")
        }
    }

    @Test("52: Sixteen levels of JSON are read; seventeen, or as many as a body holds, are 400")
    func depth() async throws {
        try await LiveServer.running { server in
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
    }

    @Test("52: 64 header fields of 16 KiB are read, and more are 400")
    func headerSize() async throws {
        try await LiveServer.running { server in
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
}
#endif
