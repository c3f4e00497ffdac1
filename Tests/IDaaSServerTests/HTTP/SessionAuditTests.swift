#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Secrets
import Testing

@Suite("The audit trail of sessions")
struct SessionAuditTests {
    @Test("An event says whose session it is about, in both forms of asking and also where it is refused")
    func subjects() async throws {
        try await LiveServer.with { server in
            let logins = try await Self.logIn(twice: server)
            let wire = server.wire()
            let sign = try await Self.signer(server)
            let refresh = "/api/v2/sdk/session-token/refresh-id-token"
            let signature = try sign(logins[0].token, "n-1")
            let steps = [
                Step(refresh, signature, logins[0], "session.refresh ok"),
                Step(refresh, signature, logins[0], "session.refresh IDAAS.SDK.COMMON.1004"),
                Step("/api/v2/sdk/logout", try sign(logins[0].token, "n-2"), logins[0], "session.logout ok"),
                Step(refresh, try sign(logins[0].token, "n-3"), logins[0], "session.refresh IDAAS.SDK.COMMON.1005"),
                Step("/api/v2/sdk/logout", ("session-token", logins[1].token), logins[1], "session.logout ok"),
                Step(
                    "/api/v2/sdk/sso/session-token/id-token", ("session-token", logins[1].token), logins[1],
                    "session.refresh IDAAS.SDK.COMMON.1005"),
            ]
            for step in steps {
                _ = try await wire.post(step.path, adding: [step.field])
                let event = try #require(try Self.events(server).last)
                #expect("\(event["event"] ?? "") \(event["outcome"] ?? "")" == step.outcome)
                #expect(event["subject"] == Masked.token(step.login.token), "\(step.outcome)")
                #expect(event["user"] == step.login.user && event["sid"] == step.login.sid, "\(step.outcome)")
            }
        }
    }

    @Test("A session that ends for its token being in wrong hands leaves one event of its own, with the reason", arguments: [true, false])
    func revoked(_ isReuse: Bool) async throws {
        try await LiveServer.with { server in
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
    }

    @Test("Ending another session names that one and the one that asked")
    func ended() async throws {
        try await LiveServer.with { server in
            let logins = try await Self.logIn(twice: server)
            let bearer = [("Authorization", "Bearer " + logins[0].idToken)]
            _ = try await server.wire().get("/api/v2/sdk/sessions", adding: bearer)
            for id in ["none", logins[1].sid, logins[0].sid] {
                _ = try await server.wire().delete("/api/v2/sdk/sessions/\(id)", adding: bearer)
            }
            let events = try Self.events(server).suffix(4)
            #expect(events.map { $0["event"] } == ["session.list", "session.end", "session.end", "session.end"])
            #expect(events.map { $0["sid"] } == [logins[0].sid, nil, logins[1].sid, logins[0].sid])
            #expect(events.map { $0["by_sid"] } == [logins[0].sid, logins[0].sid, logins[0].sid, logins[0].sid])
            #expect(events.allSatisfy { $0["user"] == logins[0].user })
        }
    }

    private struct Login: Sendable {
        let token: String
        let idToken: String
        let user: String
        let sid: String
    }

    private struct Step {
        let path: String
        let field: (String, String)
        let login: Login
        let outcome: String

        init(_ path: String, _ field: (String, String), _ login: Login, _ outcome: String) {
            self.path = path
            self.field = field
            self.login = login
            self.outcome = outcome
        }
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

    private static func signer(_ server: LiveServer) async throws -> (_ token: String, _ nonce: String) throws -> (String, String) {
        let document = try await server.wire().get("/api/v2/sdk/public-key").string("public_key")
        let key = try #require(EncryptionKey(document: document ?? ""))
        return { token, nonce in
            let text = "session_token=\(token)&timestamp=\(server.clock.now.milliseconds)&nonce=\(nonce)"
            return ("X-signature", Data(try #require(key.encrypt(Array(text.utf8), mask: .sha256))).base64EncodedString())
        }
    }
}
#endif
