import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

struct SessionSentences: ServerTests {
    private static let dead = "COMMON.1005"

    @Test(.unlimitedServer)
    func aSessionTokenHas190BitsAndIsAnotherOneAtEachLogin() async throws {
        var tokens: [String] = []
        for _ in 0..<20 { tokens.append(try await Person(server).session().sessionToken) }
        #expect(tokens.allSatisfy { $0.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil })
        #expect(Set(tokens).count == 20)
        // No position is constant: no part is a number of the user, the device or the login.
        for place in 0..<32 { #expect(Set(tokens.map { Array($0)[place] }).count >= 5) }
    }

    /// 32: A session token is bound to its client and its device: elsewhere it is refused, and its family ends.
    @Test(.preparedServer, arguments: [true, false])
    func aSessionTokenIsBoundToItsClientAndDevice(_ isDevice: Bool) async throws {
        try await server.add(client: "other")
        let tokens = try await person.session()
        let thief = isDevice ? person.on("device-9") : person.at("other")
        #expect(try await thief.refresh(tokens).outcome == Self.dead)
        #expect(try await person.refresh(tokens).outcome == Self.dead)
        #expect(try await person.wire.sessions(tokens.idToken).outcome == Self.dead)
    }

    /// 33: Within 30 s the same device gets the same successor again; later reuse ends the family.
    @Test(.preparedServer, arguments: [0, 29, 30, 31])
    func aLostReplyIsGivenAgainWithin30Seconds(_ seconds: Int) async throws {
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

    @Test(.preparedServer)
    func aSecondDeviceGetsNoSuccessorAndEndsTheFamily() async throws {
        let tokens = try await person.session()
        let next = try server.tokens(try await person.refresh(tokens))
        #expect(try await person.on("device-9").refresh(tokens).outcome == Self.dead)
        #expect(try await person.refresh(next).outcome == Self.dead)
    }

    @Test
    func theSameSuccessorComesAfterARestartToo() async throws {
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

    @Test(.preparedServer)
    func refreshingDoesNotExtendASessionBeyondThirtyDays() async throws {
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

    /// 36: Logout takes effect on the next request, for the session token and for the id_token.
    @Test(.preparedServer)
    func aLogoutCountsOnTheNextRequest() async throws {
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

    /// 36: Logout everywhere also ends the other sessions; with a stolen token it does not.
    @Test(.unlimitedServer)
    func aLogoutEverywhereEndsTheOtherSessions() async throws {
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

    @Test(.unlimitedServer)
    func aSessionEndedElsewhereEndsAtItsNextRequest() async throws {
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
