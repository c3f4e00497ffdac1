import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

struct KeySentences: ServerTests {
    /// The number of requests for the server's keys.
    private static func fetches(_ server: LiveServer) -> Int {
        server.log.lines.count { $0.contains(#""route":"/api/v1/oauth2/keys""#) }
    }

    /// 31: A thousand unknown kids cause two fetches in 10 s, and one more fetch finds a new key.
    @Test(.flowsServer)
    func aThousandUnknownKeyIDsCauseTwoFetches() async throws {
        let live = try LiveFlows(server)
        let session = try await live.logIn()
        #expect(await live.flows.identity.verify(session.idToken).legacyCode == "0")
        #expect(Self.fetches(server) == 1)
        let stranger = TokenForge(.rs256)
        for ordinal in 0..<1_000 {
            let token = stranger.token(header: "{\"alg\":\"RS256\",\"kid\":\"junk-\(ordinal)-\(UInt64.random(in: 0 ... .max))\"}")
            #expect(await live.flows.identity.verify(token).legacyCode == "102")
        }
        let junk = Self.fetches(server)
        #expect(junk <= 3 && junk == live.documents.count)
        #expect(await live.flows.identity.verify(session.idToken).legacyCode == "0")
        try await server.server.services.keys.rotate(now: true)
        live.advance(by: 10)
        let renewed = try await live.flows.sessions.renew().get()
        #expect(await live.flows.identity.verify(renewed.idToken).legacyCode == "0")
        #expect(await live.flows.identity.verify(session.idToken).legacyCode == "0")
        #expect(Self.fetches(server) == junk + 1)
    }

    /// 31: While the server is unreachable, keys are used for one hour beyond their five minutes, then not, and again when the server is
    /// back.
    @Test
    func keysServeForAnHourBeyondTheirLifetime() async throws {
        let first = try await LiveServer(clock: ManualServerClock(LiveFlows.start))
        defer { try? FileManager.default.removeItem(at: first.directory) }
        let live = try LiveFlows(first)
        let token = try await live.logIn().idToken
        #expect(await live.flows.identity.verify(token).legacyCode == "0")
        await Turn.children.take()
        defer { Turn.children.leave() }
        try await first.stopKeepingFiles()
        for (wait, code) in [(300, "0"), (3_599, "0"), (1, "102")] {
            live.clock.advance(by: .seconds(wait))
            #expect(await live.flows.identity.verify(token).legacyCode == code, "\(wait) s more")
        }
        let second = try await LiveServer(clock: first.clock, directory: first.directory) { $0.listen = "127.0.0.1:\(first.ready.port)" }
        live.clock.advance(by: .seconds(10))
        #expect(await live.flows.identity.verify(token).legacyCode == "0")
        try await second.stop()
    }
}
