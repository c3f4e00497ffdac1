import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct SessionAuditTests: ServerTests {
    /// An event names its session, in both forms of a request and even if it is refused.
    @Test(.liveServer)
    func anEventNamesItsSession() async throws {
        let logins = try await Self.logIn(twice: server)
        let signer = try await Signature(wire, server.clock)
        let signature = signer.field(logins[0].token, nonce: "n-1")
        let steps: [(path: String, field: (String, String), login: Login, outcome: String)] = [
            (Signature.path, signature, logins[0], "session.refresh ok"),
            (Signature.path, signature, logins[0], "session.refresh IDAAS.SDK.COMMON.1004"),
            ("/api/v2/sdk/logout", signer.field(logins[0].token, nonce: "n-2"), logins[0], "session.logout ok"),
            (Signature.path, signer.field(logins[0].token, nonce: "n-3"), logins[0], "session.refresh IDAAS.SDK.COMMON.1005"),
            ("/api/v2/sdk/logout", ("session-token", logins[1].token), logins[1], "session.logout ok"),
            (
                "/api/v2/sdk/sso/session-token/id-token", ("session-token", logins[1].token), logins[1],
                "session.refresh IDAAS.SDK.COMMON.1005"
            ),
        ]
        for step in steps {
            _ = try await wire.post(step.path, adding: [step.field])
            let event = try #require(try Self.events(server).last)
            #expect("\(event["event"] ?? "") \(event["outcome"] ?? "")" == step.outcome)
            #expect(event["subject"] == Masked.token(step.login.token), "\(step.outcome)")
            #expect(event["user"] == step.login.user && event["sid"] == step.login.sid, "\(step.outcome)")
        }
    }

    /// A session that ends because of a stolen token leaves one separate event, with the reason.
    @Test(.liveServer, arguments: [true, false])
    func aStolenTokenLeavesAnEventWithItsReason(_ isReuse: Bool) async throws {
        let login = try await Self.logIn(twice: server)[0]
        let thief = isReuse ? server.wire() : server.wire(device: "device-2")
        if isReuse {
            #expect(try await thief.refresh(login.token).status == 200)
            server.clock.advance(by: 30)
        }
        let before = try Self.events(server).count
        for _ in 0..<2 { #expect(try await thief.refresh(login.token).errorCode == "IDAAS.SDK.COMMON.1005") }
        let events = try Self.events(server).dropFirst(before)
        #expect(events.map { $0["event"] } == ["session.refresh", "session.revoked", "session.refresh"])
        #expect(events.map { $0["reason"] } == [nil, isReuse ? "reuse" : "foreign_device", nil])
        #expect(Set(events.prefix(2).map { $0["request_id"] }).count == 1)
        for event in events {
            #expect(event["user"] == login.user && event["sid"] == login.sid && event["subject"] == Masked.token(login.token))
        }
        let metrics = try await thief.send("GET", "/metrics", []).text
        #expect(metrics.contains("idaas_steps_total{outcome=\"\(isReuse ? "reuse" : "foreign_device")\",step=\"session.revoked\"} 1"))
    }

    @Test(.liveServer)
    func endingAnotherSessionNamesThatOneAndTheOneThatAsked() async throws {
        let logins = try await Self.logIn(twice: server)
        let bearer = [("Authorization", "Bearer " + logins[0].idToken)]
        _ = try await wire.get("/api/v2/sdk/sessions", adding: bearer)
        for id in ["none", logins[1].sid, logins[0].sid] {
            _ = try await wire.delete("/api/v2/sdk/sessions/\(id)", adding: bearer)
        }
        let events = try Self.events(server).suffix(4)
        #expect(events.map { $0["event"] } == ["session.list", "session.end", "session.end", "session.end"])
        #expect(events.map { $0["sid"] } == [logins[0].sid, nil, logins[1].sid, logins[0].sid])
        #expect(events.map { $0["by_sid"] } == [logins[0].sid, logins[0].sid, logins[0].sid, logins[0].sid])
        #expect(events.allSatisfy { $0["user"] == logins[0].user })
    }

    private struct Login: Sendable {
        let token: String
        let idToken: String
        let user: String
        let sid: String
    }

    private static func logIn(twice server: LiveServer) async throws -> [Login] {
        var logins: [Login] = []
        for _ in 0..<2 {
            let tokens = try await server.logIn()
            let event = try #require(try events(server).last)
            logins.append(
                Login(
                    token: tokens.sessionToken, idToken: tokens.idToken, user: try #require(event["user"]),
                    sid: try #require(event["sid"])))
            server.clock.advance(by: 61)
        }
        return logins
    }

    private static func events(_ server: LiveServer) throws -> [[String: String]] {
        try server.auditLines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]) }
    }
}
