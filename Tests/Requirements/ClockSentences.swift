import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import Logging
import Testing

struct ClockSentences {
    /// 53: Everything with a lifetime is valid one second before its end, and invalid at the end and one second later.
    @Test(arguments: TimeToLive.all)
    func everyLifetimeEndsToTheSecond(_ life: TimeToLive) async throws {
        try await LiveServer.running(clock: ManualServerClock(LiveFlows.start), configure: life.configure) { server in
            for (ordinal, offset) in [-1, 0, 1].enumerated() {
                // The previous trial and its limits have expired.
                server.clock.advance(by: 2 * 86_400)
                let trial = Trial(person: Person(server, ordinal), seconds: life.seconds + offset)
                let holds = try await life.holds(trial)
                #expect(holds == (offset < 0), "\(life.name) at \(trial.seconds) s")
            }
        }
    }

    /// 53: Every instant that the server states comes from the injected clock, which differs by years from the machine's.
    @Test
    func everyInstantIsOfTheInjectedClock() async throws {
        try await LiveServer.running(clock: ManualServerClock(LiveFlows.start), logLevel: .trace) { server in
            let person = Person(server)
            let now = server.clock.now
            let tokens = try await person.session()
            #expect(try await person.wire.get("/api/v2/sdk/server-date").string("timestamp") == String(now.milliseconds))
            let list = try #require(try await person.wire.sessions(tokens.idToken).json["sessions"] as? [[String: Any]])
            let session = try #require(list.first)
            #expect(session["created_at"] as? String == String(now.milliseconds))
            #expect(session["last_used_at"] as? String == String(now.milliseconds))
            #expect(session["expires_at"] as? String == String((now + .seconds(604_800)).milliseconds))
            for line in server.auditLines + server.log.lines { #expect(line.contains(#""time":"2023-11-14T22:13:20.000Z""#)) }
            let user = try await LiveFlows(server).flows.identity.userInfo(of: tokens.idToken).get()
            #expect(user.issuedAt == now.seconds && user.expiresAt == now.seconds + 7_200 && user.authenticatedAt == now.seconds)
        }
    }
}
