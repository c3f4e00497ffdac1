import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import Testing

extension TimeToLive {
    static let sessions = [
        TimeToLive("a session that is not used lives", 604_800) { trial in
            let tokens = try await trial.person.session()
            trial.pass()
            return try await trial.person.refresh(tokens).outcome == "ok"
        },
        TimeToLive("a session that is used lives", 2_592_000) { trial in
            var tokens = try await trial.person.session()
            for _ in 0..<4 {
                trial.server.clock.advance(by: 600_000)
                tokens = try trial.server.tokens(try await trial.person.refresh(tokens))
            }
            trial.pass(after: 2_400_000)
            return try await trial.person.refresh(tokens).outcome == "ok"
        },
        TimeToLive("a refreshed token gives its successor again", 30) { trial in
            let tokens = try await trial.person.session()
            let next = try trial.server.tokens(try await trial.person.refresh(tokens))
            trial.pass()
            return try await trial.person.refresh(tokens).string("session_token") == next.sessionToken
        },
        TimeToLive("an id_token is a bearer's, with 60 s of leeway", 7_200 + 60) { trial in
            let tokens = try await trial.person.session()
            trial.pass()
            return try await trial.person.wire.sessions(tokens.idToken).outcome == "ok"
        },
        TimeToLive("an id_token verifies with a program, with 120 s of leeway", 7_200 + 120) { trial in
            let live = try LiveFlows(trial.server)
            let tokens = try await trial.person.session()
            live.advance(by: trial.seconds)
            return await live.flows.identity.verify(tokens.idToken).legacyCode == "0"
        },
        TimeToLive("an X-signature is taken after its timestamp", 301) { trial in
            let tokens = try await trial.person.session()
            let text = try await trial.person.signature().text(tokens.sessionToken, nonce: "n-1")
            trial.pass()
            return try await trial.person.wire.post(Signature.path, adding: [("X-signature", text)]).outcome == "ok"
        },
        TimeToLive("an X-signature is taken before its timestamp", 301) { trial in
            let tokens = try await trial.person.session()
            let text = try await trial.person.signature().text(tokens.sessionToken, ahead: trial.seconds, nonce: "n-1")
            return try await trial.person.wire.post(Signature.path, adding: [("X-signature", text)]).outcome == "ok"
        },
    ]

    static let keys = [
        TimeToLive("a retired key is published: a token's life, the leeway and what caches keep", 7_200 + 60 + 600) { trial in
            let before = try await trial.publishedKeys()
            try await trial.server.server.services.keys.rotate(now: true)
            trial.pass()
            return try await trial.publishedKeys().isSuperset(of: before)
        },
        TimeToLive("a new key is published without signing", 86_400) { trial in
            // The server's work of each minute in real time: a key of the previous trial may be due.
            try await trial.server.server.services.maintain()
            let before = try await trial.person.session()
            try await trial.server.server.services.keys.rotate(now: false)
            trial.pass()
            try await trial.server.server.services.maintain()
            let after = try await trial.person.session()
            return before.idToken.prefix { $0 != "." } == after.idToken.prefix { $0 != "." }
        },
    ]
}

extension Trial {
    /// The kids of the published keys.
    fileprivate func publishedKeys() async throws -> Set<String> {
        let reply = try await person.wire.send("GET", "/api/v1/oauth2/keys", [])
        return Set(try #require(reply.json["keys"] as? [[String: Any]]).compactMap { $0["kid"] as? String })
    }
}
