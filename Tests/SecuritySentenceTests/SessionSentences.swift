#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

@Suite("Sessions, over HTTP: sentences 32, 33, 35 and 36")
struct SessionSentences {
    private static let dead = "COMMON.1005"

    @Test("32: A session token has 190 bits, and is another one at each login")
    func token() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            var tokens: [String] = []
            for _ in 0..<20 { tokens.append(try await Person(server).session().sessionToken) }
            #expect(tokens.allSatisfy { $0.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil })
            #expect(Set(tokens).count == 20)
            // Nothing in them stays the same: no part is a number of the user, the device or the login.
            for place in 0..<32 { #expect(Set(tokens.map { Array($0)[place] }).count >= 5) }
        }
    }

    @Test(
        "32: A session token is bound to its client and its device: elsewhere it is refused, and its family ends", arguments: [true, false])
    func owner(_ isDevice: Bool) async throws {
        try await LiveServer.running { server in
            try await server.add(client: "other")
            let person = Person(server)
            let tokens = try await person.session()
            let thief = isDevice ? person.on("device-9") : person.at("other")
            #expect(try await thief.refresh(tokens).outcome == Self.dead)
            #expect(try await person.refresh(tokens).outcome == Self.dead)
            #expect(try await person.wire.sessions(tokens.idToken).outcome == Self.dead)
        }
    }

    @Test("33: Within 30 s the same device gets the same successor again; after that reuse ends the family", arguments: [0, 29, 30, 31])
    func grace(_ seconds: Int) async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let tokens = try await person.session()
            let next = try server.tokens(try await person.refresh(tokens))
            #expect(next.sessionToken != tokens.sessionToken)
            server.clock.advance(by: seconds)
            let again = try await person.refresh(tokens)
            if seconds < 30 {
                #expect(again.string("session_token") == next.sessionToken)
                #expect(try await person.refresh(next).outcome == "ok")
            } else {
                #expect(again.outcome == Self.dead)
                #expect(try await person.refresh(next).outcome == Self.dead)
                #expect(try await person.wire.sessions(next.idToken).outcome == Self.dead)
            }
        }
    }

    @Test("33: To a second device no successor is given again, even within 30 s: the family ends")
    func graceElsewhere() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let tokens = try await person.session()
            let next = try server.tokens(try await person.refresh(tokens))
            #expect(try await person.on("device-9").refresh(tokens).outcome == Self.dead)
            #expect(try await person.refresh(next).outcome == Self.dead)
        }
    }

    @Test("33: The same successor comes after a restart too")
    func restart() async throws {
        let first = try await LiveServer()
        defer { try? FileManager.default.removeItem(at: first.directory) }
        let tokens = try await Person(first).session()
        let next = try first.tokens(try await Person(first).refresh(tokens))
        try await first.stopKeepingFiles()
        let second = try await LiveServer(clock: first.clock, directory: first.directory) { $0.publicURL = first.ready.url }
        let again = try second.tokens(try await Person(second).refresh(tokens))
        #expect(again.sessionToken == next.sessionToken)
        #expect(try await Person(second).refresh(next).outcome == "ok")
        try await second.stop()
    }

    @Test("35: A session ends seven days after its last use, and each use begins them again")
    func idle() async throws {
        try await LiveServer.running { server in
            for (ordinal, row) in [(604_799, "ok"), (604_800, Self.dead), (604_801, Self.dead)].enumerated() {
                let person = Person(server, ordinal)
                var tokens = try await person.session()
                server.clock.advance(by: 604_799)
                tokens = try server.tokens(try await person.refresh(tokens))
                server.clock.advance(by: row.0)
                #expect(try await person.refresh(tokens).outcome == row.1, "\(row.0) s")
            }
        }
    }

    @Test("35: A session ends thirty days after the login, however often it is refreshed")
    func absolute() async throws {
        try await LiveServer.running { server in
            for (ordinal, row) in [(-1, "ok"), (0, Self.dead), (1, Self.dead)].enumerated() {
                let person = Person(server, ordinal)
                var tokens = try await person.session()
                for day in stride(from: 1, through: 29, by: 1) {
                    server.clock.advance(by: 86_400)
                    let reply = try await person.refresh(tokens)
                    #expect(reply.integer("expire") == min(604_800, (30 - day) * 86_400))
                    tokens = try server.tokens(reply)
                }
                server.clock.advance(by: 86_400 + row.0)
                #expect(try await person.refresh(tokens).outcome == row.1, "\(row.0) s")
            }
        }
    }

    @Test("36: Logging out takes effect on the next request, for the session token and for the id_token")
    func logOut() async throws {
        try await LiveServer.running { server in
            let (person, other) = (Person(server), Person(server).on("device-9"))
            let tokens = try await person.session()
            server.clock.advance(by: 60)
            let others = try await other.session()
            #expect(try await person.wire.sessions(tokens.idToken).outcome == "ok")
            for _ in 0..<2 { #expect(try await person.wire.logOut(tokens.sessionToken).outcome == "ok") }
            #expect(try await person.refresh(tokens).outcome == Self.dead)
            #expect(try await person.wire.sessions(tokens.idToken).outcome == Self.dead)
            #expect(try await other.refresh(others).outcome == "ok")
        }
    }

    @Test("36: Logging out everywhere ends the other sessions too; with a stolen token it does not")
    func everywhere() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            let people = (0..<3).map { Person(server).on("device-\($0)") }
            var tokens: [WireTokens] = []
            for person in people { tokens.append(try await person.session()) }
            #expect(try await people[1].wire.logOut(tokens[0].sessionToken, everywhere: true).outcome == "ok")
            #expect(try await people[0].refresh(tokens[0]).outcome == Self.dead)
            #expect(try await people[1].wire.logOut(tokens[1].sessionToken, everywhere: true).outcome == "ok")
            for (person, token) in zip(people, tokens) {
                #expect(try await person.refresh(token).outcome == Self.dead)
                #expect(try await person.wire.sessions(token.idToken).outcome == Self.dead)
            }
        }
    }

    @Test("36: A session that its user ends from another device ends on the next request")
    func ended() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            let (person, other) = (Person(server), Person(server).on("device-9"))
            let (tokens, others) = (try await person.session(), try await other.session())
            let list = try #require(try await person.wire.sessions(tokens.idToken).json["sessions"] as? [[String: Any]])
            let id = try #require(list.first { $0["current"] as? Bool == false }?["id"] as? String)
            let bearer = [("Authorization", "Bearer \(tokens.idToken)")]
            #expect(try await person.wire.delete("/api/v2/sdk/sessions/\(id)", adding: bearer).outcome == "ok")
            #expect(try await other.refresh(others).outcome == Self.dead)
            #expect(try await other.wire.sessions(others.idToken).outcome == Self.dead)
            #expect(try await person.refresh(tokens).outcome == "ok")
        }
    }
}
#endif
