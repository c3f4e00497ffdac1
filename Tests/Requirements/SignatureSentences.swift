import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

struct SignatureSentences: ServerTests {
    private static func refresh(_ person: Person, _ signature: String) async throws -> WireReply {
        try await person.wire.post(Signature.path, adding: [("X-signature", signature)])
    }

    @Test(.preparedServer)
    func aTimestampMayBeOffBy300SEitherWay() async throws {
        let (tokens, signature) = (try await person.session(), try await person.signature())
        for (seconds, outcome) in [(-301, "COMMON.1004"), (-300, "ok"), (0, "ok"), (300, "ok"), (301, "COMMON.1004")] {
            let text = signature.text(tokens.sessionToken, ahead: seconds, nonce: "n\(seconds)")
            #expect(try await Self.refresh(person, text).outcome == outcome, "\(seconds) s")
        }
    }

    /// 56: A nonce works once for a session, even if encrypted again or if its record has expired; another session has its own nonces.
    @Test(.preparedServer)
    func aNonceWorksOnceForASession() async throws {
        let (person, other) = (Person(server), Person(server, 1))
        let (tokens, others) = (try await person.session(), try await other.session())
        let signature = try await person.signature()
        let text = signature.text(tokens.sessionToken, ahead: 300, nonce: "n")
        #expect(try await Self.refresh(person, text).outcome == "ok")
        #expect(try await Self.refresh(person, text).outcome == "COMMON.1004")
        #expect(try await Self.refresh(person, signature.text(tokens.sessionToken, nonce: "n")).outcome == "COMMON.1004")
        #expect(try await person.wire.post("/api/v2/sdk/logout", adding: [("X-signature", text)]).outcome == "COMMON.1004")
        #expect(try await Self.refresh(other, signature.text(others.sessionToken, nonce: "n")).outcome == "ok")
        for _ in 0..<3 {
            server.clock.advance(by: 300)
            try await server.server.services.maintain()
            #expect(try await Self.refresh(person, text).outcome == "COMMON.1004")
        }
        #expect(try await Self.refresh(person, signature.text(tokens.sessionToken, nonce: "m")).outcome == "ok")
    }

    /// 56: For any fault, in padding or content, refresh and logout give the same answer byte for byte.
    @Test(.preparedServer)
    func everyMalformedSignatureHasTheSameAnswer() async throws {
        let (tokens, signature) = (try await person.session(), try await person.signature())
        let (token, now) = (tokens.sessionToken, server.clock.now.milliseconds)
        let plaintexts = [
            "session_token", "session_token=\(token)", "session_token=\(token)&timestamp=\(now)", "timestamp=\(now)&nonce=n",
            "session_token=\(token)&timestamp=soon&nonce=n", "session_token=\(token)&timestamp=-1&nonce=n",
            "session_token=\(token)&timestamp=\(now)&nonce=", "session_token=\(token)&timestamp=\(now)&nonce=n&nonce=m",
            "session_token=&timestamp=\(now)&nonce=n", "session_token=\(String(repeating: "t", count: 65))&timestamp=\(now)&nonce=n",
            "session_token=\(token)&timestamp=\(now - 301_000)&nonce=n",
        ]
        var tampered = Array(signature.text(tokens.sessionToken, nonce: "n"))
        tampered[20] = tampered[20] == "A" ? "B" : "A"
        var answers: Set<String> = []
        for text in plaintexts.map(signature.encrypted) + ["%%%", "AAAA", String(repeating: "A", count: 344), String(tampered)] {
            for path in [Signature.path, "/api/v2/sdk/logout"] {
                let reply = try await person.wire.post(path, adding: [("X-signature", text)])
                #expect(reply.outcome == "COMMON.1004")
                answers.insert(reply.substance)
            }
        }
        #expect(answers.count == 1, "\(answers)")
        #expect(try await Self.refresh(person, signature.text(tokens.sessionToken, nonce: "n")).outcome == "ok")
    }
}
