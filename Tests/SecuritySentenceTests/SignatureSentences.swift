#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

@Suite("X-signature, over HTTP: sentence 56")
struct SignatureSentences {
    private static func refresh(_ person: Person, _ signature: String) async throws -> WireReply {
        try await person.wire.post(Signature.path, adding: [("X-signature", signature)])
    }

    @Test("56: A timestamp may be off by 300 s either way")
    func timestamp() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let (tokens, signature) = (try await person.session(), try await Signature(person))
            for (seconds, outcome) in [(-301, "COMMON.1004"), (-300, "ok"), (0, "ok"), (300, "ok"), (301, "COMMON.1004")] {
                let text = try signature.text(tokens, ahead: seconds, nonce: "n\(seconds)")
                #expect(try await Self.refresh(person, text).outcome == outcome, "\(seconds) s")
            }
        }
    }

    @Test("56: A nonce works once for a session, encrypted anew or not, also when its record has run out; another session has its own")
    func nonce() async throws {
        try await LiveServer.running { server in
            let (person, other) = (Person(server), Person(server, 1))
            let (tokens, others) = (try await person.session(), try await other.session())
            let signature = try await Signature(person)
            let text = try signature.text(tokens, ahead: 300, nonce: "n")
            #expect(try await Self.refresh(person, text).outcome == "ok")
            #expect(try await Self.refresh(person, text).outcome == "COMMON.1004")
            #expect(try await Self.refresh(person, try signature.text(tokens, nonce: "n")).outcome == "COMMON.1004")
            #expect(try await person.wire.post("/api/v2/sdk/logout", adding: [("X-signature", text)]).outcome == "COMMON.1004")
            #expect(try await Self.refresh(other, try signature.text(others, nonce: "n")).outcome == "ok")
            for _ in 0..<3 {
                server.clock.advance(by: 300)
                try await server.server.services.maintain()
                #expect(try await Self.refresh(person, text).outcome == "COMMON.1004")
            }
            #expect(try await Self.refresh(person, try signature.text(tokens, nonce: "m")).outcome == "ok")
        }
    }

    @Test("56: Whatever is wrong, padding or content, refreshing and logging out have the same answer to the byte")
    func malformed() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let (tokens, signature) = (try await person.session(), try await Signature(person))
            let (token, now) = (tokens.sessionToken, server.clock.now.milliseconds)
            let plaintexts = [
                "session_token", "session_token=\(token)", "session_token=\(token)&timestamp=\(now)", "timestamp=\(now)&nonce=n",
                "session_token=\(token)&timestamp=soon&nonce=n", "session_token=\(token)&timestamp=-1&nonce=n",
                "session_token=\(token)&timestamp=\(now)&nonce=", "session_token=\(token)&timestamp=\(now)&nonce=n&nonce=m",
                "session_token=&timestamp=\(now)&nonce=n", "session_token=\(String(repeating: "t", count: 65))&timestamp=\(now)&nonce=n",
                "session_token=\(token)&timestamp=\(now - 301_000)&nonce=n",
            ]
            var tampered = Array(try signature.text(tokens, nonce: "n"))
            tampered[20] = tampered[20] == "A" ? "B" : "A"
            var answers: Set<String> = []
            for text in try plaintexts.map(signature.encrypted) + ["%%%", "AAAA", String(repeating: "A", count: 344), String(tampered)] {
                for path in [Signature.path, "/api/v2/sdk/logout"] {
                    let reply = try await person.wire.post(path, adding: [("X-signature", text)])
                    #expect(reply.outcome == "COMMON.1004")
                    let fields = reply.fields.filter { !["x-request-id", "date"].contains($0.0.lowercased()) }.map { "\($0.0): \($0.1)" }
                    answers.insert("\(reply.status) \(fields.sorted()) \(reply.text)")
                }
            }
            #expect(answers.count == 1, "\(answers)")
            #expect(try await Self.refresh(person, try signature.text(tokens, nonce: "n")).outcome == "ok")
        }
    }
}
#endif
